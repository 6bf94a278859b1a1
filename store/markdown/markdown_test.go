package markdown_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/store/markdown"
)

func TestHTML(t *testing.T) {
	t.Parallel()
	const link = `rel="noopener noreferrer nofollow"`
	tests := []struct{ name, source, want string }{
		{"empty", "", ""},
		{"a paragraph", "Nine hours", "<p>Nine hours</p>"},
		{"emphasis and code", "*a* **b** `c<d`", "<p><em>a</em> <strong>b</strong> <code>c&lt;d</code></p>"},
		{"fenced code", "```go\nx := <-c\n```", "<pre><code class=\"language-go\">x := &lt;-c\n</code></pre>"},
		{"a language that is no name", "```a\"b\nx\n```", "<pre><code>x\n</code></pre>"},
		{"a list", "3. x\n4. y", "<ol start=\"3\">\n<li>x</li>\n<li>y</li>\n</ol>"},
		{"a heading has no id", "# x {#y}", "<h1>x {#y}</h1>"},
		{"a table", "|a|b|\n|-|-:|\n|1|2|", "<table>\n<thead>\n<tr>\n<th>a</th>\n" +
			"<th align=\"right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n" +
			"<td>1</td>\n<td align=\"right\">2</td>\n</tr>\n</tbody>\n</table>"},
		{"HTML is text", `<b onclick="x">`, "<p>&lt;b onclick=&#34;x&#34;&gt;</p>"},
		{"a block of HTML is text", "<script>\nx\n</script>", "<p>&lt;script&gt;\nx\n&lt;/script&gt;</p>"},
		{"a comment is text", "<!-- x -->", "<p>&lt;!-- x --&gt;</p>"},
		{"an image is its text", "![*a* b](https://x.example/y.png)", "<p><em>a</em> b</p>"},
		{"a link", "[a](https://x.example/?b=c&d)",
			`<p><a href="https://x.example/?b=c&amp;d" ` + link + ` target="_blank">a</a></p>`},
		{"a link with a title", `[a](http://x.example "b")`,
			`<p><a href="http://x.example" ` + link + ` target="_blank">a</a></p>`},
		{"a link by reference", "[a]\n\n[a]: https://x.example",
			`<p><a href="https://x.example" ` + link + ` target="_blank">a</a></p>`},
		{"an address", "<HTTPS://x.example>",
			`<p><a href="https://x.example" ` + link + ` target="_blank">HTTPS://x.example</a></p>`},
		{"an email address", "<ada@x.example>", `<p><a href="mailto:ada@x.example" ` + link + `>ada@x.example</a></p>`},
		{"mailto", "[a](mailto:ada@x.example)", `<p><a href="mailto:ada@x.example" ` + link + `>a</a></p>`},
		{"a script's address", "[a](javascript:alert(1))", "<p>a</p>"},
		{"a hidden script's address", "[a](java&#10;script:alert%281%29) <javascript:x>", "<p>a javascript:x</p>"},
		{"a data address", "[a](data:text/html,x)", "<p>a</p>"},
		{"a relative address", "[a](/take) [b](//x.example) [c](#d) [e](?f)", "<p>a b c e</p>"},
		{"an address without a host", "[a](https:x) [b](https:///x)", "<p>a b</p>"},
	}
	renderer := markdown.New()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := renderer.HTML(tt.source); got != tt.want {
				t.Errorf("%q becomes\n%s\nwant\n%s", tt.source, got, tt.want)
			}
		})
	}
}

// Each text makes an unbounded parser or renderer slow, or its output long. All are
// about as long as the longest text of the contract, twice.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	const length = 20_000
	fill := func(s string) string { return strings.Repeat(s, length/len(s)) }
	half := func(s string) string { return strings.Repeat(s, length/2/len(s)) }
	var references, ticks, steps strings.Builder
	for i := 0; references.Len() < length; i++ {
		fmt.Fprintf(&references, "[%d]: u\n\n[%d]\n", i, i)
	}
	for i := 1; ticks.Len() < length; i++ {
		ticks.WriteString("e" + strings.Repeat("`", i))
	}
	for i := 0; steps.Len() < length; i++ {
		steps.WriteString(strings.Repeat("  ", i) + "* a\n")
	}
	hostile := map[string]string{
		"quotations":          fill(">"),
		"lines in quotations": half(">") + half("\n>"),
		"lists":               fill("- "),
		"lines in lists":      half("- ") + "a\n" + half("\n x"),
		"items":               fill("-\n"),
		"steps":               steps.String(),
		"brackets":            half("[") + half("]"),
		"images":              half("![") + half("]"),
		"links":               fill("[a]("),
		"links without end":   strings.Repeat("[a](", 199) + fill("b"),
		"angle brackets":      fill("[a](<b"),
		"one long address":    "[a]: http://x.example/" + half("x") + "\n\n" + half("[a]"),
		"references":          references.String(),
		"definitions":         fill("[a]:b\n"),
		"emphasis":            fill("*a **a "),
		"stars":               half("*") + "a" + half("*"),
		"underscores":         fill("_a __b "),
		"code spans":          ticks.String(),
		"a wide table":        strings.Repeat("|a", 1200) + "\n" + strings.Repeat("|-", 1200) + "\n" + fill("|\n"),
		"escaped pipes":       "|a|b|\n|-|-|\n" + fill("|`\\|`|`\\|`|\n"),
		"headings":            fill("a\n-\n"),
		"addresses":           fill("<http://a>"),
		"quotation marks":     fill(`"`),
		"parentheses":         "[a](" + half("(") + half(")"),
	}
	renderer := markdown.New()
	for name, source := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			html := renderer.HTML(source)
			text := renderer.Text(source)
			if took := time.Since(began); took > time.Second {
				t.Errorf("takes %v", took)
			}
			if len(html) > 16*len(source)+1024 {
				t.Errorf("becomes %d bytes", len(html))
			}
			if len(text) > 16*len(source)+1024 {
				t.Errorf("becomes %d bytes of text", len(text))
			}
			if open := strings.Count(html, "<blockquote>") + strings.Count(html, "<ul>"); name != "items" && open > 20 {
				t.Errorf("has %d nested blocks", open)
			}
		})
	}
}
