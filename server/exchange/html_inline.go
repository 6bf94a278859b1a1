package exchange

import (
	"slices"
	"strings"
)

// span is a part of a paragraph.
type span struct {
	kind spanKind
	text string
}

type spanKind int

const (
	spanText  spanKind = iota // a text of the source, to be escaped
	spanRaw                   // Markdown
	spanCode                  // code
	spanOpen                  // the beginning of emphasis, text is its mark
	spanClose                 // its end
	spanBreak                 // a line break
)

func (c *converter) literal(text string) { c.add(spanText, text) }
func (c *converter) raw(text string)     { c.add(spanRaw, text) }

func (c *converter) add(kind spanKind, text string) { c.spans = append(c.spans, span{kind, text}) }

// emphasisMarks has the mark of each element that is emphasis.
var emphasisMarks = map[string]string{"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*", "dfn": "*", "var": "*"}

// dropped has the elements that are not shown, or that a candidate cannot use.
var dropped = map[string]bool{"script": true, "style": true, "iframe": true, "audio": true, "video": true, "object": true,
	"embed": true, "applet": true, "canvas": true, "input": true, "select": true, "textarea": true, "button": true,
	"noscript": true, "template": true, "map": true}

// unformatted has the elements whose formatting Markdown does not have. Their text stays.
var unformatted = map[string]bool{"u": true, "s": true, "strike": true, "del": true, "ins": true, "mark": true,
	"ruby": true, "bdo": true, "blink": true, "marquee": true}

// ignored has the elements that contain nothing to show.
var ignored = map[string]bool{"head": true, "title": true, "meta": true, "link": true, "base": true, "param": true,
	"source": true, "track": true, "col": true, "colgroup": true, "rp": true, "wbr": true, "xml": true,
	"cataloginfo": true, "companionmaterialsinfo": true}

func (c *converter) inline(n *node) {
	switch mark := c.emphasis(n); {
	case n.name == "":
		c.literal(n.text)
	case ignored[n.name]:
	case dropped[n.name] || styleOf(n, "display") == "none":
		c.note(MarkupChanged, "<"+n.name+"> "+firstOf(n.attr("src"), n.attr("data"), n.attr("title"), n.words()))
	case n.name == "br":
		c.lineBreak()
	case n.name == "sub" || n.name == "sup":
		c.script(n.name, n)
	case isScript(styleOf(n, "vertical-align")):
		c.script(styleOf(n, "vertical-align"), n)
	case n.name == "code" || n.name == "tt" || n.name == "kbd" || n.name == "samp":
		c.code(n)
	case n.name == "a":
		c.link(n)
	case n.name == "img":
		c.image(n)
	case n.name == "svg":
		c.note(PictureDropped, firstOf("svg "+n.child("title", "desc").words()))
	case n.name == "math":
		c.math(n)
	case n.name == "q":
		c.literal("“")
		c.children(n)
		c.literal("”")
	case n.name == "rt":
		c.literal(" (" + n.words() + ")")
	case mark != "":
		c.emphasized(mark, n)
	default:
		if unformatted[n.name] {
			c.note(MarkupChanged, "<"+n.name+"> "+n.words())
		} else if decoration := styleOf(n, "text-decoration"); decoration == "underline" || decoration == "line-through" {
			c.note(MarkupChanged, decoration+": "+n.words())
		}
		c.children(n)
	}
}

// emphasis returns the mark of an element, by its name or by its style; "" if it is no emphasis, or the same emphasis is
// open.
func (c *converter) emphasis(n *node) string {
	mark := emphasisMarks[n.name]
	if mark == "" && n.attr("style") != "" {
		switch weight := styleOf(n, "font-weight"); {
		case strings.HasPrefix(weight, "bold") || len(weight) == 3 && weight >= "600":
			mark = "**"
		case styleOf(n, "font-style") == "italic":
			mark = "*"
		}
	}
	if slices.Contains(c.marks, mark) {
		return ""
	}
	return mark
}

func (c *converter) emphasized(mark string, n *node) {
	c.marks = append(c.marks, mark)
	c.add(spanOpen, mark)
	c.children(n)
	c.add(spanClose, mark)
	c.marks = c.marks[:len(c.marks)-1]
}

// lineBreak ends the line. A second one ends the paragraph.
func (c *converter) lineBreak() {
	if c.inRow {
		c.literal(" ")
		return
	}
	for i := len(c.spans) - 1; i >= 0; i-- {
		s := c.spans[i]
		if s.kind == spanBreak {
			c.flush()
			return
		}
		if s.kind == spanRaw || s.kind == spanCode || s.kind == spanText && strings.TrimSpace(s.text) != "" {
			break
		}
	}
	// Emphasis ends before the break and begins again after it, because a mark beside a break is text.
	for i := len(c.marks) - 1; i >= 0; i-- {
		c.add(spanClose, c.marks[i])
	}
	c.add(spanBreak, "")
	c.reopen()
}

