package contract

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// stranger registers an address with open registration, and does not confirm it.
func (a *api) stranger(email string) *tenant {
	a.t.Helper()
	r := a.do("POST", "/v1/auth/register", anonymous, registrationOf(email)).want(201)
	return &tenant{
		api: a, organizationID: r.text("data.organization.id"), email: email,
		access: r.text("data.accessToken"), refresh: r.text("data.refreshToken"), owner: bearer(r.text("data.accessToken")),
	}
}

func registrationOf(email string) object {
	return object{"organizationName": "Sandcastle", "name": "Mallory", "email": email, "password": testPassword}
}

var victims atomic.Int64

func victim() string { return fmt.Sprintf("victim%d@corp.example", victims.Add(1)) }

// invitationTo invites the address, and returns the token in the email and the one in the response.
func (o *tenant) invitationTo(email string) (emailed, shown string) {
	o.api.t.Helper()
	shown = o.api.do("POST", "/v1/members", o.owner, object{"name": "Victoria", "email": email, "role": "ADMIN"}).
		want(201).invitation()
	return o.api.outbox().sendOne().token(o.api.t, store.EmailInvitation), shown
}

func (a *api) confirmEmail(who credential, token string) response {
	a.t.Helper()
	return a.do("PUT", "/v1/me/email-confirmation", who, object{"token": token})
}

// The story of the squatted address: a stranger registers it, the employer invites it, its owner accepts with the link
// in the email, and everything of the stranger ends.
func TestSquattedAddressIsInvited(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		employer, address := a.register(), victim()
		squatter := b.stranger(address)
		confirmation := a.outbox().sendOne().token(t, store.EmailConfirmation)
		key := squatter.key()
		squatter.publish(twoStages())
		b.do("GET", "/v1/public/assessments", key, nil).want(200)

		emailed, shown := employer.invitationTo(address)
		// The inviting person sees this link, and need not be the owner of the address.
		a.accept(shown, otherPassword).want(401, "invalid_credentials")
		b.me(squatter.access).want(200)

		joined := a.accept(emailed, otherPassword).want(200)
		if id := a.me(joined.text("data.accessToken")).want(200).text("data.organization.id"); id != employer.organizationID {
			t.Errorf("the person is in %s", id)
		}
		a.clock.Advance(time.Second)
		for _, replica := range []*api{a, b} {
			replica.wantRejected(signedIn{access: squatter.access, refresh: squatter.refresh})
			replica.do("GET", "/v1/public/assessments", key, nil).want(401, "unauthenticated")
			replica.confirmEmail(squatter.owner, confirmation).want(401, "unauthenticated")
			if replica.canSignIn(address, testPassword) || !replica.canSignIn(address, otherPassword) {
				t.Error("the password of the stranger signs in, or that of the owner does not")
			}
		}
		a.outbox().sendNone()
	}, sendsEmail)
}

// An account whose address is proved keeps it, and so does the only OWNER of an organization with other people.
func TestProvedAddressIsKept(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		employer, address := a.register(), victim()
		owner := a.stranger(address)
		token := a.outbox().sendOne().token(t, store.EmailConfirmation)
		emailed, _ := employer.invitationTo(address)
		a.confirmEmail(owner.owner, token).want(204)
		a.accept(emailed, otherPassword).want(401, "invalid_credentials")
		a.me(owner.access).want(200)
	}, sendsEmail)
}

// A person who joined with the link that a colleague has passed on has not proved the address. An invitation of another
// organization in an email takes it, and leaves the first organization as it is.
func TestMemberWithoutProof(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		employer, address := a.register(), victim()
		other := a.register()
		key := other.key()
		_, shown := other.invitationTo(address)
		joined := bearer(a.accept(shown, testPassword).want(200).text("data.accessToken"))
		if a.do("GET", "/v1/me", joined, nil).want(200).at("data.mustConfirmEmail") != true {
			t.Error("the person need not confirm the address")
		}
		a.do("POST", "/v1/me/email-confirmation", joined, nil).want(202)
		a.outbox().sendOne().token(t, store.EmailConfirmation)

		emailed, _ := employer.invitationTo(address)
		a.accept(emailed, otherPassword).want(200)
		a.do("GET", "/v1/me", joined, nil).want(401, "unauthenticated")
		a.me(other.access).want(200)
		a.do("GET", "/v1/public/assessments", key, nil).want(200)
	}, sendsEmail)
}

