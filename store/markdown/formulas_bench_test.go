package markdown_test

import (
	"strings"
	"testing"

	"assay/store/markdown"
)

// BenchmarkFormulas measures a text without formulas, with 1, and with 20. The ratio is to the text without.
func BenchmarkFormulas(b *testing.B) {
	words := strings.Repeat("Which value of x solves the equation? ", 20)
	const formula = ` $\frac{-b \pm \sqrt{b^2-4ac}}{2a}$ `
	renderer, without := markdown.New(), 0.0
	renderer.WithFormulas("$x$", nil, markdown.NewAllowance()) // makes the engine
	for _, row := range []struct {
		name     string
		formulas int
	}{{"none", 0}, {"1", 1}, {"20", 20}} {
		source := "*" + words + "*" + strings.Repeat(formula, row.formulas)
		b.Run(row.name, func(b *testing.B) {
			for b.Loop() {
				if faults := renderer.WithFormulas(source, nil, markdown.NewAllowance()).Faults; len(faults) > 0 {
					b.Fatal(faults)
				}
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			if row.formulas == 0 {
				without = each
			}
			b.ReportMetric(each/without, "ratio")
		})
	}
}
