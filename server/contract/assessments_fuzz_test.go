package contract

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"
)

// FuzzDefinition creates an assessment with any body. The server either rejects the
// body with field errors, or creates a draft with exactly these values. A draft can
// be read, updated with its own stages, and duplicated. Publishing either succeeds or
// returns a list of errors. A candidate can complete a published assessment.
//
// If place is not 0, value replaces the JSON value at that place of the body. The
// mutation of bytes alone would not find such bodies.
func FuzzDefinition(f *testing.F) {
	a := fuzzServer(f)
	o := a.register()
	key := o.key()
	full := twoStages()
	maps.Copy(full, object{
		"description": "é", "passingScore": 33.33, "timeLimitMinutes": 45, "inviteExpiryDays": 365,
		"redirectUrl": "https://jobs.example/?a=b",
	})
	encoded, err := json.Marshal(full)
	if err != nil {
		f.Fatal(err)
	}
	for _, body := range []string{`{"title":"T"}`, `{"title":" "}`,
		`{"title":"T","stages":[{"title":"","questions":[]}]}`, string(encoded)} {
		f.Add([]byte(body), uint16(0), []byte(nil))
	}
	for place := range placeCount(f, encoded) {
		for _, value := range []string{`null`, `""`, `[]`, `{}`, `-1`, `5e-324`, `1000`, `"a"`, `1.5`} {
			f.Add(encoded, uint16(place+1), []byte(value))
		}
	}

	f.Fuzz(func(t *testing.T, body []byte, place uint16, value []byte) {
		a := a.withTest(t)
		if place > 0 {
			body = withValue(body, int(place)-1, value)
		}
		created, _ := a.callDirect("POST", "/v1/assessments", o.owner, append([]byte{}, body...))
		if created.status != 201 {
			if created.status < 400 || len(created.faults()) == 0 {
				t.Fatalf("want 201 or field errors, got %d %s", created.status, created.body)
			}
			return
		}

		var sent any
		if err := json.Unmarshal(body, &sent); err != nil || !shown(withoutNulls(sent), created.at("data")) {
			t.Fatalf("the draft %s does not match the body %s (%v)", created.body, body, err)
		}
		path := created.header.Get("Location")
		same := func(r response, status int) {
			t.Helper()
			if got := r.want(status).at("data"); !reflect.DeepEqual(got, created.at("data")) {
				t.Fatalf("%s: %v, want %s", r.name, got, created.body)
			}
		}
		same(a.callJSON("GET", path, o.owner, nil), 200)
		same(a.callJSON("PATCH", path, o.owner, object{"stages": append([]any{}, asInput(created.at("data.stages"))...)}),
			200)
		a.checkCopy(created, a.callJSON("POST", path+"/duplicate", o.owner, nil).want(201), o.owner)

		published := a.callJSON("POST", path+"/publish", o.owner, nil)
		if published.status == 422 {
			if published.code() != "assessment_incomplete" || len(published.faults()) == 0 {
				t.Fatalf("want field errors, got %s", published.body)
			}
			a.callJSON("DELETE", path, o.owner, nil).want(204)
			return
		}

		published.want(200)
		a.callJSON("GET", "/v1/public"+path[len("/v1"):], key, nil).want(200)
		a.completeSession(created.text("data.id"), o.owner)
	})
}

// checkCopy checks that a duplicate differs from its original only in ids, times, and the number after the title.
// It deletes the duplicate.
func (a *api) checkCopy(original, duplicate response, who credential) {
	a.t.Helper()
	bare := func(r response) any {
		data := r.data()
		for _, name := range []string{"id", "title", "createdAt", "updatedAt"} {
			delete(data, name)
		}
		for _, stage := range data["stages"].([]any) {
			delete(stage.(object), "id")
			for _, question := range stage.(object)["questions"].([]any) {
				delete(question.(object), "id")
			}
		}

		return data
	}
	if duplicate.text("data.title") == original.text("data.title") {
		a.t.Fatalf("the duplicate has the title of %s", original.body)
	}
	if !reflect.DeepEqual(bare(duplicate), bare(original)) {
		a.t.Fatalf("the duplicate %s differs from %s", duplicate.body, original.body)
	}
	a.callJSON("DELETE", duplicate.header.Get("Location"), who, nil).want(204)
}

// completeSession invites a candidate and submits every stage without an answer.
func (a *api) completeSession(assessmentID string, who credential) {
	a.t.Helper()
	invite := a.callJSON("POST", "/v1/candidate-sessions", who, object{
		"assessmentId": assessmentID, "candidateName": "Grace", "candidateEmail": "grace@example.com",
	}).want(201)
	candidate := invite.candidate()
	a.callJSON("POST", "/v1/candidate/session/start", candidate, nil).want(200)
	status := "IN_PROGRESS"
	for status == "IN_PROGRESS" {
		stage := a.callJSON("GET", "/v1/candidate/session/stage", candidate, nil).want(200)
		status = a.callJSON("POST", "/v1/candidate/session/stage/submit", candidate,
			object{"stageId": stage.text("data.id")}).
			want(200).text("data.status")
	}

	result := a.callJSON("GET", "/v1/candidate-sessions/"+invite.text("data.id")+"/result", who, nil).want(200)
	if result.text("data.status") != status || result.number("data.score") != 0 {
		a.t.Fatalf("result without answers: want status and score 0, got %s", result.body)
	}
}

// withValue replaces the value at a place of a JSON text. A place is an index into
// settersOf. If body or value is not JSON, withValue returns body unchanged.
func withValue(body []byte, place int, value []byte) []byte {
	var whole any
	if json.Unmarshal(body, &whole) != nil || !json.Valid(value) {
		return body
	}
	setters := settersOf(&whole)
	setters[place%len(setters)](json.RawMessage(value))
	changed, err := json.Marshal(whole)
	if err != nil {
		return body
	}
	return changed
}

// settersOf returns a function for each place within the value, the value itself
// included. The function replaces the value at that place.
func settersOf(value *any) []func(any) {
	setters := []func(any){func(other any) { *value = other }}
	within := func(member any, set func(any)) {
		nested := settersOf(&member)
		setters = append(setters, set)
		setters = append(setters, nested[1:]...)
	}

	switch whole := (*value).(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(whole)) {
			within(whole[name], func(other any) { whole[name] = other })
		}
	case []any:
		for i := range whole {
			within(whole[i], func(other any) { whole[i] = other })
		}
	}

	return setters
}

// placeCount returns the number of places in a JSON text.
func placeCount(f *testing.F, body []byte) int {
	f.Helper()
	var whole any
	if err := json.Unmarshal(body, &whole); err != nil {
		f.Fatal(err)
	}
	return len(settersOf(&whole))
}

// withoutNulls removes null fields, because the server may replace them by defaults.
func withoutNulls(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, member := range value {
			if member != nil {
				kept[name] = withoutNulls(member)
			}
		}

		return kept
	case []any:
		kept := make([]any, len(value))
		for i, item := range value {
			kept[i] = withoutNulls(item)
		}
		return kept
	}

	return value
}
