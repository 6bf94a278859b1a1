package contract

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/server/partners"
	"assay/store"
)

// each has a system of each kind that is connected, and its request for an assessment.
type anyOrder struct {
	*system

	path string
	body func(test, email string) object
	ok   int
}

func (o *tenant) eachSystem() []anyOrder {
	return []anyOrder{
		{o.system("greenhouse", basicOf, ""), "/send_test", func(test, email string) object {
			return greenhouseSend(test, email, greenhouseURL+"?of="+email)
		}, 200},
		{o.system("ashby", basicOf, "k"), "/assessment.start", func(test, email string) object {
			return ashbyStart(test, email, email)
		}, 200},
		{o.system("workable", bearerOf, "k"), "/assessments", func(test, email string) object {
			return workableCreate(test, email, workableURL+"?of="+email)
		}, 201},
	}
}

// Each adapter of the room has a test that plays its system.
func TestPartnersComplete(t *testing.T) {
	var names []store.Partner
	for _, adapter := range partners.Adapters() {
		names = append(names, adapter.Partner())
	}
	if len(names) != len(store.Partners()) {
		t.Errorf("the adapters are %v, and the systems %v", names, store.Partners())
	}
	onEach(t, func(t *testing.T, a *api) {
		if played := a.register().eachSystem(); len(played) != len(names) {
			t.Errorf("%d systems are played, and %d have an adapter", len(played), len(names))
		}
	})
}

// A request without a key, with a key of another scope, or for a system that the organization has not connected is
// refused in the form of the system, and so is an invite that the contract refuses.
func TestPartnerRefusals(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		test, foreign := o.publish(twoStages()), stranger.publish(twoStages())
		for _, s := range o.eachSystem() {
			text := func(of answer) string {
				if of.header.Get("Content-Type") != "application/json" {
					t.Errorf("%s: the refusal is %s", s.name, of.header.Get("Content-Type"))
				}
				return of.raw
			}
			unprocessable := func(status int) int {
				if s.name == "ashby" {
					return 422
				}
				return status
			}
			email := s.name + "@candidate.example"

			for _, wrong := range []string{"", "Basic", "Bearer ", basicOf("pk_live_" + strings.Repeat("0", 64)),
				"Basic " + s.key, "Digest x", "Bearer \xff", strings.TrimPrefix(s.authorized(s.key), "B")} {
				refused := s.callWith(wrong, "POST", s.path, s.body(test, email))
				refused.want(401)
				if refused.header.Get("Www-Authenticate") != `Basic realm="assay"` {
					t.Errorf("%s: %v", s.name, refused.header)
				}
			}
			scopeless := s.callWith(s.authorized(o.key("candidates:write").value), "POST", s.path, s.body(test, email))
			scopeless.want(403)
			if !strings.Contains(text(scopeless), "ats:connect") {
				t.Errorf("%s: %s", s.name, scopeless.raw)
			}
			unconnected := s.callWith(s.authorized(stranger.key("ats:connect").value), "POST", s.path, s.body(test, email))
			unconnected.want(403)

			for _, invalid := range []struct{ email, test, says string }{
				{"not an address", test, "candidate.email"},
				{strings.Repeat("x", 300) + "@candidate.example", test, "candidate.email"},
				{email, "", s.names()["/assessmentId"]},
				{email, "\u0000", "U+0000"},
			} {
				refused := s.call("POST", s.path, s.body(invalid.test, invalid.email))
				refused.want(unprocessable(400))
				if !strings.Contains(text(refused), invalid.says) {
					t.Errorf("%s: %q, %q: %s", s.name, invalid.email, invalid.test, refused.raw)
				}
			}
			// An assessment of another organization is one that does not exist.
			theirs := s.call("POST", s.path, s.body(foreign, email))
			never := s.call("POST", s.path, s.body("asm_"+strings.Repeat("0", 26), email))
			if theirs.want(unprocessable(404)); theirs.raw != never.raw {
				t.Errorf("%s: %s, but %s", s.name, theirs.raw, never.raw)
			}
			for _, body := range []any{"", "{", "[]", "null", `"x"`, `{"candidate": 1}`, `{"candidate": {"email": ["x"]}}`,
				strings.Repeat("[", 100), "\xff", `{"a": 1, "a": 2}`} {
				s.call("POST", s.path, body).want(unprocessable(400))
			}
			s.call("POST", s.path, `{"a": "`+strings.Repeat("x", 70<<10)+`"}`).want(413)
			s.call("POST", s.path, s.body(test, email)).want(s.ok)
			if status := s.call("DELETE", s.path, nil).status; status != 405 {
				t.Errorf("%s: DELETE is %d", s.name, status)
			}
			if last := s.exchanges(); len(last) == 0 || !strings.HasPrefix(last[0], "RECEIVED POST /partners/"+s.name+s.path) {
				t.Errorf("%s: the exchanges are %q", s.name, last)
			}
		}
		if n := len(a.do("GET", "/v1/candidate-sessions", o.owner, nil).want(200).list("data")); n != 3 {
			t.Errorf("%d sessions, want one of each system", n)
		}
	})
}

