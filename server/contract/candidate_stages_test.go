package contract

import (
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

func (a *api) startStage(who credential, stageID string) response {
	a.t.Helper()
	return a.do("POST", "/v1/candidate/session/stage/start", who, object{"stageId": stageID})
}

// A stage with a limit waits until the candidate starts it. Its clock starts then, and
// its questions are visible only then.
func TestStageWaitsForItsStart(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		definition := gated(timed(0, 10, 5, 0), 1)
		definition["stages"].([]any)[1].(object)["description"] = "The second part."
		assessmentID := o.publish(definition)
		invite := o.invite(assessmentID, object{"extraTimePercent": 50})
		who := invite.candidate()
		a.startStage(who, "stg_00000000000000000000000000").want(409, "session_not_in_progress")

		a.do("POST", "/v1/candidate/session/start", who, nil).want(200).wantFields(object{
			"data.stages.0.status": "IN_PROGRESS", "data.stages.1.status": "NOT_REACHED", "data.stages.0.gate": nil,
			"data.stages.1.gate": object{"required": true, "onFail": "DISQUALIFY"},
		})
		first := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
		firstID, secondID := first.text("data.id"), o.stageID(assessmentID, 1)
		a.startStage(who, firstID).want(200).wantFields(object{"data.status": "IN_PROGRESS",
			"data.deadlineAt": first.at("data.deadlineAt"), "data.questions": first.at("data.questions")})
		a.startStage(who, secondID).want(404, "not_found")
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": firstID}).want(200).
			wantFields(object{"data.status": "IN_PROGRESS", "data.nextStageId": secondID})

		a.clock.Advance(48 * time.Hour)
		o.signIn()
		ready := object{
			"data.id": secondID, "data.order": 2, "data.status": "READY", "data.title": "Stage 2",
			"data.description": "The second part.", "data.timeLimitMinutes": 5, "data.questionCount": 1,
			"data.deadlineAt": nil, "data.questions": []any{},
		}
		a.do("GET", "/v1/candidate/session/stage", who, nil).want(200).wantFields(ready)
		a.do("GET", "/v1/candidate/session", who, nil).want(200).wantFields(object{
			"data.currentStageId": secondID, "data.stages.0.status": "COMPLETED", "data.stages.1.status": "READY",
		})
		a.do("GET", "/v1/candidate-sessions/"+invite.text("data.id"), o.owner, nil).want(200).
			wantFields(object{"data.currentStageId": secondID})
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": secondID}).want(409, "stage_not_started")
		question := a.do("GET", "/v1/assessments/"+assessmentID, o.owner, nil).want(200).text("data.stages.1.questions.0.id")
		a.do("DELETE", "/v1/candidate/session/answers/"+question, who, nil).want(409, "stage_not_started")
		a.saveAnswers(who, secondID, "page").want(409, "stage_not_started")
		a.startStage(who, firstID).want(409, "stage_closed")
		a.startStage(who, o.stageID(assessmentID, 2)).want(404, "not_found")

		started := a.store.Now()
		deadline := started.Add(7*time.Minute + 30*time.Second)
		second := a.startStage(who, secondID).want(200).wantFields(object{
			"data.status": "IN_PROGRESS", "data.deadlineAt": wire(deadline), "data.questionCount": 1,
		})
		a.clock.Advance(time.Minute)
		a.startStage(who, secondID).want(200).wantFields(object{"data.deadlineAt": wire(deadline),
			"data.questions": second.at("data.questions"), "data.serverTime": wire(started.Add(time.Minute))})
		b := startedSession{who: who, stageID: secondID, questionID: second.text("data.questions.0.id")}
		a.save(b, 175).want(200)
		third := a.submit(b).want(200).text("data.nextStageId") // without a limit, so it starts immediately
		a.startStage(who, third).want(200).wantFields(object{"data.status": "IN_PROGRESS", "data.deadlineAt": nil})
		a.clock.Advance(time.Minute)
		a.submit(startedSession{who: who, stageID: third}).want(200).wantFields(object{"data.status": "COMPLETED"})
		a.startStage(who, third).want(409, "session_not_in_progress")
		a.do("GET", "/v1/public/candidate-sessions/"+invite.text("data.id")+"/result", key, nil).want(200).wantFields(object{
			"data.stages.0.durationSeconds": 0, "data.stages.1.durationSeconds": 60, "data.stages.2.durationSeconds": 60,
			"data.durationSeconds": 48*3600 + 120, "data.stages.1.status": "PASSED",
		})
	})
}

func (o *tenant) stageID(assessmentID string, position int) string {
	o.api.t.Helper()
	stages := o.api.do("GET", "/v1/assessments/"+assessmentID, o.owner, nil).want(200).list("data.stages")
	return stages[position].(object)["id"].(string)
}

