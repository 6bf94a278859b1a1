package contract

import (
	"testing"
	"time"

	"assay/store"
)

// Candidates are told about decisions after the end, if the organization wants it.
func TestCandidatesAreToldOfDecisions(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		id := o.publish(wrongKey())
		stopped, finished := o.invite(id), o.invite(id)
		a.answerKeys(stopped.candidate(), "b", "", "")
		a.answerKeys(finished.candidate(), "a", "a", "sesam")
		box.send()
		stages := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).list("data.stages")
		text := stages[1].(object)["questions"].([]any)[1].(object)["id"].(string)
		path := "/v1/candidate-sessions/" + finished.text("data.id")
		version := 0
		grade := func(points float64) {
			t.Helper()
			a.do("PUT", path+"/grades/"+text, o.owner,
				object{"points": points, "reason": "Close enough", "version": version}).want(200)
			version++
		}
		wantCorrected := func(at any) {
			t.Helper()
			a.do("GET", "/v1/candidate/session", finished.candidate(), nil).want(200).
				wantFields(object{"data.correctedAt": at})
		}

		// Without a setting, a correction tells nobody.
		grade(1)
		a.clock.Advance(time.Hour)
		wantCorrected(nil)
		if told := box.send(); len(told) != 0 {
			t.Errorf("%d emails about a correction", len(told))
		}
		o.signIn()

		// Several decisions within ten minutes are one email.
		a.do("PATCH", "/v1/organization", o.owner, object{"notifyCorrected": true}).want(200).
			wantFields(object{"data.notifyCorrected": true, "data.notifyReopened": true})
		grade(2)
		a.clock.Advance(time.Minute)
		grade(3)
		wantCorrected(wire(a.clock.Now()))
		if early := box.send(); len(early) != 0 {
			t.Errorf("%d emails at once", len(early))
		}
		a.clock.Advance(10 * time.Minute)
		if told := box.sendOne(); told.Email.Kind != store.EmailResultCorrected ||
			told.ToAddress != finished.text("data.candidateEmail") ||
			told.Decision.AssessmentTitle != "Wrong key" {
			t.Errorf("the email is %+v", told)
		}
		o.signIn()
		a.do("GET", path+"/timeline", o.owner, nil).want(200)

		// A candidate who goes on gets the link, and learns until when.
		grade(5)
		deadline := wire(a.clock.Now().Add(20 * time.Minute))
		a.do("POST", "/v1/candidate-sessions/"+stopped.text("data.id")+"/reopen", o.owner,
			object{"minutes": 20, "reason": "A fire alarm"}).want(200)
		told := box.sendOne()
		if told.Email.Kind != store.EmailReopened || told.Decision.InviteURL != stopped.text("data.inviteUrl") ||
			wire(*told.Decision.DeadlineAt) != deadline {
			t.Errorf("the email is %+v, %+v", told, told.Decision)
		}

		// The setting ends these emails. One about a result is not needed any more when the session goes on.
		a.do("PATCH", "/v1/organization", o.owner, object{"notifyReopened": false}).want(200)
		a.do("POST", path+"/reopen", o.owner, object{"minutes": 20, "reason": "A fire alarm"}).want(200)
		a.clock.Advance(11 * time.Minute)
		if left := box.send(); len(left) != 0 {
			t.Errorf("%d emails", len(left))
		}
	}, sendsEmail)
}

// A decision is never lost to an email that is being sent, and an email that is no longer true is not sent.
func TestCandidatesAreToldOnlyWhatIsTrue(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		id := o.publish(wrongKey())
		session := o.invite(id)
		a.answerKeys(session.candidate(), "a", "a", "sesam")
		a.do("PATCH", "/v1/organization", o.owner, object{"notifyCorrected": true}).want(200)
		stages := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).list("data.stages")
		question := stages[1].(object)["questions"].([]any)[1].(object)["id"].(string)
		path := "/v1/candidate-sessions/" + session.text("data.id")
		version := 0
		grade := func(points float64) {
			t.Helper()
			a.do("PUT", path+"/grades/"+question, o.owner,
				object{"points": points, "reason": "Close enough", "version": version}).want(200)
			version++
		}
		wait := func() { a.clock.Advance(11 * time.Minute); o.signIn() }

		grade(3)
		grade(0) // the score is what it was
		a.do("GET", "/v1/candidate/session", session.candidate(), nil).want(200).
			wantFields(object{"data.correctedAt": nil})
		wait()
		box.sendNone()

		grade(1)
		a.clock.Advance(time.Minute)
		grade(2)
		correctedAt := a.clock.Now()
		wait()
		if told := box.sendOne(); wire(told.Decision.At) != wire(correctedAt) {
			t.Errorf("corrected at %s, want %s", told.Decision.At, correctedAt)
		}

		// A setting that ends while an email waits ends the email.
		notify := func(on bool) {
			t.Helper()
			a.do("PATCH", "/v1/organization", o.owner, object{"notifyCorrected": on}).want(200)
		}
		grade(1)
		notify(false)
		wait()
		box.sendNone()
		notify(true)

		// A decision while an email is being sent has an email of its own.
		grade(3)
		wait()
		claimed := box.claim()
		if claimed == nil || box.content(*claimed) == nil {
			t.Fatalf("the email is %+v", claimed)
		}
		grade(4)
		box.settle(*claimed, store.EmailSent, "")
		wait()
		if told := box.sendOne(); told.Email.ID == claimed.ID {
			t.Error("the second decision is lost")
		}

		// The deadline has passed, but nothing has recorded the end.
		a.do("POST", path+"/reopen", o.owner, object{"minutes": 5, "reason": "A fire alarm"}).want(200)
		wait()
		box.sendNone()
	}, sendsEmail)
}
