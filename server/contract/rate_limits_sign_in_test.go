package contract

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/server"
	"assay/store"
	"assay/store/storetest"
)

var addresses atomic.Int64

// newIP returns an address in a network that no other request of the test run uses.
func newIP() string { return fmt.Sprintf("2001:db8:0:%x::1", addresses.Add(1)) }

// signIn sends a login request from an address.
func (a *api) signIn(ip, email, password string) response {
	a.t.Helper()
	return a.from(ip, "POST", "/v1/auth/login", anonymous, object{"email": email, "password": password})
}

// The login limit per account counts attempts on all replicas together, for every
// spelling of the email, from all unknown networks, with right and wrong passwords. An
// email without an account gets the same responses, so that they reveal nothing.
func TestLoginLimitPerAccount(t *testing.T) {
	limits := store.SignInLimits{LoginAccount: signInLimits.LoginAccount}
	onLimited(t, server.RateLimits{}, limits, func(t *testing.T, a, b *api) {
		o, stranger := a.register(), a.register()
		unknown := "nobody" + o.email
		shown := map[string]string{}

		for _, email := range []string{o.email, unknown} {
			right := map[string]int{o.email: 200, unknown: 401}[email]
			a.clock.Advance(10 * time.Minute)
			a.signIn(newIP(), email, testPassword).want(right)
			b.signIn(newIP(), strings.ToUpper(email), "wrong").want(401, "invalid_credentials")
			a.clock.Advance(20*time.Second - time.Millisecond)
			a.signIn(newIP(), strings.ToUpper(email[:1])+email[1:], testPassword).want(right)
			b.signIn(newIP(), email, "wrong").want(401, "invalid_credentials")
			a.signIn(newIP(), email, testPassword).want(right)

			for _, replica := range []*api{a, b} {
				for _, spelling := range []string{email, strings.ToUpper(email)} {
					hashes := replica.store.PasswordHashes()
					refused := replica.signIn(newIP(), spelling, testPassword)
					if retry := refused.limited("login-account"); retry != 41 {
						t.Errorf("%s: Retry-After %d, want 41, which is 40.001 rounded up", refused.name, retry)
					}
					if fields := refused.limits(); fields.quota != 5 || fields.window != 60 || fields.reset != 41 {
						t.Errorf("%s: the rate limit headers are %+v", refused.name, fields)
					}
					if replica.store.PasswordHashes() != hashes {
						t.Errorf("%s: computed a password hash", refused.name)
					}
					shown[email] = refused.anonymous() + fmt.Sprint(refused.limits())
				}
			}

			a.signIn(newIP(), stranger.email, testPassword).want(200)

			// Rejected attempts do not extend the wait.
			for range 20 {
				a.clock.Advance(2 * time.Second)
				b.signIn(newIP(), email, testPassword).limited("login-account")
			}
			a.clock.Advance(time.Second)
			b.signIn(newIP(), email, testPassword).want(right)
		}

		if shown[o.email] != shown[unknown] {
			t.Errorf("the responses reveal whether the account exists:\n%s\n%s", shown[o.email], shown[unknown])
		}
	})
}

// A password change checks the current password, so it is limited like a login: a stolen
// access token would allow unlimited guesses otherwise. Each login has a bucket of its
// own, so that strangers cannot prevent a change.
func TestPasswordChangeLimit(t *testing.T) {
	onLimited(t, server.RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		o, stranger := a.register(), a.register()
		own := a.login(o.email)
		for range 6 {
			a.signIn(newIP(), o.email, "a guess")
		}
		for i := range 5 {
			[]*api{a, b}[i%2].changePassword(o.access, "a guess", otherPassword).want(401, "invalid_credentials")
		}
		hashes := a.store.PasswordHashes() + b.store.PasswordHashes()
		if retry := b.changePassword(o.access, testPassword, otherPassword).limited("login-account"); retry != 60 {
			t.Errorf("Retry-After %d, want 60", retry)
		}
		if a.store.PasswordHashes()+b.store.PasswordHashes() != hashes {
			t.Error("computed a password hash")
		}
		a.me(o.access).want(200)
		a.changePassword(stranger.access, testPassword, otherPassword).want(204)
		b.changePassword(own.access, testPassword, otherPassword).want(204)

		for range 3 {
			a.clock.Advance(time.Minute)
			for range 5 {
				a.changePassword(own.access, "a guess", testPassword).want(401, "invalid_credentials")
			}
		}
		a.clock.Advance(time.Minute)
		for range 4 {
			a.changePassword(own.access, "a guess", testPassword).want(401, "invalid_credentials")
		}
		b.changePassword(own.access, otherPassword, testPassword).limited("login-account-hourly")
		a.clock.Advance(56 * time.Minute)
		own = a.refresh(own.refresh).want(200).tokens()
		b.changePassword(own.access, otherPassword, testPassword).want(204)
	})
}

