package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
)

// A person and a key manage the same endpoints and see the same. The audit log names the key.
func TestPublicWebhooks(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		made := a.do("POST", "/v1/api-keys", o.owner, object{"name": "Sync", "scopes": []string{"webhooks:manage"}}).want(201)
		keyID, key := made.text("data.id"), apiKeyOf(made.text("data.key"))
		both := func(path string, paths ...string) {
			t.Helper()
			for _, path := range append(paths, path) {
				byKey := a.do("GET", "/v1/public"+path, key, nil).want(200)
				byPerson := a.do("GET", "/v1"+path, o.owner, nil).want(200)
				if string(byKey.body) != string(byPerson.body) {
					t.Errorf("%s: a key sees %s, and a person %s", path, byKey.body, byPerson.body)
				}
			}
		}
		theirs := o.hookID()
		published := object{"url": hookURL, "events": []string{"assessment.published"}}
		created := a.do("POST", "/v1/public/webhooks", key, published).want(201)
		hook := created.text("data.id")
		path := "/v1/public/webhooks/" + hook
		if created.header.Get("Location") != path || created.text("data.secret") == "" {
			t.Errorf("the location is %s, and the body %s", created.header.Get("Location"), created.body)
		}
		o.publish(oneQuestion())
		a.settleAll(hook, store.DeliveryFailed, took200)
		delivery := a.do("GET", path+"/deliveries?status=FAILED", key, nil).want(200).text("data.0.id")
		both("/webhooks", "/webhooks?limit=1", "/webhooks/"+hook, "/webhooks/"+theirs, "/webhooks/"+hook+"/statistics",
			"/webhooks/"+hook+"/deliveries", "/webhooks/"+hook+"/deliveries/"+delivery,
			"/deliveries?webhookId="+hook+"&status=FAILED", "/event-types")
		a.do("PATCH", path, key, object{"description": "Nightly"}).want(200).wantFields(object{"data.description": "Nightly"})
		a.do("POST", path+"/test", key, nil).want(200)
		rotated := a.do("POST", path+"/rotate-secret", key, object{"activateAfterSeconds": 60}).want(200)
		if rotated.text("data.secret") == created.text("data.secret") {
			t.Error("the secret did not change")
		}
		a.do("POST", path+"/replay", key, object{
			"since": "2020-01-01T00:00:00Z", "until": "2099-01-01T00:00:00Z", "status": "FAILED",
		}).want(200).wantFields(object{"data.count": 1})
		again := a.do("POST", path+"/deliveries/"+delivery+"/redeliver", key, nil).want(201)
		if want := path + "/deliveries/" + again.text("data.id"); again.header.Get("Location") != want {
			t.Errorf("the location is %s, want %s", again.header.Get("Location"), want)
		}
		a.do("DELETE", path, key, nil).want(204)
		a.do("GET", path, key, nil).want(404, "not_found")

		log := a.do("GET", "/v1/audit-log?limit=100&actorId="+keyID, o.owner, nil).want(200)
		var actions []string
		for i := range log.list("data") {
			at := fmt.Sprintf("data.%d.", i)
			log.wantFields(object{at + "actor": object{"type": "API_KEY", "id": keyID, "name": "Sync"}})
			actions = append(actions, log.text(at+"action"))
		}
		slices.Sort(actions) // they have the same time
		want := "API_KEY_FIRST_USED DELIVERY_REDELIVERED WEBHOOK_CREATED WEBHOOK_DELETED WEBHOOK_REPLAYED " +
			"WEBHOOK_SECRET_ROTATED WEBHOOK_TESTED WEBHOOK_UPDATED"
		if got := strings.Join(actions, " "); got != want {
			t.Errorf("the audit log has %s, want %s", got, want)
		}
	})
}

