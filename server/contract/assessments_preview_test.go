package contract

import (
	"context"
	"fmt"
	"testing"
	"time"

	"assay/store/storetest"
)

func (o *tenant) preview(assessmentID string) response {
	o.api.t.Helper()
	return o.api.do("POST", "/v1/assessments/"+assessmentID+"/preview", o.owner, nil).want(201)
}

func (a *api) purge() {
	a.t.Helper()
	if err := storetest.Purge(context.Background(), a.store, 365*24*time.Hour); err != nil {
		a.t.Fatal(err)
	}
}

// The person who takes a preview sees the assessment as it was when the preview was
// created, to the end, whatever happens to the draft meanwhile.
func TestPreviewOfADraftThatChanges(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		created := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201)
		id := created.text("data.id")
		session := o.preview(id)
		session.wantFields(object{
			"data.test": true, "data.status": "INVITED", "data.assessmentId": id, "data.candidateName": "Ada Lovelace",
			"data.candidateEmail": o.email, "data.attempt": 1, "data.expiresAt": wire(a.clock.Now().Add(24 * time.Hour)),
		})
		change := func() {
			t.Helper()
			a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"title": "Another", "passingScore": 99,
				"stages": oneQuestion()["stages"]}).want(200)
		}
		change()
		who := session.candidate()
		a.do("GET", "/v1/candidate/session", who, nil).want(200).wantFields(object{"data.stages.1.title": "Calculation"})
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
		change()
		first := a.answerStage(who, true)
		if want := created.text("data.stages.0.id"); first != want {
			t.Errorf("the stage is %s, want %s", first, want)
		}
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": first}).want(200)
		last := a.answerStage(who, true)
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": last}).want(200).
			wantFields(object{"data.status": "COMPLETED", "data.redirectUrl": nil})
		sessionPath := "/v1/candidate-sessions/" + session.text("data.id")
		a.do("GET", sessionPath+"/result", o.owner, nil).want(200).wantFields(object{
			"data.score": 100, "data.passed": true, "data.assessment.title": "Night-shift pharmacist", "data.passingScore": 60,
		})
		a.do("GET", sessionPath+"/progress", o.owner, nil).want(200)
		a.do("DELETE", "/v1/assessments/"+id, o.owner, nil).want(204)
		a.do("GET", sessionPath, o.owner, nil).want(404)
		a.do("GET", "/v1/candidate/session", who, nil).want(401)
	})
}

// A preview emits no events, is not counted, and does not exist for API keys.
func TestPreviewsLeaveNoTrace(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id, key := o.publish(twoStages()), o.key()
		before := len(o.events("", 100))
		passed, failed, cancelled := o.preview(id), o.preview(id), o.preview(id)
		a.finish(passed.candidate(), true)
		a.finish(failed.candidate(), false)
		a.do("POST", "/v1/candidate-sessions/"+cancelled.text("data.id")+"/cancel", o.owner, nil).want(200)
		if after := o.events("", 100); len(after) != before {
			t.Errorf("previews have emitted %v", after[:len(after)-before])
		}
		got := o.statistics(id)
		got.wantCounts(object{})
		got.wantFields(object{"data.scores.count": 0, "data.stages.0.reached": 0})
		o.overview().wantFields(object{"data.latestResults.items": []any{}, "data.expiringInvites.count": 0})

		for _, session := range []response{passed, cancelled} {
			path := "/v1/public/candidate-sessions/" + session.text("data.id")
			none := a.do("GET", "/v1/public/candidate-sessions/"+a.store.NewID("ses"), key, nil).want(404)
			wantSame(t, a.do("GET", path, key, nil).want(404), none)
			a.do("GET", path+"/result", key, nil).want(404)
			a.do("POST", path+"/result-token", key, nil).want(404)
			a.do("POST", path+"/cancel", key, nil).want(404)
			a.do("POST", path+"/resend", key, nil).want(404)
		}
		for path, who := range map[string]credential{"/v1/public/candidate-sessions": key,
			"/v1/candidate-sessions": o.owner} {
			if listed := a.do("GET", path, who, nil).want(200).list("data"); len(listed) != 0 {
				t.Errorf("%s lists %v", path, listed)
			}
		}
		if listed := a.do("GET", "/v1/candidate-sessions?test=true", o.owner, nil).want(200).list("data"); len(listed) != 3 {
			t.Errorf("%d test sessions, want 3", len(listed))
		}
	})
}

