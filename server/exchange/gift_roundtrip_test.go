package exchange

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"assay/store/rules"
)

// giftTexts are parts of texts that GIFT could take for its own marks.
var giftTexts = []string{
	"a", "B", "=", "~", "#", "####", "{", "}", ":", "::", "::a::", "\\", "\\n", "\n", "\n\n", "%50%", "%", "[html]",
	"[plain]", "[", "->", "//",
	"*", "**b**", "`x`", "T", "TRUE", "F", "$CATEGORY: x", "$x$", "<b>", "&amp;", " ", "  x", "\t", "1", "1..2",
	"ä😀", "```\n  x\n```", "_", "|",
}

func giftRandomText(r *rand.Rand) string {
	text := ""
	for range 1 + r.IntN(6) {
		text += giftTexts[r.IntN(len(giftTexts))]
	}
	if text = cleanText(text); text == "" {
		return "x"
	}
	return text
}

func giftRandomQuestion(r *rand.Rand) rules.Question {
	q := rules.Question{Prompt: giftRandomText(r), Points: 1}
	if r.IntN(2) == 0 {
		q.Explanation = new(giftRandomText(r))
	}
	options := 1 + r.IntN(maxOptions)
	switch r.IntN(5) {
	case 0:
		q.Type = rules.SingleChoice
		if r.IntN(4) > 0 {
			q.CorrectOptionID = new(optionID(r.IntN(options)))
		}
	case 1:
		options++
		q.Type, q.PartialCredit, q.CorrectOptionIDs = rules.MultipleChoice, true, []string{}
		for i := range min(options, maxOptions) {
			if r.IntN(3) == 0 {
				q.CorrectOptionIDs = append(q.CorrectOptionIDs, optionID(i))
			}
		}
	case 2:
		q.Type = rules.Numeric
		if r.IntN(4) > 0 {
			q.Answer, q.Tolerance = new(r.NormFloat64()*1e6), float64(r.IntN(3))/8
		}
	case 3:
		q.Type, q.AcceptedAnswers = rules.ShortText, []string{}
		for i := range r.IntN(maxAccepted) {
			q.AcceptedAnswers = append(q.AcceptedAnswers, oneLine(fmt.Sprintf("%s%d", giftRandomText(r), i)))
		}
	default:
		q.Type = rules.FreeText
	}
	if q.HasOptions() {
		for i := range min(options, maxOptions) {
			q.Options = append(q.Options, rules.Option{ID: optionID(i), Text: giftRandomText(r)})
		}
	}
	return q
}

// What GIFT has is equal after writing and reading: everything except points, rubrics, and the like.
func FuzzGIFTRoundTrip(f *testing.F) {
	for seed := range uint64(500) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		var a Assessment
		for i := range 1 + r.IntN(3) {
			stage := rules.Stage{Title: oneLine(giftRandomText(r)) + fmt.Sprint(i)}
			for range 1 + r.IntN(4) {
				stage.Questions = append(stage.Questions, giftRandomQuestion(r))
			}
			a.Stages = append(a.Stages, stage)
		}
		file, err := Write(GIFT, a)
		if err != nil {
			t.Fatal(err)
		}
		imported, err := Read(Source{Content: file.Content, FileName: "a.gift"})
		if err != nil {
			t.Fatal(err)
		}
		read := imported.Draft.Stages
		if len(read) != len(a.Stages) {
			t.Fatalf("%d stages are written, and %d are read:\n%s", len(a.Stages), len(read), file.Content)
		}
		for i, stage := range a.Stages {
			if read[i].Title != stage.Title || len(read[i].Questions) != len(stage.Questions) {
				t.Fatalf("stage %q with %d questions is read as %q with %d questions:\n%s", stage.Title,
					len(stage.Questions), read[i].Title, len(read[i].Questions), file.Content)
			}
			for j, q := range stage.Questions {
				if !reflect.DeepEqual(read[i].Questions[j], q) {
					t.Errorf("read:\n%s\nwant:\n%s\nof:\n%s", encoded(t, read[i].Questions[j]), encoded(t, q), file.Content)
				}
			}
		}
	})
}

func encoded(t *testing.T, q rules.Question) string {
	t.Helper()
	text, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
