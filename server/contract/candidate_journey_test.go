package contract

import (
	"reflect"
	"testing"
	"time"
)

// A candidate who answers everything correctly completes the assessment. The
// session, the result and the events must agree, for users and for API keys.
func TestJourneyCompleted(t *testing.T) { onEach(t, journeyCompleted) }

func journeyCompleted(t *testing.T, a *api) {
	o := a.register()
	a.do("PATCH", "/v1/organization", o.owner, object{"redirectUrl": "https://jobs.example/thanks?source=assay;x"}).
		want(200)
	assessmentID := o.publish(twoStages())

	for prefix, who := range o.callers() {
		a.do("GET", prefix+"/assessments", who, nil).want(200).wantFields(object{"data.0.id": assessmentID})
		labels := object{"source": "careers", "größe": "<&> \"quoted\" \\ 😀"}
		invite := a.do("POST", prefix+"/candidate-sessions", who, object{
			"assessmentId": assessmentID, "candidateName": "Grace Hopper", "candidateEmail": "grace@example.com",
			"externalId": "application-1", "metadata": labels, "onExisting": "NEW_ATTEMPT",
		}).want(201)
		sessionID := invite.text("data.id")
		if location := invite.header.Get("Location"); location != prefix+"/candidate-sessions/"+sessionID {
			t.Errorf("Location is %s", location)
		}

		candidate := invite.candidate()
		a.do("GET", "/v1/candidate/session", candidate, nil).want(200).wantFields(object{
			"data.status": "INVITED", "data.organization.name": "Analytical Engines", "data.stages.0.status": "NOT_REACHED",
			"data.candidate": object{"name": "Grace Hopper", "email": "grace@example.com"}, "data.startedAt": nil,
			"data.redirectUrl": nil,
		})

		started := a.store.Now()
		a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200).wantFields(object{
			"data.status": "IN_PROGRESS", "data.startedAt": wire(started), "data.stages.0.status": "IN_PROGRESS",
		})
		a.clock.Advance(90 * time.Second)
		first := a.answerStage(candidate, true)
		next := a.do("POST", "/v1/candidate/session/stage/submit", candidate, object{"stageId": first}).want(200)
		next.wantFields(object{"data.status": "IN_PROGRESS", "data.redirectUrl": nil, "data.closeReason": nil,
			"data.answers": []any{}})

		a.clock.Advance(30 * time.Second)
		second := a.answerStage(candidate, true)
		if next.text("data.nextStageId") != second {
			t.Fatalf("nextStageId is %s, but the current stage is %s", next.text("data.nextStageId"), second)
		}

		outcome := a.do("POST", "/v1/candidate/session/stage/submit", candidate, object{"stageId": second}).want(200)
		outcome.wantFields(object{"data.status": "COMPLETED", "data.nextStageId": nil, "data.closeReason": "SUBMITTED"})
		token := resultToken(t, outcome.text("data.redirectUrl"), "https://jobs.example/thanks?source=assay;x&result=", "")

		again := a.do("POST", "/v1/candidate/session/stage/submit", candidate, object{"stageId": first}).want(200)
		if string(again.body) != string(outcome.body) {
			t.Errorf("the repeated submission of the first stage returns %s\nwant %s", again.body, outcome.body)
		}

		result := o.result(o.key(), sessionID).wantFields(object{
			"data.sessionId": sessionID, "data.assessment": object{"id": assessmentID, "title": "Night-shift pharmacist"},
			"data.candidate": object{"name": "Grace Hopper", "email": "grace@example.com"}, "data.externalId": "application-1",
			"data.metadata": labels, "data.status": "COMPLETED", "data.score": 100, "data.points": 20, "data.maxPoints": 20,
			"data.passingScore": 60, "data.passed": true, "data.percentile": nil, "data.disqualification": nil,
			"data.startedAt": wire(started), "data.completedAt": wire(started.Add(2 * time.Minute)),
			"data.durationSeconds": 120, "data.closeReason": "SUBMITTED", "data.stages.0.status": "PASSED",
			"data.stages.0.durationSeconds":    90,
			"data.stages.0.gate":               object{"required": true, "minScore": 50, "onFail": "DISQUALIFY", "passed": true},
			"data.stages.0.questions.1.answer": object{"optionIds": []string{"x", "y"}},
			"data.stages.1.status":             "COMPLETED", "data.stages.1.gate": nil, "data.stages.1.durationSeconds": 30,
			"data.stages.1.questions.1.answer": object{"text": " Laminar  flow "}, "data.stages.1.questions.1.correct": true,
		})

		byRedirect := a.do("GET", "/v1/public/results/"+token, o.key(), nil).want(200)
		if string(byRedirect.body) != string(result.body) {
			t.Errorf("the result by the token in the redirect is %s\nby session it is %s", byRedirect.body, result.body)
		}
		a.do("GET", prefix+"/candidate-sessions/"+sessionID, who, nil).want(200).wantFields(object{
			"data.status": "COMPLETED", "data.closeReason": "SUBMITTED", "data.score": 100, "data.passed": true,
			"data.completedAt": wire(started.Add(2 * time.Minute)), "data.inviteUrl": nil, "data.currentStageId": nil,
		})

		if got := len(o.eventsOf("candidate.invited", sessionID)); got != 1 {
			t.Errorf("%d candidate.invited events, want 1", got)
		}
		events := o.eventsOf("candidate.completed", sessionID)
		want := asJSON(t, object{
			"sessionId": sessionID, "assessmentId": assessmentID, "candidateName": "Grace Hopper",
			"candidateEmail": "grace@example.com", "score": 100, "status": "COMPLETED", "externalId": "application-1",
			"metadata": labels, "passed": true, "revision": 1, "resultUrl": nil,
		})
		if len(events) != 1 || !reflect.DeepEqual(events[0]["data"], want) {
			t.Errorf("events %v, want only %v", events, want)
		}
	}

	if published := o.eventsOf("assessment.published", assessmentID); len(published) != 1 {
		t.Errorf("%d assessment.published events, want 1", len(published))
	}
}

