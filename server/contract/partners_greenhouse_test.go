package contract

import (
	"testing"
)

const greenhouseURL = "https://app.greenhouse.io/integrations/testing_partners/take_home_tests/12345"

func greenhouseSend(test, email, callback string) object {
	return object{
		"partner_test_id": test,
		"candidate": object{
			"first_name": "Harriet", "last_name": "Quimby", "resume_url": nil, "phone_number": "123-456-7890", "email": email,
			"greenhouse_profile_url": "https://app.greenhouse.io/people/17681532?application_id=26234709",
		},
		"url": callback, "a_new_field": true,
	}
}

// Greenhouse lists the tests, sends one, hears of the result, and asks for it, as its documentation describes.
func TestGreenhouse(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		test := o.publish(twoStages())
		o.publish(object{"title": "A second one", "stages": oneQuestion()["stages"]})
		a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201) // a draft, which is not listed
		s := o.system("greenhouse", basicOf, "")

		s.call("GET", "/list_tests", nil).want(200)
		sent := s.call("POST", "/send_test", greenhouseSend(test, "harriet@candidate.example", greenhouseURL)).want(200)
		order := sent["partner_interview_id"].(string)
		again := s.call("POST", "/send_test", greenhouseSend(test, "harriet@candidate.example", greenhouseURL)).want(200)
		if again["partner_interview_id"] != order {
			t.Errorf("the same request again is order %v, not %s", again["partner_interview_id"], order)
		}
		status := "/test_status?partner_interview_id=" + order
		if early := s.call("GET", status, nil).want(200); early["partner_status"] != "invited" {
			t.Errorf("the status is %v", early["partner_status"])
		}

		candidate, session := s.candidateOf("harriet@candidate.example")
		a.finish(candidate, true)
		got := s.callbacks()
		if len(got) != 1 || got[0].method != "PATCH" || got[0].address != greenhouseURL ||
			got[0].authorization != basicOf(s.key) || got[0].body != nil {
			t.Fatalf("Greenhouse has received %+v", got)
		}
		done := s.call("GET", status, nil).want(200)
		if done["partner_status"] != "complete" || done["partner_score"] != 100.0 {
			t.Errorf("the status is %v", done)
		}
		if repeated := s.call("GET", status, nil).want(200); repeated["partner_profile_url"] != done["partner_profile_url"] {
			t.Error("each request creates a further link")
		}
		page := httpGet(t, a, done["partner_profile_url"].(string))
		if page != 200 {
			t.Errorf("the page of the result is %d", page)
		}
		s.call("POST", "/response_error", object{
			"api_call": "test_status", "errors": []any{"partner_score of harriet@candidate.example is missing"},
			"partner_interview_id": order, "candidate_email": "harriet@candidate.example",
		}).want(200)
		s.wantRecorded()

		listed := a.do("GET", "/v1/integrations/"+s.id+"/exchanges", o.owner, nil).want(200)
		if listed.text("data.0.sessionId") != session || listed.text("data.0.problem") !=
			"Greenhouse could not read a response of test_status: partner_score of [address] is missing" {
			t.Errorf("the last exchange is %s", listed.body)
		}
		if n := len(listed.list("data")); n != 8 {
			t.Errorf("%d exchanges: %s", n, listed.body)
		}
	})
}
