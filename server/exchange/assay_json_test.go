package exchange

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func questionJSON(fields string) string {
	return `{"stages":[{"title":"s","questions":[{"id":"qst_1","type":"SINGLE_CHOICE","prompt":"Which?","points":2,` +
		`"options":[{"id":"a","text":"x"},{"id":"b","text":"y"}]` + fields + `}]}]}`
}

func TestAssayJSON(t *testing.T) {
	for _, row := range []struct {
		name, text  string
		want, notes []string
	}{
		{name: "the outer object", text: `{"data":` + questionJSON(`,"correctOptionId":"b"`) + `}`,
			want: []string{"S: Which? (2) = x / !y"}},
		{name: "the inner object, with a byte order mark", text: "\ufeff " + questionJSON(`,"correctOptionId":"b"`),
			want: []string{"S: Which? (2) = x / !y"}},
		{name: "fields of the service and null", text: questionJSON(`,"correctOptionId":"b","order":7,"promptHtml":"<p>",` +
			`"answer":null,"later":null`),
			want: []string{"S: Which? (2) = x / !y"}},
		{name: "a field of a later version", text: questionJSON(`,"correctOptionId":"b","hint":"x","a/b~c":1`),
			want:  []string{"S: Which? (2) = x / !y"},
			notes: []string{"0 field_unknown: /stages/0/questions/0/a~1b~0c", "0 field_unknown: /stages/0/questions/0/hint"}},
		{name: "pools that the contract does not permit, and one that is filled",
			text: `{"stages":[{"title":"s","pools":[{"id":"p","count":0,"tags":["a"],"points":1},7,` +
				`{"id":"r","count":1,"tags":["a,b"],"points":1},{"id":"f","count":1,"tags":["a"],"points":1}],` +
				`"questions":[{"type":"NUMERIC","prompt":"n","points":1,"answer":2,"poolId":"f","bankQuestionId":"b"}]}]}`,
			want: []string{"N: n = 2"},
			notes: []string{"0 bank_reference_dropped: /stages/0/pools/3",
				"0 bank_reference_dropped: /stages/0/questions/0/bankQuestionId", "0 field_invalid: /stages/0/pools/0/count",
				"0 field_invalid: /stages/0/pools/1",
				"0 field_invalid: /stages/0/pools/2/tags", "0 number_out_of_range: /stages/0/pools/0/count"}},
		{name: "no key", text: questionJSON(`,"correctOptionId":null`), want: []string{"S: Which? (2) = x / y"},
			notes: []string{"0 key_missing: /stages/0/questions/0/correctOptionId"}},
		{name: "a key that no option has", text: questionJSON(`,"correctOptionId":"z"`),
			want:  []string{"S: Which? (2) = x / y"},
			notes: []string{"0 answer_unknown: /stages/0/questions/0/correctOptionId"}},
		{name: "wrong types", text: questionJSON(`,"correctOptionId":["b"],"explanation":7`),
			want: []string{"S: Which? (2) = x / y"},
			notes: []string{`0 field_invalid: /stages/0/questions/0/correctOptionId ["b"]`,
				"0 field_invalid: /stages/0/questions/0/explanation 7", "0 key_missing: /stages/0/questions/0/correctOptionId"}},
		{name: "an option id that occurs twice",
			text: strings.Replace(questionJSON(`,"correctOptionId":"a"`), `"id":"b"`, `"id":"a"`, 1),
			want: []string{"S: Which? (2) = x / y"},
			notes: []string{"0 answer_unknown: /stages/0/questions/0/correctOptionId", "0 field_invalid: " +
				"/stages/0/questions/0/options/1/id"}},
		{name: "a type of a later version",
			text:  `{"stages":[{"title":"s","questions":[{"id":"q","type":"ORDER","prompt":"Sort","points":1}]}]}`,
			notes: []string{"0 type_unsupported: /stages/0/questions/0/type ORDER"}},
		{name: "numbers that are too large",
			text: `{"stages":[{"title":"s","questions":[{"type":"NUMERIC","prompt":"n","points":1001,"answer":1e16,` +
				`"tolerance":-1}]}]}`,
			want: []string{"N: n"},
			notes: []string{"0 number_out_of_range: /stages/0/questions/0/answer", "0 answer_missing: " +
				"/stages/0/questions/0/answer",
				"0 number_out_of_range: /stages/0/questions/0/points", "0 points_invalid: /stages/0/questions/0/points",
				"0 number_out_of_range: /stages/0/questions/0/tolerance"}},
		{name: "a part of a key is not known",
			text: `{"stages":[{"title":"s","questions":[{"type":"MULTIPLE_CHOICE","prompt":"m","points":1,` +
				`"options":[{"id":"a","text":"x"},` +
				`{"id":"b","text":"y"}],"correctOptionIds":["a","z"],"partialCredit":true}]}]}`,
			want: []string{"M: m = x / y"}, notes: []string{"0 answer_unknown: /stages/0/questions/0/correctOptionIds/1"}},
		{name: "no objects", text: `{"stages":[7,{"title":"s","questions":["x"],"gate":{"required":true}}]}`,
			notes: []string{"0 field_invalid: /stages/0", "0 field_invalid: /stages/1/gate/minScore",
				"0 not_understood: /stages/1/questions/0"}},
		{name: "a prompt that is too long", text: strings.Replace(questionJSON(``), "Which?", strings.Repeat("x", 10_001), 1),
			notes: []string{"0 text_too_long: /stages/0/questions/0/prompt", "0 key_missing: " +
				"/stages/0/questions/0/correctOptionId"}},
		{name: "settings", text: `{"stages":[],"passingScore":"high","later":1,"title":"t"}`,
			notes: []string{"0 field_unknown: /later", `0 field_invalid: /passingScore "high"`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			imported, err := Read(Source{Content: []byte(row.text)})
			if err != nil {
				t.Fatal(err)
			}
			if got := briefOf(imported); !slices.Equal(got, row.want) {
				t.Errorf("questions\n%q, want\n%q", got, row.want)
			}
			got := noteBriefs(imported)
			slices.Sort(got)
			slices.Sort(row.notes)
			if !slices.Equal(got, row.notes) {
				t.Errorf("notes\n%q, want\n%q", got, row.notes)
			}
		})
	}
}

