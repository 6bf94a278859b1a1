package rules

import (
	"slices"
	"time"
)

// Review is the state of a session that waits for a person. No clock runs meanwhile.
type Review struct {
	Since   time.Time    // when the answers came in
	StageID string       // of the stage whose gate is decided first; empty if none is
	End     *CloseReason // the reason with which the session ends; nil if the candidate may continue
}

// hold lets the session wait for a person.
func (p *Progress) hold(s Scoring, review Review) {
	p.leaveReady()
	p.Status, p.Review = SessionInReview, &review
	p.scoreClosed(s)
}

// Decide applies grades, rulings, and corrections to a session in review, at now, and reports
// whether it changed anything. A stage at which the session is held goes on when its gate
// passes or a person lets the candidate pass. The candidate loses no time: the deadline of the
// session moves by the length of the review. A session that ends was closed when its answers
// came in. In a session in progress, Decide sets the scores of closed stages that are graded now.
func (p *Progress) Decide(s Scoring, now time.Time) (changed bool) {
	before := *p
	switch p.Status {
	case SessionInProgress:
		p.scoreClosed(s)
	case SessionInReview:
		p.scoreClosed(s)
		p.leaveReview(s, now)
	case SessionInvited, SessionCompleted, SessionDisqualified, SessionExpired, SessionCancelled:
	}
	return !sameJSON(before, *p)
}

// leaveReview applies the decision about the gate at which the session is held, if there is one.
func (p *Progress) leaveReview(s Scoring, now time.Time) {
	review := *p.Review
	if now.Before(review.Since) { // the clock of the replica that closed the stage may be ahead of this one's
		now = review.Since
	}
	if _, i, held := s.Definition.StageByID(review.StageID); held {
		switch s.outcomeOf(i, p.Stages[i]) {
		case waits:
			return
		case stops:
			p.DecidedAt = &now
			p.close(SessionDisqualified, ClosedStageGate, review.Since)
			p.total(s)
			return
		case goesOn:
		}
		if review.End == nil {
			p.resume(s, i+1, now)
			return
		}
	}
	if p.finish(s, *review.End, review.Since); p.Status == SessionCompleted {
		p.DecidedAt = &now
	}
}

// resume continues the session at now with the stage at position i.
func (p *Progress) resume(s Scoring, i int, now time.Time) {
	if p.DeadlineAt != nil {
		p.DeadlineAt = new(p.DeadlineAt.Add(now.Sub(p.Review.Since)))
	}
	p.Status, p.Review = SessionInProgress, nil
	p.scoreClosed(s)
	p.Touch(now)
	p.open(s.Definition, i, now)
}

// pending returns the ids of the questions of closed stages whose answers need a grade.
func (p Progress) pending(s Scoring) []string {
	var pending []string
	for i, stage := range p.Stages {
		if stage.ClosedAt != nil {
			pending = append(pending, s.Pending(i)...)
		}
	}
	return pending
}

// Waits returns what a session that has not ended waits for: the id of the stage whose failed
// gate needs a ruling, empty if none does, and the ids of the questions of closed stages whose
// answers need a grade.
func (p Progress) Waits(s Scoring) (rulingStageID string, questionIDs []string) {
	if p.Status != SessionInProgress && p.Status != SessionInReview {
		return "", nil
	}
	if p.Status == SessionInReview {
		if _, i, held := s.Definition.StageByID(p.Review.StageID); held && s.needsRuling(i, p.Stages[i]) {
			rulingStageID = p.Review.StageID
		}
	}
	return rulingStageID, p.pending(s)
}

// needsRuling reports whether a closed stage waits for a ruling, and not for grades.
func (s Scoring) needsRuling(i int, stage StageProgress) bool {
	return s.outcomeOf(i, stage) == waits && s.gatePassed(i) != nil
}

// Cancel ends a session in review without a result. Progress of other sessions does not record
// that they were cancelled.
func (p *Progress) Cancel() {
	p.Status, p.CloseReason, p.Review = SessionCancelled, new(ClosedCancelled), nil
}

// DecidedBy says who decided about the gates of a session.
type DecidedBy string

// A gate is decided by its rule or by a person.
const (
	DecidedByRule   DecidedBy = "RULE"
	DecidedByPerson DecidedBy = "PERSON"
)

// DecidedBy returns DecidedByPerson if a ruling counts for a gate of the session. Only a failed
// gate that asks for review has rulings, and a reopened stage has none until it is decided again.
func (p Progress) DecidedBy(s Scoring) DecidedBy {
	byPerson := slices.ContainsFunc(p.Stages, func(stage StageProgress) bool {
		defined, _, _ := s.Definition.StageByID(stage.StageID)
		return stage.ClosedAt != nil && defined.Gate.WhenFailed() == OnFailReview && s.ruling(stage) != nil
	})
	if byPerson {
		return DecidedByPerson
	}
	return DecidedByRule
}
