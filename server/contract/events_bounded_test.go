package contract

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// A request that shows some deliveries of an event reads about as many, however many
// deliveries the event has. Replays and redeliveries add to them without a limit. The test
// is not parallel, because it counts the allocations of all goroutines.
func TestReadsOfAnEventWithManyDeliveriesAreBounded(t *testing.T) {
	const copies, bound = 20_000, 4 << 20
	for _, database := range storetest.Databases {
		t.Run(database, func(t *testing.T) {
			clock, databaseURL := storetest.NewClock(), storetest.URL(t, database)
			a := serve(t, storetest.OpenURL(t, databaseURL, clock.Now), clock)
			a.database = databaseURL
			o := a.register()
			hook := o.hookID()
			o.publish(oneQuestion())
			a.settleAll(hook, store.DeliverySucceeded, took200)
			delivery := a.do("GET", "/v1/deliveries", o.owner, nil).want(200).text("data.0.id")
			event := a.do("GET", "/v1/events", o.owner, nil).want(200).text("data.0.id")
			storetest.CopyDelivery(t, databaseURL, delivery, copies)
			clock.Advance(time.Second)
			a.do("POST", "/v1/webhooks/"+hook+"/deliveries/"+delivery+"/redeliver", o.owner, nil).want(201)
			storetest.Analyze(t, databaseURL)

			for _, path := range []string{
				"/v1/events", "/v1/events/" + event, "/v1/deliveries?eventId=" + event,
				"/v1/deliveries?status=FAILED&eventId=" + event,
			} {
				// The first two of a path prepare its statements.
				for range 2 {
					a.do("GET", path, o.owner, nil).want(200)
				}
				if used := a.allocated(path, o.owner); used > bound {
					t.Errorf("GET %s allocates %d KiB, want at most %d", path, used>>10, bound>>10)
				}
			}

			shown := a.do("GET", "/v1/events/"+event, o.owner, nil).want(200)
			var ids []string
			for i := range shown.list("data.deliveries") {
				ids = append(ids, shown.text(fmt.Sprintf("data.deliveries.%d.id", i)))
			}
			listed := a.do("GET", "/v1/deliveries?limit=100&eventId="+event, o.owner, nil).want(200)
			var newest []string
			for i := range listed.list("data") {
				newest = append(newest, listed.text(fmt.Sprintf("data.%d.id", i)))
			}
			if len(ids) != 100 || !slices.Equal(ids, newest) {
				t.Errorf("%d deliveries are shown, and not the 100 newest", len(ids))
			}
			if status := shown.text("data.deliveries.0.status"); status != "PENDING" {
				t.Errorf("the newest delivery is %s, want PENDING", status)
			}
		})
	}
}

// allocated is the number of bytes that the server allocates for a GET request, which it
// handles without a network.
func (a *api) allocated(path string, who credential) uint64 {
	a.t.Helper()
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, path, nil)
	r.Header.Set(who.header, who.value)
	w := httptest.NewRecorder()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a.server.ServeHTTP(w, r)
	runtime.ReadMemStats(&after)
	if w.Code != http.StatusOK {
		a.t.Fatalf("GET %s: %d %s", path, w.Code, w.Body)
	}
	return after.TotalAlloc - before.TotalAlloc
}
