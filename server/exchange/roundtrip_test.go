package exchange

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/store/markdown"
	"assay/store/rules"
)

// randomTexts are Markdown, with everything that a question can contain.
var randomTexts = []string{
	"What?", "**Which** *one*?", "`a := b`", "```go\nif x {\n\ty()\n}\n```", "- a\n- b", "1. a\n2. b",
	"| a | b |\n| --- | --- |\n| 1 | 2 |",
	"a < b & c", "`<br>` & `]]>`", "2¹⁰ = 1024", "snake\\_case \\*x\\*", "one\n\ntwo", "> quoted", "## Title\n\nText",
	"3 * 4",
	"x\\\ny", "[link](https://a.example/x?a=1&b=2)", "äöü 漢字 \U0001F600", "![A tree](media:med_1)", "costs $5", "# 1",
	"A. x", "1\\. x",
	"***both***", "`` ` ``", "\\<b\\>", "&amp;amp;", "~~~\na\n\n  b\n~~~", "Text\n\n- a\n\n  b",
	"$x^2$", "The area is $\\pi r^2$, roughly.", "$$\\int_0^1 x\\,dx$$", "If $a < b$ & $c > d$", "`$x$` is code",
	"costs \\$5 or \\$10", "$$\na + b\n- c\n$$", "**bold $x$** and *$y$*", "- $a$\n- $b_1$ and $b_2$",
	"$a$, $b$", "$x$-axis",
	"| a | b |\n| --- | --- |\n| $x$ | $\\lvert y \\rvert$ |",
	"$\\text{if } x$\n\n![A tree](media:med_1)\n\n$y$", "$a$ $b$",
	"Text ![A tree](media:med_1) text", "# The $x$", "> $x$", "[$x$](https://a.example)", "$\\backslash$ and $\\{\\}$",
}

func randomText(r *rand.Rand) string { return randomTexts[r.IntN(len(randomTexts))] }

func randomExport(r *rand.Rand) []rules.Stage {
	var stages []rules.Stage
	for i := range 1 + r.IntN(3) {
		stage := rules.Stage{Title: fmt.Sprintf("Stage %d / ä & <b>", i)}
		if r.IntN(2) == 0 {
			stage.TimeLimitMinutes = new(1 + r.IntN(90))
		}
		if r.IntN(2) == 0 {
			stage.Description = new(randomText(r))
		}
		for range 1 + r.IntN(5) {
			stage.Questions = append(stage.Questions, randomExported(r))
		}
		stages = append(stages, stage)
	}
	return stages
}

func randomExported(r *rand.Rand) rules.Question {
	q := rules.Question{Prompt: randomText(r), Points: []float64{0.5, 1, 2, 2.25, 10}[r.IntN(5)]}
	if r.IntN(2) == 0 {
		q.Explanation = new(randomText(r))
	}
	n := 2 + r.IntN(5)
	for i := range n {
		q.Options = append(q.Options, rules.Option{ID: optionID(i), Text: randomText(r)})
	}
	switch r.IntN(5) {
	case 0:
		q.Type, q.CorrectOptionID = rules.SingleChoice, &q.Options[r.IntN(n)].ID
	case 1:
		q.Type, q.PartialCredit = rules.MultipleChoice, r.IntN(2) == 0
		for _, option := range q.Options[:1+r.IntN(n)] {
			q.CorrectOptionIDs = append(q.CorrectOptionIDs, option.ID)
		}
	case 2:
		q.Type, q.Answer, q.Tolerance = rules.Numeric, new(float64(r.IntN(2000)-1000)/8), float64(r.IntN(3))/4
	case 3:
		q.Type, q.AcceptedAnswers, q.CaseSensitive = rules.ShortText, []string{"a*b", "<x> & \"y\""}, r.IntN(2) == 0
	case 4:
		q.Type, q.MaxWords = rules.FreeText, new(100)
		q.Rubric = []rules.Criterion{{ID: "grading", Title: "Grading", Points: q.Points, Description: new("Look.")}}
	}
	if !q.HasOptions() {
		q.Options = nil
	}
	return q
}

// What survives a format, apart from the form of Markdown. The rows are the differences.
var afterRoundTrip = map[Format]func(s *rules.Stage, q *rules.Question){
	MoodleXML: func(s *rules.Stage, q *rules.Question) {
		s.TimeLimitMinutes = nil
		q.PartialCredit = q.Type == rules.MultipleChoice // Moodle always gives a part of the points
	},
	QTI22: func(_ *rules.Stage, q *rules.Question) { q.MaxWords = nil },
	QTI30: func(_ *rules.Stage, q *rules.Question) { q.MaxWords = nil },
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("rand.NewPCG(%d, 0)", seed)
	r, show := rand.New(rand.NewPCG(seed, 0)), shower()
	picture := contentOf(t, pixel)
	for format, after := range afterRoundTrip {
		for range 60 {
			stages := randomExport(r)
			file, err := Write(format, Assessment{Title: "An <assessment> & more", Locale: "en", Stages: stages,
				Picture: func(id string) (Picture, bool) { return Picture{Ref: id, Content: picture}, id == "med_1" }})
			if err != nil {
				t.Fatal(err)
			}
			imported, err := Read(Source{Content: file.Content, FileName: "x" + file.Extension})
			if err != nil {
				t.Fatal(err)
			}
			if format != MoodleXML && imported.Draft.Title != "An <assessment> & more" {
				t.Errorf("%s: title %q", format, imported.Draft.Title)
			}
			for i := range stages {
				for j := range stages[i].Questions {
					after(&stages[i], &stages[i].Questions[j])
				}
			}
			want, got := rendered(t, show, stages), rendered(t, show, imported.Draft.Stages)
			if got != want {
				t.Fatalf("%s:\n%s\nwant\n%s", format, got, want)
			}
			for _, item := range imported.Report.Questions {
				for _, n := range item.Notes {
					if n.Code != PenaltyDropped {
						t.Errorf("%s: %+v of %s", format, n, item.Excerpt)
					}
				}
			}
		}
	}
}

// shower returns a function that replaces a text with what it shows. Formulas take time, so each text is rendered once.
func shower() func(text *string) {
	renderer, known := markdown.New(), map[string]string{}
	pictures := markdown.Pictures{"med_1": {URL: "/tree", Width: 1, Height: 1}}
	return func(text *string) {
		if text == nil {
			return
		}
		source := strings.ReplaceAll(*text, "media:import-1", "media:med_1")
		if _, isKnown := known[source]; !isKnown {
			shown := renderer.WithFormulas(source, pictures, markdown.NewAllowance()).HTML
			known[source] = strings.ReplaceAll(shown, "\n", "")
		}
		*text = known[source]
	}
}

// rendered returns stages with their Markdown as HTML: two texts that show the same are the same.
func rendered(t *testing.T, show func(text *string), stages []rules.Stage) string {
	t.Helper()
	encoded, err := json.Marshal(stages)
	if err != nil {
		t.Fatal(err)
	}
	var all []rules.Stage
	if err := json.Unmarshal(encoded, &all); err != nil {
		t.Fatal(err)
	}
	for i := range all {
		show(all[i].Description)
		for j := range all[i].Questions {
			q := &all[i].Questions[j]
			show(&q.Prompt)
			show(q.Explanation)
			for k := range q.Options {
				show(&q.Options[k].Text)
			}
		}
	}
	encoded, err = json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}