// The endpoints of another organization do not exist for a key, and a key without the scope gets nothing.
func TestPublicWebhooksOfOthers(t *testing.T) {
	onQuotas(t, store.Quotas{Webhooks: 1}, func(t *testing.T, a, _ *api) {
		o, other := a.register(), a.register()
		hook := o.hookID()
		o.publish(oneQuestion())
		path, key := "/v1/public/webhooks/"+hook, other.key("webhooks:manage")
		delivery := a.do("GET", path+"/deliveries", o.key("webhooks:manage"), nil).want(200).text("data.0.id")
		span := object{"since": "2020-01-01T00:00:00Z", "until": "2099-01-01T00:00:00Z"}
		without := o.key("candidates:read", "candidates:write", "assessments:read", "results:read", "reviews:write")
		for _, request := range []struct {
			method, path string
			body         any
		}{
			{"GET", "", nil}, {"PATCH", "", object{"enabled": false}}, {"DELETE", "", nil}, {"POST", "/test", nil},
			{"POST", "/rotate-secret", object{}}, {"POST", "/replay", span}, {"GET", "/statistics", nil},
			{"GET", "/deliveries", nil}, {"GET", "/deliveries/" + delivery, nil},
			{"POST", "/deliveries/" + delivery + "/redeliver", nil},
		} {
			a.do(request.method, path+request.path, key, request.body).want(404, "not_found")
			a.do(request.method, path+request.path, without, request.body).want(403, "insufficient_scope")
		}
		for _, list := range []string{"/v1/public/webhooks", "/v1/public/deliveries"} {
			if got := a.do("GET", list, key, nil).want(200); got.items() != 0 {
				t.Errorf("another organization sees %s", got.body)
			}
			a.do("GET", list, without, nil).want(403, "insufficient_scope")
		}
		a.do("GET", "/v1/public/event-types", without, nil).want(200)
		body := object{"url": hookURL, "events": []string{"candidate.invited"}}
		a.do("POST", "/v1/public/webhooks", o.key("webhooks:manage"), body).isFull(409, "webhook_quota_exceeded")
		a.do("POST", "/v1/public/webhooks", without, body).want(403, "insufficient_scope")
		if still := a.do("GET", "/v1/webhooks/"+hook, o.owner, nil).want(200); still.at("data.enabled") != true {
			t.Errorf("the endpoint is %s", still.body)
		}
	})
}

// Only the roles that manage webhooks create a key that does, and a key creates neither keys nor people.
func TestKeysForWebhooks(t *testing.T) {
	onAny(t, func(_ *testing.T, a *api) {
		o := a.register()
		body := object{"name": "Sync", "scopes": []string{"webhooks:manage"}}
		for role, status := range map[string]int{"OWNER": 201, "ADMIN": 201, "EDITOR": 403, "MEMBER": 403} {
			m := o.member(role)
			a.do("POST", "/v1/api-keys", m.who, body).want(status)
			want := 201
			if status == 403 {
				want = 403
			}
			a.do("POST", "/v1/webhooks", m.who, object{"url": hookURL, "events": []string{"candidate.invited"}}).want(want)
		}
		key := o.key()
		a.do("POST", "/v1/api-keys", key, body).want(401, "unauthenticated")
		person := object{"name": "Katherine Johnson", "email": newEmail(), "role": "OWNER"}
		a.do("POST", "/v1/members", key, person).want(401, "unauthenticated")
		for _, path := range []string{"/v1/public/api-keys", "/v1/public/members"} {
			a.do("POST", path, key, body).want(404, "not_found")
		}
	})
}

// eventFollower is a server that has an API key and no person. It follows the events, oldest first, and stores only the
// id of the last one.
type eventFollower struct {
	*api
	key   credential
	after string
	types []string
}

func (f *eventFollower) follow() {
	f.t.Helper()
	path := "/v1/public/events?order=asc&limit=3"
	if f.after != "" {
		path += "&after=" + f.after
	}
	for path != "" {
		page := f.do("GET", path, f.key, nil).want(200)
		for i := range page.list("data") {
			f.after = page.text(fmt.Sprintf("data.%d.id", i))
			f.types = append(f.types, page.text(fmt.Sprintf("data.%d.type", i)))
		}
		_, link, _ := strings.Cut(page.header.Get("Link"), "<https://assay.test")
		path, _, _ = strings.Cut(link, ">")
	}
}

