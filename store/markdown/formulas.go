package markdown

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"assay/store/markdown/formulas"
)

// Allowance is how many formulas texts can still have, and how long their TeX can be.
type Allowance struct{ left cost }

// cost is what the formulas of a text take. A formula takes between 0.3 and 5 milliseconds, and up to a second if it is
// long.
type cost struct{ formulas, length int }

// maxCost is what the texts of an assessment can have together. One question with its options seldom has ten formulas.
var maxCost = cost{formulas: 2000, length: 50_000}

// NewAllowance returns the allowance of the texts of one assessment.
func NewAllowance() *Allowance { return &Allowance{maxCost} }

// take returns false if the formulas of a text are too many. No later text then has formulas.
func (a *Allowance) take(of cost) bool {
	if of.formulas > a.left.formulas || of.length > a.left.length {
		a.left = cost{}
		return false
	}
	a.left.formulas -= of.formulas
	a.left.length -= of.length
	return true
}

// Fault is a formula that cannot be shown.
type Fault struct {
	Position int    // of the character in the text that is at fault, from 1
	Reason   string // for a person, without a capital and without a period
}

// Rendered is a text with formulas, as HTML.
type Rendered struct {
	HTML   string
	Faults []Fault // of its formulas

	cost cost
	// lasting is false if another rendering can have another outcome, because the allowance or the time had ended.
	lasting bool
}

// FitsAgain reports whether the text can be used with an allowance without being rendered again, and takes its formulas
// from the allowance.
func (r Rendered) FitsAgain(a *Allowance) bool { return r.lasting && a.take(r.cost) }

// WithFormulas returns the text as HTMLWith does, with its formulas as MathML. A formula that cannot be shown is code
// with the class formula-fault, and one of the faults.
func (r *Renderer) WithFormulas(source string, pictures Pictures, allowance *Allowance) Rendered {
	if !strings.Contains(source, "$") || isTooComplex(source) {
		return Rendered{HTML: r.HTMLWith(source, pictures), lasting: true}
	}
	content := []byte(source)
	document := r.withFormulas.Parser().Parse(text.NewReader(content), showing(pictures))
	rendered := Rendered{lasting: true}
	found := formulasIn(document)
	for _, f := range found {
		rendered.cost.formulas++
		rendered.cost.length += len(f.tex(content))
	}
	rendered.lasting = allowance.take(rendered.cost)
	out := bounded{left: max(minBound, maxGrowth*len(source))}
	for _, f := range found {
		mathML, fault := "", errTooMany
		if rendered.lasting {
			mathML, fault = r.formulas.MathML(f.tex(content), f.display)
		}
		if fault != nil && fault.TimedOut {
			rendered.lasting, allowance.left = false, cost{} // texts with such formulas take the time of one of them
		}
		f.html = f.shown(content, mathML, fault)
		out.left += len(f.html)
		if fault != nil {
			before := content[:f.offset(content, fault.Position)]
			rendered.Faults = append(rendered.Faults, Fault{utf8.RuneCount(before) + 1, fault.Reason})
		}
	}
	if err := r.withFormulas.Renderer().Render(&out, content, document); err != nil {
		return Rendered{HTML: plain(source), lasting: true}
	}
	rendered.HTML = string(bytes.TrimSpace(r.sanitizer.SanitizeBytes(out.Bytes())))
	return rendered
}

var errTooMany = &formulas.Fault{
	Reason: "the texts of an assessment have at most 2,000 formulas, of 50,000 characters in all",
}

func formulasIn(document ast.Node) (found []*formula) {
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if f, ok := node.(*formula); ok && entering {
			found = append(found, f)
		}
		return ast.WalkContinue, nil
	})
	return found
}

// shown returns the HTML of a formula. Its direction is left to right, also in a text of the other direction.
func (f *formula) shown(source []byte, mathML string, fault *formulas.Fault) string {
	dollars, class := "$", "formula scroll"
	if f.display {
		dollars, class = "$$", "formula display scroll"
	}
	if fault != nil {
		return `<code class="` + faultClass + `">` + html.EscapeString(dollars+f.tex(source)+dollars) + `</code>`
	}
	return `<span class="` + class + `" dir="ltr">` + mathML + `</span>`
}

const faultClass = "formula-fault"

// formulaRenderer writes formulas.
type formulaRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (formulaRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindFormula, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		_, err := w.WriteString(node.(*formula).html)
		return ast.WalkContinue, err
	})
}
