package rules

import "time"

// StartTerms are what decides when a session can be started.
type StartTerms struct {
	Status    SessionStatus
	ExpiresAt time.Time // of the invite
	Window    Window    // of the assessment; empty for a test session, which ignores it
}

// StartSpan is the time in which a session can be started. Whoever promises a candidate
// or an organization something about the start reads it here: invites, emails, reminders,
// both pages, and the start itself.
type StartSpan struct {
	From  *time.Time // the first moment; nil if only the invite limits it
	Until *time.Time // the first moment after it; nil for a session that can be started at no time
	// late is the code of the refusal from Until on, or at any time if Until is nil.
	late string
}

// Span returns when the session can be started. The times do not depend on the
// current time, so the span of a closed assessment is in the past.
func (t StartTerms) Span() StartSpan {
	if t.Status != SessionInvited {
		if _, refusal := t.Status.After(VerbStart); refusal != "" {
			return StartSpan{late: refusal}
		}
		return StartSpan{late: SessionNotInvited} // it has been started
	}
	until, late := t.ExpiresAt, InviteExpired
	if closes := t.Window.ClosesAt; closes != nil && closes.Before(until) {
		until, late = *closes, AssessmentClosed
	}
	if opens := t.Window.OpensAt; opens != nil && !opens.Before(until) {
		return StartSpan{From: opens, late: AssessmentNotOpen}
	}
	return StartSpan{From: t.Window.OpensAt, Until: &until, late: late}
}

// Refusal returns the code of the refusal to start the session now, or "".
func (s StartSpan) Refusal(now time.Time) string {
	if late := s.Never(now); late != "" {
		return late
	}
	if s.From != nil && now.Before(*s.From) {
		return AssessmentNotOpen
	}
	return ""
}

// Never returns "" if the session can be started now or later. Otherwise it returns the
// code of the reason: AssessmentNotOpen means that the invite expires before the
// assessment opens.
func (s StartSpan) Never(now time.Time) string {
	if s.Until != nil && now.Before(*s.Until) {
		return ""
	}
	return s.late
}

// lastReminder is how long before the end of the span a candidate gets the last reminder.
const lastReminder = 24 * time.Hour

// NextReminder returns the first time for a reminder that is not before earliest, or
// false. afterHours counts from the invite, or from the first moment at which the session
// can be started, if that is later: nobody is reminded of what is not possible yet.
func (s StartSpan) NextReminder(
	invitedAt time.Time, afterHours []int, earliest time.Time,
) (next time.Time, ok bool) {
	if s.Until == nil {
		return time.Time{}, false
	}
	first := invitedAt
	if s.From != nil && s.From.After(first) {
		first = *s.From
	}
	times := []time.Time{s.Until.Add(-lastReminder)}
	for _, hours := range afterHours {
		times = append(times, first.Add(time.Duration(hours)*time.Hour))
	}
	for _, at := range times {
		if !at.Before(first) && !at.Before(earliest) && at.Before(*s.Until) && (!ok || at.Before(next)) {
			next, ok = at, true
		}
	}
	return next, ok
}
