package markdown_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/store/markdown"
)

// inLine and onLine are formulas as HTML.
func inLine(tex, mathML string) string {
	return `<span class="formula scroll" dir="ltr"><math aria-label="` + tex + `">` + mathML + `</math></span>`
}

func onLine(tex, mathML string) string {
	return `<span class="formula display scroll" dir="ltr"><math display="block" aria-label="` + tex + `">` + mathML +
		`</math></span>`
}

func TestFormulasInTexts(t *testing.T) {
	t.Parallel()
	x, block := inLine("x", "<mi>x</mi>"), onLine("x", "<mi>x</mi>")
	tests := []struct{ name, source, want string }{
		{"a formula", "$x$", "<p>" + x + "</p>"},
		{"between words", "a $x$, b", "<p>a " + x + ", b</p>"},
		{"before a hyphen", "$x$-axis", "<p>" + x + "-axis</p>"},
		{"between letters without spaces", "求$x$的值", "<p>求" + x + "的值</p>"},
		{"in emphasis", "**$x$** *a $x$*", "<p><strong>" + x + "</strong> <em>a " + x + "</em></p>"},
		{"marks in it", "*a $b*c$ d*", "<p><em>a " +
			inLine("b*c", "<mrow><mi>b</mi><mo>∗</mo><mi>c</mi></mrow>") + " d</em></p>"},
		{"HTML in it", "$<b$", "<p>" + inLine("&lt;b", "<mrow><mo>&lt;</mo><mi>b</mi></mrow>") + "</p>"},
		{"in two lines", "$a\nb$", "<p>" + inLine("a b", "<mrow><mi>a</mi><mi>b</mi></mrow>") + "</p>"},
		{"a dollar in it", `$y\$$`, "<p>" + inLine(`y\$`, "<mrow><mi>y</mi><mi>$</mi></mrow>") + "</p>"},
		{"in a heading", "# $x$", "<h1>" + x + "</h1>"},
		{"in a list", "- $x$\n- $$x$$", "<ul>\n<li>" + x + "</li>\n<li>" + block + "</li>\n</ul>"},
		{"on a line", "$$x$$", "<p>" + block + "</p>"},
		{"on a line, with spaces", "$$ x $$", "<p>" + block + "</p>"},
		{"on lines", "a\n$$\nx\n$$\nb", "<p>a</p>\n<p>" + block + "</p>\n<p>b</p>"},
		{"a sum on lines", "$$\na\n+ b\n- c\n$$", "<p>" + onLine("a + b - c",
			"<mrow><mi>a</mi><mo>+</mo><mi>b</mi><mo>−</mo><mi>c</mi></mrow>") + "</p>"},
		{"in a quotation", "> $$\n> x\n> $$\n\nb", "<blockquote>\n<p>" + block + "</p>\n</blockquote>\n<p>b</p>"},
		{"$ in a text in it", `$$\text{a $x$}$$`, "<p>" +
			onLine(`\text{a $x$}`, "<mrow><mtext>a\u00a0</mtext><mi>x</mi></mrow>") + "</p>"},

		{"amounts", "$5 and $10", "<p>$5 and $10</p>"},
		{"amounts without spaces", "$5/$10, $5-$10", "<p>$5/$10, $5-$10</p>"},
		{"an amount before a formula", "$5 for $x$", "<p>$5 for " + x + "</p>"},
		{"amounts with names", "US$5 to US$10", "<p>US$5 to US$10</p>"},
		{"amounts with the sign behind", "5$ to 10$", "<p>5$ to 10$</p>"},
		{"variables of a shell", "$HOME/$USER, ${A}$B", "<p>$HOME/$USER, ${A}$B</p>"},
		{"variables of PHP", "$a = $b;", "<p>$a = $b;</p>"},
		{"the id of a process", "kill $$ and $$ x", "<p>kill $$ and $$ x</p>"},
		{"escaped", `\$x$ and \$y\$`, "<p>$x$ and $y$</p>"},
		{"spaces inside", "$ x$ $x $", "<p>$ x$ $x $</p>"},
		{"nothing inside", "$$ $$$$ $$$x$$$", "<p>$$ $$$$ $$$x$$$</p>"},
		{"letters behind", "$n$th", "<p>$n$th</p>"},
		{"in code", "`$x$`", "<p><code>$x$</code></p>"},
		{"across code", "$a `b$` c", "<p>$a <code>b$</code> c</p>"},
		{"in a block of code", "```\n$x$\n```\n\n    $x$", "<pre><code>$x$\n</code></pre>\n<pre><code>$x$\n</code></pre>"},
		{"in addresses", "[a](https://x.example/$b$) <https://x.example/$b$>",
			`<p><a href="https://x.example/$b$" rel="noopener noreferrer nofollow" target="_blank">a</a> ` +
				`<a href="https://x.example/$b$" rel="noopener noreferrer nofollow" target="_blank">https://x.example/$b$</a></p>`},
		{"across an address", "$a [b](https://x.example/$) c",
			`<p>$a <a href="https://x.example/$" rel="noopener noreferrer nofollow" target="_blank">b</a> c</p>`},
		{"without an end", "$x", "<p>$x</p>"},
		{"on lines without an end", "$$\n- a\n\nb", "<p>$$\n- a</p>\n<p>b</p>"},
		{"across paragraphs", "$a\n\nb$", "<p>$a</p>\n<p>b$</p>"},
		{"words behind it", "$$\nx\n$$ and", "<p>$$\nx\n$$ and</p>"},

		{"a fault", `a $\foo<$`, `<p>a <code class="formula-fault">$\foo&lt;$</code></p>`},
		{"a fault on a line", `$$x^2^3$$`, `<p><code class="formula-fault">$$x^2^3$$</code></p>`},
	}
	renderer := markdown.New()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := renderer.WithFormulas(tt.source, nil, markdown.NewAllowance()).HTML
			if got = strings.ReplaceAll(got, "&nbsp;", "\u00a0"); got != tt.want {
				t.Errorf("%q becomes\n%s\nwant\n%s", tt.source, got, tt.want)
			}
		})
	}
}

