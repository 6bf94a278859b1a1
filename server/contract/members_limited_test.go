package contract

import (
	"slices"
	"strings"
	"testing"

	"assay/store/rules"
)

// limited returns the estate with the credential of a member. The member is limited to the assessments with the ids.
func (e estate) limited(ids ...string) estate { return e.limitedAs("MEMBER", ids...) }

// limitedAs is limited for a person with another role.
func (e estate) limitedAs(role string, ids ...string) estate {
	e.api.t.Helper()
	m := e.member("MEMBER")
	e.limit(m.id, append([]string{}, ids...))    // none, and not all
	e.api.setRole(e.owner, m.id, role).want(200) // keeps the assessments
	c, tenant := *e.cast, *e.tenant
	tenant.access, tenant.owner = m.access, m.who
	c.tenant = &tenant
	return estate{cast: &c, ids: e.ids}
}

// limit changes what a member sees. nil is everything.
func (e estate) limit(id string, assessments []string) response {
	e.api.t.Helper()
	return e.api.do("PATCH", "/v1/members/"+id, e.owner, object{"role": "MEMBER", "assessmentIds": assessments}).want(200)
}

// refusesLimited reports whether an operation is not for people who see only some assessments.
func refusesLimited(o described) bool {
	first := strings.Split(o.path, "/")[2]
	return slices.Contains([]string{"webhooks", "deliveries", "members", "questions", "question-tags"}, first)
}

// isFor reports whether a person with the role can use an operation.
func (o described) isFor(role string) bool { return slices.Contains(o.roles, role) }

// For a member who is limited to assessments, others do not exist, nor what belongs to them: in paths, bodies, filters,
// lists, exports, counts, and the overview. The member sees all that belongs to the own ones.
func TestLimitedMember(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		hidden := a.estate()
		all := a.estateOf(hidden.cast)
		seen := all.of("assessments")
		for _, ids := range [][]string{seen, seen[1:2]} {
			mine := all.limited(ids...)
			before := hidden.readEach()
			paths, bodies := 0, 0
			for _, o := range everyOperation(t) {
				switch {
				case !o.isFor("MEMBER"), o.id == "switchOrganization": // the organization is the member's own
				case refusesLimited(o):
					mine.probe(o.id, mine.cast.to(o, a.unknownID("webhooks"))).want(403, "insufficient_role")
				case o.hasPathParameter():
					mine.findsNone(t, o, hidden, 404)
					paths++
					fallthrough
				default:
					bodies += len(mine.namesNone(t, o, hidden))
				}
			}
			if after := hidden.readEach(); after != before {
				t.Errorf("what the member does not see changed from\n%s\nto\n%s", before, after)
			}
			if paths < 25 || bodies < 4 {
				t.Errorf("tested only %d paths and %d bodies", paths, bodies)
			}
			mine.listsNone(t, hidden, "MEMBER")
		}
	}, sendsEmail)
}

// listsNone checks that no list, export, summary, or overview that the person can use has an id of another estate.
func (e estate) listsNone(t *testing.T, hidden estate, role string) {
	t.Helper()
	tested := 0
	for _, o := range everyOperation(t) {
		if o.method != "GET" || o.hasPathParameter() || !o.isFor(role) || refusesLimited(o) {
			continue
		}
		queries := []string{""}
		for _, p := range o.query {
			for _, value := range p.Schema.Value.Enum {
				queries = append(queries, p.Name+"="+value.(string))
			}
			if p.Name == "assessmentId" || p.Name == "resourceId" {
				for _, id := range slices.Concat(hidden.of("assessments"), hidden.of("candidate-sessions")) {
					queries = append(queries, p.Name+"="+id)
				}
			}
		}
		for _, query := range queries {
			tested++
			r := e.wellFormed(o, e.right(o))
			r.URL.RawQuery = query
			got := e.probe(o.id+" ?"+query, r)
			if o.id == "listEmailTexts" && query != "" { // it is part of an assessment, and no filter
				got.want(404, "not_found")
				continue
			}
			got.want(200)
			for _, collection := range []string{
				"assessments", "candidate-sessions", "events", "corrections", "comments", "stages",
			} {
				for _, id := range hidden.of(collection) {
					if strings.Contains(strings.ReplaceAll(string(got.body), query, ""), id) {
						t.Errorf("%s has %s: %s", got.name, id, got.body)
					}
				}
			}
		}
	}
	if tested < map[string]int{"MEMBER": 30, "REVIEWER": 15}[role] {
		t.Errorf("tested only %d lists", tested)
	}
}