func (s *system) names() map[string]string {
	for _, adapter := range partners.Adapters() {
		if string(adapter.Partner()) == s.name {
			return adapter.Names()
		}
	}
	return nil
}

// A callback goes only to an address of the system, because it carries the organization's key there.
func TestPartnerCallbackHost(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		test := o.publish(twoStages())
		greenhouse, workable := o.system("greenhouse", basicOf, ""), o.system("workable", bearerOf, "k")
		for _, url := range []string{
			"", "x", "http://app.greenhouse.io/1", "https://greenhouse.io.evil.example/1", "https://evilgreenhouse.io/1",
			"https://app.greenhouse.io@evil.example/1", "https://127.0.0.1/1", "https://app.greenhouse.io:22/1",
			"https://app.greenhouse.io./%zz", "//app.greenhouse.io/1", "https://harbour.workable.com/1",
			"https://app.greenhouse.io/" + strings.Repeat("x", 2048),
		} {
			refused := greenhouse.call("POST", "/send_test", greenhouseSend(test, "ada@candidate.example", url))
			if refused.want(400); !strings.Contains(refused.raw, "url: ") {
				t.Errorf("%s: %s", url, refused.raw)
			}
		}
		workable.call("POST", "/assessments", workableCreate(test, "ada@candidate.example", greenhouseURL)).want(400)
		greenhouse.call("POST", "/send_test",
			greenhouseSend(test, "ada@candidate.example", "https://app.eu.greenhouse.io/1")).want(200)
	})
}

// The id of an order of another organization, or of another system, is one that does not exist.
func TestPartnerOrderTenancy(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		test := o.publish(twoStages())
		mine, theirs := o.system("greenhouse", basicOf, ""), stranger.system("greenhouse", basicOf, "")
		ashby := o.system("ashby", basicOf, "k")
		order := mine.call("POST", "/send_test", greenhouseSend(test, "ada@candidate.example", greenhouseURL)).
			want(200)["partner_interview_id"].(string)
		never := theirs.call("GET", "/test_status?partner_interview_id=ord_"+strings.Repeat("0", 26), nil)
		never.want(404)
		for _, query := range []string{"?partner_interview_id=" + order, "?partner_interview_id=%00", "", "?x=%zz1",
			"?partner_interview_id=" + strings.Repeat("x", 5000)} {
			of := theirs.call("GET", "/test_status"+query, nil)
			if query != "?x=%zz1" && (of.status != never.status || of.raw != never.raw) {
				t.Errorf("%s: %d %s, want %d %s", query, of.status, of.raw, never.status, never.raw)
			}
		}
		ashby.call("POST", "/assessment.cancel", object{"assessment_id": order}).want(422)
		mine.call("GET", "/test_status?partner_interview_id="+order, nil).want(200)
	})
}

