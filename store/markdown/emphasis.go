package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// emphasis parses * and _ as goldmark does, and in linear time. For each run of marks that can close, goldmark searches
// all earlier runs for an opener, and does so again after it has found none: `_*a_*a` repeated takes quadratic time.
// Like CommonMark's reference implementations, this parser remembers how far back a search has found none.
type emphasis struct{}

// runsKey is the key of the runs of marks in the current block that have not been matched yet, in their order.
var runsKey = parser.NewContextKey()

func runsOf(pc parser.Context) []*parser.Delimiter {
	runs, _ := pc.Get(runsKey).([]*parser.Delimiter)
	return runs
}

// Trigger implements parser.InlineParser.
func (emphasis) Trigger() []byte { return []byte{'*', '_'} }

// Parse implements parser.InlineParser.
func (emphasis) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	run := parser.ScanDelimiter(line, before, 1, marks{})
	if run == nil {
		return nil
	}
	run.Segment = segment.WithStop(segment.Start + run.OriginalLength)
	block.Advance(run.OriginalLength)
	pc.Set(runsKey, append(runsOf(pc), run))
	return run
}

// CloseBlock implements parser.CloseBlocker.
func (emphasis) CloseBlock(_ ast.Node, _ text.Reader, pc parser.Context) {
	match(runsOf(pc))
	pc.Set(runsKey, nil)
}

// match makes emphasis of the runs that fit together, and text of all other runs. Its time is linear: a search that
// succeeds removes the openers that it has passed, and one that fails passes each opener once per class.
func match(runs []*parser.Delimiter) {
	var openers []*parser.Delimiter
	var bottoms [classes]int // of each class, the number of openers that have no match for it
	for _, closer := range runs {
		for closer.CanClose && closer.Length > 0 {
			class := classOf(closer)
			at := len(openers) - 1
			for at >= bottoms[class] && !fit(openers[at], closer) {
				at--
			}
			if at < bottoms[class] {
				bottoms[class] = len(openers)
				break
			}
			wrap(openers[at], closer)
			if openers[at].Length > 0 {
				at++
			}
			openers = openers[:at]
			for i := range bottoms {
				bottoms[i] = min(bottoms[i], at)
			}
		}
		if closer.CanOpen && closer.Length > 0 {
			openers = append(openers, closer)
		}
	}
	for _, run := range runs {
		if run.Length > 0 {
			ast.MergeOrReplaceTextSegment(run.Parent(), run, run.Segment)
		} else {
			run.Parent().RemoveChild(run.Parent(), run)
		}
	}
}

// classes is how many kinds of closers there are. Whether an opener fits depends on the class only.
const classes = 2 * 2 * 3

func classOf(closer *parser.Delimiter) int {
	class := closer.OriginalLength % 3
	if closer.CanOpen {
		class += 3
	}
	if closer.Char == '_' {
		class += 6
	}
	return class
}

func fit(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char && opener.CalcComsumption(closer) > 0
}

// wrap moves the nodes between two runs into emphasis, for which one or two marks of each run are consumed.
func wrap(opener, closer *parser.Delimiter) {
	count := opener.CalcComsumption(closer)
	opener.ConsumeCharacters(count)
	closer.ConsumeCharacters(count)
	node := ast.NewEmphasis(count)
	for child := opener.NextSibling(); child != nil && child != ast.Node(closer); child = opener.NextSibling() {
		node.AppendChild(node, child)
	}
	opener.Parent().InsertAfter(opener.Parent(), opener, node)
}

// marks are the characters of emphasis. goldmark's matching, which calls the other methods, sees no run.
type marks struct{}

// IsDelimiter implements parser.DelimiterProcessor.
func (marks) IsDelimiter(b byte) bool { return b == '*' || b == '_' }

// CanOpenCloser implements parser.DelimiterProcessor.
func (marks) CanOpenCloser(opener, closer *parser.Delimiter) bool { return opener.Char == closer.Char }

// OnMatch implements parser.DelimiterProcessor.
func (marks) OnMatch(count int) ast.Node { return ast.NewEmphasis(count) }
