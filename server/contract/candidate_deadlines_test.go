package contract

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// startedSession is a session that its candidate has started, with its first stage.
type startedSession struct {
	id, stageID, questionID string
	who                     credential
}

// begin invites a candidate and starts the session.
func (o *tenant) begin(assessmentID string) startedSession {
	o.api.t.Helper()
	invite := o.invite(assessmentID)
	b := startedSession{id: invite.text("data.id"), who: invite.candidate()}
	o.api.do("POST", "/v1/candidate/session/start", b.who, nil).want(200)
	stage := o.api.do("GET", "/v1/candidate/session/stage", b.who, nil).want(200)
	b.stageID, b.questionID = stage.text("data.id"), stage.text("data.questions.0.id")
	return b
}

// save saves an answer to the question of the first stage. 175 is correct.
func (a *api) save(b startedSession, number float64) response {
	a.t.Helper()
	return a.do("PUT", "/v1/candidate/session/answers/"+b.questionID, b.who, object{"number": number})
}

// submit submits the first stage.
func (a *api) submit(b startedSession) response {
	a.t.Helper()
	return a.do("POST", "/v1/candidate/session/stage/submit", b.who, object{"stageId": b.stageID})
}

// A candidate can save and submit until one millisecond before the deadline, and not at the
// deadline itself.
func TestDeadlineIsExact(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		for name, test := range map[string]struct {
			definition object
			minutes    time.Duration
		}{
			"of the session":                      {timed(10, 0), 10},
			"of the stage":                        {timed(0, 7), 7},
			"of the stage, shorter":               {timed(10, 7), 7},
			"of the session, shorter":             {timed(5, 7), 5},
			"of both":                             {timed(7, 7), 7},
			"of the stage, the maximum of a week": {timed(0, 10080), 10080},
		} {
			o.signIn()
			assessmentID := o.publish(test.definition)
			deadline := a.store.Now().Add(test.minutes * time.Minute)
			saving, submitting := o.begin(assessmentID), o.begin(assessmentID)
			submittingLate, reading := o.begin(assessmentID), o.begin(assessmentID)
			a.do("GET", "/v1/candidate/session/stage", reading.who, nil).want(200).
				wantFields(object{"data.deadlineAt": wire(deadline)})

			a.setClock(deadline.Add(-time.Millisecond))
			for _, b := range []startedSession{saving, submitting, submittingLate, reading} {
				a.save(b, 175).want(200).wantFields(object{"data.savedAt": wire(deadline.Add(-time.Millisecond))})
			}
			a.submit(submitting).want(200).wantFields(object{"data.status": "COMPLETED"})

			a.setClock(deadline)
			a.save(saving, 1).want(409, "session_not_in_progress")
			a.do("GET", "/v1/candidate/session/stage", reading.who, nil).want(409, "session_not_in_progress")
			a.do("POST", "/v1/candidate/session/start", reading.who, nil).want(409, "session_not_in_progress")

			// The server ignores a late submission, but does not return an error: the
			// candidate may have pressed the button just before the deadline.
			a.submit(submittingLate).want(200).wantFields(object{"data.status": "COMPLETED", "data.nextStageId": nil})
			for b, reason := range map[startedSession]string{
				saving: "TIME_EXPIRED", submitting: "SUBMITTED", submittingLate: "TIME_EXPIRED", reading: "TIME_EXPIRED",
			} {
				completedAt := deadline
				if reason == "SUBMITTED" {
					completedAt = deadline.Add(-time.Millisecond)
				}
				read := a.do("GET", "/v1/public/candidate-sessions/"+b.id+"/result", key, nil).want(200)
				read.wantFields(object{
					"data.closeReason": reason, "data.completedAt": wire(completedAt), "data.score": 100,
					"data.stages.0.questions.0.answer": object{"number": 175},
				})
				if t.Failed() {
					t.Fatalf("failed for the deadline %s", name)
				}
			}
		}
	})
}