// Of the same request several times at once, one invites.
func TestPartnerOrderTogether(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		test := o.publish(twoStages())
		for _, s := range o.eachSystem() {
			var group sync.WaitGroup
			answers := make([]string, 8)
			for i := range answers {
				group.Go(func() {
					answers[i] = s.call("POST", s.path, s.body(test, s.name+"@candidate.example")).raw
				})
			}
			group.Wait()
			for _, answer := range answers {
				if answer != answers[0] {
					t.Errorf("%s: %q", s.name, answers)
				}
			}
		}
		if n := len(a.do("GET", "/v1/candidate-sessions", o.owner, nil).want(200).list("data")); n != 3 {
			t.Errorf("%d sessions, want one of each system", n)
		}
	})
}

// Two systems can order the same assessment for the same person: there is one session, and both hear of it. The repeat
// rule and the emails are those of other invites.
func TestPartnerInvitesAsOthers(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.do("PATCH", "/v1/organization", o.owner, object{"sendInviteEmail": true}).want(200)
		test := o.publish(oneQuestion(object{"repeatRule": "NEVER"}))
		systems := o.eachSystem()
		for _, s := range systems {
			s.call("POST", s.path, s.body(test, "ada@candidate.example")).want(s.ok)
		}
		candidate, session := systems[0].candidateOf("ada@candidate.example")
		invite := a.do("GET", "/v1/candidate-sessions/"+session, o.owner, nil).want(200)
		if email := invite.text("data.email.status"); email != "QUEUED" {
			t.Errorf("the email is %s", email)
		}
		a.complete(candidate)
		// One system of the test receives what is for all of them, because the queue is one.
		got := systems[0].callbacks()
		if len(got) != 3 {
			t.Errorf("the systems have received %+v", got)
		}
		refused := systems[0].call("POST", "/send_test", greenhouseSend(test, "ada@candidate.example", greenhouseURL+"0"))
		if refused.want(409); !strings.Contains(refused.raw, session) {
			t.Errorf("%s", refused.raw)
		}
		if n := len(a.do("GET", "/v1/candidate-sessions", o.owner, nil).want(200).list("data")); n != 1 {
			t.Errorf("%d sessions", n)
		}
	}, sendsEmail)
}

// A callback that fails is sent again, later each time, and at most eight times. A status that will not change ends it.
func TestPartnerCallbackRetries(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		test := o.publish(oneQuestion())
		s := o.system("greenhouse", basicOf, "")
		order := func(n int) {
			email := fmt.Sprintf("person%d@candidate.example", n)
			s.call("POST", "/send_test", greenhouseSend(test, email, fmt.Sprint(greenhouseURL, n))).want(200)
			candidate, _ := s.candidateOf(email)
			a.complete(candidate)
		}
		s.respond = func(string, object) (int, string) { return 503, "down" }
		order(1)
		if got := s.callbacks(); len(got) != 1 {
			t.Fatalf("%d first attempts", len(got))
		}
		waits := []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, 2 * time.Hour,
			6 * time.Hour, 12 * time.Hour}
		for i, wait := range waits {
			a.clock.Advance(wait - time.Second)
			if early := s.callbacks(); len(early) != 0 {
				t.Fatalf("attempt %d is early", i+2)
			}
			a.clock.Advance(time.Second)
			if got := s.callbacks(); len(got) != 1 {
				t.Fatalf("%d attempts after %s, want one", len(got), wait)
			}
		}
		a.clock.Advance(48 * time.Hour)
		if got := s.callbacks(); len(got) != 0 {
			t.Errorf("a further attempt: %+v", got)
		}
		o.signIn()
		if last := s.exchanges(); last[0] != "SENT PATCH "+greenhouseURL+"1 503 The callback failed: HTTP_STATUS." {
			t.Errorf("the last exchange is %s", last[0])
		}

		s.respond = func(string, object) (int, string) { return 404, "" }
		order(2)
		if got := s.callbacks(); len(got) != 1 {
			t.Errorf("%d attempts", len(got))
		}
		a.clock.Advance(48 * time.Hour)
		if got := s.callbacks(); len(got) != 0 {
			t.Errorf("an attempt after 404: %+v", got)
		}
	})
}

