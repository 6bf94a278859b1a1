package server

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// keyFields are the fields that hold an answer key, whatever their value. The
// answer of a NUMERIC question is one too, but its name is also that of what a
// candidate answered: there a number gives it away.
var keyFields = []string{
	"correctOptionId", "correctOptionIds", "acceptedAnswers", "tolerance", "caseSensitive", "partialCredit", "explanation",
}

// marked is twoStages with answer keys that occur nowhere by chance, and those.
func withMarkedKeys(gate bool) (definition object, markers []string) {
	mark := func() string {
		markers = append(markers, "key"+strings.ToLower(rand.Text()))
		return markers[len(markers)-1]
	}
	definition = twoStages()
	for _, stage := range definition["stages"].([]any) {
		if !gate {
			delete(stage.(object), "gate")
		}
		for _, question := range stage.(object)["questions"].([]any) {
			q := question.(object)
			q["explanation"] = mark()
			switch q["type"] {
			case "NUMERIC":
				q["answer"], q["tolerance"] = 7391.84062, 0.0173906
				markers = append(markers, "7391.84", "0.01739")
			case "SHORT_TEXT":
				q["acceptedAnswers"], q["caseSensitive"] = []any{mark(), mark()}, true
			}
		}
	}
	return definition, markers
}

// leakSearch is an assessment of which nothing may leak.
type leakSearch struct {
	*cast
	assessmentID string
	markers      []string
}

// phases are the states in which a session is looked at. Each brings a session
// that was just started there; none answers rightly, so that what is found in a
// result is not the candidate's own.
var phases = []struct {
	name  string
	gate  bool // with a required gate, at which the candidate fails
	reach func(a *api, candidate credential)
}{
	{"invited", false, func(*api, credential) {}},
	{"started", false, func(a *api, candidate credential) {
		a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200)
	}},
	{"first stage answered", false, func(a *api, candidate credential) {
		a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200)
		a.answerStage(candidate, false)
	}},
	{"in the second stage", false, func(a *api, candidate credential) {
		a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200)
		a.submitWrong(candidate)
	}},
	{"completed", false, func(a *api, candidate credential) {
		a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200)
		a.submitWrong(candidate)
		a.submitWrong(candidate)
	}},
	{"disqualified", true, func(a *api, candidate credential) {
		a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200)
		a.submitWrong(candidate)
	}},
}

func (a *api) submitWrong(candidate credential) {
	a.t.Helper()
	a.do("POST", "/v1/candidate/session/stage/submit", candidate, object{"stageId": a.answerStage(candidate, false)}).want(200)
}

// No answer key reaches an integration or a candidate, before, during or after
// a session: each operation they can reach is called in each phase.
func TestAnswerKeysNotInResponses(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		c := a.cast()
		succeeded := map[string]bool{}
		for _, phase := range phases {
			definition, markers := withMarkedKeys(phase.gate)
			w := leakSearch{cast: c, assessmentID: c.publish(definition), markers: markers}
			w.checkMarkersAreFound()
			for _, o := range everyOperation(t) {
				if o.scheme != "apiKeyAuth" && o.scheme != "candidateAuth" {
					continue
				}
				session := c.tenant.invite(w.assessmentID)
				phase.reach(a, session.candidate())
				answer := w.call(o, session)
				answer.name += " when " + phase.name
				w.check(answer)
				succeeded[o.id] = succeeded[o.id] || answer.status < 300
			}
		}
		for _, o := range everyOperation(t) {
			if called, ok := succeeded[o.id]; ok && !called {
				t.Errorf("%s never succeeded, so nothing was searched", o.id)
			}
		}
	})
}

