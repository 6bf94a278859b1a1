package server

import (
	"net/url"
	"strings"
	"testing"
)

func TestJourneyCompleted(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.do("PATCH", "/v1/organization", o.owner, object{"redirectUrl": "https://jobs.example/thanks?source=assay;x"}).want(200)
		assessmentID := o.publish(twoStages())
		key := o.key()
		listed := a.do("GET", "/v1/public/assessments", key, nil).want(200)
		if got := listed.text("data.0.id"); got != assessmentID {
			t.Fatalf("listed %s, want %s", got, assessmentID)
		}
		invite := a.do("POST", "/v1/public/candidate-sessions", key, object{
			"assessmentId": assessmentID, "candidateName": "Grace Hopper", "candidateEmail": "grace@example.com",
			"externalId": "application-1", "metadata": object{"source": "careers"},
		}).want(201)
		candidate := invite.candidate()
		outcome := a.finish(candidate, true)
		if got := outcome.text("data.status"); got != "COMPLETED" {
			t.Fatalf("status %s\n%s", got, outcome.body)
		}
		redirect, err := url.Parse(outcome.text("data.redirectUrl"))
		if err != nil {
			t.Fatal(err)
		}
		before, token, found := strings.Cut(redirect.String(), "&result=")
		if !found || before != "https://jobs.example/thanks?source=assay;x" {
			t.Fatalf("redirect %s", redirect)
		}
		result := a.do("GET", "/v1/public/results/"+token, key, nil).want(200)
		if result.number("data.score") != 100 || result.at("data.passed") != true || result.number("data.points") != 20 {
			t.Fatalf("result %s", result.body)
		}
		same := a.do("GET", "/v1/public/candidate-sessions/"+invite.text("data.id")+"/result", key, nil).want(200)
		if string(same.body) != string(result.body) {
			t.Fatalf("by session: %s\nby token: %s", same.body, result.body)
		}
		events := a.do("GET", "/v1/events", o.owner, nil).want(200)
		var types []string
		for i := range events.list("data") {
			types = append(types, events.text("data."+string(rune('0'+i))+".type"))
		}
		if got := strings.Join(types, " "); got != "candidate.completed candidate.invited assessment.published" {
			t.Fatalf("events %s", got)
		}
	})
}
