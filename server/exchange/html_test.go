package exchange

import (
	"html"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"assay/store/markdown"
)

func TestHTMLBecomesMarkdownThatShowsTheSame(t *testing.T) {
	for _, row := range []struct{ html, markdown, notes string }{
		{"Plain text", "Plain text", ""},
		{"<p>One</p><p>Two</p>", "One\n\nTwo", ""},
		{"One<br>Two", "One\\\nTwo", ""},
		{"One<br><br/>Two<br>", "One\n\nTwo", ""},
		{"a &lt;b&gt; &amp;amp; c", `a <b> \&amp; c`, ""},
		{"<b>bold</b> and <em>it</em>", "**bold** and *it*", ""},
		{"un<b> bold </b>ed", "un **bold** ed", ""},
		{"<b>Note:</b>this", "**Note**:this", ""},
		{"<b>a</b><b>b</b>", "**ab**", ""},
		{"<b></b>x<i> </i>y", "x y", ""},
		{`<span style="font-weight: bold">x</span>`, "**x**", ""},
		{"<b><p>One</p><p>Two</p></b>", "**One**\n\n**Two**", ""},
		{"2<sup>10</sup>", "2¹⁰", ""},
		{`2<span style="vertical-align: super;">10</span>`, "2¹⁰", ""},
		{"x<sup>n</sup>, H<sub>2</sub>O", "xⁿ, H₂O", ""},
		{"2<sup>3<sup>2</sup></sup>", "2^(3²)", "markup_changed <sup> 32"},
		{"e<sup>α</sup>", "e^(α)", "markup_changed <sup> α"},
		{"<code>a  *b*</code>", "`a  *b*`", ""},
		{"<code>a`b</code>", "``a`b``", ""},
		{"<pre>if x:\n    y()\n\n\tz</pre>", "```\nif x:\n    y()\n\n\tz\n```", ""},
		{`<pre><code class="language-go">a := "&lt;b&gt;"</code></pre>`, "```go\na := \"<b>\"\n```", ""},
		{"<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````", ""},
		{"<code>a<br>&nbsp; b</code>", "```\na\n  b\n```", ""},
		{"<ul><li>a<li>b</ul>", "- a\n- b", ""},
		{"<ol start=3><li>a</li><li><p>b</p><p>c</p></li></ol>", "3. a\n\n4. b\n\n   c", ""},
		{"<ul><li>a<ul><li>b</li></ul></li></ul>", "- a\n\n  - b", ""},
		{"<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n+ b", ""},
		{`<ol type="a"><li>x</li></ol>`, "1. x", "markup_changed <ol type=a>"},
		{"<blockquote>a<p>b</p></blockquote>", "> a\n> \n> b", ""},
		{"<h2>Title #</h2>x<hr>y", "## Title \\#\n\nx\n\n***\n\ny", ""},
		{"<table><tr><th>a<th>b<tr><td>1<td>x|y</table>", "| a | b |\n| --- | --- |\n| 1 | x\\|y |", ""},
		{"<table><tr><td>a</td><td>b</td></tr></table>", "|  |  |\n| --- | --- |\n| a | b |", ""},
		{"<table><tr><td colspan=2>a</td></tr><tr><td>b<td>c</table>",
			"|  |  |\n| --- | --- |\n| a |  |\n| b | c |", "markup_changed <td colspan=2>"},
		{"<table><tr><td><p>only</p></td></tr></table>", "only", ""},
		{`<a href="https://a.example/x_(y)">te[x]t</a>`, `[te\[x\]t](https://a.example/x\_%28y%29)`, ""},
		{`<a href="javascript:alert(1)">x</a>`, "x", "markup_changed <a href=javascript:alert(1)>"},
		{`<img src="@@PLUGINFILE@@/a.png" alt="An [a]">`, `![An \[a\]](media:import-1)`, ""},
		{`<img src="gone.png" alt="A tree">`, "A tree", "picture_dropped gone.png"},
		{`<img src="https://a.example/b.png">x`, "x", "picture_dropped https://a.example/b.png"},
		{`\(x^2\) and \[y\] and $$z$$`, "$x^2$ and $$y$$ and $$z$$", ""},
		{`<code>\(x\)</code>`, "`\\(x\\)`", ""},
		{`costs $5 or $6`, `costs \$5 or \$6`, ""},
		{`costs $5`, `costs $5`, ""},
		{`<img class="equation_image" data-equation-content="\frac12" src="/equation_images/x" alt="LaTeX: \frac12">`,
			`$\frac12$`, ""},
		{`<math><semantics><msup><mn>2</mn><mn>10</mn></msup><annotation encoding="application/x-tex">2^{10}` +
			`</annotation></semantics></math>`, "$2^{10}$", ""},
		{`<math><msup><mn>2</mn><mn>10</mn></msup></math>`, "2^(10)", "markup_changed <math> 2^(10)"},
		{`<m:math xmlns:m="x"><m:mfrac><m:mn>1</m:mn><m:mi>n</m:mi></m:mfrac></m:math>`, "1/n", "markup_changed <math> 1/n"},
		{`<img class="Wirisformula" data-mathml="«math»«msqrt»«mn»2«/mn»«/msqrt»«/math»" src="x">`, "√(2)",
			"markup_changed <math> √(2)"},
		{"a<script>alert(1)</script>b", "ab", "markup_changed <script> alert(1)"},
		{`<video src="v.mp4"></video>x`, "x", "markup_changed <video> v.mp4"},
		{"<u>not</u>", "not", "markup_changed <u> not"},
		{`<span style="text-decoration: line-through">x</span>`, "x", "markup_changed line-through: x"},
		{"*azure*", `\*azure\*`, ""},
		{"3 * 4 and snake_case_name", "3 * 4 and snake_case_name", ""},
		{"The capital is ____.", "The capital is ____.", ""},
		{"# no heading", `\# no heading`, ""},
		{"1. no list", `1\. no list`, ""},
		{"- no list<br>+ none", "\\- no list\\\n\\+ none", ""},
		{"a<br>---", "a\\\n\\---", ""},
		{"[a](b) ![c](d)", `\[a\](b) \![c\](d)`, ""},
		{`C:\*.log`, `C:\\*.log`, ""},
		{"<https://a.example>", "", ""},
		{"&lt;https://a.example&gt;", `\<https://a.example>`, ""},
		{"<p>A.&nbsp;B</p>", "A. B", ""},
		{"<details><summary>Hint</summary>Text</details>", "Hint\n\nText", ""},
		{"<p>one<p>two<ul><li>three</ul>", "one\n\ntwo\n\n- three", ""},
		{"a</b></p></table>b", "ab", ""},
	} {
		got, notes := markdownOf(row.html, 1, func(src string) string {
			if strings.HasPrefix(src, "@@PLUGINFILE@@/") {
				return "import-1"
			}
			return ""
		})
		var said []string
		for _, n := range notes {
			said = append(said, string(n.Code)+" "+n.Text)
		}
		if got != row.markdown || strings.Join(said, "; ") != row.notes {
			t.Errorf("%s:\n%q, want\n%q\nnotes %q, want %q", row.html, got, row.markdown, said, row.notes)
		}
	}
}

