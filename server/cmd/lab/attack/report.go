package attack

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
)

// report prints what was tried, and counts the rules that held.
type report struct {
	out                   io.Writer
	held, broken, untried int
	faults                []string
}

func (r *report) line(format string, args ...any) { _, _ = fmt.Fprintf(r.out, format+"\n", args...) }

func (r *report) begin(p part) { r.line("\n%s: %s", strings.ToUpper(p.name), p.promise) }

// add adds the counts of another report.
func (r *report) add(other *report) {
	r.held, r.broken, r.untried = r.held+other.held, r.broken+other.broken, r.untried+other.untried
	r.faults = append(r.faults, other.faults...)
}

// tried describes one attack. The lines that follow are about it.
func (r *report) tried(format string, args ...any) { r.line("  tried   "+format, args...) }

// got describes what the attacker got.
func (r *report) got(format string, args ...any) { r.line("    got   "+format, args...) }

// check prints whether a rule held, with the figures that show it.
func (r *report) check(held bool, rule, format string, args ...any) {
	figures := fmt.Sprintf(format, args...)
	verdict := "HELD  "
	if held {
		r.held++
	} else {
		verdict = "BROKEN"
		r.broken++
		r.faults = append(r.faults, rule+": "+figures)
	}
	r.line("    %s  %s: %s", verdict, rule, figures)
}

// skip reports a rule that could not be checked, with the reason.
func (r *report) skip(rule, format string, args ...any) {
	r.untried++
	r.line("    NOT TRIED  %s: %s", rule, fmt.Sprintf(format, args...))
}

// fault reports an attack that could not be finished.
func (r *report) fault(format string, args ...any) {
	r.broken++
	fault := fmt.Sprintf(format, args...)
	r.faults = append(r.faults, fault)
	r.line("    BROKEN  %s", fault)
}

// cost is what a process has used during an attack.
type cost struct {
	cpu    time.Duration
	growth int64 // of the resident memory, to its peak
	peak   int64 // of the resident memory
	files  int   // open, at the end
}

func (c cost) String() string {
	return fmt.Sprintf("%s CPU, %s resident at the peak (+%s), %d open files",
		rig.Seconds(c.cpu), rig.Mebibytes(c.peak), rig.Mebibytes(c.growth), c.files)
}

// costs begins to measure. The returned function ends it.
func costs(p *rig.Process) func() cost {
	_ = p.ResetPeak() // without it, the peak is that of the whole run
	before, cpu := p.Usage(), p.CPU()
	return func() cost {
		after := p.Usage()
		return cost{p.CPU() - cpu, max(0, after.Peak-before.Resident), after.Peak, after.Files}
	}
}

// machineLoad describes how busy the machine is, because latencies depend on it.
func machineLoad() string {
	content, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "load unknown"
	}
	average, _, _ := strings.Cut(string(content), " ")
	return "load average " + average
}
