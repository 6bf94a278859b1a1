package contract

import (
	"assay/server"
	"assay/store/storetest"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// An organization that has used up its budget of work gets 429 for costly requests only, others do not, and the budget
// fills again.
func TestWorkBudget(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		hostile, other := a.cast(), a.cast()
		own, others := hostile.publish(twoStages()), other.publish(twoStages())
		// A second passes at each look at the clock, so that every piece of work takes at least a second.
		var looks atomic.Int64
		ticking := storetest.OpenURL(t, a.database, func() time.Time {
			return a.clock.Now().Add(time.Duration(looks.Add(1)) * time.Second)
		})
		limited := serve(t, ticking, a.clock, func(opts *server.Options) {
			opts.RateLimits.Work = server.RateLimit{Requests: 200, Window: time.Minute, Burst: 2500} // milliseconds
		})
		hostile, other = hostile.through(limited), other.through(limited)

		path := "/v1/assessments/" + own
		refused := limited.do("GET", path, hostile.owner, nil).want(200)
		requests := 1
		for refused.status == http.StatusOK && requests < 4 {
			refused = limited.do("GET", path, hostile.owner, nil)
			requests++
		}
		wait := refused.limited("work")
		// At most 2.5 s are owed, and a second of work takes five minutes to come back.
		if fields := refused.limits(); fields.quota != 200 || fields.window != 60 || requests < 2 || wait < 60 || wait > 750 {
			t.Errorf("request %d has the rate limit headers %+v", requests, fields)
		}
		if got := limited.do("GET", "/v1/candidate-sessions?q=ada", hostile.owner, nil); got.status != 429 {
			t.Errorf("a search: %d", got.status)
		}
		large := map[string]any{"name": strings.Repeat("x", 16<<10)}
		if got := limited.do("POST", "/v1/webhooks", hostile.owner, large); got.status != 429 {
			t.Errorf("a large body: %d", got.status)
		}
		if got := limited.do("GET", "/v1/candidate-sessions", hostile.owner, nil); got.status != http.StatusOK {
			t.Errorf("a list: %d", got.status)
		}
		if got := limited.do("GET", "/v1/assessments/"+others, other.owner, nil); got.status != http.StatusOK {
			t.Errorf("another organization: %d", got.status)
		}
		a.clock.Advance(time.Duration(wait) * time.Second)
		if got := limited.do("GET", path, hostile.owner, nil); got.status != http.StatusOK {
			t.Errorf("after Retry-After: %d %s", got.status, got.body)
		}
	})
}
