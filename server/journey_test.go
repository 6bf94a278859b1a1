package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// shows fails the test for each dotted path that does not have the value given.
func (r response) shows(values object) response {
	r.t.Helper()
	for _, path := range slices.Sorted(maps.Keys(values)) {
		if got, want := r.at(path), asJSON(r.t, values[path]); !reflect.DeepEqual(got, want) {
			r.t.Errorf("%s: %s is %v, want %v\n%s", r.name, path, got, want, r.body)
		}
	}
	return r
}

// asJSON is the value as it is read back from its JSON.
func asJSON(t testing.TB, value any) any {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

// wire is an instant as the API writes it.
func wire(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// moment reads an instant back.
func (r response) moment(path string) time.Time {
	r.t.Helper()
	at, err := time.Parse(time.RFC3339, r.text(path))
	if err != nil {
		r.t.Fatalf("%s: %s: %v", r.name, path, err)
	}
	return at
}

// events returns the organization's last events of a type, newest first; ""
// means every type.
func (o *tenant) events(eventType string, limit int) []object {
	o.api.t.Helper()
	path := fmt.Sprintf("/v1/events?limit=%d", limit)
	if eventType != "" {
		path += "&type=" + eventType
	}
	var events []object
	for _, event := range o.api.do("GET", path, o.owner, nil).want(200).list("data") {
		events = append(events, event.(object))
	}
	return events
}

// eventsOf is what the last 20 events tell of one session or assessment.
func (o *tenant) eventsOf(eventType, subjectID string) []object {
	o.api.t.Helper()
	return slices.DeleteFunc(o.events(eventType, 20), func(event object) bool {
		data := event["data"].(object)
		return data["sessionId"] != subjectID && (data["sessionId"] != nil || data["assessmentId"] != subjectID)
	})
}

// result reads a finished session's result in each of the ways there are, and
// fails unless all give the same bytes.
func (o *tenant) result(key credential, sessionID string) response {
	o.api.t.Helper()
	minted := o.api.do("POST", "/v1/public/candidate-sessions/"+sessionID+"/result-token", key, nil).want(200)
	result := o.api.do("GET", "/v1/public/candidate-sessions/"+sessionID+"/result", key, nil).want(200)
	for way, same := range map[string]response{
		"by token":  o.api.do("GET", "/v1/public/results/"+minted.text("data.token"), key, nil).want(200),
		"by person": o.api.do("GET", "/v1/candidate-sessions/"+sessionID+"/result", o.owner, nil).want(200),
	} {
		if string(same.body) != string(result.body) {
			o.api.t.Fatalf("%s: %s\nby session: %s", way, same.body, result.body)
		}
	}
	return result
}

// resultToken takes the token out of a redirect; what is around it must be the
// address that was configured.
func resultToken(t testing.TB, redirect, before, after string) string {
	t.Helper()
	token, found := strings.CutPrefix(redirect, before)
	token, rest := strings.TrimSuffix(token, after), strings.HasSuffix(token, after)
	if !found || !rest || token == "" || url.QueryEscape(token) != token {
		t.Fatalf("redirect %s, want %s<token>%s", redirect, before, after)
	}
	return token
}

// oneQuestion is an assessment of one numeric question, whose answer is 175;
// extra fields may be given.
func oneQuestion(extra ...object) object {
	definition := object{"title": "One question", "stages": []any{object{"title": "Only", "questions": []any{
		object{"type": "NUMERIC", "prompt": "2.5 mg/kg for 70 kg, in mg?", "points": 5, "answer": 175, "tolerance": 0.5},
	}}}}
	for _, e := range extra {
		maps.Copy(definition, e)
	}
	return definition
}

// complete takes an assessment without gates to its end, all answers right.
func (a *api) complete(who credential) response {
	a.t.Helper()
	outcome := a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	for outcome.text("data.status") == "IN_PROGRESS" {
		outcome = a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, true)}).want(200)
	}
	return outcome
}

// callers are who may invite and read: a person, and an integration on its own paths.
func (o *tenant) callers() map[string]credential {
	o.api.t.Helper()
	return map[string]credential{"/v1": o.owner, "/v1/public": o.key()}
}

