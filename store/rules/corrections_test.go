package rules

import (
	"math"
	"slices"
	"testing"
)

func TestCorrectedPoints(t *testing.T) {
	t.Parallel()
	single := Question{ID: "q", Type: SingleChoice, Points: 2, CorrectOptionID: new("a"),
		Options: []Option{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
	key := func(id string) *AnswerKey { return &AnswerKey{CorrectOptionID: &id} }
	replace := func(id string, policy CorrectionPolicy) Correction {
		return Correction{QuestionID: "q", Action: ReplaceKey, Key: key(id), Policy: policy}
	}
	also := Correction{QuestionID: "q", Action: AcceptAlso, Key: key("b"), Policy: NeverLower}
	full := Correction{QuestionID: "q", Action: FullPoints, Policy: Exact}
	exclude := func(policy CorrectionPolicy) Correction {
		return Correction{QuestionID: "q", Action: Exclude, Policy: policy}
	}
	other := Correction{QuestionID: "other", Action: FullPoints, Policy: Exact}
	for _, row := range []struct {
		name        string
		corrections []Correction
		points      map[string]float64 // by the chosen option; "" is no answer
		max         float64
		by          ScoredBy
	}{
		{"none", nil, map[string]float64{"a": 2, "b": 0, "": 0}, 2, ByKey},
		{"of another question", []Correction{other}, map[string]float64{"a": 2, "b": 0, "": 0}, 2, ByKey},
		{"exact", []Correction{replace("b", Exact)}, map[string]float64{"a": 0, "b": 2, "": 0}, 2, ByCorrection},
		{"never lower", []Correction{replace("b", NeverLower)}, map[string]float64{"a": 2, "b": 2, "c": 0}, 2, ByCorrection},
		{"also", []Correction{also}, map[string]float64{"a": 2, "b": 2, "c": 0, "": 0}, 2, ByCorrection},
		{"full", []Correction{full}, map[string]float64{"a": 2, "b": 2, "": 2}, 2, ByCorrection},
		{"excluded", []Correction{exclude(Exact)}, map[string]float64{"a": 0, "b": 0, "": 0}, 0, ByExclusion},
		{"excluded, never lower", []Correction{exclude(NeverLower)}, map[string]float64{"a": 2, "b": 0}, 0, ByExclusion},
		{"replaced twice", []Correction{replace("b", Exact), replace("c", Exact)},
			map[string]float64{"a": 0, "b": 0, "c": 2}, 2, ByCorrection},
		{"replaced twice, never lower", []Correction{replace("b", NeverLower), replace("c", NeverLower)},
			map[string]float64{"a": 2, "b": 2, "c": 2, "": 0}, 2, ByCorrection},
		{"replaced after also", []Correction{also, replace("c", Exact)},
			map[string]float64{"a": 0, "b": 0, "c": 2}, 2, ByCorrection},
		{"counted again", []Correction{exclude(Exact), replace("b", Exact)},
			map[string]float64{"a": 0, "b": 2}, 2, ByCorrection},
	} {
		for option, want := range row.points {
			var answer *Answer
			if option != "" {
				answer = &Answer{OptionID: &option}
			}
			got := gradeCorrected(single, answer, row.corrections)
			if got.Points != want || got.MaxPoints != row.max || got.ScoredBy != row.by {
				t.Errorf("%s: %q gives %v of %v by %s, want %v of %v by %s",
					row.name, option, got.Points, got.MaxPoints, got.ScoredBy, want, row.max, row.by)
			}
		}
	}
}

// Whatever is corrected, no score may fall if every correction never lowers, and a session
// that is scored step by step must have the score of one that is scored from scratch.
func TestCorrectionsNeverLower(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	for range 2000 {
		d := randomDefinition(r)
		s := Scoring{Definition: d, Answers: map[string]Answer{}, PassingScore: new(50.0)}
		var questions []Question
		for _, stage := range d.Stages {
			for _, question := range stage.Questions {
				s.Answers[question.ID] = randomAnswer(r, question)
				questions = append(questions, question)
			}
		}
		p := StartProgress(d, Limits{}, minute(0))
		for at := 1.0; p.Status == SessionInProgress; at++ {
			p.StartStage(s, minute(at))
			p.Submit(s, minute(at))
		}
		for range 5 {
			q := questions[r.IntN(len(questions))]
			c := Correction{QuestionID: q.ID, Policy: NeverLower,
				Action: []CorrectionAction{ReplaceKey, AcceptAlso, FullPoints, Exclude}[r.IntN(4)]}
			if c.Action.NeedsKey() {
				key := questions[r.IntN(len(questions))]
				if key.Type != q.Type || len(CorrectionFaults(q, Correction{Action: c.Action, Key: keyOf(key)})) > 0 {
					continue
				}
				c.Key = keyOf(key)
			}
			next := s
			next.Corrections = append(slices.Clone(s.Corrections), c)
			if len(next.RemainingFaults()) > 0 {
				continue
			}
			before := p
			s = next
			p.Rescore(s)
			if *p.Score < *before.Score {
				t.Fatalf("%+v: the score falls from %v to %v", c, *before.Score, *p.Score)
			}
			if again := p; true {
				again.Rescore(s)
				if *again.Score != *p.Score || *again.Points != *p.Points {
					t.Fatalf("scored again, %v is %v", *p.Score, *again.Score)
				}
			}
		}
	}
}

func keyOf(q Question) *AnswerKey {
	return &AnswerKey{CorrectOptionID: q.CorrectOptionID, CorrectOptionIDs: q.CorrectOptionIDs, Answer: q.Answer,
		Tolerance: q.Tolerance, AcceptedAnswers: q.AcceptedAnswers}
}

func TestGradesDecide(t *testing.T) {
	t.Parallel()
	q := Question{ID: "q", Type: ShortText, Points: 4, AcceptedAnswers: []string{"right"}}
	d := Definition{Stages: []Stage{{ID: "s", Questions: []Question{q}}}}
	saved, late := Answer{Text: new("wrong")}, Answer{Text: new("right")}
	for _, row := range []struct {
		name        string
		grade       *Grade
		corrections []Correction
		points, max float64
		by          ScoredBy
	}{
		{"none", nil, nil, 0, 4, ByKey},
		{"points", &Grade{Points: new(2.5)}, nil, 2.5, 4, ByPerson},
		{"points over a correction", &Grade{Points: new(1.0)},
			[]Correction{{QuestionID: "q", Action: FullPoints, Policy: Exact}}, 1, 4, ByPerson},
		{"another answer", &Grade{Answer: &late}, nil, 4, 4, ByPerson},
		{"another answer by the corrected key", &Grade{Answer: &late}, []Correction{{QuestionID: "q", Action: ReplaceKey,
			Policy: Exact, Key: &AnswerKey{AcceptedAnswers: []string{"wrong"}}}}, 0, 4, ByPerson},
		{"of an excluded question", &Grade{Points: new(2.5)},
			[]Correction{{QuestionID: "q", Action: Exclude, Policy: Exact}}, 0, 0, ByExclusion},
	} {
		s := Scoring{Definition: d, Answers: map[string]Answer{"q": saved}, Corrections: row.corrections}
		if row.grade != nil {
			s.Grades = map[string]Grade{"q": *row.grade}
		}
		got := s.Stage(0).Questions[0]
		if got.Points != row.points || got.MaxPoints != row.max || got.ScoredBy != row.by {
			t.Errorf("%s: %v of %v by %s, want %v of %v by %s",
				row.name, got.Points, got.MaxPoints, got.ScoredBy, row.points, row.max, row.by)
		}
	}
}

// Sessions that are added and removed in any order must leave the statistics of the sessions that remain.
func TestStatisticsWithoutRemovedSessions(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	for range 100 {
		d := randomDefinition(r)
		var all, remaining Statistics
		all.Fit(d)
		remaining.Fit(d)
		var removed []Finished
		for range 30 {
			answers := map[string]Answer{}
			for _, stage := range d.Stages {
				for _, question := range stage.Questions {
					answers[question.ID] = randomAnswer(r, question)
				}
			}
			finished := finish(r, d, answers)
			all.Add(d, finished)
			if r.IntN(2) == 0 {
				removed = append(removed, finished)
			} else {
				remaining.Add(d, finished)
			}
		}
		for _, finished := range removed {
			all.Remove(d, finished)
		}
		if all.Passed != remaining.Passed || all.Durations.Count() != remaining.Durations.Count() {
			t.Fatalf("%+v, want %+v", all, remaining)
		}
		for i := range d.Stages {
			for j := range d.Stages[i].Questions {
				got, want := all.Stages[i].Questions[j], remaining.Stages[i].Questions[j]
				if got.Answered != want.Answered || !slices.Equal(got.Chosen, want.Chosen) ||
					math.Abs(got.Points-want.Points) > 1e-9 {
					t.Fatalf("question %d: %+v, want %+v", j, got, want)
				}
				gotR, wantR := got.Pairs.Correlation(), want.Pairs.Correlation()
				if (gotR == nil) != (wantR == nil) || gotR != nil && math.Abs(*gotR-*wantR) > 1e-4 {
					t.Fatalf("correlation of question %d: %v, want %v (%+v, %+v)", j, gotR, wantR, got.Pairs, want.Pairs)
				}
			}
		}
	}
}
