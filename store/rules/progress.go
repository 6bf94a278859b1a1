package rules

import (
	"slices"
	"time"
)

// Progress is the clock and the gates of one session, from its start on. It is
// a function of what happened and when, never of when somebody looked: a
// deadline takes effect at its own instant, even if it is applied hours later.
type Progress struct {
	Status           SessionStatus
	CloseReason      *CloseReason // nil while in progress
	StartedAt        time.Time
	DeadlineAt       *time.Time // of the whole session; nil without a limit
	ExtraTimePercent int        // lengthens the limit of every stage that is yet to start
	Stages           []StageProgress
	Score            *float64 // percent of the whole assessment; nil while in progress
	Points           *float64 // not rounded; nil while in progress
	Passed           *bool    // nil while in progress, and without a passing score
	ClosedAt         *time.Time
}

// StageProgress is one stage of a session, at the position that the stage has
// in the definition. Times are nil until they happen; DeadlineAt already takes
// the session's deadline into account.
type StageProgress struct {
	StageID    string
	Status     StageStatus
	StartedAt  *time.Time
	DeadlineAt *time.Time // nil also when neither the stage nor the session has a limit
	ClosedAt   *time.Time
	Points     *float64 // not rounded, for the session's points are their sum
	Score      *float64
	GatePassed *bool // nil without a gate
}

// startProgress starts a session and its first stage at now. The definition is
// a published one, and so has a stage. A nil limit is none.
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

// current is the position of the stage being worked on, -1 when there is none.
func (p Progress) Current() int {
	if p.Status != SessionInProgress {
		return -1
	}
	return slices.IndexFunc(p.Stages, func(stage StageProgress) bool { return stage.Status == StageInProgress })
}

// dueAt is the next moment at which expire has something to do: the deadline of
// the current stage, which is never later than the session's. It is nil when
// nothing limits the stage or the session is over.
func (p Progress) DueAt() *time.Time {
	i := p.Current()
	if i < 0 {
		return nil
	}
	return p.Stages[i].DeadlineAt
}

// submit closes the current stage at now with the answers given, and moves on.
// A deadline that has passed at now is applied instead: what comes at the
// deadline or later is not the candidate's submission, and must not close a
// stage that only that deadline opened. A session that is over stays as it is.
func (p *Progress) Submit(d Definition, answers map[string]Answer, passingScore *float64, now time.Time) {
	if p.overdue(now) {
		p.Expire(d, answers, passingScore, now)
		return
	}
	i := p.Current()
	if i < 0 {
		return
	}
	// Another replica's clock may have opened the stage in this one's future.
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

// expire applies, in their order, the deadlines that have passed at now; one at
// exactly now has. A stage that its own limit ends closes at that deadline, and
// the next one starts there, so its deadline may have passed too. The session's
// deadline, or the last stage's, ends the session.
func (p *Progress) Expire(d Definition, answers map[string]Answer, passingScore *float64, now time.Time) {
	for p.overdue(now) {
		i, due := p.Current(), *p.DueAt()
		if p.closeStage(d.Stages[i], answers, due); p.Status != SessionInProgress {
			p.total(d, passingScore)
			return
		}
		sessionOver := p.DeadlineAt != nil && !due.Before(*p.DeadlineAt)
		if sessionOver || i == len(d.Stages)-1 {
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

// closeStage scores the current stage and applies its gate, which may close the
// session.
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

// total gives a closed session its points and score. They are over the whole
// assessment: a stage that was not reached counts as 0. Who is disqualified has
// not passed, whatever the score.
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

// setStage writes into a copy, so that a Progress copied before stays as it was.
func (p *Progress) setStage(i int, stage StageProgress) {
	p.Stages = slices.Clone(p.Stages)
	p.Stages[i] = stage
}

// deadline is start plus the limit lengthened by percent, nil without a limit.
// A hundredth of a minute is a whole number of nanoseconds: nothing is lost.
func deadline(start time.Time, minutes *int, extraPercent int) *time.Time {
	if minutes == nil {
		return nil
	}
	lengthened := time.Duration(*minutes) * time.Duration(100+extraPercent) * (time.Minute / 100)
	return new(start.Add(lengthened))
}

// outcome is what followed when the stage at position was closed: the same
// however much later it is asked for.
func (p Progress) Outcome(position int) (SessionStatus, *string) {
	if next := position + 1; next < len(p.Stages) && p.Stages[next].StartedAt != nil {
		return SessionInProgress, &p.Stages[next].StageID
	}
	return p.Status, nil
}

// failedStage is the stage whose required gate disqualified: the last one closed.
func (p Progress) FailedStage(d Definition) (StageProgress, Stage) {
	for i := len(p.Stages) - 1; i > 0; i-- {
		if p.Stages[i].ClosedAt != nil {
			return p.Stages[i], d.Stages[i]
		}
	}
	return p.Stages[0], d.Stages[0]
}
