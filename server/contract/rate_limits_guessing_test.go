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
	"assay/store/storetest/proxy"
)

// newIPs returns addresses in different networks.
func newIPs(n int) []string {
	ips := make([]string, n)
	for i := range ips {
		ips[i] = newIP()
	}
	return ips
}

// most returns the largest number of times in any window.
func most(times []time.Time, window time.Duration) int {
	largest := 0
	for i, first := range times {
		end := i
		for end < len(times) && times[end].Before(first.Add(window)) {
			end++
		}
		largest = max(largest, end-i)
	}
	return largest
}

// 60 networks guess the password of an account for two hours. Meanwhile its person signs
// in from a known network every ten minutes. Unknown networks together get at most 5
// hashes in any minute and 20 in any hour, and wait for at most three minutes for the next
// one. Only while the first burst is 45 to 60 minutes old, they wait longer, because 20 in
// an hour and one in three minutes cannot both hold. An account that does not exist gets
// the same responses.
func TestGuessingFromManyNetworks(t *testing.T) {
	onLimited(t, server.RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		o, home, attackers := a.register(), newIP(), newIPs(60)
		unknown := "nobody" + o.email
		a.signIn(home, o.email, testPassword).want(200)
		a.clock.Advance(time.Hour)
		began := a.store.Now()
		hashed := map[string][]time.Time{}
		guess := func(i int, email string) response {
			replica := []*api{a, b}[i%2]
			before := replica.store.PasswordHashes()
			answer := replica.signIn(attackers[i%len(attackers)], email, "a guess")
			for range replica.store.PasswordHashes() - before {
				hashed[email] = append(hashed[email], a.store.Now())
			}
			if answer.status != 401 {
				after, longest := a.store.Now().Sub(began), 180
				if after >= 45*time.Minute && after < time.Hour {
					longest = 900
				}
				if fields := answer.want(429).limits(); fields.retryAfter > longest {
					t.Errorf("after %s: Retry-After %d", after, fields.retryAfter)
				}
			}
			return answer
		}

		const step = 20 * time.Second
		for i := range int(2 * time.Hour / step) {
			for j := range map[bool]int{true: 60, false: 3}[i == 0] {
				known, other := guess(3*i+j, o.email), guess(3*i+j, unknown)
				if known.anonymous() != other.anonymous() || known.header.Get("RateLimit") != other.header.Get("RateLimit") {
					t.Fatalf("the responses reveal whether the account exists:\n%s\n%s", known.body, other.body)
				}
			}
			if i%30 == 0 {
				[]*api{a, b}[i/30%2].signIn(home, o.email, testPassword).want(200)
			}
			a.clock.Advance(step)
		}

		for _, email := range []string{o.email, unknown} {
			minute, hour := most(hashed[email], time.Minute), most(hashed[email], time.Hour)
			t.Logf("%s: %d hashes in two hours, at most %d in a minute and %d in an hour", email, len(hashed[email]),
				minute, hour)
			if minute != 5 || hour != 20 || len(hashed[email]) < 39 {
				t.Errorf("%s: at most %d hashes in a minute and %d in an hour, want 5 and 20", email, minute, hour)
			}
		}
		if answer := a.signIn(newIP(), o.email, testPassword); answer.status != 200 {
			answer.limited("login-account-hourly")
			a.clock.Advance(3 * time.Minute)
			a.signIn(newIP(), o.email, testPassword).want(200)
		}
	})
}

// At any moment when an attack ends, except the one that the test above names, an unknown
// network signs in within three minutes.
func TestUnknownNetworkAfterGuessing(t *testing.T) {
	onLimited(t, server.RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		for _, minutes := range []int{0, 1, 5, 30, 42, 60, 61, 75, 90} {
			o := a.register()
			for minute := range minutes + 1 {
				for range 6 {
					b.signIn(newIP(), o.email, "a guess")
				}
				if minute < minutes {
					a.clock.Advance(time.Minute)
				}
			}
			retry := a.signIn(newIP(), o.email, testPassword).limited("login-account-hourly")
			if retry > 180 {
				t.Errorf("after %d minutes: Retry-After %d", minutes, retry)
			}
			a.clock.Advance(time.Duration(retry)*time.Second - time.Millisecond)
			a.signIn(newIP(), o.email, testPassword).limited("login-account-hourly")
			a.clock.Advance(time.Millisecond)
			b.signIn(newIP(), o.email, testPassword).want(200)
		}
	})
}

// 60 networks that guess at the same moment get five hashes, on all replicas together.
func TestGuessingAtOnce(t *testing.T) {
	onLimited(t, server.RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		o, attackers := a.register(), newIPs(60)
		for _, email := range []string{o.email, "nobody@example.com"} {
			before := a.store.PasswordHashes() + b.store.PasswordHashes()
			answers := atOnce(len(attackers), func(i int) response {
				return []*api{a, b}[i%2].signIn(attackers[i], email, "a guess")
			})
			if got := statuses(answers); got[401] != 5 || got[429] != 55 {
				t.Errorf("%s: %v, want five 401 and 55 429", email, got)
			}
			if hashes := a.store.PasswordHashes() + b.store.PasswordHashes() - before; hashes != 5 {
				t.Errorf("%s: %d hashes, want 5", email, hashes)
			}
		}
	})
}