// A limited member sees everything of the own assessments, and as many in each count.
func TestLimitedMemberSees(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		all := a.estateOf(a.estate().cast)
		published := all.of("assessments")[1]
		mine := all.limited(all.of("assessments")...)
		get := func(address string) response { return a.do("GET", address, mine.owner, nil).want(200) }

		if got := len(get("/v1/assessments").list("data")); got != 4 {
			t.Errorf("%d assessments, want 4", got)
		}
		sessions := len(all.of("candidate-sessions"))
		if got := len(get("/v1/candidate-sessions?limit=100").list("data")); got != sessions {
			t.Errorf("%d sessions, want %d", got, sessions)
		}
		get("/v1/candidate-sessions/summary").wantFields(object{"data.total": float64(sessions)})
		get("/v1/candidate-sessions/summary?q=a").wantFields(object{"data.exact": true})
		get("/v1/overview").wantFields(object{
			"data.latestResults.count": 2.0, "data.drafts.count": 1.0, "data.failingWebhooks.count": 0.0,
		})
		for _, id := range all.of("candidate-sessions") {
			get("/v1/candidate-sessions/" + id)
			if got := len(get("/v1/events?resourceId=" + id).list("data")); got == 0 {
				t.Errorf("no events of %s", id)
			}
		}
		whole := len(get("/v1/events?limit=100").list("data"))
		if got := len(mine.pages("/v1/events?limit=2", "id")); got != whole || whole < 6 {
			t.Errorf("%d events on pages, want %d", got, whole)
		}
		get("/v1/events/" + all.of("events")[0])
		get("/v1/organization").wantFields(object{
			"data.usage.assessments.used": 4.0, "data.usage.queuedDeliveries.used": 0.0,
		})
		get("/v1/me").wantFields(object{"data.assessmentIds.1": published})
		a.do("POST", "/v1/candidate-sessions", mine.owner, object{
			"assessmentId": published, "candidateName": "Grace Hopper", "candidateEmail": newEmail(),
		}).want(201)
	})
}

