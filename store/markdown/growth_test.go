//go:build unix

package markdown_test

import (
	"fmt"
	"maps"
	"testing"

	"assay/store/markdown"
	"assay/store/storetest/costtest"
)

// The time for a text grows with its length, and not with its square: a text takes about as long as 16 texts of a
// sixteenth of its length, where 16 times as long would be quadratic. Beside the hostile texts, each short word of
// marks, letters, and spaces is repeated. The test does not run in parallel with others, because it measures the
// process.
func TestTimeGrowsWithTheLength(t *testing.T) {
	renderer := markdown.New()
	texts := maps.Clone(hostile)
	for _, a := range "*_a " {
		for _, b := range "*_a " {
			for _, c := range "*_a " {
				word := string([]rune{a, b, c})
				texts[fmt.Sprintf("%q", word)] = fill(word)
				for _, d := range "*_a " {
					texts[fmt.Sprintf("%q", word+string(d))] = fill(word + string(d))
				}
			}
		}
	}
	for name, text := range texts {
		// goldmark's parser of code takes n times the square root of n, and so 4 times as long.
		short, long := text(2000), text(32_000)
		if ratio := costtest.PerShort(func() { renderer.HTML(short) }, func() { renderer.HTML(long) }); ratio > 8 {
			t.Errorf("%s: a long text takes %.1f times as long as 16 short ones of the same length in all", name, ratio)
		}
	}
}

// The same holds for the search for formulas. Short words of dollars are repeated that make none, or one that is not
// rendered, because its text has too many.
func TestTimeToFindFormulasGrowsWithTheLength(t *testing.T) {
	renderer := markdown.New()
	texts := map[string]func(int) string{
		"lines":      halves("$$\n", "a\n"),
		"an end":     func(length int) string { return "$$a" + fill("$a ")(length) + "$$" },
		"quotations": fill("> $$\n"),
		"items":      fill("- $$\n"),
		"brackets":   fill("[$a](b) "),
		"escapes":    fill("$a\\$ "),
	}
	const letters = "$a \n`"
	for _, a := range letters {
		for _, b := range letters {
			for _, c := range letters {
				word := "$" + string([]rune{a, b, c})
				texts[fmt.Sprintf("%q", word)] = fill(word)
			}
		}
	}
	for name, text := range texts {
		render := func(source string) { renderer.WithFormulas(source, nil, new(markdown.Allowance)) } // with no formula left
		short, long := text(2000), text(32_000)
		if ratio := costtest.PerShort(func() { render(short) }, func() { render(long) }); ratio > 8 {
			t.Errorf("%s: a long text takes %.1f times as long as 16 short ones of the same length in all", name, ratio)
		}
	}
}