// sinceStart makes results of different sessions comparable. It replaces each time in
// a result by the duration since the start, and removes the session and the candidate.
func sinceStart(t *testing.T, result response) any {
	t.Helper()
	start := result.moment("data.startedAt")
	var walk func(value any) any
	walk = func(value any) any {
		switch v := value.(type) {
		case object:
			for name := range v {
				v[name] = walk(v[name])
			}
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case string:
			if at, err := time.Parse(time.RFC3339, v); err == nil {
				return at.Sub(start).String()
			}
		}

		return value
	}
	data := walk(result.data()).(object)
	delete(data, "sessionId")
	delete(data, "candidate")
	return data
}

// abandonedSessions are sessions that a candidate abandons in the first stage, each
// with the result after its last deadline.
var abandonedSessions = map[string]struct {
	definition object
	answers    []float64
	minutes    time.Duration // from the start to the last deadline
	want       object        // fields of the result, with times since the start
}{
	"an answer": {timed(10, 0), []float64{1, 175}, 10, object{
		"status": "COMPLETED", "closeReason": "TIME_EXPIRED", "completedAt": "10m0s", "durationSeconds": 600, "score": 100,
		"passed": true,
	}},
	"no answer": {timed(10, 0), nil, 10, object{"status": "COMPLETED", "closeReason": "TIME_EXPIRED", "score": 0,
		"passed": false}},
	"a gate not passed": {gated(timed(0, 10, 5), 0), []float64{1}, 10, object{
		"status": "DISQUALIFIED", "closeReason": "STAGE_GATE", "completedAt": "10m0s", "score": 0, "passed": false,
	}},
	"a gate passed, and a stage that nobody starts": {gated(timed(0, 10, 5), 0), []float64{175}, month, object{
		"status": "COMPLETED", "closeReason": "ABANDONED", "completedAt": "720h0m0s", "durationSeconds": 2592000,
		"score": 50, "passed": true,
	}},
	"the second gate": {gated(timed(0, 10, 0, 3), 1), []float64{175}, month, object{
		"status": "DISQUALIFIED", "closeReason": "STAGE_GATE", "completedAt": "720h0m0s", "score": 33.33, "passed": false,
	}},
	"a session limit while the second stage waits": {timed(12, 10, 5, 3), []float64{175}, 12, object{
		"status": "COMPLETED", "closeReason": "TIME_EXPIRED", "completedAt": "12m0s", "durationSeconds": 720,
		"score": 33.33, "passed": false,
	}},
	"a session limit within the second stage": {timed(12, 10, 0, 3), []float64{175}, 12, object{
		"status": "COMPLETED", "closeReason": "TIME_EXPIRED", "completedAt": "12m0s", "durationSeconds": 720,
		"score": 33.33, "passed": false,
	}},
	"no limit": {timed(0, 0, 0), []float64{175}, month, object{"status": "COMPLETED", "closeReason": "ABANDONED",
		"completedAt": "720h0m0s", "score": 50}},
}

const month = 30 * 24 * 60 // minutes