// call calls an operation about a session, with what makes it succeed if anything does.
func (w leakSearch) call(o described, session response) response {
	w.api.t.Helper()
	candidate := session.candidate()
	who := apiKeyOf(w.key)
	if o.scheme == "candidateAuth" {
		who = candidate
	}
	stage := w.api.do("GET", "/v1/candidate/session/stage", candidate, nil)
	address := o.address(func(collection string) string {
		switch collection {
		case "assessments":
			return w.assessmentID
		case "candidate-sessions":
			return session.text("data.id")
		case "answers":
			if stage.status == 200 {
				return stage.text("data.questions.0.id")
			}
		case "results":
			minted := w.api.do("POST", "/v1/public/candidate-sessions/"+session.text("data.id")+"/result-token", apiKeyOf(w.key), nil)
			if minted.status == 200 {
				return minted.text("data.token")
			}
		}
		return w.api.unknownID(collection)
	})
	if o.body == nil {
		return w.api.do(o.method, address, who, nil)
	}
	body := o.minimal(w.api.t)
	if _, takes := body["assessmentId"]; takes {
		body["assessmentId"] = w.assessmentID
	}
	if stage.status == 200 {
		if _, takes := body["stageId"]; takes {
			body["stageId"] = stage.text("data.id")
		}
		if strings.Contains(o.path, "/answers/") {
			body = answerFor(stage.text("data.questions.0.type"), false)
		}
	}
	return w.api.do(o.method, address, who, body)
}

// checkMarkersAreFound shows that the search finds the keys where they may be: with
// the owner's credential.
func (w leakSearch) checkMarkersAreFound() {
	w.api.t.Helper()
	detail := w.api.do("GET", "/v1/assessments/"+w.assessmentID, w.owner, nil).want(200)
	for _, marker := range w.markers {
		if !strings.Contains(string(detail.body), marker) {
			w.api.t.Fatalf("the marker %s is not in the assessment\n%s", marker, detail.body)
		}
	}
	fields := keyFieldsIn(detail.at("data"))
	for _, field := range append(keyFields, "answer") {
		if !slices.Contains(fields, field) {
			w.api.t.Fatalf("the search misses %s in\n%s", field, detail.body)
		}
	}
}

func (w leakSearch) check(answer response) {
	w.api.t.Helper()
	received := fmt.Sprint(answer.header, string(answer.body))
	for _, marker := range w.markers {
		if strings.Contains(received, marker) {
			w.api.t.Errorf("%s: holds the answer key %s\n%s", answer.name, marker, received)
		}
	}
	var value any
	if err := json.Unmarshal(answer.body, &value); err != nil {
		w.api.t.Fatalf("%s: %v\n%s", answer.name, err, answer.body)
	}
	if fields := keyFieldsIn(value); len(fields) > 0 {
		w.api.t.Errorf("%s: has the fields %q\n%s", answer.name, fields, answer.body)
	}
}

// leaks names the fields of a JSON value that hold an answer key.
func keyFieldsIn(value any) []string {
	var found []string
	switch v := value.(type) {
	case map[string]any:
		for name, field := range v {
			_, numeric := field.(float64)
			if slices.Contains(keyFields, name) || name == "answer" && numeric {
				found = append(found, name)
			}
			found = append(found, keyFieldsIn(field)...)
		}
	case []any:
		for _, item := range v {
			found = append(found, keyFieldsIn(item)...)
		}
	}
	return found
}

// The contract does not even have a place for a key in what they are answered,
// so that a new field cannot bring one unseen.
func TestAnswerKeysNotInSchemas(t *testing.T) {
	t.Parallel()
	searched := 0
	for path, item := range contract().document.Paths.Map() {
		for method, operation := range item.Operations() {
			scheme := describe(t, method, path, operation).scheme
			if scheme != "apiKeyAuth" && scheme != "candidateAuth" {
				continue
			}
			for status, ref := range operation.Responses.Map() {
				for _, content := range ref.Value.Content {
					searched++
					for _, field := range keyFields {
						if hasProperty(content.Schema.Value, field, map[*openapi3.Schema]bool{}) {
							t.Errorf("%s: the schema of the %s has %s", operation.OperationID, status, field)
						}
					}
				}
			}
		}
	}
	if searched < 50 {
		t.Fatalf("%d schemas were searched only", searched)
	}
}

// describes reports whether a property of the name is anywhere in the schema.
func hasProperty(schema *openapi3.Schema, name string, seen map[*openapi3.Schema]bool) bool {
	if seen[schema] {
		return false
	}
	seen[schema] = true
	if schema.Properties[name] != nil {
		return true
	}
	parts := slices.Concat(schema.OneOf, schema.AnyOf, schema.AllOf)
	for _, property := range schema.Properties {
		parts = append(parts, property)
	}
	if schema.Items != nil {
		parts = append(parts, schema.Items)
	}
	return slices.ContainsFunc(parts, func(part *openapi3.SchemaRef) bool { return hasProperty(part.Value, name, seen) })
}
