package exchange

import (
	"strconv"
	"strings"
)

// converter writes elements as Markdown.
type converter struct {
	picture func(src string) string
	notes   []Note
	line    int // the line of the element that is being read

	out     []string // the blocks of the innermost container that are complete
	spans   []span   // the paragraph that is being written
	marks   []string // the emphasis that is open, from the outermost one
	depth   int      // of lists and quotations
	inRow   bool     // within a cell or a heading, which has one line
	inTable bool     // within a cell, in which | is a mark
	last    string   // the kind of the last block: two lists after each other need different marks
}

// maxHTMLNotes bounds the notes about one text.
const maxHTMLNotes = 20

func (c *converter) note(code NoteCode, text string) {
	text = excerptOf(text)
	for _, n := range c.notes {
		if n.Code == code && n.Text == text {
			return
		}
	}
	if len(c.notes) < maxHTMLNotes {
		c.notes = append(c.notes, Note{Code: code, Line: c.line, Text: text})
	}
}

// blocks returns nodes as blocks of Markdown with an empty line between them.
func (c *converter) blocks(nodes []*node) string {
	outer, outerSpans, outerLast := c.out, c.spans, c.last
	c.out, c.spans, c.last = nil, nil, ""
	c.reopen()
	for _, n := range nodes {
		c.node(n)
	}
	c.flush()
	text := strings.Join(c.out, "\n\n")
	c.out, c.spans, c.last = outer, outerSpans, outerLast
	return text
}

// flush ends the paragraph. Emphasis that is open ends with it, and begins again in the next one.
func (c *converter) flush() {
	for i := len(c.marks) - 1; i >= 0; i-- {
		c.spans = append(c.spans, span{kind: spanClose, text: c.marks[i]})
	}
	if text := c.paragraph(c.spans); text != "" {
		c.block(text, "p")
	}
	c.spans = nil
	c.reopen()
}

func (c *converter) reopen() {
	for _, mark := range c.marks {
		c.spans = append(c.spans, span{kind: spanOpen, text: mark})
	}
}

func (c *converter) block(text, kind string) {
	c.out = append(c.out, text)
	c.last = kind
}

// blockWriter returns how a block of Markdown is written. The children of a container are blocks.
func (c *converter) blockWriter(name string) func(*node) {
	switch name {
	case "ul", "ol":
		return c.list
	case "pre":
		return c.pre
	case "table":
		return c.table
	case "blockquote":
		return c.quotation
	case "hr":
		return c.rule
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return c.heading
	}
	return c.children
}

// node writes a text, an inline element, or a block.
func (c *converter) node(n *node) {
	if n.line > 0 {
		c.line = n.line
	}
	if !isBlock(n.name) {
		c.inline(n)
		return
	}
	if c.inRow { // a cell has one line: the blocks in it are separated by spaces
		c.literal(" ")
		if n.name == "table" || n.name == "ul" || n.name == "ol" || n.name == "pre" {
			c.note(MarkupChanged, "<"+n.name+"> in a table")
		}
		c.children(n)
		c.literal(" ")
		return
	}
	c.flush()
	c.blockWriter(n.name)(n)
	c.flush()
}

func (c *converter) children(n *node) {
	for _, child := range n.children {
		c.node(child)
	}
}

// maxListDepth is how deep the renderer nests lists and quotations.
const maxListDepth = 15

func (c *converter) rule(*node) { c.block("***", "hr") }

func (c *converter) heading(n *node) {
	text := c.oneLine(n)
	if strings.HasSuffix(text, "#") && !strings.HasSuffix(text, `\#`) { // # at the end closes a heading
		text = text[:len(text)-1] + `\#`
	}
	if text != "" {
		c.block(strings.Repeat("#", int(n.name[1]-'0'))+" "+text, "h")
	}
}

// oneLine returns the children of a heading or a cell as one line.
func (c *converter) oneLine(n *node) string {
	outer, outerRow := c.spans, c.inRow
	c.spans, c.inRow = nil, true
	text := c.within(func() string {
		c.children(n)
		return c.paragraph(c.spans)
	})
	c.spans, c.inRow = outer, outerRow
	return text
}

// within writes something to which the emphasis around it does not apply.
func (c *converter) within(write func() string) string {
	marks := c.marks
	c.marks = nil
	text := write()
	c.marks = marks
	return text
}

