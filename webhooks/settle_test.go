package webhooks_test

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
	"assay/store/queue"
	"assay/store/storetest"
	"assay/webhooks"
)

// claimAll claims all due deliveries of the endpoint, as a dispatcher does.
func claimAll(t *testing.T, s *store.Store, webhookID, lease string) []queue.Job {
	t.Helper()
	now := s.Now()
	capacities := []queue.Capacity{{WebhookID: webhookID, Free: 100}}
	jobs, err := s.Queue().Claim(context.Background(), capacities, now, now.Add(webhookLease), lease)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// settleWith settles the job with an attempt that got the status code, and reports
// whether the lease was still valid.
func settleWith(t *testing.T, s *store.Store, job queue.Job, code int) bool {
	t.Helper()
	outcome := queue.Outcome{Job: job, Status: store.DeliverySucceeded, Attempt: store.Attempt{
		Number: job.Attempt + 1, StartedAt: queue.Time{Time: s.Now()}, StatusCode: &code,
	}}
	if code != http.StatusOK {
		reason := store.FailedStatus
		outcome.Status, outcome.RetryAt, outcome.Attempt.FailureReason = store.DeliveryPending, s.Now(), &reason
	}
	written, err := s.Queue().Settle(context.Background(), []queue.Outcome{outcome})
	if err != nil {
		t.Fatal(err)
	}
	return written[0]
}

// TestSettleAfterLostLease lets the lease of dispatcher A end and dispatcher B
// claim the delivery. Nothing that A does afterwards may change it.
func TestSettleAfterLostLease(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		ctx, clock := context.Background(), storetest.NewClock()
		url := storetest.URL(t, database)
		a, b := openStore(t, url, clock.Now), openStore(t, url, clock.Now)
		org := newOrganization(t, a)
		endpoint := org.endpointID("http://127.0.0.1:1")
		org.emit(1)

		first := claimAll(t, a, endpoint, "a-1")
		if len(first) != 1 || first[0].Body == "" || first[0].Attempt != 0 {
			t.Fatalf("claimed %+v", first)
		}
		clock.Advance(24 * time.Second)
		if again := claimAll(t, b, endpoint, "b-1"); len(again) != 0 {
			t.Fatal("claimed before the lease ended")
		}
		clock.Advance(time.Second + time.Millisecond)
		second := claimAll(t, b, endpoint, "b-2")
		if len(second) != 1 || second[0].DeliveryID != first[0].DeliveryID {
			t.Fatalf("claimed %+v after the lease ended", second)
		}
		for _, code := range []int{200, 500} {
			if settleWith(t, a, first[0], code) {
				t.Errorf("A settled B's delivery with %d", code)
			}
		}
		if err := a.Queue().GiveBack(ctx, first); err != nil {
			t.Fatal(err)
		}
		after := org.detailOf(endpoint, first[0].DeliveryID)
		if len(after.Attempts) != 0 || after.Delivery.Status != store.DeliveryPending ||
			after.Delivery.NextAttemptAt != nil {
			t.Errorf("A changed B's delivery: %+v", after)
		}
		if len(claimAll(t, a, endpoint, "a-2")) != 0 {
			t.Error("A gave back B's delivery")
		}
		if !settleWith(t, b, second[0], 200) {
			t.Error("B could not settle its delivery")
		}

		// After B has settled, neither can settle again.
		if settleWith(t, a, first[0], 500) || settleWith(t, b, second[0], 500) {
			t.Error("settled twice")
		}
		if err := a.Queue().GiveBack(ctx, first); err != nil {
			t.Fatal(err)
		}
		detail := org.detailOf(endpoint, first[0].DeliveryID)
		if detail.Delivery.Status != store.DeliverySucceeded || len(detail.Attempts) != 1 ||
			*detail.Attempts[0].StatusCode != 200 {
			t.Errorf("the delivery is %+v", detail)
		}
	})
}

