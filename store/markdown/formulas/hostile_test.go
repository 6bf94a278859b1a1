package formulas_test

import (
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay/store/markdown/formulas"
)

// hostile are formulas that make an unbounded renderer slow, or their MathML long or dangerous.
var hostile = map[string]string{
	"definitions": `\def\a{xxxxxxxxxx}\def\b{\a\a\a\a\a\a\a\a\a\a}\def\c{\b\b\b\b\b\b\b\b\b\b}\c\c\c\c\c\c\c\c\c\c`,
	"recursion":   `\def\a{\a\a}\a`, "an alias": `\let\a\def\a\b{\b\b}\b`,
	"braces": strings.Repeat("{", 500) + strings.Repeat("}", 500), "fractions": nested(`\frac{a}{`, 40),
	"roots": nested(`\sqrt{`, 40), "delimiters": fill(`\left(`, 480) + fill(`\right)`, 500),
	"cells":   `\begin{matrix}` + fill("&", 950) + `\end{matrix}`,
	"rows":    `\begin{matrix}` + fill(`\\`, 950) + `\end{matrix}`,
	"columns": `\begin{array}{` + fill("c|", 950) + `}a\end{array}`, "primes": "x" + fill("'", 990),
	"macros": fill(`\iff`, 1000), "modulo": fill(`\pmod2`, 1000), "spaces": fill(`\kern9999em`, 1000),
	"rules": fill(`\rule{999em}{999em}`, 1000), "heights": `\raisebox{9999em}{x}`, "sizes": fill(`\Huge`, 900) + "x",
	"chemistry": `\ce{` + fill("H2O+", 990) + "}", "bonds": `\ce{` + fill("A-B=C#D", 990) + "}",
	"chemistry in braces": `\ce{` + fill("{", 30) + fill("}", 30) + "}", "brackets": `\ce{` + fill("(", 990) + "}",
	"chemistry with formulas": `\ce{` + fill("$x$ ", 990) + "}", "arrows": `\ce{` + fill("->[a]", 990) + "}",
	"text": `\text{` + fill("x ", 990) + "}", "accents": fill("é", 1000), "letters": fill("x", 1000),
	"digits": fill("1,", 1000), "powers": fill("x^2", 999), "comments": fill("%", 1000),
	"backslashes": fill(`\`, 1000), "dollars": `\text{` + fill("$", 900) + "}",
	"marks":     "\u202e\u200b\u0000\ufeff\u2028x\ufffe",
	"surrogate": "\U0001F600\U00010000", "wide letters": "＼ｄｅｆ＼ａ{x}",
	"HTML":                `\text{<img src=x onerror=alert(1)>}`,
	"HTML in the formula": `<script>alert(1)</script>`, "a quotation mark": `x" onload="alert(1)`,
	"an end of the element": `\text{</mtext></math><img src=x onerror=alert(1)>}`,
	"an annotation":         `\text{<annotation-xml encoding="text/html"><script>}`,
	"a color":               `\colorbox{red;background:url(https://x.example)}{x}`,
	"a length":              `\hspace{1em;background:url(x)}`,
	"code":                  `\char"3C \char60 \unicode{60}`, "verbatim": `\verb|<script>|`,
	"a prototype": `\__proto__ \constructor \toString`, "an environment": `\begin{__proto__}x\end{__proto__}`,
	"a constructor": `\begin{constructor}x\end{constructor}`,
}

func fill(s string, length int) string { return strings.Repeat(s, length/len(s)) }

func nested(s string, depth int) string {
	return strings.Repeat(s, depth) + "x" + strings.Repeat("}", depth)
}

// Each hostile formula ends, and what it becomes is bounded and safe. The engines still work afterwards.
func TestHostileFormulas(t *testing.T) {
	t.Parallel()
	renderer := formulas.New()
	for name, formula := range hostile {
		mathML, fault := renderer.MathML(formula, true)
		if (mathML == "") != (fault != nil) {
			t.Errorf("%s becomes %q, %v", name, mathML, fault)
		}
		checkMathML(t, formula, mathML)
	}
	if mathML, fault := renderer.MathML("x", false); fault != nil || mathML != `<math aria-label="x"><mi>x</mi></math>` {
		t.Errorf("afterwards, a formula becomes %s, %v", mathML, fault)
	}
}

var lengthForm = regexp.MustCompile(`^-?[0-9.]*(em|ex|pt|px)?$`)

// names are the elements and attributes that pages get. The test has its own list.
var names = regexp.MustCompile(`^(math|m[ino]|mtext|mspace|mrow|mfrac|msqrt|mroot|mstyle|mpadded|mphantom|` +
	`msub|msup|msubsup|munder|mover|munderover|mmultiscripts|mprescripts|mtable|mtr|mtd)$`)

var forms = map[string]*regexp.Regexp{
	"class":       regexp.MustCompile(`^((over|under|before|after|box|up|down|strike|left|right|bold)( |$))+$`),
	"mathvariant": regexp.MustCompile(`^normal$`), "display": regexp.MustCompile(`^block$`),
	"aria-label": regexp.MustCompile(`(?s)^.*$`), "form": regexp.MustCompile(`^(prefix|infix|postfix)$`),
	"stretchy": boolean, "symmetric": boolean, "movablelimits": boolean, "accent": boolean, "largeop": boolean,
	"displaystyle": boolean, "scriptlevel": regexp.MustCompile(`^[+-]?\d$`),
	"mathbackground": regexp.MustCompile(`^currentcolor$`),
	"width":          lengthForm, "height": lengthForm, "depth": lengthForm, "lspace": lengthForm, "rspace": lengthForm,
	"voffset": lengthForm, "linethickness": lengthForm, "minsize": lengthForm, "maxsize": lengthForm,
	"mathsize": lengthForm,
}

var boolean = regexp.MustCompile(`^(true|false)$`)

// checkMathML fails if a browser would see anything but one math element with known parts.
func checkMathML(t *testing.T, formula, mathML string) {
	t.Helper()
	if mathML == "" {
		return
	}
	if len(mathML) > 2048+70*len(formula) {
		t.Errorf("%q becomes %d bytes", formula, len(mathML))
	}
	nodes, err := html.ParseFragment(strings.NewReader(mathML), &html.Node{
		Type: html.ElementNode, Data: "div", DataAtom: atom.Div,
	})
	if err != nil || len(nodes) != 1 || nodes[0].Data != "math" {
		t.Fatalf("%q becomes %d nodes, %v: %s", formula, len(nodes), err, mathML)
	}
	check := func(node *html.Node) {
		if node.Type == html.TextNode {
			return
		}
		if node.Type != html.ElementNode || node.Namespace != "math" || !names.MatchString(node.Data) {
			t.Errorf("%q has the element %s:%s", formula, node.Namespace, node.Data)
		}
		for _, attribute := range node.Attr {
			if form := forms[attribute.Key]; form == nil || !form.MatchString(attribute.Val) {
				t.Errorf("%q has %s=%q", formula, attribute.Key, attribute.Val)
			}
		}
	}
	check(nodes[0])
	for inner := range nodes[0].Descendants() {
		check(inner)
	}
}

// Many requests at once share the engines.
func TestFormulasAtOnce(t *testing.T) {
	t.Parallel()
	renderer := formulas.New()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, formula := range []string{`x^2`, `{x^}`, `\foo`, `\frac{a}{b}`} {
				first, fault := renderer.MathML(formula, false)
				again, _ := renderer.MathML(formula, false)
				if first != again || (first == "") != (fault != nil) {
					t.Errorf("%s becomes %q and %q, %v", formula, first, again, fault)
				}
			}
		})
	}
	all.Wait()
}

func FuzzMathML(f *testing.F) {
	for _, formula := range hostile {
		f.Add(formula, true)
	}
	for _, formula := range []string{
		`\frac{a}{b}`, `\ce{H2O}`, `\begin{cases}a&b\\c\end{cases}`, `x_i^2`, `\left(\right)`,
	} {
		f.Add(formula, false)
	}
	renderer := formulas.New()
	f.Fuzz(func(t *testing.T, formula string, display bool) {
		if len(formula) > 4000 {
			return
		}
		mathML, fault := renderer.MathML(formula, display)
		if (mathML == "") != (fault != nil) {
			t.Errorf("%q becomes %q, %v", formula, mathML, fault)
		}
		if fault != nil && (fault.Position < 0 || fault.Position > utf8.RuneCountInString(formula) || fault.Reason == "") {
			t.Errorf("%q: %+v", formula, fault)
		}
		checkMathML(t, formula, mathML)
	})
}
