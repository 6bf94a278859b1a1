package contract

import (
	"testing"
	"time"
)

const workableURL = "https://harbour-kitchens.workable.com/assessments/8823119"

func workableCreate(test, email, callback string) object {
	return object{
		"test_id": test, "job_shortcode": "GROOV005", "job_title": "Pharmacist", "callback_url": callback,
		"candidate": object{"first_name": "Harriet", "last_name": "Quimby", "email": email, "phone": "123-456-7890"},
	}
}

// Workable lists the tests, orders some, and hears of the result, of an expiry, and of a cancellation.
func TestWorkable(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		test := o.publish(twoStages())
		s := o.system("workable", bearerOf, "workable-token-of-the-organization")

		s.call("GET", "/tests", nil).want(200)
		created := s.call("POST", "/assessments", workableCreate(test, "harriet@candidate.example", workableURL)).want(201)
		again := s.call("POST", "/assessments", workableCreate(test, "harriet@candidate.example", workableURL)).want(201)
		if created["assessment_id"] == "" || again["assessment_id"] != created["assessment_id"] {
			t.Errorf("the same request again returns %v, not %v", again, created)
		}
		candidate, _ := s.candidateOf("harriet@candidate.example")
		a.finish(candidate, true)
		got := s.callbacks()
		if len(got) != 1 || got[0].method != "PUT" || got[0].address != workableURL ||
			got[0].authorization != "Bearer workable-token-of-the-organization" || got[0].body["status"] != "completed" ||
			got[0].body["assessment"].(object)["score"] != "100" || got[0].body["assessment"].(object)["grade"] != "passed" {
			t.Fatalf("Workable has received %+v", got)
		}
		if page := httpGet(t, a, got[0].body["results_url"].(string)); page != 200 {
			t.Errorf("the page of the result is %d", page)
		}

		s.call("POST", "/assessments", workableCreate(test, "cancelled@candidate.example", workableURL+"1")).want(201)
		_, session := s.candidateOf("cancelled@candidate.example")
		a.do("POST", "/v1/candidate-sessions/"+session+"/cancel", o.owner, nil).want(200)
		if got = s.callbacks(); len(got) != 1 || got[0].body["status"] != "rejected" || got[0].address != workableURL+"1" {
			t.Fatalf("Workable has received %+v", got)
		}

		s.call("POST", "/assessments", workableCreate(test, "expired@candidate.example", workableURL+"2")).want(201)
		a.clock.Advance(100 * 24 * time.Hour)
		a.sweep()
		if got = s.callbacks(); len(got) != 1 || got[0].body["status"] != "expired" || got[0].address != workableURL+"2" {
			t.Fatalf("Workable has received %+v", got)
		}
		s.wantRecorded()
	})
}
