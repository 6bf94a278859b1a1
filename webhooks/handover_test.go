package webhooks_test

import (
	"context"
	"database/sql"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

// TestTwoDispatchersShareTheWork lets two work off one queue: without a crash
// nothing is sent twice.
func TestTwoDispatchersShareTheWork(t *testing.T) {
	t.Parallel()
	databaseURL := storetest.URL(t, "postgres")
	first, second := safetyStore(t, databaseURL, time.Now), safetyStore(t, databaseURL, time.Now)
	org := newSafetyOrg(t, first)
	receiver := newSafetyReceiver(t, nil)
	for range 5 {
		org.endpoint(t, receiver.url)
	}
	org.emit(t, 100)
	settled := 0.0
	var registries []*prometheus.Registry
	for _, s := range []*store.Store{first, second} {
		registry := prometheus.NewRegistry()
		registries = append(registries, registry)
		safetyRun(t, webhooks.Options{Store: s, Registry: registry, AllowInsecure: true})
	}
	receiver.wait(t, 500, 30*time.Second)
	safetyWait(t, "settling of all", 10*time.Second, func() bool {
		settled = counter(t, registries[0], "assay_webhook_deliveries_total") + counter(t, registries[1], "assay_webhook_deliveries_total")
		return settled == 500
	})
	if distinct, doubled := receiver.counts(); distinct != 500 || doubled != 0 {
		t.Errorf("%d deliveries, %d of them more than once", distinct, doubled)
	}
	if counter(t, registries[0], "assay_webhook_lease_losses_total")+counter(t, registries[1], "assay_webhook_lease_losses_total") != 0 {
		t.Error("a lease was lost")
	}
}

// TestShutdownLeavesNothingLeased ends a dispatcher while attempts are in flight
// and claimed deliveries wait for their turn. The clock stands still, so no
// lease runs out: what the next dispatcher delivers was given back.
func TestShutdownLeavesNothingLeased(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		const events, inFlight = 20, 2
		clock := storetest.NewClock()
		org := newSafetyOrg(t, safetyStore(t, storetest.URL(t, database), clock.Now))
		var mu sync.Mutex
		var gate chan struct{} // nil lets everything through
		arrived := make(chan struct{}, 2*events)
		receiver := newSafetyReceiver(t, func(*http.Request) {
			mu.Lock()
			wait := gate
			mu.Unlock()
			arrived <- struct{}{}
			if wait != nil {
				<-wait
			}
		})
		endpoint := org.endpoint(t, receiver.url)
		org.emit(t, events)
		opts := webhooks.Options{Store: org.store, Now: clock.Now, PerEndpoint: inFlight, AllowInsecure: true}
		stop := safetyRun(t, opts)
		receiver.wait(t, events, 10*time.Second)
		for range events {
			<-arrived
		}
		settled := func(n int) func() bool {
			return func() bool { return n == countDeliveries(t, org, endpoint, store.DeliverySucceeded) }
		}
		safetyWait(t, "settling", 5*time.Second, settled(events))

		closed := make(chan struct{})
		mu.Lock()
		gate = closed
		mu.Unlock()
		org.replay(t, endpoint)
		for range inFlight {
			<-arrived
		}
		if leased := countLeased(t, org, endpoint, clock.Now()); leased <= inFlight {
			t.Errorf("%d are claimed: none waits for its turn, so nothing is to be given back", leased)
		}
		stopped := make(chan struct{})
		go func() { stop(); close(stopped) }()
		select {
		case <-stopped:
			t.Error("the dispatcher ended without its attempts")
		case <-time.After(100 * time.Millisecond): // only a wrong dispatcher could be quicker
		}
		close(closed)
		<-stopped
		if !settled(events + inFlight)() {
			t.Error("what was in flight was not settled")
		}
		if leased := countLeased(t, org, endpoint, clock.Now()); leased != 0 {
			t.Errorf("%d are leased still", leased)
		}
		safetyRun(t, opts)
		receiver.wait(t, 2*events, 5*time.Second)
		if _, doubled := receiver.counts(); doubled != 0 {
			t.Errorf("%d were delivered twice", doubled)
		}
	})
}

// TestShutdownAtAnyMoment ends dispatchers in whatever they are doing, a claim
// above all. The clock stands still again, so a lease left behind lasts for ever.
func TestShutdownAtAnyMoment(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		const events, rounds = 10, 60
		clock := storetest.NewClock()
		org := newSafetyOrg(t, safetyStore(t, storetest.URL(t, database), clock.Now))
		receiver := newSafetyReceiver(t, nil)
		endpoint := org.endpoint(t, receiver.url)
		org.emit(t, events)
		opts := webhooks.Options{Store: org.store, Now: clock.Now, AllowInsecure: true}
		for round := range rounds {
			stop := safetyRun(t, opts)
			org.replay(t, endpoint)
			time.Sleep(time.Duration(round) * 50 * time.Microsecond) // so that each round ends elsewhere
			stop()
			if leased := countLeased(t, org, endpoint, clock.Now()); leased != 0 {
				t.Fatalf("round %d left %d leased", round, leased)
			}
		}
		safetyRun(t, opts)
		receiver.wait(t, events*(rounds+1), 10*time.Second)
		if _, doubled := receiver.counts(); doubled != 0 {
			t.Errorf("%d were delivered twice", doubled)
		}
	})
}

