package server

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// audit returns the newest entries of the organization's audit log.
func (o *tenant) audit(limit int) response {
	o.api.t.Helper()
	return o.api.do("GET", fmt.Sprintf("/v1/audit-log?limit=%d", limit), o.owner, nil).want(200)
}

// audited returns the number of entries in the organization's audit log.
func (o *tenant) audited() int {
	o.api.t.Helper()
	ids, _ := o.api.pages("/v1/audit-log?limit=100", o.owner, "id")
	return len(ids)
}

// idSource returns the id that the audit log entry must contain. It gets the
// response to the audited call.
type idSource func(response) string

// fixed is for an id that is known before the call.
func fixed(id string) idSource { return func(response) string { return id } }

// from reads the id at a path of the response.
func from(path string) idSource { return func(r response) string { r.t.Helper(); return r.text(path) } }

// auditedCall is a call that succeeds once, and the audit log entry that it must
// write.
type auditedCall struct {
	action       string
	status       int
	request      func() response
	actorType    string
	actor        idSource // nil for an anonymous caller
	resourceType string
	resource     idSource
}

// auditedCalls returns a call for each action of the audit log.
func (o *tenant) auditedCalls() []auditedCall {
	a := o.api
	a.t.Helper()
	do := func(method, path string, who credential, body any) func() response {
		return func() response { a.t.Helper(); return a.do(method, path, who, body) }
	}

	owner := fixed(a.userID(o.owner))
	admin, leaving := o.member("ADMIN"), o.member("MEMBER")
	invited, joining := o.add("MEMBER"), o.add("MEMBER")
	ended := a.login(admin.email)
	stolen := a.login(admin.email)
	a.refresh(stolen.refresh).want(200)
	a.clock.Advance(time.Second)
	login := func(password string) func() response {
		return do("POST", "/v1/auth/login", anonymous, object{"email": strings.ToUpper(admin.email), "password": password})
	}

	key := a.do("POST", "/v1/api-keys", o.owner, object{"name": "used", "scopes": allScopes}).want(201)
	revoked := a.do("POST", "/v1/api-keys", o.owner, object{"name": "revoked", "scopes": allScopes}).
		want(201).text("data.id")
	hook := o.hookID()
	draft := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201).text("data.id")
	unwanted := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
	archived, published := o.publish(oneQuestion()), o.publish(oneQuestion())
	byPerson, byKey := o.invite(published).text("data.id"), o.invite(published).text("data.id")
	erased := o.invite(published).text("data.id")
	running := o.invite(o.publish(oneQuestion(object{"timeLimitMinutes": 60})))
	o.api.do("POST", "/v1/candidate/session/start", running.candidate(), nil).want(200)
	finished := o.invite(published)
	a.complete(finished.candidate())
	a.clock.Advance(31 * time.Second) // after 30 seconds, using a refresh token again counts as reuse
	now := a.store.Now()

	return []auditedCall{
		{"ORGANIZATION_REGISTERED", 201, do("POST", "/v1/auth/register", anonymous, object{
			"organizationName": "O", "name": "N", "email": fmt.Sprintf("deed%d@example.com", registered.Add(1)),
			"password": testPassword,
		}), "USER", from("data.user.id"), "ORGANIZATION", from("data.organization.id")},
		{"SIGNED_IN", 200, login(testPassword), "USER", fixed(admin.id), "USER", fixed(admin.id)},
		{"SIGN_IN_FAILED", 401, login(otherPassword), "ANONYMOUS", nil, "USER", fixed(admin.id)},
		{"SIGNED_OUT", 204, do("POST", "/v1/auth/logout", anonymous, object{"refreshToken": ended.refresh}), "USER",
			fixed(admin.id), "USER", fixed(admin.id)},
		{"REFRESH_TOKEN_REUSED", 401, do("POST", "/v1/auth/refresh", anonymous, object{"refreshToken": stolen.refresh}),
			"ANONYMOUS", nil, "USER", fixed(admin.id)},
		{"SIGN_INS_ENDED", 204, do("DELETE", "/v1/me/sign-ins", admin.who, nil), "USER", fixed(admin.id), "USER",
			fixed(admin.id)},
		{"PASSWORD_CHANGED", 204, do("POST", "/v1/me/password", admin.who,
			object{"currentPassword": testPassword, "newPassword": otherPassword}), "USER", fixed(admin.id), "USER",
			fixed(admin.id)},
		{"ORGANIZATION_UPDATED", 200, do("PATCH", "/v1/organization", admin.who, object{"name": "Engines"}), "USER",
			fixed(admin.id), "ORGANIZATION", fixed(o.organizationID)},
		{"MEMBER_ADDED", 201, do("POST", "/v1/members", admin.who, object{
			"name": "N", "email": fmt.Sprintf("deed%d@example.com", registered.Add(1)), "role": "MEMBER",
		}), "USER", fixed(admin.id), "USER", from("data.id")},
		{"MEMBER_INVITATION_RENEWED", 200, do("POST", "/v1/members/"+invited.text("data.id")+"/resend", o.owner, nil),
			"USER", owner, "USER", fixed(invited.text("data.id"))},
		{"MEMBER_JOINED", 200, do("POST", "/v1/auth/accept-invitation", anonymous,
			object{"token": joining.invitation(), "password": testPassword}), "USER", from("data.user.id"), "USER",
			fixed(joining.text("data.id"))},
		{"MEMBER_ROLE_CHANGED", 200, do("PATCH", "/v1/members/"+leaving.id, o.owner, object{"role": "ADMIN"}), "USER",
			owner, "USER", fixed(leaving.id)},
		{"MEMBER_REMOVED", 204, do("DELETE", "/v1/members/"+leaving.id, admin.who, nil), "USER", fixed(admin.id), "USER",
			fixed(leaving.id)},
		{"API_KEY_CREATED", 201, do("POST", "/v1/api-keys", admin.who, object{"name": "N", "scopes": allScopes}), "USER",
			fixed(admin.id), "API_KEY", from("data.id")},
		{"API_KEY_REVOKED", 204, do("DELETE", "/v1/api-keys/"+revoked, o.owner, nil), "USER", owner, "API_KEY",
			fixed(revoked)},
		{"WEBHOOK_CREATED", 201, do("POST", "/v1/webhooks", o.owner,
			object{"url": hookURL, "events": []string{"candidate.invited"}}), "USER", owner, "WEBHOOK", from("data.id")},
		{"WEBHOOK_UPDATED", 200, do("PATCH", "/v1/webhooks/"+hook, admin.who, object{"description": "D"}), "USER",
			fixed(admin.id), "WEBHOOK", fixed(hook)},
		{"WEBHOOK_SECRET_ROTATED", 200, do("POST", "/v1/webhooks/"+hook+"/rotate-secret", o.owner, object{}), "USER", owner,
			"WEBHOOK", fixed(hook)},
		{"WEBHOOK_REPLAYED", 200, do("POST", "/v1/webhooks/"+hook+"/replay", o.owner,
			object{"since": wire(now.Add(-time.Hour)), "until": wire(now)}), "USER", owner, "WEBHOOK", fixed(hook)},
		{"WEBHOOK_DELETED", 204, do("DELETE", "/v1/webhooks/"+hook, o.owner, nil), "USER", owner, "WEBHOOK", fixed(hook)},
		{"ASSESSMENT_CREATED", 201, do("POST", "/v1/assessments", o.owner, oneQuestion()), "USER", owner, "ASSESSMENT",
			from("data.id")},
		{"ASSESSMENT_CREATED", 201, do("POST", "/v1/assessments/"+published+"/duplicate", o.owner, nil), "USER", owner,
			"ASSESSMENT", from("data.id")},
		{"ASSESSMENT_UPDATED", 200, do("PATCH", "/v1/assessments/"+draft, admin.who, object{"title": "T"}), "USER",
			fixed(admin.id), "ASSESSMENT", fixed(draft)},
		{"ASSESSMENT_PUBLISHED", 200, do("POST", "/v1/assessments/"+draft+"/publish", o.owner, nil), "USER", owner,
			"ASSESSMENT", fixed(draft)},
		{"ASSESSMENT_ARCHIVED", 200, do("POST", "/v1/assessments/"+archived+"/archive", admin.who, nil), "USER",
			fixed(admin.id), "ASSESSMENT", fixed(archived)},
		{"ASSESSMENT_DELETED", 204, do("DELETE", "/v1/assessments/"+unwanted, o.owner, nil), "USER", owner, "ASSESSMENT",
			fixed(unwanted)},
		{"SESSION_INVITED", 201, do("POST", "/v1/public/candidate-sessions", apiKeyOf(key.text("data.key")), object{
			"assessmentId": published, "candidateName": "Grace Hopper", "candidateEmail": "audited@example.com",
		}), "API_KEY", fixed(key.text("data.id")), "CANDIDATE_SESSION", from("data.id")},
		{"SESSION_RESENT", 200, do("POST", "/v1/candidate-sessions/"+byPerson+"/resend", admin.who, nil), "USER",
			fixed(admin.id), "CANDIDATE_SESSION", fixed(byPerson)},
		{"SESSION_UPDATED", 200, do("PATCH", "/v1/candidate-sessions/"+byPerson, admin.who, object{"note": "N"}), "USER",
			fixed(admin.id), "CANDIDATE_SESSION", fixed(byPerson)},
		{"SESSION_EXTENDED", 200, do("POST", "/v1/candidate-sessions/"+running.text("data.id")+"/extend", o.owner,
			object{"minutes": 5, "reason": "R"}), "USER", owner, "CANDIDATE_SESSION", fixed(running.text("data.id"))},
		{"SESSIONS_EXPORTED", 200, do("GET", "/v1/candidate-sessions/export", admin.who, nil), "USER", fixed(admin.id),
			"ORGANIZATION", fixed(o.organizationID)},
		{"RESULT_READ", 200, do("GET", "/v1/candidate-sessions/"+finished.text("data.id")+"/result", o.owner, nil), "USER",
			owner, "CANDIDATE_SESSION", fixed(finished.text("data.id"))},
		{"AUDIT_LOG_EXPORTED", 200, do("GET", "/v1/audit-log/export", admin.who, nil), "USER", fixed(admin.id),
			"ORGANIZATION", fixed(o.organizationID)},
		{"SESSION_CANCELLED", 200, do("POST", "/v1/candidate-sessions/"+byPerson+"/cancel", o.owner, nil), "USER", owner,
			"CANDIDATE_SESSION", fixed(byPerson)},
		{"SESSION_CANCELLED", 200, do("POST", "/v1/public/candidate-sessions/"+byKey+"/cancel",
			apiKeyOf(key.text("data.key")), nil), "API_KEY", fixed(key.text("data.id")), "CANDIDATE_SESSION", fixed(byKey)},
		{"CANDIDATE_DATA_ERASED", 204, do("DELETE", "/v1/candidate-sessions/"+erased+"/candidate-data", admin.who, nil),
			"USER", fixed(admin.id), "CANDIDATE_SESSION", fixed(erased)},
	}
}

