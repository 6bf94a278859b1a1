package store_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"pgregory.net/rapid"

	"assay/store"
	"assay/store/rules"
)

// This file has what people decide: grades of free texts, and rulings about failed gates.

// modelReview is what a session in review waits for.
type modelReview struct {
	since time.Time
	stage int    // whose gate holds the session; -1 if none does
	end   string // the reason with which the session ends; "" if the candidate can go on
}

// scoreRun sums the points of a closed stage. An answer without a grade gives none.
func (s *modelSession) scoreRun(i int) {
	run := &s.runs[i]
	run.points = s.pointsOf(i, 0)
	run.score = scoreOf(run.points, maxPoints(s.assessment.stages[i]))
}

// pointsOf are the points of a stage if each answer without a grade gives the share of its points.
func (s modelSession) pointsOf(i int, share int64) *big.Rat {
	points := new(big.Rat)
	for _, question := range s.assessment.stages[i].questions {
		answer, earned := s.answers[question.id].answer, new(big.Rat)
		if answer != nil {
			earned.Mul(question.maxPoints(), answer.earned)
		}
		if grade, graded := s.grades[question.id]; graded {
			earned = big.NewRat(grade, 100)
		} else if answer != nil && answer.byHand {
			earned.Mul(question.maxPoints(), big.NewRat(share, 1))
		}
		points.Add(points, earned)
	}
	return points
}

// pending is the number of answers of a stage that need a grade.
func (s modelSession) pending(i int) int {
	n := 0
	for _, question := range s.assessment.stages[i].questions {
		answer := s.answers[question.id].answer
		if _, graded := s.grades[question.id]; answer != nil && answer.byHand && !graded {
			n++
		}
	}
	return n
}

func (s modelSession) allPending() int {
	n := 0
	for i, run := range s.runs {
		if !run.closed.IsZero() {
			n += s.pending(i)
		}
	}
	return n
}

// gateOf is what the gate of a closed stage says: passed, failed, or "" while grades decide.
func (s modelSession) gateOf(i int) string {
	stage := s.assessment.stages[i]
	switch {
	case stage.gate == nil || scoreOf(s.pointsOf(i, 0), maxPoints(stage)) >= stage.gate.minScore:
		return "passed"
	case scoreOf(s.pointsOf(i, 1), maxPoints(stage)) >= stage.gate.minScore:
		return ""
	}
	return "failed"
}

// awaitsRuling reports whether a person must decide about the gate that holds the session.
func (s modelSession) awaitsRuling() bool {
	if s.review == nil || s.review.stage < 0 {
		return false
	}
	_, ruled := s.ruled[s.review.stage]
	return !ruled && s.gateOf(s.review.stage) == "failed"
}

// closeStage closes the current stage, and applies its gate.
func (s *modelSession) closeStage(at time.Time, reason string, sessionEnds bool) {
	i := s.stage
	s.runs[i].closed = at
	s.scoreRun(i)
	review := modelReview{since: at, stage: i}
	if sessionEnds || i == len(s.assessment.stages)-1 {
		review.end = reason
	}
	s.applyGate(review, at)
}

// applyGate lets a session go on at a time, ends it, or lets it wait.
func (s *modelSession) applyGate(review modelReview, now time.Time) {
	gate := s.assessment.stages[review.stage].gate
	if gate != nil && gate.onFail != rules.OnFailContinue {
		passed, ruled := s.ruled[review.stage]
		switch outcome := s.gateOf(review.stage); {
		case outcome == "", outcome == "failed" && gate.onFail == rules.OnFailReview && !ruled:
			s.hold(review)
			return
		case outcome == "failed" && !passed:
			s.finish("DISQUALIFIED", "STAGE_GATE")
			s.disqualified = review.since
			return
		}
	}
	if review.end != "" {
		s.endAt(review.since, review.end)
		return
	}
	if s.status == "IN_REVIEW" {
		if !s.deadline.IsZero() {
			s.deadline = s.deadline.Add(now.Sub(review.since))
		}
		s.active = now
	}
	s.status, s.review = "IN_PROGRESS", nil
	s.openStage(review.stage+1, now)
}

// endAt ends the session, or lets it wait for grades.
func (s *modelSession) endAt(at time.Time, reason string) {
	if s.allPending() > 0 {
		s.hold(modelReview{since: at, stage: -1, end: reason})
		return
	}
	s.finish("COMPLETED", reason)
	s.completed = at
}

func (s *modelSession) hold(review modelReview) {
	s.status, s.stage, s.ready, s.review = "IN_REVIEW", -1, false, &review
}

