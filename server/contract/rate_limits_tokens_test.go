package contract

import (
	"fmt"
	"testing"
	"time"

	"assay/store"
)

// Two hundred candidates behind one address start in the same instant. No request is
// rejected, also while somebody else at the address has used up the anonymous limit.
func TestCandidatesBehindOneAddress(t *testing.T) {
	onLimited(t, replicaLimits, signInLimits, func(t *testing.T, a, _ *api) {
		const ip = "192.0.2.1"
		o := a.register()
		assessmentID := o.publish(twoStages())
		candidates := make([]credential, 200)
		for i := range candidates {
			candidates[i] = o.invite(assessmentID).candidate()
			a.clock.Advance(100 * time.Millisecond) // as fast as one person may invite
		}
		for range 61 {
			a.from(ip, "GET", "/v1/candidate/session", bearer("inv_guess"), nil)
		}
		a.from(ip, "GET", "/v1/candidate/session", bearer("inv_guess"), nil).limited("anonymous-ip")

		for _, who := range candidates {
			ask := func(method, path string, body any) response {
				t.Helper()
				answer := a.from(ip, method, "/v1/candidate/session"+path, who, body).want(200)
				if fields := answer.limits(); fields.policy != "candidate" || fields.quota != 600 {
					t.Errorf("%s: the rate limit headers are %+v", answer.name, fields)
				}
				return answer
			}

			ask("GET", "", nil)
			ask("POST", "/start", nil)
			stage := ask("GET", "/stage", nil)
			for i := range stage.list("data.questions") {
				at := fmt.Sprintf("data.questions.%d.", i)
				ask("PUT", "/answers/"+stage.text(at+"id"), answerFor(stage.text(at+"type"), true))
			}
			ask("POST", "/stage/submit", object{"stageId": stage.text("data.id")})
		}
	})
}

// Each candidate session has its own limit.
func TestCandidateLimit(t *testing.T) {
	onLimited(t, replicaLimits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		who, other := o.invite(assessmentID).candidate(), o.invite(assessmentID).candidate()
		ask := func(ip string, who credential) response {
			return a.from(ip, "GET", "/v1/candidate/session", who, nil)
		}

		for range 100 {
			ask("192.0.2.1", who).want(200)
		}
		if retry := ask("192.0.2.2", who).limited("candidate"); retry != 1 {
			t.Errorf("Retry-After %d, want 1", retry)
		}
		ask("192.0.2.1", other).want(200)
		ask("192.0.2.1", bearer("inv_guess")).want(401)
		a.clock.Advance(time.Second)
		ask("192.0.2.1", who).want(200)
	})
}

// A request with a verified refresh token counts for its login. Any other token counts
// for the network, so that guessing stays bounded.
func TestRefreshLimit(t *testing.T) {
	onLimited(t, replicaLimits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		const ip = "192.0.2.1"
		refresh := func(token string) response {
			return a.from(ip, "POST", "/v1/auth/refresh", anonymous, object{"refreshToken": token})
		}
		people := make([]*tenant, 10)
		for i := range people {
			people[i] = a.register()
		}

		guesses := []func() response{
			func() response { return refresh("x") },
			func() response { return refresh(people[0].access) },
			func() response { return refresh(tampered(people[0].refresh)) },
			func() response { return a.from(ip, "POST", "/v1/auth/refresh", anonymous, object{"token": "x"}) },
			func() response { return a.from(ip, "POST", "/v1/auth/logout", anonymous, object{"refreshToken": "x"}) },
		}
		for i := range 60 {
			fields := guesses[i%len(guesses)]().limits()
			if fields.policy != "anonymous-ip" || fields.left != 59-i {
				t.Fatalf("request %d: the rate limit headers are %+v", i+1, fields)
			}
		}
		for _, guess := range guesses {
			guess().limited("anonymous-ip")
		}

		for _, person := range people { // everybody at the address refreshes
			if fields := refresh(person.refresh).want(200).limits(); fields.policy != "refresh" || fields.left != 59 {
				t.Fatalf("the rate limit headers are %+v", fields)
			}
		}
		for range 59 { // a repeated refresh returns the same tokens
			refresh(people[0].refresh).want(200)
		}
		refresh(people[0].refresh).limited("refresh")
		refresh(people[1].refresh).want(200)
		a.from(ip, "POST", "/v1/auth/logout", anonymous, object{"refreshToken": people[2].refresh}).want(204)
	})
}

// Each network has its own limit of requests for the public pages.
func TestPagesLimit(t *testing.T) {
	onLimited(t, replicaLimits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		for range 600 {
			a.from("192.0.2.1", "GET", "/docs", anonymous, nil).want(200)
		}
		a.from("192.0.2.1", "GET", "/errors", anonymous, nil).limited("pages")
		a.from("192.0.2.1", "GET", "/v1/me", anonymous, nil).want(401)
		a.from("192.0.2.2", "GET", "/docs", anonymous, nil).want(200)
	})
}

// Fifty people of one office come back from lunch. Each of their screens sends six requests
// with an expired access token, and then a refresh. None of them is rate-limited, also while
// somebody else at the address has used up the anonymous limit. A flood of requests with an
// expired token is limited, and does not affect the refresh.
func TestExpiredTokensBehindOneAddress(t *testing.T) {
	onLimited(t, replicaLimits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		const ip = "192.0.2.1"
		o := a.register()
		var people []signedIn
		for range 50 {
			people = append(people, a.login(o.email))
			a.clock.Advance(time.Second)
		}
		a.clock.Advance(time.Hour)
		for range 61 {
			a.from(ip, "GET", "/v1/me", bearer("guess"), nil)
		}
		a.from(ip, "GET", "/v1/me", bearer("guess"), nil).limited("anonymous-ip")
		refresh := func(in signedIn) {
			t.Helper()
			a.from(ip, "POST", "/v1/auth/refresh", anonymous, object{"refreshToken": in.refresh}).want(200)
		}
		for _, in := range people {
			for range 6 {
				a.from(ip, "GET", "/v1/me", bearer(in.access), nil).want(401, "token_expired")
			}
		}
		for _, in := range people[1:] {
			refresh(in)
		}
		for range 54 {
			a.from(ip, "GET", "/v1/me", bearer(people[0].access), nil).want(401, "token_expired")
		}
		a.from(ip, "GET", "/v1/me", bearer(people[0].access), nil).limited("refresh")
		refresh(people[0])
	})
}
