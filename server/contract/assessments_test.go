package contract

import (
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// An API key lists only published assessments, and reads archived ones too, without answer
// keys. The cache of published assessments must not change that.
func TestPublicAssessmentsOmitDraftsAndAnswerKeys(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key("assessments:read")
		definition := twoStages()
		draft := a.do("POST", "/v1/assessments", o.owner, definition).want(201).text("data.id")
		archived, published := o.publish(definition), o.publish(definition)
		a.do("GET", "/v1/public/assessments/"+archived, key, nil).want(200) // puts it into the cache
		a.do("POST", "/v1/assessments/"+archived+"/archive", o.owner, nil).want(200)
		a.do("GET", "/v1/public/assessments/"+draft, key, nil).want(404, "not_found")
		a.do("GET", "/v1/public/assessments/"+archived, key, nil).want(200) // its results refer to it
		if listed, _ := a.pages("/v1/public/assessments", key, "id"); !slices.Equal(listed, []string{published}) {
			t.Errorf("listed %v, want %s only", listed, published)
		}
		for range 2 { // the second response comes from the cache
			read := a.do("GET", "/v1/public/assessments/"+published, key, nil).want(200)
			read.wantFields(object{
				"data.stages.0.questions.0.options.0": object{"id": "a", "text": "Nine hours", "textHtml": "<p>Nine hours</p>"},
				"data.stages.1.questions.0.options":   nil})
			for _, secret := range []string{"correctOption", "explanation", "USP 797", "175", "tolerance", "accepted",
				"laminar", "partialCredit"} {
				if strings.Contains(string(read.body), secret) {
					t.Errorf("the response contains %s: %s", secret, read.body)
				}
			}
		}
	})
}

// Publishing an incomplete draft returns all its errors in one response, and changes
// nothing.
func TestPublishingListsEveryFaultAtOnce(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		options := func(texts ...string) (list []any) {
			for i, text := range texts {
				list = append(list, object{"id": fmt.Sprint(i), "text": text})
			}
			return list
		}
		stages := []any{
			object{"title": " ", "questions": []any{}},
			object{"title": "Worthless", "gate": object{"required": false, "minScore": 0}, "questions": []any{
				object{"type": "NUMERIC", "prompt": "\t", "points": 0},
			}},
			object{"title": "Keys", "questions": []any{
				object{"type": "SINGLE_CHOICE", "prompt": "p", "points": 1, "options": options("a"), "correctOptionId": nil},
				object{"type": "SINGLE_CHOICE", "prompt": "p", "points": 1, "options": options("a", " "), "correctOptionId": "2"},
				object{"type": "MULTIPLE_CHOICE", "prompt": "p", "points": 1, "options": options("a", "b")},
				object{"type": "MULTIPLE_CHOICE", "prompt": "p", "points": 1, "options": options("a", "b"),
					"correctOptionIds": []any{"0", "0", "7"}},
				object{"type": "SHORT_TEXT", "prompt": "p", "points": 1},
				object{"type": "SHORT_TEXT", "prompt": "p", "points": 1, "acceptedAnswers": []any{"a", ""}},
				object{"type": "NUMERIC", "prompt": "p", "points": 1, "answer": 0}, // zero is an answer
			}},
		}
		want := []string{
			"body /stages/0/title required",
			"body /stages/0/questions too_few_items",
			"body /stages/1/gate too_small",
			"body /stages/1/questions/0/prompt required",
			"body /stages/1/questions/0/answer required",
			"body /stages/2/questions/0/options too_few_items",
			"body /stages/2/questions/0/correctOptionId required",
			"body /stages/2/questions/1/options/1/text required",
			"body /stages/2/questions/1/correctOptionId invalid_value",
			"body /stages/2/questions/2/correctOptionIds too_few_items",
			"body /stages/2/questions/3/correctOptionIds/1 duplicate",
			"body /stages/2/questions/3/correctOptionIds/2 invalid_value",
			"body /stages/2/questions/4/acceptedAnswers too_few_items",
			"body /stages/2/questions/5/acceptedAnswers/1 required",
		}
		created := a.do("POST", "/v1/assessments", o.owner, object{"title": "Full of holes", "stages": stages}).want(201)
		path := created.header.Get("Location")
		refused := a.do("POST", path+"/publish", o.owner, nil).want(422, "assessment_incomplete")
		if got := refused.faults(); !slices.Equal(got, want) {
			t.Errorf("field errors %q\nwant %q", got, want)
		}
		if read := a.do("GET", path, o.owner, nil).want(200); string(read.body) != string(created.body) {
			t.Errorf("the rejected call changed the draft: %s", read.body)
		}
		empty := a.do("POST", "/v1/assessments", o.owner, object{"title": "Empty"}).want(201).header.Get("Location")
		refused = a.do("POST", empty+"/publish", o.owner, nil).want(422, "assessment_incomplete")
		if got := refused.faults(); !slices.Equal(got, []string{"body /stages too_few_items"}) {
			t.Errorf("publishing an assessment without stages: %q", got)
		}
		if events := o.events("", 100); len(events) != 0 {
			t.Errorf("no assessment was published, but there are the events %v", events)
		}
	})
}

