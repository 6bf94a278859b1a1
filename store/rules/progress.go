package rules

import (
	"slices"
	"time"
)

// AbandonedAfter is the time after the candidate's last action at which a session
// without a deadline ends.
const AbandonedAfter = 30 * 24 * time.Hour

// Progress is the state of one session from its start on: its clock and its
// gates. It depends on what happened and when, and never on when the state is
// read: a deadline takes effect at its own instant, even when it is applied hours later.
type Progress struct {
	Status           SessionStatus
	CloseReason      *CloseReason // nil while in progress
	StartedAt        time.Time
	DeadlineAt       *time.Time    // of the whole session; nil without a limit
	ExtraTimePercent int           // extends the limit of every stage that has not started
	Grace            time.Duration // how long after a deadline the candidate's writes still count
	LastActiveAt     time.Time     // the last start, save, or submission; see Touch
	Stages           []StageProgress
	Score            *float64 // percent of the whole assessment; nil while in progress
	Points           *float64 // not rounded; nil while in progress
	Passed           *bool    // nil while in progress, and without a passing score
	ClosedAt         *time.Time
	Outages          []Outage `json:",omitempty"` // that have moved a deadline; see Forgive
}

// StageProgress is one stage of a session, at the stage's position in the
// definition. Times are nil until they happen. DeadlineAt is never later than the
// session's deadline.
type StageProgress struct {
	StageID    string
	Status     StageStatus
	StartedAt  *time.Time
	DeadlineAt *time.Time // nil before the start, and when neither the stage nor the session has a limit
	ClosedAt   *time.Time
	Points     *float64 // not rounded, because the session's points are their sum
	Score      *float64
	GatePassed *bool // nil without a gate
}

// Limits are the limits of a session, which are fixed at its start.
type Limits struct {
	Minutes          *int          // for the whole session; nil is no limit
	ExtraTimePercent int           // of this limit and of the limits of the stages
	Grace            time.Duration // how long after a deadline the candidate's writes still count
}

// StartProgress starts a session and its first stage at now. The definition is a
// published one, which has at least one stage.
func StartProgress(d Definition, limits Limits, now time.Time) Progress {
	p := Progress{
		Status:           SessionInProgress,
		StartedAt:        now,
		DeadlineAt:       deadline(now, limits.Minutes, limits.ExtraTimePercent),
		ExtraTimePercent: limits.ExtraTimePercent,
		Grace:            limits.Grace,
		LastActiveAt:     now,
		Stages:           make([]StageProgress, len(d.Stages)),
	}
	for i, stage := range d.Stages {
		p.Stages[i] = StageProgress{StageID: stage.ID, Status: StageNotReached}
	}
	p.startStage(d, 0, now)
	return p
}

// Current is the position of the stage that is in progress or ready, -1 when there is none.
func (p Progress) Current() int {
	if p.Status != SessionInProgress {
		return -1
	}
	return slices.IndexFunc(p.Stages, func(stage StageProgress) bool {
		return stage.Status == StageInProgress || stage.Status == StageReady
	})
}

// Ready reports whether the current stage waits for its start.
func (p Progress) Ready() bool {
	i := p.Current()
	return i >= 0 && p.Stages[i].Status == StageReady
}

// Touch records that the candidate saved an answer at the time. Starts and
// submissions record themselves.
func (p *Progress) Touch(at time.Time) {
	if at.After(p.LastActiveAt) {
		p.LastActiveAt = at
	}
}

// DueAt is the next time at which Expire changes something, unless the candidate
// saves an answer before. It is nil when the session has ended.
func (p Progress) DueAt() *time.Time {
	if p.Current() < 0 {
		return nil
	}
	at, reason := p.end()
	if reason == ClosedTimeExpired {
		at = at.Add(p.Grace)
	}
	return &at
}

