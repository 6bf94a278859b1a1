package contract

import (
	"assay/server"
	"net/http"
	"strings"
	"testing"
	"time"
)

// An organization that has used up its budget of work gets 429 for costly requests only, others do not, and the budget
// fills again.
func TestWorkBudget(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		hostile, other := a.cast(), a.cast()
		own, others := hostile.publish(twoStages()), other.publish(twoStages())
		limited := a.limited(server.RateLimits{Work: server.RateLimit{Requests: 1, Window: time.Hour, Burst: 1}}) // milliseconds
		hostile, other = hostile.through(limited), other.through(limited)

		path := "/v1/assessments/" + own
		refused := limited.do("GET", path, hostile.owner, nil).want(200)
		for n := 0; n < 1000 && refused.status == http.StatusOK; n++ { // a request takes less than a second
			refused = limited.do("GET", path, hostile.owner, nil)
		}
		wait := refused.limited("work")
		if fields := refused.limits(); fields.quota != 1 || fields.window != 3600 || wait > 3600 {
			t.Errorf("the rate limit headers are %+v", fields)
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
