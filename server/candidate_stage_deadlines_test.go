package server

import (
	"testing"
	"time"
)

// A stage's limit has passed and nobody has looked since: the session is at its
// next stage all the same, and so it is live.
func TestInviteMeetsASessionWhoseStageIsOver(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		goesOn, endsHere, gateEnds := o.publish(timed(0, 7, 0)), o.publish(timed(0, 7)), o.publish(gated(timed(0, 7, 0), 0))
		for _, test := range []struct {
			assessment, onExisting string
			status                 int
		}{
			{goesOn, "RETURN", 200}, {goesOn, "ERROR", 409}, {goesOn, "NEW_ATTEMPT", 201},
			{endsHere, "RETURN", 201}, {endsHere, "ERROR", 201},
			{gateEnds, "RETURN", 201}, {gateEnds, "ERROR", 201},
		} {
			session := o.begin(test.assessment)
			email := a.do("GET", "/v1/candidate-sessions/"+session.id, o.owner, nil).want(200).text("data.candidateEmail")
			a.clock.Advance(7 * time.Minute)
			o.signIn()
			answer := a.do("POST", "/v1/candidate-sessions", o.owner, object{
				"assessmentId": test.assessment, "candidateName": "Grace", "candidateEmail": email, "onExisting": test.onExisting,
			}).want(test.status)
			switch test.status {
			case 200:
				answer.shows(object{"data.id": session.id, "data.status": "IN_PROGRESS"})
				if answer.text("data.currentStageId") == session.stageID {
					t.Error("the stage whose limit has passed is still shown as the current one")
				}
			case 201:
				answer.shows(object{"data.attempt": 2})
			case 409:
				answer.want(409, "candidate_already_invited")
			}
		}
	})
}

// The first to notice that a stage's limit has passed may be the candidate's
// own answer to the next one.
func TestAnswerOpensTheStageThatADeadlineOpened(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(timed(0, 7, 7, 0))
		session := o.begin(assessmentID)
		assessment := a.do("GET", "/v1/assessments/"+assessmentID, o.owner, nil).want(200)
		save := func(stage string) response {
			questionID := assessment.text("data.stages." + stage + ".questions.0.id")
			return a.do("PUT", "/v1/candidate/session/answers/"+questionID, session.who, object{"number": 175})
		}
		a.clock.Advance(7 * time.Minute)
		save("1").want(200)
		a.clock.Advance(7*time.Minute - time.Millisecond)
		save("2").want(404, "not_found")
		save("0").want(409, "stage_closed")
		a.clock.Advance(time.Millisecond)
		save("1").want(409, "stage_closed")
		save("2").want(200)
	})
}

// A new link is good at once wherever it is used, also where the old one has
// just been.
func TestNewLinkIsGoodOnEveryReplica(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		invite := o.invite(o.publish(oneQuestion()))
		b.do("GET", "/v1/candidate/session", invite.candidate(), nil).want(200)
		resent := a.do("POST", "/v1/candidate-sessions/"+invite.text("data.id")+"/resend", o.owner, nil).want(200)
		b.do("GET", "/v1/candidate/session", resent.candidate(), nil).want(200)
		b.do("GET", "/v1/candidate/session", invite.candidate(), nil).want(401, "unauthenticated")
		b.do("POST", "/v1/candidate/session/start", resent.candidate(), nil).want(200)
	})
}