// end is the time at which the current stage closes, or the session that waits for
// its candidate ends, without an action of the candidate, and why.
func (p Progress) end() (time.Time, CloseReason) {
	i := p.Current()
	switch {
	case p.Stages[i].DeadlineAt != nil:
		return *p.Stages[i].DeadlineAt, ClosedTimeExpired
	case p.DeadlineAt != nil:
		return *p.DeadlineAt, ClosedTimeExpired
	}
	at := p.LastActiveAt.Add(AbandonedAfter)
	if began := p.currentSince(); at.Before(began) { // the previous stage had a limit of more than AbandonedAfter
		at = began
	}
	return at, ClosedAbandoned
}

// currentSince is the time at which the current stage started, or became ready.
func (p Progress) currentSince() time.Time {
	i := p.Current()
	switch {
	case p.Stages[i].StartedAt != nil:
		return *p.Stages[i].StartedAt
	case i > 0:
		return *p.Stages[i-1].ClosedAt
	}
	return p.StartedAt
}

// StartStage starts the clock of the stage that is ready. It does nothing when no
// stage is. When the deadline of the session has passed at now, the session ends
// instead, even during the grace period: no time is left to work on the stage.
func (p *Progress) StartStage(s Scoring, now time.Time) {
	if !p.Ready() {
		return
	}
	if at, _ := p.end(); !now.Before(at) {
		p.closeAtEnd(s)
		return
	}
	now = p.notBeforeCurrent(now)
	p.startStage(s.Definition, p.Current(), now)
	p.Touch(now)
}

// Submit closes the current stage at now with the answers, and opens the next
// one. During the grace period the stage closes at its deadline. Later, Submit
// applies the deadline instead: such a submission is not accepted, and must not
// close a stage that only the deadline opened. A stage that is ready, and an ended
// session, do not change.
func (p *Progress) Submit(s Scoring, now time.Time) {
	if p.overdue(now) {
		p.Expire(s, now)
		return
	}
	i := p.Current()
	if i < 0 || p.Ready() {
		return
	}
	p.Touch(now)
	if due := p.Stages[i].DeadlineAt; due != nil && !now.Before(*due) {
		p.closeAtEnd(s)
		return
	}
	now = p.notBeforeCurrent(now)
	if p.closeStage(s, now); p.Status != SessionInProgress {
		p.total(s)
		return
	}
	if i == len(s.Definition.Stages)-1 {
		p.close(SessionCompleted, ClosedSubmitted, now)
		p.total(s)
		return
	}
	p.open(s.Definition, i+1, now)
}

// notBeforeCurrent is now, or a later time at which the current stage started or
// became ready: the clock of the replica that opened it may be ahead of this one's.
func (p Progress) notBeforeCurrent(now time.Time) time.Time {
	if since := p.currentSince(); now.Before(since) {
		return since
	}
	return now
}

// Expire applies, in their order, the deadlines and the abandonment that are due at
// now; what is due at exactly now has passed. A stage closes at its deadline, and a
// next stage without a limit starts at that time. The deadline of the session, that
// of the last stage, and the abandonment end the session. Expire reports whether it
// changed anything.
func (p *Progress) Expire(s Scoring, now time.Time) (changed bool) {
	for p.overdue(now) {
		p.closeAtEnd(s)
		changed = true
	}
	return changed
}

func (p Progress) overdue(now time.Time) bool {
	due := p.DueAt()
	return due != nil && !now.Before(*due)
}

// closeAtEnd does what happens at the time end returns. A stage that is ready was
// never seen by the candidate, so its gate does not apply.
func (p *Progress) closeAtEnd(s Scoring) {
	i, waiting := p.Current(), p.Ready()
	at, reason := p.end()
	if !waiting {
		if p.closeStage(s, at); p.Status != SessionInProgress {
			p.total(s)
			return
		}
	}
	atDeadline := p.DeadlineAt != nil && !at.Before(*p.DeadlineAt)
	if waiting || reason == ClosedAbandoned || atDeadline || i == len(s.Definition.Stages)-1 {
		p.close(SessionCompleted, reason, at)
		p.total(s)
		return
	}
	p.open(s.Definition, i+1, at)
}

