package contract

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// sessionSubject is a session in a given state.
type sessionSubject struct {
	id                    string
	who                   credential // its candidate
	stageIDs, questionIDs [2]string  // the two stages, and the first question of each
}

// sessionOperations are the operations on a session. The candidate calls some of
// them. A manager, which is a user or an API key, calls the others under prefix.
var sessionOperations = map[string]func(a *api, s sessionSubject, prefix string, manager credential) response{
	"session": func(a *api, s sessionSubject, _ string, _ credential) response {
		return a.do("GET", "/v1/candidate/session", s.who, nil)
	},
	"stage": func(a *api, s sessionSubject, _ string, _ credential) response {
		return a.do("GET", "/v1/candidate/session/stage", s.who, nil)
	},
	"start": func(a *api, s sessionSubject, _ string, _ credential) response {
		return a.do("POST", "/v1/candidate/session/start", s.who, nil)
	},
	"save": func(a *api, s sessionSubject, _ string, _ credential) response {
		return a.do("PUT", "/v1/candidate/session/answers/"+s.questionIDs[0], s.who, object{"optionId": "a"})
	},
	"save ahead": func(a *api, s sessionSubject, _ string, _ credential) response {
		return a.do("PUT", "/v1/candidate/session/answers/"+s.questionIDs[1], s.who, object{"number": 175})
	},
	"submit": func(a *api, s sessionSubject, _ string, _ credential) response {
		return a.do("POST", "/v1/candidate/session/stage/submit", s.who, object{"stageId": s.stageIDs[0]})
	},
	"submit ahead": func(a *api, s sessionSubject, _ string, _ credential) response {
		return a.do("POST", "/v1/candidate/session/stage/submit", s.who, object{"stageId": s.stageIDs[1]})
	},
	"cancel": func(a *api, s sessionSubject, prefix string, manager credential) response {
		return a.do("POST", prefix+"/candidate-sessions/"+s.id+"/cancel", manager, nil)
	},
	"resend": func(a *api, s sessionSubject, prefix string, manager credential) response {
		return a.do("POST", prefix+"/candidate-sessions/"+s.id+"/resend", manager, nil)
	},
	"result": func(a *api, s sessionSubject, prefix string, manager credential) response {
		return a.do("GET", prefix+"/candidate-sessions/"+s.id+"/result", manager, nil)
	},
}

// sessionMatrix has, for each state and operation, the status and then the next
// state or the error code. An error does not change the state. Submitting a stage
// again returns its outcome again, even after the session has ended.
var sessionMatrix = map[string]map[string]string{
	"INVITED": {
		"session": "200 INVITED", "stage": "409 session_not_in_progress", "start": "200 IN_PROGRESS",
		"save": "409 session_not_in_progress", "save ahead": "409 session_not_in_progress",
		"submit": "409 session_not_in_progress", "submit ahead": "409 session_not_in_progress",
		"cancel": "200 CANCELLED", "resend": "200 INVITED", "result": "409 result_not_ready",
	},
	"IN_PROGRESS": {
		"session": "200 IN_PROGRESS", "stage": "200 IN_PROGRESS", "start": "200 IN_PROGRESS",
		"save": "200 IN_PROGRESS", "save ahead": "404 not_found", "submit": "200 IN_PROGRESS",
		"submit ahead": "404 not_found", "cancel": "200 CANCELLED", "resend": "409 session_not_invited",
		"result": "409 result_not_ready",
	},
	"COMPLETED": {
		"session": "200 COMPLETED", "stage": "409 session_not_in_progress", "start": "409 session_not_in_progress",
		"save": "409 session_not_in_progress", "save ahead": "409 session_not_in_progress",
		"submit": "200 COMPLETED", "submit ahead": "200 COMPLETED",
		"cancel": "409 session_closed", "resend": "409 session_not_invited", "result": "200 COMPLETED",
	},
	"DISQUALIFIED": { // at the first stage
		"session": "200 DISQUALIFIED", "stage": "409 session_not_in_progress", "start": "409 session_not_in_progress",
		"save": "409 session_not_in_progress", "save ahead": "409 session_not_in_progress",
		"submit": "200 DISQUALIFIED", "submit ahead": "409 session_not_in_progress",
		"cancel": "409 session_closed", "resend": "409 session_not_invited", "result": "200 DISQUALIFIED",
	},
	"EXPIRED": {
		"session": "200 EXPIRED", "stage": "410 invite_expired", "start": "410 invite_expired",
		"save": "410 invite_expired", "save ahead": "410 invite_expired", "submit": "410 invite_expired",
		"submit ahead": "410 invite_expired", "cancel": "409 session_closed", "resend": "200 INVITED",
		"result": "409 result_not_ready",
	},
	"CANCELLED": { // the link is invalid
		"session": "401 unauthenticated", "stage": "401 unauthenticated", "start": "401 unauthenticated",
		"save": "401 unauthenticated", "save ahead": "401 unauthenticated", "submit": "401 unauthenticated",
		"submit ahead": "401 unauthenticated", "cancel": "409 session_closed", "resend": "409 session_not_invited",
		"result": "409 result_not_ready",
	},
}

