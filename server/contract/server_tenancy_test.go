package contract

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// ask sends a valid request with this query for a resource of the estate.
func (e estate) ask(o described, query string) response {
	e.api.t.Helper()
	r := e.wellFormed(o, e.right(o))
	if o.hasPathParameter() {
		ids := e.of(o.collection())
		if o.scheme == "apiKeyAuth" && o.collection() == "assessments" {
			ids = ids[1:] // the first one is a draft, which API keys do not see
		}
		r = e.to(o, ids[0])
	}
	r.URL.RawQuery = query
	return e.probe(o.id+" ?"+query, r)
}

// An id of another organization in a path gets the same response, byte for byte, as an
// id that never existed. The other organization does not change.
func TestTenancyPath(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		mine, theirs := a.estate(), a.estate()
		before := theirs.readAll()
		for _, o := range everyOperation(t) {
			if o.hasPathParameter() {
				mine.findsNone(t, o, theirs, 404)
			}
		}

		if after := theirs.readAll(); after != before {
			t.Errorf("the other organization changed from\n%s\nto\n%s", before, after)
		}
	}, sendsEmail)
}

// findsNone checks that the ids of another estate in the path of an operation get the response of an id that never
// existed.
func (e estate) findsNone(t *testing.T, o described, theirs estate, status int) {
	t.Helper()
	unknown := e.probe(o.id+", unknown", e.cast.to(o, e.api.unknownID(o.collection())))
	if unknown.status != status {
		t.Errorf("%s: %d, want %d\n%s", unknown.name, unknown.status, status, unknown.body)
	}
	for _, id := range theirs.of(o.collection()) {
		wantSame(t, e.probe(o.id+", theirs", e.cast.to(o, id)), unknown)
	}
}

// idPattern matches the pattern that openapi.yaml has for an id.
var exampleOfID = regexp.MustCompile(`^([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}$`)

// collectionOf returns the collection whose ids a schema is for, or "".
func (a *api) collectionOf(schema *openapi3.Schema) string {
	a.t.Helper()
	example, _ := schema.Example.(string)
	match := exampleOfID.FindStringSubmatch(example)
	if match == nil {
		return ""
	}
	for collection, kind := range idKinds {
		if kind == match[1] {
			return collection
		}
	}

	a.t.Fatalf("add the collection of %s_ to idKinds", match[1])
	return ""
}

// An id of another organization in a body gets the same response as an id that never
// existed. This covers the assessment of an invite, the stage of a submission, and the
// stages and questions of a definition.
func TestTenancyBody(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		mine, theirs := a.estate(), a.estate()

		before := theirs.readAll()
		tested := map[string]bool{}

		for _, o := range everyOperation(t) {
			for _, place := range mine.namesNone(t, o, theirs) {
				tested[place] = true
			}
		}
		for _, place := range []string{
			"createCandidateSession /assessmentId", "submitStage /stageId", "updateAssessment /stages/0/id",
			"updateAssessment /stages/0/questions/0/id",
		} {
			if !tested[place] {
				t.Errorf("the test did not reach %s", place)
			}
		}

		if after := theirs.readAll(); after != before {
			t.Errorf("the other organization changed from\n%s\nto\n%s", before, after)
		}
	}, sendsEmail)
}

// namesNone checks that the ids of another estate in the body of an operation get the response of an id that never
// existed, and returns the places of the ids.
func (e estate) namesNone(t *testing.T, o described, theirs estate) (tested []string) {
	t.Helper()
	if o.body == nil {
		return nil
	}
	for _, p := range places(o.body, "", func(value any) any { return value }) {
		collection := e.api.collectionOf(p.schema)
		if collection == "" {
			continue
		}
		tested = append(tested, o.id+" "+p.pointer)
		send := func(name, id string) response {
			body := p.put(id).(object)
			delete(body, "expiresAt") // the time in the example will be in the past one day
			if body["refreshToken"] != nil {
				body["refreshToken"] = e.refresh
			}
			encoded, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			r := e.wellFormed(o, e.right(o))
			if o.hasPathParameter() {
				r = e.to(o, e.of(o.collection())[0])
			}
			setBody(r, string(encoded))
			answer := e.probe(o.id+" "+p.pointer+", "+name, r)
			answer.body = bytes.ReplaceAll(answer.body, []byte(id), []byte("the id")) // which a response can repeat
			return answer
		}

		unknown := send("unknown", e.api.unknownID(collection))
		rejected := unknown.status == 400 && strings.Contains(string(unknown.body), `"unknown_id"`)
		if failed := unknown.ofItem(o, p.pointer); failed.status != unknown.status {
			failed.is(400, "not_found")
		} else if unknown.status != 404 && !rejected && o.scheme != "" { // a sign-in does not say what is wrong
			t.Errorf("%s: %d, want 404, or 400 with unknown_id\n%s", unknown.name, unknown.status, unknown.body)
		}

		for _, id := range theirs.of(collection) {
			wantSame(t, send("theirs", id), unknown)
		}
	}
	return tested
}