func TestJourneyCompleted(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.do("PATCH", "/v1/organization", o.owner, object{"redirectUrl": "https://jobs.example/thanks?source=assay;x"}).want(200)
		assessmentID := o.publish(twoStages())
		for prefix, who := range o.callers() {
			a.do("GET", prefix+"/assessments", who, nil).want(200).shows(object{"data.0.id": assessmentID})
			labels := object{"source": "careers", "größe": "<&> \"quoted\" \\ 😀"}
			invite := a.do("POST", prefix+"/candidate-sessions", who, object{
				"assessmentId": assessmentID, "candidateName": "Grace Hopper", "candidateEmail": "grace@example.com",
				"externalId": "application-1", "metadata": labels, "onExisting": "NEW_ATTEMPT",
			}).want(201)
			sessionID := invite.text("data.id")
			if location := invite.header.Get("Location"); location != prefix+"/candidate-sessions/"+sessionID {
				t.Errorf("Location %s", location)
			}
			candidate := invite.candidate()
			a.do("GET", "/v1/candidate/session", candidate, nil).want(200).shows(object{
				"data.status": "INVITED", "data.organization.name": "Analytical Engines", "data.stages.0.status": "NOT_REACHED",
				"data.candidate": object{"name": "Grace Hopper", "email": "grace@example.com"}, "data.startedAt": nil, "data.redirectUrl": nil,
			})

			started := a.store.Now()
			a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200).shows(object{
				"data.status": "IN_PROGRESS", "data.startedAt": wire(started), "data.stages.0.status": "IN_PROGRESS",
			})
			a.clock.Advance(90 * time.Second)
			first := a.answerStage(candidate, true)
			next := a.do("POST", "/v1/candidate/session/stage/submit", candidate, object{"stageId": first}).want(200)
			next.shows(object{"data.status": "IN_PROGRESS", "data.redirectUrl": nil})
			a.clock.Advance(30 * time.Second)
			second := a.answerStage(candidate, true)
			if next.text("data.nextStageId") != second {
				t.Fatalf("stage %s follows, but %s is worked on", next.text("data.nextStageId"), second)
			}
			outcome := a.do("POST", "/v1/candidate/session/stage/submit", candidate, object{"stageId": second}).want(200)
			outcome.shows(object{"data.status": "COMPLETED", "data.nextStageId": nil})
			token := resultToken(t, outcome.text("data.redirectUrl"), "https://jobs.example/thanks?source=assay;x&result=", "")
			again := a.do("POST", "/v1/candidate/session/stage/submit", candidate, object{"stageId": first}).want(200)
			if string(again.body) != string(next.body) {
				t.Errorf("the first stage again: %s\nat first: %s", again.body, next.body)
			}

			result := o.result(o.key(), sessionID).shows(object{
				"data.sessionId": sessionID, "data.assessment": object{"id": assessmentID, "title": "Night-shift pharmacist"},
				"data.candidate": object{"name": "Grace Hopper", "email": "grace@example.com"}, "data.externalId": "application-1",
				"data.metadata": labels, "data.status": "COMPLETED", "data.score": 100, "data.points": 20, "data.maxPoints": 20,
				"data.passingScore": 60, "data.passed": true, "data.percentile": nil, "data.disqualification": nil,
				"data.startedAt": wire(started), "data.completedAt": wire(started.Add(2 * time.Minute)), "data.durationSeconds": 120,
				"data.closeReason": "SUBMITTED", "data.stages.0.status": "PASSED", "data.stages.0.durationSeconds": 90,
				"data.stages.0.gate":               object{"required": true, "minScore": 50, "passed": true},
				"data.stages.0.questions.1.answer": object{"optionIds": []string{"x", "y"}},
				"data.stages.1.status":             "COMPLETED", "data.stages.1.gate": nil, "data.stages.1.durationSeconds": 30,
				"data.stages.1.questions.1.answer": object{"text": " Laminar  flow "}, "data.stages.1.questions.1.correct": true,
			})
			byRedirect := a.do("GET", "/v1/public/results/"+token, o.key(), nil).want(200)
			if string(byRedirect.body) != string(result.body) {
				t.Errorf("by the redirect's token: %s\nby session: %s", byRedirect.body, result.body)
			}
			a.do("GET", prefix+"/candidate-sessions/"+sessionID, who, nil).want(200).shows(object{
				"data.status": "COMPLETED", "data.closeReason": "SUBMITTED", "data.score": 100, "data.passed": true,
				"data.completedAt": wire(started.Add(2 * time.Minute)), "data.inviteUrl": nil, "data.currentStageId": nil,
			})

			if got := len(o.eventsOf("candidate.invited", sessionID)); got != 1 {
				t.Errorf("%d invited events", got)
			}
			events := o.eventsOf("candidate.completed", sessionID)
			want := asJSON(t, object{
				"sessionId": sessionID, "assessmentId": assessmentID, "candidateName": "Grace Hopper", "candidateEmail": "grace@example.com",
				"score": 100, "status": "COMPLETED", "externalId": "application-1", "metadata": labels, "passed": true,
			})
			if len(events) != 1 || !reflect.DeepEqual(events[0]["data"], want) {
				t.Errorf("events %v, want one of %v", events, want)
			}
		}
		if published := o.eventsOf("assessment.published", assessmentID); len(published) != 1 {
			t.Errorf("%d published events", len(published))
		}
	})
}

