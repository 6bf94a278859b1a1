package contract

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Languages that do not exist, and windows that end before they begin, are rejected.
func TestAssessmentSettingsRejected(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		const ten, eleven = "2036-11-20T10:00:00Z", "2036-11-20T11:00:00Z"
		path := a.do("POST", "/v1/assessments", o.owner, oneQuestion(object{"opensAt": ten})).want(201).
			header.Get("Location")
		for _, wrong := range []struct {
			body  object
			fault string
		}{
			{object{"locale": "xx"}, "body /locale invalid_value"},
			{object{"opensAt": eleven, "closesAt": ten}, "body /closesAt too_small"},
			{object{"opensAt": ten, "closesAt": ten}, "body /closesAt too_small"},
			{object{"shuffleOptions": nil}, "body /shuffleOptions invalid_type"},
			{object{"instructions": strings.Repeat("x", 10001)}, "body /instructions too_long"},
			{object{"inviteMessage": strings.Repeat("x", 5001)}, "body /inviteMessage too_long"},
			{object{"remindAfterHours": []int{1, 2, 3, 4}}, "body /remindAfterHours too_many_items"},
			{object{"remindAfterHours": []int{0}}, "body /remindAfterHours/0 too_small"},
			{object{"remindAfterHours": nil}, "body /remindAfterHours invalid_type"},
		} {
			a.do("PATCH", path, o.owner, wrong.body).blames(wrong.fault)
			a.do("POST", "/v1/assessments", o.owner, oneQuestion(wrong.body)).blames(wrong.fault)
		}
		a.do("PATCH", path, o.owner, object{"closesAt": "2036-11-20T10:30:00+01:00"}).blames("body /closesAt too_small")
		a.do("PATCH", path, o.owner, object{"closesAt": eleven}).want(200).
			wantFields(object{"data.opensAt": "2036-11-20T10:00:00.000Z", "data.closesAt": "2036-11-20T11:00:00.000Z"})
	})
}

// A duplicate has the settings of the original, except the time in which it can be started.
func TestDuplicateHasSettings(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		texts := object{"instructions": "a", "closingMessage": "b", "locale": "de", "shuffleQuestions": true,
			"shuffleOptions": true, "inviteMessage": "c", "remindAfterHours": []any{24., 72.}}
		id := o.publish(oneQuestion(texts, object{"opensAt": "2036-11-20T10:00:00Z", "closesAt": "2036-11-20T11:00:00Z"}))
		a.do("POST", "/v1/assessments/"+id+"/duplicate", o.owner, nil).want(201).wantFields(under("data.", texts)).
			wantFields(object{"data.opensAt": nil, "data.closesAt": nil})
	})
}