// TestGiveBack checks that deliveries that are given back are due at once, as if
// they had not been claimed.
func TestGiveBack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		s := openStore(t, storetest.URL(t, database), clock.Now)
		org := newOrganization(t, s)
		endpoint := org.endpointID("http://127.0.0.1:1")
		org.emit(3)
		jobs := claimAll(t, s, endpoint, "a-1")
		if err := s.Queue().GiveBack(context.Background(), jobs[1:]); err != nil {
			t.Fatal(err)
		}
		again := claimAll(t, s, endpoint, "a-2")
		if len(again) != 2 || again[0].RunAt != jobs[1].RunAt || again[0].Attempt != 0 {
			t.Errorf("claimed %+v after giving back two of %+v", again, jobs)
		}
	})
}

// TestLateOutcomeIsIgnored runs two dispatchers. The first one's attempt ends only
// after the second one has delivered and settled.
func TestLateOutcomeIsIgnored(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		const timeout = 10 * time.Second
		clock, url := storetest.NewClock(), storetest.URL(t, database)
		first, second := openStore(t, url, clock.Now), openStore(t, url, clock.Now)
		org := newOrganization(t, first)
		arrived, release := make(chan struct{}), make(chan struct{})
		var requests atomic.Int64
		receiver := newCountingReceiver(t, func(*http.Request) {
			if requests.Add(1) == 1 {
				close(arrived)
				<-release
			}
		})
		endpoint := org.endpointID(receiver.url)
		org.emit(1)
		run := func(s *store.Store) *prometheus.Registry {
			registry := prometheus.NewRegistry()
			run(t, webhooks.Options{
				Queue: s.Queue(), Now: clock.Now, Registry: registry, Timeout: timeout, AllowInsecure: true,
				PerEndpoint: 1, // so that the first one cannot claim the delivery again
			})
			return registry
		}
		one := run(first)
		<-arrived
		two := run(second)
		clock.Advance(2*timeout + 6*time.Second)
		receiver.wait(t, 1, timeout/2) // before the first attempt times out
		waitFor(t, "outcome of the second", 5*time.Second, func() bool {
			return metric(t, two, "assay_webhook_deliveries_total") == 1
		})
		close(release)
		waitFor(t, "lost lease", 5*time.Second, func() bool {
			return metric(t, one, "assay_webhook_lease_losses_total") == 1
		})
		n := metric(t, one, "assay_webhook_deliveries_total") + metric(t, two, "assay_webhook_lease_losses_total")
		if n != 0 {
			t.Errorf("%v outcomes were counted twice", n)
		}
		deliveries := org.deliveries(endpoint, "")
		if len(deliveries) != 1 {
			t.Fatal(deliveries)
		}
		detail := org.detail(deliveries[0])
		if len(detail.Attempts) != 1 || detail.Delivery.Status != store.DeliverySucceeded {
			t.Errorf("the delivery is %+v", detail)
		}
	})
}

// A batch can have the outcome of a lost lease and the current one of the same
// delivery. Only the current one is written.
func TestSettleBatchWithLostLease(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		s := openStore(t, storetest.URL(t, database), clock.Now)
		org := newOrganization(t, s)
		endpoint := org.endpointID("http://127.0.0.1:1")
		org.emit(1)
		lost := claimAll(t, s, endpoint, "lost")
		clock.Advance(webhookLease + time.Millisecond)
		current := claimAll(t, s, endpoint, "current")

		code := http.StatusOK
		var batch []queue.Outcome
		for _, job := range []queue.Job{lost[0], current[0]} {
			batch = append(batch, queue.Outcome{Job: job, Status: store.DeliverySucceeded, Attempt: store.Attempt{
				Number: 1, StartedAt: queue.Time{Time: s.Now()}, StatusCode: &code,
			}})
		}
		written, err := s.Queue().Settle(t.Context(), batch)
		if err != nil || !slices.Equal(written, []bool{false, true}) {
			t.Errorf("written: %v, %v", written, err)
		}
	})
}

// If the database is unavailable during the shutdown, the settle loop ends after
// its grace period, however many batches are left.
func TestSettleLoopEndsWithoutDatabase(t *testing.T) {
	s := openStore(t, "sqlite::memory:", time.Now)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		dispatcher, err := webhooks.New(webhooks.Options{
			Queue: s.Queue(), Now: time.Now, Registry: prometheus.NewRegistry(), Version: "1.2.3",
		})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		dispatcher.SettleDuringShutdown(t.Context(), make([]queue.Outcome, 1000))
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("the loop ended after %s", took)
		}
	})
}