// A network from which the person has signed in has the limits of the account for itself.
// Registering, accepting an invitation, and signing in make a network known for 30 days,
// also after a sign-out. It is the person's, and not that of others behind the address.
func TestKnownNetworkHasItsOwnLimit(t *testing.T) {
	onLimited(t, server.RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		homes := newIPs(3)
		email := newEmail()
		a.from(homes[0], "POST", "/v1/auth/register", anonymous, object{
			"organizationName": "O", "name": "N", "email": email, "password": testPassword,
		}).want(201)
		b.signIn(homes[1], email, testPassword).want(200)
		in := a.signIn(homes[2], email, testPassword).want(200).tokens()
		a.logout(in.refresh).want(204)
		o := a.register()
		invited, office := o.add("MEMBER"), newIP()
		a.from(office, "POST", "/v1/auth/accept-invitation", anonymous,
			object{"token": invited.invitation(), "password": testPassword}).want(200)

		for range 6 { // uses up what the unknown networks share
			a.signIn(newIP(), email, "a guess")
			a.signIn(newIP(), invited.text("data.email"), "a guess")
		}
		b.signIn(office, invited.text("data.email"), testPassword).want(200)
		b.signIn(office, email, testPassword).limited("login-account-hourly")
		for i, home := range homes {
			for try := range 5 {
				[]*api{a, b}[try%2].signIn(home[:len(home)-1]+fmt.Sprint(try+2), email, "wrong").want(401)
			}
			a.signIn(home, email, testPassword).limited("login-account")
			for _, next := range homes[i+1:] {
				b.signIn(next, email, testPassword).want(200)
				a.clock.Advance(time.Minute)
			}
		}
	})
}

// Within an hour a known network has 20 attempts, as an account had before.
func TestKnownNetworkHourly(t *testing.T) {
	onLimited(t, server.RateLimits{}, signInLimits, func(t *testing.T, a, b *api) {
		o, home := a.register(), newIP()
		a.signIn(home, o.email, testPassword).want(200)
		for range 4 {
			for i := range 5 {
				[]*api{a, b}[i%2].signIn(home, o.email, "wrong").want(401)
			}
			a.clock.Advance(time.Minute)
		}
		if retry := b.signIn(home, o.email, testPassword).limited("login-account-hourly"); retry != 56*60 {
			t.Errorf("Retry-After %d, want %d", retry, 56*60)
		}
		a.clock.Advance(56 * time.Minute)
		b.signIn(home, o.email, testPassword).want(200)

		// The network stays known for 30 days, also when expired sign-ins are purged.
		for _, test := range []struct {
			after time.Duration
			known bool
		}{{30*24*time.Hour - time.Millisecond, true}, {30 * 24 * time.Hour, false}} {
			a.signIn(home, o.email, testPassword).want(200)
			a.clock.Advance(test.after)
			if err := storetest.Purge(t.Context(), a.store, time.Hour); err != nil {
				t.Fatal(err)
			}
			for range 6 {
				a.signIn(newIP(), o.email, "a guess")
			}
			if got := b.signIn(home, o.email, testPassword).status == 200; got != test.known {
				t.Errorf("%s after the sign-in the network is known: %t", test.after, got)
			}
			a.clock.Advance(time.Hour)
		}
	})
}

// What refused guesses write is bounded: nothing.
func TestRefusedGuessesWriteNothing(t *testing.T) {
	limits := signInLimits
	limits.LoginIP.Requests = 0
	onLimited(t, server.RateLimits{}, limits, func(t *testing.T, a, b *api) {
		o := a.register()
		for range 5 {
			a.signIn(newIP(), o.email, "a guess").want(401)
		}
		tables := []string{"rate_windows", "audit_log", "logins"}
		rows := func() (counts []int) {
			for _, table := range tables {
				counts = append(counts, storetest.Count(t, a.database, table))
			}
			return counts
		}
		before := rows()
		for range 50 {
			b.signIn(newIP(), o.email, "a guess").limited("login-account-hourly")
		}
		if after := rows(); !slices.Equal(after, before) {
			t.Errorf("rows of %v: %v, before %v", tables, after, before)
		}
	})
}

// With limits too, a guess from an unknown network runs the same statements whether or not
// the account exists: the first ones, those that a burst permits, and refused ones.
func TestGuessDoesNotRevealAccount(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		address, messages := a.database, func() string { return "" }
		if strings.HasPrefix(address, "postgres") {
			between, err := proxy.New(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = between.Close() })
			address, messages = between.URL(), between.Sent
		}
		a = serve(t, storetest.OpenURL(t, address, a.clock.Now, func(opts *store.Options) {
			opts.SignInLimits = signInLimits
		}), a.clock)

		// The first account prepares the statements. Its person has signed in from this network.
		emails := []string{a.register().email}
		for i := range 3 {
			emails = append(emails, fmt.Sprintf("nobody%d@example.com", i), a.register().email)
		}
		want := ""
		for i, email := range emails {
			messages() // discards earlier messages
			sent := ""
			for try := range 7 {
				a.signIn(newIP(), email, "a guess").want(map[bool]int{true: 401, false: 429}[try < 5])
				sent += messages() + "\n"
			}
			if i == 1 {
				want = sent
			}
			if i > 1 && sent != want {
				t.Errorf("%s: messages to PostgreSQL %q, want, as for another account, %q", email, sent, want)
			}
		}
		t.Logf("messages to PostgreSQL: %q", want)
	})
}
