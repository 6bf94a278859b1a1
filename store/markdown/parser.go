package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// newParser returns CommonMark with tables. HTML in the source is text: the authors
// of a question about HTML see what they wrote.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(links{parser.NewLinkParser()}, 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(emphasis{}, 500),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(smallTables{extension.NewTableParagraphTransformer()}, 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(pictureFinder{}, 100),
		),
	)
}

// newFormulaParser returns the same Markdown with formulas.
func newFormulaParser() parser.Parser {
	p := newParser()
	p.AddOptions(
		parser.WithBlockParsers(util.Prioritized(display{}, 250)),
		parser.WithInlineParsers(util.Prioritized(dollars{}, 400)),
	)
	return p
}

// maxDepth is how deep lists and quotations can be nested. Further marks are text.
const maxDepth = 20

// shallow is a parser of blocks that contain blocks. The time to parse a line grows
// with the depth.
type shallow struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for node := parent; node != nil; node = node.Parent() {
		depth++
	}
	if depth > maxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// maxCells is the size of the largest table. A row is completed to the length of the
// first row, so that a short text can describe a table of millions of cells.
const maxCells = 5000

// smallTables leaves a paragraph that would be a larger table unchanged.
type smallTables struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (s smallTables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, columns := node.Lines(), 0
	for i := range lines.Len() {
		line := lines.At(i)
		columns = max(columns, bytes.Count(line.Value(reader.Source()), []byte("|"))+1)
	}
	if columns*lines.Len() <= maxCells {
		s.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// Parser returns the parser of the texts with formulas, for packages that write them in other formats.
func Parser() parser.Parser { return newFormulaParser() }

// FormulaKind is the kind of the nodes of formulas. TeXOf returns what is in them.
var FormulaKind = kindFormula

// TeXOf returns the TeX of a formula, in one line, and whether it is displayed on a line of its own. It returns "" for
// other nodes.
func TeXOf(node ast.Node, source []byte) (tex string, isDisplay bool) {
	f, isFormula := node.(*formula)
	if !isFormula {
		return "", false
	}
	return f.tex(source), f.display
}