func listAll(t *testing.T, org *safetyOrg, webhookID string, status store.DeliveryStatus) (all []store.Delivery) {
	t.Helper()
	page := store.Page{Limit: 100}
	for more := true; more; {
		var deliveries []store.Delivery
		var err error
		deliveries, more, err = org.store.ListDeliveries(context.Background(), org.scope, webhookID, store.DeliveryFilter{Status: status}, page)
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, deliveries...); more {
			page.After = all[len(all)-1].ID
		}
	}
	return all
}

func countDeliveries(t *testing.T, org *safetyOrg, webhookID string, status store.DeliveryStatus) int {
	t.Helper()
	return len(listAll(t, org, webhookID, status))
}

// countLeased counts what is due only later though nothing has failed: it is leased.
func countLeased(t *testing.T, org *safetyOrg, webhookID string, now time.Time) (n int) {
	t.Helper()
	for _, delivery := range listAll(t, org, webhookID, store.DeliveryPending) {
		if delivery.NextAttemptAt.After(now) {
			n++
		}
	}
	return n
}

// TestDatabaseGoesAway ends every connection again and again under load. All
// arrives without a restart, and wake-ups of other processes are heard again.
func TestDatabaseGoesAway(t *testing.T) {
	t.Parallel()
	databaseURL := storetest.URL(t, "postgres")
	parsed, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(parsed.Path, "/")
	admin, err := sql.Open("postgres", os.Getenv("TEST_DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()

	// The publisher is another process to the dispatcher: it is woken by NOTIFY only.
	publisher, worker := safetyStore(t, databaseURL, time.Now), safetyStore(t, databaseURL, time.Now)
	org := newSafetyOrg(t, publisher)
	receiver := newSafetyReceiver(t, nil)
	endpoint := org.endpoint(t, receiver.url)
	// The lease is 9 s: that is what a claim takes to be found whose answer was lost.
	safetyRun(t, webhooks.Options{Store: worker, Timeout: 2 * time.Second, AllowInsecure: true})

	accepted, rejected, ended := 0, 0, make(chan struct{})
	go func() {
		defer close(ended)
		for accepted < 1500 {
			if _, err := org.tryEmit(); err != nil {
				rejected++
				continue
			}
			accepted++
		}
	}()
	killed := 0
	for open := true; open; {
		select {
		case <-ended:
			open = false
		case <-time.After(150 * time.Millisecond):
		}
		var backends int
		if err := admin.QueryRowContext(context.Background(), `
			SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = $1`, name).Scan(&backends); err != nil {
			t.Fatal(err)
		}
		killed += backends
	}
	started := time.Now()
	safetyWait(t, "end of the queue", 30*time.Second, func() bool {
		pending, _, err := publisher.ListDeliveries(context.Background(), org.scope, endpoint,
			store.DeliveryFilter{Status: store.DeliveryPending}, store.Page{Limit: 1})
		return err == nil && len(pending) == 0
	})
	distinct, doubled := receiver.counts()
	t.Logf("%d backends ended, %d events accepted, %d refused; %d arrived, %d twice; the last %v after the end",
		killed, accepted, rejected, distinct, doubled, time.Since(started))
	// A refused event may have been committed: the answer was lost.
	if succeeded := countDeliveries(t, org, endpoint, store.DeliverySucceeded); succeeded < accepted || distinct != succeeded {
		t.Errorf("%d accepted, %d arrived, %d recorded", accepted, distinct, succeeded)
	}
	// An event may be refused, and need not be: what had not been sent is sent again on a new connection.
	if killed < 10 {
		t.Errorf("the database was not away: %d backends ended", killed)
	}

	// With polling alone each would take until the next second: it is made just after the last one was found.
	safetyWait(t, "listener", 15*time.Second, func() bool {
		var listening bool
		err := admin.QueryRowContext(context.Background(), `
			SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND query ILIKE 'LISTEN%')`, name).Scan(&listening)
		return err == nil && listening
	})
	var took []time.Duration
	for range 7 {
		before, _ := receiver.counts()
		started := time.Now()
		for _, err := org.tryEmit(); err != nil; _, err = org.tryEmit() { // a dead connection in the pool is met once
			started = time.Now()
		}
		receiver.wait(t, before+1, 5*time.Second)
		took = append(took, time.Since(started))
	}
	slices.Sort(took)
	if median := took[len(took)/2]; median > 400*time.Millisecond {
		t.Errorf("after the database came back a delivery takes %v: %v", median, took)
	}
	t.Logf("afterwards a delivery takes %v", took)
}
