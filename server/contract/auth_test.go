package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// signedIn contains the tokens of one login.
type signedIn struct{ access, refresh string }

func (r response) tokens() signedIn {
	r.t.Helper()
	return signedIn{r.text("data.accessToken"), r.text("data.refreshToken")}
}

// login signs a person in with testPassword.
func (a *api) login(email string) signedIn {
	a.t.Helper()
	return a.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": testPassword}).want(200).tokens()
}

func (a *api) refresh(token string) response {
	a.t.Helper()
	return a.do("POST", "/v1/auth/refresh", anonymous, object{"refreshToken": token})
}

func (a *api) logout(token string) response {
	a.t.Helper()
	return a.do("POST", "/v1/auth/logout", anonymous, object{"refreshToken": token})
}

// me sends a request with an access token.
func (a *api) me(access string) response {
	a.t.Helper()
	return a.do("GET", "/v1/me", bearer(access), nil)
}

// wantRejected fails the test unless the server rejects every token of a login.
func (a *api) wantRejected(in signedIn) {
	a.t.Helper()
	a.me(in.access).want(401, "unauthenticated")
	a.refresh(in.refresh).want(401, "unauthenticated")
}

// wantValid fails the test unless the tokens of a login are valid. It refreshes the
// login and returns the new tokens.
func (a *api) wantValid(in signedIn) signedIn {
	a.t.Helper()
	a.me(in.access).want(200)
	return a.refresh(in.refresh).want(200).tokens()
}

// anonymous returns the body without the request id.
func (r response) anonymous() string {
	r.t.Helper()
	return strings.ReplaceAll(string(r.body), r.text("requestId"), "")
}

// Registration rejects weak passwords and email addresses that are in use. Case does not
// distinguish email addresses.
func TestRegister(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		email := "Ada.Lovelace" + run + "+test@Example.com"
		body := func(password string) object {
			return object{"organizationName": "Analytical Engines", "name": "Augusta Ada King", "email": email,
				"password": password}
		}

		for password, code := range map[string]string{
			"elevenchars":                     "too_short",
			"ééééééééééé":                     "too_short", // characters, not bytes
			strings.Repeat("pass phrase", 12): "too_long",
			"PasswordPassword":                "too_common",
			"012345678901":                    "too_common",
			"zzzzzzzzzzzzzzzz":                "too_common",
			strings.ToUpper(email):            "too_common",
			"analytical engines":              "too_common",
			"augusta ada king":                "too_common",
		} {
			refused := a.do("POST", "/v1/auth/register", anonymous, body(password)).want(400, "invalid_request")
			if got := refused.faults(); !slices.Equal(got, []string{"body /password " + code}) {
				t.Errorf("%s: %v, want %s", password, got, code)
			}
			if strings.Contains(string(refused.body), password) {
				t.Errorf("the response contains the password: %s", refused.body)
			}
		}
		made := a.do("POST", "/v1/auth/register", anonymous, body("ädaädaädaäda")).want(201)
		made.wantFields(object{
			"data.user.name": "Augusta Ada King", "data.user.email": email,
			"data.organization.name": "Analytical Engines", "data.organization.redirectUrl": nil,
			"data.organization.inviteExpiryDays": 14,
		})
		a.do("GET", made.header.Get("Location"), bearer(made.tokens().access), nil).want(200).wantFields(object{
			"data.role": "OWNER", "data.id": made.at("data.user.id"), "data.organization": made.at("data.organization"),
		})
		a.wantValid(made.tokens())

		for _, taken := range []string{email, strings.ToLower(email), strings.ToUpper(email)} {
			again := body(testPassword)
			again["email"] = taken
			refused := a.do("POST", "/v1/auth/register", anonymous, again).want(409, "email_taken")
			if got := refused.faults(); !slices.Equal(got, []string{"body /email duplicate"}) {
				t.Errorf("registration with %s: field errors %v", taken, got)
			}
		}

		// Of concurrent registrations with one email, exactly one succeeds.
		answers := atOnce(10, func(int) response {
			return a.do("POST", "/v1/auth/register", anonymous, object{
				"organizationName": "O", "name": "N", "email": "race" + run + "@example.com", "password": testPassword,
			})
		})

		if got := statuses(answers); got[201] != 1 || got[409] != 9 {
			t.Errorf("concurrent registrations: %v, want one 201 and nine 409", got)
		}
	})
}

