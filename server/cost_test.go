package server

import (
	"strings"
	"testing"
	"time"
)

// The names of costly operations are those of operations.
func TestCostlyOperationsExist(t *testing.T) {
	t.Parallel()
	operations, err := newOperations()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]operation{}
	for _, o := range operations {
		known[o.id] = o
	}
	for name := range costlyOperations {
		if known[name].id == "" || known[name].security == "" {
			t.Errorf("%s is no operation with a credential", name)
		}
	}
	for name := range costlySearches {
		if _, there := known[name].query["q"]; !there {
			t.Errorf("%s has no parameter q", name)
		}
	}
	// A new operation that reads or writes many rows belongs in the table.
	for name, o := range known {
		many := strings.HasPrefix(name, "export") || strings.HasPrefix(name, "bulk") ||
			strings.HasPrefix(name, "replay") && strings.HasSuffix(name, "Webhook") ||
			strings.HasSuffix(name, "Statistics") || strings.HasPrefix(name, "summarize")
		if many && !costlyOperations[name] {
			t.Errorf("%s is not in costlyOperations", name)
		}
		if _, searches := o.query["q"]; searches && !costlyOperations[name] && !costlySearches[name] {
			t.Errorf("%s searches, and is not in costlySearches", name)
		}
	}
}

// A candidate is not refused when the organization has used up its budget.
func TestWorkOfCandidates(t *testing.T) {
	t.Parallel()
	costs, err := newCosts(RateLimit{Requests: 1, Window: time.Minute, Burst: 1}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	costs.budget.spend("org", time.Hour)
	for _, refusable := range []bool{true, false} {
		w := &work{costs: costs, organizationID: "org", whole: true, refusable: refusable}
		err := w.begin(t.Context())
		w.end()
		if (err != nil) != refusable {
			t.Errorf("refusable %v: %v", refusable, err)
		}
	}
}

// What an organization owes is bounded, and no clock that goes back makes it more.
func TestWorkDebt(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	costs, err := newCosts(RateLimit{Requests: 500, Window: time.Second, Burst: 10_000}, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	check := func(want time.Duration) {
		t.Helper()
		if got := costs.budget.debt("org"); got != want {
			t.Errorf("%s until the debt is paid, want %s", got, want)
		}
	}
	check(0)
	costs.budget.spend("org", 10*time.Second)
	check(0)
	costs.budget.spend("org", 1500*time.Microsecond)
	check(3 * time.Millisecond)
	costs.budget.spend("org", time.Hour)
	check(20 * time.Second)
	now = now.Add(-time.Hour)
	check(20 * time.Second)
	now = now.Add(time.Hour + 15*time.Second)
	check(5 * time.Second)
	if other := costs.budget.debt("another"); other != 0 {
		t.Errorf("another organization owes %s", other)
	}
}