func TestNotesAboutHTMLHaveTheLine(t *testing.T) {
	_, notes := markdownOf("a\nb <u>c</u>\n<img src=x>", 7, nil)
	if len(notes) != 2 || notes[0].Line != 8 || notes[1].Line != 9 {
		t.Errorf("notes %+v", notes)
	}
	if _, notes = markdownOf("a\n<u>c</u>", 0, nil); notes[0].Line != 0 {
		t.Errorf("a source without lines: %+v", notes)
	}
}

// The Markdown of random HTML shows the same texts, and the same emphasis where nothing is reported.
func TestMarkdownOfRandomHTMLShowsTheSame(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("rand.NewPCG(%d, 0)", seed)
	r, renderer := rand.New(rand.NewPCG(seed, 0)), markdown.New()
	for range 20_000 {
		source := randomHTML(r, 4)
		checkShown(t, renderer, source)
	}
}

func randomHTML(r *rand.Rand, depth int) string {
	texts := []string{"a", "b ", " c", "*", "_", "`", "1. x", "# y", "- z", "&lt;b&gt;", "&amp;amp;", "[q](r)", "!", "|",
		"\\", "$5", "~~~", "&gt;", " ", "ü:", "snake_case", "3 * 4", "__", "**", "=", "---", "+", "&lt;x@y.z&gt;", "[", "]"}
	tags := []string{"b", "i", "p", "div", "ul><li", "ol><li", "blockquote", "code", "h3", "span", "table><tr><td", "br"}
	var out strings.Builder
	for range 1 + r.IntN(4) {
		tag := tags[r.IntN(len(tags))]
		switch {
		case r.IntN(2) == 0 || depth == 0:
			out.WriteString(texts[r.IntN(len(texts))])
		case tag == "br":
			out.WriteString("<br>")
		default:
			name, _, _ := strings.Cut(tag, ">")
			out.WriteString("<" + tag + ">" + randomHTML(r, depth-1) + "</" + name + ">")
		}
	}
	return out.String()
}

var tagsInHTML = regexp.MustCompile(`<[^>]*>`)

// shown returns the text of HTML without white space.
func shown(source string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tagsInHTML.ReplaceAllString(source, " "))), "")
}

func checkShown(t *testing.T, renderer *markdown.Renderer, source string) {
	t.Helper()
	written, _ := markdownOf(source, 1, nil)
	rendered := renderer.HTML(written)
	if shown(rendered) != shown(source) {
		t.Fatalf("%q\n→ %q\n→ %q\nshows %q\nwant  %q", source, written, rendered, shown(rendered), shown(source))
	}
}

func FuzzMarkdownOf(f *testing.F) {
	for _, seed := range []string{"<b>a</b>", "<ul><li>a<ul><li>b", "<table><tr><td>a|b", "2<sup>10</sup>", "<pre>a\n b",
		"<math><msup><mi>x</mi><mn>2</mn></msup></math>", `\(x\)`, "<a href=https://a.example>b</a>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		written, notes := markdownOf(source, 1, nil)
		if len(written) > 64*len(source)+1024 || len(notes) > maxHTMLNotes {
			t.Fatalf("%d bytes and %d notes from %d bytes", len(written), len(notes), len(source))
		}
		plainOf(source, 1)
	})
}
