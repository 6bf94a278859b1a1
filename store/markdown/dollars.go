package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// formula is a formula in a text: $x$, or $$x$$ on lines of its own.
type formula struct {
	ast.BaseInline
	pieces  []text.Segment // of the TeX, one for each line
	display bool
	html    string // what the renderer writes
}

var kindFormula = ast.NewNodeKind("Formula")

// Kind implements ast.Node.
func (f *formula) Kind() ast.NodeKind { return kindFormula }

// Dump implements ast.Node.
func (f *formula) Dump(source []byte, level int) { ast.DumpHelper(f, source, level, nil, nil) }

// tex returns the TeX, with spaces instead of the ends of lines.
func (f *formula) tex(source []byte) string {
	var tex strings.Builder
	for _, piece := range f.pieces {
		tex.Write(source[piece.Start:piece.Stop])
	}
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(tex.String(), "\uFFFD"))
}

// offset returns where in the source the n-th character of the TeX is.
func (f *formula) offset(source []byte, n int) int {
	end := 0
	for _, piece := range f.pieces {
		for at := piece.Start; at < piece.Stop; n-- {
			if n == 0 {
				return at
			}
			_, size := utf8.DecodeRune(source[at:piece.Stop])
			at += size
		}
		end = piece.Stop
	}
	return end
}

// dollars parses formulas. The rules are Pandoc's, and two more, so that amounts and the variables of programs stay
// text: what follows the first $ is no space, what precedes the last $ is no space, and neither touches a letter of
// English, a digit, or an underscore outside. The next $ after the first one decides: if it cannot end the formula,
// there is none. So the time is linear. $$ begins or ends a line, or follows the rules of $.
type dollars struct{}

// Trigger implements parser.InlineParser.
func (dollars) Trigger() []byte { return []byte{'$'} }

// Parse implements parser.InlineParser.
func (dollars) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	lineNumber, position := block.Position()
	length := run(line)
	if length <= 2 && !isWordCharacter(before) {
		block.Advance(length)
		node := &formula{display: length == 2}
		if node.read(block, length, before == '\n') {
			return node
		}
	}
	block.SetPosition(lineNumber, position)
	block.Advance(length) // a run of dollars is one thing: nothing begins in its middle
	return ast.NewTextSegment(segment.WithStop(segment.Start + length))
}

// run returns the number of dollars at the beginning of the line.
func run(line []byte) int {
	length := 0
	for length < len(line) && line[length] == '$' {
		length++
	}
	return length
}

// read reads the TeX until the dollars that end it, and returns false if there are none. length is their number.
func (f *formula) read(block text.Reader, length int, beginsLine bool) bool {
	last := byte(' ') // the character before
	for isFirst := true; ; isFirst = false {
		line, segment := block.PeekLine()
		if line == nil || isFirst && !f.canBegin(line, beginsLine) {
			return false
		}
		at := 0
		for at < len(line) {
			switch c := line[at]; {
			case c == '`' || c == ':' && bytes.HasPrefix(line[at:], []byte("://")):
				return false // code, and an address, are no part of a formula
			case c == '\\' && at+1 < len(line):
				last, at = line[at+1], at+2
				if last == '\n' {
					last = ' '
				}
				continue
			case c == '$':
				found := run(line[at:])
				if found < length {
					break // a formula inside \text{}
				}
				if found != length || !f.canEnd(last, line[at+found:]) {
					return false
				}
				f.pieces = append(f.pieces, segment.WithStop(segment.Start+at))
				block.Advance(at + found)
				return !f.isEmpty(block.Source())
			default:
				last = c
				at++
				continue
			}
			last = '$'
			at++
		}
		f.pieces = append(f.pieces, segment)
		block.AdvanceLine()
	}
}

// canBegin reports whether a formula begins before the rest of the line.
func (f *formula) canBegin(rest []byte, beginsLine bool) bool {
	return len(rest) > 0 && !isSpace(rest[0]) || f.display && beginsLine
}

// canEnd reports whether a formula ends after a character, and before the rest of the line.
func (f *formula) canEnd(last byte, rest []byte) bool {
	endsLine := len(bytes.TrimSpace(rest)) == 0
	next, _ := utf8.DecodeRune(rest)
	return (!isSpace(last) && !isWordCharacter(next)) || f.display && endsLine
}

func (f *formula) isEmpty(source []byte) bool {
	for _, piece := range f.pieces {
		if len(bytes.TrimSpace(source[piece.Start:piece.Stop])) > 0 {
			return false
		}
	}
	return true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isWordCharacter reports whether the character continues a number or a name of a variable. Letters of languages that
// are written without spaces do not.
func isWordCharacter(r rune) bool {
	return r == '_' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