// Until its address is confirmed, an organization works, and emails nobody.
func TestUnprovedOrganizationEmailsNobody(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		quiet := serve(t, storetest.OpenURL(t, address, clock.Now), clock) // before email was configured
		a := serve(t, storetest.OpenURL(t, address, clock.Now, sendsEmail), clock)
		a.register()
		o := a.stranger(victim())
		member := quiet.do("POST", "/v1/members", o.owner, object{
			"name": "Katherine", "email": victim(), "role": "MEMBER"}).want(201).text("data.id")
		assessment := o.publish(twoStages())
		key := o.key()
		session := o.invite(assessment).want(201).text("data.id")
		a.outbox().send() // the confirmation

		refused := func(method, path string, who credential, body any) {
			t.Helper()
			a.do(method, path, who, body).want(403, "email_not_confirmed")
		}
		email := object{"subject": "Your application", "text": "Hello"}
		for _, each := range []struct {
			prefix string
			who    credential
		}{{"/v1", o.owner}, {"/v1/public", key}} {
			refused("POST", each.prefix+"/candidate-sessions", each.who, object{"assessmentId": assessment,
				"candidateName": "Grace Hopper", "candidateEmail": "grace@example.com", "sendEmail": true})
			refused("POST", each.prefix+"/candidate-sessions/"+session+"/resend", each.who, object{"sendEmail": true})
			state := a.do("GET", each.prefix+"/review-states", each.who, nil).want(200).text("data.states.0.id")
			refused("PUT", each.prefix+"/candidate-sessions/"+session+"/review/state", each.who,
				object{"stateId": state, "email": email})
			refused("PUT", each.prefix+"/candidate-sessions/review-states", each.who,
				object{"stateId": state, "rows": []any{object{"sessionId": session}}, "email": email})
		}
		refused("POST", "/v1/members", o.owner, object{"name": "Ann", "email": victim(), "role": "MEMBER"})
		refused("POST", "/v1/members/"+member+"/resend", o.owner, nil)
		refused("PUT", "/v1/assessments/"+assessment+"/registration", o.owner, object{})
		refused("POST", "/v1/email-texts/test", o.owner, object{"kind": "INVITE", "locale": "en", "assessmentId": nil})

		// The setting of the organization is an email, too.
		a.do("PATCH", "/v1/organization", o.owner, object{"sendInviteEmail": true}).want(200)
		refused("POST", "/v1/candidate-sessions", o.owner, object{"assessmentId": assessment,
			"candidateName": "Grace Hopper", "candidateEmail": "grace@example.com"})
		a.outbox().sendNone()

		if err := a.store.UnscopedProveEmail(t.Context(), o.email); err != nil {
			t.Fatal(err)
		}
		o.invite(assessment).want(201)
		a.do("POST", "/v1/members/"+member+"/resend", o.owner, nil).want(200)
		if sent := a.outbox().send(); len(sent) != 2 {
			t.Errorf("%d emails are sent after the confirmation, want 2", len(sent))
		}
	})
}

// The link works for seven days after its email, for the account to which it was sent, and a second time. An address
// gets five such emails in a day.
func TestConfirmEmail(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		first := a.register()
		o, other := a.stranger(victim()), a.stranger(victim())
		mustConfirm := func() any {
			return a.do("GET", "/v1/me", o.owner, nil).want(200).at("data.mustConfirmEmail")
		}
		emails := a.outbox().send()
		if len(emails) != 2 || !emails[0].Account.ExpiresAt.Equal(a.store.Now().Add(7*24*time.Hour)) {
			t.Fatalf("the emails are %+v", emails)
		}
		slices.SortFunc(emails, func(x, y sent) int { return strings.Compare(x.ToAddress, y.ToAddress) })
		token := emails[slices.IndexFunc(emails, func(e sent) bool { return e.ToAddress == o.email })].
			token(t, store.EmailConfirmation)
		if mustConfirm() != true {
			t.Error("the person need not confirm the address")
		}
		for _, wrong := range []string{token + "x", "prf_x", strings.Replace(token, "prf_", "pwr_", 1), "x"} {
			a.confirmEmail(o.owner, wrong).want(404, "not_found")
		}
		for _, foreign := range []*tenant{other, first} {
			a.confirmEmail(foreign.owner, token).want(404, "not_found")
		}
		a.clock.Advance(7 * 24 * time.Hour)
		for _, each := range []*tenant{o, other} {
			each.owner = bearer(a.login(each.email).access)
		}
		a.confirmEmail(o.owner, token).want(410, "confirmation_expired")

		for range 5 {
			a.do("POST", "/v1/me/email-confirmation", o.owner, nil).want(202)
		}
		a.do("POST", "/v1/me/email-confirmation", o.owner, nil).want(429, "rate_limited")
		a.do("POST", "/v1/me/email-confirmation", other.owner, nil).want(202)
		if sent := a.outbox().send(); len(sent) != 2 { // a new email replaces one that waits
			t.Errorf("%d emails are sent, want 2", len(sent))
		}
		for range 2 {
			a.confirmEmail(o.owner, token).want(204)
		}
		if mustConfirm() != false {
			t.Error("the person must confirm the address again")
		}
		a.do("POST", "/v1/me/email-confirmation", o.owner, nil).want(202)
		a.outbox().sendNone()
	}, sendsEmail)
}