// A candidate who fails a required gate is disqualified. The session ends there,
// no redirect is returned, and the result and the event name the failed stage.
func TestJourneyDisqualified(t *testing.T) { onEach(t, journeyDisqualified) }

func journeyDisqualified(t *testing.T, a *api) {
	o := a.register()
	a.do("PATCH", "/v1/organization", o.owner, object{"redirectUrl": "https://jobs.example/thanks"}).want(200)
	assessmentID := o.publish(twoStages())

	for prefix, who := range o.callers() {
		invite := a.do("POST", prefix+"/candidate-sessions", who, object{
			"assessmentId": assessmentID, "candidateName": "Grace Hopper", "candidateEmail": "grace@example.com",
		}).want(201)
		sessionID, candidate, at := invite.text("data.id"), invite.candidate(), wire(a.store.Now())

		outcome := a.finish(candidate, false)
		outcome.wantFields(object{"data.status": "DISQUALIFIED", "data.nextStageId": nil, "data.redirectUrl": nil})

		result := o.result(o.key(), sessionID)
		stageID := result.text("data.stages.0.id")
		result.wantFields(object{
			"data.status": "DISQUALIFIED", "data.closeReason": "STAGE_GATE", "data.passed": false, "data.score": 0,
			"data.points": 0, "data.externalId": nil, "data.metadata": object{}, "data.completedAt": at,
			"data.disqualification": object{"stageId": stageID, "stageTitle": "Storage", "score": 0, "minScore": 50, "at": at},
			"data.stages.0.status":  "FAILED",
			"data.stages.0.gate":    object{"required": true, "minScore": 50, "onFail": "DISQUALIFY", "passed": false},
			"data.stages.1.status":  "NOT_REACHED", "data.stages.1.score": nil, "data.stages.1.points": nil,
			"data.stages.1.durationSeconds": nil, "data.stages.1.questions.0.answer": nil,
			"data.stages.1.questions.0.correct": nil,
		})

		a.do("GET", "/v1/candidate/session", candidate, nil).want(200).wantFields(object{
			"data.status": "DISQUALIFIED", "data.redirectUrl": nil, "data.completedAt": nil, "data.disqualifiedAt": at,
			"data.closeReason":   "STAGE_GATE",
			"data.stages.0.gate": object{"required": true, "onFail": "DISQUALIFY"}, "data.stages.1.gate": nil,
		})
		a.do("GET", prefix+"/candidate-sessions/"+sessionID, who, nil).want(200).wantFields(object{
			"data.status": "DISQUALIFIED", "data.closeReason": "STAGE_GATE", "data.disqualifiedAt": at,
			"data.completedAt": nil, "data.passed": false,
		})

		events := o.eventsOf("", sessionID)
		want := asJSON(t, object{
			"sessionId": sessionID, "assessmentId": assessmentID, "candidateName": "Grace Hopper",
			"candidateEmail": "grace@example.com", "score": 0, "status": "DISQUALIFIED", "externalId": nil,
			"metadata": object{}, "passed": false, "stageId": stageID, "stageTitle": "Storage", "stageScore": 0,
			"minScore": 50, "revision": 1, "resultUrl": nil,
		})
		if len(events) != 3 || events[0]["type"] != "candidate.disqualified" ||
			!reflect.DeepEqual(events[0]["data"], want) {
			t.Errorf("events %v, want first %v", events, want)
		}
	}
}