// Each action writes one entry in its own transaction. If the database rejects the
// entry, the action fails and changes nothing, so the caller can repeat it.
func TestEveryAuditAction(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		seen := map[string]bool{}
		for _, call := range o.auditedCalls() {
			seen[call.action] = true
			a.clock.Advance(time.Second)
			last := o.audit(1).text("data.0.id")
			accept := storetest.Refuse(t, a.database, "audit_log")
			call.request().is(500, "internal")
			accept()
			if got := o.audit(1).text("data.0.id"); got != last {
				t.Errorf("%s: failed, but wrote the entry %s", call.action, got)
			}
			answer := call.request()
			if answer.status != call.status {
				t.Errorf("%s: %d, want %d\n%s", call.action, answer.status, call.status, answer.body)
				continue
			}
			reader, entries := o.owner, 2
			if call.action == "ORGANIZATION_REGISTERED" { // the first entry of a new organization
				reader, entries = bearer(answer.text("data.accessToken")), 1
			}
			log := a.do("GET", "/v1/audit-log?limit=2", reader, nil).want(200)
			want := object{
				"id": log.at("data.0.id"), "action": call.action, "actor": object{"type": call.actorType, "id": nil, "name": nil},
				"resource": object{"type": call.resourceType, "id": call.resource(answer)}, "ip": "127.0.0.1",
				"requestId": answer.header.Get("X-Request-Id"), "createdAt": wire(a.store.Now()),
			}
			if call.actor != nil {
				want["actor"] = object{"type": call.actorType, "id": call.actor(answer), "name": log.text("data.0.actor.name")}
			}
			log.wantFields(object{"data.0": want})
			if got := len(log.list("data")); got != entries || (entries == 2 && log.text("data.1.id") != last) {
				t.Errorf("%s: want exactly one new entry\n%s", call.action, log.body)
			}
		}

		known := enumOf(t, "AuditAction")
		if !slices.Equal(slices.Sorted(slices.Values(known)), slices.Sorted(maps.Keys(seen))) {
			t.Errorf("openapi.yaml has the actions %v, the test covers %v", known, seen)
		}
	})
}

