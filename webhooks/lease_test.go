package webhooks_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

// claimAll claims whatever is due of the endpoint, as a dispatcher does.
func claimAll(t *testing.T, s *store.Store, webhookID, lease string) []store.Job {
	t.Helper()
	now := s.Now()
	jobs, err := s.UnscopedClaim(context.Background(), []store.Capacity{{WebhookID: webhookID, Free: 100}}, now, now.Add(25*time.Second), lease)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// settleWith settles the job with an attempt of that status code, and reports whether it was still the caller's.
func settleWith(t *testing.T, s *store.Store, job store.Job, code int) bool {
	t.Helper()
	outcome := store.Outcome{Job: job, Status: store.DeliverySucceeded, Attempt: store.Attempt{
		Number: job.Attempt + 1, StartedAt: store.Time{Time: s.Now()}, StatusCode: &code,
	}}
	if code != http.StatusOK {
		reason := store.FailedStatus
		outcome.Status, outcome.RetryAt, outcome.Attempt.FailureReason = store.DeliveryPending, s.Now(), &reason
	}
	ours, err := s.UnscopedSettle(context.Background(), []store.Outcome{outcome})
	if err != nil {
		t.Fatal(err)
	}
	if len(ours) > 1 || (len(ours) == 1 && !ours[job.DeliveryID]) {
		t.Fatalf("settled %v", ours)
	}
	return len(ours) == 1
}

// TestLeaseFencesTheSettling has dispatcher A oversleep its lease, and B claim
// the delivery meanwhile. Whatever A does then changes nothing.
func TestLeaseFencesTheSettling(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		ctx, clock := context.Background(), storetest.NewClock()
		url := storetest.URL(t, database)
		a, b := safetyStore(t, url, clock.Now), safetyStore(t, url, clock.Now)
		org := newSafetyOrg(t, a)
		endpoint := org.endpoint(t, "http://127.0.0.1:1")
		org.emit(t, 1)

		first := claimAll(t, a, endpoint, "a-1")
		if len(first) != 1 || first[0].Body == "" || first[0].Attempt != 0 {
			t.Fatalf("claimed %+v", first)
		}
		clock.Advance(24 * time.Second)
		if again := claimAll(t, b, endpoint, "b-1"); len(again) != 0 {
			t.Fatal("claimed while the lease lasted")
		}
		clock.Advance(time.Second + time.Millisecond)
		second := claimAll(t, b, endpoint, "b-2")
		if len(second) != 1 || second[0].DeliveryID != first[0].DeliveryID {
			t.Fatalf("claimed %+v after the lease", second)
		}
		before := deliveryOf(t, org, endpoint, first[0].DeliveryID)
		for _, code := range []int{200, 500} {
			if settleWith(t, a, first[0], code) {
				t.Errorf("A settled with %d what is B's", code)
			}
		}
		if err := a.UnscopedGiveBack(ctx, first); err != nil {
			t.Fatal(err)
		}
		if after := deliveryOf(t, org, endpoint, first[0].DeliveryID); len(after.Attempts) != 0 || after.Delivery.Status != store.DeliveryPending ||
			!after.Delivery.NextAttemptAt.Equal(before.Delivery.NextAttemptAt.Time) {
			t.Errorf("A changed what is B's: %+v", after)
		}
		if len(claimAll(t, a, endpoint, "a-2")) != 0 {
			t.Error("A gave back what is B's")
		}
		if !settleWith(t, b, second[0], 200) {
			t.Error("B could not settle its own")
		}
		// And once more after B: there is nothing left to be A's, or B's a second time.
		if settleWith(t, a, first[0], 500) || settleWith(t, b, second[0], 500) {
			t.Error("settled twice")
		}
		if err := a.UnscopedGiveBack(ctx, first); err != nil {
			t.Fatal(err)
		}
		detail := deliveryOf(t, org, endpoint, first[0].DeliveryID)
		if detail.Delivery.Status != store.DeliverySucceeded || len(detail.Attempts) != 1 || *detail.Attempts[0].StatusCode != 200 {
			t.Errorf("the delivery is %+v", detail)
		}
	})
}

