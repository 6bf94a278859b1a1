package webhooks_test

import (
	"net/http"
	"testing"
	"time"

	"assay/store/storetest"
	"assay/webhooks"
)

// TestSlowEndpointDelaysNoOther measures how long one endpoint's 1,000 events
// take, alone and beside an endpoint of the same organization that takes 4 s
// for each answer and has as many waiting. It is not parallel: it measures time.
func TestSlowEndpointDelaysNoOther(t *testing.T) {
	const (
		events  = 250
		replays = 4 // replaying is quicker than making events
		rounds  = 4
		slowly  = 4 * time.Second
	)
	for _, database := range storetest.Databases {
		t.Run(database, func(t *testing.T) {
			org := newSafetyOrg(t, safetyStore(t, storetest.URL(t, database), time.Now))
			fast := newSafetyReceiver(t, nil)
			ended := make(chan struct{})
			slow := newSafetyReceiver(t, func(*http.Request) {
				select {
				case <-ended:
				case <-time.After(slowly):
				}
			})
			fastID := org.endpoint(t, fast.url)
			org.emit(t, events)
			safetyRun(t, webhooks.Options{Store: org.store, AllowInsecure: true})
			t.Cleanup(func() { close(ended) }) // before the dispatcher waits for its attempts
			sent := events
			fast.wait(t, sent, 30*time.Second)
			best := func() time.Duration {
				least := time.Hour
				for range rounds {
					started := time.Now()
					for range replays {
						org.replay(t, fastID)
						sent += events
					}
					fast.wait(t, sent, 60*time.Second)
					least = min(least, time.Since(started))
				}
				return least
			}
			alone := best()
			slowID := org.endpoint(t, slow.url)
			for range replays {
				org.replay(t, slowID)
			}
			// Until its first answer it counts as new; what matters is how it does afterwards too.
			beside := best()
			slow.wait(t, 1, 2*slowly)
			later := best()
			t.Logf("1,000 events: %v alone, %v beside one that is slow, %v when it is known to be", alone, beside, later)
			if limit := max(alone*6/5, alone+500*time.Millisecond); beside > limit || later > limit {
				t.Errorf("1,000 events took %v and %v beside a slow endpoint, %v without", beside, later, alone)
			}
			if n := slow.total.Load(); n == 0 || n > 200 {
				t.Errorf("the slow endpoint answered %d times: it was not slow beside the other", n)
			}
		})
	}
}