// While a stage waits, the limit of the session continues. A stage cannot be started
// after it, also by requests that no sweep preceded.
func TestSessionEndsWhileStageWaits(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		assessmentID := o.publish(gated(timed(20, 10, 5), 1))
		start := a.store.Now()
		inTime, late := o.begin(assessmentID), o.begin(assessmentID)
		secondID := a.submit(inTime).want(200).text("data.nextStageId")
		a.submit(late).want(200)
		a.setClock(start.Add(18 * time.Minute))
		a.startStage(inTime.who, secondID).want(200).wantFields(object{"data.deadlineAt": wire(start.Add(20 * time.Minute))})
		a.setClock(start.Add(20 * time.Minute))
		a.startStage(late.who, secondID).want(409, "session_not_in_progress")
		if swept := a.sweep(); swept != 1 {
			t.Errorf("%d sessions swept, want 1", swept)
		}
		for b, want := range map[startedSession]object{
			inTime: {"data.status": "DISQUALIFIED", "data.closeReason": "STAGE_GATE", "data.stages.1.status": "FAILED"},
			late:   {"data.status": "COMPLETED", "data.closeReason": "TIME_EXPIRED", "data.stages.1.status": "NOT_REACHED"},
		} {
			want["data.completedAt"] = wire(start.Add(20 * time.Minute))
			a.do("GET", "/v1/public/candidate-sessions/"+b.id+"/result", key, nil).want(200).wantFields(want)
		}
	})
}

// Only an expired invite and a cancelled session refuse the start of a stage differently.
func TestStartStageOfEndedInvites(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(timed(0, 10, 5))
		expired := o.invite(assessmentID, object{"expiresAt": wire(a.store.Now().Add(time.Hour))}).candidate()
		cancelled := o.begin(assessmentID)
		a.do("POST", "/v1/candidate-sessions/"+cancelled.id+"/cancel", o.owner, nil).want(200)
		a.clock.Advance(time.Hour)
		stageID := cancelled.stageID
		a.startStage(expired, stageID).want(410, "invite_expired")
		a.saveAnswers(expired, stageID, "page").want(410, "invite_expired")
		a.do("DELETE", "/v1/candidate/session/answers/"+cancelled.questionID, expired, nil).want(410, "invite_expired")
		a.startStage(cancelled.who, stageID).want(401, "unauthenticated")
		a.saveAnswers(cancelled.who, stageID, "page").want(401, "unauthenticated")
	})
}

// A session without a deadline ends 30 days after the last start, save, or submission.
// Reading it does not count.
func TestAbandonedAfterTheLastSave(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		const day = 24 * time.Hour
		start := a.store.Now()
		b := o.begin(o.publish(timed(0, 0)))
		a.setClock(start.Add(29 * day))
		a.save(b, 175).want(200)
		a.setClock(start.Add(30 * day))
		if swept := a.sweep(); swept != 0 {
			t.Errorf("the sweep changed %d sessions, want 0", swept)
		}
		a.do("GET", "/v1/candidate/session", b.who, nil).want(200).wantFields(object{"data.status": "IN_PROGRESS"})
		a.setClock(start.Add(58 * day))
		a.do("DELETE", "/v1/candidate/session/answers/"+b.questionID, b.who, nil).want(200)
		a.setClock(start.Add(59 * day)) // the first request after the time that the store knows
		a.save(b, 175).want(200)
		a.setClock(start.Add(89*day - time.Millisecond))
		a.do("GET", "/v1/candidate/session", b.who, nil).want(200).wantFields(object{"data.status": "IN_PROGRESS"})
		a.setClock(start.Add(89 * day))
		a.save(b, 1).want(409, "session_not_in_progress")
		a.do("GET", "/v1/public/candidate-sessions/"+b.id+"/result", key, nil).want(200).wantFields(object{
			"data.closeReason": "ABANDONED", "data.completedAt": wire(start.Add(89 * day)), "data.score": 100,
		})
	})
}

// onGrace runs test against a server with a grace period of ten seconds.
func onGrace(t *testing.T, test func(t *testing.T, a *api)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		s := storetest.OpenURL(t, address, clock.Now, func(opts *store.Options) { opts.DeadlineGrace = 10 * time.Second })
		a := serve(t, s, clock)
		a.database = address
		test(t, a)
	})
}

