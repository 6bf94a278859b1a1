package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// estate is an organization with one resource of each kind in each state. The keys
// of ids are the path segments before an id, such as "assessments". There are also
// keys for result tokens and for stages, whose ids occur in bodies only.
type estate struct {
	*cast
	ids map[string][]string
}

// estate creates an organization with all its resources.
func (a *api) estate() estate {
	a.t.Helper()
	e := estate{cast: a.cast(), ids: map[string][]string{}}
	add := func(collection, id string) { e.ids[collection] = append(e.ids[collection], id) }

	webhook := e.webhook()
	add("webhooks", webhook)
	draft := a.do("POST", "/v1/assessments", e.owner, twoStages()).want(201).text("data.id")
	archived := e.publish(twoStages())
	a.do("POST", "/v1/assessments/"+archived+"/archive", e.owner, nil).want(200)
	published := e.publish(twoStages())
	for _, id := range []string{draft, published, archived} {
		add("assessments", id)
	}
	detail := a.do("GET", "/v1/assessments/"+published, e.owner, nil).want(200)

	for i := range detail.list("data.stages") {
		add("stages", detail.text(fmt.Sprintf("data.stages.%d.id", i)))
		for j := range detail.list(fmt.Sprintf("data.stages.%d.questions", i)) {
			for _, collection := range []string{"answers", "questions", "grades"} {
				add(collection, detail.text(fmt.Sprintf("data.stages.%d.questions.%d.id", i, j)))
			}
		}
	}

	waiting, running, cancelled := e.tenant.invite(published), e.tenant.invite(published), e.tenant.invite(published)
	expired := e.tenant.invite(published,
		object{"expiresAt": a.clock.Now().Add(time.Second).UTC().Format(time.RFC3339Nano)})
	completed, disqualified := e.tenant.invite(published), e.tenant.invite(published)
	a.do("POST", "/v1/candidate/session/start", running.candidate(), nil).want(200)
	a.do("POST", "/v1/candidate-sessions/"+cancelled.text("data.id")+"/cancel", e.owner, nil).want(200)
	a.finish(completed.candidate(), true)
	a.finish(disqualified.candidate(), false)
	for _, session := range []response{waiting, running, cancelled, expired, completed, disqualified} {
		add("candidate-sessions", session.text("data.id"))
	}
	a.clock.Advance(2 * time.Second) // past the expiry of the session "expired"
	add("correctable", published)
	add("correctable", archived)
	add("corrections", a.do("POST", "/v1/assessments/"+published+"/corrections", e.owner, object{
		"questionId": e.of("questions")[0], "action": "ACCEPT_ALSO", "key": object{"correctOptionId": "a"}, "reason": "None",
	}).want(201).text("data.id"))
	add("revisions", "1")
	add("comments", a.do("POST", "/v1/candidate-sessions/"+waiting.text("data.id")+"/review/comments", e.owner,
		object{"text": "A comment"}).want(201).text("data.id"))
	if a.store.SendsEmail() {
		add("review-emails", a.do("PUT", bulkStates, e.owner, object{
			"stateId": "rejected", "rows": []any{object{"sessionId": waiting.text("data.id")}},
			"email": object{"subject": "S", "text": "T"},
		}).want(200).text("data.emailBatchId"))
	}
	resultToken := a.do("POST", "/v1/public/candidate-sessions/"+completed.text("data.id")+"/result-token",
		apiKeyOf(e.key), nil).want(200)
	add("results", resultToken.text("data.token"))

	revoked := a.do("POST", "/v1/api-keys", e.owner, object{"name": "revoked", "scopes": allScopes}).want(201).
		text("data.id")
	a.do("DELETE", "/v1/api-keys/"+revoked, e.owner, nil).want(204)
	add("api-keys", e.keyID)
	add("api-keys", revoked)
	add("members", e.tenant.member("ADMIN").id)
	add("members", e.add("MEMBER").text("data.id"))
	add("sign-ins", a.do("GET", "/v1/me/sign-ins", e.owner, nil).want(200).text("data.0.id"))
	audit := a.do("GET", "/v1/audit-log?limit=100", e.owner, nil).want(200)
	for i := range audit.list("data") {
		add("audit-log", audit.text(fmt.Sprintf("data.%d.id", i)))
	}
	events := a.do("GET", "/v1/events?limit=100", e.owner, nil).want(200)
	for i := range events.list("data") {
		add("events", events.text(fmt.Sprintf("data.%d.id", i)))
	}
	deliveries := a.do("GET", "/v1/webhooks/"+webhook+"/deliveries?limit=100", e.owner, nil).want(200)
	for i := range deliveries.list("data") {
		add("deliveries", deliveries.text(fmt.Sprintf("data.%d.id", i)))
	}
	return e
}

// webhook registers an endpoint for every event and returns its id.
func (e estate) webhook() string {
	e.api.t.Helper()
	return e.api.do("POST", "/v1/webhooks", e.owner, object{
		"url": "https://hooks.example.com/assay", "events": enumOf(e.api.t, "EventTypeInput"),
	}).want(201).text("data.id")
}

