package contract

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"assay/server"
	"assay/store"
)

// All keys and people of an organization share a limit. Sixty keys together cannot send
// more than it allows, and other organizations are not affected.
func TestOrganizationLimit(t *testing.T) {
	onLimited(t, replicaLimits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		o, other := a.register(), a.register()
		keys := make([]credential, 60)
		for i := range keys {
			keys[i] = o.key()
			if i%10 == 9 {
				a.clock.Advance(10 * time.Second) // creating keys counts too
			}
		}
		a.clock.Advance(time.Minute)

		passed := 0
		for i := range 6000 { // a hundred requests with each key, at the same moment
			answer := a.from("192.0.2.1", "GET", "/v1/public/assessments", keys[i%len(keys)], nil)
			if answer.status == http.StatusOK {
				passed++
				continue
			}
			answer.limited("organization")
		}
		if passed != 500 {
			t.Errorf("%d of 6000 requests passed, want 500", passed)
		}
		if retry := a.from("192.0.2.1", "GET", "/v1/me", o.owner, nil).limited("organization"); retry != 1 {
			t.Errorf("Retry-After %d, want 1", retry)
		}

		otherKey := other.key()
		a.from("192.0.2.1", "GET", "/v1/public/assessments", otherKey, nil).want(200)
		a.from("192.0.2.1", "GET", "/v1/me", other.owner, nil).want(200)

		a.clock.Advance(time.Second) // fifty a second
		for i := range 50 {
			a.from("192.0.2.1", "GET", "/v1/public/assessments", keys[i], nil).want(200)
		}
		a.from("192.0.2.1", "GET", "/v1/public/assessments", keys[59], nil).limited("organization")
	})
}

// Each person has a limit, whatever the number of their sign-ins and addresses.
func TestPersonLimit(t *testing.T) {
	onLimited(t, replicaLimits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		o, other := a.register(), a.register()
		again := bearer(a.login(o.email).access)
		passed := 0
		for i := range 11_000 {
			who := []credential{o.owner, again}[i%2]
			answer := a.from(fmt.Sprintf("192.0.2.%d", 1+i%200), "GET", "/v1/me", who, nil)
			if answer.status == http.StatusOK {
				passed++
				continue
			}
			answer.limited("person")
		}
		if passed != 100 {
			t.Errorf("%d of 11,000 requests passed, want 100", passed)
		}
		a.from("192.0.2.1", "GET", "/v1/me", other.owner, nil).want(200)
		a.clock.Advance(time.Second)
		a.from("192.0.2.1", "GET", "/v1/me", o.owner, nil).want(200)
	})
}

// The writes of one candidate token are limited, also after a resend. Candidates do not
// count for their organization, and continue to save while it is over its limit.
func TestCandidateWritesAreLimited(t *testing.T) {
	limits := replicaLimits
	limits.Organization.Burst = 50 // fewer than a person may send at once
	onLimited(t, limits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		who, other := o.invite(assessmentID).candidate(), o.invite(assessmentID).candidate()
		start := func(who credential) (path string, answer any) {
			a.from("192.0.2.1", "POST", "/v1/candidate/session/start", who, nil).want(200)
			stage := a.from("192.0.2.1", "GET", "/v1/candidate/session/stage", who, nil).want(200)
			return "/v1/candidate/session/answers/" + stage.text("data.questions.0.id"),
				answerFor(stage.text("data.questions.0.type"), true)
		}
		path, answer := start(who)
		saved := 0
		for range 2500 {
			if got := a.from("192.0.2.1", "PUT", path, who, answer); got.status == http.StatusOK {
				saved++
			} else {
				got.limited("candidate")
			}
		}
		if saved != 98 { // the start and the stage count too
			t.Errorf("%d of 2,500 writes passed, want 98", saved)
		}

		for range limits.Organization.Burst {
			a.from("192.0.2.1", "GET", "/v1/me", o.owner, nil)
		}
		a.from("192.0.2.1", "GET", "/v1/me", o.owner, nil).limited("organization")
		otherPath, otherAnswer := start(other)
		a.from("192.0.2.1", "PUT", otherPath, other, otherAnswer).want(200)
	})
}

// An organization sends five test events in a minute, to all of its endpoints together.
// Callers that may not send any do not use up the limit.
func TestWebhookTestLimit(t *testing.T) {
	onLimited(t, replicaLimits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		o, other := a.register(), a.register()
		first, second := o.hookID("candidate.invited"), o.hookID("candidate.invited")
		reviewer := o.member("MEMBER")
		test := func(id string, who credential) response {
			return a.from("192.0.2.1", "POST", "/v1/webhooks/"+id+"/test", who, nil)
		}
		for range 20 {
			test(first, reviewer.who).want(403)
		}
		for i := range 5 {
			fields := test([]string{first, second}[i%2], o.owner).want(200).limits()
			if fields != (limitFields{policy: "webhook-test", quota: 5, window: 60, left: 4 - i, reset: 12}) {
				t.Errorf("test %d: the rate limit headers are %+v", i+1, fields)
			}
		}
		for _, id := range []string{first, second} {
			if retry := test(id, o.owner).limited("webhook-test"); retry != 12 {
				t.Errorf("Retry-After %d, want 12", retry)
			}
		}

		theirs := other.hookID("candidate.invited")
		test(theirs, other.owner).want(200)
		a.from("192.0.2.1", "GET", "/v1/me", o.owner, nil).want(200)
		a.clock.Advance(12 * time.Second)
		test(first, o.owner).want(200)
		test(first, o.owner).limited("webhook-test")
	})
}

