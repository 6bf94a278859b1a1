package server

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

var stations atomic.Int64

// elsewhere is an address of a network that no other request of the test run came from.
func elsewhere() string { return fmt.Sprintf("2001:db8:0:%x::1", stations.Add(1)) }

func (a *api) signIn(ip, email, password string) response {
	a.t.Helper()
	return a.from(ip, "POST", "/v1/auth/login", nobody, object{"email": email, "password": password})
}

// An account is guarded on all replicas together, however it is spelt, from
// wherever it is tried, and with whichever password; that it is not there is
// no difference.
func TestLoginLimitOfAccount(t *testing.T) {
	onLimited(t, RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		o, stranger := a.register(), a.register()
		unknown := "nobody" + o.email
		shown := map[string]string{}
		for _, email := range []string{o.email, unknown} {
			right := map[string]int{o.email: 200, unknown: 401}[email]
			a.clock.Advance(10 * time.Minute)
			a.signIn(elsewhere(), email, testPassword).want(right)
			b.signIn(elsewhere(), strings.ToUpper(email), "wrong").want(401, "invalid_credentials")
			a.clock.Advance(20*time.Second - time.Millisecond)
			a.signIn(elsewhere(), strings.ToUpper(email[:1])+email[1:], testPassword).want(right)
			b.signIn(elsewhere(), email, "wrong").want(401, "invalid_credentials")
			a.signIn(elsewhere(), email, testPassword).want(right)
			for _, replica := range []*api{a, b} {
				for _, spelt := range []string{email, strings.ToUpper(email)} {
					hashes := replica.store.PasswordHashes()
					refused := replica.signIn(elsewhere(), spelt, testPassword)
					if retry := refused.limited("login-account"); retry != 41 {
						t.Errorf("%s: Retry-After %d, want 41: 40.001 seconds", refused.name, retry)
					}
					if fields := refused.limits(); fields.quota != 5 || fields.window != 60 || fields.reset != 41 {
						t.Errorf("%s: %+v", refused.name, fields)
					}
					if replica.store.PasswordHashes() != hashes {
						t.Errorf("%s: a hash was computed", refused.name)
					}
					shown[email] = refused.anonymous() + fmt.Sprint(refused.limits())
				}
			}
			a.signIn(elsewhere(), stranger.email, testPassword).want(200)
			// Trying on makes it no longer.
			for range 20 {
				a.clock.Advance(2 * time.Second)
				b.signIn(elsewhere(), email, testPassword).limited("login-account")
			}
			a.clock.Advance(time.Second)
			b.signIn(elsewhere(), email, testPassword).want(right)
		}
		if shown[o.email] != shown[unknown] {
			t.Errorf("the refusals tell whether there is an account:\n%s\n%s", shown[o.email], shown[unknown])
		}
	})
}

func TestLoginLimitOfAccountHourly(t *testing.T) {
	onLimited(t, RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		o := a.register()
		for range 2 { // nobody is locked out for good
			for range 4 {
				for i := range 5 {
					[]*api{a, b}[i%2].signIn(elsewhere(), o.email, "wrong").want(401)
				}
				b.signIn(elsewhere(), o.email, "wrong").limited("login-account") // is not counted in the hour
				a.clock.Advance(time.Minute)
			}
			for range 3 {
				for _, replica := range []*api{a, b} {
					refused := replica.signIn(elsewhere(), o.email, testPassword)
					refused.limited("login-account-hourly")
					if fields := refused.limits(); fields.quota != 20 || fields.window != 3600 {
						t.Errorf("%+v", fields)
					}
				}
				a.clock.Advance(time.Minute)
			}
			retry := a.signIn(elsewhere(), o.email, testPassword).limited("login-account-hourly")
			if retry != 53*60 {
				t.Errorf("Retry-After %d, want %d", retry, 53*60)
			}
			a.clock.Advance(seconds(float64(retry)) - time.Millisecond)
			a.signIn(elsewhere(), o.email, testPassword).limited("login-account-hourly")
			a.clock.Advance(time.Millisecond)
			a.signIn(elsewhere(), o.email, testPassword).want(200)
			a.clock.Advance(time.Hour)
		}
	})
}

// Trying passwords in a change of password is trying them, and costs as much.
func TestLoginLimitHoldsForPasswordChanges(t *testing.T) {
	onLimited(t, RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		o, stranger := a.register(), a.register()
		for i := range 5 {
			[]*api{a, b}[i%2].changePassword(o.access, "a guess", otherPassword).want(401, "invalid_credentials")
		}
		hashes := a.store.PasswordHashes() + b.store.PasswordHashes()
		if retry := b.changePassword(o.access, testPassword, otherPassword).limited("login-account"); retry != 60 {
			t.Errorf("Retry-After %d, want 60", retry)
		}
		a.signIn(elsewhere(), o.email, testPassword).limited("login-account")
		if a.store.PasswordHashes()+b.store.PasswordHashes() != hashes {
			t.Error("a hash was computed")
		}
		a.me(o.access).want(200)
		a.changePassword(stranger.access, testPassword, otherPassword).want(204)
		a.clock.Advance(time.Minute)
		a.changePassword(o.access, testPassword, otherPassword).want(204)
	})
}