func TestJourneyDisqualified(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.do("PATCH", "/v1/organization", o.owner, object{"redirectUrl": "https://jobs.example/thanks"}).want(200)
		assessmentID := o.publish(twoStages())
		for prefix, who := range o.callers() {
			invite := a.do("POST", prefix+"/candidate-sessions", who, object{
				"assessmentId": assessmentID, "candidateName": "Grace Hopper", "candidateEmail": "grace@example.com",
			}).want(201)
			sessionID, candidate, at := invite.text("data.id"), invite.candidate(), wire(a.store.Now())
			outcome := a.finish(candidate, false)
			outcome.shows(object{"data.status": "DISQUALIFIED", "data.nextStageId": nil, "data.redirectUrl": nil})

			result := o.result(o.key(), sessionID)
			stageID := result.text("data.stages.0.id")
			result.shows(object{
				"data.status": "DISQUALIFIED", "data.closeReason": "STAGE_GATE", "data.passed": false, "data.score": 0, "data.points": 0,
				"data.externalId": nil, "data.metadata": object{}, "data.completedAt": at,
				"data.disqualification": object{"stageId": stageID, "stageTitle": "Storage", "score": 0, "minScore": 50, "at": at},
				"data.stages.0.status":  "FAILED", "data.stages.0.gate": object{"required": true, "minScore": 50, "passed": false},
				"data.stages.1.status": "NOT_REACHED", "data.stages.1.score": nil, "data.stages.1.points": nil,
				"data.stages.1.durationSeconds": nil, "data.stages.1.questions.0.answer": nil, "data.stages.1.questions.0.correct": false,
			})
			a.do("GET", "/v1/candidate/session", candidate, nil).want(200).shows(object{
				"data.status": "DISQUALIFIED", "data.redirectUrl": nil, "data.completedAt": nil, "data.disqualifiedAt": at,
			})
			a.do("GET", prefix+"/candidate-sessions/"+sessionID, who, nil).want(200).shows(object{
				"data.status": "DISQUALIFIED", "data.closeReason": "STAGE_GATE", "data.disqualifiedAt": at, "data.completedAt": nil, "data.passed": false,
			})
			events := o.eventsOf("", sessionID)
			want := asJSON(t, object{
				"sessionId": sessionID, "assessmentId": assessmentID, "candidateName": "Grace Hopper", "candidateEmail": "grace@example.com",
				"score": 0, "status": "DISQUALIFIED", "externalId": nil, "metadata": object{}, "passed": false,
				"stageId": stageID, "stageTitle": "Storage", "stageScore": 0, "minScore": 50,
			})
			if len(events) != 2 || events[0]["type"] != "candidate.disqualified" || !reflect.DeepEqual(events[0]["data"], want) {
				t.Errorf("events %v, want first %v", events, want)
			}
		}
	})
}
