package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// once sends a request with an Idempotency-Key.
func (a *api) postWithKey(path string, who credential, key string, body any) response {
	a.t.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		a.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(a.t.Context(), "POST", a.url+path, nil)
	if err != nil {
		a.t.Fatal(err)
	}
	setBody(r, string(encoded))
	r.Header.Set(who.header, who.value)
	r.Header.Set("Idempotency-Key", key)
	return a.send(r)
}

// What an invite with a key answered is erased with the session: the key is not
// good for another request, and does not invite again.
func TestErasureRemovesIdempotentOutcomes(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		who, assessmentID := o.key(), o.publish(essay())
		one, many, other := newMarkedCandidate(), newMarkedCandidate(), newMarkedCandidate()
		invites := map[string]func() response{
			"one": func() response {
				return a.postWithKey("/v1/public/candidate-sessions", who, "one", one.invite(assessmentID))
			},
			"returned": func() response {
				return a.postWithKey("/v1/public/candidate-sessions", who, "returned", one.invite(assessmentID))
			},
			"many": func() response {
				return a.postWithKey("/v1/public/candidate-sessions/bulk", who, "many", object{"rows": []any{many.invite(assessmentID), other.invite(assessmentID)}})
			},
		}
		first := invites["one"]().want(201)
		if got := invites["returned"]().want(200); got.text("data.id") != first.text("data.id") {
			t.Fatalf("another session: %s", got.body)
		}
		bulk := invites["many"]().want(200)
		for _, invite := range invites {
			if invite().header.Get("Idempotency-Replayed") != "true" {
				t.Fatal("the answer is not repeated")
			}
		}
		kept := bulk.text("data.rows.1.session.id")
		for _, id := range []string{first.text("data.id"), bulk.text("data.rows.0.session.id")} {
			a.erase(o.owner, id).want(204)
		}
		for name, invite := range invites {
			for range 2 {
				answer := invite().is(422, "idempotency_key_reused")
				if answer.header.Get("Idempotency-Replayed") != "" || strings.Contains(string(answer.body), one.name) {
					t.Errorf("%s: %v %s", name, answer.header, answer.body)
				}
			}
		}
		if ids, _ := a.pages("/v1/candidate-sessions?assessmentId="+assessmentID, o.owner, "id"); len(ids) != 3 || ids[0] != kept {
			t.Errorf("the sessions are %v", ids)
		}
		if found := storetest.Search(t, a.database, append(one.words(), many.words()...)...); len(found.Texts) > 0 {
			t.Errorf("in the database there still is %v", found.Texts)
		}
		a.do("GET", "/v1/candidate-sessions/"+kept, o.owner, nil).want(200).shows(object{"data.candidateEmail": other.address()})
	})
}

// Whatever the candidate, or an integration, does at the moment of the erasure,
// nothing of it stays.
func TestErasureAgainstCandidate(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		assessmentID := o.publish(essay())
		var words []string
		done := map[string]int{}
		for range 20 {
			p := newMarkedCandidate()
			words = append(words, p.words()...)
			session := o.sessionIn(assessmentID, p, "IN_PROGRESS")
			id, who := session.text("data.id"), session.candidate()
			stage := b.do("GET", "/v1/candidate/session/stage", who, nil).want(200) // now both replicas believe the link
			answers := atOnce(5, func(i int) response {
				replica := []*api{a, b}[i%2]
				switch i {
				case 0:
					return a.erase(o.owner, id)
				case 1:
					return b.erase(o.owner, id)
				case 2:
					return replica.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")})
				default:
					return replica.do("PUT", "/v1/candidate/session/answers/"+stage.text(fmt.Sprintf("data.questions.%d.id", i-3)), who, object{"text": p.answer})
				}
			})
			answers[0].want(204)
			answers[1].want(204)
			status := a.do("GET", "/v1/candidate-sessions/"+id, o.owner, nil).want(200).shows(object{"data.candidateName": "erased"}).text("data.status")
			done[status]++
			if want := map[int]string{200: "COMPLETED", 401: "CANCELLED"}[answers[2].status]; status != want {
				t.Errorf("submitted with %d, and the session is %s", answers[2].status, status)
			}
			b.do("PUT", "/v1/candidate/session/answers/"+stage.text("data.questions.0.id"), who, object{"text": p.answer}).want(401)
			if taking := b.do("GET", "/v1/candidate/session", who, nil); strings.Contains(string(taking.body), p.name) {
				t.Errorf("the name is still shown: %s", taking.body)
			}
			a.clock.Advance(time.Second)
			for _, replica := range []*api{a, b} {
				replica.do("GET", "/v1/candidate/session", who, nil).want(401)
			}
		}
		if found := storetest.Search(t, a.database, words...); len(found.Texts) > 0 {
			t.Errorf("in the database there still is %v", found.Texts)
		}
		t.Logf("the sessions became %v", done)
	})
}

// An invite with a key that finds the session just before it is erased does not
// keep what it answered.
func TestErasureAgainstIdempotentInvite(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		who, assessmentID := o.key(), o.publish(essay())
		const rounds = 40
		found := 0
		for round := range rounds {
			p := newMarkedCandidate()
			session := o.sessionIn(assessmentID, p, "INVITED")
			id, key := session.text("data.id"), fmt.Sprint("round ", round)
			answers := atOnce(2, func(i int) response {
				if i == 0 {
					return a.erase(o.owner, id)
				}
				return b.postWithKey("/v1/public/candidate-sessions", who, key, p.invite(assessmentID))
			})
			answers[0].want(204)
			switch answers[1].status {
			case 200: // found, and so forgotten
				found++
				b.postWithKey("/v1/public/candidate-sessions", who, key, p.invite(assessmentID)).want(422, "idempotency_key_reused")
			case 201: // a new one
				b.postWithKey("/v1/public/candidate-sessions", who, key, p.invite(assessmentID)).want(201).shows(object{"data.id": answers[1].at("data.id")})
			default: // it was there, and is gone: the key is free
				answers[1].want(503, "unavailable")
				b.postWithKey("/v1/public/candidate-sessions", who, key, p.invite(assessmentID)).want(201)
			}
		}
		t.Logf("%d of %d found the session", found, rounds)
	})
}
