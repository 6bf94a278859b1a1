package exchange

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/store/rules"
)

// fullAssessment has a value other than the zero value in each field of the survival table.
func fullAssessment() Assessment {
	a := Assessment{Title: "Food safety", Description: "For cooks.", Locale: "en", Stages: []rules.Stage{
		{Title: "Temperatures", Description: new("What is safe."), TimeLimitMinutes: new(10),
			Gate: &rules.Gate{Required: true, MinScore: 50, OnFail: rules.OnFailReview}, Questions: []rules.Question{
				{Type: rules.SingleChoice, Prompt: "Which?\n\n```\nif x:\n    y\n```", Points: 1.234, Explanation: new("So."),
					Options:         []rules.Option{{ID: "low", Text: "41 °C; *p"}, {ID: "high", Text: "=1+1"}},
					CorrectOptionID: new("high")},
				{Type: rules.MultipleChoice, Prompt: "Which two?", Points: 4,
					Options:          []rules.Option{{ID: "x", Text: "B"}, {ID: "y", Text: "A"}, {ID: "z", Text: "C"}},
					CorrectOptionIDs: []string{"x", "z"}, PartialCredit: true},
				{Type: rules.MultipleChoice, Prompt: "All or nothing?", Points: 1,
					Options:          []rules.Option{{ID: "x", Text: "1"}, {ID: "y", Text: "2"}, {ID: "z", Text: "3"}},
					CorrectOptionIDs: []string{"y", "z"}},
			}},
		{Title: "Texts", Questions: []rules.Question{
			{Type: rules.Numeric, Prompt: "How much?", Points: 1, Answer: new(-1.234), Tolerance: 0.5},
			{Type: rules.ShortText, Prompt: "Who?", Points: 1, AcceptedAnswers: []string{"a | b; c", "'d'"}, CaseSensitive: true},
			{Type: rules.ShortText, Prompt: "What code?", Points: 1, AcceptedAnswers: []string{"x"}, ExactMatch: new(true)},
			{Type: rules.FreeText, Prompt: "Why?", Points: 3, MaxWords: new(200), Rubric: []rules.Criterion{
				{ID: "cause", Title: "Names the cause", Points: 2.5, Description: new("The cable.\n\n  Or the plug.")},
				{ID: "tone", Title: "Is polite", Points: 0.5}}},
		}},
	}}
	a.JSON = responseOf(a)
	return a
}

// responseOf is what GET /v1/assessments/{id} answers: the fields of other types are null, and HTML is beside Markdown.
func responseOf(a Assessment) []byte {
	data := map[string]any{
		"id": "asm_1", "title": a.Title, "description": a.Description, "descriptionHtml": "<p></p>", "status": "DRAFT",
		"passingScore": 70, "shuffleOptions": true, "redirectUrl": nil, "stageCount": len(a.Stages), "grading": map[string]any{"graders": 2},
	}
	stages := []any{}
	for i, stage := range a.Stages {
		questions := []any{}
		for j, q := range stage.Questions {
			plain := decodedMap(q)
			plain["id"], plain["order"], plain["promptHtml"] = fmt.Sprintf("qst_%d_%d", i, j), j+1, "<p></p>"
			for _, name := range []string{"options", "correctOptionId", "correctOptionIds", "partialCredit", "answer", "tolerance",
				"acceptedAnswers", "caseSensitive", "exactMatch", "maxWords", "rubric"} {
				if _, found := plain[name]; !found {
					plain[name] = nil
				}
			}
			questions = append(questions, plain)
		}
		plain := decodedMap(stage)
		plain["id"], plain["order"], plain["questions"], plain["descriptionHtml"] = fmt.Sprintf("stg_%d", i), i+1, questions, nil
		if stage.Gate != nil {
			plain["gate"].(map[string]any)["onFail"] = string(stage.Gate.WhenFailed())
		}
		stages = append(stages, plain)
	}
	data["stages"] = stages
	encoded, err := json.Marshal(map[string]any{"data": data})
	if err != nil {
		panic(err)
	}
	return encoded
}

func decodedMap(from any) (made map[string]any) {
	encoded, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(encoded, &made)
	}
	if err != nil {
		panic(err)
	}
	return made
}