// A network is counted before the account, so that one that is over its limit
// cannot use up what an account has.
func TestLoginLimitOfNetwork(t *testing.T) {
	onLimited(t, RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		o := a.register()
		network := strings.TrimSuffix(elsewhere(), "::1")
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
				t.Errorf("%+v", fields)
			}
		}
		for range 5 {
			a.signIn(elsewhere(), o.email, testPassword).want(200)
		}
		a.signIn(elsewhere(), o.email, testPassword).limited("login-account")
		a.clock.Advance(time.Minute)
		b.signIn(host(1), o.email, testPassword).want(200)
	})
}

func TestRegistrationLimit(t *testing.T) {
	onLimited(t, RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		register := func(replica *api, ip, email, password string) response {
			return replica.from(ip, "POST", "/v1/auth/register", nobody, object{
				"organizationName": "O", "name": "N", "email": email, "password": password,
			})
		}
		o, here := a.register(), elsewhere()
		for i := range 10 {
			replica := []*api{a, b}[i%2]
			switch i % 3 {
			case 0:
				register(replica, here, fmt.Sprintf("r%d.%s", i, o.email), testPassword).want(201)
			case 1:
				register(replica, here, o.email, testPassword).want(409, "email_taken")
			case 2:
				register(replica, here, "x"+o.email, "012345678901").want(400)
			}
		}
		for _, replica := range []*api{a, b} {
			hashes := replica.store.PasswordHashes()
			refused := register(replica, here, "y"+o.email, testPassword)
			if retry := refused.limited("register-ip"); retry != 3600 {
				t.Errorf("Retry-After %d, want 3600", retry)
			}
			if fields := refused.limits(); fields.quota != 10 || fields.window != 3600 {
				t.Errorf("%+v", fields)
			}
			if replica.store.PasswordHashes() != hashes {
				t.Error("a hash was computed")
			}
		}
		register(b, elsewhere(), "y"+o.email, testPassword).want(201)
		a.signIn(here, o.email, testPassword).want(200)
		a.clock.Advance(time.Hour)
		register(b, here, "z"+o.email, testPassword).want(201)
	})
}

// Each refusal names the limit that refused, however many hold.
func TestLimitsTogether(t *testing.T) {
	onLimited(t, replicaLimits, signInLimits, func(t *testing.T, a, _ *api) {
		here := elsewhere()
		for i := range 70 {
			email := "one@example.com"
			if i >= 6 {
				email = fmt.Sprintf("another%d@example.com", i)
			}
			answer := a.signIn(here, email, "wrong")
			switch {
			case i == 5:
				answer.limited("login-account")
			case i < 30:
				if fields := answer.want(401).limits(); fields.policy != "anonymous-ip" || fields.left != 59-i {
					t.Errorf("%+v", fields)
				}
			case i < 60:
				answer.limited("login-ip")
			default:
				answer.limited("anonymous-ip")
			}
		}
	})
}

// However many come at once, on however many replicas, the limit is exact.
func TestLoginLimitAtOnce(t *testing.T) {
	onLimited(t, RateLimits{}, store.SignInLimits{LoginAccount: signInLimits.LoginAccount}, func(t *testing.T, a, b *api) {
		o := a.register()
		for _, email := range []string{o.email, "nobody@example.com"} {
			hashes := a.store.PasswordHashes() + b.store.PasswordHashes()
			answers := atOnce(200, func(i int) response {
				return []*api{a, b}[i%2].do("POST", "/v1/auth/login", nobody, object{"email": email, "password": "wrong"})
			})
			if got := statuses(answers); got[401] != 5 || got[429] != 195 {
				t.Errorf("%s: %v, want 5 through", email, got)
			}
			if hashes = a.store.PasswordHashes() + b.store.PasswordHashes() - hashes; hashes != 5 {
				t.Errorf("%s: %d hashes", email, hashes)
			}
		}
		a.clock.Advance(time.Minute)
		a.login(o.email)
	})
}

// Windows that are over are removed, and those that are not are kept.
func TestRateWindowsArePurged(t *testing.T) {
	onLimited(t, RateLimits{}, store.SignInLimits{LoginAccount: signInLimits.LoginAccount}, func(t *testing.T, a, _ *api) {
		const accounts, lasting = 1050, 7 // more than a batch of the purge
		try := func(email string) {
			if _, err := a.store.Login(context.Background(), store.Scope{}, email, "wrong"); err == nil {
				t.Fatal("signed in")
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
		for i := range lasting {
			try(fmt.Sprintf("lasting%d@example.com", i))
		}
		a.clock.Advance(31 * time.Second)
		if err := a.store.UnscopedPurge(context.Background(), 24*time.Hour); err != nil {
			t.Fatal(err)
		}
		if got := rows(); got != lasting {
			t.Errorf("%d windows are left, want %d", got, lasting)
		}
		for range 4 {
			try("lasting0@example.com")
		}
		a.signIn(elsewhere(), "lasting0@example.com", "wrong").limited("login-account")
	})
}
