package server

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
	"assay/store/storetest/proxy"
)

// A request for a link must not reveal whether the account exists. For known and unknown
// accounts, the response and the database statements must be the same.
func TestForgotPasswordDoesNotRevealAccount(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		messages := func() string { return "" }
		if strings.HasPrefix(a.database, "postgres") {
			between, err := proxy.New(t.Context(), a.database)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = between.Close() })
			a, messages = serve(t, storetest.OpenURL(t, between.URL(), a.clock.Now, sendsEmail), a.clock), between.Sent
		}
		o := a.register()
		removed := o.member("ADMIN")
		a.remove(o.owner, removed.id).want(204)
		emails := []string{o.email, strings.ToUpper(o.email), o.invitedEmail(), removed.email, "nobody@example.com"}
		ask := func(email string) string {
			answer := a.forgot(email).want(202)
			for _, name := range []string{"X-Request-Id", "Date"} {
				answer.header.Del(name)
			}
			var shown strings.Builder
			_ = answer.header.Write(&shown)
			return shown.String() + string(answer.body)
		}
		for _, email := range emails {
			ask(email) // prepares every statement
		}
		bytes, statements := ask(o.email), ""
		for range 3 {
			for _, email := range emails {
				messages() // discards earlier messages
				if got := ask(email); got != bytes {
					t.Errorf("%s: %s\nwant, as for a known account: %s", email, got, bytes)
				}
				got := messages()
				if statements == "" {
					statements = got
				}
				if got != statements {
					t.Errorf("%s: messages to PostgreSQL %q, want, as for a known account, %q", email, got, statements)
				}
			}
		}
		t.Logf("messages to PostgreSQL: %q", statements)
	}, sendsEmail)
}

// The test prints the durations of requests with Welch's t, as TestFailedLoginDurations, and
// fails only if the difference is too large to be chance.
func TestForgotPasswordDurations(t *testing.T) {
	const tries = 600
	for _, database := range storetest.Databases {
		clock := storetest.NewClock()
		a := serve(t, storetest.OpenURL(t, storetest.URL(t, database), clock.Now, sendsEmail), clock)
		o := a.register()
		took := map[string]sample{}
		for i := range 2 * tries {
			email, kind := o.email, "known"
			if i%2 == 1 {
				email, kind = fmt.Sprintf("nobody%d@example.com", i), "unknown"
			}
			started := time.Now()
			answer, err := http.Post(a.url+"/v1/auth/forgot-password", "application/json",
				strings.NewReader(`{"email":"`+email+`"}`))
			elapsed := time.Since(started)
			if err != nil || answer.StatusCode != http.StatusAccepted {
				t.Fatal(answer, err)
			}
			_ = answer.Body.Close()
			if i >= 40 { // the first requests prepare statements
				took[kind] = append(took[kind], elapsed.Seconds()*1e6)
			}
		}
		known, knownVariance := took["known"].trimmed().mean()
		unknown, unknownVariance := took["unknown"].trimmed().mean()
		n := float64(len(took["known"].trimmed()))
		t.Logf("%s: known %.0f µs (median %.0f), unknown %.0f µs (median %.0f), difference %+.1f µs, t = %.2f",
			database, known, took["known"].median(), unknown, took["unknown"].median(), known-unknown,
			(known-unknown)/math.Sqrt((knownVariance+unknownVariance)/n))
		if math.Abs(known-unknown) > max(known, unknown)/2 {
			t.Errorf("%s: the duration of a request for a link reveals whether the account exists", database)
		}
	}
}
