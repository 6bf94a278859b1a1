package rules

import (
	"slices"
	"time"
)

// Progress is the state of one session from its start on: its clock and its
// gates. It depends on what happened and when, and never on when the state is
// read: a deadline takes effect at its own instant, even when it is applied hours later.
type Progress struct {
	Status           SessionStatus
	CloseReason      *CloseReason // nil while in progress
	StartedAt        time.Time
	DeadlineAt       *time.Time // of the whole session; nil without a limit
	ExtraTimePercent int        // extends the limit of every stage that has not started
	Stages           []StageProgress
	Score            *float64 // percent of the whole assessment; nil while in progress
	Points           *float64 // not rounded; nil while in progress
	Passed           *bool    // nil while in progress, and without a passing score
	ClosedAt         *time.Time
}

// StageProgress is one stage of a session, at the stage's position in the
// definition. Times are nil until they happen. DeadlineAt is never later than the
// session's deadline.
type StageProgress struct {
	StageID    string
	Status     StageStatus
	StartedAt  *time.Time
	DeadlineAt *time.Time // nil when neither the stage nor the session has a limit
	ClosedAt   *time.Time
	Points     *float64 // not rounded, because the session's points are their sum
	Score      *float64
	GatePassed *bool // nil without a gate
}

// StartProgress starts a session and its first stage at now. The definition is a
// published one, which has at least one stage. A nil time limit is none.
func StartProgress(d Definition, timeLimitMinutes *int, extraTimePercent int, now time.Time) Progress {
	p := Progress{
		Status:           SessionInProgress,
		StartedAt:        now,
		DeadlineAt:       deadline(now, timeLimitMinutes, extraTimePercent),
		ExtraTimePercent: extraTimePercent,
		Stages:           make([]StageProgress, len(d.Stages)),
	}
	for i, stage := range d.Stages {
		p.Stages[i] = StageProgress{StageID: stage.ID, Status: StageNotReached}
	}
	p.open(d, 0, now)
	return p
}

// Current is the position of the stage in progress, -1 when there is none.
func (p Progress) Current() int {
	if p.Status != SessionInProgress {
		return -1
	}
	return slices.IndexFunc(p.Stages, func(stage StageProgress) bool { return stage.Status == StageInProgress })
}

// DueAt is the next time at which Expire changes something: the deadline of the
// current stage. It is nil when the stage has no deadline or the session has ended.
func (p Progress) DueAt() *time.Time {
	i := p.Current()
	if i < 0 {
		return nil
	}
	return p.Stages[i].DeadlineAt
}

// Submit closes the current stage at now with the answers, and opens the next
// one. When a deadline has passed at now, it applies the deadline instead: a
// submission that arrives at the deadline or later is not accepted, and must not
// close a stage that only the deadline opened. An ended session does not change.
func (p *Progress) Submit(d Definition, answers map[string]Answer, passingScore *float64, now time.Time) {
	if p.overdue(now) {
		p.Expire(d, answers, passingScore, now)
		return
	}
	i := p.Current()
	if i < 0 {
		return
	}
	// The clock of the replica that opened the stage may be ahead of this one's.
	if started := *p.Stages[i].StartedAt; now.Before(started) {
		now = started
	}
	if p.closeStage(d.Stages[i], answers, now); p.Status != SessionInProgress {
		p.total(d, passingScore)
		return
	}
	if i == len(d.Stages)-1 {
		p.close(SessionCompleted, ClosedSubmitted, now)
		p.total(d, passingScore)
		return
	}
	p.open(d, i+1, now)
}

// Expire applies, in their order, the deadlines that have passed at now; a
// deadline at exactly now has passed. A stage closes at its deadline and the next
// one starts at that time, so that the next deadline may have passed, too. The
// deadline of the session, or of the last stage, ends the session.
func (p *Progress) Expire(d Definition, answers map[string]Answer, passingScore *float64, now time.Time) {
	for p.overdue(now) {
		i, due := p.Current(), *p.DueAt()
		if p.closeStage(d.Stages[i], answers, due); p.Status != SessionInProgress {
			p.total(d, passingScore)
			return
		}
		sessionEnded := p.DeadlineAt != nil && !due.Before(*p.DeadlineAt)
		if sessionEnded || i == len(d.Stages)-1 {
			p.close(SessionCompleted, ClosedTimeExpired, due)
			p.total(d, passingScore)
			return
		}
		p.open(d, i+1, due)
	}
}

func (p Progress) overdue(now time.Time) bool {
	due := p.DueAt()
	return due != nil && !now.Before(*due)
}

func (p *Progress) open(d Definition, i int, at time.Time) {
	due := deadline(at, d.Stages[i].TimeLimitMinutes, p.ExtraTimePercent)
	if p.DeadlineAt != nil && (due == nil || p.DeadlineAt.Before(*due)) {
		due = p.DeadlineAt
	}
	p.setStage(i, StageProgress{
		StageID: d.Stages[i].ID, Status: StageInProgress, StartedAt: &at, DeadlineAt: due,
	})
}

// closeStage scores the current stage and applies its gate, which can end the session.
func (p *Progress) closeStage(stage Stage, answers map[string]Answer, at time.Time) {
	i := p.Current()
	graded := GradeStage(stage, answers)
	closed := p.Stages[i]
	closed.ClosedAt = &at
	closed.Points = &graded.Points
	closed.Score = &graded.Score
	closed.GatePassed = stage.Gate.passed(graded.Score)
	closed.Status = StageCompleted
	if closed.GatePassed != nil {
		closed.Status = StageFailed
		if *closed.GatePassed {
			closed.Status = StagePassed
		}
	}
	p.setStage(i, closed)
	if disqualifies(stage.Gate, graded.Score) {
		p.close(SessionDisqualified, ClosedStageGate, at)
	}
}

func (p *Progress) close(status SessionStatus, reason CloseReason, at time.Time) {
	p.Status = status
	p.CloseReason = &reason
	p.ClosedAt = &at
}

// total sets the points and the score of an ended session. They are of the whole
// assessment: a stage that was not reached counts as 0. A disqualified candidate
// has not passed, whatever the score.
func (p *Progress) total(d Definition, passingScore *float64) {
	points := 0.0
	for _, stage := range p.Stages {
		if stage.Points != nil {
			points += *stage.Points
		}
	}
	score := Percent(points, d.MaxPoints())
	p.Points = &points
	p.Score = &score
	if passingScore != nil {
		p.Passed = new(p.Status == SessionCompleted && score >= *passingScore)
	}
}

// setStage writes to a copy, so that an earlier copy of the Progress does not change.
func (p *Progress) setStage(i int, stage StageProgress) {
	p.Stages = slices.Clone(p.Stages)
	p.Stages[i] = stage
}

// deadline is start plus the limit, extended by the percentage; nil without a
// limit. It is exact, because a hundredth of a minute is a whole number of nanoseconds.
func deadline(start time.Time, minutes *int, extraPercent int) *time.Time {
	if minutes == nil {
		return nil
	}
	extended := time.Duration(*minutes) * time.Duration(100+extraPercent) * (time.Minute / 100)
	return new(start.Add(extended))
}

// Outcome is the status of the session right after the stage at position closed,
// and the id of the stage that followed. It stays the same forever.
func (p Progress) Outcome(position int) (SessionStatus, *string) {
	if next := position + 1; next < len(p.Stages) && p.Stages[next].StartedAt != nil {
		return SessionInProgress, &p.Stages[next].StageID
	}
	return p.Status, nil
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
