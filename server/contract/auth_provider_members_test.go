package contract

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/store"
)

// person makes the provider sign in another person.
func (o company) person(subject, email string, more object) {
	claims := object{"sub": subject, "email": email}
	for name, value := range more {
		claims[name] = value
	}
	o.provider.says(claims)
}

// wantFault fails the test unless the response is a 400 about the field.
func (r response) wantFault(pointer string) {
	r.t.Helper()
	if faults := r.want(400).faults(); len(faults) != 1 || !strings.HasPrefix(faults[0], "body "+pointer+" ") {
		r.t.Errorf("%s: the faults are %v, want %s", r.name, faults, pointer)
	}
}

// wantMe signs in, and returns the person.
func (o company) wantMe() response {
	o.api.t.Helper()
	v := o.api.visitor()
	location := v.signIn(o)
	token := v.token()
	if token == "" {
		o.api.t.Fatalf("the sign-in has failed: %s", location)
	}
	return o.api.do("GET", "/v1/me", bearer(token), nil).want(200)
}

// The first sign-in links the identity to a member, an invitation, or a new member. Later, the subject decides.
func TestProviderMembers(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		invited := o.addEmail("Invited@"+o.domain, "EDITOR").want(201).text("data.id")
		o.person("s-invited", "invited@"+o.domain, nil)
		o.wantMe().wantFields(object{"data.id": invited, "data.role": "EDITOR"})

		// Another address of the subject stays the same member, and another subject with the address is refused.
		o.person("s-invited", "renamed@"+o.domain, nil)
		o.wantMe().wantFields(object{"data.id": invited})
		o.person("s-other", "invited@"+o.domain, nil)
		a.visitor().wantRefused(o, "identity_conflict")

		o.person("s-new", "new@"+o.domain, nil)
		a.visitor().wantRefused(o, "not_a_member")
		o.set(object{"createMembers": true, "defaultRole": "REVIEWER"}).want(200)
		o.wantMe().wantFields(object{"data.email": "new@" + o.domain, "data.name": "Mei Lindqvist", "data.role": "REVIEWER"})

		// A removed member stays out, until an invitation.
		a.do("DELETE", "/v1/members/"+invited, o.owner, nil).want(204)
		o.person("s-invited", "invited@"+o.domain, nil)
		a.visitor().wantRefused(o, "not_a_member")
		o.addEmail("invited@"+o.domain, "MEMBER").want(201)
		o.wantMe().wantFields(object{"data.role": "MEMBER"})
	})
}

// A claim gives a role at each sign-in. It never makes or changes an OWNER.
func TestProviderRoles(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		roles := []object{{"value": "admins", "role": "ADMIN"}, {"value": "graders", "role": "REVIEWER"}}
		o.set(object{"createMembers": true, "defaultRole": "MEMBER", "roleClaim": "groups", "roles": roles}).want(200)
		for _, step := range []struct {
			groups any
			role   string
		}{
			{nil, "MEMBER"}, {[]string{"x", "admins"}, "ADMIN"}, {"graders", "REVIEWER"}, {[]string{}, "REVIEWER"},
			{[]string{"graders", "admins"}, "ADMIN"}, {[]any{1, nil}, "MEMBER"},
		} {
			o.person("s", "someone@"+o.domain, object{"groups": step.groups})
			o.wantMe().wantFields(object{"data.role": step.role})
		}
		o.person("owner", o.email, object{"groups": "graders"})
		o.wantMe().wantFields(object{"data.role": "OWNER"})
		o.set(object{"roleClaim": "groups", "roles": []object{{"value": "x", "role": "OWNER"}}}).want(400)
		o.set(object{"roles": roles}).wantFault("/roleClaim")
	})
}