// A preview is deleted after a day, and with it everything that belongs to it.
func TestPreviewsAreDeletedAfterADay(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneQuestion())
		real := o.invite(id, object{"expiresAt": wire(a.clock.Now().Add(48 * time.Hour))})
		old := []response{o.preview(id), o.preview(id)}
		a.complete(old[0].candidate())
		a.do("POST", "/v1/candidate/session/start", old[1].candidate(), nil).want(200)
		a.answerStage(old[1].candidate(), true)
		a.clock.Advance(23 * time.Hour)
		o.signIn()
		young := o.preview(id)
		a.purge()
		a.do("GET", "/v1/candidate-sessions/"+old[0].text("data.id"), o.owner, nil).want(200)
		a.clock.Advance(time.Hour)
		o.signIn()
		a.purge()
		for i, status := range map[int]int{0: 404, 1: 404} {
			a.do("GET", "/v1/candidate-sessions/"+old[i].text("data.id"), o.owner, nil).want(status)
		}
		a.do("GET", "/v1/candidate-sessions/"+real.text("data.id"), o.owner, nil).want(200)
		a.complete(young.candidate())
		a.clock.Advance(24 * time.Hour)
		o.signIn()
		a.sweep()
		a.purge()
		o.statistics(id).wantCounts(object{"expired": 1})
	})
}

// An organization has at most a hundred test sessions. The oldest ones are deleted.
func TestPreviewsReplaceOlderOnes(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		id := o.publish(oneQuestion())
		theirs := other.publish(oneQuestion())
		kept := other.preview(theirs)
		var made []string
		for range 102 {
			made = append(made, o.preview(id).text("data.id"))
			a.clock.Advance(time.Second)
		}
		for i, status := range map[int]int{0: 404, 1: 404, 2: 200, 101: 200} {
			a.do("GET", "/v1/candidate-sessions/"+made[i], o.owner, nil).want(status)
		}
		a.do("GET", "/v1/candidate-sessions/"+kept.text("data.id"), other.owner, nil).want(200)
	})
}

// Whoever takes a preview can be invited to the assessment as any candidate.
func TestPreviewsAreNoAttempts(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(twoStages())
		first := o.preview(id).text("data.id")
		if second := o.preview(id).text("data.id"); second == first {
			t.Error("two previews are the same session")
		}
		o.invite(id, object{"candidateEmail": o.email}).wantFields(object{"data.attempt": 1, "data.test": false})
	})
}

func TestPreviewIsRefused(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		draft := a.do("POST", "/v1/assessments", o.owner, object{"title": "Draft"}).want(201).text("data.id")
		a.do("POST", "/v1/assessments/"+draft+"/preview", o.owner, nil).want(422).
			wantFields(object{"code": "assessment_incomplete", "errors.0.pointer": "/stages"})
		id := o.publish(twoStages())
		wantSame(t, a.do("POST", "/v1/assessments/"+id+"/preview", a.register().owner, nil).want(404),
			a.do("POST", "/v1/assessments/"+a.store.NewID("asm")+"/preview", o.owner, nil).want(404))
		a.do("POST", "/v1/assessments/"+id+"/preview", o.member("MEMBER").who, nil).want(201)
		a.do("POST", "/v1/assessments/"+id+"/archive", o.owner, nil).want(200)
		o.preview(id)
	})
}

// A preview can be taken before and after the times in which candidates can start.
func TestPreviewIgnoresTheWindow(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for _, window := range []object{
			{"opensAt": wire(a.clock.Now().Add(time.Hour))}, {"closesAt": wire(a.clock.Now().Add(-time.Hour))},
		} {
			session := o.preview(o.publish(oneQuestion(window)))
			a.do("GET", "/v1/candidate/session", session.candidate(), nil).want(200).
				wantFields(object{"data.assessment.opensAt": nil, "data.assessment.closesAt": nil})
			a.complete(session.candidate()).wantFields(object{"data.status": "COMPLETED"})
			if session.text("data.id") == "" {
				t.Error(fmt.Sprint(window))
			}
		}
	})
}
