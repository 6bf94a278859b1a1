//go:build unix

package exchange

import (
	"testing"

	"assay/store/storetest/costtest"
)

// checkGrowth checks that the time for a source grows with its length, and not with its square: a long source takes
// about as long as 16 short ones of the same length in all. A test that calls it does not run in parallel with others,
// because it measures the process.
func checkGrowth(t *testing.T, name string, format Format, source func(length int) []byte, length int) {
	t.Helper()
	read := func(content []byte) func() {
		return func() { _, _ = Read(Source{Content: content, Options: Options{Format: format}}) } // refusals take time, too
	}
	if ratio := costtest.PerShort(read(source(length/16)), read(source(length))); ratio > 8 {
		t.Errorf("%s: a long source takes %.1f times as long as 16 short ones of the same length in all", name, ratio)
	}
}
