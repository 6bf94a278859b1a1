package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

const dataPath = "/v1/candidate-data"

// known asks for everything about an address.
func (a *api) known(who credential, email string) response {
	a.t.Helper()
	path := dataPath
	if who.header == "X-API-Key" {
		path = "/v1/public/candidate-data"
	}
	return a.do("POST", path, who, object{"email": email}).want(200)
}

// Everything about a person is found by the address in any case, and nothing about anybody else.
func TestCandidateData(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		admin, key := o.member("ADMIN"), o.key("candidates:read", "results:read", "reviews:read")
		email := newEmail()
		of := object{
			"candidateEmail": email, "candidateName": "Mei Lindqvist", "externalId": "application-4711",
			"metadata": object{"source": "fair"}, "extraTimePercent": 25,
		}
		first := o.publish(twoStages())
		finished := o.invite(first, of)
		id := finished.text("data.id")
		a.finish(finished.candidate(), true)
		a.clock.Advance(time.Second)
		session := "/v1/candidate-sessions/" + id
		a.do("PATCH", session, o.owner, object{"note": "Needs a quiet room"}).want(200)
		a.do("PUT", session+"/review/state", admin.who, object{"stateId": "rejected", "reason": "Too far away"}).want(200)
		a.do("PUT", session+"/review/rating", o.owner, object{"rating": 4}).want(200)
		a.do("POST", session+"/review/comments", o.owner, object{"text": "Calm under pressure"}).want(201)
		a.do("PATCH", session+"/review/tags", o.owner, object{"add": []any{"night shift"}}).want(200)
		a.do("POST", session+"/result-links", o.owner, object{"label": "The chef"}).want(201)
		running := o.invite(o.publish(twoStages()), object{"candidateEmail": strings.ToUpper(email)})
		a.do("POST", "/v1/candidate/session/start", running.candidate(), nil).want(200)
		a.answerStage(running.candidate(), true)
		a.do("POST", "/v1/candidate-sessions/"+running.text("data.id")+"/extend", o.owner,
			object{"minutes": 5, "reason": "The power failed"}).want(409, "session_without_deadline")
		bystander := o.invite(first)
		a.finish(bystander.candidate(), true)
		elsewhere := other.invite(other.publish(oneQuestion()), object{"candidateEmail": email})

		for _, who := range []credential{o.owner, admin.who, key} {
			data := a.known(who, strings.ToUpper(email[:1])+email[1:])
			data.wantFields(object{
				"data.sessions.0.id": running.text("data.id"), "data.sessions.1.id": id, "data.next": nil,
				"data.suppression": nil, "data.registrations": []any{},
				"data.sessions.1.candidateName": "Mei Lindqvist", "data.sessions.1.externalId": "application-4711",
				"data.sessions.1.metadata.source": "fair", "data.sessions.1.note": "Needs a quiet room",
				"data.sessions.1.extraTimePercent": 25.0, "data.sessions.1.status": "COMPLETED", "data.sessions.1.score": 100.0,
				"data.sessions.1.stateChanges.0.reason": "Too far away", "data.sessions.1.ratings.0.rating": 4.0,
				"data.sessions.1.comments.0.text": "Calm under pressure", "data.sessions.1.comments.0.byName": "Ada Lovelace",
				"data.sessions.1.tags": []any{"night shift"}, "data.sessions.1.held": false,
				"data.sessions.1.stages.1.title": "Calculation", "data.sessions.1.stages.1.score": 100.0,
				"data.sessions.1.answers.0.answer": "Nine hours", "data.sessions.1.answers.1.answer": "Insulin\nVaccines",
				"data.sessions.1.answers.2.answer": "175.25", "data.sessions.1.answers.3.answer": " Laminar  flow ",
				"data.sessions.1.answers.0.points": 4.0, "data.sessions.1.answers.0.maxPoints": 4.0,
				"data.sessions.1.devices.0.network": "127.0.0.1",
				"data.sessions.1.recipients.0.kind": "RESULT_LINK", "data.sessions.1.recipients.0.name": "The chef",
				"data.sessions.0.answers.0.answer": "Nine hours", "data.sessions.0.answers.0.points": nil,
				"data.sessions.0.stages.0.endedAt": nil, "data.sessions.0.score": nil,
			})
			// Questions that the candidate has not seen are no data about the person.
			if rows := data.list("data.sessions.0.answers"); len(rows) != 2 {
				t.Errorf("%d answers of a session in its first stage, want 2", len(rows))
			}
			for _, foreign := range []string{
				bystander.text("data.id"), elsewhere.text("data.id"), "USP 797", "acceptedAnswers", "correct", "tolerance",
			} {
				if strings.Contains(string(data.body), foreign) {
					t.Errorf("the data contain %q: %s", foreign, data.body)
				}
			}
		}
		a.known(o.owner, newEmail()).wantFields(object{"data.sessions": []any{}, "data.next": nil})
		a.do("POST", dataPath, o.member("EDITOR").who, object{"email": email}).want(403, "insufficient_role")
		a.do("POST", dataPath+"/page", o.member("MEMBER").who, object{"email": email}).want(403, "insufficient_role")
		a.do("POST", "/v1/public/candidate-data", o.key("candidates:read"), object{"email": email}).
			want(403, "insufficient_scope")
		a.do("POST", dataPath, o.owner, object{"email": email, "after": "ses_1"}).want(400, "invalid_request").
			wantFields(object{"errors.0.pointer": "/after"})

		log := a.do("GET", "/v1/audit-log?action=CANDIDATE_DATA_EXPORTED", o.owner, nil).want(200)
		if rows := log.list("data"); len(rows) != 4 || strings.Contains(strings.ToLower(string(log.body)), email) {
			t.Errorf("the entries are %s", log.body)
		}
	}, sendsEmail)
}

