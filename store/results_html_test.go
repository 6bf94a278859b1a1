package store

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"assay/store/rules"
)

// Each prompt and each option of a result gets its HTML, and nothing else changes, whatever the texts
// and the metadata contain.
func TestWithHTML(t *testing.T) {
	t.Parallel()
	s := newTextStore(t, textCacheBytes)
	hostile := []string{
		"plain", "", `"`, `\`, `\"`, `","prompt":"x"`, `{"stages":[{"prompt":"x"}]}`, "a\u2028b<>&", "*e* `\"prompt\":`", "😀",
	}
	for _, known := range []bool{false, true} {
		for _, text := range hostile {
			result := Result{
				Candidate: ResultCandidate{Name: text}, ExternalID: &text,
				Metadata:         map[string]string{"prompt": text, "stages": text, text: text},
				Disqualification: &Disqualification{StageTitle: text},
			}
			assessment := &Assessment{}
			for i := range 3 {
				prompt := fmt.Sprint(text, i)
				assessment.Definition.Stages = append(assessment.Definition.Stages,
					rules.Stage{Questions: []rules.Question{{Prompt: prompt}}})
				result.Stages = append(result.Stages, ResultStage{Title: text, Questions: []ResultQuestion{
					{ID: "qst_1", Prompt: prompt, Answer: &rules.Answer{Text: &text}}, {ID: "qst_2", Prompt: text},
					{ID: "qst_3", Prompt: prompt, Options: []rules.Option{{ID: "a", Text: text}, {ID: "b", Text: prompt}}},
				}})
			}
			if known {
				var err error
				if assessment.html, err = s.renderTexts(t.Context(), assessment); err != nil {
					t.Fatal(err)
				}
			}
			stored, err := json.Marshal(result)
			if err != nil {
				t.Fatal(err)
			}
			read, err := s.withHTML(assessment, string(stored))
			if err != nil {
				t.Fatal(err)
			}
			checkWithHTML(t, s, stored, []byte(read))
		}
	}
}

// checkWithHTML compares what was read with what was stored, and the HTML with the prompt.
func checkWithHTML(t *testing.T, s *Store, stored, read []byte) {
	t.Helper()
	var want, got map[string]any
	if err := json.Unmarshal(stored, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(read, &got); err != nil {
		t.Fatalf("%v\n%s", err, read)
	}
	for _, stage := range want["stages"].([]any) {
		for _, question := range stage.(map[string]any)["questions"].([]any) {
			q := question.(map[string]any)
			q["promptHtml"] = s.HTML(&Assessment{}, q["prompt"].(string))
			options, _ := q["options"].([]any)
			for _, option := range options {
				o := option.(map[string]any)
				o["textHtml"] = s.HTML(&Assessment{}, o["text"].(string))
			}
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}
