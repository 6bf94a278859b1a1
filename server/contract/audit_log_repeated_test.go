package contract

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// auditedAs returns the number of entries with the action.
func (o *tenant) auditedAs(action string) int {
	o.api.t.Helper()
	ids, _ := o.api.pages("/v1/audit-log?limit=100&action="+url.QueryEscape(action), o.owner, "id")
	return len(ids)
}

// A flood of requests that are refused adds one entry an hour for each caller, action,
// and operation.
func TestRefusalsAreOneEntryAnHour(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		m := o.member("MEMBER")
		reading := o.key("assessments:read")
		create := func(body object) response { return a.do("POST", "/v1/api-keys", o.owner, body).want(201) }
		revoked := create(object{"name": "revoked", "scopes": allScopes})
		expiring := create(object{"name": "expiring", "scopes": allScopes, "expiresAt": wire(a.clock.Now().Add(time.Minute))})
		a.do("DELETE", "/v1/api-keys/"+revoked.text("data.id"), o.owner, nil).want(204)
		leaving, removed := o.member("ADMIN"), o.member("ADMIN")
		a.do("POST", "/v1/auth/logout", anonymous, object{"refreshToken": leaving.refresh}).want(204)
		a.do("DELETE", "/v1/members/"+removed.id, o.owner, nil).want(204)
		a.clock.Advance(2 * time.Minute)

		flood := func() {
			atOnce(20, func(int) bool {
				a.do("POST", "/v1/api-keys", m.who, object{"name": "N", "scopes": allScopes}).want(403, "insufficient_role")
				a.do("DELETE", "/v1/webhooks/"+a.unknownID("webhooks"), m.who, nil).want(403, "insufficient_role")
				a.do("GET", "/v1/public/results/"+a.unknownID("results"), reading, nil).want(403, "insufficient_scope")
				a.do("GET", "/v1/public/assessments", apiKeyOf(revoked.text("data.key")), nil).want(401, "unauthenticated")
				a.do("GET", "/v1/public/assessments", apiKeyOf(expiring.text("data.key")), nil).want(401, "unauthenticated")
				a.do("POST", "/v1/auth/refresh", anonymous, object{"refreshToken": leaving.refresh}).want(401, "unauthenticated")
				a.do("GET", "/v1/me", leaving.who, nil).want(401, "unauthenticated")
				a.do("GET", "/v1/me", removed.who, nil).want(401, "unauthenticated")
				a.do("POST", "/v1/me/password", m.who, object{"currentPassword": otherPassword, "newPassword": testPassword}).
					want(401, "invalid_credentials")
				return true
			})
		}
		for hour := range 2 {
			before := storetest.Count(t, a.database, "audit_log")
			flood()
			flood()
			want := map[string]int{
				"ACCESS_REFUSED": 3, "API_KEY_REFUSED": 2, "ENDED_TOKEN_USED": 2, "PASSWORD_CHANGE_FAILED": 1,
				"API_KEY_FIRST_USED": 1,
			}
			entries := 0
			for action, count := range want {
				if action != "API_KEY_FIRST_USED" {
					count *= hour + 1
				}
				if got := o.auditedAs(action); got != count {
					t.Errorf("hour %d: %d entries %s, want %d", hour, got, action, count)
				}
			}
			for action, count := range want {
				if hour == 0 || action != "API_KEY_FIRST_USED" {
					entries += count
				}
			}
			if got := storetest.Count(t, a.database, "audit_log") - before; got != entries {
				t.Errorf("hour %d: %d requests wrote %d rows, want %d", hour, 2*20*9, got, entries)
			}
			a.clock.Advance(time.Hour)
			o.owner = bearer(a.login(o.email).access)
			m.who = bearer(a.login(m.email).access)
			// Access tokens end after 15 minutes: these are new ones of logins that end.
			again, gone := a.login(leaving.email), o.member("ADMIN")
			a.do("POST", "/v1/auth/logout", anonymous, object{"refreshToken": again.refresh}).want(204)
			leaving.refresh, leaving.who = again.refresh, bearer(again.access)
			a.do("DELETE", "/v1/members/"+gone.id, o.owner, nil).want(204)
			removed = gone
		}
	})
}

