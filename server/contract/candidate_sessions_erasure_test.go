package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// readEverywhere reads a session with every operation that still works after an erasure.
// It returns the responses, each with a name.
func (o *tenant) readEverywhere(key credential, sessionID, token string) map[string]response {
	a := o.api
	a.t.Helper()
	known := map[string]response{
		"session":        a.do("GET", "/v1/candidate-sessions/"+sessionID, o.owner, nil),
		"public session": a.do("GET", "/v1/public/candidate-sessions/"+sessionID, key, nil),
		"result":         a.do("GET", "/v1/candidate-sessions/"+sessionID+"/result", o.owner, nil),
		"public result":  a.do("GET", "/v1/public/candidate-sessions/"+sessionID+"/result", key, nil),
	}
	if token != "" {
		known["result by token"] = a.do("GET", "/v1/public/results/"+token, key, nil).want(200)
	}
	events := o.eventsOf("", sessionID)
	slices.Reverse(events) // oldest first
	for i, event := range events {
		known[fmt.Sprint("event ", i)] = a.do("GET", "/v1/events/"+event["id"].(string), o.owner, nil).want(200)
		encoded, err := json.Marshal(object{"data": event})
		if err != nil {
			a.t.Fatal(err)
		}
		known[fmt.Sprint("listed event ", i)] = response{t: a.t, name: "listed", status: 200, body: encoded}
	}

	return known
}

// anonymize changes a response from before an erasure to the response that must
// follow an erasure at the given time.
func anonymize(where string, known object, sessionID string, at time.Time) {
	email := "erased+" + sessionID + "@erased.invalid"
	if strings.Contains(where, "event") {
		known = known["data"].(object)
	}
	for _, field := range []string{"externalId", "redirectUrl"} {
		if _, there := known[field]; there {
			known[field] = nil
		}
	}

	known["metadata"] = object{}
	switch {
	case strings.Contains(where, "result"):
		known["candidate"] = object{"name": "erased", "email": email}
		for _, stage := range known["stages"].([]any) {
			for _, question := range stage.(object)["questions"].([]any) {
				question.(object)["answer"] = nil
			}
		}

		return
	case strings.Contains(where, "session"):
		known["inReviewSince"] = nil // the session is cancelled
		if slices.Contains([]any{"INVITED", "IN_PROGRESS", "IN_REVIEW"}, known["status"]) {
			maps.Copy(known, object{"status": "CANCELLED", "closeReason": "CANCELLED", "cancelledAt": wire(at),
				"currentStageId": nil, "inviteUrl": nil, "startFrom": nil, "startUntil": nil})
		}
		known["erasedAt"], known["updatedAt"] = wire(at), wire(at)
	}

	known["candidateName"], known["candidateEmail"] = "erased", email
}

// An erasure replaces the personal data of one session in every response, in each status.
// Other sessions do not change, and a second erasure changes nothing.
func TestErasure(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		for i, status := range sessionStatuses {
			o := a.register()
			o.hook()
			key, eraser := o.key(), []credential{o.owner, o.member("ADMIN").who}[i%2]
			p := newMarkedCandidate()
			definition := essay()
			if status == "IN_REVIEW" {
				definition["stages"].([]any)[0].(object)["gate"] = object{"required": true, "minScore": 50, "onFail": "REVIEW"}
			}
			assessmentID, elsewhere := o.publish(definition), o.publish(essay())
			bystander := o.sessionIn(elsewhere, p, "COMPLETED") // the same person in another assessment
			session := o.sessionIn(assessmentID, p, status)
			if status == "EXPIRED" { // the clock advanced, so the admin's token is expired
				eraser = o.owner
			}
			id, token := session.text("data.id"), ""
			if status == "COMPLETED" || status == "DISQUALIFIED" {
				token = a.do("POST", "/v1/public/candidate-sessions/"+id+"/result-token", key, nil).want(200).text("data.token")
			}
			before, beside := o.readEverywhere(key, id, token), o.readEverywhere(key, bystander.text("data.id"), "")
			all := fmt.Sprint(before["session"].data(), before["result"].status, before["event 0"].data())
			if !strings.Contains(all, p.name) || !strings.Contains(all, p.label) {
				t.Fatalf("%s: the marked data cannot be read: %s", status, all)
			}
			a.clock.Advance(time.Minute)
			at := a.store.Now()
			if answer := a.erase(eraser, id).want(204); len(answer.body) != 0 {
				t.Errorf("the response has a body: %s", answer.body)
			}
			after := o.readEverywhere(key, id, token)
			a.clock.Advance(time.Minute)
			a.erase(o.owner, id).want(204)
			again := o.readEverywhere(key, id, token)
			want := len(before) + 2 // the event of the erasure, by id and in the list
			if status == "INVITED" || status == "IN_PROGRESS" || status == "IN_REVIEW" {
				want += 2 // the event of the cancellation
			}
			if len(after) != want || len(again) != want {
				t.Errorf("%s: %d responses after the erasure, %d before", status, len(after), len(before))
			}
			for where, answer := range after {
				if answer.status == 409 && strings.Contains(where, "result") {
					answer.want(409, "result_not_ready")
					continue
				}
				first, there := before[where]
				if !there && answer.text("data.type") == "candidate.erased" {
					continue // see TestErasedEvents
				}
				if !there {
					answer.wantFields(object{"data.type": "candidate.cancelled", "data.data.candidateName": "erased",
						"data.data.candidateEmail": "erased+" + id + "@erased.invalid", "data.data.externalId": nil})
					continue
				}
				want := first.want(200).data()
				anonymize(where, want, id, at)
				answer.want(200).wantFields(object{"data": want})
				if string(again[where].body) != string(answer.body) {
					t.Errorf("%s: a second erasure changed %s to\n%s\nfrom\n%s", status, where, again[where].body, answer.body)
				}
			}

			for where, answer := range o.readEverywhere(key, bystander.text("data.id"), "") {
				if string(answer.body) != string(beside[where].body) {
					t.Errorf("%s: the erasure changed %s of the other session to\n%s\nfrom\n%s", status, where, answer.body,
						beside[where].body)
				}
			}

			o.checkErased(session, p)
		}
	})
}

