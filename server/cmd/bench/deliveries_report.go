package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// idleLatency is how long single events took to their receipt, ascending. The
// commit, which only the server sees, lies between the request and its answer.
type idleLatency struct {
	fromRequest, fromAnswer []time.Duration
}

type deliveryTable struct {
	out   io.Writer
	table *tabwriter.Writer
}

func newDeliveryTable(out io.Writer) *deliveryTable {
	t := &deliveryTable{out: out, table: tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)}
	_, _ = fmt.Fprintln(t.table, "\tdeliveries\tseconds\tdeliveries/s\tCPU µs\tpeak MiB\tbare POSTs/s\tratio\t")
	return t
}

// row prints one pace beside that of the bare loop. CPU is that of the server's
// process, for each delivery.
func (t *deliveryTable) row(name string, p pace, bare, aim float64) {
	_, _ = fmt.Fprintf(t.table, "%s\t%d\t%.1f\t%.0f\t%s\t%s\t%.0f\t%.2f\t%s\n", name, p.deliveries, p.elapsed.Seconds(), p.rate(),
		microseconds(p.usage.CPU/time.Duration(p.deliveries)), mebibytes(p.usage.Peak), bare, p.rate()/bare,
		missed(p.rate() < aim, fmt.Sprintf("aim %.0f/s", aim))+missed(p.usage.Peak > aimServing, "aim "+mebibytes(aimServing)+" MiB"))
}

func (t *deliveryTable) end(latency idleLatency) {
	_ = t.table.Flush()
	p50 := percentile(latency.fromRequest, 50)
	_, _ = fmt.Fprintf(t.out, "idle, %d single events: request to receipt p50 %s ms, p99 %s ms; answer to receipt p50 %s ms, p99 %s ms%s\n",
		len(latency.fromRequest), milliseconds(p50), milliseconds(percentile(latency.fromRequest, 99)),
		milliseconds(percentile(latency.fromAnswer, 50)), milliseconds(percentile(latency.fromAnswer, 99)),
		missed(p50 > aimIdleLatency, "aim "+aimIdleLatency.String()))
}