// A token that Assay did not issue, and a request without a credential, add no entry.
func TestUnknownCredentialsAreNotAudited(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		before := storetest.Count(t, a.database, "audit_log")
		unknown := apiKeyOf("pk_live_" + strings.Repeat("0", 64))
		for _, who := range []credential{anonymous, bearer(tampered(o.access)), unknown} {
			a.do("GET", "/v1/me", who, nil).want(401, "unauthenticated")
			a.do("GET", "/v1/public/assessments", who, nil).want(401, "unauthenticated")
		}
		o.audit(1)
		if got := storetest.Count(t, a.database, "audit_log"); got != before {
			t.Errorf("unknown credentials added %d rows", got-before)
		}
	})
}

// The first use of a key is one entry, however many requests use it at once.
func TestFirstUseOfAKeyIsOneEntry(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		made := a.do("POST", "/v1/api-keys", o.owner, object{"name": "N", "scopes": allScopes}).want(201)
		a.clock.Advance(time.Second) // the ids that two replicas make in one millisecond have no order
		for range 3 {
			atOnce(10, func(i int) response {
				return []*api{a, b}[i%2].do("GET", "/v1/public/assessments", apiKeyOf(made.text("data.key")), nil).want(200)
			})
			a.clock.Advance(2 * time.Minute)
		}
		if got := o.auditedAs("API_KEY_FIRST_USED"); got != 1 {
			t.Errorf("%d entries, want 1", got)
		}
		o.audit(1).wantFields(object{"data.0.actor.id": made.at("data.id"), "data.0.resource.id": made.at("data.id")})
		used := a.do("GET", "/v1/api-keys/"+made.text("data.id"), o.owner, nil).want(200).moment("data.lastUsedAt")
		if want := a.store.Now().Add(-2 * time.Minute); !used.Equal(want) {
			t.Errorf("lastUsedAt %s, want %s", used, want)
		}
	})
}

// One person's edits of one assessment within ten minutes are one entry, which has the
// first value and the last one of each field.
func TestEditsOfAnAssessmentAreOneEntry(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		admin := o.member("ADMIN")
		id := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		other := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		edit := func(on *api, who credential, id string, body object) {
			t.Helper()
			on.do("PATCH", "/v1/assessments/"+id, who, body).want(200)
		}
		edits := func() []any {
			t.Helper()
			return a.do("GET", "/v1/audit-log?action=ASSESSMENT_UPDATED", o.owner, nil).want(200).list("data")
		}
		began := a.store.Now()
		edit(a, o.owner, id, object{"passingScore": 50, "title": "First"})
		first := o.audit(1).at("data.0")
		atOnce(6, func(i int) bool {
			edit([]*api{a, b}[i%2], o.owner, id, object{"timeLimitMinutes": 30 + i})
			return true
		})
		a.clock.Advance(9 * time.Minute)
		edit(b, o.owner, id, object{"timeLimitMinutes": 45, "passingScore": 60})
		edit(a, o.owner, id, object{"shuffleOptions": true, "title": "Second"})

		if got := edits(); len(got) != 1 {
			t.Fatalf("%d entries, want 1: %v", len(got), got)
		}
		o.audit(1).wantFields(object{
			"data.0.id": first.(object)["id"], "data.0.requestId": first.(object)["requestId"], "data.0.createdAt": wire(began),
			"data.0.changes": changed("title", nil, nil, "passingScore", nil, "60", "timeLimitMinutes", nil, "45",
				"shuffleOptions", "false", "true")(response{}),
		})

		edit(a, admin.who, id, object{"title": "Third"})   // another person
		edit(a, o.owner, other, object{"title": "Fourth"}) // another assessment
		if got := len(edits()); got != 3 {
			t.Errorf("%d entries, want 3", got)
		}
		elsewhere := store.Scope{
			OrganizationID: o.organizationID, UserID: a.userID(o.owner), Role: store.Owner,
			Origin: store.Origin{IP: "203.0.113.7"},
		}
		change := store.AssessmentChange{Title: new("T")}
		if _, err := a.store.UpdateAssessment(t.Context(), elsewhere, id, change); err != nil {
			t.Fatal(err)
		}
		if got := len(edits()); got != 4 {
			t.Errorf("%d entries, want 4: the person's from another address too", got)
		}
		a.clock.Advance(time.Minute + time.Millisecond)
		edit(a, o.owner, id, object{"passingScore": 70})
		if got := len(edits()); got != 5 {
			t.Errorf("%d entries, want 5: after ten minutes, a new one", got)
		}
		o.audit(1).wantFields(object{"data.0.changes": changed("passingScore", "60", "70")(response{})})
	})
}

