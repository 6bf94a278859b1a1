package exchange

import (
	"strings"
)

// superscripts and subscripts have the characters of Unicode that are lower or higher by themselves.
var (
	superscripts = scripts("0123456789+-−=()abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
	subscripts   = scripts("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
)

func scripts(plain, script string) map[rune]rune {
	m, to := map[rune]rune{}, []rune(script)
	for i, r := range []rune(plain) {
		m[r] = to[i]
	}
	return m
}

func isScript(verticalAlign string) bool { return verticalAlign == "super" || verticalAlign == "sub" }

// scriptText returns a text as superscript or subscript. A text with other characters is written as 2^(10·n), which is
// reported: without a mark, 2<sup>10</sup> would be another number.
func scriptText(kind, text string) (script string, changed bool) {
	table, mark := superscripts, "^"
	if kind == "sub" {
		table, mark = subscripts, "_"
	}
	trimmed := strings.TrimSpace(strings.ReplaceAll(text, "\u00a0", " "))
	if trimmed == "" {
		return text, false
	}
	var out strings.Builder
	for _, r := range trimmed {
		to, known := table[r]
		if !known {
			return mark + "(" + trimmed + ")", true
		}
		out.WriteRune(to)
	}
	return out.String(), false
}

// script writes <sub>, <sup>, or a style that means the same.
func (c *converter) script(kind string, n *node) {
	kind = strings.TrimSuffix(kind, "er")
	if kind != "sub" {
		kind = "sup"
	}
	if n.find("img", "math", "table", "ul", "ol", "pre") != nil {
		c.note(MarkupChanged, "<"+kind+"> "+n.words())
		c.literal(map[string]string{"sub": "_(", "sup": "^("}[kind])
		c.children(n)
		c.literal(")")
		return
	}
	text, changed := scriptText(kind, c.plain(n.children))
	if changed {
		c.note(MarkupChanged, "<"+kind+"> "+n.words())
	}
	c.literal(text)
}

// math writes MathML: its TeX if it has one, and its text otherwise.
func (c *converter) math(n *node) {
	for _, annotation := range n.findAll("annotation") {
		if encoding := strings.ToLower(annotation.attr("encoding")); strings.Contains(encoding, "tex") &&
			c.formula(annotation.content(), n.attr("display") == "block") {
			return
		}
	}
	text := mathText(n)
	c.note(MarkupChanged, "<math> "+text)
	c.literal(text)
}

// formula writes TeX. It returns false for a text that cannot be between dollars.
func (c *converter) formula(tex string, isBlock bool) bool {
	tex = strings.Join(strings.Fields(tex), " ")
	dollars := "$"
	if isBlock {
		dollars = "$$"
	}
	if !isTeX(tex, dollars) {
		return false
	}
	c.raw(c.between(dollars, tex))
	return true
}

// isTeX reports whether a text can be a formula between dollars: see store/markdown.
func isTeX(tex, dollars string) bool {
	if tex == "" || strings.Contains(tex, "`") || strings.Contains(tex, "://") {
		return false
	}
	for i := 0; i < len(tex); i++ {
		if tex[i] == '\\' {
			if i++; i == len(tex) {
				return false // it would escape the dollar
			}
		} else if strings.HasPrefix(tex[i:], dollars) {
			return false
		}
	}
	return true
}

// between returns TeX between dollars. A bar would end a cell.
func (c *converter) between(dollars, tex string) string {
	if c.inTable {
		tex = strings.ReplaceAll(tex, "|", `\vert `)
	}
	return dollars + tex + dollars
}

// formulaImage writes the formula of a picture that the editors of Canvas and WIRIS make. It returns false for other
// pictures.
func (c *converter) formulaImage(n *node) bool {
	if mathML := n.attr("datamathml"); mathML != "" {
		// WIRIS writes MathML in an attribute with other characters.
		source := strings.NewReplacer("«", "<", "»", ">", "¨", `"`, "§", "&").Replace(mathML)
		root, _ := parseHTML(source, 0)
		if math := root.find("math"); math != nil {
			c.math(math)
			return true
		}
	}
	if strings.Contains(n.attr("class"), "equation_image") {
		tex := firstOf(n.attr("dataequationcontent"), strings.TrimPrefix(n.attr("alt"), "LaTeX:"), n.attr("title"))
		return c.formula(tex, false)
	}
	return false
}

// mathText returns MathML as a line of text. Powers, indices, fractions, and roots keep their meaning.
func mathText(n *node) string {
	parts := n.all()
	part := func(i int) string {
		if i >= len(parts) {
			return ""
		}
		return mathText(parts[i])
	}
	group := func(i int) string {
		text := part(i)
		if len([]rune(text)) > 1 {
			return "(" + text + ")"
		}
		return text
	}
	switch n.name {
	case "":
		return strings.Join(strings.Fields(n.text), " ")
	case "annotation", "annotationxml":
		return ""
	case "msup", "mover":
		return part(0) + "^" + group(1)
	case "msub", "munder":
		return part(0) + "_" + group(1)
	case "msubsup", "munderover":
		return part(0) + "_" + group(1) + "^" + group(2)
	case "mfrac":
		return group(0) + "/" + group(1)
	case "mroot":
		return "root(" + part(1) + ", " + part(0) + ")"
	case "mtr":
		return "(" + mathTexts(parts, ", ") + ")"
	case "mspace":
		return " "
	}
	text := mathTexts(n.children, "")
	switch n.name {
	case "msqrt":
		return "√(" + text + ")"
	case "mfenced":
		return firstOf(n.attr("open"), "(") + mathTexts(parts, ", ") + firstOf(n.attr("close"), ")")
	}
	return text
}

func mathTexts(nodes []*node, separator string) string {
	var texts []string
	for _, n := range nodes {
		if text := mathText(n); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, separator)
}