// The limit begins with the invitation, changes at once, and ends with the role.
func TestLimitOfAMember(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		one, two, foreign := o.publish(twoStages()), o.publish(twoStages()), other.publish(twoStages())
		invite := func(role string, ids any) response {
			return a.do("POST", "/v1/members", o.owner, object{
				"name": "Ben Lang", "email": newEmail(), "role": role, "assessmentIds": ids,
			})
		}
		invite("EDITOR", []string{one}).want(400, "invalid_request").wantFields(object{
			"errors.0.pointer": "/assessmentIds", "errors.0.code": "invalid_value",
		})
		for _, id := range []string{foreign, a.unknownID("assessments")} {
			invite("MEMBER", []string{one, id}).want(400, "invalid_request").wantFields(object{
				"errors.0.pointer": "/assessmentIds/1", "errors.0.code": "unknown_id",
			})
		}
		invited := invite("MEMBER", []string{one}).want(201)
		id := invited.text("data.id")
		joined := a.accept(invited.invitation(), testPassword).want(200)
		who := bearer(joined.text("data.accessToken"))
		read := func(assessment string, status int) {
			t.Helper()
			if got := a.do("GET", "/v1/assessments/"+assessment, who, nil); got.status != status {
				t.Errorf("%s: %d, want %d", assessment, got.status, status)
			}
		}
		change := func(body object) response { return a.do("PATCH", "/v1/members/"+id, o.owner, body) }
		read(one, 200)
		read(two, 404)
		change(object{"role": "MEMBER"}).want(200).wantFields(object{"data.assessmentIds": []any{one}})
		a.do("PUT", "/v1/assessments/"+one+"/notifications", who, object{"finishedEmail": true}).want(200)
		change(object{"role": "MEMBER", "assessmentIds": []string{two}}).want(200)
		read(one, 404)
		read(two, 200)
		change(object{"role": "MEMBER", "assessmentIds": []string{}}).want(200).
			wantFields(object{"data.assessmentIds": []any{}})
		read(two, 404)
		change(object{"role": "EDITOR", "assessmentIds": []string{two}}).want(400, "invalid_request")
		change(object{"role": "MEMBER", "assessmentIds": nil}).want(200).wantFields(object{"data.assessmentIds": nil})
		read(one, 200)
		a.do("GET", "/v1/assessments/"+one+"/notifications", who, nil).want(200).
			wantFields(object{"data.finishedEmail": false}) // ended with the access
		change(object{"role": "MEMBER", "assessmentIds": []string{one}}).want(200)
		change(object{"role": "ADMIN"}).want(200).wantFields(object{"data.assessmentIds": nil})
		read(two, 200)
		change(object{"role": "MEMBER"}).want(200).wantFields(object{"data.assessmentIds": nil})

		draft := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201).text("data.id")
		change(object{"role": "MEMBER", "assessmentIds": []string{draft, one}}).want(200)
		a.do("DELETE", "/v1/assessments/"+draft, o.owner, nil).want(204)
		a.do("GET", "/v1/members/"+id, o.owner, nil).want(200).wantFields(object{"data.assessmentIds": []any{one}})
		entry := a.do("GET", "/v1/audit-log?action=MEMBER_ROLE_CHANGED&limit=1", o.owner, nil).want(200)
		entry.wantFields(object{"data.0.changes.0.field": "assessmentIds", "data.0.changes.0.to": draft + " " + one})
	})
}

// What a person has done in copies that a limited member does not see is hidden, and the rule of the assessment stays.
func TestLimitedMemberHistory(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		all := a.estate()
		original := all.of("assessments")[1]
		duplicate := a.do("POST", "/v1/assessments/"+original+"/duplicate", all.owner, nil).want(201).text("data.id")
		a.do("PATCH", "/v1/assessments/"+duplicate, all.owner, object{"repeatRule": "NEVER"}).want(200)
		a.do("POST", "/v1/assessments/"+duplicate+"/publish", all.owner, nil).want(200)
		mine := all.limited(duplicate)
		attempt := a.do("GET", "/v1/candidate-sessions?status=COMPLETED&assessmentId="+original, all.owner, nil).want(200)
		email := attempt.text("data.0.candidateEmail")
		a.do("PUT", "/v1/candidate-sessions/"+attempt.text("data.0.id")+"/review/state", all.owner,
			object{"stateId": "rejected"}).want(200)
		got := a.do("POST", "/v1/candidate-sessions/history", mine.owner,
			object{"assessmentId": duplicate, "candidateEmails": []string{email}}).want(200)
		got.wantFields(object{
			"data.0.repeat": string(rules.RepeatImpossible), "data.0.latest": nil, "data.0.attemptCount": 0.0,
		})
		if strings.Contains(string(got.body), "rejected") {
			t.Errorf("the history says the state: %s", got.body)
		}
		refused := a.do("POST", "/v1/candidate-sessions", mine.owner,
			object{"assessmentId": duplicate, "candidateName": "A", "candidateEmail": email}).
			want(409, "candidate_attempted_before")
		for _, id := range all.of("candidate-sessions") {
			if strings.Contains(string(refused.body), id) {
				t.Errorf("the refusal names %s: %s", id, refused.body)
			}
		}
	})
}