// TestGiveBackIsDueAtOnce gives back with the lease that holds.
func TestGiveBackIsDueAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		s := safetyStore(t, storetest.URL(t, database), clock.Now)
		org := newSafetyOrg(t, s)
		endpoint := org.endpoint(t, "http://127.0.0.1:1")
		org.emit(t, 3)
		jobs := claimAll(t, s, endpoint, "a-1")
		if err := s.UnscopedGiveBack(context.Background(), jobs[1:]); err != nil {
			t.Fatal(err)
		}
		again := claimAll(t, s, endpoint, "a-2")
		if len(again) != 2 || again[0].RunAt != jobs[1].RunAt || again[0].Attempt != 0 {
			t.Errorf("claimed %+v after giving back two of %+v", again, jobs)
		}
	})
}

func deliveryOf(t *testing.T, org *safetyOrg, webhookID, id string) store.DeliveryDetail {
	t.Helper()
	detail, err := org.store.RetrieveDelivery(context.Background(), org.scope, webhookID, id)
	if err != nil {
		t.Fatal(err)
	}
	return detail
}

// counter reads a counter of the registry, summed over its labels.
func counter(t *testing.T, registry *prometheus.Registry, name string) (sum float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == name {
			for _, metric := range family.GetMetric() {
				sum += metric.GetCounter().GetValue()
			}
		}
	}
	return sum
}

// TestOversleptOutcomeIsDropped is the fencing with whole dispatchers: the first
// one's receiver answers only when the second one has delivered.
func TestOversleptOutcomeIsDropped(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		const timeout = 10 * time.Second
		clock, url := storetest.NewClock(), storetest.URL(t, database)
		first, second := safetyStore(t, url, clock.Now), safetyStore(t, url, clock.Now)
		org := newSafetyOrg(t, first)
		arrived, release := make(chan struct{}), make(chan struct{})
		var requests atomic.Int64
		receiver := newSafetyReceiver(t, func(*http.Request) {
			if requests.Add(1) == 1 {
				close(arrived)
				<-release
			}
		})
		endpoint := org.endpoint(t, receiver.url)
		org.emit(t, 1)
		run := func(s *store.Store) *prometheus.Registry {
			registry := prometheus.NewRegistry()
			// One at a time, so that the first cannot claim the delivery again itself.
			safetyRun(t, webhooks.Options{Store: s, Now: clock.Now, Registry: registry, Timeout: timeout, PerEndpoint: 1, AllowInsecure: true})
			return registry
		}
		one := run(first)
		<-arrived
		two := run(second)
		clock.Advance(2*timeout + 6*time.Second)
		receiver.wait(t, 1, timeout/2)
		safetyWait(t, "settling by the second", 5*time.Second, func() bool { return counter(t, two, "assay_webhook_deliveries_total") == 1 })
		close(release)
		safetyWait(t, "lease counted as lost", 5*time.Second, func() bool { return counter(t, one, "assay_webhook_lease_losses_total") == 1 })
		if n := counter(t, one, "assay_webhook_deliveries_total") + counter(t, two, "assay_webhook_lease_losses_total"); n != 0 {
			t.Errorf("%v outcomes were counted twice", n)
		}
		deliveries, _, err := org.store.ListDeliveries(context.Background(), org.scope, endpoint, store.DeliveryFilter{}, store.Page{Limit: 5})
		if err != nil || len(deliveries) != 1 {
			t.Fatal(deliveries, err)
		}
		if detail := deliveryOf(t, org, endpoint, deliveries[0].ID); len(detail.Attempts) != 1 || detail.Delivery.Status != store.DeliverySucceeded {
			t.Errorf("the delivery is %+v", detail)
		}
	})
}
