package rules

import (
	"slices"
	"testing"
)

func TestFrozenFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*Definition)
		want   []string // pointers
	}{
		{"nothing", func(*Definition) {}, nil},
		{"titles and descriptions", func(d *Definition) {
			d.Stages[0].Title, d.Stages[1].Description = "Other", new("New")
		}, nil},
		{"no list and an empty list", func(d *Definition) { d.Stages[1].Questions[0].Options = []Option{} }, nil},
		{"a stage more", func(d *Definition) { d.Stages = append(d.Stages, Stage{ID: "stg_3"}) }, []string{"/stages"}},
		{"the order of stages", func(d *Definition) { slices.Reverse(d.Stages) }, []string{"/stages/0/id", "/stages/1/id"}},
		{"a limit", func(d *Definition) { d.Stages[1].TimeLimitMinutes = new(5) }, []string{"/stages/1/timeLimitMinutes"}},
		{"a gate less", func(d *Definition) { d.Stages[0].Gate = nil }, []string{"/stages/0/gate"}},
		{"a gate's mark", func(d *Definition) { d.Stages[0].Gate.MinScore++ }, []string{"/stages/0/gate"}},
		{"a question less", func(d *Definition) { d.Stages[1].Questions = d.Stages[1].Questions[:1] },
			[]string{"/stages/1/questions"}},
		{"the order of questions", func(d *Definition) { slices.Reverse(d.Stages[0].Questions) },
			[]string{"/stages/0/questions/0", "/stages/0/questions/1"}},
		{"a prompt", func(d *Definition) { d.Stages[0].Questions[1].Prompt = "?" }, []string{"/stages/0/questions/1"}},
		{"points", func(d *Definition) { d.Stages[1].Questions[1].Points++ }, []string{"/stages/1/questions/1"}},
		{"an option", func(d *Definition) { d.Stages[0].Questions[0].Options[2].Text = "?" },
			[]string{"/stages/0/questions/0"}},
		{"an answer key", func(d *Definition) { d.Stages[0].Questions[0].CorrectOptionID = new("a") },
			[]string{"/stages/0/questions/0"}},
		{"an explanation", func(d *Definition) { d.Stages[1].Questions[0].Explanation = new("?") },
			[]string{"/stages/1/questions/0"}},
		{"several parts", func(d *Definition) {
			d.Stages[0].Gate, d.Stages[0].TimeLimitMinutes, d.Stages[1].Questions[0].Answer = nil, new(1), nil
		}, []string{"/stages/0/timeLimitMinutes", "/stages/0/gate", "/stages/1/questions/0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			changed := pharmacist()
			tt.change(&changed)
			var got []string
			for _, fault := range FrozenFaults(pharmacist(), changed) {
				got = append(got, fault.Pointer)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("the frozen parts that differ are %v, want %v", got, tt.want)
			}
		})
	}
}