// fieldsOf returns the values of the fields of the survival table.
func fieldsOf(title, description string, settings int, stages []rules.Stage) map[string][]any {
	fields := map[string][]any{"title": {title}, "description": {description}, "settings": {settings > 0}}
	add := func(name string, values ...any) {
		for _, one := range values {
			if pointer := reflect.ValueOf(one); pointer.Kind() == reflect.Pointer && !pointer.IsNil() {
				one = pointer.Elem().Interface()
			}
			fields[name] = append(fields[name], one)
		}
	}
	for _, stage := range stages {
		add("stages[].title", stage.Title)
		add("stages[].description", stage.Description)
		add("stages[].timeLimitMinutes", stage.TimeLimitMinutes)
		add("stages[].gate", stage.Gate)
		for _, q := range stage.Questions {
			add("questions[].type", q.Type)
			add("questions[].prompt", q.Prompt)
			add("questions[].points", q.Points)
			add("questions[].explanation", q.Explanation)
			ids := []string{}
			for _, option := range q.Options {
				ids = append(ids, option.ID)
				add("options[].id", option.ID)
				add("options[].text", option.Text)
			}
			at := func(id string) int { return slices.Index(ids, id) }
			if q.CorrectOptionID != nil {
				add("correctOptionId", at(*q.CorrectOptionID))
			}
			for _, id := range q.CorrectOptionIDs {
				add("correctOptionIds", at(id))
			}
			add("partialCredit", q.PartialCredit)
			add("answer", q.Answer)
			add("tolerance", q.Tolerance)
			add("acceptedAnswers", strings.Join(q.AcceptedAnswers, "\x00"))
			add("caseSensitive", q.CaseSensitive)
			add("exactMatch", q.ExactMatch)
			add("maxWords", q.MaxWords)
			for _, criterion := range q.Rubric {
				add("rubric[].id", criterion.ID)
				add("rubric[].title", criterion.Title)
				add("rubric[].points", criterion.Points)
				add("rubric[].description", criterion.Description)
			}
		}
	}
	return fields
}

// Each row of the table is true: a field that is kept is equal after writing and reading, and another one is not.
func TestSurvival(t *testing.T) {
	a := fullAssessment()
	before := fieldsOf(a.Title, a.Description, 1, a.Stages)
	for _, w := range writers {
		file, err := Write(w.format, a)
		if err != nil {
			t.Fatal(err)
		}
		imported, err := Read(Source{Content: file.Content, FileName: "exported" + file.Extension})
		if err != nil {
			t.Fatalf("%s: %v", w.format, err)
		}
		d := imported.Draft
		after := fieldsOf(d.Title, d.Description, len(d.Settings), d.Stages)
		for _, field := range survivalFields {
			said, found := survivalOf(w.format, field)
			if !found {
				t.Fatalf("the table has no row for %s", w.format)
			}
			if got := reflect.DeepEqual(before[field], after[field]); got != (said == Kept) {
				t.Errorf("%s %s is %s: %v before, %v after", w.format, field, said, before[field], after[field])
			}
		}
		for field := range survival[w.format] {
			if !slices.Contains(survivalFields, field) {
				t.Errorf("%s: %s is no field", w.format, field)
			}
		}
	}
	if fields := slices.Sorted(maps.Keys(before)); !slices.Equal(fields, slices.Sorted(slices.Values(survivalFields))) {
		t.Errorf("the test has the fields %q", fields)
	}
}

// The guide has the table.
func TestSurvivalInTheGuide(t *testing.T) {
	guide, err := os.ReadFile("../../gen/guide/79-questions-in-and-out.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := survivalMarkdown(); !strings.Contains(string(guide), want) {
		t.Errorf("the guide must contain\n%s", want)
	}
}

// survivalMarkdown writes the table for the guide, with a column for each format that can be written.
func survivalMarkdown() string {
	var text strings.Builder
	text.WriteString("| field |")
	for _, w := range writers {
		text.WriteString(" `" + string(w.format) + "` |")
	}
	text.WriteString("\n|---|" + strings.Repeat("---|", len(writers)) + "\n")
	for _, field := range survivalFields {
		text.WriteString("| `" + field + "` |")
		for _, w := range writers {
			said, _ := survivalOf(w.format, field)
			text.WriteString(" " + string(said) + " |")
		}
		text.WriteString("\n")
	}
	return text.String()
}

// hostileTexts are parts of texts that a format could take for its own signs.
var hostileTexts = []string{
	"a", "B", "=1+1", "'=x", "''-2", "@", "+", "*", "**b**", "*e", "x*", "(correct)", "[x] y", "A) b", "1", "1.234", "1,000",
	"TRUE", "sep=;", "\"", "\"\"", ",", ";", "|", "\t", "\n", "\n\n", "    code", "```\n  x\n```", "_x0041_", "<b>&amp;</b>",
	"ä€😀", "{=a ~b}", "::", "$x$", "\\", "#", "%", "2: x", " - ", "and", "über", "'", "'-' , '+'", "]]>", "null", "-5", "\r\n",
}