func (c *converter) quotation(n *node) {
	if c.depth >= maxListDepth {
		c.children(n)
		return
	}
	c.depth++
	text := c.blocks(n.children)
	c.depth--
	if text == "" {
		return
	}
	if c.last == "quote" { // the empty line between two quotations would not separate them
		c.block("***", "hr")
	}
	c.block("> "+strings.ReplaceAll(text, "\n", "\n> "), "quote")
}

func (c *converter) list(n *node) {
	if c.depth >= maxListDepth {
		c.note(MarkupChanged, "<"+n.name+">, nested")
		c.children(n)
		return
	}
	number, isOrdered := 1, n.name == "ol"
	if start, err := strconv.Atoi(n.attr("start")); err == nil && start >= 0 && start < 1e8 {
		number = start
	}
	if kind := n.attr("type") + styleOf(n, "list-style-type"); isOrdered && kind != "" && kind != "1" && kind != "decimal" {
		c.note(MarkupChanged, "<ol type="+kind+">")
	}
	mark := map[string]string{"ul": "- ", "ul-": "+ ", "ol": ". ", "ol-": ") "}[n.name+alternate(c.last, n.name)]
	var items []string
	separator := "\n"
	c.depth++
	for _, item := range n.children {
		if item.name == "" && strings.TrimSpace(item.text) == "" {
			continue
		}
		nodes := []*node{item}
		if item.name == "li" {
			nodes = item.children
		}
		text := c.blocks(nodes)
		if text == "" {
			continue
		}
		begins := mark
		if isOrdered {
			begins = strconv.Itoa(number) + mark
			number++
		}
		indent := "\n" + strings.Repeat(" ", len(begins))
		items = append(items, begins+indented(text, indent))
		if strings.Contains(text, "\n\n") {
			separator = "\n\n"
		}
	}
	c.depth--
	if len(items) > 0 {
		c.block(strings.Join(items, separator), n.name+alternate(c.last, n.name))
	}
}

// alternate returns "-" if the list follows a list with the usual marks.
func alternate(last, name string) string {
	if last == name {
		return "-"
	}
	return ""
}

// indented begins each further line with indent. Empty lines stay empty.
func indented(text, indent string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n", indent), indent+"\n", "\n\n")
}

// pre writes a fenced block. Its lines and their indentation stay as they are.
func (c *converter) pre(n *node) {
	code := strings.TrimRight(strings.TrimPrefix(codeText(n), "\n"), "\n \t")
	if strings.TrimSpace(code) == "" {
		return
	}
	language := codeLanguage(n)
	if inner := n.child("code"); language == "" && inner != nil {
		language = codeLanguage(inner)
	}
	c.block(fenced(code, language), "pre")
}

// fenced returns code as a block whose fence is longer than each run of backticks in it.
func fenced(code, language string) string {
	fence := strings.Repeat("`", max(3, longestRun(code, '`')+1))
	return fence + language + "\n" + code + "\n" + fence
}

func longestRun(text string, of rune) int {
	longest, run := 0, 0
	for _, r := range text {
		if r != of {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// codeLanguage returns the language of a block of code by its class (language-go, lang-go, brush: go), or "".
func codeLanguage(n *node) string {
	class := strings.NewReplacer("brush:", "language-", ": ", "", ";", " ").Replace(n.attr("class"))
	class = strings.ReplaceAll(class, "language- ", "language-")
	for _, name := range strings.Fields(class) {
		for _, prefix := range []string{"language-", "lang-"} {
			language := strings.TrimPrefix(name, prefix)
			if language != name && language != "" && len(language) <= 40 && !strings.ContainsAny(language, "`~\\&<>*_[") {
				return language
			}
		}
	}
	return ""
}

// codeText returns the text of code. <br> and the end of a block in it are line breaks.
func codeText(n *node) string {
	var out strings.Builder
	var write func(n *node)
	write = func(n *node) {
		out.WriteString(n.text)
		if n.name == "br" {
			out.WriteByte('\n')
		}
		for _, child := range n.children {
			write(child)
		}
		if (n.name == "div" || n.name == "p" || n.name == "li") && !strings.HasSuffix(out.String(), "\n") {
			out.WriteByte('\n')
		}
	}
	write(n)
	return strings.ReplaceAll(strings.ReplaceAll(out.String(), "\r\n", "\n"), "\u00a0", " ")
}
