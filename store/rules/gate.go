package rules

import "time"

// Gate is a stage's pass mark, in percent of the stage's points.
type Gate struct {
	Required bool    `json:"required"` // a failed gate does not let the candidate go on by itself
	MinScore float64 `json:"minScore"`

	// OnFail is empty in a stored definition unless it is OnFailReview, which Required cannot
	// express. In a request, empty means what Required says, or the stored OnFailReview (kept).
	OnFail OnFail `json:"onFail,omitempty"`
}

// OnFail is what happens when a stage does not pass its gate.
type OnFail string

// The outcomes of a failed gate.
const (
	OnFailDisqualify OnFail = "DISQUALIFY" // the session ends
	OnFailContinue   OnFail = "CONTINUE"   // the gate is only reported
	OnFailReview     OnFail = "REVIEW"     // a person decides whether the session goes on
)

// WhenFailed is what happens when a stage does not pass the gate. A stage without a gate goes on.
func (g *Gate) WhenFailed() OnFail {
	switch {
	case g == nil:
		return OnFailContinue
	case g.OnFail != "":
		return g.OnFail
	case g.Required:
		return OnFailDisqualify
	}
	return OnFailContinue
}

// kept returns the gate of a request as it is stored. A client of an earlier version knows only
// Required: it must not lose a stored review when it writes back what it has read.
func (g *Gate) kept(stored *Gate) *Gate {
	onFail := g.WhenFailed()
	if g.OnFail == "" && g.Required && stored.WhenFailed() == OnFailReview {
		onFail = OnFailReview
	}
	gate := &Gate{Required: onFail != OnFailContinue, MinScore: g.MinScore}
	if onFail == OnFailReview {
		gate.OnFail = onFail
	}
	return gate
}

// Ruling is a person's decision about a failed gate that asks for review. The newest ruling of
// a stage counts, and only if the stage has not been reopened since.
type Ruling struct {
	StageID string
	Pass    bool // the candidate goes on; otherwise the session ends
	At      time.Time
}

// ruling is the ruling that counts for a closed stage, or nil.
func (s Scoring) ruling(stage StageProgress) *Ruling {
	var newest *Ruling
	for i, ruling := range s.Rulings {
		if ruling.StageID != stage.StageID || ruling.At.Before(*stage.ClosedAt) {
			continue
		}
		if newest == nil || !ruling.At.Before(newest.At) {
			newest = &s.Rulings[i]
		}
	}
	return newest
}

// gatePassed reports whether the stage at position i passes its gate whatever points its
// pending answers get. It is nil without a gate, and while these points decide.
func (s Scoring) gatePassed(i int) *bool {
	gate, lowest := s.Definition.Stages[i].Gate, s.Stage(i)
	passed := gate.passed(lowest.Score)
	if gate == nil || *passed || len(s.Pending(i)) == 0 {
		return passed
	}
	points := 0.0
	for _, question := range lowest.Questions {
		if question.ScoredBy == ByNobody {
			question.Points = question.MaxPoints
		}
		points += question.Points
	}
	if *gate.passed(cappedPercent(points, lowest.MaxPoints)) {
		return nil
	}
	return passed
}

// outcome is what follows a closed stage.
type outcome int

const (
	goesOn outcome = iota
	stops          // the candidate is disqualified
	waits          // for a grade or a ruling
)

// outcomeOf is what the gate of a closed stage decides.
func (s Scoring) outcomeOf(i int, stage StageProgress) outcome {
	onFail := s.Definition.Stages[i].Gate.WhenFailed()
	if onFail == OnFailContinue {
		return goesOn
	}
	if s.Unattended && (onFail == OnFailReview || s.mightPass(i)) {
		return goesOn
	}
	passed := s.gatePassed(i)
	switch {
	case passed == nil:
		return waits
	case *passed:
		return goesOn
	case onFail == OnFailDisqualify:
		return stops
	}
	switch ruling := s.ruling(stage); {
	case ruling == nil:
		return waits
	case ruling.Pass:
		return goesOn
	}
	return stops
}

// mightPass reports whether the grades of a person could decide the gate, in a preview that has no grades.
func (s Scoring) mightPass(i int) bool {
	s.Unattended = false
	return s.gatePassed(i) == nil
}
