package store

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"assay/store/rules"
)

// The cache stays within its bytes, because memoryOf estimates the memory of an
// assessment, whatever its shape. The largest permitted definition is kept. The test is
// not parallel, because it measures the memory of all goroutines.
func TestAssessmentCacheEstimatesMemory(t *testing.T) {
	const largest = 1 << 20 // bytes of a request
	s := newTextStore(t, 0) // its cache keeps nothing: only the assessments are measured
	for _, shape := range []struct {
		name            string
		options, length int // of each question, and the length of its texts
	}{{"short texts", 20, 1}, {"questions without options", 0, 12}, {"usual texts", 4, 120}, {"long texts", 2, 20_000}} {
		t.Run(shape.name, func(t *testing.T) {
			encoded := definitionOf(t, shape.options, shape.length, largest*8/10)
			const copies = 8
			kept := make([]*Assessment, copies)
			estimated := 0
			before := heap()
			for i := range kept {
				kept[i] = &Assessment{}
				var err error
				if kept[i].Definition, err = rules.DecodeDefinition(strings.Clone(encoded)); err != nil {
					t.Fatal(err)
				}
				if kept[i].html, err = s.renderTexts(t.Context(), kept[i]); err != nil {
					t.Fatal(err)
				}
				estimated += memoryOf(kept[i], len(encoded))
			}
			used := heap() - before
			runtime.KeepAlive(kept)
			t.Logf("%d KiB of JSON take %d KiB, estimated %d KiB", len(encoded)>>10, used/copies>>10, estimated/copies>>10)
			if used > estimated*5/4 || estimated > 4*used {
				t.Errorf("%d bytes are used, and %d estimated", used, estimated)
			}
			if one := estimated / copies; one > assessmentCacheBytes/maxShare {
				t.Errorf("an assessment of %d bytes is too large for the cache", one)
			}
		})
	}
}

func heap() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// definitionOf is a stored definition of about bytes.
func definitionOf(t *testing.T, options, length, bytes int) string {
	t.Helper()
	stage := rules.Stage{ID: "stg_00000000000000000000000001", Title: "Stage"}
	for size := 0; size < bytes; {
		question := rules.Question{
			ID: fmt.Sprintf("qst_%026d", len(stage.Questions)), Type: rules.SingleChoice, Points: 1,
			Prompt: fmt.Sprint(len(stage.Questions), strings.Repeat("p", length)),
		}
		for i := range options {
			question.Options = append(question.Options, rules.Option{
				ID: fmt.Sprint("o", i), Text: fmt.Sprint(len(stage.Questions), i, strings.Repeat("t", length)),
			})
		}
		encoded, err := json.Marshal(question)
		if err != nil {
			t.Fatal(err)
		}
		stage.Questions, size = append(stage.Questions, question), size+len(encoded)
	}
	encoded, err := json.Marshal(rules.Definition{Stages: []rules.Stage{stage}})
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}
