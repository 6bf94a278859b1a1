package contract

import (
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"testing"

	"assay/store"
	"assay/store/storetest"
)

type object = map[string]any

var registered atomic.Int64

const testPassword = "a long and good pass phrase"

// tenant is an organization with the tokens of its owner.
type tenant struct {
	api            *api
	organizationID string
	email          string
	access         string
	refresh        string
	owner          credential
}

// register creates an organization.
func (a *api) register() *tenant {
	a.t.Helper()
	email := fmt.Sprintf("owner%d%s@example.com", registered.Add(1), run)
	r := a.do("POST", "/v1/auth/register", anonymous, object{
		"organizationName": "Analytical Engines", "name": "Ada Lovelace", "email": email, "password": testPassword,
	}).want(201)
	if a.own != nil && a.store.SendsEmail() { // as if the person had opened the link
		if err := a.store.UnscopedProveEmail(a.t.Context(), email); err != nil {
			a.t.Fatal(err)
		}
	}
	return &tenant{
		api: a, organizationID: r.text("data.organization.id"), email: email,
		access: r.text("data.accessToken"), refresh: r.text("data.refreshToken"), owner: bearer(r.text("data.accessToken")),
	}
}

var allScopes = []string{"assessments:read", "candidates:read", "candidates:write", "results:read", "reviews:read",
	"reviews:write", "results:share", "webhooks:manage", "audit:read", "ats:connect", "assessments:write",
	"candidates:erase"}

// key creates an API key with the scopes, or with all scopes if none are given.
func (o *tenant) key(scopes ...string) credential {
	o.api.t.Helper()
	if len(scopes) == 0 {
		scopes = allScopes
	}
	r := o.api.do("POST", "/v1/api-keys", o.owner, object{"name": "test", "scopes": scopes}).want(201)
	return apiKeyOf(r.text("data.key"))
}

var added atomic.Int64

// add invites a person into the organization.
func (o *tenant) add(role string) response {
	o.api.t.Helper()
	invitation := object{
		"name": "Katherine Johnson", "email": fmt.Sprintf("member%d%s@example.com", added.Add(1), run), "role": role,
	}
	if role == "REVIEWER" {
		invitation["assessmentIds"] = []string{}
	}
	return o.api.do("POST", "/v1/members", o.owner, invitation).want(201)
}

// invitation returns the token in the invitation link.
func (r response) invitation() string {
	r.t.Helper()
	_, token, found := strings.Cut(r.text("data.invitationUrl"), "#")
	if !found {
		r.t.Fatalf("no invitation in %s", r.body)
	}
	return token
}

// member is a person who has accepted their invitation.
type member struct {
	id, email string
	access    string
	refresh   string
	who       credential
}

// member invites a person and accepts the invitation.
func (o *tenant) member(role string) member {
	o.api.t.Helper()
	invited := o.add(role)
	joined := o.api.do("POST", "/v1/auth/accept-invitation", anonymous,
		object{"token": invited.invitation(), "password": testPassword}).want(200)
	return member{
		id: invited.text("data.id"), email: invited.text("data.email"), access: joined.text("data.accessToken"),
		refresh: joined.text("data.refreshToken"), who: bearer(joined.text("data.accessToken")),
	}
}

// twoStages returns an assessment with every type of question. It has two stages of
// 10 points each. The first stage has a required gate with the minimum score 50.
func twoStages() object {
	return object{
		"title": "Night-shift pharmacist", "passingScore": 60,
		"stages": []any{
			object{
				"title": "Storage", "gate": object{"required": true, "minScore": 50},
				"questions": []any{
					object{
						"type": "SINGLE_CHOICE", "prompt": "How long may a compounded syringe be kept?", "points": 4,
						"options":         []any{object{"id": "a", "text": "Nine hours"}, object{"id": "b", "text": "Two days"}},
						"correctOptionId": "a", "explanation": "USP 797.",
					},
					object{
						"type": "MULTIPLE_CHOICE", "prompt": "Which must be kept cold?", "points": 6, "partialCredit": true,
						"options": []any{
							object{"id": "x", "text": "Insulin"}, object{"id": "y", "text": "Vaccines"}, object{"id": "z", "text": "Salt"},
						},
						"correctOptionIds": []any{"x", "y"},
					},
				},
			},
			object{
				"title": "Calculation",
				"questions": []any{
					object{"type": "NUMERIC", "prompt": "2.5 mg/kg for 70 kg, in mg?", "points": 5, "answer": 175, "tolerance": 0.5},
					object{"type": "SHORT_TEXT", "prompt": "What flow does a clean bench have?", "points": 5,
						"acceptedAnswers": []any{"laminar", "laminar flow"}},
				},
			},
		},
	}
}