// A person of the company who has an account elsewhere gets one more organization. The provider opens nothing else.
func TestProviderOfPersonElsewhere(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		o.set(object{"createMembers": true}).want(200)
		email := "consultant@" + o.domain
		elsewhere := a.registerEmail(email).want(201)
		if err := a.store.UnscopedProveEmail(t.Context(), email); err != nil {
			t.Fatal(err)
		}
		o.person("c", email, nil)
		v := a.visitor()
		v.signIn(o)
		token := bearer(v.token())
		a.do("GET", "/v1/me", token, nil).want(200).wantFields(object{"data.organization.id": o.organizationID})
		if got := len(a.do("GET", "/v1/me/memberships", token, nil).want(200).list("data")); got != 1 {
			t.Errorf("the sign-in with the provider lists %d organizations", got)
		}
		in := signedIn{v.token(), v.cookies["__Host-assay"]}
		a.switchTo(in, elsewhere.text("data.organization.id")).want(404, "not_found")
		a.switchTo(in, o.organizationID).want(200)
		v.signIn(o)
		token = bearer(v.token())
		a.do("PUT", "/v1/me/password", token, object{"currentPassword": testPassword, "newPassword": otherPassword})
		a.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": testPassword}).want(200)

		// Somebody has registered an address of the company, which was never proved. The owner of the address gets no
		// account whose password the other person knows.
		squatted := "squatted@" + o.domain
		a.registerEmail(squatted).want(201)
		o.person("q", squatted, nil)
		o.wantMe().wantFields(object{"data.organization.id": o.organizationID})
		a.do("POST", "/v1/auth/login", anonymous, object{"email": squatted, "password": testPassword}).want(401)

		// The same within the company: an invitation was accepted with a link that others can see.
		within := o.addEmail("within@"+o.domain, "MEMBER").want(201)
		known := a.accept(within.invitation(), testPassword).want(200)
		o.person("w", "within@"+o.domain, nil)
		o.wantMe().wantFields(object{"data.id": within.text("data.id")})
		a.do("GET", "/v1/me", bearer(known.text("data.accessToken")), nil).want(401)
		a.do("POST", "/v1/auth/login", anonymous, object{"email": "within@" + o.domain, "password": testPassword}).want(401)
	})
}

// An organization that requires its provider cannot be entered with a password, except by an OWNER with a recovery
// code.
func TestProviderRequired(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		joined := o.addEmail("member@"+o.domain, "MEMBER").want(201)
		member := a.accept(joined.invitation(), testPassword).want(200)
		waiting := o.addEmail("waiting@"+o.domain, "MEMBER").want(201)

		o.set(object{"required": true}).want(409, "provider_untested")
		owner := a.visitor()
		owner.signIn(o)
		o.set(object{"required": true}).want(409, "no_recovery_codes")
		codes := a.do("POST", "/v1/organization/sign-in-recovery-codes", o.owner, nil).want(200).list("data.codes")
		second := a.login(o.email)
		o.set(object{"required": true}).want(200).wantFields(object{"data.required": true, "data.recoveryCodesLeft": 10.0})

		a.do("GET", "/v1/me", o.owner, nil).want(200)
		a.do("GET", "/v1/me", bearer(second.access), nil).want(401)
		a.do("GET", "/v1/me", bearer(member.text("data.accessToken")), nil).want(401)
		if owner.token() == "" {
			t.Error("the sign-in with the provider has ended")
		}

		// No path with a password leads in.
		a.do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": testPassword}).
			want(403, "sso_required")
		a.do("POST", "/v1/auth/login", anonymous,
			object{"email": "member@" + o.domain, "password": testPassword, "code": codes[0]}).want(403, "sso_required")
		a.do("POST", "/v1/auth/refresh", anonymous, object{"refreshToken": member.text("data.refreshToken")}).want(401)
		a.accept(waiting.invitation(), testPassword).want(403, "sso_required")
		link, _, err := a.store.UnscopedResetLink(t.Context(), "member@"+o.domain)
		if err != nil {
			t.Fatal(err)
		}
		_, token, _ := strings.Cut(link, "#")
		b := a.browser()
		b.session("POST", object{"type": "reset", "token": token, "password": otherPassword}).want(403, "sso_required")

		// The provider is unavailable. An OWNER enters with the password and a code, once.
		o.provider.mu.Lock()
		o.provider.serve = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }
		o.provider.mu.Unlock()
		enter := object{"email": o.email, "password": testPassword, "code": strings.ToUpper(codes[0].(string))}
		a.do("POST", "/v1/auth/login", anonymous,
			object{"email": o.email, "password": otherPassword, "code": codes[0]}).want(401, "invalid_credentials")
		a.do("POST", "/v1/auth/login", anonymous, enter).want(200).
			wantFields(object{"data.user.email": o.email})
		a.do("POST", "/v1/auth/login", anonymous, enter).want(403, "sso_required")
		if got := o.auditedActions("SIGN_IN_RECOVERY_CODE_USED"); len(got) != 1 {
			t.Errorf("%d uses of recovery codes in the audit log", len(got))
		}

		// A changed provider must be tried again.
		o.set(object{"required": true, "clientId": "another"}).want(409, "provider_untested")
		o.set(object{"required": false}).want(200)
		a.do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": testPassword}).want(200)
	})
}