// A failed login must not reveal whether the account exists. The response is always
// the same, and the server always computes one password hash.
func TestLoginDoesNotRevealAccount(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		var rejection string
		for _, test := range []struct {
			email, password string
			status          int
		}{
			{o.email, testPassword, 200},
			{strings.ToUpper(o.email), testPassword, 200},
			{o.email, testPassword + " ", 401},
			{o.email, strings.ToUpper(testPassword), 401},
			{o.email, "x", 401},
			{o.email, strings.Repeat("x", 512), 401},
			{"nobody@example.com", testPassword, 401},
			{" " + o.email, testPassword, 401},
			{"no address", "x", 401},
			{"' OR '1'='1", testPassword, 401},
		} {
			before := a.store.PasswordHashes()
			answer := a.do("POST", "/v1/auth/login", anonymous, object{"email": test.email, "password": test.password}).
				want(test.status)
			if hashes := a.store.PasswordHashes() - before; hashes != 1 {
				t.Errorf("%s: %d password hashes, want 1", test.email, hashes)
			}
			if test.status == 200 {
				answer.wantFields(object{"data.user.email": o.email, "data.user.name": "Ada Lovelace"})
				a.wantValid(answer.tokens())
				continue
			}

			answer.want(401, "invalid_credentials")
			if rejection == "" {
				rejection = answer.anonymous()
			}
			if answer.anonymous() != rejection || answer.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: %v %s\nwant %s", test.email, answer.header, answer.body, rejection)
			}
		}
	})
}

// An access token is valid for 15 minutes. After that, the client can refresh it.
func TestAccessTokenLifetime(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		in := a.login(a.register().email)
		a.clock.Advance(15*time.Minute - time.Second) // tokens count whole seconds
		a.me(in.access).want(200)
		a.clock.Advance(time.Second)
		expired := a.me(in.access).want(401, "token_expired")
		if challenge := expired.header.Get("WWW-Authenticate"); !strings.Contains(challenge, `error="invalid_token"`) {
			t.Errorf("WWW-Authenticate is %s, want error=\"invalid_token\"", challenge)
		}
		a.wantValid(a.refresh(in.refresh).want(200).tokens())
	})
}

// A client may repeat a refresh because the response was lost or because two tabs
// refresh concurrently. Such repetitions return the same tokens, byte for byte.
func TestConcurrentRefreshesHaveOneSuccessor(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		in := a.login(a.register().email)
		for range 3 {
			answers := atOnce(100, func(i int) response { return []*api{a, b}[i%2].refresh(in.refresh) })
			distinct := map[string]int{}
			for _, answer := range answers {
				distinct[fmt.Sprint(answer.status, " ", string(answer.body))]++
			}
			if len(distinct) != 1 || answers[0].status != 200 {
				t.Fatalf("want one response for all, got %v", distinct)
			}
			successor := answers[0].tokens()
			if successor.access == in.access || successor.refresh == in.refresh { // within the same second, too
				t.Error("a token was not rotated")
			}
			in = successor
		}

		a.wantValid(in)
	})
}