// A long list of sessions has pages. Test sessions and erased sessions are not found.
func TestCandidateDataPages(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, email := a.register(), newEmail()
		assessment := o.publish(oneQuestion())
		var ids []string
		for range 23 {
			ids = append(ids, o.invite(assessment, object{"candidateEmail": email, "onExisting": "NEW_ATTEMPT"}).text("data.id"))
		}
		a.erase(o.owner, ids[3]).want(204)
		a.do("POST", "/v1/assessments/"+assessment+"/preview", o.owner, nil).want(201)
		found := map[string]bool{}
		var after any
		for page := 1; page == 1 || after != nil; page++ {
			data := a.do("POST", dataPath, o.owner, object{"email": email, "after": after}).want(200)
			for i := range data.list("data.sessions") {
				found[data.text(fmt.Sprintf("data.sessions.%d.id", i))] = true
			}
			if after = data.at("data.next"); (after != nil) != (page == 1) {
				t.Fatalf("page %d ends with %v", page, after)
			}
		}
		if len(found) != 22 || found[ids[3]] {
			t.Errorf("%d sessions were found: %v", len(found), found)
		}
	})
}

// The data can be read as one page without other files, in the language of the organization. Texts of a candidate are
// not markup.
func TestCandidateDataAsPage(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, email := a.register(), newEmail()
		session := o.invite(o.publish(essay()), object{"candidateEmail": email, "candidateName": "<b>Mei</b>"})
		a.do("POST", "/v1/candidate/session/start", session.candidate(), nil).want(200)
		question := a.do("GET", "/v1/candidate/session/stage", session.candidate(), nil).want(200).text("data.questions.0.id")
		a.do("PUT", "/v1/candidate/session/answers/"+question, session.candidate(),
			object{"text": "<script>alert(1)</script>"}).want(200)
		show := func(title string) {
			t.Helper()
			page := a.do("POST", dataPath+"/page", o.owner, object{"email": email}).want(200)
			text := html.UnescapeString(string(page.body))
			for _, wanted := range []string{title, "<b>Mei</b>", "<script>alert(1)</script>", email} {
				if !strings.Contains(text, wanted) {
					t.Errorf("the page has no %q:\n%s", wanted, text)
				}
			}
			for _, unwanted := range []string{"<script", "<b>Mei", "src=", "http://", "https://", "<link"} {
				if strings.Contains(string(page.body), unwanted) {
					t.Errorf("the page has %q", unwanted)
				}
			}
			if got := page.header.Get("Content-Disposition"); got != `attachment; filename="candidate-data.html"` {
				t.Errorf("Content-Disposition: %s", got)
			}
			if got := page.header.Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'; style-src") {
				t.Errorf("Content-Security-Policy: %s", got)
			}
		}
		show("Data about a person")
		a.do("PATCH", "/v1/organization", o.owner, object{"locale": "de", "timeZone": "Europe/Berlin"}).want(200)
		show("Daten zu einer Person")
		a.do("PATCH", "/v1/organization", o.owner, object{"locale": "ja"}).want(200)
		show("Data about a person")
	})
}

