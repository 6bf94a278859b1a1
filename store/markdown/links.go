package markdown

import (
	"bytes"
	"net/url"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"assay/store/encode"
)

// links is goldmark's parser of links and images, with two differences. It matches the emphasis inside a link when the
// link ends, because emphasis does not cross its border. And at most maxOpen brackets are open at a time; more brackets
// are text. For each bracket that closes, goldmark looks for a link in all that follows the opening one.
type links struct{ parser.InlineParser }

const maxOpen = 100

// openKey is the key of the number of open brackets in the current block.
var openKey = parser.NewContextKey()

// Parse implements parser.InlineParser.
func (l links) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	open, _ := pc.Get(openKey).(int)
	closes := block.Peek() == ']'
	if !closes && open == maxOpen {
		return nil
	}
	node := l.InlineParser.Parse(parent, block, pc)
	switch {
	case closes:
		pc.Set(openKey, max(0, open-1))
	case node != nil:
		pc.Set(openKey, open+1)
	}
	switch node.(type) {
	case *ast.Link, *ast.Image:
		runs := runsOf(pc)
		outside := len(runs)
		for outside > 0 && runs[outside-1].Parent() == node {
			outside--
		}
		match(runs[outside:])
		pc.Set(runsKey, runs[:outside])
	}
	return node
}

// CloseBlock implements parser.CloseBlocker.
func (l links) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	pc.Set(openKey, 0)
	l.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}

// linkRenderer writes links, and an image as its alternative text.
type linkRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (linkRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		return ast.WalkContinue, writeLink(w, node.(*ast.Link).Destination, entering)
	})
	r.Register(ast.KindAutoLink, writeAutoLink)
	r.Register(ast.KindImage, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkContinue, nil
	})
}

func writeAutoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	link := node.(*ast.AutoLink)
	address := link.URL(source)
	if link.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(address), []byte("mailto:")) {
		address = []byte(encode.Mailto(string(address)))
	}
	if err := writeLink(w, address, true); err != nil {
		return ast.WalkStop, err
	}
	if _, err := w.Write(util.EscapeHTML(link.Label(source))); err != nil {
		return ast.WalkStop, err
	}
	return ast.WalkContinue, writeLink(w, address, false)
}

// writeLink writes the beginning or the end of a link, and nothing if its address is
// not permitted: then only its text remains.
func writeLink(w util.BufWriter, destination []byte, entering bool) error {
	address := util.URLEscape(destination, true)
	isWeb, isMail := kindOf(string(address))
	if !isWeb && !isMail {
		return nil
	}
	if !entering {
		_, err := w.WriteString("</a>")
		return err
	}
	target := ""
	if isWeb {
		target = ` target="_blank"` // otherwise the link would leave the page that a candidate works on
	}
	_, err := w.WriteString(`<a href="` + string(util.EscapeHTML(address)) + `" rel="` + linkRel + `"` + target + `>`)
	return err
}

func kindOf(address string) (isWeb, isMail bool) {
	parsed, err := url.Parse(address)
	if err != nil {
		return false, false
	}
	return (parsed.Scheme == "http" || parsed.Scheme == "https") && hasHost(parsed), parsed.Scheme == "mailto"
}

func hasHost(address *url.URL) bool { return address.Host != "" }
