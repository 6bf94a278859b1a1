package rules

import "time"

// closeStage closes the stage at position i, and applies its gate. end is the reason for which
// the session ends if its gate permits; with nil, the next stage follows.
func (p *Progress) closeStage(s Scoring, i int, at time.Time, end *CloseReason) {
	closed := p.Stages[i]
	closed.ClosedAt = &at
	p.setStage(i, closed)
	p.scoreStage(s, i)
	switch s.outcomeOf(i, p.Stages[i]) {
	case stops:
		p.close(SessionDisqualified, ClosedStageGate, at)
		p.total(s)
	case waits:
		p.hold(s, Review{Since: at, StageID: closed.StageID, End: end})
	case goesOn:
		if end != nil {
			p.finish(s, *end, at)
		} else {
			p.open(s.Definition, i+1, at)
		}
	}
}

// scoreStage sets the scores of a closed stage, and whether it passes its gate. In an ended
// session, an answer without a grade gives 0 points, because nobody grades it any more.
func (p *Progress) scoreStage(s Scoring, i int) {
	graded, gate, scored := s.Stage(i), s.Definition.Stages[i].Gate, p.Stages[i]
	scored.Points, scored.Score = &graded.Points, &graded.Score
	scored.GatePassed = gate.passed(graded.Score)
	scored.Status = StageCompleted
	if scored.GatePassed != nil {
		scored.Status = StageFailed
		if *scored.GatePassed {
			scored.Status = StagePassed
		}
	}
	switch {
	case p.ClosedAt != nil:
	case len(s.Pending(i)) > 0:
		scored.Points, scored.Score, scored.GatePassed = nil, nil, s.gatePassed(i)
		scored.Status = StageInReview
	case p.Review != nil && p.Review.StageID == scored.StageID && s.outcomeOf(i, scored) == waits:
		scored.Status = StageInReview
	}
	p.setStage(i, scored)
}

// finish ends the session, or lets it wait for the grades of its closed stages.
func (p *Progress) finish(s Scoring, reason CloseReason, at time.Time) {
	if len(p.pending(s)) > 0 {
		p.hold(s, Review{Since: at, End: &reason})
		return
	}
	p.close(SessionCompleted, reason, at)
	p.total(s)
}

// close ends the session.
func (p *Progress) close(status SessionStatus, reason CloseReason, at time.Time) {
	p.leaveReady()
	p.Status, p.Review = status, nil
	p.CloseReason = &reason
	p.ClosedAt = &at
}

// leaveReady leaves a stage that waits for its start: it was not reached.
func (p *Progress) leaveReady() {
	if i := p.Current(); i >= 0 && p.Ready() {
		p.setStage(i, StageProgress{StageID: p.Stages[i].StageID, Status: StageNotReached})
	}
}

// total sets the points and the score of an ended session. They are of the whole
// assessment: a stage that was not reached counts as 0. Closed stages are scored again,
// because a correction can be newer than their end. A disqualified candidate has not
// passed, whatever the score.
func (p *Progress) total(s Scoring) {
	p.scoreClosed(s)
	points := 0.0
	for _, stage := range p.Stages {
		if stage.ClosedAt != nil {
			points += *stage.Points
		}
	}
	score := cappedPercent(points, s.maxPoints())
	p.Points, p.Score, p.Passed = &points, &score, nil
	if s.PassingScore != nil {
		p.Passed = new(p.Status == SessionCompleted && score >= *s.PassingScore)
	}
}

func (p *Progress) scoreClosed(s Scoring) {
	for i, stage := range p.Stages {
		if stage.ClosedAt != nil {
			p.scoreStage(s, i)
		}
	}
}

// Rescore computes the scores of an ended session again, for example after a correction.
// What happened stays: a gate that passes now does not let a disqualified candidate go on,
// and one that fails now stops nobody. A person decides about these: see Reopen. A session
// also stays ended when an answer now needs a grade, for example a late one that counts: the
// answer gives 0 points until it has a grade.
func (p *Progress) Rescore(s Scoring) {
	if p.ClosedAt != nil && p.Score != nil {
		p.total(s)
	}
}

// FailedStage is the stage whose required gate disqualified the candidate: the
// last one that closed.
func (p Progress) FailedStage(d Definition) (StageProgress, Stage) {
	for i := len(p.Stages) - 1; i > 0; i-- {
		if p.Stages[i].ClosedAt != nil {
			return p.Stages[i], d.Stages[i]
		}
	}
	return p.Stages[0], d.Stages[0]
}
