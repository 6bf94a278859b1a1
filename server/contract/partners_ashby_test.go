package contract

import (
	"reflect"
	"testing"
)

func ashbyStart(test, application, email string) object {
	return object{
		"assessment_type_id": test,
		"candidate": object{
			"ashby_id": "c-1", "first_name": "Harriet", "last_name": "Quimby", "email": email,
			"ashby_profile_url": "https://app.ashbyhq.com/candidates/c-1",
		},
		"application": object{"ashby_id": application, "status": "Active"},
		"job":         object{"ashby_id": "j-1", "name": "Pharmacist", "ashby_job_url": "https://app.ashbyhq.com/jobs/j-1"},
	}
}

// Ashby lists the assessments, starts one, hears of its start and its result, and cancels another one.
func TestAshby(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		test := o.publish(twoStages())
		s := o.system("ashby", basicOf, "ashby-key-of-the-organization")
		s.respond = func(string, object) (int, string) { return 200, `{"success":true}` }

		s.call("POST", "/assessment.list", object{}).want(200)
		started := s.call("POST", "/assessment.start", ashbyStart(test, "app-1", "harriet@candidate.example")).want(200)
		order := started["results"].(object)["assessment_id"]
		again := s.call("POST", "/assessment.start", ashbyStart(test, "app-1", "harriet@candidate.example")).want(200)
		if !reflect.DeepEqual(again, started) {
			t.Errorf("the same request again returns %v, not %v", again, started)
		}

		candidate, _ := s.candidateOf("harriet@candidate.example")
		a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200)
		got := s.callbacks()
		if len(got) != 1 || got[0].address != "https://api.ashbyhq.com/assessment.update" || got[0].method != "POST" ||
			got[0].authorization != basicOf("ashby-key-of-the-organization") || got[0].body["assessment_id"] != order ||
			got[0].body["assessment_status"].(object)["value"] != "Started" {
			t.Fatalf("Ashby has received %+v", got)
		}
		a.do("POST", "/v1/candidate/session/stage/submit", candidate,
			object{"stageId": a.answerStage(candidate, false)}).want(200)
		got = s.callbacks()
		if len(got) != 1 || got[0].body["assessment_result"].(object)["value"] != 0.0 ||
			got[0].body["assessment_result"].(object)["type"] != "numeric_score" ||
			got[0].body["assessment_profile_url"].(object)["type"] != "url" {
			t.Fatalf("Ashby has received %+v", got)
		}

		// After the end, the same request is a new order.
		second := s.call("POST", "/assessment.start", ashbyStart(test, "app-1", "harriet@candidate.example")).want(200)
		next := second["results"].(object)["assessment_id"]
		if next == order {
			t.Error("an assessment that has ended was ordered again as the same")
		}
		s.call("POST", "/assessment.cancel", object{"assessment_id": next}).want(200)
		got = s.callbacks()
		if len(got) != 1 || got[0].body["cancelled_reason"] == nil || got[0].body["assessment_status"] != nil {
			t.Fatalf("Ashby has received %+v", got)
		}
		s.call("POST", "/assessment.cancel", object{"assessment_id": next}).want(422)

		// Ashby refuses an update with a status of 200.
		s.respond = func(string, object) (int, string) { return 200, `{"success":false,"errors":["not_found"]}` }
		s.call("POST", "/assessment.start", ashbyStart(test, "app-2", "jacqueline@candidate.example")).want(200)
		candidate, _ = s.candidateOf("jacqueline@candidate.example")
		a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200)
		if got = s.callbacks(); len(got) != 1 {
			t.Fatalf("Ashby has received %+v", got)
		}
		last := s.exchanges()[0]
		want := `SENT POST https://api.ashbyhq.com/assessment.update 200 Ashby refused the update: ["not_found"]`
		if last != want {
			t.Errorf("the last exchange is %s, want %s", last, want)
		}
		s.wantRecorded()
	})
}
