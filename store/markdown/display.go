package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// display parses the lines of a formula from a line that begins with $$ until one that ends with $$, so that a line
// that begins with + or - is no list. The lines become a paragraph, in which dollars finds the formula, or text if the
// second $$ is missing.
type display struct{}

type displayBlock struct{ ast.BaseBlock }

var kindDisplay = ast.NewNodeKind("Display")

// Kind implements ast.Node.
func (*displayBlock) Kind() ast.NodeKind { return kindDisplay }

// Dump implements ast.Node.
func (b *displayBlock) Dump(source []byte, level int) { ast.DumpHelper(b, source, level, nil, nil) }

// Trigger implements parser.BlockParser.
func (display) Trigger() []byte { return []byte{'$'} }

// Open implements parser.BlockParser. A formula that ends in its first line needs no block.
func (display) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	rest := line[pc.BlockOffset():]
	if run(rest) != 2 || bytes.Contains(rest[2:], []byte("$$")) {
		return nil, parser.NoChildren
	}
	node := &displayBlock{}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// Continue implements parser.BlockParser.
func (display) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, segment := reader.PeekLine()
	lines := node.Lines()
	last := lines.At(lines.Len() - 1)
	if util.IsBlank(line) || lines.Len() > 1 && bytes.Contains(last.Value(reader.Source()), []byte("$$")) {
		return parser.Close
	}
	lines.Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// Close implements parser.BlockParser.
func (display) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	paragraph := ast.NewParagraph()
	paragraph.SetLines(node.Lines())
	paragraph.SetBlankPreviousLines(node.HasBlankPreviousLines())
	paragraph.SetPos(node.Pos())
	node.Parent().ReplaceChild(node.Parent(), node, paragraph)
	parser.NewParagraphParser().Close(paragraph, reader, pc)
}

// CanInterruptParagraph implements parser.BlockParser.
func (display) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (display) CanAcceptIndentedLine() bool { return false }
