package rules

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	parsed, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestMonthsEndOnALastDay(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from, want string
		months     int
	}{
		{"2026-01-15 10:00", "2026-07-15 10:00", 6},
		{"2026-01-31 10:00", "2026-02-28 10:00", 1},
		{"2027-12-31 23:59", "2028-02-29 23:59", 2},
		{"2026-02-28 10:00", "2026-03-28 10:00", 1},
		{"2026-10-31 10:00", "2046-10-31 10:00", 240},
	} {
		if got := AddMonths(at(t, test.from), test.months); !got.Equal(at(t, test.want)) {
			t.Errorf("%d months from %s are %s, want %s", test.months, test.from, got, test.want)
		}
	}
}

// What a sweep selects by its time has reached its end, and what has reached its end is selected within a day.
func TestMonthsBeforeSelectWhatHasEnded(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Date(2023, 12, 25, 0, 0, 0, 0, time.UTC)
	for range 200_000 {
		now := start.Add(time.Duration(random.IntN(1200*24*60)) * time.Minute)
		months := 1 + random.IntN(14)
		bound := MonthsBefore(now, months)
		end := bound.Add(time.Duration(random.IntN(8*24*60)-4*24*60) * time.Minute)
		until := AddMonths(end, months)
		if !end.After(bound) && now.Before(until) {
			t.Fatalf("at %s, %s is selected, and is kept for %d months until %s", now, end, months, until)
		}
		if end.After(bound) && !now.Before(until.Add(24*time.Hour)) {
			t.Fatalf("at %s, %s is not selected, and was kept for %d months until %s", now, end, months, until)
		}
	}
}

func TestKeptUntil(t *testing.T) {
	t.Parallel()
	end := at(t, "2026-01-15 10:00")
	states := []StateRetention{{"rejected", 6}, {"hired", 24}}
	for name, test := range map[string]struct {
		retention Retention
		session   KeptSession
		want      string // "" for no limit
	}{
		"no limit":            {Retention{}, KeptSession{}, ""},
		"months":              {Retention{Months: new(12)}, KeptSession{Started: true}, "2027-01-15 10:00"},
		"not started":         {Retention{Months: new(12), NotStartedMonths: new(1)}, KeptSession{}, "2026-02-15 10:00"},
		"not started, months": {Retention{Months: new(12)}, KeptSession{}, "2027-01-15 10:00"},
		"only not started":    {Retention{NotStartedMonths: new(1)}, KeptSession{Started: true}, ""},
		"state of the past": {Retention{Months: new(12), States: states},
			KeptSession{Started: true, StateID: "rejected", Since: at(t, "2025-11-01 10:00")}, "2026-07-15 10:00"},
		"later state": {Retention{Months: new(12), States: states},
			KeptSession{Started: true, StateID: "rejected", Since: at(t, "2026-03-01 10:00")}, "2026-09-01 10:00"},
		"state after all": {Retention{Months: new(12), States: states},
			KeptSession{Started: true, StateID: "rejected", Since: at(t, "2026-12-01 10:00")}, "2027-01-15 10:00"},
		"state alone": {Retention{States: states},
			KeptSession{Started: true, StateID: "hired", Since: at(t, "2026-12-01 10:00")}, "2028-12-01 10:00"},
		"other state": {Retention{States: states}, KeptSession{Started: true, StateID: "new"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.session.EndedAt = end
			got := test.retention.KeptUntil(test.session)
			if (got == nil) != (test.want == "") || got != nil && !got.Equal(at(t, test.want)) {
				t.Errorf("kept until %v, want %s", got, test.want)
			}
		})
	}
}

func TestRetentionFaults(t *testing.T) {
	t.Parallel()
	retention := Retention{Months: new(6), NotStartedMonths: new(7), States: []StateRetention{
		{"rejected", 6}, {"hired", 7}, {"rejected", 1},
	}}
	want := []string{"/notStartedMonths too_large", "/states/1/months too_large", "/states/2/stateId duplicate"}
	if got := pointersAndCodes(RetentionFaults(retention)); !slices.Equal(got, want) {
		t.Errorf("the faults are %v, want %v", got, want)
	}
	retention.Months, retention.States = nil, retention.States[:2]
	if got := RetentionFaults(retention); len(got) > 0 {
		t.Errorf("without a limit, the faults are %v", got)
	}
}
