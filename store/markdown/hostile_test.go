package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"assay/store/markdown"
)

// hostile makes texts of a given length. Each makes an unbounded parser or renderer slow, or its output long.
var hostile = map[string]func(length int) string{
	"quotations":          fill(">"),
	"lines in quotations": halves(">", "\n>"),
	"lists":               fill("- "),
	"lines in lists":      halves("- ", "\n x"),
	"items":               fill("-\n"),
	"steps":               numbered(func(i int) string { return strings.Repeat("  ", i) + "* a\n" }),
	"brackets":            halves("[", "]"),
	"images":              halves("![", "]"),
	"links":               fill("[a]("),
	"links without end":   func(length int) string { return strings.Repeat("[a](", 199) + fill("b")(length) },
	"angle brackets":      fill("[a](<b"),
	"one long address": func(length int) string {
		return "[a]: http://x.example/" + fill("x")(length/2) + "\n\n" + fill("[a]")(length/2)
	},
	"references":     numbered(func(i int) string { return fmt.Sprintf("[%d]: u\n\n[%d]\n", i, i) }),
	"definitions":    fill("[a]:b\n"),
	"emphasis":       fill("*a **a "),
	"stars":          func(length int) string { return fill("*")(length/2) + "a" + fill("*")(length/2) },
	"underscores":    fill("_a __b "),
	"mixed marks":    fill("_*a"),
	"marks in links": func(length int) string { return strings.Repeat("[_*a_*a](b)", 150) + fill("_*a")(length) },
	"growing marks":  numbered(func(i int) string { return "a" + strings.Repeat("*", i) + "_" }),
	"brackets around marks": func(length int) string {
		return strings.Repeat("[", length/40) + fill("a* ")(length) + strings.Repeat("]", length/40)
	},
	"code spans":      numbered(func(i int) string { return "e" + strings.Repeat("`", i+1) }),
	"a wide table":    func(length int) string { return table(1200, length) },
	"escaped pipes":   func(length int) string { return "|a|b|\n|-|-|\n" + fill("|`\\|`|`\\|`|\n")(length) },
	"headings":        fill("a\n-\n"),
	"addresses":       fill("<http://a>"),
	"quotation marks": fill(`"`),
	"parentheses":     func(length int) string { return "[a](" + halves("(", ")")(length) },
}

func fill(s string) func(int) string {
	return func(length int) string { return strings.Repeat(s, length/len(s)) }
}

func halves(first, second string) func(int) string {
	return func(length int) string { return fill(first)(length/2) + fill(second)(length/2) }
}

// numbered returns a text of pieces that contain their number.
func numbered(piece func(i int) string) func(int) string {
	return func(length int) string {
		var out strings.Builder
		for i := 0; out.Len() < length; i++ {
			out.WriteString(piece(i))
		}
		return out.String()
	}
}

func table(columns, length int) string {
	return strings.Repeat("|a", columns) + "\n" + strings.Repeat("|-", columns) + "\n" + fill("|\n")(length)
}

// The HTML and the text of a hostile text are bounded. The texts are twice as long as the longest text of the contract.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	renderer := markdown.New()
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := text(20_000)
			html, plain := renderer.HTML(source), renderer.Text(source)
			if len(html) > 16*len(source)+1024 {
				t.Errorf("becomes %d bytes", len(html))
			}
			if len(plain) > 16*len(source)+1024 {
				t.Errorf("becomes %d bytes of text", len(plain))
			}
			if open := strings.Count(html, "<blockquote>") + strings.Count(html, "<ul>"); name != "items" && open > 20 {
				t.Errorf("has %d nested blocks", open)
			}
		})
	}
}
