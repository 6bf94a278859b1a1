package server

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// onReplicas runs test against two servers on one database, of each kind in parallel.
func onReplicas(t *testing.T, test func(t *testing.T, a, b *api)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		a, b := serve(t, storetest.OpenURL(t, address, clock.Now), clock), serve(t, storetest.OpenURL(t, address, clock.Now), clock)
		a.database, b.database = address, address
		test(t, a, b)
	})
}

// timed is an assessment with a limit, in minutes, of the whole and of each of
// its stages; 0 means none. Each stage is one question of 5 points.
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

// gated gives one of an assessment's stages a required gate at 50.
func gated(definition object, stage int) object {
	definition["stages"].([]any)[stage].(object)["gate"] = object{"required": true, "minScore": 50}
	return definition
}

// startedSession is a session that its candidate has started.
type startedSession struct {
	id, stageID, questionID string
	who                     credential
}

func (o *tenant) begin(assessmentID string) startedSession {
	o.api.t.Helper()
	invite := o.invite(assessmentID)
	b := startedSession{id: invite.text("data.id"), who: invite.candidate()}
	o.api.do("POST", "/v1/candidate/session/start", b.who, nil).want(200)
	stage := o.api.do("GET", "/v1/candidate/session/stage", b.who, nil).want(200)
	b.stageID, b.questionID = stage.text("data.id"), stage.text("data.questions.0.id")
	return b
}

// save saves an answer to the first stage's question; 175 is right.
func (a *api) save(b startedSession, number float64) response {
	a.t.Helper()
	return a.do("PUT", "/v1/candidate/session/answers/"+b.questionID, b.who, object{"number": number})
}

// submit submits the first stage.
func (a *api) submit(b startedSession) response {
	a.t.Helper()
	return a.do("POST", "/v1/candidate/session/stage/submit", b.who, object{"stageId": b.stageID})
}

func TestDeadlineIsExact(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		for name, test := range map[string]struct {
			definition object
			minutes    time.Duration
		}{
			"of the session":               {timed(10, 0), 10},
			"of the stage":                 {timed(0, 7), 7},
			"of the stage, shorter":        {timed(10, 7), 7},
			"of the session, shorter":      {timed(5, 7), 5},
			"of both":                      {timed(7, 7), 7},
			"of the stage, a week at most": {timed(0, 10080), 10080},
		} {
			o.signIn()
			assessmentID := o.publish(test.definition)
			deadline := a.store.Now().Add(test.minutes * time.Minute)
			saving, submitting, submittingLate, looking := o.begin(assessmentID), o.begin(assessmentID), o.begin(assessmentID), o.begin(assessmentID)
			a.do("GET", "/v1/candidate/session/stage", looking.who, nil).want(200).shows(object{"data.deadlineAt": wire(deadline)})

			a.setClock(deadline.Add(-time.Millisecond))
			for _, b := range []startedSession{saving, submitting, submittingLate, looking} {
				a.save(b, 175).want(200).shows(object{"data.savedAt": wire(deadline.Add(-time.Millisecond))})
			}
			a.submit(submitting).want(200).shows(object{"data.status": "COMPLETED"})

			a.setClock(deadline)
			a.save(saving, 1).want(409, "session_not_in_progress")
			a.do("GET", "/v1/candidate/session/stage", looking.who, nil).want(409, "session_not_in_progress")
			a.do("POST", "/v1/candidate/session/start", looking.who, nil).want(409, "session_not_in_progress")
			// Not the candidate's submission any more, but the answer to whoever pressed the button just then.
			a.submit(submittingLate).want(200).shows(object{"data.status": "COMPLETED", "data.nextStageId": nil})
			for b, reason := range map[startedSession]string{
				saving: "TIME_EXPIRED", submitting: "SUBMITTED", submittingLate: "TIME_EXPIRED", looking: "TIME_EXPIRED",
			} {
				completedAt := deadline
				if reason == "SUBMITTED" {
					completedAt = deadline.Add(-time.Millisecond)
				}
				read := a.do("GET", "/v1/public/candidate-sessions/"+b.id+"/result", key, nil).want(200)
				read.shows(object{
					"data.closeReason": reason, "data.completedAt": wire(completedAt), "data.score": 100,
					"data.stages.0.questions.0.answer": object{"number": 175},
				})
				if t.Failed() {
					t.Fatalf("the deadline %s", name)
				}
			}
		}
	})
}

