package rules

import (
	"slices"
	"time"
)

// Outage is a time in which no candidate could reach the service.
type Outage struct {
	From, To time.Time
}

// Forgive moves the deadlines of the current stage and of the session by the length of each
// outage in which they fell, or which ended less than the grace period before: the
// candidate could not submit. Call it before Expire. It reports whether it changed anything.
// A repeated call with the same outages changes nothing.
func (p *Progress) Forgive(outages []Outage) (changed bool) {
	for _, outage := range outages {
		i := p.Current()
		if i < 0 || slices.Contains(p.Outages, outage) {
			continue
		}
		by := outage.To.Sub(outage.From)
		falls := func(deadline *time.Time) bool {
			return deadline != nil && !deadline.Before(outage.From) && !deadline.After(outage.To.Add(p.Grace))
		}
		stage := p.Stages[i]
		if !falls(stage.DeadlineAt) && !falls(p.DeadlineAt) {
			continue
		}
		if falls(p.DeadlineAt) {
			p.DeadlineAt = new(p.DeadlineAt.Add(by))
		}
		if falls(stage.DeadlineAt) {
			stage.DeadlineAt = new(stage.DeadlineAt.Add(by))
			p.setStage(i, stage)
		}
		p.Outages = append(slices.Clone(p.Outages), outage)
		changed = true
	}
	return changed
}

// ReopenAt is the position of the stage with which an ended session continues unless a person
// chooses another one, and whether that stage continues or follows the last closed one. A
// stage that time or a failed gate has closed continues; after one that the candidate has
// submitted, or whose gate passes since a correction, the next one follows. It is -1 when no
// stage was ever started.
func (p Progress) ReopenAt() int {
	last := p.lastClosed()
	if last < 0 || last == len(p.Stages)-1 {
		return last
	}
	stage := p.Stages[last]
	byTime := stage.DeadlineAt != nil && !stage.ClosedAt.Before(*stage.DeadlineAt)
	byGate := p.Status == SessionDisqualified && stage.GatePassed != nil && !*stage.GatePassed
	if byTime || byGate || p.CloseReason != nil && *p.CloseReason == ClosedAbandoned {
		return last
	}
	return last + 1
}

// CanReopen reports whether an ended session can continue with the stage at position i: the
// last one that closed, or the one after it.
func (p Progress) CanReopen(i int) bool {
	last := p.lastClosed()
	return last >= 0 && i < len(p.Stages) && (i == last || i == last+1)
}

func (p Progress) lastClosed() int {
	for i := len(p.Stages) - 1; i >= 0; i-- {
		if p.Stages[i].ClosedAt != nil {
			return i
		}
	}
	return -1
}

// Reopen continues an ended session at now with the stage at position i, for which CanReopen
// holds. If that stage had closed, it ends after the given time. Otherwise it starts, or waits
// for its start, with its own limit. A limit of the session is extended to at least the same
// time. The scores are open again until the session ends.
func (p *Progress) Reopen(d Definition, i int, length time.Duration, now time.Time) {
	until := now.Add(length)
	if p.DeadlineAt != nil && p.DeadlineAt.Before(until) {
		p.DeadlineAt = &until
	}
	p.Status, p.CloseReason, p.ClosedAt = SessionInProgress, nil, nil
	p.Points, p.Score, p.Passed, p.DecidedAt = nil, nil, nil, nil
	p.Touch(now)
	if p.Stages[i].ClosedAt == nil {
		p.open(d, i, now)
		return
	}
	p.setStage(i, StageProgress{
		StageID: d.Stages[i].ID, Status: StageInProgress, StartedAt: p.Stages[i].StartedAt, DeadlineAt: &until,
	})
}
