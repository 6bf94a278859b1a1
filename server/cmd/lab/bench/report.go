package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"assay/server/cmd/internal/rig"
)

// row is one scenario's figures on one database.
type row struct {
	name               string
	rate, bareRate     float64 // requests per second, the median of the turns
	p50, p99           time.Duration
	bareP50, bareP99   time.Duration
	ratio, least, most float64 // of the turns' ratios: median, smallest, largest
	size, bareSize     int     // bytes of a body
	cpu, bareCPU       time.Duration
}

func newRow(name string, server, bare *side) row {
	r := row{name: name, rate: median(server.rates()), bareRate: median(bare.rates())}
	var ratios []float64
	for i := range server.turns {
		ratios = append(ratios, server.turns[i].rate()/bare.turns[i].rate())
	}
	r.ratio, r.least, r.most = median(ratios), slices.Min(ratios), slices.Max(ratios)
	latencies, bareLatencies := server.latencies(), bare.latencies()
	r.p50, r.p99 = percentile(latencies, 50), percentile(latencies, 99)
	r.bareP50, r.bareP99 = percentile(bareLatencies, 50), percentile(bareLatencies, 99)
	r.size, r.cpu = server.perRequest()
	r.bareSize, r.bareCPU = bare.perRequest()
	return r
}

func median[T cmp.Ordered](values []T) T {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// percentile of ascending values, by nearest rank.
func percentile(ascending []time.Duration, p int) time.Duration {
	if len(ascending) == 0 {
		return 0
	}
	return ascending[max(0, (len(ascending)*p+99)/100-1)]
}

// printTable prints the scenarios of one database. CPU is that of the server's
// process alone: PostgreSQL works in processes of its own.
func printTable(out io.Writer, rows []row) {
	if len(rows) == 0 {
		return
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "\treq/s\tp50 ms\tp99 ms\tCPU µs\tbody\tbare req/s\tp50 ms\tp99 ms\tCPU µs\tbody\tratio\t(turns)\t")
	for _, r := range rows {
		_, _ = fmt.Fprintf(table, "%s\t%.0f\t%s\t%s\t%s\t%d\t%.0f\t%s\t%s\t%s\t%d\t%.2f\t%.2f-%.2f\t%s\n",
			r.name, r.rate, milliseconds(r.p50), milliseconds(r.p99), microseconds(r.cpu), r.size,
			r.bareRate, milliseconds(r.bareP50), milliseconds(r.bareP99), microseconds(r.bareCPU), r.bareSize,
			r.ratio, r.least, r.most, missed(r.ratio < aimOf(r.name), fmt.Sprintf("aim %.2f", aimOf(r.name))))
	}
	_ = table.Flush()
}

// printProcess prints what starting took and what memory.
func printProcess(out io.Writer, kind string, starts []time.Duration, idle, after rig.Usage) {
	again := starts[1:]
	_, _ = fmt.Fprintf(out, "start to ready: %s ms with an empty database, then %s ms (median of %d)%s\n",
		milliseconds(starts[0]), milliseconds(median(again)), len(again),
		missed(kind == "sqlite" && max(starts[0], median(again)) > aimStart, "aim "+aimStart.String()))
	if idle.Resident == 0 {
		return
	}
	_, _ = fmt.Fprintf(out, "resident memory: %s MiB idle, %s MiB after the load, %s MiB at most%s\n",
		mebibytes(idle.Resident), mebibytes(after.Resident), mebibytes(after.Peak),
		missed(idle.Resident > aimIdle, "aim "+mebibytes(aimIdle)+" MiB idle"))
}

func aimOf(scenario string) float64 {
	if scenario == "answer" || scenario == "invite" {
		return aimWrite
	}
	return aimRead
}

func missed(yes bool, aim string) string {
	if !yes {
		return ""
	}
	return "  " + aim
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()*1e3) }
func microseconds(d time.Duration) string { return fmt.Sprintf("%.0f", d.Seconds()*1e6) }
func mebibytes(bytes int64) string        { return fmt.Sprintf("%.1f", float64(bytes)/(1<<20)) }