// The limit per network is checked before the limit per account. A network that
// exceeds its limit therefore cannot use up the attempts of an account.
func TestLoginLimitPerNetwork(t *testing.T) {
	onLimited(t, server.RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		o := a.register()
		network := strings.TrimSuffix(newIP(), "::1")
		host := func(i int) string { return fmt.Sprintf("%s:%x:1:2:3", network, i) }
		for i := range 30 {
			[]*api{a, b}[i%2].signIn(host(i), fmt.Sprintf("guess%d@example.com", i), "wrong").want(401)
		}
		for i := range 40 {
			refused := []*api{a, b}[i%2].signIn(host(100+i), o.email, testPassword)
			if retry := refused.limited("login-ip"); retry != 60 {
				t.Errorf("Retry-After %d, want 60", retry)
			}
			if fields := refused.limits(); fields.quota != 30 || fields.window != 60 {
				t.Errorf("the rate limit headers are %+v", fields)
			}
		}

		for range 5 {
			a.signIn(newIP(), o.email, testPassword).want(200)
		}
		a.signIn(newIP(), o.email, testPassword).limited("login-account-hourly")
		a.clock.Advance(3 * time.Minute)
		b.signIn(host(1), o.email, testPassword).want(200)
	})
}

// The registration limit per network counts every registration, whether it succeeds
// or not. It does not affect logins or other networks.
func TestRegistrationLimit(t *testing.T) {
	onLimited(t, server.RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		register := func(replica *api, ip, email, password string) response {
			return replica.from(ip, "POST", "/v1/auth/register", anonymous, object{
				"organizationName": "O", "name": "N", "email": email, "password": password,
			})
		}

		o, ip := a.register(), newIP()
		for i := range 10 {
			replica := []*api{a, b}[i%2]
			switch i % 3 {
			case 0:
				register(replica, ip, fmt.Sprintf("r%d.%s", i, o.email), testPassword).want(201)
			case 1:
				register(replica, ip, o.email, testPassword).want(409, "email_taken")
			case 2:
				register(replica, ip, "x"+o.email, "012345678901").want(400)
			}
		}

		for _, replica := range []*api{a, b} {
			hashes := replica.store.PasswordHashes()
			refused := register(replica, ip, "y"+o.email, testPassword)
			if retry := refused.limited("register-ip"); retry != 3600 {
				t.Errorf("Retry-After %d, want 3600", retry)
			}
			if fields := refused.limits(); fields.quota != 10 || fields.window != 3600 {
				t.Errorf("the rate limit headers are %+v", fields)
			}
			if replica.store.PasswordHashes() != hashes {
				t.Error("computed a password hash")
			}
		}

		register(b, newIP(), "y"+o.email, testPassword).want(201)
		a.signIn(ip, o.email, testPassword).want(200)
		a.clock.Advance(time.Hour)
		register(b, ip, "z"+o.email, testPassword).want(201)
	})
}

// When several limits apply, a 429 names the limit that rejected the request.
func TestSeveralLimits(t *testing.T) {
	onLimited(t, replicaLimits, signInLimits, func(t *testing.T, a, _ *api) {
		ip := newIP()
		for i := range 70 {
			email := "one@example.com"
			if i >= 6 {
				email = fmt.Sprintf("another%d@example.com", i)
			}
			answer := a.signIn(ip, email, "wrong")
			switch {
			case i == 5:
				answer.limited("login-account-hourly")
			case i < 30:
				if fields := answer.want(401).limits(); fields.policy != "anonymous-ip" || fields.left != 59-i {
					t.Errorf("the rate limit headers are %+v", fields)
				}
			case i < 60:
				answer.limited("login-ip")
			default:
				answer.limited("anonymous-ip")
			}
		}
	})
}