// An organization replays ten times in an hour.
func TestWebhookReplayLimit(t *testing.T) {
	onLimited(t, replicaLimits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		o, other := a.register(), a.register()
		replay := func(o *tenant, id string) response {
			now := a.clock.Now()
			return a.from("192.0.2.1", "POST", "/v1/webhooks/"+id+"/replay", o.owner, object{
				"since": store.WireTime(now.Add(-time.Hour)), "until": store.WireTime(now),
			})
		}
		mine, theirs := o.hookID("candidate.invited"), other.hookID("candidate.invited")
		for range 10 {
			replay(o, mine).want(200)
		}
		if retry := replay(o, mine).limited("webhook-replay"); retry != 360 {
			t.Errorf("Retry-After %d, want 360", retry)
		}
		replay(other, theirs).want(200)
		a.clock.Advance(6 * time.Minute)
		mine = o.hookID("candidate.completed")
		replay(o, mine).want(200)
		replay(o, mine).limited("webhook-replay")
	})
}

// /readyz and addresses that do not exist have limits for each network. One does not
// use up the other, nor the limits of pages and of anonymous requests. A health check
// from this machine every second is never limited, while others scan.
func TestProbeLimits(t *testing.T) {
	onLimited(t, replicaLimits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		ask := func(ip, method, path string) response { return a.from(ip, method, path, anonymous, nil) }
		unknown := [][2]string{
			{"GET", "/nothing"}, {"POST", "/wp-login.php"}, {"GET", "/v1/nothing"}, {"GET", "/v1/me/x"}, {"DELETE", "/healthz"},
			{"GET", "/v1/public/candidate-sessions/bulk"},
		}
		for i := range 600 {
			target := unknown[i%len(unknown)]
			answer := ask("192.0.2.1", target[0], target[1])
			if fields := answer.limits(); answer.status != 404 && answer.status != 405 || fields.policy != "unknown" ||
				fields.left != 599-i {
				t.Fatalf("%s: %d, %+v", answer.name, answer.status, fields)
			}
		}
		for _, target := range unknown {
			ask("192.0.2.1", target[0], target[1]).limited("unknown")
		}

		for i := range 600 {
			fields := ask("192.0.2.1", "GET", "/readyz").want(200).limits()
			if fields.policy != "probes" || fields.left != 599-i {
				t.Fatalf("the rate limit headers are %+v", fields)
			}
		}
		ask("192.0.2.1", "GET", "/readyz").limited("probes")
		ask("192.0.2.1", "GET", "/healthz").want(200)
		ask("192.0.2.1", "GET", "/docs").want(200)
		ask("192.0.2.1", "GET", "/errors/nothing").want(404)
		ask("192.0.2.1", "GET", "/v1/me").want(401)
		ask("192.0.2.2", "GET", "/readyz").want(200)
		ask("192.0.2.2", "GET", "/nothing").want(404)

		for range 1200 {
			a.clock.Advance(time.Second)
			ask("127.0.0.1", "GET", "/readyz").want(200)
			ask("127.0.0.1", "GET", "/healthz").want(200)
		}
	})
}

// A request that one limit refuses takes no token of the others, at once or one after
// the other. RateLimit shows the limit with the fewest tokens, RateLimit-Policy all.
func TestLimitsTogether(t *testing.T) {
	limits := server.RateLimits{
		APIKey:       server.RateLimit{Requests: 60, Window: time.Minute, Burst: 10},
		Organization: server.RateLimit{Requests: 60, Window: time.Minute, Burst: 15},
	}
	onLimited(t, limits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		o := a.register()
		first, second := o.key(), o.key()
		a.clock.Advance(time.Minute)
		ask := func(key credential) response { return a.from("192.0.2.1", "GET", "/v1/public/assessments", key, nil) }

		answer := ask(first).want(200)
		if got, want := answer.header.Get("RateLimit-Policy"), `"api-key";q=60;w=60, "organization";q=60;w=60`; got != want {
			t.Errorf("RateLimit-Policy: %s, want %s", got, want)
		}
		if got, want := answer.header.Get("RateLimit"), `"api-key";r=9;t=1`; got != want {
			t.Errorf("RateLimit: %s, want %s", got, want)
		}
		answers := atOnce(200, func(int) response { return ask(first) })
		if got := statuses(answers); got[200] != 9 {
			t.Fatalf("%v, want nine more", got)
		}
		ask(first).limited("api-key") // the 192 refused requests did not count for the organization
		for left := 4; left >= 0; left-- {
			if fields := ask(second).want(200).limits(); fields.policy != "organization" || fields.left != left {
				t.Fatalf("with %d left: %+v", left, fields)
			}
		}
		for range 100 {
			ask(second).limited("organization") // takes no token of the second key
		}
		a.clock.Advance(time.Second)
		if fields := ask(second).want(200).limits(); fields.policy != "organization" || fields.left != 0 {
			t.Errorf("%+v", fields)
		}
		a.clock.Advance(10 * time.Second)
		if fields := ask(second).want(200).limits(); fields.policy != "api-key" || fields.left != 9 {
			t.Errorf("%+v", fields)
		}
	})
}
