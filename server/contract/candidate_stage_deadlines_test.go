package contract

import (
	"testing"
	"time"
)

// An expired stage advances the session to its next stage, even if no request
// has recorded the expiry. An invite must treat the session accordingly: it is still
// live if a stage follows, and finished if none follows or a gate fails.
func TestInviteAfterStageDeadline(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		nextStage, lastStage, failedGate := o.publish(timed(0, 7, 0)), o.publish(timed(0, 7)),
			o.publish(gated(timed(0, 7, 0), 0))
		for _, test := range []struct {
			assessment, onExisting string
			status                 int
		}{
			{nextStage, "RETURN", 200}, {nextStage, "ERROR", 409}, {nextStage, "NEW_ATTEMPT", 201},
			{lastStage, "RETURN", 201}, {lastStage, "ERROR", 201},
			{failedGate, "RETURN", 201}, {failedGate, "ERROR", 201},
		} {
			session := o.begin(test.assessment)
			before := a.do("GET", "/v1/candidate-sessions/"+session.id, o.owner, nil).want(200)
			email, name := before.text("data.candidateEmail"), before.text("data.candidateName")
			a.clock.Advance(7 * time.Minute)
			o.signIn()
			answer := a.do("POST", "/v1/candidate-sessions", o.owner, object{
				"assessmentId": test.assessment, "candidateName": name, "candidateEmail": email, "onExisting": test.onExisting,
			}).want(test.status)
			switch test.status {
			case 200:
				answer.wantFields(object{"data.id": session.id, "data.status": "IN_PROGRESS"})
				if answer.text("data.currentStageId") == session.stageID {
					t.Error("currentStageId is the expired stage")
				}
			case 201:
				answer.wantFields(object{"data.attempt": 2})
			case 409:
				answer.want(409, "candidate_already_invited")
			}
		}
	})
}

// The first request after a stage's deadline may be an answer to a question of the next
// stage. The server must accept that answer if the stage has no limit, and reject answers
// to expired stages and to stages that have not started.
func TestAnswerAfterStageDeadline(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(timed(0, 7, 0, 7, 0))
		session := o.begin(assessmentID)
		assessment := a.do("GET", "/v1/assessments/"+assessmentID, o.owner, nil).want(200)
		save := func(stage string) response {
			questionID := assessment.text("data.stages." + stage + ".questions.0.id")
			return a.do("PUT", "/v1/candidate/session/answers/"+questionID, session.who, object{"number": 175})
		}

		a.clock.Advance(7 * time.Minute)
		save("1").want(200)
		save("2").want(404, "not_found")
		save("0").want(409, "stage_closed")
		a.submit(startedSession{who: session.who, stageID: assessment.text("data.stages.1.id")}).want(200)
		save("2").want(409, "stage_not_started")
		save("3").want(404, "not_found")
		a.do("POST", "/v1/candidate/session/stage/start", session.who,
			object{"stageId": assessment.text("data.stages.2.id")}).want(200)
		a.clock.Advance(7*time.Minute - time.Millisecond)
		save("3").want(404, "not_found")
		a.clock.Advance(time.Millisecond)
		save("2").want(409, "stage_closed")
		save("3").want(200)
	})
}

// After a resend, every replica accepts the new link and rejects the old one
// immediately, even a replica that has just accepted the old link.
func TestResentLinkOnEachReplica(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		invite := o.invite(o.publish(oneQuestion()))
		b.do("GET", "/v1/candidate/session", invite.candidate(), nil).want(200)
		resent := a.do("POST", "/v1/candidate-sessions/"+invite.text("data.id")+"/resend", o.owner, nil).want(200)
		b.do("GET", "/v1/candidate/session", resent.candidate(), nil).want(200)
		b.do("GET", "/v1/candidate/session", invite.candidate(), nil).want(401, "unauthenticated")
		b.do("POST", "/v1/candidate/session/start", resent.candidate(), nil).want(200)
	})
}