// sinceStart is a result with its instants as times since the start, and
// without what differs between two sessions that went the same way.
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

// abandonedSessions are sessions that candidates leave after their first answer, if
// any, and what becomes of them however it is noticed.
var abandonedSessions = map[string]struct {
	definition object
	answers    []float64
	minutes    time.Duration // after which all is over
	want       object
}{
	"an answer": {timed(10, 0), []float64{1, 175}, 10, object{
		"status": "COMPLETED", "closeReason": "TIME_EXPIRED", "completedAt": "10m0s", "durationSeconds": 600, "score": 100, "passed": true,
	}},
	"no answer": {timed(10, 0), nil, 10, object{"status": "COMPLETED", "closeReason": "TIME_EXPIRED", "score": 0, "passed": false}},
	"a gate not passed": {gated(timed(0, 10, 5), 0), []float64{1}, 10, object{
		"status": "DISQUALIFIED", "closeReason": "STAGE_GATE", "completedAt": "10m0s", "score": 0, "passed": false,
	}},
	"a gate passed": {gated(timed(0, 10, 5), 0), []float64{175}, 15, object{
		"status": "COMPLETED", "closeReason": "TIME_EXPIRED", "completedAt": "15m0s", "durationSeconds": 900, "score": 50, "passed": true,
	}},
	"the second gate": {gated(timed(0, 10, 5, 3), 1), []float64{175}, 15, object{
		"status": "DISQUALIFIED", "closeReason": "STAGE_GATE", "completedAt": "15m0s", "score": 33.33, "passed": false,
	}},
	"cut by the session's": {timed(12, 10, 5, 3), []float64{175}, 12, object{
		"status": "COMPLETED", "closeReason": "TIME_EXPIRED", "completedAt": "12m0s", "durationSeconds": 720, "score": 33.33, "passed": false,
	}},
	"three stages": {timed(0, 1, 2, 3), []float64{175}, 6, object{"status": "COMPLETED", "completedAt": "6m0s", "score": 33.33}},
}

