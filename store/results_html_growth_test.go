//go:build unix

package store

import (
	"encoding/json"
	"testing"

	"assay/store/storetest/costtest"
)

// The time grows with the length of the result, and not with its square, also if it has only prompts. The test is not
// parallel, because it measures the process.
func TestWithHTMLTakesLinearTime(t *testing.T) {
	s := newTextStore(t, textCacheBytes)
	render := func(questions int) func() {
		result := Result{Stages: []ResultStage{{}}}
		for range questions {
			result.Stages[0].Questions = append(result.Stages[0].Questions,
				ResultQuestion{ID: "qst_1", Prompt: "Which of these is a major allergen, and why does it have to be labelled?"})
		}
		stored, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			if _, err := s.withHTML(&Assessment{}, string(stored)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ratio := costtest.PerShort(render(500), render(8000)); ratio > 8 {
		t.Errorf("a result of 8,000 questions takes %.1f times as long as 16 results of 500", ratio)
	}
}
