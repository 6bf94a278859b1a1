package contract

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// postWithKey sends a POST request with an Idempotency-Key.
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

// Erasure also removes the stored outcomes of invites with an Idempotency-Key. The
// same request then fails, and does not invite the candidate again.
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
				return a.postWithKey("/v1/public/candidate-sessions/bulk", who, "many",
					object{"rows": []any{many.invite(assessmentID), other.invite(assessmentID)}})
			},
		}
		first := invites["one"]().want(201)
		if got := invites["returned"]().want(200); got.text("data.id") != first.text("data.id") {
			t.Fatalf("RETURN returned another session: %s", got.body)
		}
		bulk := invites["many"]().want(200)
		for _, invite := range invites {
			if invite().header.Get("Idempotency-Replayed") != "true" {
				t.Fatal("the response is not a replay")
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
					t.Errorf("%s: the response is a replay or contains the name: %v %s", name, answer.header, answer.body)
				}
			}
		}

		ids, _ := a.pages("/v1/candidate-sessions?assessmentId="+assessmentID, o.owner, "id")
		if len(ids) != 3 || ids[0] != kept {
			t.Errorf("the session ids are %v, want three with the kept one first", ids)
		}
		if found := storetest.Search(t, a.database, append(one.words(), many.words()...)...); len(found.Texts) > 0 {
			t.Errorf("the database still contains %v", found.Texts)
		}
		a.do("GET", "/v1/candidate-sessions/"+kept, o.owner, nil).want(200).
			wantFields(object{"data.candidateEmail": other.address()})
	})
}

// If requests of the candidate are concurrent with the erasure, no personal data may
// remain.
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

			// both replicas cache the invite link as valid
			stage := b.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
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
					return replica.do("PUT", "/v1/candidate/session/answers/"+stage.text(fmt.Sprintf("data.questions.%d.id", i-3)),
						who, object{"text": p.answer})
				}
			})

			answers[0].want(204)
			answers[1].want(204)
			status := a.do("GET", "/v1/candidate-sessions/"+id, o.owner, nil).want(200).
				wantFields(object{"data.candidateName": "erased"}).text("data.status")
			done[status]++
			if want := map[int]string{200: "COMPLETED", 401: "CANCELLED"}[answers[2].status]; status != want {
				t.Errorf("the submission returned %d, but the session is %s", answers[2].status, status)
			}
			b.do("PUT", "/v1/candidate/session/answers/"+stage.text("data.questions.0.id"), who, object{"text": p.answer}).
				want(401)
			if taking := b.do("GET", "/v1/candidate/session", who, nil); strings.Contains(string(taking.body), p.name) {
				t.Errorf("the response still contains the name: %s", taking.body)
			}
			a.clock.Advance(time.Second)
			for _, replica := range []*api{a, b} {
				replica.do("GET", "/v1/candidate/session", who, nil).want(401)
			}
		}

		if found := storetest.Search(t, a.database, words...); len(found.Texts) > 0 {
			t.Errorf("the database still contains %v", found.Texts)
		}
		t.Logf("final statuses of the sessions: %v", done)
	})
}

// If an invite with an Idempotency-Key returns an existing session while that session
// is erased, the stored outcome must not remain.
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
			case 200: // the invite was first: the erasure removed its outcome
				found++
				b.postWithKey("/v1/public/candidate-sessions", who, key, p.invite(assessmentID)).
					want(422, "idempotency_key_reused")
			case 201: // the erasure was first: the invite created a new session
				b.postWithKey("/v1/public/candidate-sessions", who, key, p.invite(assessmentID)).want(201).
					wantFields(object{"data.id": answers[1].at("data.id")})
			default: // the session was erased during the invite: the key is free
				answers[1].want(503, "unavailable")
				b.postWithKey("/v1/public/candidate-sessions", who, key, p.invite(assessmentID)).want(201)
			}
		}

		t.Logf("%d of %d invites found the session", found, rounds)
	})
}