// checkErased checks that every operation on an erased session fails, and that the
// person can be invited again. The person must have one other session.
func (o *tenant) checkErased(session response, p markedCandidate) {
	a, id := o.api, session.text("data.id")
	a.t.Helper()
	who, path := session.candidate(), "/v1/candidate-sessions/"+id
	for _, answer := range []response{
		a.do("GET", "/v1/candidate/session", who, nil), a.do("GET", "/v1/candidate/session/stage", who, nil),
		a.do("POST", "/v1/candidate/session/start", who, nil),
		a.do("PUT", "/v1/candidate/session/answers/"+a.unknownID("answers"), who, object{"text": "x"}),
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.unknownID("stages")}),
	} {
		answer.is(401, "unauthenticated")
	}
	a.do("POST", path+"/cancel", o.owner, nil).is(409, "session_closed")
	a.do("POST", path+"/resend", o.owner, nil).is(409, "session_not_invited") // there is no email address to send to
	find := func(query string) []string {
		ids, _ := a.pages("/v1/candidate-sessions?"+query, o.owner, "id")
		return ids
	}
	for _, query := range []string{
		"candidateEmail=" + url.QueryEscape(p.address()), "candidateEmail=" + url.QueryEscape(strings.ToUpper(p.address())),
		"externalId=" + p.externalID,
	} {
		if ids := find(query); len(ids) != 1 || slices.Contains(ids, id) {
			a.t.Errorf("the filter %s finds %v", query, ids)
		}
	}
	assessmentID := session.text("data.assessmentId")
	if ids := find("assessmentId=" + assessmentID); !slices.Equal(ids, []string{id}) {
		a.t.Errorf("the assessment has the sessions %v, want only the erased one", ids)
	}

	// A new invite of the same person is a first attempt.
	fresh := a.do("POST", "/v1/candidate-sessions", o.owner, p.invite(assessmentID, object{"onExisting": "ERROR"})).
		want(201)
	fresh.wantFields(object{"data.attempt": 1, "data.status": "INVITED", "data.candidateEmail": p.address(),
		"data.erasedAt": nil})
	a.do("POST", "/v1/candidate/session/start", fresh.candidate(), nil).want(200)

	for _, known := range append(find("externalId="+p.externalID), id) {
		a.erase(o.owner, known).want(204)
	}
	if found := storetest.Search(a.t, a.database, p.words()...); len(found.Texts) > 0 {
		a.t.Errorf("the database still contains %v", found.Texts)
	}
	log := a.log.String()
	if slices.ContainsFunc(p.words(), func(word string) bool { return strings.Contains(log, word) }) {
		a.t.Error("the log contains the marked data")
	}
}

// Only the owner and the admins of the organization may erase a session.
func TestErasureAuthorization(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		p := newMarkedCandidate()
		session := o.sessionIn(o.publish(essay()), p, "COMPLETED")
		id, key := session.text("data.id"), o.key()
		before := o.readEverywhere(key, id, "")
		unknown := a.erase(stranger.owner, a.unknownID("candidate-sessions")).want(404, "not_found")
		wantSame(t, a.erase(stranger.owner, id), unknown)
		wantSame(t, a.erase(o.owner, a.unknownID("candidate-sessions")), unknown)
		a.erase(o.member("MEMBER").who, id).want(403, "insufficient_role")
		for _, who := range []credential{anonymous, key, session.candidate()} {
			a.erase(who, id).want(401, "unauthenticated")
		}
		reader := o.key("candidates:read", "candidates:write")
		a.do("DELETE", "/v1/public/candidate-sessions/"+id+"/candidate-data", reader, nil).want(403, "insufficient_scope")
		for where, answer := range o.readEverywhere(key, id, "") {
			if string(answer.body) != string(before[where].body) {
				t.Errorf("%s changed to\n%s\nfrom\n%s", where, answer.body, before[where].body)
			}
		}

		a.erase(o.owner, id).want(204)
		wantSame(t, a.erase(stranger.owner, id), unknown)
	})
}

