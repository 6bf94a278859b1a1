package contract

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// keyFields are the fields that always contain an answer key. The field "answer"
// is not in the list, because it has two meanings. In a NUMERIC question it is the
// answer key, a number. In a result it is the candidate's answer, an object.
var keyFields = []string{
	"correctOptionId", "correctOptionIds", "acceptedAnswers", "tolerance", "caseSensitive", "exactMatch", "partialCredit",
	"explanation", "explanationHtml",
}

// withMarkedKeys returns twoStages with unique answer keys, and the texts by which
// a test finds these keys in a response.
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

// leakSearch searches responses for the answer keys of one assessment.
type leakSearch struct {
	*cast
	assessmentID string
	markers      []string
}

// phases are the states in which the test calls each operation. reach brings an
// invited session into the state. All its answers are wrong, so a correct answer
// in a response cannot be the candidate's own.
var phases = []struct {
	name  string
	gate  bool // the first stage has a required gate, and the candidate fails it
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
	a.do("POST", "/v1/candidate/session/stage/submit", candidate, object{"stageId": a.answerStage(candidate, false)}).
		want(200)
}

// carriesQuestions reports whether an operation moves whole assessments with their answer keys. It needs the scope
// assessments:write, which no key has by default: such a key already writes answer keys.
func carriesQuestions(operationID string) bool {
	return operationID == "importPublicAssessment" || operationID == "exportPublicAssessment"
}

// API keys and candidates must never receive an answer key. The test calls every
// operation that accepts such a credential, in each phase of a session.
func TestAnswerKeysNotInResponses(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		c := a.cast()
		succeeded := map[string]bool{}
		for _, phase := range phases {
			definition, markers := withMarkedKeys(phase.gate)
			w := leakSearch{cast: c, assessmentID: c.publish(definition), markers: markers}
			w.checkMarkersAreFound()

			for _, o := range everyOperation(t) {
				if o.scheme != "apiKeyAuth" && o.scheme != "candidateAuth" || carriesQuestions(o.id) {
					continue
				}
				session := c.tenant.invite(w.assessmentID)
				phase.reach(a, session.candidate())
				answer := w.call(o, session)
				answer.name += " when " + phase.name
				// Exports are no JSON. That of the audit log has what the list has, and TestCodeBook checks the code book.
				if !isExport(o.path) && !strings.HasSuffix(o.path, "/code-book") {
					w.check(answer)
				}
				succeeded[o.id] = succeeded[o.id] || answer.status < 300
			}
			session := c.tenant.invite(w.assessmentID)
			phase.reach(a, session.candidate())
			w.checkPages(session, phase.gate)
		}

		for _, o := range everyOperation(t) {
			if called, ok := succeeded[o.id]; ok && !called {
				t.Errorf("%s never succeeded, so the test searched no useful response", o.id)
			}
		}
	}, sendsEmail)
}

// call calls an operation on the session. It fills in real ids where the operation
// takes them, so that the operation succeeds if the phase allows it.
func (w leakSearch) call(o described, session response) response {
	w.api.t.Helper()
	candidate := session.candidate()
	who := apiKeyOf(w.key)
	if o.scheme == "candidateAuth" {
		who = candidate
	}
	stage := w.api.do("GET", "/v1/candidate/session/stage", candidate, nil)
	var hook string // exists during the call, so that its deliveries stay few
	defer func() {
		if hook != "" {
			w.api.do("DELETE", "/v1/webhooks/"+hook, w.owner, nil)
		}
	}()
	address := o.address(func(collection string) string {
		switch collection {
		case "webhooks":
			hook = w.hookID("candidate.invited")
			w.tenant.invite(w.assessmentID)
			return hook
		case "deliveries":
			return w.api.do("GET", "/v1/webhooks/"+hook+"/deliveries", w.owner, nil).want(200).text("data.0.id")
		case "events":
			about := "/v1/events?resourceId=" + session.text("data.id")
			return w.api.do("GET", about, w.owner, nil).want(200).text("data.0.id")
		case "assessments":
			return w.assessmentID
		case "candidate-sessions":
			return session.text("data.id")
		case "review-emails":
			return w.tenant.reject([]string{session.text("data.id")}, withDelay(1)).text("data.emailBatchId")
		case "result-links":
			linked := w.api.do("POST", "/v1/public/candidate-sessions/"+session.text("data.id")+"/result-links",
				apiKeyOf(w.key), object{})
			if linked.status == 201 {
				return linked.text("data.id")
			}
		case "answers":
			if stage.status == 200 {
				return stage.text("data.questions.0.id")
			}
		case "results":
			minted := w.api.do("POST", "/v1/public/candidate-sessions/"+session.text("data.id")+"/result-token",
				apiKeyOf(w.key), nil)
			if minted.status == 200 {
				return minted.text("data.token")
			}
		}

		return w.api.unknownID(collection)
	})
	if o.fileType != "" {
		return w.api.postPicture(address, who, o.fileType, []byte(sampleFile(w.api.t, o.fileType)))
	}
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
		if o.id == "recordActivity" {
			body["questions"] = []any{object{"questionId": stage.text("data.questions.0.id"), "seconds": 1}}
		}
	}
	if o.id == "saveOwnSelfIdentification" {
		body["answers"] = []any{} // nothing is asked
	}

	return w.api.do(o.method, address, who, body)
}

