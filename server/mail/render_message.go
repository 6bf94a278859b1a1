package mail

import (
	"html/template"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// styled gives the elements of a sanitized text their styles, because mail programs have
// other elements, or no elements. It keeps only the elements and attributes that it knows, so that
// the email loads nothing.
func styled(sanitized string, light colors) template.HTML {
	var out strings.Builder
	depth := 0 // of lists and quotations
	tokens := html.NewTokenizer(strings.NewReader(sanitized))
	for {
		switch tokens.Next() {
		case html.ErrorToken: // the end
			return template.HTML(out.String()) //nolint:gosec // only what is written here
		case html.TextToken:
			out.WriteString(html.EscapeString(tokens.Token().Data))
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			if isIndented(token.DataAtom) {
				depth++
			}
			openElement(&out, token, light, depth)
		case html.EndTagToken:
			name := tokens.Token().DataAtom
			if isIndented(name) {
				depth--
			}
			if e, ok := elements[name]; ok && !e.isEmpty {
				out.WriteString("</" + e.name + ">")
			}
		}
	}
}

// element is how an element of a text appears.
type element struct {
	name    string
	style   string
	class   string // for dark mode
	isEmpty bool   // it has no end
}

// elements are the elements of the sanitizer in store/markdown. Headings become paragraphs, because
// the email has its own.
var elements = map[atom.Atom]element{
	atom.P: {name: "p", style: "margin:0 0 12px"}, atom.Br: {name: "br", isEmpty: true},
	atom.Hr: {name: "hr", style: "margin:12px 0;border:0;border-top:1px solid #dfe3e8", class: "line", isEmpty: true},
	atom.Em: {name: "em"}, atom.Strong: {name: "strong"},
	atom.A:          {name: "a", style: "overflow-wrap:anywhere", class: "link"},
	atom.Code:       {name: "code", style: codeFont},
	atom.Pre:        {name: "pre", style: "margin:0 0 12px;white-space:pre-wrap;" + codeFont},
	atom.Blockquote: {name: "blockquote", style: "margin:0 0 12px;padding:0 16px"},
	atom.Ul:         {name: "ul", style: "margin:0 0 12px;padding:0 24px"},
	atom.Ol:         {name: "ol", style: "margin:0 0 12px;padding:0 24px"},
	atom.Li:         {name: "li", style: "margin:0 0 4px"},
	atom.Table:      {name: "table", style: "margin:0 0 12px;border-collapse:collapse"},
	atom.Thead:      {name: "thead"}, atom.Tbody: {name: "tbody"}, atom.Tr: {name: "tr"},
	atom.Th: {name: "th", style: cellStyle, class: "line"}, atom.Td: {name: "td", style: cellStyle, class: "line"},
	atom.H1: heading, atom.H2: heading, atom.H3: heading, atom.H4: heading, atom.H5: heading, atom.H6: heading,
}

var heading = element{name: "p", style: "margin:0 0 8px;font-weight:600"}

const (
	codeFont  = "font-family:ui-monospace,Consolas,monospace;font-size:14px;overflow-wrap:anywhere"
	cellStyle = "padding:4px 6px;border:1px solid #dfe3e8"
)

// maxIndents is how many levels are indented. Deeper levels would leave no room for words on a phone.
const maxIndents = 3

func isIndented(name atom.Atom) bool {
	return name == atom.Ul || name == atom.Ol || name == atom.Blockquote
}

func openElement(out *strings.Builder, token html.Token, light colors, depth int) {
	e, ok := elements[token.DataAtom]
	if !ok {
		return
	}
	if isIndented(token.DataAtom) && depth > maxIndents {
		e.style = "margin:0 0 12px;padding:0;list-style-position:inside"
	}
	out.WriteString("<" + e.name)
	for _, attr := range token.Attr {
		isLink := token.DataAtom == atom.A && attr.Key == "href"
		isStart := token.DataAtom == atom.Ol && attr.Key == "start"
		if isLink || isStart {
			out.WriteString(" " + attr.Key + `="` + html.EscapeString(attr.Val) + `"`)
		}
	}
	if token.DataAtom == atom.A {
		e.style += ";color:" + light.Accent
	}
	if e.class != "" {
		out.WriteString(` class="` + e.class + `"`)
	}
	if e.style != "" {
		out.WriteString(` style="` + e.style + `"`)
	}
	out.WriteString(">")
}
