package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

const activityPath = "/v1/candidate/session/activity"

// seconds returns the stored times of the only session with activity, or nil.
func (a *api) seconds() map[string]int {
	a.t.Helper()
	stored := storetest.Column(a.t, a.database, "session_activity", "seconds")
	if len(stored) == 0 {
		return nil
	}
	var seconds map[string]int
	if err := json.Unmarshal([]byte(stored[0]), &seconds); err != nil || len(stored) > 1 {
		a.t.Fatalf("%v: %v", stored, err)
	}
	return seconds
}

// spent is a report of times: the ids of questions and seconds in turns.
func spent(pairs ...any) object {
	questions := []any{}
	for pair := range slices.Chunk(pairs, 2) {
		questions = append(questions, object{"questionId": pair[0], "seconds": pair[1]})
	}
	return object{"questions": questions}
}

// Times are added, and never exceed the time since the start in all, or four hours for one question.
func TestActivity(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		session := o.invite(o.publish(twoStages()))
		who := session.candidate()
		report := func(body object) response { return a.do("POST", activityPath, who, body) }
		report(spent()).want(409, "session_not_in_progress")
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
		stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
		first, second := stage.text("data.questions.0.id"), stage.text("data.questions.1.id")
		want := func(seconds map[string]int) {
			t.Helper()
			if got := a.seconds(); !maps.Equal(got, seconds) {
				t.Errorf("the times are %v, want %v", got, seconds)
			}
		}

		report(spent()).want(204)
		want(nil)
		a.clock.Advance(time.Minute)
		report(spent(first, 10, second, 5, first, 7)).want(204)
		want(map[string]int{first: 17, second: 5})
		report(spent(second, 3600, first, 1)).want(204) // no time is left for the other question
		want(map[string]int{first: 17, second: 43})
		report(spent(first, 1)).want(204)
		want(map[string]int{first: 17, second: 43})
		a.clock.Advance(10 * time.Hour)
		for range 5 {
			report(spent(first, 3600)).want(204)
		}
		want(map[string]int{first: 4 * 3600, second: 43})

		report(object{"language": "de", "questions": []any{}}).want(204)
		report(object{"language": "en", "questions": []any{}}).want(204)
		if got := storetest.Column(t, a.database, "session_activity", "language"); !slices.Equal(got, []string{"de"}) {
			t.Errorf("the language is %v", got)
		}

		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, true)}).want(200)
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, true)}).want(200)
		report(spent(first, 1)).want(409, "session_not_in_progress")
		o.signIn()
		for _, path := range []string{"", "/result", "/timeline"} {
			read := a.do("GET", "/v1/candidate-sessions/"+session.text("data.id")+path, o.owner, nil).want(200)
			if strings.Contains(string(read.body), "14400") {
				t.Errorf("%s has a time: %s", path, read.body)
			}
		}
	})
}

// Only questions that the candidate has reached have times.
func TestActivityOfOtherQuestions(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(timed(0, 0, 0))
		b := o.begin(id)
		later := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).text("data.stages.1.questions.0.id")
		foreign := o.begin(o.publish(oneQuestion())).questionID
		a.clock.Advance(time.Minute)
		for name, questionID := range map[string]string{
			"a later stage": later, "another assessment": foreign, "unknown": "qst_00000000000000000000000000",
		} {
			refused := a.do("POST", activityPath, b.who, spent(b.questionID, 1, questionID, 1)).want(400, "invalid_request")
			if got := refused.faults(); len(got) != 1 || got[0] != "body /questions/1/questionId unknown_id" {
				t.Errorf("%s: %v", name, got)
			}
		}
		a.do("POST", activityPath, b.who, spent(b.questionID, -1)).want(400, "invalid_request")
		a.do("POST", activityPath, b.who, spent(b.questionID, 3601)).want(400, "invalid_request")
		a.do("POST", activityPath, b.who, spent(slices.Repeat([]any{b.questionID, 1}, 501)...)).want(400, "invalid_request")
		a.do("POST", activityPath, b.who, object{"language": "de_DE", "questions": []any{}}).want(400, "invalid_request")
		if got := a.seconds(); got != nil {
			t.Errorf("times are stored: %v", got)
		}
		a.do("POST", "/v1/candidate/session/stage/submit", b.who, object{"stageId": b.stageID}).want(200)
		a.do("POST", activityPath, b.who, spent(b.questionID, 1)).want(204) // it was seen before
	})
}

