package contract

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
)

const hookURL = "https://ats.example/hooks/assay"

// hook registers an endpoint for the event types, or for all.
func (o *tenant) hook(eventTypes ...string) response {
	o.api.t.Helper()
	if len(eventTypes) == 0 {
		eventTypes = []string{"candidate.invited", "candidate.completed", "candidate.disqualified", "assessment.published"}
	}
	return o.api.do("POST", "/v1/webhooks", o.owner, object{"url": hookURL, "events": eventTypes}).want(201)
}

// hookID is like hook and returns the id.
func (o *tenant) hookID(eventTypes ...string) string {
	o.api.t.Helper()
	return o.hook(eventTypes...).text("data.id")
}

// A secret is returned only by the request that creates it. No other response and no log
// line contains it.
func TestWebhookSecretIsReturnedOnce(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		created := o.hook()
		id, secret := created.text("data.id"), created.text("data.secret")
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) != 32 || !strings.HasPrefix(secret, "whsec_") {
			t.Errorf("the generated secret is %q, want whsec_ and 32 bytes in base64", secret)
		}
		if got := created.header.Get("Location"); got != "/v1/webhooks/"+id {
			t.Errorf("Location %s", got)
		}
		secrets := []string{secret}
		for _, given := range []string{
			strings.Repeat("s", 16), strings.Repeat("S", 256), "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~",
			"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
			"Schlüssel 🗝 of the receiver",
		} {
			got := a.do("POST", "/v1/webhooks", o.owner,
				object{"url": hookURL, "events": []any{"candidate.invited"}, "secret": given}).want(201)
			if got.text("data.secret") != given || got.text("data.secretHint") != given[len(given)-4:] {
				t.Errorf("secret %s: %s", given, got.body)
			}
			secrets = append(secrets, given)
		}

		for _, body := range []object{{}, {"secret": "another-secret-of-mine"}} {
			rotated := a.do("POST", "/v1/webhooks/"+id+"/rotate-secret", o.owner, body).want(200)
			secrets = append(secrets, rotated.text("data.secret"))
		}

		o.publish(twoStages())
		shown := string(a.do("GET", "/v1/webhooks", o.owner, nil).want(200).body) +
			string(a.do("GET", "/v1/webhooks/"+id, o.owner, nil).want(200).body) +
			string(a.do("PATCH", "/v1/webhooks/"+id, o.owner, object{"enabled": true}).want(200).body) +
			string(a.do("POST", "/v1/webhooks/"+id+"/test", o.owner, nil).want(200).body) +
			string(a.do("GET", "/v1/webhooks/"+id+"/deliveries", o.owner, nil).want(200).body) +
			string(a.do("GET", "/v1/events", o.owner, nil).want(200).body) + a.log.String()
		for _, s := range secrets {
			if strings.Contains(shown, s) {
				t.Errorf("the secret %s is returned or logged again", s)
			}
		}
	})
}

// A registered endpoint has these fields by id and in the list, newest first.
func TestWebhookRegistration(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		created := o.hook("candidate.completed", "candidate.invited")
		id := created.text("data.id")
		got := a.do("GET", "/v1/webhooks/"+id, o.owner, nil).want(200)
		want := fmt.Sprintf(`{"data":{"consecutiveFailures":0,"createdAt":"%[2]s","description":null,`+
			`"disabledReason":null,"enabled":true,"events":["candidate.completed","candidate.invited"],"id":"%[1]s",`+
			`"lastFailureAt":null,"lastSuccessAt":null,"secretHint":"%[3]s","updatedAt":"%[2]s","url":"%[4]s"}}`,
			id, store.WireTime(a.clock.Now()), created.text("data.secret")[len(created.text("data.secret"))-4:], hookURL)
		if sorted(t, got.body) != want {
			t.Errorf("%s\nwant %s", sorted(t, got.body), want)
		}

		described := a.do("POST", "/v1/webhooks", o.owner, object{
			"url": "https://ats.example:8443/", "events": []any{"candidate.invited"}, "description": "Applicant tracking",
		}).want(201)
		if described.text("data.description") != "Applicant tracking" {
			t.Errorf("the description is wrong: %s", described.body)
		}

		ids, pages := a.pages("/v1/webhooks?limit=1", o.owner, "id")
		if !slices.Equal(ids, []string{described.text("data.id"), id}) || pages != 2 {
			t.Errorf("listed %v on %d pages", ids, pages)
		}
	})
}