// The questions of a published assessment must not change, because candidates are
// scored by them. Nothing of an archived assessment changes.
func TestAssessmentLifecycle(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		path := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201).header.Get("Location")
		id := strings.TrimPrefix(path, "/v1/assessments/")
		invitation := object{"assessmentId": id, "candidateName": "Grace Hopper", "candidateEmail": "grace@example.com"}
		checkUnchangeable := func() {
			t.Helper()
			before := a.do("GET", path, o.owner, nil).want(200)
			a.do("PATCH", path, o.owner, object{"title": "Never", "passingScore": 59}).want(409, "assessment_not_draft")
			a.do("PATCH", path, o.owner, object{"stages": twoStages()["stages"]}).want(409, "assessment_not_draft")
			a.do("DELETE", path, o.owner, nil).want(409, "assessment_not_draft")
			if after := a.do("GET", path, o.owner, nil).want(200); string(after.body) != string(before.body) {
				t.Errorf("the assessment changed to %s", after.body)
			}
		}
		a.do("POST", path+"/archive", o.owner, nil).want(409, "assessment_not_published")
		a.do("POST", "/v1/candidate-sessions", o.owner, invitation).want(409, "assessment_not_published")

		a.clock.Advance(time.Second)
		publishedAt := wire(a.store.Now())
		published := a.do("POST", path+"/publish", o.owner, nil).want(200)
		published.wantFields(object{"data.status": "PUBLISHED", "data.publishedAt": publishedAt,
			"data.updatedAt":  publishedAt,
			"data.archivedAt": nil})
		a.clock.Advance(time.Second)
		if again := a.do("POST", path+"/publish", o.owner, nil).want(200); string(again.body) != string(published.body) {
			t.Errorf("second publish: %s\nfirst: %s", again.body, published.body)
		}
		events := o.eventsOf("assessment.published", id)
		want := asJSON(t, object{"assessmentId": id, "title": "Night-shift pharmacist", "status": "PUBLISHED",
			"publishedAt": publishedAt})
		if len(events) != 1 || !reflect.DeepEqual(events[0]["data"], want) ||
			events[0]["organizationId"] != o.organizationID {
			t.Errorf("events %v, want one event with the data %v", events, want)
		}
		checkUnchangeable()

		running := a.do("POST", "/v1/candidate-sessions", o.owner, invitation).want(201)
		waiting := o.invite(id)
		a.do("POST", "/v1/candidate/session/start", running.candidate(), nil).want(200)
		archived := a.do("POST", path+"/archive", o.owner, nil).want(200)
		archived.wantFields(object{"data.status": "ARCHIVED", "data.publishedAt": publishedAt,
			"data.archivedAt": wire(a.store.Now())})
		a.clock.Advance(time.Second)
		if again := a.do("POST", path+"/archive", o.owner, nil).want(200); string(again.body) != string(archived.body) {
			t.Errorf("second archive: %s\nfirst: %s", again.body, archived.body)
		}
		a.do("POST", path+"/publish", o.owner, nil).want(409, "assessment_not_draft")
		a.do("PATCH", path, o.owner, object{"title": "Never"}).want(409, "assessment_not_draft")
		checkUnchangeable()
		for _, onExisting := range []string{"RETURN", "NEW_ATTEMPT", "ERROR"} {
			more := maps.Clone(invitation)
			more["onExisting"] = onExisting
			a.do("POST", "/v1/candidate-sessions", o.owner, more).want(409, "assessment_not_published")
		}

		for _, session := range []response{running, waiting} { // candidates who were invited before may still finish
			a.complete(session.candidate()).wantFields(object{"data.status": "COMPLETED"})
		}
	})
}

