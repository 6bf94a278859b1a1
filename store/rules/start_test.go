package rules

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// noon is the time of the invite in these tests.
var noon = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func hoursAfter(hours int) *time.Time { return new(noon.Add(time.Duration(hours) * time.Hour)) }

func TestStartSpan(t *testing.T) {
	t.Parallel()
	const expires = 100 // hours after noon
	for _, tt := range []struct {
		name        string
		window      Window
		from, until *time.Time
		late        string
	}{
		{"no window", Window{}, nil, hoursAfter(expires), InviteExpired},
		{"opens before the invite", Window{OpensAt: hoursAfter(-5)}, hoursAfter(-5), hoursAfter(expires), InviteExpired},
		{"opens later", Window{OpensAt: hoursAfter(99)}, hoursAfter(99), hoursAfter(expires), InviteExpired},
		{"opens when the invite expires", Window{OpensAt: hoursAfter(expires)}, hoursAfter(expires), nil, AssessmentNotOpen},
		{"opens after the expiry", Window{OpensAt: hoursAfter(101)}, hoursAfter(101), nil, AssessmentNotOpen},
		{"closes before the invite", Window{ClosesAt: hoursAfter(-1)}, nil, hoursAfter(-1), AssessmentClosed},
		{"closes before the expiry", Window{ClosesAt: hoursAfter(99)}, nil, hoursAfter(99), AssessmentClosed},
		{"closes with the expiry", Window{ClosesAt: hoursAfter(expires)}, nil, hoursAfter(expires), InviteExpired},
		{"closes after the expiry", Window{ClosesAt: hoursAfter(101)}, nil, hoursAfter(expires), InviteExpired},
		{"opens and closes", Window{hoursAfter(10), hoursAfter(20)}, hoursAfter(10), hoursAfter(20), AssessmentClosed},
		{"opens and closes after the expiry", Window{hoursAfter(101), hoursAfter(120)}, hoursAfter(101), nil,
			AssessmentNotOpen},
	} {
		span := StartTerms{SessionInvited, *hoursAfter(expires), tt.window}.Span()
		if differs(span.From, tt.from) || differs(span.Until, tt.until) || span.late != tt.late {
			t.Errorf("%s: %v to %v, then %s", tt.name, span.From, span.Until, span.late)
		}
	}
	for status, want := range map[SessionStatus]string{
		SessionInProgress: SessionNotInvited, SessionCompleted: SessionNotInProgress,
		SessionDisqualified: SessionNotInProgress, SessionExpired: InviteExpired, SessionCancelled: SessionNotInProgress,
	} {
		span := StartTerms{Status: status, ExpiresAt: *hoursAfter(expires)}.Span()
		if span.From != nil || span.Until != nil || span.Never(noon) != want || span.Refusal(noon) != want {
			t.Errorf("%s: %+v", status, span)
		}
	}
}

func differs(a, b *time.Time) bool { return (a == nil) != (b == nil) || a != nil && !a.Equal(*b) }

// drawTime returns nil or a time near noon. Few different times make equal times likely.
func drawTime(t *rapid.T, name string) *time.Time {
	hours := rapid.IntRange(-40, 200).Draw(t, name)
	return hoursAfter(hours)
}

func drawSpan(t *rapid.T) (StartTerms, StartSpan) {
	terms := StartTerms{Status: SessionInvited, ExpiresAt: *drawTime(t, "expires")}
	if rapid.Bool().Draw(t, "opens") {
		terms.Window.OpensAt = drawTime(t, "opensAt")
	}
	if rapid.Bool().Draw(t, "closes") {
		closes := drawTime(t, "closesAt")
		if terms.Window.OpensAt == nil || terms.Window.OpensAt.Before(*closes) { // see Window.Faults
			terms.Window.ClosesAt = closes
		}
	}
	return terms, terms.Span()
}

// The start agrees at each moment with the three conditions that a person would check.
func TestStartSpanAgreesWithItsParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		terms, span := drawSpan(t)
		var can []time.Time
		for hours := -45; hours <= 205; hours++ {
			for _, now := range []time.Time{hoursAfter(hours).Add(-time.Millisecond), *hoursAfter(hours)} {
				w := terms.Window
				want := now.Before(terms.ExpiresAt) && (w.OpensAt == nil || !now.Before(*w.OpensAt)) &&
					(w.ClosesAt == nil || now.Before(*w.ClosesAt))
				if got := span.Refusal(now) == ""; got != want {
					t.Fatalf("%+v at %v: can be started: %t, %+v", terms, now, got, span)
				}
				if want {
					can = append(can, now)
				}
			}
		}
		last := noon.Add(-48 * time.Hour)
		if len(can) > 0 {
			last = can[len(can)-1]
		}
		for hours := -45; hours <= 205; hours++ {
			if now := *hoursAfter(hours); (span.Never(now) == "") != !now.After(last) {
				t.Fatalf("%+v: never at %v is %q, and the last start is at %v", terms, now, span.Never(now), last)
			}
		}
	})
}

// A reminder comes when the session can be started, at one of the planned times, and none is skipped.
func TestRemindersAreInTheSpan(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		_, span := drawSpan(t)
		after := rapid.SliceOfN(rapid.IntRange(1, 200), 0, 3).Draw(t, "hours")
		var all []time.Time
		for earliest := noon; ; {
			at, ok := span.NextReminder(noon, after, earliest)
			if !ok {
				break
			}
			if at.Before(earliest) || span.Refusal(at) != "" && !at.Before(noon) {
				t.Fatalf("a reminder at %v, but the start is %+v", at, span)
			}
			all, earliest = append(all, at), at.Add(time.Millisecond)
		}
		if span.Until == nil {
			if len(all) > 0 {
				t.Fatalf("reminders for %+v: %v", span, all)
			}
			return
		}
		first := noon
		if span.From != nil && span.From.After(noon) {
			first = *span.From
		}
		last := span.Until.Add(-24 * time.Hour)
		if !last.Before(first) && !slices.ContainsFunc(all, last.Equal) {
			t.Fatalf("no reminder 24 hours before the end of %+v: %v", span, all)
		}
		for _, hours := range after {
			at := first.Add(time.Duration(hours) * time.Hour)
			if at.Before(*span.Until) && !slices.ContainsFunc(all, at.Equal) {
				t.Fatalf("no reminder %d hours after %v: %v", hours, first, all)
			}
		}
	})
}
