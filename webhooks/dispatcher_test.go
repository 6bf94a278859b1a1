package webhooks_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

// TestTwoDispatchers checks that two dispatchers on one queue send nothing twice.
func TestTwoDispatchers(t *testing.T) {
	t.Parallel()
	databaseURL := storetest.URL(t, "postgres")
	first, second := openStore(t, databaseURL, time.Now), openStore(t, databaseURL, time.Now)
	org := newOrganization(t, first)
	receiver := newCountingReceiver(t, nil)
	for range 5 {
		org.endpointID(receiver.url)
	}
	org.emit(100)
	var registries []*prometheus.Registry
	for _, s := range []*store.Store{first, second} {
		registry := prometheus.NewRegistry()
		registries = append(registries, registry)
		run(t, webhooks.Options{Queue: s.Queue(), Registry: registry, AllowInsecure: true})
	}
	receiver.wait(t, 500, patience)
	total := func(name string) float64 { return metric(t, registries[0], name) + metric(t, registries[1], name) }
	waitFor(t, "outcome of all", patience, func() bool { return total("assay_webhook_deliveries_total") == 500 })
	if distinct, duplicated := receiver.counts(); distinct != 500 || duplicated != 0 {
		t.Errorf("%d deliveries, %d of them more than once", distinct, duplicated)
	}
	if total("assay_webhook_lease_losses_total") != 0 {
		t.Error("a lease was lost")
	}
}

// TestShutdownGivesBack ends a dispatcher while attempts are in flight and claimed
// deliveries wait. The clock stands still, so that no lease ends by itself: the
// next dispatcher can only deliver what was given back.
func TestShutdownGivesBack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		const events, inFlight = 20, 2
		clock := storetest.NewClock()
		org := newOrganization(t, openStore(t, storetest.URL(t, database), clock.Now))
		var mu sync.Mutex
		var gate chan struct{} // requests wait for it; nil for none
		arrived := make(chan struct{}, 2*events)
		receiver := newCountingReceiver(t, func(*http.Request) {
			mu.Lock()
			wait := gate
			mu.Unlock()
			arrived <- struct{}{}
			if wait != nil {
				<-wait
			}
		})
		endpoint := org.endpointID(receiver.url)
		org.emit(events)
		opts := webhooks.Options{Queue: org.store.Queue(), Now: clock.Now, PerEndpoint: inFlight, AllowInsecure: true}
		stop := run(t, opts)
		receiver.wait(t, events, patience)
		for range events {
			<-arrived
		}
		settled := func(n int) func() bool {
			return func() bool { return n == len(org.deliveries(endpoint, store.DeliverySucceeded)) }
		}
		waitFor(t, "outcome of all", patience, settled(events))

		closed := make(chan struct{})
		mu.Lock()
		gate = closed
		mu.Unlock()
		org.replay(endpoint)
		for range inFlight {
			<-arrived
		}
		if leased := org.leased(endpoint); leased <= inFlight {
			t.Errorf("%d are leased: none waits, so there is nothing to give back", leased)
		}
		stopped := make(chan struct{})
		go func() { stop(); close(stopped) }()
		select {
		case <-stopped:
			t.Error("the dispatcher ended before its attempts")
		case <-time.After(100 * time.Millisecond): // a correct dispatcher waits for the gate
		}
		close(closed)
		<-stopped
		if !settled(events + inFlight)() {
			t.Error("the attempts in flight were not settled")
		}
		if leased := org.leased(endpoint); leased != 0 {
			t.Errorf("%d are still leased", leased)
		}
		run(t, opts)
		receiver.wait(t, 2*events, patience)
		if _, duplicated := receiver.counts(); duplicated != 0 {
			t.Errorf("%d deliveries were sent twice", duplicated)
		}
	})
}

// TestShutdownAtAnyMoment ends dispatchers at different moments of a claim. The
// clock stands still, so that a lease that is not given back lasts forever.
func TestShutdownAtAnyMoment(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		const events, rounds = 10, 60
		clock := storetest.NewClock()
		org := newOrganization(t, openStore(t, storetest.URL(t, database), clock.Now))
		receiver := newCountingReceiver(t, nil)
		endpoint := org.endpointID(receiver.url)
		org.emit(events)
		opts := webhooks.Options{Queue: org.store.Queue(), Now: clock.Now, AllowInsecure: true}
		for round := range rounds {
			stop := run(t, opts)
			org.replay(endpoint)
			time.Sleep(time.Duration(round) * 50 * time.Microsecond) // another moment in each round
			stop()
			if leased := org.leased(endpoint); leased != 0 {
				t.Fatalf("round %d: %d are still leased", round, leased)
			}
		}
		run(t, opts)
		receiver.wait(t, events*(rounds+1), patience)
		if _, duplicated := receiver.counts(); duplicated != 0 {
			t.Errorf("%d deliveries were sent twice", duplicated)
		}
	})
}