// A server needs a person once, for its key. With the key alone it registers an endpoint, follows the events of a day,
// redelivers what has failed, and rotates the secret.
func TestServerWithoutPerson(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessment := o.publish(twoStages())
		a.clock.Advance(time.Minute)
		f := &eventFollower{api: a, key: o.key("candidates:read", "candidates:write", "webhooks:manage")}
		me := a.do("GET", "/v1/public/me", f.key, nil).want(200)
		me.wantFields(object{"data.organization.id": o.organizationID,
			"data.scopes": []any{"candidates:read", "candidates:write", "webhooks:manage"}})
		var subscribed []string
		types := a.do("GET", "/v1/public/event-types", f.key, nil).want(200)
		for i := range types.list("data") {
			if kind := types.text(fmt.Sprintf("data.%d.type", i)); strings.HasPrefix(kind, "candidate.") {
				subscribed = append(subscribed, kind)
			}
		}
		created := a.do("POST", "/v1/public/webhooks", f.key, object{"url": hookURL, "events": subscribed}).want(201)
		hook := "/v1/public/webhooks/" + created.text("data.id")

		var want []string
		for hour := range 24 {
			invited := a.do("POST", "/v1/public/candidate-sessions", f.key, row(assessment, newEmail())).want(201)
			want = append(want, "candidate.invited")
			a.clock.Advance(20 * time.Minute)
			switch hour % 3 {
			case 0:
				a.finish(invited.candidate(), true)
				want = append(want, "candidate.started", "candidate.completed")
			case 1:
				a.finish(invited.candidate(), false)
				want = append(want, "candidate.started", "candidate.disqualified")
			default:
				a.do("POST", "/v1/public/candidate-sessions/"+invited.text("data.id")+"/cancel", f.key, nil).want(200)
				want = append(want, "candidate.cancelled")
			}
			f.follow() // the events of the last ten seconds are in a later run
			a.clock.Advance(40 * time.Minute)
			o.owner = bearer(a.login(o.email).access)
			o.publish(oneQuestion()) // an event that the key does not see
			status := store.DeliverySucceeded
			if hour == 12 { // the receiver is down
				status = store.DeliveryFailed
			}
			a.settleAll(created.text("data.id"), status, took200)
		}
		f.follow()
		if got := strings.Join(f.types, " "); got != strings.Join(want, " ") {
			t.Errorf("the server saw %s\nwant %s", got, strings.Join(want, " "))
		}

		failed := a.do("GET", "/v1/public/deliveries?status=FAILED", f.key, nil).want(200)
		if failed.items() != 3 {
			t.Fatalf("%d deliveries have failed, want three: %s", failed.items(), failed.body)
		}
		eventID := failed.text("data.0.eventId")
		event := a.do("GET", "/v1/public/events/"+eventID, f.key, nil).want(200)
		event.wantFields(object{"data.deliveries": []any{failed.at("data.0")}})
		again := a.do("POST", hook+"/deliveries/"+failed.text("data.0.id")+"/redeliver", f.key, nil).want(201)
		again.wantFields(object{"data.eventId": eventID, "data.status": "PENDING"})
		a.clock.Advance(time.Second)
		a.settleAll(created.text("data.id"), store.DeliverySucceeded, took200)
		a.do("GET", again.header.Get("Location"), f.key, nil).want(200).wantFields(object{"data.status": "SUCCEEDED"})
		a.do("GET", "/v1/public/events/"+eventID, f.key, nil).want(200).wantFields(object{
			"data.deliveries.0.id": again.text("data.id"), "data.deliveries.1.status": "FAILED",
		})

		rotated := a.do("POST", hook+"/rotate-secret", f.key, object{"activateAfterSeconds": 3600}).want(200)
		if rotated.text("data.secret") == created.text("data.secret") {
			t.Error("the secret did not change")
		}
		a.clock.Advance(time.Hour)
		a.do("GET", hook, f.key, nil).want(200).wantFields(object{"data.secretHint": rotated.text("data.secretHint")})
	})
}
