package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/server"
	"assay/store"
	"assay/store/storetest"
)

// signInIDs returns the ids in a person's list of sign-ins, and the current one.
func (a *api) signInIDs(access string) (ids []string, current string) {
	a.t.Helper()
	for _, item := range a.do("GET", "/v1/me/sign-ins", bearer(access), nil).want(200).list("data") {
		signIn := item.(object)
		id := signIn["id"].(string)
		if ids = append(ids, id); signIn["current"].(bool) {
			current = id
		}
	}
	return ids, current
}

// A person sees and ends the sign-ins in all their organizations. Each ended one is audited in its organization. A
// sign-in with a provider sees and ends only those of its organization, and a colleague none.
func TestSignInsOfSeveralOrganizations(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		id, there := two.joins(one.email, "MEMBER")
		here := signedIn{one.access, one.refresh}
		ids, current := b.signInIDs(here.access)
		if len(ids) != 2 || current == ids[0] {
			t.Errorf("sign-ins %v, current %s, want two, and the older one", ids, current)
		}
		if page, _ := a.pages("/v1/me/sign-ins", bearer(there.access), "id"); !slices.Equal(page, ids) {
			t.Errorf("pages of sign-ins %v, want %v", page, ids)
		}
		end := func(access, id string) response {
			return b.do("DELETE", "/v1/me/sign-ins/"+id, bearer(access), nil)
		}
		end(two.access, ids[0]).want(404, "not_found")
		a.wantIn(there.access, two.organizationID)
		end(here.access, ids[0]).want(204)
		a.clock.Advance(time.Second)
		a.wantRejected(there)
		if got := two.auditedActions("SIGN_INS_ENDED"); !slices.Equal(got, []string{id}) {
			t.Errorf("entries %v in the organization of the ended sign-in, want %s", got, id)
		}
		if got := one.auditedActions("SIGN_INS_ENDED"); len(got) != 0 {
			t.Errorf("entries %v in the organization of the caller", got)
		}

		signIns := []signedIn{a.login(one.email), a.loginTo(one.email, one.organizationID).want(200).tokens()}
		b.do("DELETE", "/v1/me/sign-ins", bearer(here.access), nil).want(204)
		a.clock.Advance(time.Second)
		for _, ended := range signIns {
			a.wantRejected(ended)
		}
		a.wantIn(here.access, one.organizationID)
		if got := len(two.auditedActions("SIGN_INS_ENDED")) + len(one.auditedActions("SIGN_INS_ENDED")); got != 3 {
			t.Errorf("%d entries, want two more", got)
		}

		there = a.loginTo(one.email, two.organizationID).want(200).tokens()
		storetest.SetSignInMethod(t, a.database, id, "PROVIDER")
		a.clock.Advance(time.Second)
		if ids, _ := b.signInIDs(there.access); len(ids) != 1 {
			t.Errorf("after a sign-in with a provider, the list has %v", ids)
		}
		_, own := b.signInIDs(here.access)
		end(there.access, own).want(404, "not_found")
		b.do("DELETE", "/v1/me/sign-ins", bearer(there.access), nil).want(204)
		a.clock.Advance(time.Second)
		a.wantIn(here.access, one.organizationID)
	})
}

// A reset ends the sign-ins and the other links of all organizations, and is audited in each.
func TestResetOfSeveralOrganizations(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		id, there := two.joins(one.email, "ADMIN")
		a.outbox().send()
		first, second := a.requestReset(one.email), b.requestReset(one.email)
		b.reset(first, otherPassword).want(204)
		a.clock.Advance(time.Second)
		a.wantRejected(there)
		a.wantRejected(signedIn{one.access, one.refresh})
		a.reset(second, testPassword).want(401, "unauthenticated")
		for _, organizationID := range []string{one.organizationID, two.organizationID} {
			a.loginTo(one.email, organizationID).want(401, "invalid_credentials")
			b.do("POST", "/v1/auth/login", anonymous, object{
				"email": one.email, "password": otherPassword, "organizationId": organizationID,
			}).want(200)
		}
		if got := two.auditedActions("PASSWORD_RESET"); !slices.Equal(got, []string{id}) {
			t.Errorf("entries %v in the other organization, want %s", got, id)
		}
		if n := len(a.outbox().send()); n != 1 {
			t.Errorf("%d emails about the new password, want 1", n)
		}
	}, sendsEmail)
}

