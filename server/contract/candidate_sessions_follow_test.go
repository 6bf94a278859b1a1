package contract

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/server"
	"assay/store/storetest"
)

// A client that follows the list of changes has, in the end, a copy of each session, although sessions change while it
// reads, and transactions stay open for minutes of the test's clock. On PostgreSQL, two replicas write, whose clocks
// differ by a second.
func TestFollowingMissesNothing(t *testing.T) {
	t.Parallel()
	const sessions, writers, changesEach, holds = 500, 8, 300, 10
	storetest.Each(t, func(t *testing.T, database string) {
		began, clock, address := time.Now(), storetest.NewClock(), storetest.URL(t, database)
		start := clock.Now()
		a := serve(t, storetest.OpenURL(t, address, clock.Now), clock)
		replicas := []*api{a, a}
		if database == "postgres" {
			ahead := func() time.Time { return clock.Now().Add(time.Second) }
			replicas[1] = serve(t, storetest.OpenURL(t, address, ahead), clock, func(opts *server.Options) { opts.Now = ahead })
		}
		o := a.register()
		ids := o.manySessions(o.publish(oneQuestion()), sessions)
		// Not with a key: on SQLite, the service could not note its use while a transaction is held.
		f := follower{api: a, path: "/v1/candidate-sessions/changes?limit=20", who: o.owner, copy: map[string]string{}}

		// The last sessions are changed by transactions that stay open, the others by requests.
		var changed atomic.Int64
		var running sync.WaitGroup
		for writer := range writers {
			running.Go(func() {
				for i := range changesEach {
					id := ids[(writer+writers*i*7)%(sessions-holds-1)]
					for done := false; !done; clock.Advance(100 * time.Millisecond) {
						r := replicas[(writer+i)%2].do("PATCH", "/v1/candidate-sessions/"+id, o.owner,
							object{"note": fmt.Sprint("writer ", writer, ", change ", i)})
						// The clock advances while a request waits, so some take too long.
						if done = r.status != 503; done {
							r.want(200)
						}
					}
					changed.Add(1)
				}
			})
		}
		for i := range holds {
			id := ids[sessions-holds-1+i]
			commit := storetest.HoldNote(t, address, id, "held", clock.Now())
			clock.Advance(30 * time.Second) // longer than any allowance that is counted from updated_at
			before := changed.Load()
			for database == "postgres" && changed.Load() < min(before+50, writers*changesEach) && !t.Failed() {
				f.read()
			}
			for range 5 {
				f.read()
			}
			commit()
			until := min(changed.Load()+writers*changesEach/holds/2, writers*changesEach)
			for changed.Load() < until && !t.Failed() {
				f.read()
			}
		}
		running.Wait()

		// The list shows the last change about a second after its commit.
		last := ids[sessions-1]
		a.do("POST", "/v1/candidate-sessions/"+last+"/cancel", o.owner, nil).want(200)
		for until := time.Now().Add(20 * time.Second); !strings.HasPrefix(f.copy[last], "CANCELLED"); f.read() {
			if time.Now().After(until) {
				t.Fatal("the last change does not appear")
			}
		}

		truth := o.allSessions()
		missed := 0
		for id, state := range truth {
			if f.copy[id] != state {
				if missed++; missed <= 3 {
					t.Errorf("%s: the copy has %q, want %q", id, f.copy[id], state)
				}
			}
		}
		if missed > 0 || len(truth) != sessions || len(f.copy) != sessions {
			t.Errorf("of %d sessions, %d are missing or out of date in the copy of %d", len(truth), missed, len(f.copy))
		}
		t.Logf("%d changes of %d sessions, %d transactions that stayed open for 30 s or longer; "+
			"the client read %d pages, %d of them empty, with %d items, %d of which had an earlier updatedAt than "+
			"one before; %s of the test's clock, %s",
			changed.Load(), sessions, holds, f.pages, f.empty, f.items, f.backward,
			clock.Now().Sub(start).Round(time.Second),
			time.Since(began).Round(100*time.Millisecond))
	})
}

// follower is a client of a list of changes, with its copy of the items.
type follower struct {
	api    *api
	path   string
	who    credential
	cursor string
	copy   map[string]string

	pages, empty, items, backward int
	newest                        string // updatedAt
}

// read reads the next page.
func (f *follower) read() (more bool) {
	f.api.t.Helper()
	path := f.path
	if f.cursor != "" {
		path += "&cursor=" + url.QueryEscape(f.cursor)
	}
	page := f.api.do("GET", path, f.who, nil).want(200)
	data := page.list("data.items")
	f.pages++
	if len(data) == 0 {
		f.empty++
	}
	for _, item := range data {
		item := item.(object)
		f.copy[item["id"].(string)] = stateOf(item)
		f.items++
		if updated := item["updatedAt"].(string); updated < f.newest {
			f.backward++
		} else {
			f.newest = updated
		}
	}
	f.cursor = page.text("data.cursor")
	return page.at("data.hasMore") == true
}

func stateOf(item object) string {
	return fmt.Sprint(item["status"], " ", item["note"], " ", item["updatedAt"])
}

// manySessions invites candidates in requests of 100, and returns the ids.
func (o *tenant) manySessions(assessmentID string, count int) (ids []string) {
	o.api.t.Helper()
	for len(ids) < count {
		body := bulkOf(assessmentID, newEmails(min(100, count-len(ids))))
		rows, _ := o.api.do("POST", "/v1/candidate-sessions/bulk", o.owner, body).bulk()
		for _, row := range rows {
			ids = append(ids, row.Session.ID)
		}
	}
	return ids
}

// allSessions returns the state of each session.
func (o *tenant) allSessions() map[string]string {
	o.api.t.Helper()
	all := map[string]string{}
	for path := "/v1/candidate-sessions?limit=100"; path != ""; {
		page := o.api.do("GET", path, o.owner, nil).want(200)
		for _, item := range page.list("data") {
			all[item.(object)["id"].(string)] = stateOf(item.(object))
		}
		link, _, _ := strings.Cut(page.header.Get("Link"), ">")
		path = strings.TrimPrefix(link, "<"+o.api.base)
	}
	return all
}
