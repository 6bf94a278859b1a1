package exchange

import (
	"strings"
)

// giftEscapes are the characters that a backslash makes ordinary in GIFT. \n is a line break.
const giftEscapes = `\~=#{}:n`

// isGIFTEscape reports whether a character that a backslash makes ordinary begins at i.
func isGIFTEscape(text string, i int) bool {
	return text[i] == '\\' && i+1 < len(text) && strings.IndexByte(giftEscapes, text[i+1]) >= 0
}

// giftIndex returns where one of the marks occurs without a backslash, or -1.
func giftIndex(text, marks string) int {
	for i := 0; i < len(text); i++ {
		if isGIFTEscape(text, i) {
			i++
		} else if strings.IndexByte(marks, text[i]) >= 0 {
			return i
		}
	}
	return -1
}

// giftText returns a text without its backslashes.
func giftText(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if !isGIFTEscape(text, i) {
			out.WriteByte(text[i])
			continue
		}
		i++
		if text[i] == 'n' {
			out.WriteByte('\n')
		} else {
			out.WriteByte(text[i])
		}
	}
	return out.String()
}

// giftBlock is a question as it stands in a file, with its backslashes.
type giftBlock struct {
	line, lastLine int
	text           string
	category       []string // the path of its category
	unclosed       bool     // a brace is not closed
}

// giftSplitter splits a file into blocks. Blank lines separate them. Blank lines within braces do not count, unless a
// title or another brace follows: then the brace before it is not closed, and the questions after it are not lost.
type giftSplitter struct {
	blocks   []giftBlock
	block    giftLines
	isOpen   bool      // a brace is open
	hasBreak bool      // a blank line is within the brace
	after    giftLines // the lines after the last blank line within the brace
	category []string
}

// giftLines are lines that follow each other, without comments and blank lines.
type giftLines struct {
	text        []byte
	first, last int // their numbers; 0 if there are none
}

func (l *giftLines) add(number int, text string) {
	if l.first == 0 {
		l.first = number
	} else {
		l.text = append(l.text, '\n')
	}
	l.text = append(l.text, text...)
	l.last = number
}

func (l *giftLines) clear() { *l = giftLines{text: l.text[:0]} }

// giftBlocks returns the blocks of a file, and not more than can be reported, with one that says so.
func giftBlocks(text string) []giftBlock {
	var s giftSplitter
	number := 0
	for line := range strings.SplitSeq(oneLineBreak.Replace(text), "\n") {
		if number++; len(s.blocks) > maxReported {
			return s.blocks
		}
		s.line(number, line)
	}
	s.close()
	return s.blocks
}

func (s *giftSplitter) line(number int, line string) {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "//") {
		return // a comment
	}
	if path, isCategory := strings.CutPrefix(trimmed, "$CATEGORY:"); isCategory {
		s.close()
		s.category = giftCategory(path)
		return
	}
	if trimmed == "" {
		if s.isOpen {
			s.takeAfter()
			s.hasBreak = true
		} else {
			s.close()
		}
		return
	}
	if s.isOpen && strings.HasPrefix(trimmed, "::") {
		s.takeAfter()
		s.giveUp()
	}
	if s.hasBreak {
		s.after.add(number, line)
	} else {
		s.block.add(number, line)
	}
	for rest := line; ; {
		i := giftIndex(rest, "{}")
		if i < 0 {
			return
		}
		if rest[i] == '{' && s.isOpen && s.hasBreak {
			s.giveUp()
		}
		if s.isOpen = rest[i] == '{'; !s.isOpen {
			s.takeAfter()
		}
		rest = rest[i+1:]
	}
}

// takeAfter adds the lines after the blank line to the block.
func (s *giftSplitter) takeAfter() {
	if s.after.first > 0 {
		s.block.text = append(append(s.block.text, '\n'), s.after.text...)
		s.block.last = s.after.last
	}
	s.after.clear()
	s.hasBreak = false
}

// giveUp ends the block before the last blank line. The lines after it begin another block.
func (s *giftSplitter) giveUp() {
	after := s.after
	s.after = giftLines{}
	s.close()
	s.block = after
}

func (s *giftSplitter) close() {
	s.takeAfter()
	if s.block.first > 0 {
		s.blocks = append(s.blocks, giftBlock{
			line: s.block.first, lastLine: s.block.last, text: string(s.block.text), category: s.category, unclosed: s.isOpen,
		})
	}
	s.block.clear()
	s.isOpen, s.hasBreak = false, false
}

// giftCategory returns the parts of a path such as "$course$/top/Plants/Trees" without its beginning. Two slashes
// are a slash of a name.
func giftCategory(path string) []string {
	var parts []string
	var part strings.Builder
	end := func() {
		if name := strings.TrimSpace(part.String()); name != "" {
			parts = append(parts, name)
		}
		part.Reset()
	}
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] != '/':
			part.WriteByte(path[i])
		case i+1 < len(path) && path[i+1] == '/':
			part.WriteByte('/')
			i++
		default:
			end()
		}
	}
	end()
	if len(parts) > 0 && len(parts[0]) > 1 && strings.HasPrefix(parts[0], "$") && strings.HasSuffix(parts[0], "$") {
		parts = parts[1:]
	}
	if len(parts) > 0 && parts[0] == "top" {
		parts = parts[1:]
	}
	return parts
}

// giftStages returns the title of the stage for each block: the last part of its category, or the whole path if
// another category has the same last part.
func giftStages(blocks []giftBlock) []string {
	last := func(path []string) string { return path[len(path)-1] }
	paths := map[string]string{}
	isShared := map[string]bool{}
	for _, block := range blocks {
		if len(block.category) == 0 {
			continue
		}
		path := strings.Join(block.category, " / ")
		if other, known := paths[last(block.category)]; known && other != path {
			isShared[last(block.category)] = true
		}
		paths[last(block.category)] = path
	}
	titles := make([]string, len(blocks))
	for i, block := range blocks {
		switch {
		case len(block.category) == 0:
		case isShared[last(block.category)]:
			titles[i] = strings.Join(block.category, " / ")
		default:
			titles[i] = last(block.category)
		}
	}
	return titles
}
