package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"assay/server/cmd/lab/rig"
)

// Ratios are the ratios to the baselines that one run measures, and the flags of
// their files.
type Ratios struct {
	Out     string `help:"JSON file to write the ratios to, for a later --compare."`
	Compare string `help:"JSON file of an earlier run, to print each ratio before and after."`

	measured, before ratioFile
}

// ratioFile is the content of a file.
type ratioFile struct {
	Conditions string               `json:"conditions"` // figures under other conditions differ for that reason
	Turns      map[string][]float64 `json:"turns"`      // the ratio of each turn, by database and comparison
}

// begin reads the earlier file before anything is measured, so that a wrong name costs no run.
func (r *Ratios) begin(conditions string) error {
	r.measured = ratioFile{Conditions: conditions, Turns: map[string][]float64{}}
	if r.Compare == "" {
		return nil
	}
	content, err := os.ReadFile(r.Compare)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, &r.before); err != nil {
		return fmt.Errorf("%s: %w", r.Compare, err)
	}
	for name, turns := range r.before.Turns {
		if len(turns) == 0 {
			return fmt.Errorf("%s: %s has no turns", r.Compare, name)
		}
	}
	return nil
}

// add records the ratios of a comparison's turns.
func (r *Ratios) add(database, comparison string, turns []float64) {
	if len(turns) > 0 {
		r.measured.Turns[database+" "+comparison] = turns
	}
}

// finish prints all ratios and writes the file. An incomplete run writes none.
func (r *Ratios) finish(out io.Writer, failure error) error {
	if len(r.measured.Turns) > 0 {
		_, _ = fmt.Fprintln(out, "\nratios to the baselines: median, and least to most of the turns")
		if r.Compare != "" && r.before.Conditions != r.measured.Conditions {
			_, _ = fmt.Fprintf(out, "the conditions differ:\n  before: %s\n  after:  %s\n",
				r.before.Conditions, r.measured.Conditions)
		}
		rig.PrintTable(out, r.rows())
	}
	if failure != nil || r.Out == "" {
		return failure
	}
	content, err := json.MarshalIndent(r.measured, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(r.Out, append(content, '\n'), 0o600)
}

// rows is the table of all ratios, including the ratios of the earlier file.
func (r *Ratios) rows() [][]string {
	if r.Compare == "" {
		rows := [][]string{{"", "ratio", "(turns)"}}
		for _, name := range slices.Sorted(maps.Keys(r.measured.Turns)) {
			turns := r.measured.Turns[name]
			rows = append(rows, []string{name, median(turns), spread(turns)})
		}
		return rows
	}
	names := maps.Clone(r.before.Turns)
	maps.Copy(names, r.measured.Turns)
	rows := [][]string{{"", "before", "(turns)", "after", "(turns)", ""}}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, after := r.before.Turns[name], r.measured.Turns[name]
		rows = append(rows, []string{
			name, median(before), spread(before), median(after), spread(after), change(before, after),
		})
	}
	return rows
}

// change says whether a difference exceeds the spread: then every turn of one run
// is above every turn of the other.
func change(before, after []float64) string {
	switch {
	case len(before) == 0 || len(after) == 0:
		return "in one run only"
	case slices.Min(after) > slices.Max(before):
		return "higher"
	case slices.Max(after) < slices.Min(before):
		return "LOWER"
	}
	return "within the spread"
}

func median(turns []float64) string {
	if len(turns) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", rig.Percentile(turns, 50))
}

func spread(turns []float64) string {
	if len(turns) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f-%.2f", slices.Min(turns), slices.Max(turns))
}
