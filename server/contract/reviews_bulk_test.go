package contract

import (
	"fmt"
	"slices"
	"testing"
)

const bulkStates = "/v1/candidate-sessions/review-states"

// wantStates fails the test unless the rows of a bulk change have the outcomes, and the counts match them.
func (r response) wantStates(outcomes ...string) response {
	r.t.Helper()
	r.want(200)
	var got []string
	counts := map[string]int{}
	for i := range r.list("data.rows") {
		outcome := r.text(fmt.Sprintf("data.rows.%d.outcome", i))
		got, counts[outcome] = append(got, outcome), counts[outcome]+1
	}
	if !slices.Equal(got, outcomes) {
		r.t.Errorf("the outcomes are %v, want %v: %s", got, outcomes, r.body)
	}
	return r.wantFields(object{"data.changedCount": counts["CHANGED"], "data.unchangedCount": counts["UNCHANGED"],
		"data.failedCount": counts["FAILED"]})
}

// Each candidate of a bulk change has an outcome of its own, and the change of a colleague is not overwritten.
func TestBulkReviewStates(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		assessmentID := o.publish(oneQuestion())
		_, first := o.reviewOf(assessmentID)
		seen, second := o.reviewOf(assessmentID)
		_, erased := o.reviewOf(assessmentID)
		_, elsewhere := stranger.reviewOf(stranger.publish(oneQuestion()))
		a.erase(o.owner, erased).want(204)
		a.do("PUT", seen+"/state", o.owner, object{"stateId": "hired"}).want(200)
		key := o.key("reviews:write")
		rows := []any{
			object{"sessionId": second, "from": "new"}, object{"sessionId": first, "from": "new"}, object{"sessionId": first},
			object{"sessionId": erased}, object{"sessionId": elsewhere}, object{"sessionId": a.unknownID("candidate-sessions")},
			object{"session": first},
		}
		body := object{"stateId": "rejected", "reason": "Filled", "rows": rows}
		a.do("PUT", bulkStates, o.owner, body).
			wantStates("FAILED", "CHANGED", "UNCHANGED", "FAILED", "FAILED", "FAILED", "FAILED").
			wantFields(object{
				"data.rows.0.error.code": "state_changed", "data.rows.1.error": nil, "data.rows.2.index": 2,
				"data.rows.3.error.code": "session_erased", "data.rows.4.error.code": "not_found",
				"data.rows.5.error.code": "not_found", "data.rows.6.error.code": "invalid_request",
				"data.rows.6.error.errors.1.pointer": "/rows/6/sessionId",
			})
		path := "/v1/candidate-sessions/" + first + "/review"
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{
			"data.state.id": "rejected", "data.changes.0.reason": "Filled", "data.changes.0.createdBy.id": a.userID(o.owner),
		})
		a.do("GET", "/v1/candidate-sessions/"+elsewhere+"/review", stranger.owner, nil).want(200).
			wantFields(object{"data.state.id": "new"})
		a.do("GET", seen, o.owner, nil).want(200).wantFields(object{"data.state.id": "hired"})

		body = object{"stateId": "shortlisted", "rows": []any{object{"sessionId": second}, object{"sessionId": first}}}
		public := "/v1/public/candidate-sessions/review-states"
		a.do("PUT", public, o.key("reviews:read", "candidates:write"), body).want(403, "insufficient_scope")
		a.do("PUT", public, key, body).wantStates("CHANGED", "CHANGED")
		a.do("PUT", public, key, body).wantStates("UNCHANGED", "UNCHANGED")
		events := o.eventsOf("candidate.state_changed", first)
		if len(events) != 2 || events[0]["data"].(object)["changedBy"].(object)["type"] != "API_KEY" {
			t.Errorf("the events are %v, want two, the newest by a key", events)
		}
		preview := a.do("POST", "/v1/assessments/"+assessmentID+"/preview", o.owner, nil).want(201).text("data.id")
		body["rows"] = []any{object{"sessionId": preview}}
		a.do("PUT", public, key, body).wantStates("FAILED").wantFields(object{"data.rows.0.error.code": "not_found"})
	})
}

// A state that cannot be set refuses the whole request, and so does a list that is too long.
func TestBulkReviewStatesRefused(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		path, sessionID := o.reviewOf(assessmentID)
		a.do("PUT", "/v1/review-states", o.owner, object{"version": 0, "states": []any{
			object{"id": "new", "name": "New"}, object{"id": "hired", "name": "Hired", "archived": true},
		}}).want(200)
		many := make([]any, 101)
		for i := range many {
			many[i] = object{"sessionId": sessionID}
		}
		put := func(stateID string, rows ...any) response {
			return a.do("PUT", bulkStates, o.owner, object{"stateId": stateID, "rows": rows})
		}
		for _, stateID := range []string{"rejected", "hired"} {
			put(stateID, many[0]).want(400, "invalid_request").wantFields(object{"errors.0.pointer": "/stateId"})
		}
		put("new", many...).want(400, "invalid_request").wantFields(object{"errors.0.pointer": "/rows"})
		put("new").want(400, "invalid_request").wantFields(object{"errors.0.pointer": "/rows"})
		put("new", many[:100]...).wantStates(slices.Repeat([]string{"UNCHANGED"}, 100)...)
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.changes": []any{}})
	})
}

// A hundred candidates are changed by one request, in several transactions, and each has an event.
func TestBulkReviewStatesOfManyCandidates(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		invited := a.do("POST", bulkPath, o.key(), bulkOf(o.publish(oneQuestion()), newEmails(100))).want(200)
		var rows []any
		for i := range invited.list("data.rows") {
			rows = append(rows, object{"sessionId": invited.text(fmt.Sprintf("data.rows.%d.session.id", i)), "from": "new"})
		}
		slices.Reverse(rows)
		a.do("PUT", bulkStates, o.owner, object{"stateId": "rejected", "rows": rows}).
			wantStates(slices.Repeat([]string{"CHANGED"}, 100)...)
		a.do("GET", "/v1/candidate-sessions/summary?state=rejected", o.owner, nil).want(200).
			wantFields(object{"data.total": 100})
		if events := o.events("candidate.state_changed", 100); len(events) != 100 {
			t.Errorf("there are %d events, want 100", len(events))
		}
	})
}