// The owner of an address takes it from an account of a stranger, which ends in all its organizations. One where the
// stranger is the only OWNER of others keeps the whole account.
func TestDisplacedFromSeveralOrganizations(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		quiet := serve(t, storetest.OpenURL(t, a.database, a.clock.Now), a.clock) // before email was configured
		employer, other := a.register(), a.register()
		for _, isKept := range []bool{false, true} {
			address := victim()
			squatter := a.stranger(address)
			a.outbox().send()
			_, there := other.joins(address, "MEMBER")
			a.outbox().send()
			if isKept {
				squatter.api = quiet
				squatter.member("MEMBER")
			}
			emailed, _ := employer.invitationTo(address)
			accepted := a.accept(emailed, otherPassword)
			if isKept {
				accepted.want(401, "invalid_credentials")
				a.wantIn(there.access, other.organizationID)
				a.wantIn(squatter.access, squatter.organizationID)
				continue
			}
			a.wantIn(accepted.want(200).text("data.accessToken"), employer.organizationID)
			a.wantRejected(there)
			a.wantRejected(signedIn{squatter.access, squatter.refresh})
			if ids, _ := a.organizationsOf(a.loginWith(address, otherPassword).access); len(ids) != 1 {
				t.Errorf("the owner of the address is in %v", ids)
			}
			a.login(other.email)
		}
	}, sendsEmail)
}

// The deletion of an organization leaves the other membership, its sign-ins, and the address of the person.
func TestDeletionOfOneOrganization(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		_, there := two.joins(one.email, "ADMIN")
		b.loginTo(one.email, one.organizationID).want(200) // the last one
		a.do("DELETE", "/v1/organization", one.owner, nil).want(204)
		a.clock.Advance(time.Second)
		b.wantRejected(signedIn{one.access, one.refresh})
		b.wantIn(there.access, two.organizationID)
		b.me(there.access).want(200).wantFields(object{"data.hasSeveralOrganizations": false})
		b.switchTo(there, one.organizationID).want(404, "not_found")
		a.clock.Advance(time.Minute)
		a.wantErased(one)
		b.wantIn(b.login(one.email).access, two.organizationID)
		b.registerEmail(one.email).want(409, "email_taken")
		b.loginTo(one.email, one.organizationID).want(401, "invalid_credentials")
	})
}

// The audit log of an organization has the changes of the account, and never names another organization.
func TestChangesOfTheAccountAreAudited(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		one, two := a.register(), a.register()
		id, in := two.joins(one.email, "MEMBER")
		own := bearer(in.access)
		app := a.addAuthenticator(own)
		a.do("POST", "/v1/me/recovery-codes", own, nil).want(200)
		a.changePassword(in.access, testPassword, otherPassword).want(204)
		a.changePassword(in.access, otherPassword, testPassword).want(204)
		a.do("DELETE", "/v1/me/second-factors/"+app.id, own, nil).want(204)
		one.owner = bearer(a.loginTo(one.email, one.organizationID).want(200).text("data.accessToken"))
		person := a.userID(one.owner)
		for action, want := range map[string]int{
			"SECOND_FACTOR_ADDED": 1, "SECOND_FACTOR_REMOVED": 1, "RECOVERY_CODES_CREATED": 1, "PASSWORD_CHANGED": 2,
		} {
			here, there := one.auditedActions(action), two.auditedActions(action)
			if len(here) != want || len(there) != want || here[0] != person || there[0] != id {
				t.Errorf("%s: %v in the one organization, %v in the other, want %d", action, here, there, want)
			}
		}
		for _, log := range []struct {
			of    *tenant
			names []string
		}{{one, []string{two.organizationID, id}}, {two, []string{one.organizationID, person}}} {
			entries := a.do("GET", "/v1/audit-log?limit=100", log.of.owner, nil).want(200)
			for _, name := range log.names {
				if strings.Contains(string(entries.body), name) {
					t.Errorf("the audit log names %s of the other organization: %s", name, entries.body)
				}
			}
		}
	})
}

// A switch continues the sign-in, and so the limit of passwords that it has tried. Stolen tokens must not permit
// any number of guesses.
func TestSwitchesDoNotResetTheLimitOfGuesses(t *testing.T) {
	limits := store.SignInLimits{LoginAccount: store.RateLimit{Name: "login-account", Requests: 4, Window: time.Hour}}
	onLimited(t, server.RateLimits{}, limits, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		_, in := two.joins(one.email, "MEMBER")
		next := []string{one.organizationID, one.organizationID, two.organizationID}
		for n := range 4 {
			guess := []*api{a, b}[n%2].changePassword(in.access, fmt.Sprintf("a wrong guess %d", n), otherPassword)
			guess.want(401, "invalid_credentials")
			if n < len(next) {
				in = b.switchTo(in, next[n]).want(200).tokens()
			}
		}
		in = a.switchTo(in, one.organizationID).want(200).tokens()
		a.changePassword(in.access, testPassword, otherPassword).limited("login-account")
		b.newFactor(bearer(in.access)).limited("login-account")
	})
}

// An organization in which the person is deactivated is none to which they can switch.
func TestDeactivatedMembershipIsNoChoice(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p, other := a.register().provider(), a.register()
		email := other.member("MEMBER").email
		id, _ := p.joins(email, "MEMBER")
		in := a.loginTo(email, other.organizationID).want(200).tokens()
		a.me(in.access).want(200).wantFields(object{"data.hasSeveralOrganizations": true})
		p.call("PATCH", "/Users/"+id, patchOf("active", "False")).want(200)
		a.me(in.access).want(200).wantFields(object{"data.hasSeveralOrganizations": false})
		a.wantIn(a.login(email).access, other.organizationID)
	})
}
