package contract

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
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

// Each action writes one entry in its own transaction. If the database rejects the
// entry, the action fails and changes nothing, so the caller can repeat it.
func TestEveryAuditAction(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		seen := map[string]bool{
			"SECOND_FACTOR_RESET": true, // by the operator: see TestResetSecondFactors
			// These need a provider or DNS: see TestProviderSignIn, TestProviderTokens, TestProviderRequired, TestSignInDomains.
			"PROVIDER_SIGNED_IN": true, "PROVIDER_SIGN_IN_FAILED": true, "SIGN_IN_RECOVERY_CODE_USED": true,
			"SIGN_IN_DOMAIN_VERIFIED": true,
		}
		for _, call := range o.auditedCalls() {
			seen[call.action] = true
			a.clock.Advance(time.Second)
			last := o.audit(1).text("data.0.id")
			if !call.isDeferred() {
				accept := storetest.Refuse(t, a.database, "audit_log")
				call.request().is(500, "internal")
				accept()
				if got := o.audit(1).text("data.0.id"); got != last {
					t.Errorf("%s: failed, but wrote the entry %s", call.action, got)
				}
			}
			answer := call.request()
			if answer.status != call.status {
				t.Errorf("%s: %d, want %d\n%s", call.action, answer.status, call.status, answer.body)
				continue
			}
			reader, entries := o.owner, 2
			if call.action == "SESSIONS_INVITED" { // after an entry for each session
				entries = 3
			}
			if call.action == "ORGANIZATION_REGISTERED" { // the first entry of a new organization
				reader, entries = bearer(answer.text("data.accessToken")), 1
			}
			log := a.do("GET", fmt.Sprintf("/v1/audit-log?limit=%d", entries), reader, nil).want(200)
			want := object{
				"id": log.at("data.0.id"), "action": call.action, "actor": object{"type": call.actorType, "id": nil, "name": nil},
				"resource": object{"type": call.resourceType, "id": call.resource(answer)}, "changes": []any{},
				"ip":        "127.0.0.1",
				"requestId": answer.header.Get("X-Request-Id"), "createdAt": wire(a.store.Now()),
			}
			if call.changes != nil {
				want["changes"] = call.changes(answer)
			}
			if call.actor != nil {
				want["actor"] = object{"type": call.actorType, "id": call.actor(answer), "name": log.text("data.0.actor.name")}
			}
			log.wantFields(object{"data.0": want})
			oldest := log.text(fmt.Sprintf("data.%d.id", entries-1))
			if got := len(log.list("data")); got != entries || (entries > 1 && oldest != last) {
				t.Errorf("%s: want exactly one new entry\n%s", call.action, log.body)
			}
		}

		known := enumOf(t, "AuditAction")
		if !slices.Equal(slices.Sorted(slices.Values(known)), slices.Sorted(maps.Keys(seen))) {
			t.Errorf("openapi.yaml has the actions %v, the test covers %v", known, seen)
		}
	}, sendsEmail)
}

// A rejected request changes nothing, so it writes no entry, unless the refusal is an
// action of its own.
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
		a.do("GET", "/v1/public/candidate-sessions", reading, nil).want(200) // its first use
		refusals := map[string]string{
			"insufficient_role": "ACCESS_REFUSED", "insufficient_scope": "ACCESS_REFUSED",
			"invalid_credentials": "PASSWORD_CHANGE_FAILED",
		}
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
			entries := o.audited()
			if action := refusals[refused.code]; action != "" {
				before++
				o.audit(1).wantFields(object{"data.0.action": action})
			}
			if entries != before {
				t.Errorf("%s %s: the rejected request wrote %s", refused.method, refused.path, o.audit(10).body)
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
		// Each replica records once that the token of the reuse was used again.
		actions := func() []string {
			all, _ := a.pages("/v1/audit-log?limit=100", o.owner, "action")
			return slices.DeleteFunc(all, func(action string) bool { return action == "ENDED_TOKEN_USED" })
		}
		entries, newest := func() int { return len(actions()) }, func() string { return actions()[0] }
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
			before := entries()
			a.clock.Advance(time.Second) // ids from two replicas are ordered only by the millisecond
			atOnce(6, func(i int) response {
				return []*api{a, b}[i%2].do(repeated.method, repeated.path, repeated.who, repeated.body)
			})
			for _, replica := range []*api{a, b} {
				replica.do(repeated.method, repeated.path, repeated.who, repeated.body)
			}
			if got := entries() - before; got != 1 || newest() != repeated.action {
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