// randomAssessment makes an assessment that the contract accepts.
func randomAssessment(r *rand.Rand) Assessment {
	text := func(most int) string {
		var made string
		for range 1 + r.IntN(most) {
			made += hostileTexts[r.IntN(len(hostileTexts))]
		}
		if made = cleanText(made); made == "" {
			return "x"
		}
		return made
	}
	line := func() string { return oneLine(text(3)) }
	perhaps := func() *string {
		if r.IntN(2) == 0 {
			return nil
		}
		return new(text(5))
	}
	a := Assessment{Title: line()}
	for i := range 1 + r.IntN(3) {
		stage := rules.Stage{Title: fmt.Sprintf("%s %d", line(), i), Questions: []rules.Question{}}
		for range 1 + r.IntN(5) {
			stage.Questions = append(stage.Questions, randomQuestion(r, text, line, perhaps))
		}
		a.Stages = append(a.Stages, stage)
	}
	a.JSON = responseOf(a)
	return a
}

func randomQuestion(r *rand.Rand, text func(int) string, line func() string, perhaps func() *string) rules.Question {
	numbers := []float64{0, 1, 1.234, -1.5, 1000, 1e15, 0.000001, 123456.789, 2.5}
	number := func() float64 { return numbers[r.IntN(len(numbers))] }
	q := rules.Question{Prompt: text(6), Points: []float64{0, 1, 2.5, 1.125, 1000}[r.IntN(5)], Explanation: perhaps()}
	options := func() (ids []string) {
		for i := range 2 + r.IntN(maxOptions-1) {
			ids = append(ids, optionID(i))
			q.Options = append(q.Options, rules.Option{ID: optionID(i), Text: text(3)})
		}
		return ids
	}
	switch r.IntN(5) {
	case 0:
		q.Type = rules.SingleChoice
		if ids := options(); r.IntN(4) > 0 {
			q.CorrectOptionID = &ids[r.IntN(len(ids))]
		}
	case 1:
		q.Type, q.PartialCredit, q.CorrectOptionIDs = rules.MultipleChoice, r.IntN(2) == 0, []string{}
		for _, id := range options() {
			if r.IntN(3) == 0 {
				q.CorrectOptionIDs = append(q.CorrectOptionIDs, id)
			}
		}
	case 2:
		q.Type, q.Answer, q.Tolerance = rules.Numeric, new(number()), max(0, number())
	case 3:
		q.Type, q.AcceptedAnswers, q.CaseSensitive = rules.ShortText, []string{}, r.IntN(2) == 0
		for i := range 1 + r.IntN(30) {
			q.AcceptedAnswers = append(q.AcceptedAnswers, text(2)+fmt.Sprint(i))
		}
		if !q.CaseSensitive && r.IntN(2) == 0 {
			q.ExactMatch = new(true)
		}
	default:
		q.Type = rules.FreeText
		if r.IntN(2) == 0 {
			q.MaxWords = new(1 + r.IntN(500))
		}
		for i := range r.IntN(4) {
			q.Rubric = append(q.Rubric, rules.Criterion{ID: optionID(i), Title: line(), Points: max(0, min(1000, number())), Description: perhaps()})
		}
	}
	return q
}

// What tables and Assay JSON carry is equal after writing and reading.
func FuzzRoundTrip(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		a := randomAssessment(rand.New(rand.NewPCG(seed, 1))) //nolint:gosec // not a secret
		for _, format := range []Format{CSV, XLSX, AssayJSON} {
			file, err := Write(format, a)
			if err != nil {
				t.Fatal(err)
			}
			imported, err := Read(Source{Content: file.Content})
			if err != nil || imported.Report.Format != format {
				t.Fatalf("%s: %v, read as %s", format, err, imported.Report.Format)
			}
			for i, stage := range imported.Draft.Stages {
				for j, got := range stage.Questions {
					if want := a.Stages[i].Questions[j]; asJSON(got) != asJSON(want) {
						t.Errorf("%s, seed %d:\n%s, want\n%s", format, seed, asJSON(got), asJSON(want))
					}
				}
				if stage.Title != a.Stages[i].Title || len(stage.Questions) != len(a.Stages[i].Questions) {
					t.Errorf("%s: stage %q with %d questions, want %q", format, stage.Title, len(stage.Questions), a.Stages[i].Title)
				}
			}
			if len(imported.Draft.Stages) != len(a.Stages) {
				t.Errorf("%s: %d stages, want %d: %q", format, len(imported.Draft.Stages), len(a.Stages), noteBriefs(imported))
			}
		}
	})
}

func asJSON(from any) string {
	encoded, err := json.Marshal(from)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}
