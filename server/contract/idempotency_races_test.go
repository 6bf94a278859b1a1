package contract

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// onPostgresReplicas runs test against two servers that share a PostgreSQL database. On
// SQLite a and b are the same server, because only one process may write to its file.
func onPostgresReplicas(t *testing.T, test func(t *testing.T, a, b *api)) {
	t.Helper()
	onEach(t, func(t *testing.T, a *api) {
		if storetest.IsSQLite(a.database) {
			test(t, a, a)
			return
		}
		b := serve(t, storetest.OpenURL(t, a.database, a.clock.Now), a.clock)
		b.database = a.database
		test(t, a, b)
	})
}

// While a request is in progress, every replica rejects other requests with the same
// key at once. The first request is not affected.
func TestEveryIdempotentOperationInProgress(t *testing.T) {
	onPostgresReplicas(t, func(t *testing.T, a, b *api) {
		e := a.idempotencyEstate()
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			made, before := e.call(o, c), e.timesDone(c)
			release := storetest.Hold(t, a.database)
			servers := []*api{a, a, b, b}
			answers := make(chan response, len(servers))
			for _, server := range servers {
				go func() { answers <- e.sendWithKey(server, made, "one at a time") }()
			}
			for range len(servers) - 1 {
				(<-answers).isRefused(409, "idempotency_in_progress")
			}
			release()
			first := (<-answers).done()
			for _, server := range servers {
				e.sendWithKey(server, made, "one at a time").replays(first)
			}
			if got := e.timesDone(c) - before; c.list != "" && got != 1 {
				t.Errorf("%s was executed %d times", o.id, got)
			}
		})
	})
}

// Two processes on one SQLite file are not supported. A request with the same key is
// executed only once even then: the second process waits for the first.
func TestIdempotencyAcrossProcessesOnSQLite(t *testing.T) {
	t.Parallel()
	clock, address := storetest.NewClock(), storetest.URL(t, "sqlite")
	a := serve(t, storetest.OpenURL(t, address, clock.Now), clock)
	b := serve(t, storetest.OpenURL(t, address, clock.Now), clock)
	e := a.idempotencyEstate()

	everyIdempotentOperation(t, func(o described, c idempotentCase) {
		made, before := e.call(o, c), e.timesDone(c)
		release := storetest.Hold(t, address)
		answers := make(chan response, 2)
		for _, server := range []*api{a, b} {
			go func() { answers <- e.sendWithKey(server, made, "one after the other") }()
		}
		release()
		first, second := <-answers, <-answers
		if first.header.Get("Idempotency-Replayed") != "" || first.status == 409 {
			first, second = second, first
		}
		second.replays(first.done())
		if got := e.timesDone(c) - before; c.list != "" && got != 1 {
			t.Errorf("%s was executed %d times", o.id, got)
		}
	})
}

// Of 100 concurrent requests with the same key, exactly one is executed.
func TestConcurrentRequestsWithOneKey(t *testing.T) {
	onPostgresReplicas(t, func(t *testing.T, a, b *api) {
		e := a.idempotencyEstate()
		check := func(name string, c idempotentCase, made call) {
			before := e.timesDone(c)
			answers := atOnce(100, func(i int) response { return e.sendWithKey([]*api{a, b}[i%2], made, "at once "+name) })
			first := e.sendWithKey(b, made, "at once "+name)
			done := 0

			for _, answer := range answers {
				switch {
				case answer.status == 409 && answer.text("code") == "secret_already_shown":
					answer.replays(first)
				case answer.status == 409:
					answer.isRefused(409, "idempotency_in_progress")
				case answer.header.Get("Idempotency-Replayed") == "":
					done++
					first.replays(answer.done())
				default:
					answer.replays(first)
				}
			}

			if got := e.timesDone(c) - before; done != 1 || c.list != "" && got != 1 {
				t.Errorf("%s: %d responses are not replays, and %d items were created, want 1: %v", name, done, got,
					statuses(answers))
			}
			t.Logf("%s: %v", name, statuses(answers))
		}
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			made := e.call(o, c)
			check(o.id, c, made)
			if o.id == "createCandidateSession" || o.id == "createPublicCandidateSession" {
				made = e.call(o, c)
				check(o.id+" RETURN", c, made.with(object{"onExisting": "RETURN"}))
				made = e.call(o, c)
				check(o.id+" ERROR", c, made.with(object{"onExisting": "ERROR"}))
			}
		})

		const resends = 2 // one with each credential
		sessions := len(e.listIDs("/v1/candidate-sessions?limit=100"))
		if events := len(e.events("candidate.invited", 100)); events != sessions+resends {
			t.Errorf("%d candidate.invited events, but %d sessions and %d resends", events, sessions, resends)
		}
	})
}

// A client can disconnect while its request is in progress. Its key must not stay in
// progress, and the request must be executed once, at that time or when the client
// repeats it.
func TestIdempotencyKeyAfterClientDisconnect(t *testing.T) {
	onPostgresReplicas(t, func(t *testing.T, a, b *api) {
		e := a.idempotencyEstate()
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			made, before := e.call(o, c), e.timesDone(c)
			release := storetest.Hold(t, a.database)
			ctx, disconnect := context.WithCancel(t.Context())
			answers := make(chan int, 2)

			for range 2 {
				go func() {
					answer, err := http.DefaultClient.Do(e.request(a, made, "left").WithContext(ctx))
					if err != nil {
						answers <- 0
						return
					}
					_ = answer.Body.Close()
					answers <- answer.StatusCode
				}()
			}

			if refused := <-answers; refused != 409 {
				t.Errorf("%s: %d, want 409 while the other request is in progress", o.id, refused)
			}
			disconnect()
			if left := <-answers; left != 0 {
				t.Errorf("%s: %d, want no response after the client disconnected", o.id, left)
			}
			release()
			first := e.sendUntilFinished(b, made, "left")
			e.sendUntilFinished(a, made, "left").replays(first)
			if got := e.timesDone(c) - before; c.list != "" && got != 1 {
				t.Errorf("%s was executed %d times", o.id, got)
			}
		})
	})
}

// sendUntilFinished repeats a call until no request with its key is in progress.
func (e estate) sendUntilFinished(to *api, c call, key string) response {
	e.api.t.Helper()
	for until := time.Now().Add(10 * time.Second); ; {
		answer := e.sendWithKey(to, c, key)
		if answer.status/100 == 2 || strings.Contains(string(answer.body), "secret_already_shown") {
			return answer
		}
		if answer.is(409, "idempotency_in_progress"); time.Now().After(until) {
			e.api.t.Fatalf("%s: still in progress", answer.name)
		}
	}
}

// listIDs returns the ids of all items in a list.
func (e estate) listIDs(path string) []string {
	e.api.t.Helper()
	ids, _ := e.api.pages(path, e.owner, "id")
	return ids
}
