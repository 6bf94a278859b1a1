package webhooks_test

import (
	"crypto/rand"
	"net/http"
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

// planted is what is known of a candidate, in words that stand nowhere else.
type planted struct{ name, email, externalID, label, answer, redirect string }

func plant() planted {
	word := func() string { return strings.ToLower(rand.Text()) }
	return planted{name: word(), email: word(), externalID: word(), label: word(), answer: word(), redirect: word()}
}

func (p planted) words() []string {
	return []string{p.name, p.email, p.externalID, p.label, p.answer, p.redirect}
}

// in fails the test unless the text holds what an event tells of the person, or none of it.
func (p planted) in(t testing.TB, text string, want bool) {
	t.Helper()
	for _, word := range []string{p.name, p.email, p.externalID, p.label} {
		if strings.Contains(text, word) != want {
			t.Errorf("%s: is it there? %v, want %v\n%s", word, !want, want, text)
		}
	}
}

func (p planted) invite(in *store.Invite) {
	in.CandidateName, in.CandidateEmail, in.ExternalID = "Grace "+p.name, p.email+"@example.com", &p.externalID
	in.Metadata = map[string]string{"source": p.label, p.label: "x"}
	in.RedirectURL = ptr("https://jobs.example/" + p.redirect)
}

// sessionOf is the session that the newest event tells of.
func (w *world) sessionOf(event store.Event) store.CandidateSession {
	w.t.Helper()
	sessions, _, err := w.store.ListCandidateSessions(w.t.Context(), w.scope, store.SessionFilter{}, store.Page{Limit: 1})
	w.must(err)
	if !strings.Contains(event.Body, sessions[0].ID) {
		w.t.Fatalf("the event is of another session than %s: %s", sessions[0].ID, event.Body)
	}
	return sessions[0]
}

func (w *world) erase(sessionID string) {
	w.t.Helper()
	w.must(w.store.EraseCandidateData(w.t.Context(), w.scope, sessionID))
}

// echo answers with the status and all that it was sent, and so is where a
// candidate's data comes back from.
func (w *world) echo(code int, before func(n int)) *receiver {
	w.t.Helper()
	var r *receiver
	r = w.receiver(func(n int, rw http.ResponseWriter, _ *http.Request) {
		body := r.requests()[n-1].body
		if before != nil {
			before(n)
		}
		rw.WriteHeader(code)
		_, _ = rw.Write(body)
	})
	return r
}

// counted runs a dispatcher until stop or the end of the test, with its metrics.
// Receivers may take as long as the test does.
func (w *world) counted() (registry *prometheus.Registry, stop func()) {
	w.t.Helper()
	registry = prometheus.NewRegistry()
	return registry, safetyRun(w.t, webhooks.Options{Store: w.store, Now: w.clock.Now, Registry: registry, Timeout: patience, AllowInsecure: true})
}

// TestErasureInFlight: what is being sent at the moment of the erasure is sent
// again without the data, and what comes back from the first is not stored.
func TestErasureInFlight(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		release := make(chan struct{})
		t.Cleanup(sync.OnceFunc(func() { close(release) }))
		open := make(chan struct{})
		r := w.echo(http.StatusOK, func(n int) {
			if n == 1 {
				select {
				case <-open:
				case <-release: // the test is over
				}
			}
		})
		endpoint, secret := w.endpoint(r.URL)
		registry, _ := w.counted()
		p := plant()
		event := w.invite(p.invite)
		p.in(t, event.Body, true)
		first := r.next()
		p.in(t, string(first.body), true)
		w.erase(w.sessionOf(event).ID)
		second := r.next()
		p.in(t, string(second.body), false)
		for _, header := range []string{"webhook-id", "X-Service-Delivery", "X-Service-Event"} {
			if first.header.Get(header) != second.header.Get(header) {
				t.Errorf("%s is %q, was %q", header, second.header.Get(header), first.header.Get(header))
			}
		}
		checkService(t, secret, second)
		checkStandard(t, secret, second)
		settled := w.settled(endpoint.ID, 1)
		close(open)
		eventually(t, func() bool { return counter(t, registry, "assay_webhook_lease_losses_total") == 1 })
		after := w.detail(settled.Delivery)
		if after.Delivery.Status != store.DeliverySucceeded || len(after.Attempts) != 1 || after.Attempts[0].ResponseBody != string(second.body) {
			t.Errorf("the delivery is %+v", after)
		}
		if found := storetest.Search(t, w.database, p.words()...); len(found.Texts) > 0 {
			t.Errorf("in the database there still is %v", found.Texts)
		}
	})
}