// code writes a code span. Code of several lines is a block.
func (c *converter) code(n *node) {
	code := codeText(n)
	if strings.Contains(strings.TrimSpace(code), "\n") && !c.inRow {
		c.flush()
		c.pre(n)
		c.spans = nil
		c.reopen()
		return
	}
	c.add(spanCode, strings.ReplaceAll(code, "\n", " "))
}

// codeSpan returns code with fences that are longer than each run of backticks in it.
func codeSpan(code string, inTable bool) string {
	fence := strings.Repeat("`", longestRun(code, '`')+1)
	begins, ends := strings.HasPrefix(code, " "), strings.HasSuffix(code, " ")
	if begins && ends && strings.TrimSpace(code) != "" || strings.HasPrefix(code, "`") || strings.HasSuffix(code, "`") {
		code = " " + code + " "
	}
	if inTable {
		code = strings.ReplaceAll(code, "|", `\|`)
	}
	return fence + code + fence
}

// link writes a link to a page. What a link in Markdown cannot contain, or another kind of address, is reported.
func (c *converter) link(n *node) {
	href := strings.TrimSpace(n.attr("href"))
	scheme, _, _ := strings.Cut(strings.ToLower(href), ":")
	isPage := scheme == "http" || scheme == "https" || scheme == "mailto"
	if isPage && n.find("img", "a", "table", "ul", "ol", "pre", "math", "svg") == nil && n.words() != "" {
		text := c.within(func() string {
			outer := c.spans
			c.spans = nil
			c.children(n)
			text := c.linkText(c.spans)
			c.spans = outer
			return text
		})
		c.raw("[" + text + "](" + linkAddress(href) + ")")
		return
	}
	if href != "" {
		c.note(MarkupChanged, "<a href="+href+">")
	}
	c.children(n)
}

// linkAddress returns an address with the characters escaped that would end it in Markdown.
func linkAddress(href string) string {
	var out strings.Builder
	for _, r := range href {
		if r <= ' ' || strings.ContainsRune("()<>\\`*_[]|\"$&", r) && r != '_' && r != '&' {
			const digits = "0123456789ABCDEF"
			out.WriteString("%" + string(digits[byte(r)>>4]) + string(digits[byte(r)&15]))
			continue
		}
		if r == '_' || r == '&' {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// image writes a picture, or a formula that an editor shows as a picture.
func (c *converter) image(n *node) {
	if c.formulaImage(n) {
		return
	}
	src := n.attr("src")
	alt := strings.Join(strings.Fields(n.attr("alt")), " ")
	if ref := c.picture(src); ref != "" {
		c.raw("![" + escapedLinkText(alt) + "](media:" + ref + ")")
		return
	}
	name := src
	if strings.HasPrefix(src, "data:") {
		name, _, _ = strings.Cut(src, ",")
	}
	c.note(PictureDropped, firstOf(name, alt, "<img>"))
	c.literal(alt)
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// styleOf returns the value of a property in the style attribute, in lower case.
func styleOf(n *node, property string) string {
	style := n.attr("style")
	if style == "" {
		return ""
	}
	for declaration := range strings.SplitSeq(strings.ToLower(style), ";") {
		name, value, _ := strings.Cut(declaration, ":")
		if strings.TrimSpace(name) == property {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// plain returns nodes as a text without Markdown.
func (c *converter) plain(nodes []*node) string {
	var out strings.Builder
	for _, n := range nodes {
		switch {
		case n.name == "":
			out.WriteString(n.text)
		case n.name == "sub" || n.name == "sup":
			text, changed := scriptText(n.name, c.plain(n.children))
			if changed {
				c.note(MarkupChanged, "<"+n.name+">"+n.words())
			}
			out.WriteString(text)
		case n.name == "img":
			c.note(PictureDropped, firstOf(n.attr("src"), "<img>"))
			out.WriteString(n.attr("alt"))
		case n.name == "math":
			out.WriteString(mathText(n))
		case n.name == "br" || isBlock(n.name):
			out.WriteString(" " + c.plain(n.children) + " ")
		case dropped[n.name]:
			c.note(MarkupChanged, "<"+n.name+">")
		case !ignored[n.name]:
			out.WriteString(c.plain(n.children))
		}
	}
	return out.String()
}
