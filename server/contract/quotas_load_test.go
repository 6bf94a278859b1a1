package contract

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// loadLifetime is how long the store uses a count of sessions and deliveries.
const loadLifetime = 30 * time.Second

// newCount makes the stores count the sessions and deliveries again.
func (a *api) newCount() {
	a.t.Helper()
	a.fold()
	a.clock.Advance(loadLifetime)
}

// At the quota of live sessions, an invite is refused, also as a row of a bulk request. An
// invite of a candidate with a live session returns that session. The quota does not affect
// sessions that exist, and each session that ends makes room.
func TestSessionQuota(t *testing.T) {
	onQuotas(t, store.Quotas{LiveSessions: 4}, func(t *testing.T, a, b *api) {
		for prefix, pick := range map[string]func(*tenant) credential{
			"/v1":        func(o *tenant) credential { return o.owner },
			"/v1/public": func(o *tenant) credential { return o.key() },
		} {
			o, other := a.register(), a.register()
			who, assessmentID := pick(o), o.publish(oneQuestion())
			invite := func(email string, extra ...object) response {
				return a.do("POST", prefix+"/candidate-sessions", who, row(assessmentID, email, extra...))
			}
			emails := newEmails(3)
			kept := row(assessmentID, emails[0])
			first := a.postWithKey(prefix+"/candidate-sessions", who, "kept", kept).want(201)
			second := invite(emails[1]).want(201)
			invite(emails[2]).want(201)
			a.do("POST", "/v1/assessments/"+assessmentID+"/preview", o.owner, nil).want(201) // does not count
			o.wantUsage("liveSessions", 3, 4)

			// There is room for one of two rows.
			dry := bulkOf(assessmentID, append(newEmails(2), emails[0]))
			dry["dryRun"] = true
			bulk := bulkOf(assessmentID, append(newEmails(2), emails[0]))
			for _, body := range []object{dry, bulk} {
				var answer struct {
					outcomes []string
				}
				for _, shown := range a.do("POST", prefix+"/candidate-sessions/bulk", who, body).want(200).list("data.rows") {
					answer.outcomes = append(answer.outcomes, shown.(object)["outcome"].(string))
					if failed, is := shown.(object)["error"].(object); is && failed["code"] != "session_quota_exceeded" {
						t.Errorf("row %v", shown)
					}
				}
				slices.Sort(answer.outcomes[:2])
				if !slices.Equal(answer.outcomes, []string{"CREATED", "FAILED", "EXISTING"}) {
					t.Errorf("outcomes %v", answer.outcomes)
				}
			}

			invite(newEmail()).isFull(409, "session_quota_exceeded")
			invite(emails[0], object{"onExisting": "NEW_ATTEMPT"}).isFull(409, "session_quota_exceeded")
			invite(emails[0]).want(200)
			invite(emails[0], object{"candidateName": "Other", "onExisting": "UPDATE"}).want(200)
			invite(emails[0], object{"onExisting": "ERROR"}).want(409, "candidate_already_invited")
			a.postWithKey(prefix+"/candidate-sessions", who, "kept", kept).replays(first)
			o.wantUsage("liveSessions", 4, 4)
			other.invite(other.publish(oneQuestion()))

			// Another replica counts all sessions.
			a.newCount()
			b.do("POST", prefix+"/candidate-sessions", who, row(assessmentID, newEmail())).
				isFull(409, "session_quota_exceeded")

			a.complete(second.candidate())
			a.do("POST", "/v1/candidate-sessions/"+first.text("data.id")+"/cancel", o.owner, nil).want(200)
			a.newCount()
			o.wantUsage("liveSessions", 2, 4)
			invite(newEmail()).want(201)
			invite(newEmail()).want(201)
			invite(newEmail()).isFull(409, "session_quota_exceeded")
		}
	})
}