func TestAbandonedSessionsEndIdentically(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		path := func(b startedSession) string { return "/v1/public/candidate-sessions/" + b.id }
		notice := map[string]func(b startedSession){
			"swept":               func(startedSession) { a.sweep() },
			"the candidate looks": func(b startedSession) { a.do("GET", "/v1/candidate/session", b.who, nil).want(200) },
			"asks for the stage": func(b startedSession) {
				a.do("GET", "/v1/candidate/session/stage", b.who, nil).want(409, "session_not_in_progress")
			},
			"starts again": func(b startedSession) {
				a.do("POST", "/v1/candidate/session/start", b.who, nil).want(409, "session_not_in_progress")
			},
			"saves":             func(b startedSession) { a.save(b, 175).want(409, "session_not_in_progress") },
			"submits":           func(b startedSession) { a.submit(b).want(200) },
			"is cancelled":      func(b startedSession) { a.do("POST", path(b)+"/cancel", key, nil).want(409, "session_closed") },
			"is sent once more": func(b startedSession) { a.do("POST", path(b)+"/resend", key, nil).want(409, "session_not_invited") },
		}
		for left, test := range abandonedSessions {
			o.signIn()
			assessmentID := o.publish(test.definition)
			var first any
			var sessions []startedSession
			for way, act := range notice {
				for _, late := range []time.Duration{0, 10 * 24 * time.Hour} {
					b := o.begin(assessmentID)
					over := a.store.Now().Add(test.minutes * time.Minute)
					for _, number := range test.answers {
						a.save(b, number).want(200)
					}
					a.setClock(over.Add(late))
					o.signIn()
					act(b)
					result := a.do("GET", path(b)+"/result", key, nil).want(200)
					same := sinceStart(t, result)
					if first == nil {
						first = same
						for field, value := range test.want {
							if got := same.(object)[field]; !reflect.DeepEqual(got, asJSON(t, value)) {
								t.Errorf("%s: %s is %v, want %v\n%s", left, field, got, value, result.body)
							}
						}
					}
					if !reflect.DeepEqual(same, first) {
						t.Errorf("%s, %s, %s late: %v\notherwise %v", left, way, late, same, first)
					}
					a.do("GET", path(b), key, nil).want(200).shows(object{
						"data.status": test.want["status"], "data.closeReason": result.at("data.closeReason"), "data.score": result.at("data.score"),
						"data.currentStageId": nil, "data.inviteUrl": nil,
					})
					sessions = append(sessions, b)
				}
			}
			if more := a.sweep(); more != 0 {
				t.Errorf("%s: the sweeper finds %d more", left, more)
			}
			eventType := "candidate." + strings.ToLower(test.want["status"].(string))
			told := map[any][]any{}
			for _, event := range o.events("", 100) {
				id := event["data"].(object)["sessionId"]
				told[id] = append(told[id], event["type"])
			}
			for _, b := range sessions {
				if !slices.Equal(told[b.id], []any{eventType, "candidate.invited"}) {
					t.Errorf("%s: events %v", left, told[b.id])
				}
			}
		}
	})
}

func TestNextStageStartsAtPreviousDeadline(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		for name, test := range map[string]struct {
			definition object
			deadline   time.Duration // of the second stage
		}{
			"by its own limit": {timed(0, 10, 5, 0), 15 * time.Minute},
			"by the session's": {timed(13, 10, 5, 0), 13 * time.Minute},
		} {
			o.signIn()
			start := a.store.Now()
			b := o.begin(o.publish(test.definition))
			a.save(b, 175).want(200)
			a.setClock(start.Add(12 * time.Minute)) // nobody swept, and two minutes of the second stage are gone
			a.save(b, 1).want(409, "stage_closed")
			second := a.do("GET", "/v1/candidate/session/stage", b.who, nil).want(200)
			second.shows(object{"data.order": 2, "data.deadlineAt": wire(start.Add(test.deadline)), "data.serverTime": wire(a.store.Now())})
			outcome := a.submit(b).want(200) // of the first, too late: what followed from it
			outcome.shows(object{"data.status": "IN_PROGRESS", "data.nextStageId": second.text("data.id")})
			next := startedSession{id: b.id, who: b.who, stageID: second.text("data.id"), questionID: second.text("data.questions.0.id")}
			a.setClock(start.Add(test.deadline - time.Millisecond))
			a.save(next, 175).want(200)
			if name == "by the session's" {
				a.setClock(start.Add(test.deadline))
				a.save(next, 1).want(409, "session_not_in_progress")
				a.do("GET", "/v1/public/candidate-sessions/"+b.id+"/result", key, nil).want(200).shows(object{
					"data.stages.1.durationSeconds": 180, "data.stages.1.score": 100, "data.stages.2.status": "NOT_REACHED", "data.score": 66.67,
				})
				continue
			}
			a.setClock(start.Add(test.deadline))
			a.save(next, 1).want(409, "stage_closed")
			// The third has no limit: it runs since then, and until it is submitted.
			a.clock.Advance(24 * time.Hour)
			third := a.do("GET", "/v1/candidate/session/stage", b.who, nil).want(200).shows(object{"data.order": 3, "data.deadlineAt": nil})
			a.submit(startedSession{who: b.who, stageID: third.text("data.id")}).want(200).shows(object{"data.status": "COMPLETED"})
			a.do("GET", "/v1/public/candidate-sessions/"+b.id+"/result", key, nil).want(200).shows(object{
				"data.stages.0.durationSeconds": 600, "data.stages.1.durationSeconds": 300, "data.stages.2.durationSeconds": 86400,
				"data.stages.1.questions.0.answer": object{"number": 175}, "data.closeReason": "SUBMITTED", "data.score": 66.67,
			})
		}
	})
}