// The scores of erased sessions still count for the percentiles of other sessions.
func TestErasedSessionsCountForPercentiles(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key, assessmentID := o.key(), o.publish(oneQuestion())
		var ids []string
		percentiles := func() (all []any) {
			a.fold()
			for _, id := range ids {
				all = append(all, o.result(key, id).at("data.percentile"))
			}
			return all
		}
		for i := range 20 {
			s := o.begin(assessmentID)
			a.save(s, map[bool]float64{true: 175, false: 1}[i%4 == 0]).want(200)
			a.submit(s).want(200)
			ids = append(ids, s.id)
		}

		before := percentiles()
		if before[0] != 87.5 || before[1] != 37.5 {
			t.Fatalf("percentiles %v, want 87.5 and 37.5 first", before)
		}
		for _, id := range ids[:5] {
			a.erase(o.owner, id).want(204)
			if after := percentiles(); fmt.Sprint(after) != fmt.Sprint(before) {
				t.Errorf("percentiles after an erasure %v, before %v", after, before)
			}
		}
	})
}

// An erasure that fails must change nothing. Even the invite link stays valid.
func TestErasureIsAtomic(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		hook, key, p := o.hookID("candidate.invited"), o.key(), newMarkedCandidate()
		session := o.sessionIn(o.publish(essay()), p, "IN_PROGRESS")
		id := session.text("data.id")
		echo := took503
		echo.ResponseBody = "I got " + p.name
		a.settleAll(hook, store.DeliveryPending, echo)
		path := "/v1/webhooks/" + hook + "/deliveries"
		delivery := path + "/" + a.do("GET", path, o.owner, nil).want(200).text("data.0.id")
		known := func() map[string]response {
			all := o.readEverywhere(key, id, "")
			all["delivery"] = a.do("GET", delivery, o.owner, nil).want(200)
			all["stage"] = a.do("GET", "/v1/candidate/session/stage", session.candidate(), nil)
			return all
		}
		before := known()
		accept := storetest.Refuse(t, a.database, "audit_log") // the erasure writes it last
		a.erase(o.owner, id).want(500, "internal")
		accept()
		for where, answer := range known() {
			if visible(answer) != visible(before[where]) {
				t.Errorf("%s changed to\n%s\nfrom\n%s", where, answer.body, before[where].body)
			}
		}

		if found := storetest.Search(t, a.database, p.words()...); len(found.Texts) != len(p.words()) {
			t.Errorf("of the words %v, the database contains only %v", p.words(), found.Texts)
		}
		a.erase(o.owner, id).want(204)
		known()["stage"].want(401)
		a.do("GET", delivery, o.owner, nil).want(200).
			wantFields(object{"data.attempts.0.responseBody": "", "data.attempts.0.statusCode": 503, "data.status": "PENDING"})
		if found := storetest.Search(t, a.database, p.words()...); len(found.Texts) > 0 {
			t.Errorf("the database still contains %v", found.Texts)
		}
	})
}

// If a deadline passed before the erasure and the server has not processed it, the
// erasure processes it first. The resulting event contains no personal data.
func TestErasureAfterUnprocessedDeadline(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key, p, late := o.key(), newMarkedCandidate(), newMarkedCandidate()
		running := o.sessionIn(o.publish(essay(object{"timeLimitMinutes": 10})), p, "IN_PROGRESS")
		waiting := o.sessionIn(running.text("data.assessmentId"), late, "INVITED",
			object{"expiresAt": wire(a.store.Now().Add(time.Minute))})
		a.clock.Advance(11 * time.Minute)
		id := running.text("data.id")
		a.erase(o.owner, id).want(204)
		a.erase(o.owner, waiting.text("data.id")).want(204)
		a.do("GET", "/v1/candidate-sessions/"+id, o.owner, nil).want(200).wantFields(object{
			"data.status": "COMPLETED", "data.closeReason": "TIME_EXPIRED", "data.score": 41.67,
			"data.candidateName": "erased", "data.cancelledAt": nil,
		})
		o.result(key, id).wantFields(object{"data.score": 41.67, "data.candidate.name": "erased",
			"data.stages.0.status": "PASSED", "data.stages.0.questions.1.answer": nil})
		events := o.eventsOf("candidate.completed", id)
		if len(events) != 1 || events[0]["data"].(object)["candidateName"] != "erased" {
			t.Errorf("events %v, want one without the name of the candidate", events)
		}
		a.do("GET", "/v1/candidate-sessions/"+waiting.text("data.id"), o.owner, nil).want(200).wantFields(object{
			"data.status": "EXPIRED", "data.closeReason": "INVITE_EXPIRED", "data.candidateName": "erased",
		})
		if found := storetest.Search(t, a.database, append(p.words(), late.words()...)...); len(found.Texts) > 0 {
			t.Errorf("the database still contains %v", found.Texts)
		}
	})
}
