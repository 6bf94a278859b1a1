package server

import (
	"context"
	"net/http"
	"testing"
	"time"

	"assay/store/storetest"
)

// onPostgresReplicas runs test against two servers on one PostgreSQL, and against
// one, as both of them, on SQLite: one process writes to its file.
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

// While a request runs, another with its key is refused at once, here and on
// every other replica; the one that runs ends as if nothing had been.
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
				t.Errorf("%s was done %d times", o.id, got)
			}
		})
	})
}

// Two processes on one SQLite file are not foreseen, but what they do is done
// once as well: the second waits for the first.
func TestIdempotencyAcrossProcessesOnSQLite(t *testing.T) {
	t.Parallel()
	clock, address := storetest.NewClock(), storetest.URL(t, "sqlite")
	a, b := serve(t, storetest.OpenURL(t, address, clock.Now), clock), serve(t, storetest.OpenURL(t, address, clock.Now), clock)
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
		if first.header.Get("Idempotency-Replayed") != "" {
			first, second = second, first
		}
		second.replays(first.done())
		if got := e.timesDone(c) - before; c.list != "" && got != 1 {
			t.Errorf("%s was done %d times", o.id, got)
		}
	})
}

func TestConcurrentRequestsWithOneKey(t *testing.T) {
	onPostgresReplicas(t, func(t *testing.T, a, b *api) {
		e := a.idempotencyEstate()
		try := func(name string, c idempotentCase, made call) {
			before := e.timesDone(c)
			answers := atOnce(100, func(i int) response { return e.sendWithKey([]*api{a, b}[i%2], made, "at once "+name) })
			first := e.sendWithKey(b, made, "at once "+name)
			done := 0
			for _, answer := range answers {
				switch {
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
				t.Errorf("%s: %d were told that it was done, and it was done %d times: %v", name, done, got, statuses(answers))
			}
			t.Logf("%s: %v", name, statuses(answers))
		}
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			made := e.call(o, c)
			try(o.id, c, made)
			if o.id == "createCandidateSession" || o.id == "createPublicCandidateSession" {
				made = e.call(o, c)
				try(o.id+" RETURN", c, made.with(object{"onExisting": "RETURN"}))
				made = e.call(o, c)
				try(o.id+" ERROR", c, made.with(object{"onExisting": "ERROR"}))
			}
		})
		if events := len(e.events("candidate.invited", 100)); events != len(e.listIDs("/v1/candidate-sessions?limit=100")) {
			t.Errorf("%d events of invites, and %d sessions", events, len(e.listIDs("/v1/candidate-sessions?limit=100")))
		}
	})
}

// A client that goes away leaves no key behind that is still in progress, and
// what it asked for is done once, whether then or when it comes back.
func TestIdempotencyKeyAfterClientDisconnect(t *testing.T) {
	onPostgresReplicas(t, func(t *testing.T, a, b *api) {
		e := a.idempotencyEstate()
		theirs := serve(t, a.store, a.clock) // with a log of its own, which tells of them
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			made, before := e.call(o, c), e.timesDone(c)
			release := storetest.Hold(t, a.database)
			ctx, leave := context.WithCancel(t.Context())
			answers := make(chan int, 2)
			for range 2 {
				go func() {
					answer, err := http.DefaultClient.Do(e.request(theirs, made, "left").WithContext(ctx))
					if err != nil {
						answers <- 0
						return
					}
					_ = answer.Body.Close()
					answers <- answer.StatusCode
				}()
			}
			if refused := <-answers; refused != 409 {
				t.Errorf("%s: %d, want 409 while the other runs", o.id, refused)
			}
			leave()
			if left := <-answers; left != 0 {
				t.Errorf("%s: %d, want no answer to a client that left", o.id, left)
			}
			release()
			first := e.sendUntilFinished(b, made, "left")
			e.sendUntilFinished(a, made, "left").replays(first)
			if got := e.timesDone(c) - before; c.list != "" && got != 1 {
				t.Errorf("%s was done %d times", o.id, got)
			}
		})
	})
}

// soon sends a call until no other with its key is in progress.
func (e estate) sendUntilFinished(to *api, c call, key string) response {
	e.api.t.Helper()
	for until := time.Now().Add(10 * time.Second); ; {
		answer := e.sendWithKey(to, c, key)
		if answer.status/100 == 2 {
			return answer
		}
		if answer.is(409, "idempotency_in_progress"); time.Now().After(until) {
			e.api.t.Fatalf("%s: still in progress", answer.name)
		}
	}
}

// all are the ids of a list.
func (e estate) listIDs(path string) []string {
	e.api.t.Helper()
	ids, _ := e.api.pages(path, e.owner, "id")
	return ids
}