// A question of a pool that was not drawn for the candidate is unknown.
func TestActivityOfPools(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for i := range 4 {
			o.bank(fmt.Sprint("Pool ", i, "?"), 4, "pool")
		}
		id := o.publish(pooled("pool", 4))
		who := o.invite(id).candidate()
		drawn, _ := a.drawnBy(who)
		a.clock.Advance(time.Minute)
		assessment := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200)
		for i := range assessment.list("data.stages.0.questions") {
			question, status := assessment.text(fmt.Sprintf("data.stages.0.questions.%d.id", i)), 400
			if slices.Contains(drawn, question) {
				status = 204
			}
			a.do("POST", activityPath, who, spent(question, 1)).want(status)
		}
	})
}

// Times of a preview are checked and not stored.
func TestActivityOfPreviews(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneQuestion())
		who := o.preview(id).candidate()
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
		question := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200).text("data.questions.0.id")
		a.do("POST", activityPath, who, spent("qst_1", 1)).want(400, "invalid_request")
		a.do("POST", activityPath, who, spent(question, 1)).want(204)
		if got := a.seconds(); got != nil {
			t.Errorf("times are stored: %v", got)
		}
	})
}

// Reports that arrive at the same time are all counted. An erasure leaves none.
func TestActivityRaces(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		b := o.begin(o.publish(timed(0, 0)))
		a.clock.Advance(time.Hour)
		const reports = 12
		atOnce(reports, func(int) response {
			return a.do("POST", activityPath, b.who, spent(b.questionID, 5)).want(204)
		})
		if got := a.seconds()[b.questionID]; got != 5*reports {
			t.Errorf("%d seconds are stored, want %d", got, 5*reports)
		}
		o.signIn()
		atOnce(6, func(i int) response {
			if i == 3 {
				return a.erase(o.owner, b.id).want(204)
			}
			return a.do("POST", activityPath, b.who, spent(b.questionID, 5)) // counted, or too late
		})
		if got := a.seconds(); got != nil {
			t.Errorf("after the erasure, times are stored: %v", got)
		}
		a.do("POST", activityPath, b.who, spent(b.questionID, 5)).want(401)
	})
}

// A report neither waits for a change of the session nor makes it wait.
func TestActivityLocksNoSession(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		if storetest.IsSQLite(a.database) {
			return // it has one writer
		}
		o := a.register()
		b := o.begin(o.publish(timed(0, 0)))
		a.clock.Advance(time.Minute)
		commit := storetest.HoldNote(t, a.database, b.id, "held", a.store.Now())
		a.do("POST", activityPath, b.who, spent(b.questionID, 5)).want(204)
		commit()
		if got := a.seconds()[b.questionID]; got != 5 {
			t.Errorf("%d seconds are stored", got)
		}
	})
}

// The end of the session by its time is applied before a report is refused.
func TestActivityAfterTheDeadline(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		b := o.begin(o.publish(timed(10, 0)))
		a.clock.Advance(time.Hour)
		a.do("POST", activityPath, b.who, spent(b.questionID, 5)).want(409, "session_not_in_progress")
		o.signIn()
		expired := o.invite(o.publish(oneQuestion()), object{"expiresAt": wire(a.store.Now().Add(time.Hour))})
		a.clock.Advance(48 * time.Hour)
		a.do("POST", activityPath, expired.candidate(), spent("qst", 5)).want(410, "invite_expired")
	})
}