// publish creates and publishes an assessment, and returns its id.
func (o *tenant) publish(definition object) string {
	o.api.t.Helper()
	id := o.api.do("POST", "/v1/assessments", o.owner, definition).want(201).text("data.id")
	o.api.do("POST", "/v1/assessments/"+id+"/publish", o.owner, nil).want(200)
	return id
}

var invited atomic.Int64

// invite invites a new candidate, with the extra fields.
func (o *tenant) invite(assessmentID string, extra ...object) response {
	o.api.t.Helper()
	body := object{
		"assessmentId": assessmentID, "candidateName": "Grace Hopper",
		"candidateEmail": fmt.Sprintf("candidate%d@example.com", invited.Add(1)),
	}
	for _, e := range extra {
		for name, value := range e {
			body[name] = value
		}
	}

	return o.api.do("POST", "/v1/candidate-sessions", o.owner, body).want(201)
}

// candidate returns the credential in the invite link.
func (r response) candidate() credential {
	r.t.Helper()
	_, token, found := strings.Cut(r.text("data.inviteUrl"), "#")
	if !found {
		r.t.Fatalf("no invite link in %s", r.body)
	}
	return bearer(token)
}

// answerStage answers every question of the current stage correctly or wrongly, and
// returns the id of the stage.
func (a *api) answerStage(who credential, right bool) string {
	a.t.Helper()
	stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
	for i := range stage.list("data.questions") {
		at := fmt.Sprintf("data.questions.%d.", i)
		a.do("PUT", "/v1/candidate/session/answers/"+stage.text(at+"id"), who, answerFor(stage.text(at+"type"), right)).
			want(200)
	}

	return stage.text("data.id")
}

// answerFor returns a correct or wrong answer to the question of this type in twoStages.
func answerFor(questionType string, right bool) object {
	answers := map[string][2]object{
		"SINGLE_CHOICE":   {{"optionId": "b"}, {"optionId": "a"}},
		"MULTIPLE_CHOICE": {{"optionIds": []any{"z"}}, {"optionIds": []any{"x", "y"}}},
		"NUMERIC":         {{"number": 3}, {"number": 175.25}},
		"SHORT_TEXT":      {{"text": "turbulent"}, {"text": " Laminar  flow "}},
		"FREE_TEXT":       {{"text": "In the pot"}, {"text": "In shallow trays"}},
	}[questionType]
	if right {
		return answers[1]
	}
	return answers[0]
}

// finish starts a session of twoStages and brings it to its end. With pass, all answers
// are correct and the session is COMPLETED. Otherwise it is DISQUALIFIED at the gate.
func (a *api) finish(who credential, pass bool) response {
	a.t.Helper()
	a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	outcome := a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, pass)}).
		want(200)
	if pass {
		outcome = a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, true)}).
			want(200)
	}
	return outcome
}

// timed returns an assessment with time limits in minutes, for the whole assessment
// and for each stage. 0 means no limit. Each stage has one question of 5 points.
func timed(whole int, stages ...int) object {
	definition := oneQuestion(object{"passingScore": 50})
	stage := definition["stages"].([]any)[0].(object)
	list := []any{}

	for i, minutes := range stages {
		limited := maps.Clone(stage)
		limited["title"] = fmt.Sprint("Stage ", i+1)
		if minutes > 0 {
			limited["timeLimitMinutes"] = minutes
		}
		list = append(list, limited)
	}

	definition["stages"] = list
	if whole > 0 {
		definition["timeLimitMinutes"] = whole
	}
	return definition
}

// gated adds a required gate with the minimum score 50 to one stage.
func gated(definition object, stage int) object {
	definition["stages"].([]any)[stage].(object)["gate"] = object{"required": true, "minScore": 50}
	return definition
}

// onReplicas runs test against two servers that share a database. It does so once on
// SQLite and once on PostgreSQL, beside other tests.
func onReplicas(t *testing.T, test func(t *testing.T, a, b *api), changes ...func(*store.Options)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		a := serve(t, storetest.OpenURL(t, address, clock.Now, changes...), clock)
		b := serve(t, storetest.OpenURL(t, address, clock.Now, changes...), clock)
		a.database, b.database = address, address
		test(t, a, b)
	})
}