// Each copy gets the next number that no other copy has, also a copy of a copy, and within the limit of a title.
// A year is
// no number.
func TestDuplicateHasTitleOfItsOwn(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		long := strings.Repeat("é", 200)
		create := func(title string) string {
			return a.do("POST", "/v1/assessments", o.owner, object{"title": title}).want(201).text("data.id")
		}
		duplicate := func(id, want string) string {
			t.Helper()
			copied := a.do("POST", "/v1/assessments/"+id+"/duplicate", o.owner, nil).want(201)
			copied.wantFields(object{"data.title": want})
			a.do("PATCH", "/v1/assessments/"+copied.text("data.id"), o.owner, object{"title": want}).want(200)
			return copied.text("data.id")
		}

		cook := create("Line cook")
		second := duplicate(cook, "Line cook (2)")
		third := duplicate(cook, "Line cook (3)")
		duplicate(second, "Line cook (4)")
		a.do("DELETE", "/v1/assessments/"+third, o.owner, nil).want(204)
		duplicate(cook, "Line cook (3)")
		duplicate(second, "Line cook (5)")
		a.do("PATCH", "/v1/assessments/"+second, o.owner, object{"title": "Line cook 2027 (2027)"}).want(200)
		duplicate(second, "Line cook 2027 (2027) (2)")
		duplicate(create("Level (2)"), "Level (2) (2)")

		longCopy := duplicate(create(long), long[:2*196]+" (2)")
		duplicate(longCopy, long[:2*196]+" (3)")

		copies := atOnce(8, func(int) string {
			return a.do("POST", "/v1/assessments/"+cook+"/duplicate", o.owner, nil).want(201).text("data.title")
		})
		slices.Sort(copies)
		if len(slices.Compact(copies)) != 8 {
			t.Errorf("copies at once have the titles %q", copies)
		}
	})
}

// A duplicate has the content of the original, but its own ids. Changes to it do not change
// the original.
func TestDuplicateIsIndependentDraft(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		definition := twoStages()
		maps.Copy(definition, object{"description": "d", "timeLimitMinutes": 7, "redirectUrl": "https://a.example/",
			"inviteExpiryDays": 3})
		path := "/v1/assessments/" + o.publish(definition)

		for _, status := range []string{"PUBLISHED", "ARCHIVED"} {
			source := a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.status": status})
			a.clock.Advance(time.Second)
			copied := a.do("POST", path+"/duplicate", o.owner, nil).want(201)
			if copied.header.Get("Location") != "/v1/assessments/"+copied.text("data.id") {
				t.Errorf("the Location header is %s", copied.header.Get("Location"))
			}
			want, got := source.data(), copied.data()
			maps.Copy(want, object{
				"id": got["id"], "status": "DRAFT", "title": got["title"],
				"createdAt": wire(a.store.Now()), "updatedAt": wire(a.store.Now()),
				"publishedAt": nil, "archivedAt": nil,
			})
			ids := map[string]bool{}

			for _, stages := range []any{want["stages"], got["stages"]} {
				for _, stage := range stages.([]any) {
					ids[stage.(object)["id"].(string)] = true
					delete(stage.(object), "id")
					for _, question := range stage.(object)["questions"].([]any) {
						ids[question.(object)["id"].(string)] = true
						delete(question.(object), "id")
					}
				}
			}

			if len(ids) != 2*(2+4) || !reflect.DeepEqual(got, want) {
				t.Errorf("the original and the copy have %d different ids\ncopy %v\nwant %v", len(ids), got, want)
			}
			a.do("PATCH", "/v1/assessments/"+copied.text("data.id"), o.owner, object{"title": "Changed"}).want(200)
			a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.title": "Night-shift pharmacist"})
			a.do("POST", "/v1/assessments/"+copied.text("data.id")+"/publish", o.owner, nil).want(200)
			a.do("POST", path+"/archive", o.owner, nil).want(200)
		}
	})
}

// After the deletion of a draft, every operation on it returns 404.
func TestDeletedDraftIsNotFound(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		path := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201).header.Get("Location")
		if deleted := a.do("DELETE", path, o.owner, nil).want(204); len(deleted.body) != 0 {
			t.Errorf("DELETE returned a body: %s", deleted.body)
		}
		for _, request := range []struct{ method, path string }{
			{"DELETE", path}, {"GET", path}, {"POST", path + "/publish"}, {"POST", path + "/archive"},
			{"POST", path + "/duplicate"},
		} {
			a.do(request.method, request.path, o.owner, nil).want(404, "not_found")
		}
		a.do("PATCH", path, o.owner, object{"title": "T"}).want(404, "not_found")
		if listed, _ := a.pages("/v1/assessments", o.owner, "id"); len(listed) != 0 {
			t.Errorf("the list contains the deleted draft: %v", listed)
		}
	})
}