// The texts and times of a published assessment can be changed. Candidates and reviewers
// see the change everywhere: at once on the replica that made it, and within a second on
// the others.
func TestPublishedAssessmentChangesInPart(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		key := o.key()
		id := o.publish(twoStages())
		path := "/v1/assessments/" + id
		session := o.invite(id)
		a.do("POST", "/v1/candidate/session/start", session.candidate(), nil).want(200)
		detail := a.do("GET", path, o.owner, nil).want(200)
		stages := asInput(detail.at("data.stages"))
		stages[0].(object)["title"], stages[0].(object)["description"] = "Cold storage", "*New*"
		change := object{
			"title": "Day-shift pharmacist", "description": "x", "instructions": "**Read**", "closingMessage": "Bye",
			"locale": "de", "redirectUrl": "https://jobs.example/", "inviteExpiryDays": 3,
			"opensAt": "2026-01-01T00:00:00.000Z", "closesAt": "2036-01-01T00:00:00.000Z",
			// Frozen, and equal.
			"stages": stages, "passingScore": 60, "timeLimitMinutes": nil, "shuffleQuestions": false,
		}
		seen := func(on *api) []any {
			var titles []any
			public := on.do("GET", "/v1/public"+strings.TrimPrefix(path, "/v1"), key, nil).want(200)
			taking := on.do("GET", "/v1/candidate/session", session.candidate(), nil).want(200)
			stage := on.do("GET", "/v1/candidate/session/stage", session.candidate(), nil).want(200)
			listed := on.do("GET", "/v1/candidate-sessions?assessmentId="+id, o.owner, nil).want(200)
			for _, at := range []struct {
				response
				path string
			}{
				{on.do("GET", path, o.owner, nil).want(200), "data.title"}, {public, "data.title"},
				{public, "data.stages.0.title"}, {public, "data.instructionsHtml"},
				{taking, "data.assessment.title"}, {taking, "data.assessment.instructionsHtml"},
				{taking, "data.assessment.closingMessage"}, {taking, "data.assessment.closesAt"},
				{taking, "data.stages.0.title"}, {stage, "data.title"}, {stage, "data.descriptionHtml"},
				{listed, "data.0.assessmentTitle"},
			} {
				titles = append(titles, at.at(at.path))
			}
			return titles
		}
		before := []any{"Night-shift pharmacist", "Night-shift pharmacist", "Storage", nil, "Night-shift pharmacist", nil,
			nil, nil, "Storage", "Storage", nil, "Night-shift pharmacist"}
		after := []any{"Day-shift pharmacist", "Day-shift pharmacist", "Cold storage",
			"<p><strong>Read</strong></p>", "Day-shift pharmacist", "<p><strong>Read</strong></p>", "Bye",
			"2036-01-01T00:00:00.000Z", "Cold storage", "Cold storage", "<p><em>New</em></p>", "Day-shift pharmacist"}
		for _, on := range []*api{a, b} {
			if got := seen(on); !slices.Equal(got, before) {
				t.Errorf("before the change: %q\nwant %q", got, before)
			}
		}

		changed := a.do("PATCH", path, o.owner, change).want(200)
		changed.wantFields(object{"data.status": "PUBLISHED", "data.stages.0.id": detail.at("data.stages.0.id"),
			"data.stages.1": detail.at("data.stages.1"), "data.maxPoints": 20})
		if got := seen(a); !slices.Equal(got, after) {
			t.Errorf("on the same replica: %q\nwant %q", got, after)
		}
		a.clock.Advance(time.Second)
		if got := seen(b); !slices.Equal(got, after) {
			t.Errorf("on the other replica after a second: %q\nwant %q", got, after)
		}
		for _, on := range []*api{a, b} {
			invited := on.do("POST", "/v1/candidate-sessions", o.owner, object{
				"assessmentId": id, "candidateName": "Ada", "candidateEmail": "new@example.com", "onExisting": "NEW_ATTEMPT",
			}).want(201)
			invited.wantFields(object{"data.assessmentTitle": "Day-shift pharmacist"})
			if days := invited.moment("data.expiresAt").Sub(a.store.Now()).Hours() / 24; days != 3 {
				t.Errorf("the invite expires after %v days, want 3", days)
			}
		}
	})
}

// What is frozen can only be repeated. The response names each field that differs, and
// nothing changes.
func TestPublishedAssessmentIsFrozen(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		path := "/v1/assessments/" + o.publish(twoStages())
		before := a.do("GET", path, o.owner, nil).want(200)
		question := func(change object) []any {
			stages := asInput(before.at("data.stages"))
			asked := stages[1].(object)["questions"].([]any)[0].(object)
			for name, value := range change {
				asked[name] = value
			}
			return stages
		}
		gate := asInput(before.at("data.stages"))
		gate[0].(object)["gate"] = nil
		gate[1].(object)["timeLimitMinutes"] = 5
		blank := asInput(before.at("data.stages"))
		blank[0].(object)["title"] = " "
		for _, wrong := range []struct {
			body   object
			faults []string
		}{
			{object{"passingScore": nil}, []string{"body /passingScore frozen"}},
			{object{"passingScore": 60.01, "timeLimitMinutes": 5, "shuffleQuestions": true, "shuffleOptions": true},
				[]string{"body /passingScore frozen", "body /timeLimitMinutes frozen", "body /shuffleQuestions frozen",
					"body /shuffleOptions frozen"}},
			{object{"stages": gate}, []string{"body /stages/0/gate frozen", "body /stages/1/timeLimitMinutes frozen"}},
			{object{"stages": gate[:1]}, []string{"body /stages frozen"}},
			{object{"stages": question(object{"prompt": "?"})}, []string{"body /stages/1/questions/0 frozen"}},
			{object{"stages": question(object{"answer": 1})}, []string{"body /stages/1/questions/0 frozen"}},
			{object{"stages": question(object{"points": 6})}, []string{"body /stages/1/questions/0 frozen"}},
			{object{"stages": question(object{"explanation": "?"})}, []string{"body /stages/1/questions/0 frozen"}},
		} {
			wrong.body["title"] = "Never"
			refused := a.do("PATCH", path, o.owner, wrong.body).want(409, "assessment_not_draft")
			if got := refused.faults(); !slices.Equal(got, wrong.faults) {
				t.Errorf("%v: %q, want %q", wrong.body, got, wrong.faults)
			}
		}
		a.do("PATCH", path, o.owner, object{"title": "Never", "stages": blank}).want(422, "assessment_incomplete")
		if after := a.do("GET", path, o.owner, nil).want(200); string(after.body) != string(before.body) {
			t.Errorf("the assessment changed to %s", after.body)
		}
		a.do("PATCH", path, o.owner, object{"stages": question(nil)}).want(200)
	})
}

