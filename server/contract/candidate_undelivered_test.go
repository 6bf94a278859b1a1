package contract

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

// undelivered returns the entries of a session's timeline about answers that did not arrive, without their times.
func (o *tenant) undelivered(sessionID string) []object {
	o.api.t.Helper()
	var found []object
	for _, item := range o.api.do("GET", "/v1/candidate-sessions/"+sessionID+"/timeline", o.owner,
		nil).want(200).list("data") {
		entry := item.(object)
		if entry["type"] == "ANSWERS_UNDELIVERED" {
			found = append(found, object{"stageId": entry["stageId"], "questionIds": entry["questionIds"], "at": entry["at"]})
		} else if entry["questionIds"] != nil {
			o.api.t.Errorf("%s has questions: %v", entry["type"], entry["questionIds"])
		}
	}
	return found
}

// The page of the candidate reports answers that it could not deliver, with the submission or after it. The
// timeline shows each question once, and nothing else depends on the report.
func TestUndeliveredAnswers(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(timed(0, 0, 0))
		submit := func(b startedSession, undelivered ...any) response {
			return a.do("POST", "/v1/candidate/session/stage/submit", b.who,
				object{"stageId": b.stageID, "undelivered": append([]any{}, undelivered...)})
		}

		with := o.begin(assessmentID)
		a.save(with, 175).want(200)
		submitted := wire(a.store.Now())
		later := submit(with, with.questionID).want(200).text("data.nextStageId")
		want := []object{{"stageId": with.stageID, "questionIds": []any{with.questionID}, "at": submitted}}
		if got := o.undelivered(with.id); !reflect.DeepEqual(got, want) {
			t.Errorf("the timeline has %v, want %v", got, want)
		}
		a.clock.Advance(time.Minute)
		submit(with, with.questionID).want(200) // a repetition changes nothing
		if got := o.undelivered(with.id); !reflect.DeepEqual(got, want) {
			t.Errorf("after a repetition, the timeline has %v, want %v", got, want)
		}
		submit(startedSession{who: with.who, stageID: later}).want(200).wantFields(object{"data.status": "COMPLETED"})
		result := a.do("GET", "/v1/candidate-sessions/"+with.id+"/result", o.owner, nil).want(200)
		if points := result.at("data.stages.0.points"); points == float64(0) {
			t.Error("the answer that was saved earlier is not scored")
		}

		// The page learns only after the end of the stage that an answer has not arrived.
		after := o.begin(assessmentID)
		submit(after).want(200)
		if got := o.undelivered(after.id); len(got) != 0 {
			t.Errorf("without a report, the timeline has %v", got)
		}
		a.clock.Advance(time.Minute)
		submit(after, after.questionID).want(200)
		if got := o.undelivered(after.id); len(got) != 1 {
			t.Errorf("after a report of a closed stage, the timeline has %v", got)
		}

		// Questions that are not of the stage are ignored, and the number of questions is limited.
		unknown := o.begin(assessmentID)
		submit(unknown, "qst_00000000000000000000000000", "\u0000").want(400, "invalid_request")
		other := a.do("GET", "/v1/assessments/"+assessmentID, o.owner, nil).want(200).text("data.stages.1.questions.0.id")
		submit(unknown, unknown.questionID, unknown.questionID).want(400, "invalid_request")
		submit(unknown, slices.Repeat([]any{"qst"}, 501)...).want(400, "invalid_request")
		submit(unknown, "qst_00000000000000000000000000", other).want(200)
		if got := o.undelivered(unknown.id); len(got) != 0 {
			t.Errorf("the timeline has %v for questions of another stage", got)
		}
		a.do("DELETE", "/v1/candidate-sessions/"+with.id+"/candidate-data", o.owner, nil).want(204)
		if got := o.undelivered(with.id); !reflect.DeepEqual(got, want) {
			t.Errorf("after an erasure, the timeline has %v, want %v: it contains nothing personal", got, want)
		}
	})
}