// Search ignores case and takes its text literally: %, _ and \ are no wildcards. Both
// databases return the same result.
func TestAssessmentFilters(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		start := a.store.Now()
		for i, title := range []string{"Ärztin im Dienst", `100% of C:\temp`, "1000 of C_temp", "Nurse", "NURSE (night)"} {
			a.clock.Advance(time.Second)
			path := a.do("POST", "/v1/assessments", o.owner, oneQuestion(object{"title": title})).
				want(201).header.Get("Location")
			if i > 2 {
				a.do("POST", path+"/publish", o.owner, nil).want(200)
			}
			if i > 3 {
				a.do("POST", path+"/archive", o.owner, nil).want(200)
			}
		}

		since := func(seconds int, zone string) string {
			at := start.Add(time.Duration(seconds) * time.Second)
			if zone == "" {
				return wire(at)
			}
			return at.In(time.FixedZone(zone, 2*60*60)).Format(time.RFC3339Nano)
		}
		for _, test := range []struct {
			query url.Values
			want  string // the first word of each title, newest first
		}{
			{nil, "NURSE Nurse 1000 100% Ärztin"},
			{url.Values{"status": {"DRAFT"}}, "1000 100% Ärztin"},
			{url.Values{"status": {"PUBLISHED"}}, "Nurse"},
			{url.Values{"status": {"ARCHIVED"}}, "NURSE"},
			{url.Values{"q": {"nURSe"}}, "NURSE Nurse"},
			{url.Values{"q": {"nurse"}, "status": {"PUBLISHED"}}, "Nurse"},
			{url.Values{"q": {"ärztin"}}, "Ärztin"},
			{url.Values{"q": {"ÄRZTIN"}}, "Ärztin"},
			{url.Values{"q": {"%"}}, "100%"},
			{url.Values{"q": {"100%"}}, "100%"},
			{url.Values{"q": {"_"}}, "1000"},
			{url.Values{"q": {"c_T"}}, "1000"},
			{url.Values{"q": {`\`}}, "100%"},
			{url.Values{"q": {`:\TEMP`}}, "100%"},
			{url.Values{"q": {`\%`}}, ""},
			{url.Values{"q": {"e (n"}}, "NURSE"},
			{url.Values{"q": {"nowhere"}}, ""},
			{url.Values{"updatedSince": {since(14, "")}}, "NURSE Nurse"}, // at or after
			{url.Values{"updatedSince": {since(14, "+02:00")}}, "NURSE Nurse"},
			{url.Values{"updatedSince": {since(16, "")}}, ""},
			{url.Values{"updatedSince": {since(12, "")}, "q": {"of c"}}, "1000 100%"},
		} {
			titles, _ := a.pages("/v1/assessments?"+test.query.Encode(), o.owner, "title")
			for i := range titles {
				titles[i], _, _ = strings.Cut(titles[i], " ")
			}
			if got := strings.Join(titles, " "); got != test.want {
				t.Errorf("%v: %s, want %s", test.query, got, test.want)
			}
		}
	})
}

// With any limit, the pages contain every item once, with the newest first.
func TestAssessmentPaging(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		var want []string
		for range 7 {
			want = append([]string{o.publish(oneQuestion())}, want...) // newest first
		}
		a.do("POST", "/v1/assessments", o.owner, object{"title": "A draft"}).want(201)
		for limit := 1; limit <= 8; limit++ {
			for prefix, who := range map[string]credential{"/v1/assessments?status=PUBLISHED&q=one+question&": o.owner,
				"/v1/public/assessments?": key} {
				ids, pages := a.pages(fmt.Sprintf("%slimit=%d", prefix, limit), who, "id")
				if !slices.Equal(ids, want) || pages != (7+limit-1)/limit {
					t.Errorf("%s with limit %d: %d pages, ids %v, want %v", prefix, limit, pages, ids, want)
				}
			}
		}

		if ids, pages := a.pages("/v1/assessments", o.owner, "id"); len(ids) != 8 || pages != 1 {
			t.Errorf("without a limit: %d items on %d pages", len(ids), pages)
		}
		if ids, _ := a.pages("/v1/assessments?after="+want[len(want)-1], o.owner, "id"); len(ids) != 0 {
			t.Errorf("after the last item: %v", ids)
		}
	})
}