// A recovery code of the organization replaces its provider, and not the second factor of the OWNER. Each OWNER gets an
// email about its use.
func TestProviderRecoveryCodes(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		second := o.addEmail("second@"+o.domain, "OWNER").want(201)
		a.accept(second.invitation(), testPassword).want(200)
		elsewhere := a.register()
		joined := elsewhere.addEmail(o.email, "MEMBER").want(201)
		a.accept(joined.invitation(), testPassword).want(200)
		app := a.addAuthenticator(o.owner)
		a.visitor().signIn(o)
		codes := a.do("POST", "/v1/organization/sign-in-recovery-codes", o.owner, nil).want(200).list("data.codes")
		o.set(object{"required": true}).want(200)
		a.outbox().send()

		enter := func(code any, status int, refusal string) response {
			return a.do("POST", "/v1/auth/login", anonymous, object{
				"email": o.email, "password": testPassword, "organizationId": o.organizationID, "code": code,
			}).want(status, refusal)
		}
		enter(app.code(0), 403, "sso_required")
		challenge := enter(codes[0], 401, "second_factor_required").text("secondFactor.challenge")
		told := map[string]bool{}
		for _, email := range a.outbox().send() {
			told[string(email.Email.Kind)+" "+email.ToAddress] = true
		}
		want := string(store.EmailSignInRecoveryCodeUsed) + " "
		if len(told) != 2 || !told[want+o.email] || !told[want+"second@"+o.domain] {
			t.Errorf("the emails are %v", told)
		}
		a.completeWith(challenge, "000000").want(401, "invalid_code")
		enter(codes[0], 403, "sso_required")
		in := a.completeWith(challenge, app.code(0)).want(200).tokens()
		a.me(in.access).want(200).wantFields(object{"data.organization.id": o.organizationID})

		// The proof is also that of the next organization, and is as old there as here.
		a.clock.Advance(9 * time.Minute)
		now := a.switchTo(in, elsewhere.organizationID).want(200).tokens()
		there := bearer(now.access)
		a.do("GET", "/v1/me/second-factors", there, nil).want(200)
		a.do("POST", "/v1/me/recovery-codes", there, nil).want(200)
		a.clock.Advance(2 * time.Minute)
		a.do("POST", "/v1/me/recovery-codes", there, nil).want(403, "reauthentication_required")
		a.switchTo(now, o.organizationID).want(403, "sso_required")

		// A former OWNER does not complete the sign-in.
		a.clock.Advance(totpStep)
		challenge = enter(codes[1], 401, "second_factor_required").text("secondFactor.challenge")
		other := bearer(a.do("POST", "/v1/auth/login", anonymous, object{
			"email": "second@" + o.domain, "password": testPassword, "code": codes[2],
		}).want(200).text("data.accessToken"))
		a.do("PATCH", "/v1/members/"+a.userID(o.owner), other, object{"role": "ADMIN"}).want(200)
		a.completeWith(challenge, app.code(0)).want(403, "sso_required")
	}, sendsEmail)
}