// at returns the path of an operation with id as its last parameter. The other
// parameters are resources of the estate.
func (e estate) at(o described, id string) string {
	e.api.t.Helper()
	last := o.collection()
	return o.address(func(collection string) string {
		if collection == last {
			return id
		}
		return e.of(collection)[0]
	})
}

// of returns the ids of a collection. A new kind of resource must be added to estate.
func (e estate) of(collection string) []string {
	e.api.t.Helper()
	if len(e.ids[collection]) == 0 {
		e.api.t.Fatalf("add a resource of the collection %s to estate", collection)
	}
	return e.ids[collection]
}

// readAll returns the responses of all operations that read resources as the owner.
func (e estate) readAll() string {
	e.api.t.Helper()
	var read strings.Builder
	for _, id := range e.of("candidate-sessions") { // the first read of a result is an entry of the audit log
		e.api.do("GET", "/v1/candidate-sessions/"+id+"/result", e.owner, nil)
	}
	for _, o := range everyOperation(e.api.t) {
		isExport := isExport(o.path)
		if o.method != "GET" || o.scheme != "bearerAuth" || isExport {
			continue
		}
		addresses := []string{o.path}

		if o.hasPathParameter() {
			addresses = nil
			for _, id := range e.of(o.collection()) {
				addresses = append(addresses, e.at(o, id))
			}
		}

		for _, address := range addresses {
			answer := e.api.do("GET", address, e.owner, nil)
			fmt.Fprintf(&read, "%s %d\n%s\n", address, answer.status, requestID.ReplaceAll(answer.body, nil))
		}
	}

	return read.String()
}

// collection returns the path segment before the last parameter.
func (o described) collection() string {
	var found string
	o.address(func(collection string) string { found = collection; return "" })
	return found
}

// to returns a valid request with this id in its path.
func (c *cast) to(o described, id string) *http.Request {
	c.api.t.Helper()
	r := c.wellFormed(o, c.right(o))
	r.URL.Path = o.address(func(string) string { return id })
	return r
}

// to returns a valid request with this id as the last path parameter. The other
// parameters are resources of the estate.
func (e estate) to(o described, id string) *http.Request {
	e.api.t.Helper()
	r := e.wellFormed(o, e.right(o))
	r.URL.Path = e.at(o, id)
	return r
}

// ask sends a valid request with this query for a resource of the estate.
func (e estate) ask(o described, query string) response {
	e.api.t.Helper()
	r := e.wellFormed(o, e.right(o))
	if o.hasPathParameter() {
		r = e.to(o, e.of(o.collection())[0])
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
			if !o.hasPathParameter() {
				continue
			}
			unknown := mine.probe(o.id+", unknown", mine.to(o, a.unknownID(o.collection())))
			if unknown.status != 404 {
				t.Errorf("%s: %d, want 404\n%s", unknown.name, unknown.status, unknown.body)
			}
			for _, id := range theirs.of(o.collection()) {
				wantSame(t, mine.probe(o.id+", theirs", mine.to(o, id)), unknown)
			}
		}

		if after := theirs.readAll(); after != before {
			t.Errorf("the other organization changed from\n%s\nto\n%s", before, after)
		}
	}, sendsEmail)
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
			if o.body == nil {
				continue
			}
			for _, p := range places(o.body, "", func(value any) any { return value }) {
				collection := a.collectionOf(p.schema)
				if collection == "" {
					continue
				}
				tested[o.id+" "+p.pointer] = true
				send := func(name, id string) response {
					body := p.put(id).(object)
					delete(body, "expiresAt") // the time in the example will be in the past one day
					encoded, err := json.Marshal(body)
					if err != nil {
						t.Fatal(err)
					}
					r := mine.wellFormed(o, mine.right(o))
					if o.hasPathParameter() {
						r = mine.to(o, mine.of(o.collection())[0])
					}
					setBody(r, string(encoded))
					answer := mine.probe(o.id+" "+p.pointer+", "+name, r)
					answer.body = bytes.ReplaceAll(answer.body, []byte(id), []byte("the id")) // which a response can repeat
					return answer
				}

				unknown := send("unknown", a.unknownID(collection))
				rejected := unknown.status == 400 && strings.Contains(string(unknown.body), `"unknown_id"`)
				if failed := unknown.ofItem(o, p.pointer); failed.status != unknown.status {
					failed.is(400, "not_found")
				} else if unknown.status != 404 && !rejected {
					t.Errorf("%s: %d, want 404, or 400 with unknown_id\n%s", unknown.name, unknown.status, unknown.body)
				}

				for _, id := range theirs.of(collection) {
					wantSame(t, send("theirs", id), unknown)
				}
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

// items returns how many items a list, a summary, or an export has.
func (r response) items() int {
	r.t.Helper()
	if strings.HasPrefix(r.header.Get("Content-Type"), "text/csv;") {
		return strings.Count(string(r.body), "\r\n") - 1
	}
	if data, isObject := r.at("data").(object); isObject {
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
		a.login(mine.email)
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
				if collection == "" {
					continue
				}
				tested++

				for _, id := range theirs.of(collection) {
					got := mine.ask(o, p.Name+"="+id).want(200)
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
		a.clock.Advance(resultKind.lifetime + time.Second)
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
