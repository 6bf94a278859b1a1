package contract

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/gen"
)

// candidateOperations sends each operation of a candidate.
func (a *api) candidateOperations(who credential) map[string]response {
	return map[string]response{
		"session": a.do("GET", "/v1/candidate/session", who, nil),
		"stage":   a.do("GET", "/v1/candidate/session/stage", who, nil),
		"start":   a.do("POST", "/v1/candidate/session/start", who, nil),
		"submit":  a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": "stg_1"}),
		"save": a.do("PUT", "/v1/candidate/session/answers/que_1", who,
			object{"clientId": "page", "revision": 1, "answer": object{"text": "x"}}),
	}
}

// endOf is what a refusal says about the token, and the rest of it without its id.
func endOf(r response) (*gen.EndedInvite, string) {
	r.t.Helper()
	var problem gen.Problem
	if err := json.Unmarshal(r.body, &problem); err != nil {
		r.t.Fatal(err)
	}
	ended := problem.EndedInvite
	problem.EndedInvite, problem.RequestID = nil, ""
	rest, err := json.Marshal(problem)
	if err != nil {
		r.t.Fatal(err)
	}
	return ended, string(rest)
}

// The holder of a link that no longer works learns why, and whom to ask, from every
// operation. Status and code are those of any other wrong token.
func TestEndedInvites(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		a.do("PATCH", "/v1/organization", o.owner, object{"supportEmail": "jobs@x.example", "locale": "pt-BR"}).want(200)
		name := a.do("GET", "/v1/organization", o.owner, nil).text("data.name")
		id := o.publish(oneQuestion())
		_, stranger := endOf(a.do("GET", "/v1/candidate/session", bearer("inv_x"), nil).want(401, "unauthenticated"))

		end := func(method, path string, status int) func(string) {
			return func(session string) { a.do(method, "/v1/candidate-sessions/"+session+path, o.owner, nil).want(status) }
		}
		cancel, erase, resend := end("POST", "/cancel", 200), end("DELETE", "/candidate-data", 204), end("POST", "/resend",
			200)
		for _, tt := range []struct {
			reason  string
			started string // what the candidate has done before: "", "read", "started", "completed"
			steps   []func(string)
		}{
			{"CANCELLED", "", []func(string){cancel}},
			{"CANCELLED", "read", []func(string){cancel}},
			{"CANCELLED", "started", []func(string){cancel}},
			{"CANCELLED", "", []func(string){resend, cancel}},
			{"REPLACED", "", []func(string){resend}},
			{"REPLACED", "read", []func(string){resend, resend}},
			{"ERASED", "", []func(string){erase}},
			{"ERASED", "read", []func(string){erase}},
			{"ERASED", "started", []func(string){erase}},
			{"ERASED", "completed", []func(string){erase}},
			{"ERASED", "", []func(string){cancel, erase}},
			{"ERASED", "", []func(string){resend, erase}},
		} {
			session := o.invite(id)
			who := session.candidate()
			switch tt.started {
			case "read": // the server remembers the credential
				a.do("GET", "/v1/candidate/session", who, nil).want(200)
			case "started":
				a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
			case "completed":
				a.complete(who)
			}
			for _, step := range tt.steps {
				step(session.text("data.id"))
			}
			for operation, refused := range a.candidateOperations(who) {
				ended, rest := endOf(refused.want(401, "unauthenticated"))
				if ended == nil || ended.Reason != tt.reason || ended.Organization.Name != name ||
					*ended.Organization.SupportEmail != "jobs@x.example" || *ended.Organization.Locale != "pt-BR" {
					t.Errorf("%s %s, %s: %s", tt.started, tt.reason, operation, refused.body)
				}
				if rest != stranger {
					t.Errorf("%s, %s: apart from the reason, the refusal is %s, not %s", tt.reason, operation, rest, stranger)
				}
				if strings.Contains(string(refused.body), session.text("data.candidateEmail")) {
					t.Errorf("%s: the refusal has data of the candidate", tt.reason)
				}
			}
		}
	})
}

// Without a valid signature, nobody learns whether a session exists, nor whose it is.
func TestForgedInvitesLearnNothing(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		session, other := o.invite(o.publish(oneQuestion())), o.invite(o.publish(oneQuestion()))
		_, token, _ := strings.Cut(session.text("data.inviteUrl"), "#")
		_, foreign, _ := strings.Cut(other.text("data.inviteUrl"), "#")
		for _, path := range []string{"/cancel", "/resend"} {
			a.do("POST", "/v1/candidate-sessions/"+session.text("data.id")+path, o.owner, nil)
		}
		signature := token[len(token)-43:]
		for name, forged := range map[string]string{
			"none": "", "another signature": token[:len(token)-43] + foreign[len(foreign)-43:],
			"another generation": strings.Replace(token, "_1_", "_2_", 1), "no signature": strings.TrimSuffix(token, signature),
			"another session": foreign[:len(foreign)-43] + signature, "a byte more": token + "A",
			"another case": strings.ToUpper(token),
		} {
			for operation, refused := range a.candidateOperations(bearer(forged)) {
				if ended, _ := endOf(refused.want(401, "unauthenticated")); ended != nil {
					t.Errorf("%s, %s: %s", name, operation, refused.body)
				}
			}
		}
	})
}
