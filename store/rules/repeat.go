package rules

import "time"

// RepeatRule says whether a person who has attempted an assessment, or a copy of it, can be invited again.
type RepeatRule string

// The rules. The contract explains them.
const (
	RepeatAllowed   RepeatRule = "ALLOWED"
	RepeatAsk       RepeatRule = "ASK"
	RepeatAfterDays RepeatRule = "AFTER_DAYS"
	RepeatNever     RepeatRule = "NEVER"
)

// RepeatTerms are the rule of an assessment and its days, which count with RepeatAfterDays only.
type RepeatTerms struct {
	Rule RepeatRule
	Days int
}

// Attempt is what a rule needs to know of a session.
type Attempt struct {
	Status    SessionStatus
	StartedAt *time.Time
	EndedAt   *time.Time // nil before the end, and for an invite that has expired
	DueAt     *time.Time // the next deadline; nil when the session has ended
}

// IsOpen reports whether the candidate can start or continue the session. A session in progress whose time is up
// is open until its deadline has been applied. A session in review is open until a person has decided, because the
// candidate may continue then.
func (a Attempt) IsOpen(now time.Time) bool {
	switch a.Status {
	case SessionInProgress, SessionInReview:
		return true
	case SessionInvited:
		return a.DueAt != nil && a.DueAt.After(now)
	case SessionCompleted, SessionDisqualified, SessionExpired, SessionCancelled:
	}
	return false
}

// Counts reports whether the session is an attempt: the candidate has seen the questions, or can still see them.
func (a Attempt) Counts(now time.Time) bool { return a.StartedAt != nil || a.IsOpen(now) }

// Precedes reports whether session a of a person decides, and not session b. An open session decides, or else the
// session that ended last and counts.
func (a Attempt) Precedes(b Attempt, now time.Time) bool {
	switch {
	case a.IsOpen(now) != b.IsOpen(now):
		return a.IsOpen(now)
	case a.Counts(now) != b.Counts(now):
		return a.Counts(now)
	case a.EndedAt == nil || b.EndedAt == nil:
		return false
	default:
		return a.EndedAt.After(*b.EndedAt)
	}
}

// RepeatDecision says whether a person can be invited again.
type RepeatDecision string

// The decisions.
const (
	RepeatPossible     RepeatDecision = "ALLOWED"
	RepeatNeedsConsent RepeatDecision = "ASK"
	RepeatLater        RepeatDecision = "LATER"
	RepeatImpossible   RepeatDecision = "NEVER"
)

// Decide returns what the rule says at now about a person whose deciding session is a, and for RepeatLater from when on
// an invite is possible: nil while the session is open.
func (t RepeatTerms) Decide(a Attempt, now time.Time) (decision RepeatDecision, possibleAt *time.Time) {
	if !a.Counts(now) {
		return RepeatPossible, nil
	}
	switch t.Rule {
	case RepeatAsk:
		return RepeatNeedsConsent, nil
	case RepeatNever:
		return RepeatImpossible, nil
	case RepeatAfterDays:
		if a.IsOpen(now) || a.EndedAt == nil {
			return RepeatLater, nil
		}
		at := a.EndedAt.Add(time.Duration(t.Days) * 24 * time.Hour)
		if now.Before(at) {
			return RepeatLater, &at
		}
	case RepeatAllowed:
	}
	return RepeatPossible, nil
}