// An erasure by address erases each session of the person, and what waits for a confirmation. Held sessions stay.
func TestErasureByAddress(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other, email := a.register(), a.register(), newEmail()
		assessment := o.publish(oneQuestion())
		running, finished := o.invite(assessment, object{"candidateEmail": email}), o.invite(o.publish(oneQuestion()),
			object{"candidateEmail": strings.ToUpper(email)})
		a.do("POST", "/v1/candidate/session/start", running.candidate(), nil).want(200)
		a.complete(finished.candidate())
		held := o.invite(assessment, object{"candidateEmail": email, "onExisting": "NEW_ATTEMPT"})
		release := o.holdSession(held.text("data.id"))
		bystander := o.invite(assessment)
		elsewhere := other.invite(other.publish(oneQuestion()), object{"candidateEmail": email})
		registering := o.publish(oneQuestion())
		a.outbox().send()
		link := o.open(registering, object{})
		a.visit("192.0.2.1", link, person("Mei", email)).want(202)
		a.known(o.owner, email).wantFields(object{
			"data.registrations.0.name": "Mei", "data.registrations.0.email": email,
			"data.registrations.0.assessmentId": registering, "data.sessions.0.held": true,
		})

		erase := func(who credential, path string) response {
			t.Helper()
			return a.do("POST", path, who, object{"email": strings.ToUpper(email)})
		}
		erase(o.member("EDITOR").who, dataPath+"/erase").want(403, "insufficient_role")
		erase(o.key("candidates:write"), "/v1/public/candidate-data/erase").want(403, "insufficient_scope")
		erase(o.owner, dataPath+"/erase").want(200).wantFields(object{
			"data.erased": 2.0, "data.held": 1.0, "data.remaining": 0.0,
		})
		a.outbox().sendNone()
		a.known(o.owner, email).wantFields(object{
			"data.sessions.0.id": held.text("data.id"), "data.registrations": []any{}, "data.next": nil,
		})
		for session, name := range map[string]any{
			running.text("data.id"): "erased", finished.text("data.id"): "erased", bystander.text("data.id"): "Grace Hopper",
		} {
			a.do("GET", "/v1/candidate-sessions/"+session, o.owner, nil).want(200).
				wantFields(object{"data.candidateName": name})
		}
		a.do("GET", "/v1/candidate-sessions/"+elsewhere.text("data.id"), other.owner, nil).want(200).
			wantFields(object{"data.candidateEmail": email})
		key := o.key("candidates:erase")
		erase(key, "/v1/public/candidate-data/erase").want(200).wantFields(object{"data.erased": 0.0, "data.held": 1.0})
		one := "/v1/public/candidate-sessions/" + held.text("data.id") + "/candidate-data"
		a.do("DELETE", one, key, nil).want(409, "legal_hold")
		release()
		a.do("DELETE", one, o.key("candidates:write"), nil).want(403, "insufficient_scope")
		for range 2 {
			a.do("DELETE", one, key, nil).want(204)
		}
		a.known(o.owner, email).wantFields(object{"data.sessions": []any{}})
	}, sendsEmail)
}

// One request erases at most 50 sessions, and says how many remain.
func TestErasureByAddressIsBounded(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, email := a.register(), newEmail()
		assessment := o.publish(oneQuestion())
		for range 52 {
			o.invite(assessment, object{"candidateEmail": email, "onExisting": "NEW_ATTEMPT"})
		}
		for _, want := range []object{
			{"data.erased": 50.0, "data.remaining": 2.0, "data.held": 0.0},
			{"data.erased": 2.0, "data.remaining": 0.0, "data.held": 0.0},
			{"data.erased": 0.0, "data.remaining": 0.0, "data.held": 0.0},
		} {
			a.do("POST", dataPath+"/erase", o.owner, object{"email": email}).want(200).wantFields(want)
		}
	})
}

// holdSession sets a legal hold on a session, and returns a function that releases it.
func (o *tenant) holdSession(sessionID string) func() {
	o.api.t.Helper()
	id := o.hold(object{"sessionId": sessionID, "reason": "R"}).want(201).text("data.id")
	return func() {
		o.api.t.Helper()
		o.api.do("DELETE", "/v1/legal-holds/"+id, o.api.signedInAgain(o).owner, nil).want(204)
	}
}
