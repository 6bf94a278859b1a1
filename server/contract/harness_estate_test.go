package contract

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// estate is an organization with one resource of each kind in each state. The keys
// of ids are the path segments before an id, such as "assessments". There are also
// keys for result tokens and for stages, whose ids occur in bodies only.
type estate struct {
	*cast
	ids      map[string][]string
	finished credential // of a candidate
}

// estate creates an organization with all its resources.
func (a *api) estate() estate {
	a.t.Helper()
	return a.estateOf(a.cast())
}

func (a *api) estateOf(c *cast) estate {
	a.t.Helper()
	e := estate{cast: c, ids: map[string][]string{}}
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
		object{"expiresAt": a.now().Add(time.Second).UTC().Format(time.RFC3339Nano)})
	completed, disqualified := e.tenant.invite(published), e.tenant.invite(published)
	a.do("POST", "/v1/candidate/session/start", running.candidate(), nil).want(200)
	a.do("POST", "/v1/candidate-sessions/"+cancelled.text("data.id")+"/cancel", e.owner, nil).want(200)
	e.finished = completed.candidate()
	a.finish(e.finished, true)
	a.finish(disqualified.candidate(), false)
	for _, session := range []response{waiting, running, cancelled, expired, completed, disqualified} {
		add("candidate-sessions", session.text("data.id"))
	}
	a.pass(2 * time.Second) // past the expiry of the session "expired"
	add("finished", completed.text("data.id"))
	add("finished", disqualified.text("data.id"))
	add("correctable", published)
	add("correctable", archived)
	add("corrections", a.do("POST", "/v1/assessments/"+published+"/corrections", e.owner, object{
		"questionId": e.of("questions")[0], "action": "ACCEPT_ALSO", "key": object{"correctOptionId": "a"}, "reason": "None",
	}).want(201).text("data.id"))
	essays := e.publish(oneEssay(object{}))
	add("assessments", essays)
	add("candidate-sessions", e.write(essays, "An answer that waits"))
	add("claims", a.claim(e.owner, essays).claimed())
	add("bank", a.do("POST", "/v1/questions", e.owner, bankQuestion("Bank?", 1, "tag")).want(201).text("data.id"))
	// The archived assessment has no sessions, so that each session can be erased.
	for range 2 {
		add("legal-holds", e.hold(object{"assessmentId": archived}).want(201).text("data.id"))
	}
	for _, name := range []string{"First attempts", "Second attempts"} {
		add("segments", a.do("POST", "/v1/assessments/"+draft+"/segments", e.owner,
			object{"name": name, "filter": object{"attempt": 1}}).want(201).text("data.id"))
	}
	add("revisions", "1")
	add("comments", a.do("POST", "/v1/candidate-sessions/"+waiting.text("data.id")+"/review/comments", e.owner,
		object{"text": "A comment"}).want(201).text("data.id"))
	add("result-links", a.do("POST", "/v1/candidate-sessions/"+completed.text("data.id")+"/result-links", e.owner,
		object{"label": "A reader"}).want(201).text("data.id"))
	add("integrations", a.do("PUT", "/v1/integrations", e.owner,
		object{"partner": "ashby", "callbackKey": "a-key-of-ashby"}).want(200).text("data.id"))
	for width := range 2 {
		add("media", a.putPicture(e.owner, pngImage(a.t, 5+width, 4)).want(201).text("data.id"))
	}
	if a.own != nil && a.store.SendsEmail() {
		add("review-emails", a.do("PUT", bulkStates, e.owner, object{
			"stateId": "rejected", "rows": []any{object{"sessionId": waiting.text("data.id")}},
			"email": object{"subject": "S", "text": "T"},
		}).want(200).text("data.emailBatchId"))
	}
	resultToken := a.do("POST", "/v1/public/candidate-sessions/"+completed.text("data.id")+"/result-token",
		apiKeyOf(e.key), nil).want(200)
	add("organizations", e.organizationID)
	add("memberships", a.do("GET", "/v1/me", e.owner, nil).want(200).text("data.id"))
	add("second-factors", a.do("POST", "/v1/me/second-factors", e.owner,
		object{"type": "TOTP", "name": "Phone", "password": testPassword}).want(200).text("data.id"))
	for _, name := range []string{"first", "second"} {
		add("domains", a.do("POST", "/v1/organization/domains", e.owner,
			object{"domain": name + "." + e.organizationID[4:] + ".example"}).want(200).text("data.id"))
	}
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
func (e estate) readAll() string { return e.read(func(described) bool { return true }) }

// readEach is readAll without lists.
func (e estate) readEach() string { return e.read(described.hasPathParameter) }

func (e estate) read(chosen func(described) bool) string {
	e.api.t.Helper()
	var read strings.Builder
	for _, id := range e.of("candidate-sessions") { // the first read of a result is an entry of the audit log
		e.api.do("GET", "/v1/candidate-sessions/"+id+"/result", e.owner, nil)
	}
	for _, o := range everyOperation(e.api.t) {
		isExport := isExport(o.path)
		// On PostgreSQL, a change appears in a list of changes a second later, by the clock of the database.
		isLate := strings.HasSuffix(o.path, "/changes")
		if o.method != "GET" || o.scheme != "bearerAuth" || isExport || isLate || !chosen(o) {
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
