package webhooks_test

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/queue"
	"assay/store/storetest"
)

// planted is the personal data of a candidate, in words that occur nowhere else.
type planted struct{ name, email, externalID, label, answer, redirect string }

func plant() planted {
	word := func() string { return strings.ToLower(rand.Text()) }
	return planted{name: word(), email: word(), externalID: word(), label: word(), answer: word(), redirect: word()}
}

func (p planted) words() []string {
	return []string{p.name, p.email, p.externalID, p.label, p.answer, p.redirect}
}

// in checks that the text contains all personal data of an event, or none of it.
func (p planted) in(t testing.TB, text string, want bool) {
	t.Helper()
	for _, word := range []string{p.name, p.email, p.externalID, p.label} {
		if strings.Contains(text, word) != want {
			t.Errorf("%s: found %v, want %v\n%s", word, !want, want, text)
		}
	}
}

func (p planted) invite(in *store.Invite) {
	in.CandidateName, in.CandidateEmail, in.ExternalID = "Grace "+p.name, p.email+"@example.com", &p.externalID
	in.Metadata = map[string]string{"source": p.label, p.label: "x"}
	in.RedirectURL = ptr("https://jobs.example/" + p.redirect)
}

// sessionOf returns the newest session, which the event must be about.
func (w *world) sessionOf(event store.Event) store.CandidateSession {
	w.t.Helper()
	listed, err := w.store.ListCandidateSessions(w.t.Context(), w.scope, store.SessionFilter{},
		store.SessionPage{Limit: 1})
	w.must(err)
	sessions := listed.Sessions
	if !strings.Contains(event.Body, sessions[0].ID) {
		w.t.Fatalf("the event is about another session than %s: %s", sessions[0].ID, event.Body)
	}
	return sessions[0]
}

func (w *world) erase(sessionID string) {
	w.t.Helper()
	w.must(w.store.EraseCandidateData(w.t.Context(), w.scope, sessionID))
}

// echo returns a receiver that responds with the status and the request's body,
// so that attempts store personal data.
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

// TestErasureDuringAttempt checks that a delivery in flight during an erasure is
// sent again without the data, and that the first response is not stored.
func TestErasureDuringAttempt(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		release := make(chan struct{})
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
		registry, _ := w.dispatch(patiently)
		t.Cleanup(func() { close(release) }) // before the dispatcher waits for its attempts
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
		checkServiceSignature(t, secret, second)
		checkStandardSignature(t, secret, second)
		settled := w.settled(endpoint.ID, 1)
		close(open)
		eventually(t, func() bool { return metric(t, registry, "assay_webhook_lease_losses_total") == 1 })
		after := w.detail(settled.Delivery)
		if after.Delivery.Status != store.DeliverySucceeded || len(after.Attempts) != 1 ||
			after.Attempts[0].ResponseBody != string(second.body) {
			t.Errorf("the delivery is %+v", after)
		}
		if found := storetest.Search(t, w.database, p.words()...); len(found.Texts) > 0 {
			t.Errorf("still in the database: %v", found.Texts)
		}
	})
}

// TestRedeliveryAfterErasure checks that an event keeps its id and its delivery
// keeps its schedule, without the personal data.
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
		kept := w.detail(failed.Delivery)
		if len(kept.Attempts) != 1 || kept.Attempts[0].ResponseBody != "" || *kept.Attempts[0].StatusCode != 500 ||
			!kept.Delivery.NextAttemptAt.Equal(failed.Delivery.NextAttemptAt.Time) {
			t.Errorf("the delivery is %+v, was %+v", kept, failed)
		}

		// checkNext checks the next request. sameDelivery says whether it has the id of the first delivery.
		checkNext := func(what string, sameDelivery bool) {
			t.Helper()
			got := r.next()
			if string(got.body) != erased.Body || got.header.Get("webhook-id") != event.ID ||
				sameDelivery != (got.header.Get("X-Service-Delivery") == failed.Delivery.ID) {
				t.Errorf("%s: %v\n%s\nwant\n%s", what, got.header, got.body, erased.Body)
			}
			checkServiceSignature(t, secret, got)
			checkStandardSignature(t, secret, got)
		}
		w.advanceTo(failed.Delivery.NextAttemptAt.Time)
		checkNext("retry", true)
		w.settled(endpoint.ID, 2)
		_, err = w.store.RedeliverDelivery(t.Context(), w.scope, endpoint.ID, failed.Delivery.ID)
		w.must(err)
		checkNext("redelivery", false)
		_, err = w.store.ReplayWebhook(t.Context(), w.scope, endpoint.ID, store.Replay{
			Since: w.clock.Now().Add(-time.Hour), Until: w.clock.Now(), EventType: store.EventCandidateInvited,
		})
		w.must(err)
		checkNext("replay", false)
		w.settled(endpoint.ID, 1)
		if found := storetest.Search(t, w.database, p.words()...); len(found.Texts) > 0 {
			t.Errorf("still in the database: %v", found.Texts)
		}
	})
}