// rejectedURLs are URLs that no delivery may use, in many spellings: not HTTPS, other ports,
// user information, fragments, IP addresses, internal names, and malformed URLs.
var rejectedURLs = []string{
	"http://ats.example/", "ftp://ats.example/", "HTTP://ats.example/", "//ats.example/", "/hook", "ats.example",
	"https:ats.example", "https://", "https:///hook", "https://ats.example:80/", "https://ats.example:8080/",
	"https://ats.example:0/", "https://ats.example:/", "https://ats.example:99999/", "https://ats.example:https/",
	"https://user@ats.example/", "https://user:password@ats.example/", "https://@ats.example/",
	"https://ats.example/#part", "https://ats.example/#", "https://127.0.0.1/", "https://8.8.8.8/", "https://2130706433/",
	"https://0x7f000001/", "https://0x7f.1/", "https://017700000001/", "https://0177.0.0.1/", "https://127.1/",
	"https://127.0.1/", "https://0/", "https://[::1]/", "https://[2001:db8::1]/", "https://[::ffff:127.0.0.1]/",
	"https://[::ffff:7f00:1]/", "https://[fe80::1%25eth0]/", "https://[64:ff9b::7f00:1]/", "https://169.254.169.254/",
	"https://10.0.0.1:443/", "https://127.0.0.1./", "https://1.2.3.4.5/", "https://ats.0x7f/", "https://①②⑦.⓪.⓪.①/",
	"https://127。0。0。1/", "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://a.localhost/",
	"https://printer.local/", "https://vault.internal/", "https://metadata.google.internal/", "https://a.b.INTERNAL./",
	"https://router.lan/", "https://router.home.arpa/", "https://intranet/", "https://com./", "https://ats..example/",
	"https://.example/", "https://-ats.example/", "https://ats-.example/", "https://ats_.exämple/",
	"https://" + strings.Repeat("a", 64) + ".example/", "https://" + strings.Repeat("a.", 127) + "example/",
	"https://ats.example/" + strings.Repeat("x", 2048-len("https://ats.example/")+1), "", "https://ats.example/a b",
	" https://ats.example/", "https://ats.example/ ", "https://ats .example/", "https://ats.example/\t",
	"https://ats.example/\n", "https://ats.example/\x7f", "https://ats.example%2f@evil.example/",
	"https://ats.example\\@evil.example/", "https://%6cocalhost/", "https://ats.example/%zz",
}

// Registration and change reject every URL that cannot be delivered to, and store an
// accepted URL unchanged.
func TestWebhookURLs(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.hookID()
		for _, address := range rejectedURLs {
			for _, r := range []response{
				a.do("POST", "/v1/webhooks", o.owner, object{"url": address, "events": []any{"candidate.invited"}}),
				a.do("PATCH", "/v1/webhooks/"+id, o.owner, object{"url": address}),
			} {
				otherField := func(fault string) bool { return !strings.HasPrefix(fault, "body /url ") }
				if r.status != 400 || len(r.faults()) == 0 || slices.ContainsFunc(r.faults(), otherField) {
					t.Errorf("%s %q: %d, want 400 with errors of /url only: %s", r.name, address, r.status, r.body)
				}
			}
		}

		longest := "https://ats.example/" + strings.Repeat("x", 2048-len("https://ats.example/"))
		for _, address := range []string{
			"https://ats.example", "https://ats.example:443/", "https://ats.example:8443/a?b=c&d=%20", "https://ATS.Example./",
			"https://xn--exmple-cua.example/", "https://a_b.ats.example/", "https://1.ats.example/",
			"https://localhost.example/", "https://10.0.0.1.example/", longest,
		} {
			changed := a.do("PATCH", "/v1/webhooks/"+id, o.owner, object{"url": address}).want(200)
			if got := changed.text("data.url"); got != address {
				t.Errorf("%s is stored as %s", address, got)
			}
		}
	})
}