func TestInviteExpiry(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(timed(10, 0))
		expiry := a.store.Now().Add(time.Hour)
		invite := func() response { return o.invite(assessmentID, object{"expiresAt": wire(expiry)}) }
		inTime, late, unseen := invite(), invite(), invite()
		a.setClock(expiry.Add(-time.Millisecond))
		a.do("POST", "/v1/candidate/session/start", inTime.candidate(), nil).want(200).shows(object{
			"data.deadlineAt": wire(expiry.Add(10*time.Minute - time.Millisecond)), // what expires is the invite, not the session
		})
		a.do("GET", "/v1/candidate/session", late.candidate(), nil).want(200).shows(object{"data.status": "INVITED", "data.expiresAt": wire(expiry)})
		a.setClock(expiry)
		for range 2 { // who notices, and who comes after
			a.do("POST", "/v1/candidate/session/start", late.candidate(), nil).want(410, "invite_expired")
		}
		a.do("GET", "/v1/candidate/session", late.candidate(), nil).want(410, "invite_expired")
		if swept := a.sweep(); swept != 1 {
			t.Errorf("%d swept, want the unseen one alone", swept)
		}
		o.signIn()
		for _, session := range []response{late, unseen} {
			a.do("GET", "/v1/candidate-sessions/"+session.text("data.id"), o.owner, nil).want(200).shows(object{
				"data.status": "EXPIRED", "data.closeReason": "INVITE_EXPIRED", "data.inviteUrl": nil, "data.startedAt": nil, "data.score": nil,
			})
			if events := o.eventsOf("", session.text("data.id")); len(events) != 1 {
				t.Errorf("expiring was told: %v", events)
			}
		}
		a.do("GET", "/v1/candidate/session/stage", inTime.candidate(), nil).want(200)
	})
}

func TestReplicasSweepEachSessionOnce(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		assessmentID := o.publish(timed(10, 0))
		for round, candidatesToo := range []bool{false, true} {
			var sessions []startedSession
			for range 20 {
				sessions = append(sessions, o.begin(assessmentID))
			}
			for range 120 { // more than the sweeper takes at a time
				o.invite(assessmentID, object{"expiresAt": wire(a.store.Now().Add(time.Minute))})
			}
			a.clock.Advance(10 * time.Minute)
			swept := atOnce(3, func(i int) int {
				if i < 2 {
					return []*api{a, b}[i].sweep()
				}
				for _, s := range sessions {
					if candidatesToo {
						b.do("GET", "/v1/candidate/session", s.who, nil)
					}
				}
				return 0
			})
			if !candidatesToo && swept[0]+swept[1] != len(sessions)+120 {
				t.Errorf("%v swept, want %d in all", swept, len(sessions)+120)
			}
			o.signIn()
			told := map[any]int{}
			for _, event := range o.events("candidate.completed", 100) {
				told[event["data"].(object)["sessionId"]]++
			}
			if len(told) != len(sessions)*(round+1) {
				t.Errorf("%d sessions told of, want %d", len(told), len(sessions)*(round+1))
			}
			for _, s := range sessions {
				a.do("GET", "/v1/candidate-sessions/"+s.id+"/result", o.owner, nil).want(200).shows(object{"data.closeReason": "TIME_EXPIRED"})
				if told[s.id] != 1 {
					t.Errorf("%d events of one session", told[s.id])
				}
			}
			if expired, _ := a.pages("/v1/candidate-sessions?status=EXPIRED&limit=100", o.owner, "id"); len(expired) != 120*(round+1) || slices.Contains(expired, "") {
				t.Errorf("%d expired", len(expired))
			}
		}
	})
}
