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
	Outages          []Outage   `json:",omitempty"` // that have moved a deadline; see Forgive
	Review           *Review    `json:",omitempty"` // while the session is IN_REVIEW
	DecidedAt        *time.Time `json:",omitempty"` // when a person's decision ended the session
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
	Points     *float64 // not rounded, because the session's points are their sum; nil while answers need a grade
	Score      *float64 // nil while answers need a grade
	GatePassed *bool    // nil without a gate, and while grades decide
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
	var end *CloseReason
	if i == len(s.Definition.Stages)-1 {
		end = new(ClosedSubmitted)
	}
	p.closeStage(s, i, now, end)
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
	if waiting {
		p.finish(s, reason, at)
		return
	}
	var end *CloseReason
	atDeadline := p.DeadlineAt != nil && !at.Before(*p.DeadlineAt)
	if reason == ClosedAbandoned || atDeadline || i == len(s.Definition.Stages)-1 {
		end = &reason
	}
	p.closeStage(s, i, at, end)
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
