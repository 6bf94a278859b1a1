package server

import (
	"net/http"
	"strings"
	"sync/atomic"
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

// ticking is a clock on which a second passes at each look, so that every piece of work takes at least a second.
type ticking struct{ looks atomic.Int64 }

func (c *ticking) now() time.Time {
	return time.Date(2026, 1, 1, 0, 0, int(c.looks.Add(1)), 0, time.UTC)
}

// An organization that has used up its budget of work gets 429 for costly requests only, others do not, and the budget
// fills again.
func TestWorkBudget(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		hostile, other := a.cast(), a.cast()
		own, others := hostile.publish(twoStages()), other.publish(twoStages())
		limited := a.limited(RateLimits{Work: RateLimit{Requests: 1000, Window: time.Minute, Burst: 2500}})
		limited.server.limits.costs.now = new(ticking).now
		hostile, other = hostile.through(limited), other.through(limited)

		path := "/v1/assessments/" + own
		for n := range 3 {
			if answer := limited.do("GET", path, hostile.owner, nil); answer.status != http.StatusOK {
				t.Fatalf("request %d: %d %s", n, answer.status, answer.body)
			}
		}
		refused := limited.do("GET", path, hostile.owner, nil)
		refused.is(http.StatusTooManyRequests, "rate_limited")
		// 500 ms of work are owed, and a second of work takes a minute to come back.
		for name, want := range map[string]string{
			"Retry-After": "30", "RateLimit": `"work";r=0;t=30`, "RateLimit-Policy": `"work";q=1000;w=60`,
		} {
			if got := refused.header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		if got := limited.do("GET", "/v1/candidate-sessions?q=ada", hostile.owner, nil); got.status != 429 {
			t.Errorf("a search: %d", got.status)
		}
		large := map[string]any{"name": strings.Repeat("x", cheapBody)}
		if got := limited.do("POST", "/v1/webhooks", hostile.owner, large); got.status != 429 {
			t.Errorf("a large body: %d", got.status)
		}
		if got := limited.do("GET", "/v1/candidate-sessions", hostile.owner, nil); got.status != http.StatusOK {
			t.Errorf("a list: %d", got.status)
		}
		if got := limited.do("GET", "/v1/assessments/"+others, other.owner, nil); got.status != http.StatusOK {
			t.Errorf("another organization: %d", got.status)
		}
		a.clock.Advance(30 * time.Second)
		if got := limited.do("GET", path, hostile.owner, nil); got.status != http.StatusOK {
			t.Errorf("after Retry-After: %d %s", got.status, got.body)
		}
	})
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