// A rejected request changes nothing, so it writes no entry.
func TestRejectedRequestsAreNotAudited(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		self := a.userID(o.owner)
		m, invited := o.member("MEMBER"), o.add("MEMBER")
		empty := a.do("POST", "/v1/assessments", o.owner, object{"title": "Empty", "stages": []any{}}).
			want(201).text("data.id")
		published, archived := o.publish(oneQuestion()), o.publish(oneQuestion())
		a.do("POST", "/v1/assessments/"+archived+"/archive", o.owner, nil).want(200)
		closed := o.invite(published)
		a.complete(closed.candidate())
		theirs := stranger.invite(stranger.publish(oneQuestion())).text("data.id")
		hook, reading := o.hookID(), o.key("candidates:read")
		now := a.store.Now()
		before, theirsBefore := o.audited(), stranger.audited()
		for _, refused := range []struct {
			method, path string
			who          credential
			body         any
			status       int
			code         string
		}{
			{"POST", "/v1/assessments/" + empty + "/publish", o.owner, nil, 422, "assessment_incomplete"},
			{"POST", "/v1/assessments/" + archived + "/publish", o.owner, nil, 409, "assessment_not_draft"},
			{"POST", "/v1/assessments/" + empty + "/archive", o.owner, nil, 409, "assessment_not_published"},
			{"DELETE", "/v1/assessments/" + published, o.owner, nil, 409, "assessment_not_draft"},
			{"PATCH", "/v1/members/" + self, o.owner, object{"role": "ADMIN"}, 409, "last_owner"},
			{"DELETE", "/v1/members/" + self, o.owner, nil, 409, "last_owner"},
			{"DELETE", "/v1/members/" + invited.text("data.id"), m.who, nil, 403, "insufficient_role"},
			{"POST", "/v1/members/" + m.id + "/resend", o.owner, nil, 409, "invitation_accepted"},
			{"POST", "/v1/members", o.owner, object{"name": "N", "email": o.email, "role": "MEMBER"}, 409,
				"already_member"},
			{"POST", "/v1/auth/accept-invitation", anonymous, object{"token": invited.invitation(), "password": "too short"},
				400,
				"invalid_request"},
			{"POST", "/v1/auth/accept-invitation", anonymous,
				object{"token": tampered(invited.invitation()), "password": testPassword}, 401, "unauthenticated"},
			{"POST", "/v1/auth/register", anonymous, object{"organizationName": "O", "name": "N", "email": o.email,
				"password": testPassword}, 409, "email_taken"},
			{"POST", "/v1/auth/login", anonymous, object{"email": "", "password": testPassword}, 400, "invalid_request"},
			{"POST", "/v1/auth/refresh", anonymous, object{"refreshToken": tampered(o.refresh)}, 401, "unauthenticated"},
			{"POST", "/v1/auth/logout", anonymous, object{"refreshToken": tampered(o.refresh)}, 401, "unauthenticated"},
			{"POST", "/v1/me/password", o.owner, object{"currentPassword": otherPassword, "newPassword": testPassword}, 401,
				"invalid_credentials"},
			{"POST", "/v1/me/password", o.owner, object{"currentPassword": testPassword, "newPassword": "012345678901"}, 400,
				"invalid_request"},
			{"PATCH", "/v1/organization", o.owner, object{"inviteExpiryDays": 0}, 400, "invalid_request"},
			{"POST", "/v1/api-keys", o.owner, object{"name": "N", "scopes": allScopes, "expiresAt": wire(now)}, 400,
				"invalid_request"},
			{"DELETE", "/v1/api-keys/" + a.unknownID("api-keys"), o.owner, nil, 404, "not_found"},
			{"POST", "/v1/webhooks", o.owner, object{"url": "http://127.0.0.1/", "events": []string{"candidate.invited"}}, 400,
				"invalid_request"},
			{"PATCH", "/v1/webhooks/" + hook, o.owner, object{"url": "https://localhost/"}, 400, "invalid_request"},
			{"POST", "/v1/webhooks/" + hook + "/replay", o.owner, object{"since": wire(now), "until": wire(now)}, 400,
				"invalid_request"},
			{"DELETE", "/v1/webhooks/" + a.unknownID("webhooks"), o.owner, nil, 404, "not_found"},
			{"POST", "/v1/candidate-sessions/" + closed.text("data.id") + "/cancel", o.owner, nil, 409, "session_closed"},
			{"POST", "/v1/public/candidate-sessions/" + closed.text("data.id") + "/cancel", reading, nil, 403,
				"insufficient_scope"},
			{"POST", "/v1/candidate-sessions/" + theirs + "/cancel", o.owner, nil, 404, "not_found"},
			{"DELETE", "/v1/candidate-sessions/" + theirs + "/candidate-data", o.owner, nil, 404, "not_found"},
			{"DELETE", "/v1/candidate-sessions/" + closed.text("data.id") + "/candidate-data", m.who, nil, 403,
				"insufficient_role"},
		} {
			a.do(refused.method, refused.path, refused.who, refused.body).is(refused.status, refused.code)
			if entries := o.audited(); entries != before {
				t.Errorf("%s %s: the rejected request wrote %s", refused.method, refused.path, o.audit(entries-before).body)
				before = entries
			}
		}
		if entries := stranger.audited(); entries != theirsBefore {
			t.Errorf("new entries in the other organization: %s", stranger.audit(entries-theirsBefore).body)
		}
	})
}