// A refresh token that is sent again long after its rotation may be stolen, so the server
// ends the login. Within 30 seconds it is taken for a retry, and the response is repeated.
func TestRefreshTokenReuse(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		for name, test := range map[string]struct {
			rotations int           // since the token that the test sends again
			after     time.Duration // after the last rotation
			reused    bool          // the server must take it for reuse
		}{
			"at once":                            {1, 0, false},
			"half a minute later":                {1, 30 * time.Second, false},
			"after half a minute":                {1, 30*time.Second + time.Millisecond, true},
			"a day later":                        {1, 24 * time.Hour, true},
			"two rotations old":                  {2, 0, true},
			"seven rotations old, an hour later": {7, time.Hour, true},
		} {
			in, other := a.login(o.email), a.login(o.email)
			old := in.refresh
			var last response
			for range test.rotations {
				a.clock.Advance(time.Second)
				last = a.refresh(in.refresh).want(200)
				in = last.tokens()
			}

			b.me(in.access).want(200) // both replicas cache the login as valid
			a.clock.Advance(test.after)
			answer := a.refresh(old)
			if !test.reused {
				if answer.status != 200 || string(answer.body) != string(last.body) {
					t.Errorf("%s: %d %s\nfirst response %s", name, answer.status, answer.body, last.body)
				}
				a.wantValid(in)
				continue
			}

			answer.want(401, "unauthenticated")
			if test.after < 15*time.Minute {
				a.me(in.access).want(401, "unauthenticated")
				a.clock.Advance(time.Second)
				b.me(in.access).want(401, "unauthenticated")
			}

			for _, replica := range []*api{a, b} {
				replica.refresh(in.refresh).want(401, "unauthenticated")
				replica.refresh(old).want(401, "unauthenticated")
			}
			a.refresh(other.refresh).want(200) // other logins stay valid
		}
	})
}

// A refresh token is valid for seven days.
func TestRefreshTokenExpires(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		in := a.login(o.email)
		a.clock.Advance(7*24*time.Hour - time.Second)
		in = a.refresh(in.refresh).want(200).tokens() // valid for another seven days
		a.clock.Advance(7*24*time.Hour - time.Second)
		a.refresh(in.refresh).want(200)
		in = a.login(o.email)
		a.clock.Advance(7 * 24 * time.Hour)
		a.refresh(in.refresh).want(401, "token_expired")
		a.logout(in.refresh).want(401, "token_expired")
	})
}

// A login ends 30 days after it was made, even if the client refreshes it every day.
func TestLoginMaximumLifetime(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		in := a.login(a.register().email)
		end := a.store.Now().Truncate(time.Second).Add(30 * 24 * time.Hour)
		for range 29 {
			a.clock.Advance(24 * time.Hour)
			in = a.wantValid(a.refresh(in.refresh).want(200).tokens())
		}
		a.setClock(end.Add(-10 * time.Minute))
		in = a.refresh(in.refresh).want(200).tokens()
		a.setClock(end.Add(-time.Second))
		a.me(in.access).want(200)
		in = a.refresh(in.refresh).want(200).tokens()
		a.clock.Advance(2 * time.Second)
		a.me(in.access).want(401)
		a.refresh(in.refresh).want(401)
	})
}

// A logout ends the access and refresh tokens of one login, on every replica.
func TestLogoutEndsAccess(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		in, other := a.login(o.email), a.login(o.email)
		b.me(in.access).want(200)
		if answer := a.logout(in.refresh).want(204); len(answer.body) != 0 {
			t.Errorf("the response has a body: %s", answer.body)
		}
		a.wantRejected(in)
		b.refresh(in.refresh).want(401, "unauthenticated")
		a.clock.Advance(time.Second)
		b.wantRejected(in)
		for _, replica := range []*api{a, b} {
			replica.logout(in.refresh).want(204) // a repeated logout succeeds
		}
		other = a.wantValid(other)
		replaced := other.refresh
		other = a.wantValid(other)
		a.logout(replaced).want(204) // an older refresh token of the login also ends it
		a.wantRejected(other)
	})
}

// If a refresh and a logout of the same login are concurrent, the tokens of the
// refresh must be invalid afterwards.
func TestLogoutAgainstRefresh(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		for range 15 {
			in := a.login(o.email)
			answers := atOnce(4, func(i int) response {
				if i == 0 {
					return a.logout(in.refresh)
				}
				return []*api{a, b}[i%2].refresh(in.refresh)
			})

			answers[0].want(204)
			a.clock.Advance(time.Second)
			for _, replica := range []*api{a, b} {
				replica.wantRejected(in)
				for _, answer := range answers[1:] {
					if answer.status == 200 {
						replica.wantRejected(answer.tokens())
					}
				}
			}
		}
	})
}