// TestRedeliveryAfterErasure: the event keeps its id and is signed as ever; of
// the candidate it tells nothing any more.
func TestRedeliveryAfterErasure(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.echo(http.StatusInternalServerError, nil)
		endpoint, secret := w.endpoint(r.URL)
		w.dispatch()
		p := plant()
		event := w.invite(p.invite)
		p.in(t, string(r.next().body), true)
		failed := w.settled(endpoint.ID, 1)
		p.in(t, failed.Attempts[0].ResponseBody, true)
		w.erase(w.sessionOf(event).ID)
		erased, err := w.store.RetrieveEvent(t.Context(), w.scope, event.ID)
		w.must(err)
		p.in(t, erased.Body, false)
		if kept := w.detail(failed.Delivery); len(kept.Attempts) != 1 || kept.Attempts[0].ResponseBody != "" || *kept.Attempts[0].StatusCode != 500 ||
			!kept.Delivery.NextAttemptAt.Equal(failed.Delivery.NextAttemptAt.Time) {
			t.Errorf("the delivery is %+v, was %+v", kept, failed)
		}
		sent := func(what string, deliveryID string) {
			t.Helper()
			got := r.next()
			if string(got.body) != erased.Body || got.header.Get("webhook-id") != event.ID || (deliveryID != "") != (got.header.Get("X-Service-Delivery") == failed.Delivery.ID) {
				t.Errorf("%s: %v\n%s\nwant\n%s", what, got.header, got.body, erased.Body)
			}
			checkService(t, secret, got)
			checkStandard(t, secret, got)
		}
		w.advanceTo(failed.Delivery.NextAttemptAt.Time)
		sent("the next attempt", failed.Delivery.ID)
		w.settled(endpoint.ID, 2)
		_, err = w.store.RedeliverDelivery(t.Context(), w.scope, endpoint.ID, failed.Delivery.ID)
		w.must(err)
		sent("a redelivery", "")
		_, err = w.store.ReplayWebhook(t.Context(), w.scope, endpoint.ID, store.Replay{
			Since: w.clock.Now().Add(-time.Hour), Until: w.clock.Now(), EventType: store.EventCandidateInvited,
		})
		w.must(err)
		sent("a replay", "")
		w.settled(endpoint.ID, 1)
		if found := storetest.Search(t, w.database, p.words()...); len(found.Texts) > 0 {
			t.Errorf("in the database there still is %v", found.Texts)
		}
	})
}

// TestErasureAfterTheEvent: a delivery that was made late outlives its event.
// What came back from it is erased all the same.
func TestErasureAfterTheEvent(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		w := newWorldAt(t, database, -40*daily)
		r := w.echo(http.StatusOK, nil)
		endpoint, _ := w.endpoint(r.URL)
		_, stop := w.counted()
		p := plant()
		event := w.invite(p.invite)
		session := w.sessionOf(event)
		delivered := w.settled(endpoint.ID, 1).Delivery
		w.clock.Advance(29 * daily)
		late, err := w.store.RedeliverDelivery(t.Context(), w.scope, endpoint.ID, delivered.ID)
		w.must(err)
		p.in(t, w.settled(endpoint.ID, 1).Attempts[0].ResponseBody, true)
		bystander := w.invite()
		kept := w.settled(endpoint.ID, 1)
		stop()
		w.clock.Advance(3 * daily)
		w.must(w.store.UnscopedPurge(t.Context(), keep))
		if _, err := w.store.RetrieveEvent(t.Context(), w.scope, event.ID); !refused(err, "not_found") {
			t.Fatalf("the event is still there: %v", err)
		}
		p.in(t, w.detail(late).Attempts[0].ResponseBody, true)
		w.erase(session.ID)
		if answer := w.detail(late).Attempts[0].ResponseBody; answer != "" {
			t.Errorf("what came back is still there: %s", answer)
		}
		if answer := w.detail(kept.Delivery).Attempts[0].ResponseBody; answer != bystander.Body {
			t.Errorf("what came back for another's event has become %q", answer)
		}
		if found := storetest.Search(t, w.database, p.words()...); len(found.Texts) > 0 {
			t.Errorf("in the database there still is %v", found.Texts)
		}
	})
}

// waiting counts who waits for a lock of PostgreSQL's.
func (w *world) waiting() int {
	w.t.Helper()
	return w.count(w.raw(), `SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
}

// TestErasureWaitsForClaim: a claim that has not committed when the erasure
// looks is taken back all the same, and what is queued anew while the erasure
// goes on is queued after it.
func TestErasureWaitsForClaim(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "postgres")
	endpoint, _ := w.endpoint("http://127.0.0.1:1/")
	p := plant()
	event := w.invite(p.invite)
	session, queued := w.sessionOf(event), w.deliveries(endpoint.ID)[0]
	claim, err := w.raw().BeginTx(t.Context(), nil)
	w.must(err)
	_, err = claim.ExecContext(t.Context(), `UPDATE webhook_queue SET lease = 'another dispatcher', run_at = run_at + 60000000`)
	w.must(err)

	type outcome struct {
		what string
		err  error
	}
	ended := make(chan outcome, 3)
	begin := func(what string, call func() error) { go func() { ended <- outcome{what, call()} }() }
	begin("erasure", func() error { return w.store.EraseCandidateData(t.Context(), w.scope, session.ID) })
	eventually(t, func() bool { return w.waiting() == 1 || len(ended) == 1 })
	begin("redelivery", func() error {
		_, err := w.store.RedeliverDelivery(t.Context(), w.scope, endpoint.ID, queued.ID)
		return err
	})
	begin("replay", func() error {
		_, err := w.store.ReplayWebhook(t.Context(), w.scope, endpoint.ID, store.Replay{Since: w.clock.Now().Add(-time.Hour), Until: w.clock.Now().Add(time.Hour)})
		return err
	})
	eventually(t, func() bool { return w.waiting()+len(ended) == 3 })
	if early := len(ended); early > 0 {
		t.Errorf("%d of the three did not wait", early)
	}
	w.must(claim.Commit())
	for range 3 {
		if got := <-ended; got.err != nil {
			t.Errorf("%s: %v", got.what, got.err)
		}
	}
	jobs := claimAll(t, w.store, endpoint.ID, "anew")
	ids := make([]string, len(jobs))
	for i, job := range jobs {
		p.in(t, job.Body, false)
		ids[i] = job.DeliveryID
	}
	if len(jobs) != 3 || !slices.Contains(ids, queued.ID) {
		t.Errorf("claimed are %v, which want to be three with %s", ids, queued.ID)
	}
	stale := store.Job{DeliveryID: queued.ID, WebhookID: endpoint.ID, EventID: event.ID, Lease: "another dispatcher"}
	if settleWith(t, w.store, stale, http.StatusOK) {
		t.Error("the claim from before the erasure could be settled")
	}
}