// sessionIn creates a session and brings it into a state. If early is set, a CANCELLED
// session is cancelled before its start instead of after it, and the sweeper records
// the expiry of an EXPIRED session.
func (o *tenant) reach(assessment response, state string, early bool) sessionSubject {
	a := o.api
	a.t.Helper()
	expiry := a.store.Now().Add(time.Hour)
	invite := o.invite(assessment.text("data.id"), object{"expiresAt": wire(expiry)})
	s := sessionSubject{id: invite.text("data.id"), who: invite.candidate()}
	for i := range s.stageIDs {
		s.stageIDs[i] = assessment.text(fmt.Sprintf("data.stages.%d.id", i))
		s.questionIDs[i] = assessment.text(fmt.Sprintf("data.stages.%d.questions.0.id", i))
	}
	switch state {
	case "IN_PROGRESS":
		a.do("POST", "/v1/candidate/session/start", s.who, nil).want(200)
		a.answerStage(s.who, true)
	case "COMPLETED", "DISQUALIFIED":
		a.finish(s.who, state == "COMPLETED")
	case "EXPIRED":
		a.setClock(expiry)
		o.signIn()
		if early {
			a.sweep()
		}
	case "CANCELLED":
		if !early {
			a.do("POST", "/v1/candidate/session/start", s.who, nil).want(200)
		}
		a.do("POST", "/v1/candidate-sessions/"+s.id+"/cancel", o.owner, nil).want(200)
	}

	return s
}

// Every operation on a session in every state has the outcome of sessionMatrix, for
// users and for API keys.
func TestSessionOperationsInEachState(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		assessment := a.do("GET", "/v1/assessments/"+o.publish(twoStages()), o.owner, nil).want(200)

		for state, row := range sessionMatrix {
			for operation, call := range sessionOperations {
				for _, prefix := range []string{"/v1", "/v1/public"} {
					early := prefix == "/v1"
					s := o.reach(assessment, state, early)
					manager := key
					if early {
						manager = o.owner
					}

					events := len(o.eventsOf("", s.id))
					got := call(a, s, prefix, manager)
					outcome, next := fmt.Sprint(got.status, " ", got.text("code")), state
					if status, after, _ := strings.Cut(row[operation], " "); status == "200" {
						outcome, next = fmt.Sprint(got.status, " ", after), after
					}
					if outcome != row[operation] {
						t.Errorf("%s, %s under %s: %s, want %s\n%s", state, operation, prefix, outcome, row[operation], got.body)
					}

					now := a.do("GET", "/v1/candidate-sessions/"+s.id, o.owner, nil).want(200).text("data.status")
					if notRecorded := state == "EXPIRED" && !early && now == "INVITED"; now != next && !notRecorded {
						t.Errorf("%s, %s under %s: the next state is %s, want %s", state, operation, prefix, now, next)
					}
					if operation == "resend" && got.status == 200 {
						events++
					}
					lateExpiry := state == "EXPIRED" && !early && (now != "INVITED" || operation == "resend")
					if next != state && operation != "resend" || lateExpiry {
						events++ // candidate.started, candidate.cancelled, or candidate.expired
					}
					if after := len(o.eventsOf("", s.id)); after != events {
						t.Errorf("%s, %s under %s: %d events, want %d", state, operation, prefix, after, events)
					}

					token := a.do("POST", "/v1/public/candidate-sessions/"+s.id+"/result-token", key, nil)
					if operation == "result" && token.status != got.status {
						t.Errorf("%s: the result returns %d, but its token %d", state, got.status, token.status)
					}
				}
			}
		}
	})
}

