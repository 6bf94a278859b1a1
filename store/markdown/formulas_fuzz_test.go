package markdown_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay/store/markdown"
)

// A text with formulas has the HTML of the same text without them, except that formulas are elements of MathML, and the
// only styles are classes. Without a dollar there is no difference.
func FuzzWithFormulas(f *testing.F) {
	for _, seed := range []string{
		"$x$", "a $x^2$ b $$y$$", "$5 and $10", "$$\na\n+ b\n$$", "> $$\n> x\n> $$", "`$x$` $y$",
		"[a $x](https://x.example/$) $",
		`\$x$`, `$\$$`, "$a `b$` c", "|a|b|\n|-|-|\n|$x$|$y$|", `$\foo$`, `$x^2^3$`, `$\text{<script>}$`, "$<img src=x>$",
		`$\href{javascript:alert(1)}{x}$`, "*a $b*c$ d*", "- $$\n  x\n  $$", "$$$x$$$", "![$x$](y)",
		"[$x$](https://x.example)",
		"$\u202ex$", "$x\x00$", "$\xff$", "$$\n$$\n$$", "求$x$的值", `$$\begin{matrix}1&2\\3&4\end{matrix}$$`,
		"# $x$ {#a}", "$x$\n===",
	} {
		f.Add(seed)
	}
	renderer := markdown.New()
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 5000 {
			return
		}
		rendered := renderer.WithFormulas(source, nil, markdown.NewAllowance())
		if !strings.Contains(source, "$") && rendered.HTML != renderer.HTML(source) {
			t.Errorf("%q becomes %q with formulas, and %q without", source, rendered.HTML, renderer.HTML(source))
		}
		if len(rendered.HTML) > 150*len(source)+4096 {
			t.Errorf("%q becomes %d bytes", source, len(rendered.HTML))
		}
		for _, fault := range rendered.Faults {
			if fault.Position < 1 || fault.Position > len(source)+1 || fault.Reason == "" {
				t.Errorf("%q has the fault %v", source, fault)
			}
		}
		nodes, err := html.ParseFragment(strings.NewReader(rendered.HTML), &html.Node{
			Type: html.ElementNode, Data: "div", DataAtom: atom.Div,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, node := range nodes {
			checkWithFormulas(t, source, node)
		}
	})
}

// checkWithFormulas checks the nodes outside formulas as FuzzHTML does. The room of formulas checks what is inside.
func checkWithFormulas(t *testing.T, source string, node *html.Node) {
	t.Helper()
	switch {
	case node.Data == "math" && node.Namespace == "math":
		for inner := range node.Descendants() {
			if inner.Type == html.ElementNode && inner.Namespace != "math" {
				t.Errorf("%q has %s in a formula", source, inner.Data)
			}
			for _, attribute := range inner.Attr {
				if attribute.Key == "href" || attribute.Key == "style" || strings.HasPrefix(attribute.Key, "on") {
					t.Errorf("%q has %s in a formula", source, attribute.Key)
				}
			}
		}
		return
	case node.Data == "span" && node.FirstChild != nil && node.FirstChild.Data == "math":
	case node.Data == "code" && len(node.Attr) == 1 && node.Attr[0].Val == "formula-fault":
	default:
		checkNode(t, source, node)
	}
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		checkWithFormulas(t, source, child)
	}
}