// A fault has the place in the text, in characters from 1.
func TestFormulaFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		source string
		want   []int
	}{
		{`$\foo$`, []int{2}}, {`größer: $x\foo$`, []int{11}}, {`$x$ $x^2^3$ $}$`, []int{9, 14}},
		{"> $$\n> a\n> \\foo\n> $$", []int{12}}, {`$\frac{a$ b`, []int{9}}, {"- a\n- $\\foo$", []int{8}}, {"$x$", nil},
		{"$\\color{red}x$", []int{2}},
	}
	renderer := markdown.New()
	for _, tt := range tests {
		var got []int
		for _, fault := range renderer.WithFormulas(tt.source, nil, markdown.NewAllowance()).Faults {
			got = append(got, fault.Position)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q has faults at %v, want %v", tt.source, got, tt.want)
		}
	}
}

// The formulas of an assessment are bounded: a text whose formulas are too many has none, and no later text has any.
func TestAllowance(t *testing.T) {
	t.Parallel()
	renderer, allowance := markdown.New(), markdown.NewAllowance()
	for n := range 20 {
		text := strings.Repeat("$x$ ", 99) + fmt.Sprintf("$%d$", n)
		if faults := renderer.WithFormulas(text, nil, allowance).Faults; len(faults) > 0 {
			t.Fatalf("text %d has %v", n, faults)
		}
	}
	for _, text := range []string{"$y$ $z$", "$y$"} {
		rendered := renderer.WithFormulas(text, nil, allowance)
		if !strings.HasPrefix(rendered.HTML, `<p><code class="formula-fault">$y$</code>`) || len(rendered.Faults) == 0 {
			t.Errorf("%q becomes %s, %v", text, rendered.HTML, rendered.Faults)
		}
		if rendered.FitsAgain(markdown.NewAllowance()) {
			t.Errorf("the text %q without its formulas can be used again", text)
		}
	}
	long := "$" + strings.Repeat("x", 999) + "$"
	rendered, allowance := renderer.WithFormulas(long, nil, markdown.NewAllowance()), markdown.NewAllowance()
	for n := range 51 {
		if fits := rendered.FitsAgain(allowance); fits != (n < 50) {
			t.Fatalf("text %d of 999 characters fits: %v", n, fits)
		}
	}
}

// Programs for email get the source of a formula, without a change.
func TestTextsForEmailHaveNoFormulas(t *testing.T) {
	t.Parallel()
	renderer := markdown.New()
	const source = `Compute $\frac{a}{b}$ and $$x^2$$ for $5.`
	if got := renderer.Text(source); got != source {
		t.Errorf("the text is %q", got)
	}
	if got := renderer.HTML(source); got != "<p>"+source+"</p>" {
		t.Errorf("the HTML is %q", got)
	}
}