// TestErasureAfterPurge checks that an erasure removes the stored response of a
// delivery whose event is purged already. A late redelivery outlives its event.
func TestErasureAfterPurge(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		w := newWorldAt(t, database, -40*daily)
		r := w.echo(http.StatusOK, nil)
		endpoint, _ := w.endpoint(r.URL)
		_, stop := w.dispatch(patiently)
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
		w.must(storetest.Purge(t.Context(), w.store, keep))
		if _, err := w.store.RetrieveEvent(t.Context(), w.scope, event.ID); !refused(err, "not_found") {
			t.Fatalf("the event is not purged: %v", err)
		}
		p.in(t, w.detail(late).Attempts[0].ResponseBody, true)
		w.erase(session.ID)
		if response := w.detail(late).Attempts[0].ResponseBody; response != "" {
			t.Errorf("the stored response is not erased: %s", response)
		}
		if response := w.detail(kept.Delivery).Attempts[0].ResponseBody; response != bystander.Body {
			t.Errorf("the stored response for another candidate is %q", response)
		}
		if found := storetest.Search(t, w.database, p.words()...); len(found.Texts) > 0 {
			t.Errorf("still in the database: %v", found.Texts)
		}
	})
}

// lockWaits counts the connections that wait for a lock.
func (w *world) lockWaits() int {
	w.t.Helper()
	return w.count(w.raw(), `
		SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
}

// TestErasureDuringClaim checks that an erasure waits for a claim that has not
// committed and revokes its lease, and that redeliveries wait for the erasure.
func TestErasureDuringClaim(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "postgres")
	endpoint, _ := w.endpoint("http://127.0.0.1:1/")
	p := plant()
	event := w.invite(p.invite)
	session, queued := w.sessionOf(event), w.deliveries(endpoint.ID, "")[0]
	claim, err := w.raw().BeginTx(t.Context(), nil)
	w.must(err)
	_, err = claim.ExecContext(t.Context(),
		`UPDATE webhook_queue SET lease = 'another dispatcher', run_at = run_at + 60000000`)
	w.must(err)

	type outcome struct {
		what string
		err  error
	}
	ended := make(chan outcome, 3)
	begin := func(what string, call func() error) { go func() { ended <- outcome{what, call()} }() }
	begin("erasure", func() error { return w.store.EraseCandidateData(t.Context(), w.scope, session.ID) })
	eventually(t, func() bool { return w.lockWaits() == 1 || len(ended) == 1 })
	begin("redelivery", func() error {
		_, err := w.store.RedeliverDelivery(t.Context(), w.scope, endpoint.ID, queued.ID)
		return err
	})
	begin("replay", func() error {
		_, err := w.store.ReplayWebhook(t.Context(), w.scope, endpoint.ID, store.Replay{
			Since: w.clock.Now().Add(-time.Hour), Until: w.clock.Now().Add(time.Hour),
		})
		return err
	})
	eventually(t, func() bool { return w.lockWaits()+len(ended) == 3 })
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
		t.Errorf("claimed %v, want three with %s", ids, queued.ID)
	}
	stale := queue.Job{DeliveryID: queued.ID, WebhookID: endpoint.ID, EventID: event.ID, Lease: "another dispatcher"}
	if settleWith(t, w.store, stale, http.StatusOK) {
		t.Error("a claim from before the erasure was settled")
	}
}

// TestErasedEventIsDelivered checks that candidate.erased arrives although the erasure ends the lease of the
// candidate's other delivery, that it has ids only, and that it survives the erasure of another session of the person.
func TestErasedEventIsDelivered(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.echo(http.StatusInternalServerError, nil)
		created, err := w.store.CreateWebhook(t.Context(), w.scope, store.NewWebhook{
			URL: r.URL, Events: []string{string(store.EventCandidateInvited), string(store.EventCandidateErased)},
		})
		w.must(err)
		w.dispatch()
		p := plant()
		session := w.sessionOf(w.invite(p.invite))
		p.in(t, string(r.next().body), true)
		w.settled(created.ID, 1)
		second := w.sessionOf(w.invite(p.invite))
		p.in(t, string(r.next().body), true)
		w.settled(created.ID, 1)

		w.erase(session.ID)
		w.erase(second.ID)
		var bodies string
		for range 2 {
			request := r.next()
			if kind := request.header.Get("X-Service-Event"); kind != string(store.EventCandidateErased) {
				t.Fatalf("the event is %s: %s", kind, request.body)
			}
			checkServiceSignature(t, created.ShownSecret, request)
			p.in(t, string(request.body), false)
			bodies += string(request.body)
		}
		for _, id := range []string{session.ID, second.ID} {
			if !strings.Contains(bodies, `"sessionId":"`+id+`"`) {
				t.Errorf("no event is about %s: %s", id, bodies)
			}
		}
		if found := storetest.Search(t, w.database, p.words()...); len(found.Texts) > 0 {
			t.Errorf("still in the database: %v", found.Texts)
		}
	})
}