// A bulk request is one entry for each assessment, in addition to those of its sessions.
func TestBulkIsOneEntry(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		first, second := o.publish(oneQuestion()), o.publish(oneQuestion())
		var rows []any
		for i := range 120 { // several transactions
			rows = append(rows, object{"assessmentId": []string{first, second}[i/70], "candidateName": "Grace Hopper",
				"candidateEmail": fmt.Sprintf("many%d@example.com", i)})
		}
		bulk := func(body object) {
			t.Helper()
			a.do("POST", "/v1/candidate-sessions/bulk", o.owner, body).want(200)
		}
		bulk(object{"rows": rows, "dryRun": true})
		bulk(object{"rows": rows[:110]})
		if got := o.auditedAs("SESSIONS_INVITED"); got != 2 {
			t.Errorf("%d entries, want one for each assessment", got)
		}
		if got := o.auditedAs("SESSION_INVITED"); got != 110 {
			t.Errorf("%d sessions are audited, want 110", got)
		}
		for id, created := range map[string]string{first: "70", second: "40"} {
			a.do("GET", "/v1/audit-log?action=SESSIONS_INVITED&resourceId="+id, o.owner, nil).want(200).
				wantFields(object{"data.0.changes": changed("created", nil, created)(response{})})
		}
		bulk(object{"rows": rows[:110]}) // the sessions exist
		if got := o.auditedAs("SESSIONS_INVITED"); got != 2 {
			t.Errorf("%d entries after a request that creates nothing, want 2", got)
		}
		bulk(object{"rows": rows})
		if got := o.auditedAs("SESSIONS_INVITED"); got != 3 {
			t.Errorf("%d entries after a request that creates ten, want 3", got)
		}
	})
}

// Failed sign-ins at unknown accounts are kept for 30 days, without the address that was
// tried. Entries of organizations stay.
func TestSignInsAtUnknownAccounts(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		var want []string
		began := a.store.Now()
		failed := func(since time.Time) (ids []string) {
			t.Helper()
			rows, err := a.store.UnscopedFailedSignIns(t.Context(), since, 3)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				if row.IP != "127.0.0.1" {
					t.Errorf("address %s", row.IP)
				}
				ids = append(ids, row.RequestID)
			}
			return ids
		}
		purge := func() {
			t.Helper()
			if err := storetest.Purge(t.Context(), a.store, 30*24*time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		for range 4 {
			answer := a.do("POST", "/v1/auth/login", anonymous, object{"email": "zqnobody@example.com", "password": "zqsecret"}).
				want(401, "invalid_credentials")
			want = slices.Insert(want, 0, answer.header.Get("X-Request-Id"))
			a.do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": "zqsecret"}).want(401)
			a.clock.Advance(time.Hour)
		}
		if got := failed(began); !slices.Equal(got, want[:3]) {
			t.Errorf("failed sign-ins %v, want the newest three %v", got, want[:3])
		}
		if got := failed(began.Add(150 * time.Minute)); !slices.Equal(got, want[:1]) {
			t.Errorf("failed sign-ins of the last hours %v, want %v", got, want[:1])
		}
		content := storetest.Contents(t, a.database, "audit_log")
		if strings.Contains(content, "zqnobody") || strings.Contains(content, "zqsecret") {
			t.Error("the audit log contains an address or a password that was tried")
		}

		a.setClock(began.Add(30*24*time.Hour - time.Minute))
		purge()
		if got := failed(began); len(got) != 3 {
			t.Errorf("before 30 days: %v", got)
		}
		a.setClock(began.Add(30*24*time.Hour + 90*time.Minute))
		purge()
		if got := failed(began); !slices.Equal(got, want[:2]) {
			t.Errorf("after 30 days: %v, want %v", got, want[:2])
		}
		o.signIn()
		if got := o.auditedAs("SIGN_IN_FAILED"); got != 4 {
			t.Errorf("%d failed sign-ins of the organization are left, want 4", got)
		}
	})
}