// checkMarkersAreFound checks that the search works: the owner may see the answer
// keys, so the search must find all of them in the owner's response.
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
			w.api.t.Fatalf("the search does not find the field %s in\n%s", field, detail.body)
		}
	}
}

// checkPages searches the page of a link without answers, and requires that the search finds keys in one with answers.
// A stopped candidate has not reached the stage whose keys the search finds.
func (w leakSearch) checkPages(session response, isStopped bool) {
	w.api.t.Helper()
	path := "/v1/candidate-sessions/" + session.text("data.id") + "/result-links"
	for _, withAnswers := range []bool{false, true} {
		link := w.api.do("POST", path, w.owner, object{"withAnswers": withAnswers})
		if link.status != 201 {
			link.want(409, "result_not_ready")
			return
		}
		page := w.api.visit("192.0.2.1", link.text("data.url"), nil).want(200)
		if !withAnswers {
			w.checkMarkers(page)
		} else if !isStopped && !slices.ContainsFunc(w.markers, func(m string) bool {
			return strings.Contains(string(page.body), m)
		}) {
			w.api.t.Errorf("the page with answers has none of the answer keys %q\n%s", w.markers, page.body)
		}
	}
}

// check fails the test if the response contains an answer key.
func (w leakSearch) check(answer response) {
	w.api.t.Helper()
	w.checkMarkers(answer)
	if answer.status == http.StatusNoContent {
		return
	}

	var value any
	if err := json.Unmarshal(answer.body, &value); err != nil {
		w.api.t.Fatalf("%s: %v\n%s", answer.name, err, answer.body)
	}
	if fields := keyFieldsIn(value); len(fields) > 0 {
		w.api.t.Errorf("%s: contains the answer key fields %q\n%s", answer.name, fields, answer.body)
	}
}

func (w leakSearch) checkMarkers(answer response) {
	w.api.t.Helper()
	received := fmt.Sprint(answer.header, string(answer.body))
	for _, marker := range w.markers {
		if strings.Contains(received, marker) {
			w.api.t.Errorf("%s: contains the answer key %s\n%s", answer.name, marker, received)
		}
	}
}

// keyFieldsIn returns the names of the fields in a JSON value that contain an
// answer key.
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

// No response schema for API keys or candidates may declare a field for an answer
// key. Responses with undeclared fields fail every test, so this covers new fields.
func TestAnswerKeysNotInSchemas(t *testing.T) {
	t.Parallel()
	searched := 0
	for path, item := range contract().document.Paths.Map() {
		for method, operation := range item.Operations() {
			scheme := describe(t, method, path, operation).scheme
			if scheme != "apiKeyAuth" && scheme != "candidateAuth" || carriesQuestions(operation.OperationID) {
				continue
			}
			for status, ref := range operation.Responses.Map() {
				for _, content := range ref.Value.Content {
					searched++
					for _, field := range keyFields {
						if hasProperty(content.Schema.Value, field, map[*openapi3.Schema]bool{}) {
							t.Errorf("%s: the schema of the %s response has the field %s", operation.OperationID, status, field)
						}
					}
				}
			}
		}
	}

	if searched < 50 {
		t.Fatalf("searched only %d schemas, want at least 50", searched)
	}
}

// hasProperty reports whether the schema has a property with the name at any depth.
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
