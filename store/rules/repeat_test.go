package rules

import (
	"testing"
	"time"
)

func TestRepeatRules(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	ago := func(days int) *time.Time { at := now.Add(-time.Duration(days) * 24 * time.Hour); return &at }
	finished := Attempt{Status: SessionCompleted, StartedAt: ago(31), EndedAt: ago(30)}
	stopped := Attempt{Status: SessionDisqualified, StartedAt: ago(31), EndedAt: ago(30)}
	cancelledUnstarted := Attempt{Status: SessionCancelled, EndedAt: ago(1)}
	cancelledStarted := Attempt{Status: SessionCancelled, StartedAt: ago(30), EndedAt: ago(30)}
	expired := Attempt{Status: SessionExpired}
	notSwept := Attempt{Status: SessionInvited, DueAt: ago(1)}
	invited := Attempt{Status: SessionInvited, DueAt: ago(-1)}
	working := Attempt{Status: SessionInProgress, StartedAt: ago(0), DueAt: ago(0)}

	for _, c := range []struct {
		name    string
		attempt Attempt
		rule    RepeatRule
		days    int
		want    RepeatDecision
		at      *time.Time
	}{
		{"allowed", finished, RepeatAllowed, 0, RepeatPossible, nil},
		{"ask", finished, RepeatAsk, 0, RepeatNeedsConsent, nil},
		{"ask about an open one", invited, RepeatAsk, 0, RepeatNeedsConsent, nil},
		{"never", stopped, RepeatNever, 0, RepeatImpossible, nil},
		{"never while working", working, RepeatNever, 0, RepeatImpossible, nil},
		{"a day too early", finished, RepeatAfterDays, 31, RepeatLater, ago(-1)},
		{"to the moment", finished, RepeatAfterDays, 30, RepeatPossible, nil},
		{"days of an open one", invited, RepeatAfterDays, 30, RepeatLater, nil},
		{"days while working", working, RepeatAfterDays, 30, RepeatLater, nil},
		{"cancelled after the start", cancelledStarted, RepeatNever, 0, RepeatImpossible, nil},
		{"cancelled before the start", cancelledUnstarted, RepeatNever, 0, RepeatPossible, nil},
		{"expired", expired, RepeatNever, 0, RepeatPossible, nil},
		{"expired a moment ago", notSwept, RepeatNever, 0, RepeatPossible, nil},
		{"of a later version", finished, "LATER_VERSION", 0, RepeatPossible, nil},
	} {
		got, at := RepeatTerms{c.rule, c.days}.Decide(c.attempt, now)
		if got != c.want || (at == nil) != (c.at == nil) || at != nil && !at.Equal(*c.at) {
			t.Errorf("%s: %s %v, want %s %v", c.name, got, at, c.want, c.at)
		}
	}

	recent := Attempt{Status: SessionCompleted, StartedAt: ago(5), EndedAt: ago(4)}
	order := []Attempt{invited, recent, finished, expired} // each decides before those behind it
	for i, a := range order {
		for j, b := range order {
			if got := a.Precedes(b, now); got != (i < j) {
				t.Errorf("Precedes of %d and %d: %t", i, j, got)
			}
		}
	}
}
