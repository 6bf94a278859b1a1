package contract

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/store"
)

// bankQuestion returns a numeric question for the bank, whose answer is 7.
func bankQuestion(prompt string, points float64, tags ...string) object {
	return object{"tags": append([]string{}, tags...), "question": object{
		"type": "NUMERIC", "prompt": prompt, "points": points, "answer": 7,
	}}
}

// bank adds a question to the bank and returns its id.
func (o *tenant) bank(prompt string, points float64, tags ...string) string {
	o.api.t.Helper()
	return o.api.do("POST", "/v1/questions", o.owner, bankQuestion(prompt, points, tags...)).want(201).text("data.id")
}

// changeBank changes a question of the bank with an If-Match header.
func (o *tenant) changeBank(a *api, id, ifMatch string, body object) response {
	a.t.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		a.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(context.Background(), "PATCH", a.url+"/v1/questions/"+id,
		strings.NewReader(string(encoded)))
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("If-Match", ifMatch)
	r.Header.Set(o.owner.header, o.owner.value)
	return a.send(r)
}

// A change of the content is another version; a change of tags is none. Both change the ETag.
func TestQuestionVersions(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		created := a.do("POST", "/v1/questions", o.owner,
			bankQuestion("How many?", 2, " Easy ", "easy", "Night shift")).want(201)
		id, first := created.text("data.id"), created.tag()
		created.wantFields(object{"data.version": 1.0, "data.tags": []any{"Easy", "Night shift"}, "data.usedIn": 0.0,
			"data.archivedAt": nil, "data.question.id": id, "data.question.promptHtml": "<p>How many?</p>",
			"data.question.bankQuestionId": nil, "data.question.answer": 7.0})

		tagged := o.changeBank(a, id, first, object{"tags": []any{"hard"}}).want(200)
		tagged.wantFields(object{"data.version": 1.0, "data.tags": []any{"hard"}})
		o.changeBank(a, id, first, object{"tags": []any{}}).want(412, "question_changed")
		content := bankQuestion("How many exactly?", 2)["question"].(object)
		content["id"] = id
		second := o.changeBank(a, id, tagged.tag(), object{"question": content}).want(200)
		second.wantFields(object{"data.version": 2.0, "data.question.prompt": "How many exactly?",
			"data.tags": []any{"hard"}})
		same := a.do("PATCH", "/v1/questions/"+id, o.owner, object{"question": content, "tags": []any{"hard"}}).want(200)
		if same.tag() != second.tag() || same.number("data.version") != 2 {
			t.Errorf("a change of nothing made %s version %v", same.tag(), same.number("data.version"))
		}
		a.do("GET", "/v1/questions/"+id+"/versions", o.owner, nil).want(200).wantFields(object{
			"data.0.version": 2.0, "data.0.question.prompt": "How many exactly?", "data.1.version": 1.0,
			"data.1.question.prompt": "How many?"})

		for i := range 25 {
			a.do("PATCH", "/v1/questions/"+id, o.owner,
				object{"question": bankQuestion(fmt.Sprint("Again ", i), 2)["question"]}).want(200)
		}
		versions := a.do("GET", "/v1/questions/"+id+"/versions", o.owner, nil).want(200)
		versions.wantFields(object{"data.0.version": 27.0, "data.19.version": 8.0})
		if n := len(versions.list("data")); n != 20 {
			t.Errorf("%d versions are kept", n)
		}

		archived := a.do("PATCH", "/v1/questions/"+id, o.owner, object{"archived": true}).want(200)
		a.do("PATCH", "/v1/questions/"+id, o.owner, object{"archived": true}).want(200).wantFields(object{
			"data.archivedAt": archived.text("data.archivedAt")})
		a.do("PATCH", "/v1/questions/"+id, o.owner, object{"archived": false}).want(200).wantFields(object{
			"data.archivedAt": nil})
		a.do("DELETE", "/v1/questions/"+id, o.owner, nil).want(204)
		a.do("GET", "/v1/questions/"+id, o.owner, nil).want(404, "not_found")
		a.do("DELETE", "/v1/questions/"+id, o.owner, nil).want(404, "not_found")
	})
}

// Content that contradicts itself, and ids that a client cannot choose, are refused with their place.
func TestQuestionFaults(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		other := o.bank("Another?", 1)
		with := func(field string, value any) object {
			body := bankQuestion("How many?", 2)
			body["question"].(object)[field] = value
			return body
		}
		twice := []any{object{"id": "a", "text": "A"}, object{"id": "a", "text": "B"}}
		for pointer, body := range map[string]object{
			"/question/id":             with("id", other),
			"/question/bankQuestionId": with("bankQuestionId", other),
			"/question/options/1/id": {"question": object{"type": "SINGLE_CHOICE", "prompt": "?", "points": 1,
				"options": twice}},
			"/tags/0": {"tags": []any{"\u200b"}, "question": with("points", 1)["question"]},
		} {
			got := a.do("POST", "/v1/questions", o.owner, body).want(400, "invalid_request")
			if got.text("errors.0.pointer") != pointer {
				t.Errorf("%s: %s", pointer, got.body)
			}
		}
		a.do("PATCH", "/v1/questions/"+other, o.owner, with("bankQuestionId", other)).want(400, "invalid_request")
		incomplete := with("answer", nil)
		a.do("POST", "/v1/questions", o.owner, incomplete).want(201)
	})
}