// A session ends at its deadline. The result must not depend on which request or
// sweep first processes the deadline, nor on how late that is.
func TestAbandonedSessionsEndIdentically(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		path := func(b startedSession) string { return "/v1/public/candidate-sessions/" + b.id }
		endings := map[string]func(b startedSession){
			"sweep":        func(startedSession) { a.sweep() },
			"read session": func(b startedSession) { a.do("GET", "/v1/candidate/session", b.who, nil).want(200) },
			"read stage": func(b startedSession) {
				a.do("GET", "/v1/candidate/session/stage", b.who, nil).want(409, "session_not_in_progress")
			},
			"start": func(b startedSession) {
				a.do("POST", "/v1/candidate/session/start", b.who, nil).want(409, "session_not_in_progress")
			},
			"save answer":  func(b startedSession) { a.save(b, 175).want(409, "session_not_in_progress") },
			"submit stage": func(b startedSession) { a.submit(b).want(200) },
			"cancel":       func(b startedSession) { a.do("POST", path(b)+"/cancel", key, nil).want(409, "session_closed") },
			"resend": func(b startedSession) {
				a.do("POST", path(b)+"/resend", key, nil).want(409, "session_not_invited")
			},
		}

		for name, test := range abandonedSessions {
			o.signIn()
			assessmentID := o.publish(test.definition)
			var first any
			var sessions []startedSession

			for way, act := range endings {
				for _, late := range []time.Duration{0, 10 * 24 * time.Hour} {
					b := o.begin(assessmentID)
					deadline := a.store.Now().Add(test.minutes * time.Minute)
					for _, number := range test.answers {
						a.save(b, number).want(200)
					}
					a.setClock(deadline.Add(late))
					o.signIn()
					act(b)
					result := a.do("GET", path(b)+"/result", key, nil).want(200)
					same := sinceStart(t, result)
					if first == nil {
						first = same
						for field, value := range test.want {
							if got := same.(object)[field]; !reflect.DeepEqual(got, asJSON(t, value)) {
								t.Errorf("%s: %s is %v, want %v\n%s", name, field, got, value, result.body)
							}
						}
					}

					if !reflect.DeepEqual(same, first) {
						t.Errorf("%s, ended by %s, %s late: %v\nwant %v", name, way, late, same, first)
					}
					a.do("GET", path(b), key, nil).want(200).wantFields(object{
						"data.status": test.want["status"], "data.closeReason": result.at("data.closeReason"),
						"data.score":          result.at("data.score"),
						"data.currentStageId": nil, "data.inviteUrl": nil,
					})
					sessions = append(sessions, b)
				}
			}

			if more := a.sweep(); more != 0 {
				t.Errorf("%s: a sweep closed %d more sessions, want 0", name, more)
			}
			eventType := "candidate." + strings.ToLower(test.want["status"].(string))
			eventTypes := map[any][]any{}
			for _, event := range o.events("", 100) {
				id := event["data"].(object)["sessionId"]
				eventTypes[id] = append(eventTypes[id], event["type"])
			}
			for _, b := range sessions {
				if !slices.Equal(eventTypes[b.id], []any{eventType, "candidate.started", "candidate.invited"}) {
					t.Errorf("%s: events %v, want candidate.invited, candidate.started, and %s", name, eventTypes[b.id], eventType)
				}
			}
		}
	})
}

// If a stage ends by its deadline, a next stage without a limit starts at that deadline,
// even if the server processes it later.
func TestNextStageStartsAtPreviousDeadline(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		start := a.store.Now()
		b := o.begin(o.publish(timed(13, 10, 0, 0)))
		a.save(b, 175).want(200)
		a.setClock(start.Add(12 * time.Minute)) // no sweep ran; the second stage started two minutes ago
		a.save(b, 1).want(409, "stage_closed")
		second := a.do("GET", "/v1/candidate/session/stage", b.who, nil).want(200)
		second.wantFields(object{"data.order": 2, "data.status": "IN_PROGRESS",
			"data.deadlineAt": wire(start.Add(13 * time.Minute)), "data.serverTime": wire(a.store.Now())})
		outcome := a.submit(b).want(200) // a late submission of the first stage returns the current state
		outcome.wantFields(object{"data.status": "IN_PROGRESS", "data.nextStageId": second.text("data.id"),
			"data.closeReason": nil, "data.serverTime": wire(a.store.Now())})
		next := startedSession{id: b.id, who: b.who, stageID: second.text("data.id"),
			questionID: second.text("data.questions.0.id")}
		a.setClock(start.Add(13*time.Minute - time.Millisecond))
		a.save(next, 175).want(200)
		a.setClock(start.Add(13 * time.Minute))
		a.save(next, 1).want(409, "session_not_in_progress")
		a.do("GET", "/v1/public/candidate-sessions/"+b.id+"/result", key, nil).want(200).wantFields(object{
			"data.stages.0.durationSeconds": 600, "data.stages.1.durationSeconds": 180, "data.stages.1.score": 100,
			"data.stages.1.questions.0.answer": object{"number": 175}, "data.stages.2.status": "NOT_REACHED",
			"data.score": 66.67,
		})
	})
}

