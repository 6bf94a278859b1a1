package contract

import (
	"strings"
	"testing"

	"assay/store"
)

// An address counts only in a domain that this organization has verified, in each way in which it can be written.
func TestProviderAddresses(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		path := "/v1/organization/domains"
		international := a.do("POST", path, o.owner, object{"domain": "BÜCHER." + o.domain}).want(200)
		if err := a.store.UnscopedVerifyDomain(t.Context(), "bücher."+o.domain, o.organizationID); err != nil {
			t.Fatal(err)
		}
		o.set(object{"createMembers": true}).want(200)
		o.person("s", strings.ToUpper(o.email), nil)
		o.wantMe().wantFields(object{"data.email": o.email, "data.role": "OWNER"})
		o.person("i", "x@bücher."+o.domain, nil)
		id := o.wantMe().text("data.id")
		o.person("i", "x@"+international.text("data.domain"), nil)
		o.wantMe().wantFields(object{"data.id": id})
		for _, address := range []string{
			"x@" + o.domain + ".", "x@sub." + o.domain, "x@evil" + o.domain, "x@" + o.domain + ".evil.example", "@" + o.domain,
			"x@" + o.domain + "@evil.example", "x@evil.example@" + o.domain, "a b@" + o.domain, "<x@" + o.domain + ">",
			`"x"@` + o.domain, "X <x@" + o.domain + ">", "x@evil.example,y@" + o.domain, "x\u0000@" + o.domain, o.domain,
			"x..y@" + o.domain, "x@bücher.evil.example", strings.Repeat("x", 65) + "@" + o.domain, "x@" + o.domain + "\n",
		} {
			o.person("other", address, nil)
			t.Logf("%q", address)
			a.visitor().wantRefused(o, "email_not_accepted")
		}

		// Without the domain, nobody with an address in it enters, not even after an earlier sign-in.
		domains := a.do("GET", path, o.owner, nil).want(200).list("data")
		for _, domain := range domains {
			a.do("DELETE", path+"/"+domain.(map[string]any)["id"].(string), o.owner, nil).want(204)
		}
		o.person("s", o.email, nil)
		a.visitor().wantRefused(o, "email_not_accepted")
		start := a.do("POST", "/v1/auth/sign-in-provider", anonymous, object{"email": o.email}).want(200)
		if got := start.at("data.startUrl"); got != nil {
			t.Errorf("a removed domain starts at %v", got)
		}
	})
}

// A provider can give a person another subject for another client. A removed member stays out.
func TestProviderChangedClient(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		o.set(object{"createMembers": true}).want(200)
		o.person("first", o.email, nil)
		me := o.wantMe().text("data.id")
		o.person("leaver", "leaver@"+o.domain, nil)
		leaver := o.wantMe().text("data.id")
		a.do("DELETE", "/v1/members/"+leaver, o.owner, nil).want(204)

		o.set(object{"createMembers": true, "clientId": "another"}).want(200)
		o.person("second", o.email, nil)
		o.wantMe().wantFields(object{"data.id": me})
		o.person("third", o.email, nil)
		a.visitor().wantRefused(o, "identity_conflict")
		o.person("leaver", "leaver@"+o.domain, nil)
		a.visitor().wantRefused(o, "not_a_member")
	})
}

// A stranger accepts an invitation. The second factor and the recovery codes of the stranger end when the provider
// proves the address.
func TestProviderEndsFactorsOfStrangers(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		email := "victim@" + o.domain
		invited := o.addEmail(email, "MEMBER").want(201)
		stranger := a.accept(invited.invitation(), testPassword).want(200)
		theirs := a.addAuthenticator(bearer(stranger.text("data.accessToken")))
		o.person("v", email, nil)
		o.wantMe().wantFields(object{"data.id": invited.text("data.id")})

		link, _, err := a.store.UnscopedResetLink(t.Context(), email)
		if err != nil {
			t.Fatal(err)
		}
		_, token, _ := strings.Cut(link, "#")
		a.do("POST", "/v1/auth/reset-password", anonymous, object{"token": token, "password": testPassword}).want(204)
		enter := object{"email": email, "password": testPassword}
		in := a.do("POST", "/v1/auth/login", anonymous, enter).want(200).text("data.accessToken")
		mine := a.addAuthenticator(bearer(in))
		if len(mine.recovery) == 0 {
			t.Error("the person gets no recovery codes")
		}
		enter["code"] = theirs.recovery[0]
		a.do("POST", "/v1/auth/login", anonymous, enter).want(401, "invalid_code")
	})
}

// A recovery code of the organization works once, also for requests at the same time, and only with the password.
// Guesses are limited like passwords.
func TestProviderRecoveryCodeOnce(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		o.wantMe()
		codes := a.do("POST", "/v1/organization/sign-in-recovery-codes", o.owner, nil).want(200).list("data.codes")
		o.set(object{"required": true}).want(200)
		enter := func(code any) response {
			return a.do("POST", "/v1/auth/login", anonymous,
				object{"email": o.email, "password": testPassword, "code": code})
		}
		statuses := make(chan int)
		for range 4 {
			go func() { statuses <- enter(codes[0]).status }()
		}
		count := map[int]int{}
		for range 4 {
			count[<-statuses]++
		}
		if count[200] != 1 || count[403] != 3 {
			t.Errorf("the responses to one code are %v", count)
		}
		if got := o.auditedActions("SIGN_IN_RECOVERY_CODE_USED"); len(got) != 1 {
			t.Errorf("%d uses of recovery codes in the audit log", len(got))
		}
		for _, wrong := range []any{"00000-00000", "000000"} {
			enter(wrong).want(403, "sso_required")
		}
		if got := o.auditedActions("SIGN_IN_FAILED"); len(got) != 5 { // with the three above
			t.Errorf("%d wrong codes in the audit log", len(got))
		}
		a.do("POST", "/v1/organization/sign-in-recovery-codes", o.owner, nil).want(200)
		enter(codes[1]).want(403, "sso_required") // replaced
		for range 20 {
			if enter("00000-00000").status == 429 {
				return
			}
		}
		t.Error("guesses of recovery codes are not limited")
	}, func(opts *store.Options) {
		opts.SignInLimits = store.SignInLimits{LoginAccount: signInLimits.LoginAccount}
		opts.SignInLimits.LoginAccount.Requests = 12
	})
}

// A sign-in with a password that runs while the provider becomes required has ended afterwards.
func TestProviderRequiredMeanwhile(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		o.wantMe()
		a.do("POST", "/v1/organization/sign-in-recovery-codes", o.owner, nil).want(200)
		tokens := make(chan string)
		const logins = 12
		for range logins {
			go func() {
				in := a.do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": testPassword})
				if in.status != 200 {
					tokens <- ""
					return
				}
				tokens <- in.text("data.accessToken")
			}()
		}
		entered := []string{<-tokens, <-tokens, <-tokens}
		o.set(object{"required": true}).want(200)
		for len(entered) < logins {
			entered = append(entered, <-tokens)
		}
		for _, token := range entered {
			if token != "" {
				a.do("GET", "/v1/me", bearer(token), nil).want(401)
			}
		}
	})
}
