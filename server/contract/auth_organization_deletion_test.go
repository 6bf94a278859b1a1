package contract

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"assay/store"
)

const deletionPath = "/v1/organization/deletion"

var analyticalEngines = object{"name": "Analytical Engines"}

// An OWNER schedules the deletion of an organization with people and candidates. Until then, everything works except
// invites, and each OWNER can cancel it. Afterwards nobody has access, and all data are erased.
func TestScheduledDeletion(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o, other := a.register(), b.register()
		admin, second := o.member("ADMIN"), o.member("OWNER")
		a.outbox().send()
		assessment, key := o.publish(oneQuestion()), o.key()
		candidate := o.invite(assessment).candidate()
		a.do("POST", "/v1/webhooks", o.owner, object{"url": hookURL, "events": []any{"candidate.invited"}}).want(201)
		before := o.audited()

		a.do("POST", deletionPath, admin.who, analyticalEngines).want(403, "insufficient_role")
		a.do("DELETE", deletionPath, admin.who, nil).want(403, "insufficient_role")
		a.do("POST", deletionPath, o.owner, object{"name": "analytical engines"}).want(400, "invalid_request").
			wantFields(object{"errors.0.pointer": "/name"})
		a.do("GET", "/v1/organization", o.owner, nil).want(200).wantFields(object{"data.deletion": nil})
		a.do("DELETE", deletionPath, o.owner, nil).want(200).wantFields(object{"data.deletion": nil})

		deletion := a.do("POST", deletionPath, o.owner, analyticalEngines).want(200).wantFields(object{
			"data.deletion.requestedAt": store.WireTime(a.store.Now()), "data.deletion.requestedByName": "Ada Lovelace",
			"data.deletion.deleteAt": store.WireTime(a.store.Now().Add(30 * 24 * time.Hour)),
		}).at("data.deletion")
		to := map[string]bool{}
		for _, email := range a.outbox().send() {
			to[email.ToAddress] = true
			if email.Email.Kind != store.EmailDeletionScheduled || email.Account.ByName != "Ada Lovelace" ||
				!email.Account.DeleteAt.Equal(a.store.Now().Add(30*24*time.Hour)) {
				t.Errorf("the email is %+v %+v", email.Email, email.Account)
			}
		}
		if want := fmt.Sprint(map[string]bool{o.email: true, second.email: true}); fmt.Sprint(to) != want {
			t.Errorf("emails to %v, want %s", to, want)
		}
		a.clock.Advance(time.Minute)
		b.do("POST", deletionPath, second.who, analyticalEngines).want(200).wantFields(object{"data.deletion": deletion})
		a.outbox().sendNone()
		a.closeDue(false)

		a.do("DELETE", deletionPath, second.who, nil).want(200).wantFields(object{"data.deletion": nil})
		o.invite(assessment)
		a.do("POST", deletionPath, o.owner, analyticalEngines).want(200)
		if got := o.audited(); got != before+6 { // two refusals, three changes, and an invite
			t.Errorf("the audit log has %d more entries, want 6", got-before)
		}

		a.clock.Advance(30*24*time.Hour - time.Second)
		o = a.signedInAgain(o)
		a.closeDue(false)
		a.do("GET", "/v1/candidate/session", candidate, nil).want(200)
		a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201)
		a.do("GET", "/v1/public/assessments", key, nil).want(200)

		a.clock.Advance(time.Second)
		a.closeDue(true)
		a.closeDue(false)
		a.clock.Advance(time.Second)
		for _, replica := range []*api{a, b} {
			replica.wantRejected(signedIn{access: o.access, refresh: o.refresh})
			replica.do("GET", "/v1/public/assessments", key, nil).want(401, "unauthenticated")
			for _, email := range []string{o.email, admin.email, second.email} {
				if replica.canSignIn(email, testPassword) {
					t.Error("a member of a deleted organization signs in")
				}
			}
		}
		a.clock.Advance(time.Minute)
		a.wantErased(o)
		b.do("GET", "/v1/candidate/session", candidate, nil).want(401, "unauthenticated")
		a.signedInAgain(other)
	}, sendsEmail)
}

// closeDue runs the job that closes organizations, and compares whether it has closed one.
func (a *api) closeDue(want bool) {
	a.t.Helper()
	if closed, err := a.store.UnscopedCloseOrganizations(a.t.Context()); err != nil || closed != want {
		a.t.Fatalf("an organization is closed: %t, %v; want %t", closed, err, want)
	}
}

// signedInAgain returns the tenant with a new sign-in of its owner.
func (a *api) signedInAgain(o *tenant) *tenant {
	a.t.Helper()
	again, login := *o, a.login(o.email)
	again.access, again.refresh, again.owner = login.access, login.refresh, bearer(login.access)
	return &again
}

// While a deletion is scheduled, each way to invite somebody new is closed. Sessions that exist go on.
func TestScheduledDeletionRefusesInvites(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		plain, guarded := o.publish(oneQuestion()), o.publish(oneQuestion(object{"repeatRule": "NEVER"}))
		key := o.key()
		existing := o.invite(plain, object{"candidateEmail": "known@example.com"})
		link := o.open(plain, object{})
		confirmation := a.enter(link, "New", "new@example.com")
		a.do("POST", deletionPath, o.owner, analyticalEngines).want(200)

		for _, assessment := range []string{plain, guarded} {
			invite := object{"assessmentId": assessment, "candidateName": "New", "candidateEmail": "new@example.com"}
			again := object{
				"assessmentId": assessment, "candidateName": "New", "candidateEmail": "new@example.com",
				"onExisting": "NEW_ATTEMPT",
			}
			for _, body := range []object{invite, again} {
				a.do("POST", "/v1/candidate-sessions", o.owner, body).want(409, "organization_deletion_scheduled")
				a.do("POST", "/v1/public/candidate-sessions", key, body).want(409, "organization_deletion_scheduled")
				a.do("POST", "/v1/candidate-sessions/bulk", o.owner, object{"rows": []any{body}}).want(200).
					wantFields(object{"data.rows.0.error.code": "organization_deletion_scheduled", "data.rows.0.session": nil})
			}
		}
		a.do("POST", "/v1/candidate-sessions", o.owner, object{
			"assessmentId": plain, "candidateName": "Grace Hopper", "candidateEmail": "known@example.com",
		}).want(200).wantFields(object{"data.id": existing.text("data.id")})
		a.do("POST", "/v1/candidate-sessions/"+existing.text("data.id")+"/resend", o.owner, object{}).want(200)
		a.visit("192.0.2.1", link, nil).want(200).says("Registration has ended")
		a.visit("192.0.2.1", confirmation, url.Values{}).want(410).says("Registration has ended")

		a.do("DELETE", deletionPath, o.owner, nil).want(200)
		o.invite(guarded, object{"candidateEmail": "new@example.com"})
	}, sendsEmail)
}

// A legal hold prevents the deletion. One that is set later delays it.
func TestHoldDelaysDeletion(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		session := o.invite(o.publish(oneQuestion())).text("data.id")
		release := o.holdSession(session)
		a.do("POST", deletionPath, o.owner, analyticalEngines).want(409, "legal_hold")
		release()
		a.do("POST", deletionPath, o.owner, analyticalEngines).want(200)
		release = a.signedInAgain(o).holdSession(session)
		a.clock.Advance(31 * 24 * time.Hour)
		a.closeDue(false)
		a.signedInAgain(o)
		release()
		a.closeDue(true)
		a.clock.Advance(time.Minute)
		a.wantErased(o)
	})
}