// Repeating a request that already succeeded writes no second entry, whether the
// repetitions are concurrent or later.
func TestRepeatedRequestsAreAuditedOnce(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		m := o.member("MEMBER")
		key := a.do("POST", "/v1/api-keys", o.owner, object{"name": "N", "scopes": allScopes}).want(201).text("data.id")
		draft := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		archived, published := o.publish(oneQuestion()), o.publish(oneQuestion())
		cancelled, erased := o.invite(published).text("data.id"), o.invite(published).text("data.id")
		in, stolen := a.login(o.email), a.login(o.email)
		a.refresh(stolen.refresh).want(200)
		a.clock.Advance(31 * time.Second)
		for _, repeated := range []struct {
			method, path string
			who          credential
			body         any
			action       string
		}{
			{"DELETE", "/v1/api-keys/" + key, o.owner, nil, "API_KEY_REVOKED"},
			{"POST", "/v1/assessments/" + draft + "/publish", o.owner, nil, "ASSESSMENT_PUBLISHED"},
			{"POST", "/v1/assessments/" + archived + "/archive", o.owner, nil, "ASSESSMENT_ARCHIVED"},
			{"POST", "/v1/candidate-sessions/" + cancelled + "/cancel", o.owner, nil, "SESSION_CANCELLED"},
			{"DELETE", "/v1/candidate-sessions/" + erased + "/candidate-data", o.owner, nil, "CANDIDATE_DATA_ERASED"},
			{"POST", "/v1/auth/logout", anonymous, object{"refreshToken": in.refresh}, "SIGNED_OUT"},
			{"POST", "/v1/auth/refresh", anonymous, object{"refreshToken": stolen.refresh}, "REFRESH_TOKEN_REUSED"},
			{"PATCH", "/v1/members/" + m.id, o.owner, object{"role": "ADMIN"}, "MEMBER_ROLE_CHANGED"},
			{"DELETE", "/v1/members/" + m.id, o.owner, nil, "MEMBER_REMOVED"},
		} {
			before := o.audited()
			a.clock.Advance(time.Second) // ids from two replicas are ordered only by the millisecond
			atOnce(6, func(i int) response {
				return []*api{a, b}[i%2].do(repeated.method, repeated.path, repeated.who, repeated.body)
			})
			for _, replica := range []*api{a, b} {
				replica.do(repeated.method, repeated.path, repeated.who, repeated.body)
			}
			if got := o.audited() - before; got != 1 || o.audit(1).text("data.0.action") != repeated.action {
				t.Errorf("%s %s: %d new entries, want one\n%s", repeated.method, repeated.path, got, o.audit(max(1, got)).body)
			}
		}
		before := o.audited()
		for range 2 { // the second request is not executed
			r, err := http.NewRequestWithContext(t.Context(), "POST", a.url+"/v1/api-keys", nil)
			if err != nil {
				t.Fatal(err)
			}
			setBody(r, `{"name":"N","scopes":["results:read"]}`)
			r.Header.Set("Authorization", o.owner.value)
			r.Header.Set("Idempotency-Key", "audited once")
			if answer := a.send(r); answer.status != 201 {
				answer.want(409, "secret_already_shown")
			}
		}
		if got := o.audited() - before; got != 1 {
			t.Errorf("a request with an Idempotency-Key that was sent twice wrote %d entries", got)
		}
	})
}
