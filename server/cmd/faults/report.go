package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// printTable prints rows, of which the first is the head.
func printTable(out io.Writer, rows [][]string) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		_, _ = fmt.Fprintln(table, strings.Join(row, "\t")+"\t")
	}
	_ = table.Flush()
}

// maxFaultsShown bounds what is printed: what is broken is rarely broken once.
const maxFaultsShown = 15

// verdict is an error that lists what was broken, or nil.
func verdict(faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	shown := faults[:min(len(faults), maxFaultsShown)]
	return fmt.Errorf("%d faults:\n  %s", len(faults), strings.Join(shown, "\n  "))
}

// quantile of what is sorted; 0 of nothing.
func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func longest(of []time.Duration) time.Duration {
	if len(of) == 0 {
		return 0
	}
	return slices.Max(of)
}

func seconds(d time.Duration) string      { return fmt.Sprintf("%.2f s", d.Seconds()) }
func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1e3) }
func mebibytes(bytes int64) string        { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }
func count[N int | int64](n N) string     { return fmt.Sprint(n) }
