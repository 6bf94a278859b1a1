package rules

import (
	"strconv"
	"time"
)

// Retention says how long the data of candidates are kept after the end of their sessions, in calendar months in UTC.
type Retention struct {
	Months           *int             // nil for no limit
	NotStartedMonths *int             // of sessions that ended before their start; nil for Months
	States           []StateRetention // each state once
}

// StateRetention is how long candidates in a state of the review are kept. They are never kept longer than Months.
type StateRetention struct {
	StateID string `db:"state_id"`
	Months  int    `db:"months"`
}

// KeptSession is what decides how long the data of an ended session are kept.
type KeptSession struct {
	EndedAt time.Time
	Started bool
	StateID string    // of the review
	Since   time.Time // when the candidate came into the state
}

// Counted returns from when the months of the candidate's state are counted.
func (s KeptSession) Counted() time.Time {
	if s.Since.After(s.EndedAt) {
		return s.Since
	}
	return s.EndedAt
}

// Limits reports whether the retention ever ends.
func (r Retention) Limits() bool {
	return r.Months != nil || r.NotStartedMonths != nil || len(r.States) > 0
}

// OfEnded returns the months of sessions that are in no state with months of its own, or nil for no limit.
func (r Retention) OfEnded(started bool) *int {
	if !started && r.NotStartedMonths != nil {
		return r.NotStartedMonths
	}
	return r.Months
}

// OfState returns the months of candidates in a state, or nil if it has none of its own.
func (r Retention) OfState(id string) *int {
	for i, state := range r.States {
		if state.StateID == id {
			return &r.States[i].Months
		}
	}
	return nil
}

// KeptUntil returns when the retention of a session ends, or nil if it has no limit.
func (r Retention) KeptUntil(s KeptSession) *time.Time {
	var until *time.Time
	if months := r.OfEnded(s.Started); months != nil {
		until = new(AddMonths(s.EndedAt, *months))
	}
	if months := r.OfState(s.StateID); months != nil {
		if end := AddMonths(s.Counted(), *months); until == nil || end.Before(*until) {
			until = &end
		}
	}
	return until
}

// AddMonths returns the same day and time of a later month in UTC. If that month has no such day, it is its last day.
func AddMonths(t time.Time, months int) time.Time {
	first, last := shifted(t, months)
	return first.AddDate(0, 0, min(t.UTC().Day(), last)-1)
}

// MonthsBefore returns a time for searches: up to it, AddMonths has passed at t. Of later times, it has passed for less
// than a day.
func MonthsBefore(t time.Time, months int) time.Time {
	first, last := shifted(t, -months)
	if day := t.UTC().Day(); day <= last {
		return first.AddDate(0, 0, day-1)
	}
	return time.Date(first.Year(), first.Month()+1, 1, 0, 0, 0, 0, time.UTC).Add(-time.Millisecond)
}

// shifted returns the first day of another month at the time of t, and the number of days of that month.
func shifted(t time.Time, months int) (first time.Time, days int) {
	t = t.UTC()
	first = t.AddDate(0, 0, 1-t.Day()).AddDate(0, months, 0)
	return first, first.AddDate(0, 1, -1).Day()
}

// RetentionFaults returns what is wrong with a retention: a period that is longer than that of all sessions, or a state
// that occurs twice.
func RetentionFaults(r Retention) []Fault {
	var faults []Fault
	longer := func(months int) bool { return r.Months != nil && months > *r.Months }
	if r.NotStartedMonths != nil && longer(*r.NotStartedMonths) {
		faults = append(faults, Fault{"/notStartedMonths", "too_large", notLonger})
	}
	seen := map[string]bool{}
	for i, state := range r.States {
		at := "/states/" + strconv.Itoa(i)
		if seen[state.StateID] {
			faults = append(faults, Fault{at + "/stateId", "duplicate", "is in the list twice"})
		}
		if longer(state.Months) {
			faults = append(faults, Fault{at + "/months", "too_large", notLonger})
		}
		seen[state.StateID] = true
	}
	return faults
}

const notLonger = "must be at most months"
