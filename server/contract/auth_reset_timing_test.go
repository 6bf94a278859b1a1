package contract

import (
	"net/http"
	"strings"
	"testing"

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

// Requests for a link take the same time, whether or not the account exists.
func TestForgotPasswordDurations(t *testing.T) {
	compareDurations(t, "/v1/auth/forgot-password", http.StatusAccepted, func(email string) object {
		return object{"email": email}
	}, sendsEmail)
}