// An invite cannot be started from its expiry on. A session that was started before continues.
func TestInviteExpiry(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(timed(10, 0))
		expiry := a.store.Now().Add(time.Hour)
		invite := func() response { return o.invite(assessmentID, object{"expiresAt": wire(expiry)}) }
		inTime, late, read, unseen := invite(), invite(), invite(), invite()
		a.do("PATCH", "/v1/organization", o.owner, object{"supportEmail": "jobs@harbour-kitchens.example"}).want(200)
		a.setClock(expiry.Add(-time.Millisecond))
		a.do("POST", "/v1/candidate/session/start", inTime.candidate(), nil).want(200).wantFields(object{
			// expiresAt limits the start, not the session
			"data.deadlineAt": wire(expiry.Add(10*time.Minute - time.Millisecond)),
		})
		a.do("GET", "/v1/candidate/session", late.candidate(), nil).want(200).
			wantFields(object{"data.status": "INVITED", "data.expiresAt": wire(expiry)})
		a.setClock(expiry)
		for range 2 { // the first request closes the session, the second finds it closed
			a.do("POST", "/v1/candidate/session/start", late.candidate(), nil).want(410, "invite_expired")
		}
		// The page of an expired invite shows the date, and whom to ask.
		for range 2 { // the first request closes the session, the second finds it closed
			a.do("GET", "/v1/candidate/session", read.candidate(), nil).want(200).wantFields(object{
				"data.status": "EXPIRED", "data.closeReason": "INVITE_EXPIRED", "data.expiresAt": wire(expiry),
				"data.organization.supportEmail": "jobs@harbour-kitchens.example", "data.startedAt": nil, "data.deadlineAt": nil,
				"data.redirectUrl": nil, "data.currentStageId": nil, "data.stages.0.status": "NOT_REACHED",
			})
		}
		if swept := a.sweep(); swept != 1 {
			t.Errorf("%d sessions swept, want 1", swept)
		}
		o.signIn()
		for _, session := range []response{late, read, unseen} {
			a.do("GET", "/v1/candidate-sessions/"+session.text("data.id"), o.owner, nil).want(200).wantFields(object{
				"data.status": "EXPIRED", "data.closeReason": "INVITE_EXPIRED", "data.inviteUrl": nil, "data.startedAt": nil,
				"data.score": nil,
			})
			if events := o.eventsOf("", session.text("data.id")); len(events) != 2 || events[0]["type"] != "candidate.expired" {
				t.Errorf("the events are %v, want candidate.expired and candidate.invited", events)
			}
		}

		a.do("GET", "/v1/candidate/session/stage", inTime.candidate(), nil).want(200)
	})
}

// Concurrent sweeps and requests on several replicas close each session once, and write one
// event.
func TestReplicasSweepEachSessionOnce(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		assessmentID := o.publish(timed(10, 0))
		for round, withCandidates := range []bool{false, true} {
			var sessions []startedSession
			for range 20 {
				sessions = append(sessions, o.begin(assessmentID))
			}
			for range 120 { // more than one batch of the sweeper
				o.invite(assessmentID, object{"expiresAt": wire(a.store.Now().Add(time.Minute))})
			}
			a.clock.Advance(10 * time.Minute)
			swept := atOnce(3, func(i int) int {
				if i < 2 {
					return []*api{a, b}[i].sweep()
				}
				for _, s := range sessions {
					if withCandidates {
						b.do("GET", "/v1/candidate/session", s.who, nil)
					}
				}

				return 0
			})

			if !withCandidates && swept[0]+swept[1] != len(sessions)+120 {
				t.Errorf("%v sessions swept, want %d in total", swept, len(sessions)+120)
			}
			o.signIn()
			eventCounts := map[any]int{}
			for _, event := range o.events("candidate.completed", 100) {
				eventCounts[event["data"].(object)["sessionId"]]++
			}
			if len(eventCounts) != len(sessions)*(round+1) {
				t.Errorf("%d sessions have a candidate.completed event, want %d", len(eventCounts), len(sessions)*(round+1))
			}
			for _, s := range sessions {
				a.do("GET", "/v1/candidate-sessions/"+s.id+"/result", o.owner, nil).want(200).
					wantFields(object{"data.closeReason": "TIME_EXPIRED"})
				if eventCounts[s.id] != 1 {
					t.Errorf("%d candidate.completed events for one session, want 1", eventCounts[s.id])
				}
			}

			expired, _ := a.pages("/v1/candidate-sessions?status=EXPIRED&limit=100", o.owner, "id")
			if len(expired) != 120*(round+1) || slices.Contains(expired, "") {
				t.Errorf("%d sessions are expired, want %d", len(expired), 120*(round+1))
			}
		}
	})
}