// Lists find questions by text, tags, and archive. A page of a search can be followed to its end.
func TestListQuestions(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		var ids []string
		for i := range 7 {
			tags := []string{"all"}
			if i%2 == 0 {
				tags = append(tags, "Even")
			}
			ids = append(ids, o.bank(fmt.Sprintf("Question no. %d “rice”", i), 1, tags...))
		}
		a.do("PATCH", "/v1/questions/"+ids[6], o.owner, object{"archived": true}).want(200)
		slices.Reverse(ids)
		for address, want := range map[string][]string{
			"/v1/questions?limit=2":                    ids[1:],
			"/v1/questions?limit=2&archived=true":      ids[:1],
			"/v1/questions?limit=2&tag=EVEN,all":       {ids[2], ids[4], ids[6]},
			"/v1/questions?limit=1&tag=even&q=NO.%204": {ids[2]},
			"/v1/questions?limit=3&q=%22RICE%22":       ids[1:],
			"/v1/questions?q=pasta":                    {},
			"/v1/questions?tag=unknown":                {},
		} {
			if got := o.pages(address, "id"); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", address, got, want)
			}
		}
		a.do("GET", "/v1/questions?limit=1&q=4", o.owner, nil).want(200).wantFields(object{
			"data.0.type": "NUMERIC", "data.0.points": 1.0, "data.0.version": 1.0, "data.0.tags": []any{"all", "Even"}})
		a.do("GET", "/v1/question-tags", o.owner, nil).want(200).wantFields(object{
			"data": []any{object{"name": "all", "count": 6.0}, object{"name": "Even", "count": 3.0}}})
	})
}

// Of two people who change the same version of a question, one is refused, whichever replica serves them.
func TestQuestionsConcurrently(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		created := a.do("POST", "/v1/questions", o.owner, bankQuestion("How many?", 2, "x")).want(201)
		id, etag := created.text("data.id"), created.tag()
		for round := range 5 {
			var statuses [4]int
			var group sync.WaitGroup
			for i := range statuses {
				group.Go(func() {
					replica := []*api{a, b}[i%2]
					statuses[i] = o.changeBank(replica, id, etag, object{
						"question": bankQuestion(fmt.Sprint("Version ", round, i), 2)["question"]}).status
				})
			}
			group.Wait()
			slices.Sort(statuses[:])
			if statuses != [4]int{200, 412, 412, 412} {
				t.Fatalf("round %d: %v", round, statuses)
			}
			read := a.do("GET", "/v1/questions/"+id, o.owner, nil).want(200)
			read.wantFields(object{"data.version": float64(round + 2)})
			etag = read.tag()
		}
	})
}

// A question that an assessment includes at the moment in which it is deleted either exists afterwards, or is refused.
func TestQuestionDeletedWhileIncluded(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		for range 8 {
			id := o.bank("How many?", 2)
			var deleted, included response
			var group sync.WaitGroup
			group.Go(func() { deleted = a.do("DELETE", "/v1/questions/"+id, o.owner, nil) })
			group.Go(func() { included = b.do("POST", "/v1/assessments", o.owner, including(id)) })
			group.Wait()
			if deleted.status == 204 {
				included.want(400, "invalid_request").wantFields(object{
					"errors.0.pointer": "/stages/0/questions/0/bankQuestionId", "errors.0.code": "unknown_id"})
				continue
			}
			deleted.want(409, "question_in_use")
			included.want(201)
			a.do("GET", "/v1/questions/"+id, o.owner, nil).want(200).wantFields(object{"data.usedIn": 1.0})
		}
	})
}

// The bank has a quota of questions, and its bytes count with those of assessments.
func TestQuestionQuotas(t *testing.T) {
	onQuotas(t, store.Quotas{Questions: 2, DefinitionBytes: 4000}, func(t *testing.T, a, b *api) {
		o := a.register()
		id := o.bank("One?", 1)
		o.bank("Two?", 1)
		b.do("POST", "/v1/questions", o.owner, bankQuestion("Three?", 1)).want(409, "question_quota_exceeded")
		usage := a.do("GET", "/v1/organization", o.owner, nil).want(200)
		usage.wantFields(object{"data.usage.questions": object{"used": 2.0, "limit": 2.0}})
		before := usage.number("data.usage.definitionBytes.used")
		if before < 200 {
			t.Errorf("the bank takes %v bytes", before)
		}
		long := bankQuestion(strings.Repeat("long ", 500), 1)["question"]
		a.do("PATCH", "/v1/questions/"+id, o.owner, object{"question": long}).want(409, "definition_quota_exceeded")
		a.do("DELETE", "/v1/questions/"+id, o.owner, nil).want(204)
		a.do("POST", "/v1/questions", o.owner, object{"question": long}).want(409, "definition_quota_exceeded")
		after := a.do("GET", "/v1/organization", o.owner, nil).want(200).number("data.usage.definitionBytes.used")
		if after >= before {
			t.Errorf("the bank takes %v bytes after a deletion, and %v before", after, before)
		}
	})
}
