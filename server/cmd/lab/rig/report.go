package rig

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// PrintTable prints rows in aligned columns. The first row is the head.
func PrintTable(out io.Writer, rows [][]string) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		_, _ = fmt.Fprintln(table, strings.Join(row, "\t")+"\t")
	}
	_ = table.Flush()
}

// maxFaultsShown bounds the output: one defect usually causes many faults.
const maxFaultsShown = 15

// Verdict returns an error that lists the faults, or nil if there are none.
func Verdict(faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	shown := faults[:min(len(faults), maxFaultsShown)]
	return fmt.Errorf("%d faults:\n  %s", len(faults), strings.Join(shown, "\n  "))
}

// Percentile returns the nearest-rank percentile of values in any order, and 0
// if there are none.
func Percentile[T float64 | time.Duration](values []T, p int) T {
	if len(values) == 0 {
		return 0
	}
	ascending := slices.Sorted(slices.Values(values))
	return ascending[max(0, (len(ascending)*p+99)/100-1)]
}

// Seconds formats d for a table.
func Seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// Milliseconds formats d for a table.
func Milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1e3) }

// Microseconds formats d for a table.
func Microseconds(d time.Duration) string { return fmt.Sprintf("%.0f µs", d.Seconds()*1e6) }

// Mebibytes formats a number of bytes for a table.
func Mebibytes(bytes int64) string { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }
