package webhooks_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"assay/store/storetest"
	"assay/webhooks"
)

// TestManyEndpointsStopResponding has 40 endpoints that have responded at once, and then
// hang: together they have more deliveries than there are slots. An endpoint that still
// responds must not wait until their attempts time out.
func TestManyEndpointsStopResponding(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		const endpoints, events = 40, 20
		org := newOrganization(t, openStore(t, storetest.URL(t, database), time.Now))
		var hangs atomic.Bool
		release := make(chan struct{})
		hanging := newCountingReceiver(t, func(request *http.Request) {
			if hangs.Load() {
				select {
				case <-release:
				case <-request.Context().Done():
				}
			}
		})
		for range endpoints {
			org.endpointID(hanging.url)
		}
		healthy := newCountingReceiver(t, nil)
		org.endpointID(healthy.url)
		run(t, webhooks.Options{Queue: org.store.Queue(), Timeout: patience, AllowInsecure: true})
		t.Cleanup(func() { close(release) }) // before the dispatcher waits for its attempts
		org.emit(3)                          // the receiver counts events, and each arrives 40 times
		eventually(t, func() bool { return org.pending() == 0 })

		hangs.Store(true)
		began := time.Now()
		org.emit(events)
		healthy.wait(t, 3+events, patience/2)
		t.Logf("%d events arrived after %v", events, time.Since(began))
	})
}
