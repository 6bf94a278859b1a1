package exchange

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// markdownOf returns HTML, or a text with some tags in it, as Markdown that shows the same. Texts are escaped. The
// notes name what Markdown does not have (MarkupChanged) and the pictures that are missing (PictureDropped). Their
// lines begin at line, which is 0 in a source without lines.
//
// picture returns the reference of a picture for its address, or "" if it is missing. nil means that all are missing.
func markdownOf(source string, line int, picture func(src string) string) (markdown string, notes []Note) {
	root, rest := parseHTML(source, line)
	markdown, notes = markdownOfNode(root, picture)
	return markdown, append(rest, notes...)
}

// markdownOfNode is markdownOf for elements that have been parsed: the XHTML within QTI.
func markdownOfNode(root *node, picture func(src string) string) (markdown string, notes []Note) {
	if picture == nil {
		picture = func(string) string { return "" }
	}
	c := &converter{picture: picture, line: root.line}
	return c.blocks(root.children), c.notes
}

// plainOf returns HTML as plain text: for accepted answers and titles, which are not Markdown. Scripts of numbers are
// kept as in markdownOf.
func plainOf(source string, line int) (text string, notes []Note) {
	root, rest := parseHTML(source, line)
	c := &converter{line: line, picture: func(string) string { return "" }, notes: rest}
	return strings.Join(strings.Fields(c.plain(root.children)), " "), c.notes
}

// maxHTMLDepth is how deep elements are nested. Deeper ones are read as if their parent contained their children.
const maxHTMLDepth = 60

// maxHTMLNodes bounds the elements, texts, and ends of elements of one text: two for each character that a prompt can
// have.
const maxHTMLNodes = 20_000

// parseHTML reads HTML as editors write it. It is not the algorithm of browsers, because that one copies elements that
// are not closed again and again: a short text can become millions of elements. The note says from where on nothing was
// read.
func parseHTML(source string, line int) (root *node, rest []Note) {
	root = &node{name: "body", line: line}
	tokens := html.NewTokenizer(strings.NewReader(source))
	tokens.SetMaxBuf(MaxBytes)
	p := htmlParser{open: []*node{root}, line: line, counts: line > 0}
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return root, nil
		}
		if p.nodes >= maxHTMLNodes {
			return root, []Note{newNote(RestNotRead, p.line, string(tokens.Raw()))}
		}
		raw := tokens.Raw()
		lines := strings.Count(string(raw), "\n")
		p.token(tokens.Token())
		if p.counts {
			p.line += lines
		}
	}
}

type htmlParser struct {
	open    []*node // from the root to the innermost one
	skipped int     // elements that are open and too deep to be kept
	nodes   int
	line    int
	counts  bool
}

func (p *htmlParser) token(token html.Token) {
	top := p.open[len(p.open)-1]
	p.nodes++
	switch token.Type {
	case html.TextToken:
		top.children = append(top.children, &node{text: token.Data, line: p.line})
	case html.StartTagToken, html.SelfClosingTagToken:
		p.start(token)
	case html.EndTagToken:
		p.end(localName(token.Data))
	case html.ErrorToken, html.CommentToken, html.DoctypeToken:
	}
}

// localName removes the prefix of a namespace (m:math), and makes the name canonical.
func localName(name string) string {
	return canonical(name[strings.LastIndexByte(name, ':')+1:])
}

var voidElements = []string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
	"source",
	"track", "wbr"}

func (p *htmlParser) start(token html.Token) {
	n := &node{name: localName(token.Data), line: p.line}
	for _, a := range token.Attr {
		n.attrs = append(n.attrs, attr{canonical(a.Key), a.Val})
	}
	p.closeImplied(n.name)
	top := p.open[len(p.open)-1]
	isVoid := slices.Contains(voidElements, n.name)
	if !isVoid && token.Type == html.StartTagToken && len(p.open) >= maxHTMLDepth {
		p.skipped++
		return
	}
	top.children = append(top.children, n)
	// <span/> is an empty element in XHTML and an open one in HTML. Editors write neither; an open one would only change
	// the formatting of the rest.
	if !isVoid && token.Type == html.StartTagToken {
		p.open = append(p.open, n)
	}
}

// closes has the elements that are closed by the beginning of another one, up to one of the elements in within.
var closes = map[string]struct{ closed, within []string }{
	"li": {[]string{"li"}, []string{"ul", "ol"}},
	"dt": {[]string{"dt", "dd"}, []string{"dl"}},
	"dd": {[]string{"dt", "dd"}, []string{"dl"}},
	"tr": {[]string{"tr"}, []string{"table"}},
	"td": {[]string{"td", "th"}, []string{"tr", "table"}},
	"th": {[]string{"td", "th"}, []string{"tr", "table"}},
}

func (p *htmlParser) closeImplied(name string) {
	if isBlock(name) && p.open[len(p.open)-1].name == "p" {
		p.open = p.open[:len(p.open)-1]
		return
	}
	rule := closes[name]
	for i := len(p.open) - 1; i > 0; i-- {
		if slices.Contains(rule.closed, p.open[i].name) {
			p.open = p.open[:i]
			return
		}
		if slices.Contains(rule.within, p.open[i].name) {
			return
		}
	}
}

// end closes the innermost open element of the name with everything in it. Other end tags mean nothing. The depth is
// bounded, and so is the search.
func (p *htmlParser) end(name string) {
	if p.skipped > 0 {
		p.skipped--
		return
	}
	for i := len(p.open) - 1; i > 0; i-- {
		if p.open[i].name == name {
			p.open = p.open[:i]
			return
		}
		// A forgotten </b> in a cell does not end the table.
		if name != "table" && (p.open[i].name == "td" || p.open[i].name == "th") && name != "tr" {
			return
		}
	}
}

// blockNames has the elements that begin a line of their own.
var blockNames = map[string]bool{"address": true, "article": true, "aside": true, "blockquote": true, "body": true,
	"caption": true, "center": true, "dd": true, "details": true, "div": true, "dl": true, "dt": true, "fieldset": true,
	"figcaption": true, "figure": true, "footer": true, "form": true, "h1": true, "h2": true, "h3": true, "h4": true,
	"h5": true, "h6": true, "header": true, "hr": true, "html": true, "legend": true, "li": true, "main": true,
	"nav": true, "ol": true, "p": true, "pre": true, "section": true, "summary": true, "table": true, "tbody": true,
	"td": true, "tfoot": true, "th": true, "thead": true, "tr": true, "ul": true,
	"prompt": true, "itembody": true, "simplechoice": true, "rubricblock": true, "feedbackblock": true,
	"templateblock": true, "stimulusbody": true, "contentbody": true, "feedbackbody": true,
}

func isBlock(name string) bool { return blockNames[name] }
