package markdown

import (
	"bufio"
	"bytes"
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	renderer "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Text returns the text as plain text, for emails: without marks, and with the address
// after the text of each link. It says the same as HTML. A text that exceeds the limits of
// HTML is returned unchanged.
func (r *Renderer) Text(source string) string {
	if isWords(source) {
		return source
	}
	if exceeds(source) {
		return source
	}
	w := textWriter{source: []byte(strings.ReplaceAll(source, "\r\n", "\n")), left: max(minBound, maxGrowth*len(source))}
	lines := w.blocks(r.markdown.Parser().Parse(text.NewReader(w.source)), true)
	if w.left < 0 {
		return source
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// textWriter writes nodes as lines. When left is negative, the text has become too long,
// and what the writer returns is not complete.
type textWriter struct {
	source []byte
	left   int // bytes
}

// blocks returns the lines of the node's children, with an empty line between them if
// apart is true.
func (w *textWriter) blocks(parent ast.Node, apart bool) []string {
	var lines []string
	for node := parent.FirstChild(); node != nil && w.left >= 0; node = node.NextSibling() {
		block := w.block(node)
		if apart && len(lines) > 0 && len(block) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, block...)
	}
	return lines
}

func (w *textWriter) block(node ast.Node) []string {
	switch node := node.(type) {
	case *ast.ThematicBreak:
		return w.take([]string{"---"})
	case *ast.Blockquote:
		return w.indent(w.blocks(node, true), "> ", "> ")
	case *ast.List:
		return w.list(node)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		code := string(bytes.TrimRight(node.Lines().Value(w.source), "\n"))
		return w.indent(strings.Split(code, "\n"), "    ", "    ")
	case *extension.Table:
		return w.blocks(node, false)
	case *extension.TableHeader, *extension.TableRow:
		var cells []string
		for cell := node.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, w.inline(cell))
		}
		return w.take([]string{strings.Join(cells, " | ")})
	}
	return strings.Split(w.inline(node), "\n") // a paragraph, a heading, or the text of an item
}

func (w *textWriter) list(list *ast.List) []string {
	var lines []string
	number := list.Start
	for item := list.FirstChild(); item != nil && w.left >= 0; item = item.NextSibling() {
		mark := "- "
		if list.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		if len(lines) > 0 && !list.IsTight {
			lines = append(lines, "")
		}
		lines = append(lines, w.indent(w.blocks(item, !list.IsTight), mark, strings.Repeat(" ", len(mark)))...)
	}
	return lines
}

// indent writes first before the first line, and rest before each other one.
func (w *textWriter) indent(lines []string, first, rest string) []string {
	if len(lines) == 0 {
		lines = []string{""}
	}
	for i, line := range lines {
		mark := rest
		if i == 0 {
			mark = first
		}
		lines[i] = strings.TrimRight(mark+line, " ")
	}
	return w.take(lines)
}

// take counts the lines.
func (w *textWriter) take(lines []string) []string {
	for _, line := range lines {
		w.left -= len(line) + 1
	}
	return lines
}

// inline returns the text inside a node.
func (w *textWriter) inline(node ast.Node) string {
	var out strings.Builder
	w.write(&out, node)
	return out.String()
}

func (w *textWriter) write(out *strings.Builder, parent ast.Node) {
	for node := parent.FirstChild(); node != nil && w.left >= 0; node = node.NextSibling() {
		began := out.Len()
		switch node := node.(type) {
		case *ast.Text:
			out.WriteString(resolved(node.Value(w.source), node.IsRaw()))
			if node.SoftLineBreak() || node.HardLineBreak() {
				out.WriteByte('\n')
			}
		case *ast.String:
			out.WriteString(resolved(node.Value, node.IsRaw() || node.IsCode()))
		case *ast.CodeSpan:
			for part := node.FirstChild(); part != nil; part = part.NextSibling() {
				if piece, ok := part.(*ast.Text); ok {
					out.Write(bytes.ReplaceAll(piece.Value(w.source), []byte("\n"), []byte(" ")))
				}
			}
		case *ast.AutoLink:
			out.Write(node.Label(w.source))
		case *ast.Link:
			w.write(out, node)
			began = out.Len()
			w.writeAddress(out, node)
		default: // emphasis, and an image, which is its alternative text
			w.write(out, node)
			began = out.Len()
		}
		w.left -= out.Len() - began
	}
}

// writeAddress writes the address of a link after its text, unless they are the same.
func (w *textWriter) writeAddress(out *strings.Builder, link *ast.Link) {
	address := string(util.URLEscape(link.Destination, true))
	isWeb, isMail := kindOf(address)
	shown := strings.TrimPrefix(address, "mailto:")
	if (isWeb || isMail) && !strings.HasSuffix(out.String(), shown) {
		out.WriteString(" (" + shown + ")")
	}
}

// resolved is a piece of the source without escapes and entities, as a browser shows it.
func resolved(piece []byte, isRaw bool) string {
	if isRaw {
		return string(piece)
	}
	var escaped bytes.Buffer
	w := bufio.NewWriter(&escaped)
	renderer.DefaultWriter.Write(w, piece)
	_ = w.Flush() // a buffer accepts all
	return html.UnescapeString(escaped.String())
}