// An invalid field of an endpoint causes a 400 with one field error.
func TestWebhookFieldErrors(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		with := func(name string, value any) object {
			body := object{"url": hookURL, "events": []any{"candidate.invited"}}
			if body[name] = value; value == nil {
				delete(body, name)
			}
			return body
		}

		path := "/v1/webhooks/" + o.hookID()
		for _, refusal := range []struct {
			method, path string
			body         object
			fault        string
		}{
			{"POST", "/v1/webhooks", with("url", nil), "body /url required"},
			{"POST", "/v1/webhooks", with("events", nil), "body /events required"},
			{"POST", "/v1/webhooks", with("events", []any{}), "body /events too_few_items"},
			{"POST", "/v1/webhooks", with("events", []any{"candidate.invited", "candidate.hired"}),
				"body /events/1 invalid_value"},
			{"POST", "/v1/webhooks", with("events", []any{"ping"}), "body /events/0 invalid_value"},
			{"POST", "/v1/webhooks", with("events", []any{"candidate.invited", "candidate.invited"}), "body /events duplicate"},
			{"POST", "/v1/webhooks", with("secret", strings.Repeat("s", 15)), "body /secret too_short"},
			{"POST", "/v1/webhooks", with("secret", strings.Repeat("s", 257)), "body /secret too_long"},
			{"POST", "/v1/webhooks", with("secret", "whsec_not*base64*at*all"), "body /secret invalid_format"},
			{"POST", "/v1/webhooks", with("secret", "whsec_YWJjZGVmZ2hpamts="), "body /secret invalid_format"},
			{"POST", "/v1/webhooks", with("description", strings.Repeat("d", 501)), "body /description too_long"},
			{"POST", "/v1/webhooks", with("enabled", false), "body /enabled unknown_field"},
			{"PATCH", path, object{"events": []any{}}, "body /events too_few_items"},
			{"PATCH", path, object{"events": []any{"candidate.hired"}}, "body /events/0 invalid_value"},
			{"PATCH", path, object{"url": nil}, "body /url invalid_type"},
			{"PATCH", path, object{"enabled": nil}, "body /enabled invalid_type"},
			{"PATCH", path, object{"secret": "a-secret-that-is-long"}, "body /secret unknown_field"},
			{"PATCH", path, object{}, ""},
			{"POST", path + "/rotate-secret", object{"activateAfterSeconds": -1}, "body /activateAfterSeconds too_small"},
			{"POST", path + "/rotate-secret", object{"activateAfterSeconds": 604801}, "body /activateAfterSeconds too_large"},
			{"POST", path + "/rotate-secret", object{"activateAfterSeconds": 1.5}, "body /activateAfterSeconds invalid_type"},
			{"POST", path + "/rotate-secret", object{"secret": strings.Repeat("s", 15)}, "body /secret too_short"},
			{"POST", path + "/rotate-secret", object{"secret": "whsec_not*base64*at*all"}, "body /secret invalid_format"},
		} {
			r := a.do(refusal.method, refusal.path, o.owner, refusal.body)
			if r.status != 400 || (refusal.fault != "" && !slices.Equal(r.faults(), []string{refusal.fault})) {
				t.Errorf("%s %v: %d, want %s\n%s", r.name, refusal.body, r.status, refusal.fault, r.body)
			}
		}
	})
}

// A change affects only the fields in the request. A later GET returns the same body as
// the PATCH.
func TestWebhookChanges(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		path := "/v1/webhooks/" + o.hookID("candidate.invited")
		expect := func(change object, url, description, events string, enabled bool, reason any) {
			t.Helper()
			a.clock.Advance(time.Second)
			changed := a.do("PATCH", path, o.owner, change).want(200)
			got := a.do("GET", path, o.owner, nil).want(200)
			if string(got.body) != string(changed.body) {
				t.Errorf("PATCH returns %s\nGET returns %s", changed.body, got.body)
			}
			if got.text("data.url") != url || got.text("data.description") != description ||
				fmt.Sprint(got.list("data.events")) != events ||
				got.at("data.enabled") != enabled || got.at("data.disabledReason") != reason ||
				got.text("data.updatedAt") != store.WireTime(a.clock.Now()) {
				t.Errorf("after %v: %s", change, got.body)
			}
		}

		expect(object{"description": "one"}, hookURL, "one", "[candidate.invited]", true, nil)
		expect(object{"url": "https://other.example/"}, "https://other.example/", "one", "[candidate.invited]", true, nil)
		expect(object{"events": []any{"assessment.published", "candidate.completed"}}, "https://other.example/", "one",
			"[assessment.published candidate.completed]", true, nil)
		expect(object{"enabled": false}, "https://other.example/", "one", "[assessment.published candidate.completed]",
			false, "MANUAL")
		expect(object{"enabled": false, "description": nil}, "https://other.example/", "",
			"[assessment.published candidate.completed]", false, "MANUAL")
		expect(object{"enabled": true, "url": hookURL}, hookURL, "", "[assessment.published candidate.completed]", true, nil)
	})
}

// Every operation on a deleted endpoint returns 404. Its pending deliveries are cancelled,
// and those of other endpoints are not.
func TestWebhookDeletion(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id, other := o.hookID(), o.hookID()
		o.publish(twoStages())
		delivery := a.do("GET", "/v1/webhooks/"+id+"/deliveries", o.owner, nil).want(200).text("data.0.id")
		if r := a.do("DELETE", "/v1/webhooks/"+id, o.owner, nil).want(204); len(r.body) != 0 {
			t.Errorf("the 204 response has a body: %s", r.body)
		}
		for _, r := range a.everyUse(o.owner, id, delivery) {
			if r.status != 404 {
				t.Errorf("%s of a deleted endpoint: %d, want 404: %s", r.name, r.status, r.body)
			}
		}

		left := a.do("GET", "/v1/webhooks", o.owner, nil).want(200)
		if len(left.list("data")) != 1 || left.text("data.0.id") != other {
			t.Errorf("the remaining endpoints are %s, want only %s", left.body, other)
		}
		events := a.do("GET", "/v1/events", o.owner, nil).want(200)
		statuses := map[string]string{}
		for i := range events.list("data.0.deliveries") {
			at := fmt.Sprintf("data.0.deliveries.%d.", i)
			statuses[events.text(at+"webhookId")] = events.text(at + "status")
		}
		if statuses[id] != "CANCELLED" || statuses[other] != "PENDING" {
			t.Errorf("delivery statuses %v, want CANCELLED for %s and PENDING for %s", statuses, id, other)
		}
	})
}