// With a full queue, every request of the organization that queues deliveries is refused
// until the queue is shorter. What candidates do is saved and delivered.
func TestDeliveryQuota(t *testing.T) {
	onQuotas(t, store.Quotas{QueuedDeliveries: 4}, func(t *testing.T, a, _ *api) {
		o, other := a.register(), a.register()
		hook := o.hookID("candidate.invited", "candidate.completed")
		who, assessmentID := o.key(), o.publish(oneQuestion())
		deliveries := "/v1/webhooks/" + hook + "/deliveries"
		emails := newEmails(4)
		invite := func(email string) response {
			return a.do("POST", "/v1/public/candidate-sessions", who, row(assessmentID, email))
		}
		kept := a.postWithKey("/v1/public/candidate-sessions", who, "kept", row(assessmentID, emails[0])).want(201)
		a.settleAll(hook, store.DeliverySucceeded, took200)
		ended := a.do("GET", deliveries, o.owner, nil).want(200).text("data.0.id")
		bulk := bulkOf(assessmentID, emails[1:3])
		keptBulk := a.postWithKey("/v1/candidate-sessions/bulk", o.owner, "kept", bulk).want(200)
		invited := invite(emails[3]).want(201)
		o.wantUsage("queuedDeliveries", 4, 4) // one has been sent since it was counted
		session := "candidate-sessions/" + invited.text("data.id")
		lastHour := object{
			"since": wire(a.clock.Now().Add(-time.Hour)), "until": wire(a.clock.Now().Add(time.Second)),
		}
		queueing := []struct {
			path string
			who  credential
			body any
		}{
			{"/v1/candidate-sessions", o.owner, row(assessmentID, newEmail())},
			{"/v1/public/candidate-sessions", who, row(assessmentID, newEmail())},
			{"/v1/candidate-sessions/bulk", o.owner, bulkOf(assessmentID, newEmails(2))},
			{"/v1/public/candidate-sessions/bulk", who, bulkOf(assessmentID, newEmails(2))},
			{"/v1/candidate-sessions/bulk", o.owner, object{"rows": bulkOf(assessmentID, newEmails(1))["rows"], "dryRun": true}},
			{"/v1/" + session + "/resend", o.owner, nil},
			{"/v1/public/" + session + "/resend", who, nil},
			{deliveries + "/" + ended + "/redeliver", o.owner, nil},
			{"/v1/webhooks/" + hook + "/replay", o.owner, lastHour},
			{"/v1/public" + strings.TrimPrefix(deliveries, "/v1") + "/" + ended + "/redeliver", who, nil},
			{"/v1/public/webhooks/" + hook + "/replay", who, lastHour},
		}
		a.clock.Advance(loadLifetime / 3)
		for _, r := range queueing {
			refused := a.do("POST", r.path, r.who, r.body).isFull(429, "delivery_quota_exceeded")
			if got := refused.header.Get("Retry-After"); got != strconv.Itoa(20) || refused.header.Get("RateLimit") != "" {
				t.Errorf("%s: Retry-After %q", r.path, got)
			}
		}
		invite(emails[0]).want(200)
		a.postWithKey("/v1/public/candidate-sessions", who, "kept", row(assessmentID, emails[0])).replays(kept)
		a.postWithKey("/v1/candidate-sessions/bulk", o.owner, "kept", bulk).replays(keptBulk)
		other.invite(other.publish(oneQuestion()))
		a.complete(invited.candidate())

		a.newCount()
		o.wantUsage("queuedDeliveries", 4, 4) // three invites and a completion
		a.do("POST", queueing[0].path, o.owner, queueing[0].body).isFull(429, "delivery_quota_exceeded")
		a.settleAll(hook, store.DeliverySucceeded, took200)
		a.newCount()
		o.wantUsage("queuedDeliveries", 0, 4)
		a.do("POST", queueing[0].path, o.owner, queueing[0].body).want(201)

		// There is room for three of five events and for one of three rows.
		replayed := a.do("POST", queueing[8].path, o.owner, object{
			"since": wire(a.clock.Now().Add(-time.Hour)), "until": wire(a.clock.Now().Add(time.Second)),
		}).want(200)
		replayed.wantFields(object{"data.count": 3, "data.hasMore": true})
		if queued := storetest.Count(t, a.database, "webhook_queue"); queued != 4 {
			t.Errorf("%d deliveries are queued", queued)
		}
	})
}

// A bulk request creates as many sessions as the queue has room for.
func TestBulkEndsAtTheDeliveryQuota(t *testing.T) {
	onQuotas(t, store.Quotas{QueuedDeliveries: 55}, func(t *testing.T, a, _ *api) {
		o := a.register()
		o.hook("candidate.invited")
		body := bulkOf(o.publish(oneQuestion()), newEmails(120))
		created := 0
		for _, shown := range a.do("POST", "/v1/candidate-sessions/bulk", o.owner, body).want(200).list("data.rows") {
			if failed, is := shown.(object)["error"].(object); !is {
				created++
			} else if failed["code"] != "delivery_quota_exceeded" {
				t.Errorf("row %v", shown)
			}
		}
		if queued := storetest.Count(t, a.database, "webhook_queue"); created != 55 || queued != 55 {
			t.Errorf("%d sessions, %d deliveries", created, queued)
		}

		// With a key, a group that finds the queue full is not done, and can be repeated.
		a.clock.Advance(loadLifetime)
		a.postWithKey("/v1/candidate-sessions/bulk", o.owner, "key", body).isFull(429, "delivery_quota_exceeded")
	})
}