// What is exported and imported again is equal, without the ids of stages and questions.
func TestAssayJSONIsEqual(t *testing.T) {
	a := fullAssessment()
	file, err := Write(AssayJSON, a)
	if err != nil {
		t.Fatal(err)
	}
	imported, err := Read(Source{Content: file.Content})
	if err != nil {
		t.Fatal(err)
	}
	d := imported.Draft
	if !reflect.DeepEqual(d.Stages, a.Stages) || d.Title != a.Title || d.Description != a.Description {
		t.Errorf("%s\nwant\n%s", asJSON(d.Stages), asJSON(a.Stages))
	}
	if got := asJSON(d.Settings); got != `{"grading":{"graders":2},"passingScore":70,"shuffleOptions":true}` {
		t.Errorf("settings %s", got)
	}
	if got := noteBriefs(imported); len(got) > 0 {
		t.Errorf("notes %q", got)
	}
}

func TestAssayJSONLimits(t *testing.T) {
	question := `{"type":"FREE_TEXT","prompt":"x","points":1}`
	many := strings.Repeat(question+",", 501) + question
	imported, err := Read(Source{Content: []byte(`{"stages":[{"title":"s","questions":[` + many + `]}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(imported.Draft.Stages[0].Questions); got != 500 {
		t.Errorf("%d questions", got)
	}
	want := []string{"0 too_many_questions: /stages/0/questions/500", "0 too_many_questions: /stages/0/questions/501"}
	if got := noteBriefs(imported); !slices.Equal(got, want) {
		t.Errorf("notes %q", got)
	}
	stages := strings.Repeat(`{"title":"s"},`, 50) + `{"title":"s"}`
	imported, err = Read(Source{Content: []byte(`{"stages":[` + stages + `]}`)})
	if err != nil || len(imported.Draft.Stages) != 50 || fmt.Sprint(noteBriefs(imported)) != "[0 too_many_stages: "+
		"/stages/50]" {
		t.Errorf("%v, %d stages, notes %q", err, len(imported.Draft.Stages), noteBriefs(imported))
	}
	for _, text := range []string{``, `{}`, `[]`, `{"stages"`, `{"data":{}}`, `null`} {
		if _, err := Read(Source{Content: []byte(text), Options: Options{Format: AssayJSON}}); !errors.Is(err, ErrDamaged) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
