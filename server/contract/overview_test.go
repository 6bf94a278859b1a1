package contract

import (
	"fmt"
	"testing"
	"time"

	"assay/store"
)

func (o *tenant) overview() response {
	o.api.t.Helper()
	return o.api.do("GET", "/v1/overview", o.owner, nil).want(200)
}

// ids returns the ids of the items at a dotted path.
func (r response) ids(path string) (ids []string) {
	r.t.Helper()
	for i := range r.list(path) {
		ids = append(ids, r.text(fmt.Sprintf("%s.%d.id", path, i)))
	}
	return ids
}

func TestOverviewOfANewOrganization(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		none := object{"count": 0, "hasMore": false, "items": []any{}}
		a.register().overview().wantFields(object{"data": object{
			"expiringInvites": none, "failingWebhooks": none, "drafts": none, "latestResults": none,
			"suspectedKeys": none, "waiting": object{"count": 0, "hasMore": false, "overdueCount": 0, "oldestSince": nil,
				"items": []any{}},
		}})
	})
}

func TestOverviewOfExpiringInvites(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(twoStages())
		expires := func(in time.Duration) object { return object{"expiresAt": wire(a.clock.Now().Add(in))} }
		later := o.invite(id, expires(47*time.Hour))
		o.invite(id, expires(49*time.Hour))
		sooner := o.invite(id, expires(2*time.Hour))
		started := o.invite(id, expires(3*time.Hour))
		a.do("POST", "/v1/candidate/session/start", started.candidate(), nil).want(200)

		got := o.overview()
		got.wantFields(object{"data.expiringInvites.count": 2, "data.expiringInvites.hasMore": false})
		want := []string{sooner.text("data.id"), later.text("data.id")}
		if ids := got.ids("data.expiringInvites.items"); fmt.Sprint(ids) != fmt.Sprint(want) {
			t.Errorf("expiring %v, want %v", ids, want)
		}
		a.clock.Advance(2 * time.Hour)
		o.signIn()
		o.overview().wantFields(object{"data.expiringInvites.count": 2}) // one has expired, and another expires in 47 h
		for range 6 {
			o.invite(id, expires(time.Hour))
		}
		if items := o.overview().list("data.expiringInvites.items"); len(items) != 5 {
			t.Errorf("%d items, want 5", len(items))
		}
	})
}

func TestOverviewOfResults(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(twoStages())
		var want []string
		for i := range 7 {
			session := o.invite(id)
			a.finish(session.candidate(), i%2 == 0)
			want = append([]string{session.text("data.id")}, want...)
			a.clock.Advance(time.Second)
		}
		got := o.overview()
		got.wantFields(object{"data.latestResults.count": 7, "data.latestResults.items.0.status": "COMPLETED",
			"data.latestResults.items.1.status": "DISQUALIFIED"})
		if ids := got.ids("data.latestResults.items"); fmt.Sprint(ids) != fmt.Sprint(want[:5]) {
			t.Errorf("results %v, want %v", ids, want[:5])
		}
		a.clock.Advance(7 * 24 * time.Hour)
		o.signIn()
		got = o.overview()
		got.wantFields(object{"data.latestResults.count": 0})
		if ids := got.ids("data.latestResults.items"); len(ids) != 5 {
			t.Errorf("the latest results are %v after a week, want five", ids)
		}
	})
}

func TestOverviewOfDraftsAndWebhooks(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		o.publish(twoStages())
		draft := a.do("POST", "/v1/assessments", o.owner, object{"title": "Draft"}).want(201).text("data.id")
		endpoint := func(n int) string {
			return a.do("POST", "/v1/webhooks", o.owner, object{
				"url": fmt.Sprintf("https://receiver.example/%d", n), "events": []any{"candidate.completed"},
			}).want(201).text("data.id")
		}
		healthy, failing, gone, manual, recovered := endpoint(1), endpoint(2), endpoint(3), endpoint(4), endpoint(5)
		at := a.store.Now()
		note := func(health store.Health) {
			t.Helper()
			if err := a.store.UnscopedNoteHealth(t.Context(), health); err != nil {
				t.Fatal(err)
			}
		}
		note(store.Health{WebhookID: healthy, LastSuccessAt: &at})
		note(store.Health{WebhookID: failing, LastFailureAt: &at, Failures: 1})
		note(store.Health{WebhookID: gone, LastFailureAt: &at, Failures: 1, Gone: true})
		note(store.Health{WebhookID: recovered, LastFailureAt: &at, Failures: 2})
		note(store.Health{WebhookID: recovered, LastSuccessAt: &at})
		a.do("PATCH", "/v1/webhooks/"+manual, o.owner, object{"enabled": false}).want(200)

		got := a.do("GET", "/v1/overview", o.member("MEMBER").who, nil).want(200)
		got.wantFields(object{"data.drafts.count": 1, "data.failingWebhooks.count": 2})
		if ids := got.ids("data.drafts.items"); fmt.Sprint(ids) != fmt.Sprint([]string{draft}) {
			t.Errorf("drafts %v, want %s", ids, draft)
		}
		if ids := got.ids("data.failingWebhooks.items"); fmt.Sprint(ids) != fmt.Sprint([]string{gone, failing}) {
			t.Errorf("failing endpoints %v, want %s and %s", ids, gone, failing)
		}
	})
}

// Above the bound a count is not exact.
func TestOverviewCountsUpToABound(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id, key := o.publish(twoStages()), o.key()
		invite := func(n int) {
			soon := object{"expiresAt": wire(a.clock.Now().Add(time.Hour))}
			a.do("POST", bulkPath, key, bulkOf(id, newEmails(n), soon)).want(200)
		}
		invite(500)
		invite(500)
		o.overview().wantFields(object{"data.expiringInvites.count": 1000, "data.expiringInvites.hasMore": false})
		invite(1)
		o.overview().wantFields(object{"data.expiringInvites.count": 1000, "data.expiringInvites.hasMore": true})
	})
}
