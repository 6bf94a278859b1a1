package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
	"assay/store/storetest/proxy"
)

// failedLogin sends a wrong password. It returns the headers and the body of the
// response, without the parts that differ in every response.
func (a *api) failedLogin(email string) string {
	a.t.Helper()
	answer := a.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": "not the pass phrase"}).
		want(401, "invalid_credentials")
	var shown strings.Builder
	for _, name := range []string{"X-Request-Id", "Date"} {
		answer.header.Del(name)
	}
	_ = answer.header.Write(&shown)
	return shown.String() + answer.anonymous()
}

// invitedEmail invites a person and returns their email address. The person has no
// password.
func (o *tenant) invitedEmail() string { return o.add("MEMBER").text("data.email") }

// A failed login must not reveal whether the account exists. For known and unknown
// accounts, the response, the number of password hashes, and the database statements
// must be the same.
func TestFailedLoginDoesNotRevealAccount(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		database, messages := a.database, func() string { return "" }
		if strings.HasPrefix(database, "postgres") {
			between, err := proxy.New(t.Context(), database)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = between.Close() })
			a, messages = serve(t, storetest.OpenURL(t, between.URL(), a.clock.Now), a.clock), between.Sent
		}

		o := a.register()
		removed := o.add("ADMIN")
		a.do("DELETE", "/v1/members/"+removed.text("data.id"), o.owner, nil).want(204)
		emails := []string{o.email, strings.ToUpper(o.email), o.invitedEmail(), removed.text("data.email"),
			"nobody@example.com", "x", strings.Repeat("x", 250)}
		audited := storetest.Count(t, database, "audit_log")
		for _, email := range emails {
			a.failedLogin(email) // prepares every statement
		}
		bytes, statements := a.failedLogin(o.email), ""
		for range 3 {
			for _, email := range emails {
				messages() // discards earlier messages
				before := a.store.PasswordHashes()
				if got := a.failedLogin(email); got != bytes {
					t.Errorf("%.40s: %s\nwant, as for a known account: %s", email, got, bytes)
				}
				if hashes := a.store.PasswordHashes() - before; hashes != 1 {
					t.Errorf("%.40s: %d password hashes, want 1", email, hashes)
				}
				got := messages()
				if statements == "" {
					statements = got
				}
				if got != statements || strings.Contains(got, "E") != strings.HasPrefix(database, "postgres") {
					t.Errorf("%.40s: messages to PostgreSQL %q, want, as for a known account, %q", email, got, statements)
				}
			}
		}

		t.Logf("messages to PostgreSQL: %q", statements)
		if got := storetest.Count(t, database, "audit_log") - audited; got != 4*len(emails)+1 {
			t.Errorf("%d failed logins are in the audit log, want %d", got, 4*len(emails)+1)
		}
	})
}

// sample is a series of durations.
type sample []float64

func (s sample) mean() (mean, variance float64) {
	for _, value := range s {
		mean += value / float64(len(s))
	}
	for _, value := range s {
		variance += (value - mean) * (value - mean) / float64(len(s)-1)
	}
	return mean, variance
}

func (s sample) median() float64 {
	ordered := slices.Sorted(slices.Values(s))
	return ordered[len(ordered)/2]
}

// trimmed omits the slowest tenth, because other load on the machine causes it.
func (s sample) trimmed() sample {
	ordered := slices.Sorted(slices.Values(s))
	return ordered[:len(ordered)*9/10]
}

// Failed logins take the same time, whether or not the account exists.
func TestFailedLoginDurations(t *testing.T) {
	compareDurations(t, "/v1/auth/login", http.StatusUnauthorized, func(email string) object {
		return object{"email": email, "password": "wrong"}
	})
}

// compareDurations sends requests about known and unknown accounts in turn, and prints
// their durations with Welch's t. By chance, t is greater than 3 about once in several
// hundred runs. The test therefore fails only if the difference is too large to be chance.
func compareDurations(
	t *testing.T, path string, status int, body func(email string) object, changes ...func(*store.Options),
) {
	t.Helper()
	const tries = 600
	for _, database := range storetest.Databases {
		clock := storetest.NewClock()
		// its password hashes are cheap, so they hide differences less
		a := serve(t, storetest.OpenURL(t, storetest.URL(t, database), clock.Now, changes...), clock)
		o := a.register()
		took := map[string]sample{}

		for i := range 2 * tries {
			email, kind := o.email, "known"
			if i%2 == 1 {
				email, kind = fmt.Sprintf("nobody%d@example.com", i), "unknown"
			}
			encoded, err := json.Marshal(body(email))
			if err != nil {
				t.Fatal(err)
			}
			started := time.Now()
			answer, err := http.Post(a.url+path, "application/json", bytes.NewReader(encoded))
			elapsed := time.Since(started)
			if err != nil || answer.StatusCode != status {
				t.Fatal(answer, err)
			}
			_ = answer.Body.Close()
			if i >= 40 { // the first requests prepare statements
				took[kind] = append(took[kind], elapsed.Seconds()*1e6)
			}
		}

		known, knownVariance := took["known"].trimmed().mean()
		unknown, unknownVariance := took["unknown"].trimmed().mean()
		n := len(took["known"].trimmed())
		welch := (known - unknown) / math.Sqrt((knownVariance+unknownVariance)/float64(n))
		t.Logf("%s: known %.0f µs (median %.0f), unknown %.0f µs (median %.0f), "+
			"difference %+.1f µs, t = %.2f, n = %d each, without the slowest tenth",
			database, known, took["known"].median(), unknown, took["unknown"].median(), known-unknown, welch, n)
		if math.Abs(known-unknown) > max(known, unknown)/2 {
			t.Errorf("%s: the duration of %s reveals whether the account exists", database, path)
		}
	}
}