// Several changes before the first attempt are one callback, a correction is a further one, and a link that was
// revoked does not come back.
func TestPartnerCallbackOfChanges(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		test := o.publish(twoStages())
		s := o.system("workable", bearerOf, "k")
		s.call("POST", "/assessments", workableCreate(test, "ada@candidate.example", workableURL)).want(201)
		candidate, session := s.candidateOf("ada@candidate.example")
		a.finish(candidate, false) // started, and disqualified
		got := s.callbacks()
		if len(got) != 1 || got[0].body["status"] != "completed" || got[0].body["assessment"].(object)["score"] != "0" {
			t.Fatalf("Workable has received %+v", got)
		}
		link := a.do("GET", "/v1/candidate-sessions/"+session+"/result-links", o.owner, nil).want(200).text("data.0.id")
		a.do("DELETE", "/v1/candidate-sessions/"+session+"/result-links/"+link, o.owner, nil).want(204)

		detail := a.do("GET", "/v1/candidate-sessions/"+session+"/result", o.owner, nil).want(200)
		question := detail.text("data.stages.0.questions.0.id")
		a.do("PUT", "/v1/candidate-sessions/"+session+"/grades/"+question, o.owner,
			object{"points": 4, "reason": "Was right", "version": 0}).want(200)
		got = s.callbacks()
		if len(got) != 1 || got[0].body["assessment"].(object)["score"] == "0" ||
			got[0].body["results_url"] != "https://assay.test/app/candidates/"+session {
			t.Fatalf("Workable has received %+v", got)
		}
	})
}

// After the connection has ended, nothing is sent and nothing is served. An erasure deletes the order and its
// exchanges.
func TestPartnerEnds(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		test := o.publish(oneQuestion())
		s := o.system("greenhouse", basicOf, "")
		send := greenhouseSend(test, "ada@candidate.example", greenhouseURL)
		order := s.call("POST", "/send_test", send).want(200)["partner_interview_id"].(string)
		candidate, session := s.candidateOf("ada@candidate.example")
		a.complete(candidate)
		a.do("DELETE", "/v1/integrations/"+s.id, o.owner, nil).want(204)
		if got := s.callbacks(); len(got) != 0 {
			t.Errorf("after the end of the connection: %+v", got)
		}
		s.call("GET", "/test_status?partner_interview_id="+order, nil).want(403)

		s.id = a.do("PUT", "/v1/integrations", o.owner, object{"partner": "greenhouse", "callbackKey": s.key}).want(200).
			text("data.id")
		s.call("GET", "/test_status?partner_interview_id="+order, nil).want(200)
		a.do("DELETE", "/v1/candidate-sessions/"+session+"/candidate-data", o.owner, nil).want(204)
		s.call("GET", "/test_status?partner_interview_id="+order, nil).want(404)
		if got := s.callbacks(); len(got) != 0 {
			t.Errorf("after the erasure: %+v", got)
		}
		for _, exchange := range a.do("GET", "/v1/integrations/"+s.id+"/exchanges", o.owner, nil).want(200).list("data") {
			if exchange.(object)["sessionId"] != nil {
				t.Errorf("after the erasure: %v", exchange)
			}
		}
	})
}

// A key for applicant tracking systems permits nothing else.
func TestPartnerKeyPermitsNothingElse(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		s := o.system("greenhouse", basicOf, "")
		for _, operation := range everyOperation(t) {
			if operation.scheme != "apiKeyAuth" || len(operation.scopes)+len(operation.oneOf) == 0 {
				continue
			}
			path := operation.address(func(string) string { return "x" })
			a.do(operation.method, path, apiKeyOf(s.key), nil).want(403, "insufficient_scope")
		}
	})
}