// Writes count until ten seconds after the deadline, and no read or sweep closes the
// stage before. What they change is dated at the deadline.
func TestGracePeriod(t *testing.T) {
	onGrace(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		for name, definition := range map[string]object{"of the session": timed(7, 0), "of the stage": timed(0, 7)} {
			o.signIn()
			assessmentID := o.publish(definition)
			deadline := a.store.Now().Add(7 * time.Minute)
			submitted, saved, late := o.begin(assessmentID), o.begin(assessmentID), o.begin(assessmentID)

			a.setClock(deadline.Add(10*time.Second - time.Millisecond))
			if swept := a.sweep(); swept != 0 {
				t.Errorf("%s: the sweep changed %d sessions, want 0", name, swept)
			}
			a.do("GET", "/v1/candidate/session/stage", saved.who, nil).want(200).wantFields(object{
				"data.deadlineAt": wire(deadline), "data.status": "IN_PROGRESS",
			})
			for _, b := range []startedSession{submitted, saved} {
				a.save(b, 175).want(200)
			}
			a.saveAnswers(saved.who, saved.stageID, "page").want(200).wantFields(object{"data.deadlineAt": wire(deadline)})
			a.submit(submitted).want(200).wantFields(object{
				"data.status": "COMPLETED", "data.closeReason": "TIME_EXPIRED", "data.serverTime": wire(a.store.Now()),
			})

			a.setClock(deadline.Add(10 * time.Second))
			a.save(late, 175).want(409, "session_not_in_progress")
			a.submit(late).want(200).wantFields(object{"data.status": "COMPLETED", "data.closeReason": "TIME_EXPIRED"})
			for b, score := range map[startedSession]float64{submitted: 100, saved: 100, late: 0} {
				a.do("GET", "/v1/candidate/session", b.who, nil).want(200).wantFields(object{
					"data.completedAt": wire(deadline), "data.closeReason": "TIME_EXPIRED",
				})
				a.do("GET", "/v1/public/candidate-sessions/"+b.id+"/result", key, nil).want(200).wantFields(object{
					"data.completedAt": wire(deadline), "data.durationSeconds": 420, "data.stages.0.durationSeconds": 420,
					"data.score": score,
				})
			}
		}
	})
}

// After a submission in the grace period, a next stage without a limit starts at the
// deadline. While a stage waits, the grace period of the session gives no time to start it.
func TestGracePeriodBetweenStages(t *testing.T) {
	onGrace(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		start := a.store.Now()
		b := o.begin(o.publish(timed(0, 7, 0)))
		a.setClock(start.Add(7*time.Minute + 5*time.Second))
		next := a.submit(b).want(200).wantFields(object{"data.status": "IN_PROGRESS"}).text("data.nextStageId")
		a.clock.Advance(55 * time.Second)
		a.submit(startedSession{who: b.who, stageID: next}).want(200)
		a.do("GET", "/v1/public/candidate-sessions/"+b.id+"/result", key, nil).want(200).wantFields(object{
			"data.stages.0.durationSeconds": 420, "data.stages.1.durationSeconds": 60, "data.closeReason": "SUBMITTED",
		})

		start = a.store.Now()
		b = o.begin(o.publish(timed(7, 0, 3)))
		next = a.submit(b).want(200).text("data.nextStageId")
		a.setClock(start.Add(7*time.Minute + 5*time.Second))
		a.startStage(b.who, next).want(409, "session_not_in_progress")
		a.do("GET", "/v1/public/candidate-sessions/"+b.id+"/result", key, nil).want(200).wantFields(object{
			"data.closeReason": "TIME_EXPIRED", "data.completedAt": wire(start.Add(7 * time.Minute)),
			"data.stages.1.status": "NOT_REACHED",
		})
	})
}

// If the organization requires an acknowledgement, a session starts only with it. Its
// time is recorded, also if the organization does not require it.
func TestAcknowledgement(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		start := func(who credential, body any) response {
			return a.do("POST", "/v1/candidate/session/start", who, body)
		}
		started := o.invite(assessmentID).candidate()
		start(started, object{"acknowledged": false}).want(200).wantFields(object{"data.acknowledgedAt": nil})
		a.do("PATCH", "/v1/organization", o.owner, object{"acknowledgementRequired": true}).want(200)
		start(started, nil).want(200) // it is in progress already

		who := o.invite(assessmentID).candidate()
		start(who, nil).want(422, "acknowledgement_required")
		start(who, object{}).want(422, "acknowledgement_required")
		start(who, object{"acknowledged": false}).want(422, "acknowledgement_required")
		start(who, object{"acknowledged": "yes"}).want(400, "invalid_request")
		a.do("GET", "/v1/candidate/session", who, nil).want(200).
			wantFields(object{"data.status": "INVITED", "data.acknowledgedAt": nil})
		at := wire(a.store.Now())
		start(who, object{"acknowledged": true}).want(200).
			wantFields(object{"data.status": "IN_PROGRESS", "data.acknowledgedAt": at})
		a.clock.Advance(time.Minute)
		start(who, object{"acknowledged": true}).want(200).wantFields(object{"data.acknowledgedAt": at})
		a.do("GET", "/v1/candidate/session", who, nil).want(200).wantFields(object{"data.acknowledgedAt": at})

		a.do("PATCH", "/v1/organization", o.owner, object{"acknowledgementRequired": false}).want(200)
		start(o.invite(assessmentID).candidate(), object{"acknowledged": true}).want(200).
			wantFields(object{"data.acknowledgedAt": wire(a.store.Now())})
	})
}