// items returns how many items a list, a summary, or an export has.
func (r response) items() int {
	r.t.Helper()
	if strings.HasPrefix(r.header.Get("Content-Type"), "text/csv;") {
		return strings.Count(string(r.body), "\r\n") - 1
	}
	if data, isObject := r.at("data").(object); isObject {
		if questions, isQueue := data["questions"].([]any); isQueue {
			return len(questions)
		}
		return int(data["total"].(float64))
	}
	return len(r.list("data"))
}

// A filter by an id of another organization returns an empty list, like a filter by an
// id that never existed. The cursor "after" accepts any id and only compares its order.
func TestTenancyQuery(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		mine := a.estate()
		theirs := a.estate()

		// Create more resources, which are newer than those of the other organization. A page after one of
		// its ids is then neither empty nor complete.
		assessmentID := mine.publish(twoStages())
		mine.tenant.invite(assessmentID)
		mine.tenant.key()
		mine.add("MEMBER")
		mine.webhook()
		mine.bank("Newer?", 1)
		mine.hold(object{"assessmentId": assessmentID}).want(201)
		a.putPicture(mine.owner, pngImage(t, 9, 9)).want(201)
		a.login(mine.email)
		a.register().joins(mine.email, "MEMBER")
		tested := 0

		for _, o := range everyOperation(t) {
			if isExport(o.path) {
				continue // not JSON; tested with the list that has the same filters
			}
			for _, p := range o.query {
				collection := a.collectionOf(p.Schema.Value)
				if p.Name == "after" {
					collection = path.Base(o.path)
				}
				if o.id == "listQuestions" && p.Name == "after" {
					collection = "bank" // assessments have questions, too
				}
				if collection == "" {
					continue
				}
				tested++

				for _, id := range theirs.of(collection) {
					got := mine.ask(o, p.Name+"="+id)
					if o.id == "listEmailTexts" || collection == "segments" { // a part of a resource, and no filter
						wantSame(t, got.want(404, "not_found"), mine.ask(o, p.Name+"="+a.unknownID(collection)))
						continue
					}
					got.want(200)
					items := got.items()
					if p.Name != "after" {
						wantSame(t, got, mine.ask(o, p.Name+"="+a.unknownID(collection)))
						if items != 0 {
							t.Errorf("%s: the list is not empty: %s", got.name, got.body)
						}
						continue
					}

					wantSame(t, got, mine.ask(o, p.Name+"="+neighbour(id)))
					if all := len(mine.ask(o, "limit=100").list("data")); items == 0 || items >= all {
						t.Errorf("%s: %d of %d items, so the cursor has no effect", got.name, items, all)
					}
				}
			}
		}

		if tested < 6 {
			t.Fatalf("found only %d ids in queries", tested)
		}
	}, sendsEmail)
}

// neighbour returns an id that never existed and sorts next to an existing one.
func neighbour(id string) string {
	last := "0"
	if strings.HasSuffix(id, last) {
		last = "1"
	}
	return id[:len(id)-1] + last
}

// For another organization, a result token is like a forged one, even after its
// expiry. Only the token's own organization gets a 410.
func TestTenancyResultToken(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		mine, theirs := a.cast(), a.cast()
		exchange := func(c *cast, token string) response {
			return a.do("GET", "/v1/public/results/"+token, apiKeyOf(c.key), nil)
		}
		exchange(mine, mine.result).want(200)
		forged := exchange(mine, a.unknownID("results")).want(404, "result_not_found")
		wantSame(t, exchange(mine, theirs.result), forged)
		wantSame(t, exchange(mine, tampered(mine.result)), forged)
		wantSame(t, exchange(mine, mine.access), forged)
		a.clock.Advance(15*time.Minute + time.Second)
		exchange(mine, mine.result).want(410, "result_token_expired")
		exchange(theirs, theirs.result).want(410, "result_token_expired")
		wantSame(t, exchange(mine, theirs.result), forged)
		wantSame(t, exchange(theirs, mine.result), forged)
		wantSame(t, exchange(mine, tampered(mine.result)), forged)
	})
}

// isExport reports whether an operation writes an entry of the audit log each time.
func isExport(path string) bool {
	return strings.HasSuffix(path, "/export") || strings.HasSuffix(path, "/spreadsheet")
}