// Each filter of the session list returns the matching sessions only, and filters
// combine. candidateEmail ignores case and is not a pattern.
func TestSessionFilters(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		first, second := o.publish(oneQuestion()), o.publish(oneQuestion())
		start := a.store.Now()

		for _, invite := range []struct{ assessment, email, externalID, state string }{
			{first, "Grace@Example.com", "A-1", "COMPLETED"},
			{first, "grace@example.com", "a-1", "INVITED"},
			{second, "GRACE@example.com", "A-1", "CANCELLED"},
			{second, "hopper_grace@example.com", "", "IN_PROGRESS"},
			{second, "hopper-grace@example.com", "%", "INVITED"},
		} {
			a.clock.Advance(time.Second)
			body := object{"assessmentId": invite.assessment, "candidateName": invite.email, "candidateEmail": invite.email}
			if invite.externalID != "" {
				body["externalId"] = invite.externalID
			}
			made := a.do("POST", "/v1/candidate-sessions", o.owner, body).want(201)
			switch invite.state {
			case "COMPLETED":
				a.complete(made.candidate())
			case "IN_PROGRESS":
				a.do("POST", "/v1/candidate/session/start", made.candidate(), nil).want(200)
			case "CANCELLED":
				a.do("POST", "/v1/candidate-sessions/"+made.text("data.id")+"/cancel", o.owner, nil).want(200)
			}
		}

		for _, test := range []struct {
			query url.Values
			want  string // the candidate names, newest first
		}{
			{nil, "hopper-grace hopper_grace GRACE grace Grace"},
			{url.Values{"assessmentId": {first}}, "grace Grace"},
			{url.Values{"assessmentId": {"asm_" + strings.Repeat("0", 26)}}, ""},
			{url.Values{"status": {"INVITED"}}, "hopper-grace grace"},
			{url.Values{"status": {"COMPLETED"}}, "Grace"},
			{url.Values{"status": {"EXPIRED"}}, ""},
			{url.Values{"candidateEmail": {"gRaCe@eXample.com"}}, "GRACE grace Grace"},
			{url.Values{"candidateEmail": {"hopper_grace@example.com"}}, "hopper_grace"}, // the underscore is not a wildcard
			{url.Values{"externalId": {"A-1"}}, "GRACE Grace"},
			{url.Values{"externalId": {"%"}}, "hopper-grace"},
			{url.Values{"updatedSince": {wire(start.Add(14 * time.Second))}}, "hopper-grace hopper_grace"},
			{url.Values{"updatedSince": {wire(start.Add(time.Hour))}}, ""},
			{url.Values{"candidateEmail": {"grace@example.com"}, "assessmentId": {second}, "status": {"CANCELLED"},
				"externalId": {"A-1"}}, "GRACE"},
			{url.Values{"candidateEmail": {"grace@example.com"}, "assessmentId": {second}, "status": {"INVITED"}}, ""},
		} {
			for prefix, who := range o.callers() {
				names, _ := a.pages(prefix+"/candidate-sessions?"+test.query.Encode(), who, "candidateName")
				got := strings.NewReplacer("@example.com", "", "@Example.com", "").Replace(strings.Join(names, " "))
				if got != test.want {
					t.Errorf("%s %v: %s, want %s", prefix, test.query, got, test.want)
				}
			}
		}
	})
}

// A filtered session list returns every session exactly once, for every page size.
func TestSessionPaging(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		var want []string
		for range 5 {
			want = append([]string{o.invite(assessmentID, object{"externalId": "a b&c"}).text("data.id")}, want...)
			o.invite(assessmentID)
		}

		for prefix, who := range o.callers() {
			for limit := 1; limit <= 6; limit++ {
				ids, pages := a.pages(fmt.Sprintf("%s/candidate-sessions?externalId=a%%20b%%26c&limit=%d", prefix, limit),
					who, "id")
				if !slices.Equal(ids, want) || pages != (5+limit-1)/limit {
					t.Errorf("%s, limit %d: %d pages, %v, want %v", prefix, limit, pages, ids, want)
				}
			}
		}
	})
}