// The limit is exact for concurrent attempts on several replicas.
func TestLoginLimitAtOnce(t *testing.T) {
	limits := store.SignInLimits{LoginAccount: signInLimits.LoginAccount}
	onLimited(t, server.RateLimits{}, limits, func(t *testing.T, a, b *api) {
		o := a.register()
		for _, email := range []string{o.email, "nobody@example.com"} {
			hashes := a.store.PasswordHashes() + b.store.PasswordHashes()
			answers := atOnce(200, func(i int) response {
				return []*api{a, b}[i%2].do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": "wrong"})
			})
			if got := statuses(answers); got[401] != 5 || got[429] != 195 {
				t.Errorf("%s: %v, want five 401 and 195 429", email, got)
			}
			if hashes = a.store.PasswordHashes() + b.store.PasswordHashes() - hashes; hashes != 5 {
				t.Errorf("%s: computed %d password hashes, want 5", email, hashes)
			}
		}

		a.clock.Advance(time.Minute)
		a.login(o.email)
	})
}

// The purge removes expired rate windows and keeps the others. A kept window
// continues to count.
func TestRateWindowPurge(t *testing.T) {
	limits := store.SignInLimits{LoginAccount: signInLimits.LoginAccount}
	onLimited(t, server.RateLimits{}, limits, func(t *testing.T, a, _ *api) {
		const accounts, current = 1050, 7 // more accounts than one batch of the purge
		try := func(email string) {
			if _, err := a.store.Login(context.Background(), store.Scope{},
				store.Credentials{Email: email, Password: "wrong"}); err == nil {
				t.Fatal("the login succeeded")
			}
		}

		for i := range accounts {
			try(fmt.Sprintf("%d@example.com", i))
		}
		rows := func() int { return storetest.Count(t, a.database, "rate_windows") }
		if got := rows(); got != accounts {
			t.Errorf("%d windows, want %d", got, accounts)
		}
		a.clock.Advance(30 * time.Second)
		for i := range current {
			try(fmt.Sprintf("lasting%d@example.com", i))
		}
		a.clock.Advance(31 * time.Second)
		if err := storetest.Purge(context.Background(), a.store, 24*time.Hour); err != nil {
			t.Fatal(err)
		}
		if got := rows(); got != current {
			t.Errorf("%d windows remain, want %d", got, current)
		}
		for range 4 {
			try("lasting0@example.com")
		}
		a.signIn(newIP(), "lasting0@example.com", "wrong").limited("login-account")
	})
}

// The start of a sign-in with a provider computes no hash, so it does not use up the limit of sign-ins with a password.
func TestProviderSignInsAreNoLogins(t *testing.T) {
	limits := store.SignInLimits{LoginIP: signInLimits.LoginIP}
	onLimited(t, server.RateLimits{}, limits, func(t *testing.T, a, _ *api) {
		o, ip := a.register(), newIP()
		for range limits.LoginIP.Requests + 1 {
			a.from(ip, "POST", "/v1/auth/sign-in-provider", anonymous, object{"email": o.email}).want(200)
		}
		a.signIn(ip, o.email, testPassword).want(200)
	})
}

// A stranger can make sign-ins with a provider fail, but not fill the audit log.
func TestFailedProviderSignInsInAuditLog(t *testing.T) {
	limits := store.SignInLimits{LoginIP: signInLimits.LoginIP}
	onLimited(t, server.RateLimits{}, limits, func(t *testing.T, a, _ *api) {
		o := a.register()
		for range limits.LoginIP.Requests + 3 {
			from := store.Origin{IP: "203.0.113.7"}
			if err := a.store.UnscopedProviderSignInFailed(t.Context(), from, o.organizationID, "provider_failed"); err != nil {
				t.Fatal(err)
			}
		}
		if got := len(o.auditedActions("PROVIDER_SIGN_IN_FAILED")); got != limits.LoginIP.Requests {
			t.Errorf("%d entries, want %d", got, limits.LoginIP.Requests)
		}
		a.signIn("203.0.113.7", o.email, testPassword).want(200)
	})
}