// open makes the stage the current one. A stage with a limit waits for its start,
// so that its clock does not run while nobody works on it.
func (p *Progress) open(d Definition, i int, at time.Time) {
	if d.Stages[i].TimeLimitMinutes == nil {
		p.startStage(d, i, at)
		return
	}
	p.setStage(i, StageProgress{StageID: d.Stages[i].ID, Status: StageReady})
}

func (p *Progress) startStage(d Definition, i int, at time.Time) {
	due := deadline(at, d.Stages[i].TimeLimitMinutes, p.ExtraTimePercent)
	if p.DeadlineAt != nil && (due == nil || p.DeadlineAt.Before(*due)) {
		due = p.DeadlineAt
	}
	p.setStage(i, StageProgress{
		StageID: d.Stages[i].ID, Status: StageInProgress, StartedAt: &at, DeadlineAt: due,
	})
}

// Extend lengthens the current stage and the session by a number of minutes, and
// reports whether one of them has a deadline to lengthen. A stage that is ready
// keeps its limit, because its clock has not started. Apply passed deadlines first.
func (p *Progress) Extend(minutes int) (extended bool) {
	i := p.Current()
	if i < 0 {
		return false
	}
	by := time.Duration(minutes) * time.Minute
	if p.DeadlineAt != nil {
		p.DeadlineAt = new(p.DeadlineAt.Add(by))
		extended = true
	}
	// The earlier of two times that both move by the same duration moves by it, too.
	if stage := p.Stages[i]; stage.DeadlineAt != nil {
		stage.DeadlineAt = new(stage.DeadlineAt.Add(by))
		p.setStage(i, stage)
		extended = true
	}
	return extended
}

// closeStage scores the current stage and applies its gate, which can end the session.
func (p *Progress) closeStage(s Scoring, at time.Time) {
	i := p.Current()
	closed := p.Stages[i]
	closed.ClosedAt = &at
	p.setStage(i, closed)
	p.scoreStage(s, i)
	if disqualifies(s.Definition.Stages[i].Gate, *p.Stages[i].Score) {
		p.close(SessionDisqualified, ClosedStageGate, at)
	}
}

// scoreStage sets the scores of a closed stage, and whether it passes its gate.
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
	p.setStage(i, scored)
}

// close ends the session. A stage that waits for its start was not reached.
func (p *Progress) close(status SessionStatus, reason CloseReason, at time.Time) {
	if i := p.Current(); i >= 0 {
		p.setStage(i, StageProgress{StageID: p.Stages[i].StageID, Status: StageNotReached})
	}
	p.Status = status
	p.CloseReason = &reason
	p.ClosedAt = &at
}

// total sets the points and the score of an ended session. They are of the whole
// assessment: a stage that was not reached counts as 0. Closed stages are scored again,
// because a correction can be newer than their end. A disqualified candidate has not
// passed, whatever the score.
func (p *Progress) total(s Scoring) {
	points := 0.0
	for i, stage := range p.Stages {
		if stage.ClosedAt != nil {
			p.scoreStage(s, i)
			points += *p.Stages[i].Points
		}
	}
	score := cappedPercent(points, s.maxPoints())
	p.Points, p.Score, p.Passed = &points, &score, nil
	if s.PassingScore != nil {
		p.Passed = new(p.Status == SessionCompleted && score >= *s.PassingScore)
	}
}

// Rescore computes the scores of an ended session again, for example after a correction.
// What happened stays: a gate that passes now does not let a disqualified candidate go on,
// and one that fails now stops nobody. A person decides about these: see Reopen.
func (p *Progress) Rescore(s Scoring) {
	if p.ClosedAt != nil && p.Score != nil {
		p.total(s)
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
