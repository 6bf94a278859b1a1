package contract

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// A client that follows the chapter on catching up of the guide receives the last state of each session, although
// sessions change between its pages, and its runs take longer than the list goes back. A client that continues from
// the largest updatedAt misses a change, which shows that the changes of the test matter.
func TestCatchingUpMissesNothing(t *testing.T) {
	for advice, missing := range map[string]int{"start of the run": 0, "largest updatedAt": 1} {
		t.Run(advice, func(t *testing.T) {
			onEach(t, func(t *testing.T, a *api) {
				o := a.register()
				c := catchingUp{api: a, key: o.key("candidates:read"), known: map[string]string{}, since: time.Unix(0, 0)}
				assessmentID := o.publish(oneQuestion())
				var ids []string // oldest first
				for range 6 {
					ids = append(ids, o.invite(assessmentID).text("data.id"))
					a.clock.Advance(time.Second)
				}

				// The list begins with the newest session, so the first page has the last two.
				c.run(advice, func(page int) {
					a.clock.Advance(20 * time.Second)
					if changed := map[int]int{0: 5, 1: 0}; page <= 1 {
						a.do("POST", "/v1/candidate-sessions/"+ids[changed[page]]+"/cancel", o.owner, nil).want(200)
					}
					a.clock.Advance(20 * time.Second)
				})
				c.run(advice, func(int) {})
				present, _ := a.pages("/v1/candidate-sessions", o.owner, "id")
				var missed []string
				for _, id := range present {
					session := a.do("GET", "/v1/candidate-sessions/"+id, o.owner, nil).want(200)
					if c.known[id] != session.text("data.status") {
						missed = append(missed, id)
					}
				}
				if len(present) != len(ids) || len(missed) != missing || missing > 0 && !slices.Contains(missed, ids[5]) {
					t.Errorf("of %d sessions, the client missed the last state of %q, want %d", len(present), missed, missing)
				}
			})
		})
	}
}

// catchingUp is a client with its copy of the sessions.
type catchingUp struct {
	api   *api
	key   credential
	known map[string]string // the status of each session
	since time.Time         // from where the next run continues
}

// run reads all pages of the changes, calls between after each, and keeps the time for the next run.
func (c *catchingUp) run(advice string, between func(page int)) {
	c.api.t.Helper()
	var began, largest time.Time
	path := "/v1/public/candidate-sessions?limit=2&updatedSince=" + url.QueryEscape(c.since.UTC().Format(time.RFC3339Nano))
	for page := 0; path != ""; page++ {
		r := c.api.do("GET", path, c.key, nil).want(200)
		date, err := http.ParseTime(r.header.Get("Date"))
		if err != nil {
			c.api.t.Fatal(err)
		}
		if page == 0 {
			began = date.Add(-time.Minute)
		}
		for _, item := range r.list("data") {
			session := item.(object)
			c.known[session["id"].(string)] = session["status"].(string)
			updated, err := time.Parse(time.RFC3339, session["updatedAt"].(string))
			if err != nil {
				c.api.t.Fatal(err)
			}
			if updated.After(largest) {
				largest = updated
			}
		}
		between(page)
		link, _, _ := strings.Cut(r.header.Get("Link"), ">")
		path = strings.TrimPrefix(link, "<https://assay.test")
	}
	if c.since = began; advice == "largest updatedAt" {
		c.since = largest
	}
}