// decide applies a decision that was just added to a session in review.
func (s *modelSession) decide(before modelSession, now time.Time) {
	if review := *s.review; review.stage >= 0 {
		s.applyGate(review, now)
	} else {
		s.endAt(review.since, review.end)
	}
	if s.scores() != before.scores() {
		s.updated = now
	}
}

// scores is what is stored about the closed stages.
func (s modelSession) scores() string {
	text := s.status
	if s.review != nil {
		text += fmt.Sprint(s.review.stage)
	}
	for i, run := range s.runs {
		switch {
		case run.closed.IsZero():
		case s.pending(i) > 0 && !s.finished():
			text += " pending " + s.gateOf(i)
		default:
			text += " " + s.pointsOf(i, 0).String() + " " + s.gateOf(i)
		}
	}
	return text
}

// grade grades a free text of a session that has no result.
func (x *sessionTest) grade(t *rapid.T) {
	session, s := x.session(t), x.replica(t)
	next := session.settled(x.now())
	if next.finished() { // its revisions are tested elsewhere
		x.read(t)
		return
	}
	stage := index(t, "stage", session.assessment.stages)
	if next.review != nil && next.review.stage >= 0 && rapid.Bool().Draw(t, "held") {
		stage = next.review.stage
	}
	var free []modelQuestion
	for _, question := range session.assessment.stages[stage].questions {
		if question.answers[0].byHand {
			free = append(free, question)
		}
	}
	if len(free) == 0 {
		x.rule(t)
		return
	}
	question := free[index(t, "question", free)]
	points := uniform(0, question.points, question.points/2).Draw(t, "given")
	_, err := s.GradeCandidateSessionAnswer(x.ctx, x.scope, session.id, question.id, store.GradeInput{
		Points: new(float64(points) / 100), Reason: "r", Version: session.graded[question.id],
	})
	switch {
	case next.status != "IN_REVIEW":
		wantRefusal(t, err, "session_not_finished")
		return
	case next.runs[stage].closed.IsZero():
		wantRefusal(t, err, "not_found")
		return
	}
	must(t, err)
	x.update(session, next) // a deadline emits its events before the decision
	before := next.clone()
	next.grades, next.graded = with(next.grades, question.id, points), with(next.graded, question.id,
		next.graded[question.id]+1)
	next.decide(before, x.now())
	x.update(session, next)
}

// rule decides about a gate, at any time.
func (x *sessionTest) rule(t *rapid.T) {
	session, s := x.session(t), x.replica(t)
	next := session.settled(x.now())
	stage := index(t, "stage", session.assessment.stages)
	if next.review != nil && next.review.stage >= 0 && uniform(true, true, false).Draw(t, "held") {
		stage = next.review.stage
	}
	pass := rapid.Bool().Draw(t, "pass")
	stored, err := s.RuleCandidateSession(x.ctx, x.scope, session.id, store.RulingInput{
		StageID: session.assessment.stages[stage].id, Pass: pass, Reason: "r",
	})
	switch {
	case next.review == nil || next.review.stage != stage:
		wantRefusal(t, err, "session_not_in_review")
		return
	case !next.awaitsRuling():
		wantRefusal(t, err, "answers_not_graded")
		return
	}
	must(t, err)
	x.update(session, next) // a deadline emits its events before the decision
	before := next.clone()
	next.ruled = with(next.ruled, stage, pass)
	next.decide(before, x.now())
	x.update(session, next)
	x.wantSession(t, s, stored, next)
}

// with returns a copy of the values with another one.
func with[K comparable, V any](values map[K]V, key K, value V) map[K]V {
	changed := maps.Clone(values)
	if changed == nil {
		changed = map[K]V{}
	}
	changed[key] = value
	return changed
}

// reviewEvents are the lines of the events of a session that waits for a person since the other state.
func (s modelSession) reviewEvents(before modelSession, at time.Time) []string {
	var lines []string
	if before.status != "IN_REVIEW" && s.review.end != "" && s.allPending() > 0 {
		lines = append(lines, eventLine(at, "candidate.submitted", s.id, s.assessment.id, s.email, s.status,
			formatTime(s.review.since), s.review.end, fmt.Sprint(s.allPending())))
	}
	if s.awaitsRuling() && !before.awaitsRuling() {
		stage := s.assessment.stages[s.review.stage]
		lines = append(lines, eventLine(at, "candidate.review_requested", s.id, s.assessment.id, s.email, s.status,
			formatTime(s.review.since), stage.id, formatPercent(scoreOf(s.pointsOf(s.review.stage, 0), maxPoints(stage))),
			formatPercent(stage.gate.minScore)))
	}
	return slices.Clip(lines)
}