// everyUse calls every operation on the endpoint and the delivery.
func (a *api) everyUse(who credential, id, delivery string) []response {
	a.t.Helper()
	path := "/v1/webhooks/" + id
	now := a.clock.Now().UTC()
	return append(a.everyChange(who, path, path+"/deliveries/"+delivery, now),
		a.do("GET", path, who, nil), a.do("GET", path+"/deliveries", who, nil),
		a.do("GET", path+"/deliveries/"+delivery, who, nil))
}

// everyChange calls every operation that changes the endpoint or the delivery.
func (a *api) everyChange(who credential, path, deliveryPath string, now time.Time) []response {
	a.t.Helper()
	return []response{
		a.do("PATCH", path, who, object{"enabled": true}),
		a.do("POST", path+"/rotate-secret", who, object{}), a.do("POST", path+"/test", who, nil),
		a.do("POST", path+"/replay", who, object{"since": store.WireTime(now.Add(-time.Hour)),
			"until": store.WireTime(now)}),
		a.do("POST", deliveryPath+"/redeliver", who, nil),
		a.do("DELETE", path, who, nil),
	}
}

// A new secret takes effect at activatesAt. Until then, secretHint shows the old one.
func TestWebhookSecretRotation(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		created := o.hook()
		path, old := "/v1/webhooks/"+created.text("data.id"), created.text("data.secretHint")
		hint := func() string { return a.do("GET", path, o.owner, nil).want(200).text("data.secretHint") }
		rotated := a.do("POST", path+"/rotate-secret", o.owner,
			object{"secret": "the-next-secret-NEXT", "activateAfterSeconds": 604800}).want(200)
		activatesAt := store.WireTime(a.clock.Now().Add(7 * 24 * time.Hour))
		if rotated.text("data.secretHint") != "NEXT" || rotated.text("data.activatesAt") != activatesAt {
			t.Errorf("the hint or the activation time is wrong: %s", rotated.body)
		}
		if hint() != old {
			t.Error("secretHint shows the new secret before its activation")
		}

		a.clock.Advance(7 * 24 * time.Hour)
		o.signIn() // the access token has expired
		if hint() != "NEXT" {
			t.Error("secretHint shows the old secret after the activation of the new one")
		}

		at := a.do("POST", path+"/rotate-secret", o.owner, object{}).want(200)
		if at.text("data.activatesAt") != store.WireTime(a.clock.Now()) || hint() != at.text("data.secretHint") {
			t.Errorf("rotation without a delay: %s", at.body)
		}
	})
}

// A test event is sent to the endpoint, even a disabled one, and its attempt is returned.
func TestWebhookTestEvent(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.hookID()
		for _, enabled := range []bool{true, false} {
			a.do("PATCH", "/v1/webhooks/"+id, o.owner, object{"enabled": enabled}).want(200)
			got := a.do("POST", "/v1/webhooks/"+id+"/test", o.owner, nil).want(200)
			want := fmt.Sprintf(`{"data":{"durationMs":143,"failureReason":null,"number":1,"responseBody":"to %s %s %s",`+
				`"startedAt":"2026-11-20T10:00:00.000Z","statusCode":null}}`, o.organizationID, id, hookURL)
			if sorted(t, got.body) != want {
				t.Errorf("%s\nwant %s", sorted(t, got.body), want)
			}
		}
	})
}

// A MEMBER may read endpoints, deliveries and events, and may change none of them.
func TestWebhookRoles(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.hookID()
		o.publish(twoStages())
		path := "/v1/webhooks/" + id
		delivery := a.do("GET", path+"/deliveries", o.owner, nil).want(200).text("data.0.id")
		member := o.member("MEMBER").who
		for _, r := range append(a.everyChange(member, path, path+"/deliveries/"+delivery, a.clock.Now()),
			a.do("POST", "/v1/webhooks", member, object{"url": hookURL, "events": []any{"candidate.invited"}})) {
			if r.status != 403 {
				t.Errorf("%s as a MEMBER: %d %s, want 403", r.name, r.status, r.body)
			}
		}

		event := a.do("GET", "/v1/events", member, nil).want(200).text("data.0.id")
		for _, readable := range []string{
			"/v1/webhooks", path, path + "/deliveries", path + "/deliveries/" + delivery, "/v1/events/" + event,
			"/v1/event-types",
		} {
			a.do("GET", readable, member, nil).want(200)
		}
	})
}