// Without a mail server nothing changes: nobody is asked, and nothing is refused.
func TestNoProofWithoutEmail(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		a.register()
		o := a.stranger(victim())
		if a.do("GET", "/v1/me", o.owner, nil).want(200).at("data.mustConfirmEmail") != false {
			t.Error("the person must confirm the address")
		}
		o.add("MEMBER")
		a.do("POST", "/v1/me/email-confirmation", o.owner, nil).want(409, "email_not_configured")
	})
}

// The story of the reset: a stranger registers an address, and makes a key, an endpoint, an invitation, and a second
// OWNER. The owner of the address resets the password, and all of it ends.
func TestSquattedAddressIsReset(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		clock, url := storetest.NewClock(), storetest.URL(t, database)
		quiet := serve(t, storetest.OpenURL(t, url, clock.Now), clock) // so that the stranger can invite
		a := serve(t, storetest.OpenURL(t, url, clock.Now, sendsEmail), clock)
		a.register()
		squatter := quiet.stranger(victim())
		second, invited := squatter.member("OWNER"), squatter.add("MEMBER")
		key := squatter.key()
		webhook := quiet.do("POST", "/v1/webhooks", squatter.owner, object{
			"url": "https://sink.example/", "events": []any{"candidate.completed"},
		}).want(201).text("data.id")

		token := a.requestReset(squatter.email)
		a.reset(token, otherPassword).want(204)
		clock.Advance(time.Second)
		for _, replica := range []*api{a, quiet} {
			replica.wantRejected(signedIn{access: squatter.access, refresh: squatter.refresh})
			replica.wantRejected(signedIn{access: second.access, refresh: second.refresh})
			replica.do("GET", "/v1/public/assessments", key, nil).want(401, "unauthenticated")
			replica.accept(invited.invitation(), testPassword).want(401, "unauthenticated")
			if replica.canSignIn(second.email, testPassword) {
				t.Error("the second owner signs in")
			}
		}
		owner := bearer(a.loginWith(squatter.email, otherPassword).access)
		if members := a.do("GET", "/v1/members", owner, nil).want(200).at("data").([]any); len(members) != 1 {
			t.Errorf("the members are %v", members)
		}
		a.do("GET", "/v1/webhooks/"+webhook, owner, nil).want(404, "not_found")
		if a.do("GET", "/v1/me", owner, nil).want(200).at("data.mustConfirmEmail") != false {
			t.Error("a reset has not proved the address")
		}
		a.outbox().send()
		a.do("POST", "/v1/members", owner, object{"name": "Ann", "email": victim(), "role": "MEMBER"}).want(201)
	})
}

// A reset of a proved account ends no key and no member: the page lists them, and the person decides.
func TestResetOfProvedAddress(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		second, key := o.member("OWNER"), o.key()
		a.outbox().send()
		a.reset(a.requestReset(o.email), otherPassword).want(204)
		a.do("GET", "/v1/public/assessments", key, nil).want(200)
		a.me(second.access).want(200)
	}, sendsEmail)
}

// A confirmation and an acceptance at once: one of them has the address, and nothing of the other is left.
func TestAcceptanceAgainstConfirmation(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		employer, taken := a.register(), 0
		for range raceRounds {
			address := victim()
			owner := b.stranger(address)
			token := a.outbox().sendOne().token(t, store.EmailConfirmation)
			emailed, _ := employer.invitationTo(address)
			answers := atOnce(2, func(i int) response {
				if i == 0 {
					return a.accept(emailed, otherPassword)
				}
				return b.confirmEmail(owner.owner, token)
			})
			a.clock.Advance(time.Second)
			switch answers[0].status {
			case 200:
				taken++
				b.wantRejected(signedIn{access: owner.access, refresh: owner.refresh})
			default:
				answers[0].want(401, "invalid_credentials")
				answers[1].want(204)
				b.me(owner.access).want(200)
			}
			if a.canSignIn(address, testPassword) == a.canSignIn(address, otherPassword) {
				t.Error("both passwords sign in, or none")
			}
		}
		t.Logf("the acceptance was first in %d of %d rounds", taken, raceRounds)
	}, sendsEmail)
}

// Two employers invite the owner of a squatted address, who accepts both at once: both have the person.
func TestTwoAcceptancesOfSquattedAddress(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		for range raceRounds {
			address := victim()
			squatter := b.stranger(address)
			a.outbox().send()
			first, _ := one.invitationTo(address)
			second, _ := two.invitationTo(address)
			answers := atOnce(2, func(i int) response {
				return []*api{a, b}[i].accept([]string{first, second}[i], otherPassword)
			})
			for _, answer := range answers {
				answer.want(200)
			}
			a.clock.Advance(time.Second)
			a.wantRejected(signedIn{access: squatter.access, refresh: squatter.refresh})
		}
	}, sendsEmail)
}
