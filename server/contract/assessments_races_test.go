package contract

import "testing"

// Concurrent requests to publish an assessment all return the same response, and
// one event is created.
func TestConcurrentPublishes(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		path := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201).header.Get("Location")
		answers := atOnce(20, func(i int) response { return []*api{a, b}[i%2].do("POST", path+"/publish", o.owner, nil) })
		for _, answer := range answers {
			if answer.status != 200 || string(answer.body) != string(answers[0].body) {
				t.Errorf("%d %s\nwant %s", answer.status, answer.body, answers[0].body)
			}
		}

		if events := o.events("assessment.published", 100); len(events) != 1 {
			t.Errorf("%d events, want 1", len(events))
		}
	})
}

// When a change and a publication run at the same time, the published assessment is
// the complete draft from before the change or from after it, never a mixture.
func TestConcurrentChangeAndPublish(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		key := o.key()
		before, after := 0, 0

		for range 20 {
			created := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201)
			path, id := created.header.Get("Location"), created.text("data.id")
			change := oneQuestion(object{"title": "Changed"})
			change["stages"] = append(asInput(created.at("data.stages")), change["stages"].([]any)...)
			answers := atOnce(2, func(i int) response {
				if i == 0 {
					return a.do("PATCH", path, o.owner, change)
				}
				return b.do("POST", path+"/publish", o.owner, nil)
			})

			answers[1].want(200)
			title, stages := "Night-shift pharmacist", 2
			if answers[0].status == 200 {
				title, stages, after = "Changed", 3, after+1
			} else {
				answers[0].want(409, "assessment_not_draft")
				before++
			}

			for _, replica := range []*api{a, b} {
				shown := object{"data.title": title, "data.stageCount": stages, "data.status": "PUBLISHED"}
				replica.do("GET", path, o.owner, nil).want(200).wantFields(shown)
				public := replica.do("GET", "/v1/public/assessments/"+id, key, nil).want(200).wantFields(shown)
				if got := len(public.list("data.stages")); got != stages {
					t.Errorf("%d stages, want %d", got, stages)
				}
			}

			events := o.eventsOf("assessment.published", id)
			if len(events) != 1 || events[0]["data"].(object)["title"] != title {
				t.Errorf("events %v, want one with %s", events, title)
			}
		}

		t.Logf("the change succeeded %d times and was rejected %d times", after, before)
	})
}