// A session can be started from opensAt until closesAt. A session in progress is not
// affected.
func TestStartWindow(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		opens := a.store.Now().Add(time.Hour)
		id := o.publish(oneQuestion(object{"opensAt": wire(opens), "closesAt": wire(opens.Add(time.Hour))}))
		early, late := o.invite(id).candidate(), o.invite(id).candidate()
		start := func(who credential) response { return a.do("POST", "/v1/candidate/session/start", who, nil) }
		a.do("GET", "/v1/candidate/session", early, nil).want(200).wantFields(object{
			"data.status": "INVITED", "data.assessment.opensAt": wire(opens),
		})
		start(early).want(409, "assessment_not_open")
		a.clock.Advance(time.Hour - time.Millisecond)
		start(early).want(409, "assessment_not_open")
		a.clock.Advance(time.Millisecond)
		start(early).want(200)
		a.clock.Advance(time.Hour)
		start(early).want(200)
		start(late).want(410, "assessment_closed")
		a.do("GET", "/v1/candidate/session", late, nil).want(200).wantFields(object{"data.status": "INVITED"})
		a.do("POST", "/v1/candidate/session/stage/submit", early, object{"stageId": a.answerStage(early, true)}).want(200).
			wantFields(object{"data.status": "COMPLETED"})

		o.signIn() // the access token has expired
		a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"closesAt": nil}).want(200)
		start(late).want(200)
	})
}

// The message and the reminders of an assessment can change at any time. A change has a new
// ETag and an entry in the audit log, and a field that is left out does not change.
func TestAssessmentEmailSettings(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneQuestion())
		path := "/v1/assessments/" + id
		before := a.do("GET", path, o.owner, nil).want(200).
			wantFields(object{"data.inviteMessage": nil, "data.inviteMessageHtml": nil, "data.remindAfterHours": []any{}})
		changed := a.do("PATCH", path, o.owner,
			object{"inviteMessage": "**Hi**", "remindAfterHours": []int{144, 24, 144}}).want(200)
		set := object{"data.inviteMessage": "**Hi**", "data.inviteMessageHtml": "<p><strong>Hi</strong></p>",
			"data.remindAfterHours": []any{24., 144.}}
		changed.wantFields(set)
		a.do("GET", path, o.owner, nil).want(200).wantFields(set)
		if changed.header.Get("ETag") == before.header.Get("ETag") {
			t.Error("the ETag has not changed")
		}
		a.do("PATCH", path, o.owner, object{"title": "Another"}).want(200).wantFields(set)
		entry := a.do("GET", "/v1/audit-log?action=ASSESSMENT_UPDATED&resourceId="+id, o.owner, nil).want(200)
		entry.wantFields(object{"data.0.changes.0": object{"field": "inviteMessage", "from": nil, "to": nil},
			"data.0.changes.1": object{"field": "remindAfterHours", "from": nil, "to": "24 144"}})
		a.do("PATCH", path, o.owner, object{"inviteMessage": nil, "remindAfterHours": []int{}}).want(200).
			wantFields(object{"data.inviteMessage": nil, "data.remindAfterHours": []any{}})
	})
}