// A domain belongs to one organization, after it was proved.
func TestSignInDomains(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o, other := found(), found()
		path := "/v1/organization/domains"
		added := a.do("POST", path, other.owner, object{"domain": strings.ToUpper(o.domain) + "."}).want(200)
		id := added.text("data.id")
		added.wantFields(object{"data.domain": o.domain, "data.state": "PENDING", "data.verifiedAt": nil})
		a.do("POST", path+"/"+id+"/verify", other.owner, nil).want(409, "domain_not_proved")
		a.do("POST", path+"/"+id+"/verify", o.owner, nil).want(404)
		a.do("DELETE", path+"/"+id, o.owner, nil).want(404)
		other.records.mu.Lock()
		other.records.records[o.domain+"."] = append(other.records.records[o.domain+"."], added.text("data.txtValue"))
		other.records.mu.Unlock()
		a.do("POST", path+"/"+id+"/verify", other.owner, nil).want(409, "domain_taken")
		if err := a.store.UnscopedVerifyDomain(t.Context(), o.domain, other.organizationID); err == nil {
			t.Error("the operator has verified a domain twice")
		}

		// A member of the other organization with an address in the domain is not let in by the other provider.
		other.person("x", "x@"+o.domain, nil)
		other.set(object{"createMembers": true}).want(200)
		a.visitor().wantRefused(other, "email_not_accepted")

		for _, wrong := range []string{
			"localhost", "a b.example", "x@y.example", "1.2.3.4", "-a.example", "a..example", "a.example/x",
		} {
			a.do("POST", path, o.owner, object{"domain": wrong}).wantFault("/domain")
		}
		for i := range 19 {
			a.do("POST", path, o.owner, object{"domain": fmt.Sprintf("d%d.example", i)}).want(200)
		}
		a.do("POST", path, o.owner, object{"domain": "d0.example"}).want(200)
		a.do("POST", path, o.owner, object{"domain": "one-more.example"}).want(409, "too_many_domains")
		if got := len(a.do("GET", path, o.owner, nil).want(200).list("data")); got != 20 {
			t.Errorf("%d domains, want 20", got)
		}
		if err := a.store.UnscopedVerifyDomain(t.Context(), "D1.example", ""); err != nil {
			t.Error(err)
		}

		for _, role := range []string{"ADMIN", "EDITOR"} {
			member := o.member(role)
			read := map[string]int{"ADMIN": 200, "EDITOR": 403}[role]
			a.do("GET", path, member.who, nil).want(read)
			a.do("GET", "/v1/organization/sign-in-provider", member.who, nil).want(read)
			a.do("POST", path, member.who, object{"domain": "x.example"}).want(403, "insufficient_role")
			a.do("DELETE", "/v1/organization/sign-in-provider", member.who, nil).want(403, "insufficient_role")
			a.do("POST", "/v1/organization/sign-in-recovery-codes", member.who, nil).want(403, "insufficient_role")
		}
	})
}

// A stored client secret is never sent to another issuer or client.
func TestProviderSettings(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		path := "/v1/organization/sign-in-provider"
		a.do("PUT", path, o.owner, object{"issuer": o.provider.URL, "clientId": "assay"}).want(200)
		a.do("PUT", path, o.owner, object{"issuer": "https://evil.example", "clientId": "assay"}).wantFault("/clientSecret")
		a.do("PUT", path, o.owner, object{"issuer": o.provider.URL, "clientId": "b"}).wantFault("/clientSecret")
		for _, wrong := range []string{
			"ftp://a.example", "https://a:b@c.example", "https://a.example?x", "https://a.example#x", "https://",
		} {
			o.set(object{"issuer": wrong}).wantFault("/issuer")
		}
		o.wantMe()
		other := a.register()
		a.do("GET", path, other.owner, nil).want(200).wantFields(object{"data.issuer": nil, "data.lastSucceededAt": nil})
		a.do("DELETE", path, other.owner, nil).want(204)
		o.wantMe()
	})
}
