package rules

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// judged returns a stage with a choice and a free text of one point each. Their ids are those
// of the stage, and of the stage with a t.
func judged(id string, limit int, gate *Gate) Stage {
	s := stage(id, limit, gate)
	s.Questions = append(s.Questions, essay(id+"t", 1))
	return s
}

// reviewRow performs events on a session whose free texts in written are answered. An event is a
// verb of progressRow with its time, or "grade:QUESTION:POINTS", "pass:STAGE", "stop:STAGE",
// "full:QUESTION", "reopen:POSITION", or "cancel".
type reviewRow struct {
	name    string
	limit   int // minutes for the session; 0 is no limit
	stages  []Stage
	correct string // ids of the choices that are answered correctly
	written string // ids of the free texts that are answered
	events  []event
	want    []string // the lines of summary
	review  string   // what the session waits for, as reviewSummary writes it
}

func reviewSummary(p Progress, s Scoring) string {
	stageID, questions := p.Waits(s)
	var out strings.Builder
	if p.Review != nil {
		fmt.Fprintf(&out, "since=%v at=%q ", p.Review.Since.Sub(minute(0)).Minutes(), p.Review.StageID)
		if p.Review.End != nil {
			fmt.Fprintf(&out, "end=%s ", *p.Review.End)
		}
	}
	if p.DecidedAt != nil {
		fmt.Fprintf(&out, "decided=%v ", p.DecidedAt.Sub(minute(0)).Minutes())
	}
	fmt.Fprintf(&out, "ruling=%q grades=%v by=%s", stageID, questions, p.DecidedBy(s))
	return out.String()
}

func (row reviewRow) run(t *testing.T) (Progress, Scoring) {
	t.Helper()
	s := Scoring{Definition: Definition{Stages: row.stages}, Answers: map[string]Answer{}, Grades: map[string]Grade{},
		PassingScore: new(50.0)}
	for _, id := range strings.Fields(row.correct) {
		s.Answers[id] = Answer{OptionID: new("a")}
	}
	for _, id := range strings.Fields(row.written) {
		s.Answers[id] = Answer{Text: new("Because.")}
	}
	var limit *int
	if row.limit > 0 {
		limit = &row.limit
	}
	p := StartProgress(s.Definition, Limits{Minutes: limit, Grace: 30 * time.Second}, minute(0))
	for _, event := range row.events {
		verb, rest, _ := strings.Cut(event.verb, ":")
		id, amount, _ := strings.Cut(rest, ":")
		now := minute(event.at)
		p.Expire(s, now)
		switch verb {
		case "submit":
			p.Submit(s, now)
		case "start":
			p.StartStage(s, now)
		case "extend":
			p.Extend(10)
		case "expire":
		case "cancel":
			p.Cancel()
		case "reopen":
			p.Reopen(s.Definition, int(id[0]-'0'), 10*time.Minute, now)
		case "grade":
			var points float64
			if _, err := fmt.Sscan(amount, &points); err != nil {
				t.Fatal(err)
			}
			s.Grades[id] = Grade{Points: &points}
		case "full":
			s.Corrections = append(s.Corrections, Correction{QuestionID: id, Action: FullPoints, Policy: Exact})
		case "pass", "stop":
			s.Rulings = append(s.Rulings, Ruling{StageID: id, Pass: verb == "pass", At: now})
		default:
			t.Fatalf("unknown event %q", event.verb)
		}
		p.Decide(s, now)
		p.Rescore(s)
		if p.Decide(s, now) {
			t.Errorf("after %v, the same decisions change the session twice", event)
		}
	}
	return p, s
}

func TestReview(t *testing.T) {
	t.Parallel()
	required := &Gate{Required: true, MinScore: 60}
	reported := &Gate{MinScore: 60}
	review := &Gate{Required: true, MinScore: 60, OnFail: OnFailReview}
	lenient := &Gate{Required: true, MinScore: 50}
	for _, row := range reviewRows(required, reported, review, lenient) {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p, s := row.run(t)
			if got, want := summary(p), strings.Join(row.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if got := reviewSummary(p, s); got != row.review {
				t.Errorf("got  %s\nwant %s", got, row.review)
			}
			encoded, err := json.Marshal(p)
			var decoded Progress
			if err != nil || json.Unmarshal(encoded, &decoded) != nil || !sameJSON(p, decoded) {
				t.Errorf("stored as %s (%v)", encoded, err)
			}
		})
	}
}

// A session without reviews is stored as before.
func TestProgressWithoutReviewIsStoredAsBefore(t *testing.T) {
	t.Parallel()
	encoded, err := json.Marshal(StartProgress(twoStages(10, nil), Limits{}, minute(0)))
	if err != nil || strings.Contains(string(encoded), "Review") || strings.Contains(string(encoded), "DecidedAt") {
		t.Errorf("%s (%v)", encoded, err)
	}
}

// A preview shows each stage that a person might let the author reach, and nothing waits in it.
func TestPreviewDoesNotWait(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		gate   *Gate
		choice bool // answered correctly
		text   bool // answered
		goesOn bool
	}{
		{"a failed review", &Gate{Required: true, MinScore: 60, OnFail: OnFailReview}, false, false, true},
		{"a grade could pass the gate", &Gate{Required: true, MinScore: 60}, true, true, true},
		{"no grade could pass the gate", &Gate{Required: true, MinScore: 60}, false, true, false},
		{"nothing to grade", &Gate{Required: true, MinScore: 60}, true, false, false},
		{"reported", &Gate{MinScore: 60}, false, true, true},
	} {
		s := Scoring{Definition: Definition{Stages: []Stage{judged("s1", 0, row.gate), judged("s2", 0, nil)}},
			Answers: map[string]Answer{}, Unattended: true}
		if row.choice {
			s.Answers["s1"] = Answer{OptionID: new("a")}
		}
		if row.text {
			s.Answers["s1t"] = Answer{Text: new("x")}
			s.Answers["s2t"] = Answer{Text: new("x")}
		}
		p := StartProgress(s.Definition, Limits{}, minute(0))
		p.Submit(s, minute(1))
		if goesOn := p.Status == SessionInProgress && p.Current() == 1; goesOn != row.goesOn {
			t.Errorf("%s: %s", row.name, summary(p))
		}
		if *p.Stages[0].GatePassed || p.Stages[0].Status != StageFailed {
			t.Errorf("%s: the gate is passed without grades: %s", row.name, summary(p))
		}
		p.Submit(s, minute(2))
		if p.Status == SessionInReview || p.Score == nil {
			t.Errorf("%s: the preview waits: %s", row.name, summary(p))
		}
	}
}
