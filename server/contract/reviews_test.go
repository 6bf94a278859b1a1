package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// reviewOf returns the path of the review of a new session, and its id.
func (o *tenant) reviewOf(assessmentID string) (path, sessionID string) {
	o.api.t.Helper()
	sessionID = o.invite(assessmentID).text("data.id")
	return "/v1/candidate-sessions/" + sessionID + "/review", sessionID
}

// Each change of the state is kept with its author, and a person who looked at an old state is told.
func TestReviewStates(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		other := o.member("MEMBER")
		path, sessionID := o.reviewOf(o.publish(oneQuestion()))
		a.do("GET", path, other.who, nil).want(200).wantFields(object{
			"data.state.id": "new", "data.state.name": "New", "data.changes": []any{}, "data.comments": []any{},
		})
		put := func(who credential, body object) response { return a.do("PUT", path+"/state", who, body) }
		put(o.owner, object{"stateId": "shortlisted", "from": "new", "reason": "Strong"}).want(200).wantFields(object{
			"data.state.id": "shortlisted", "data.changes.0.reason": "Strong", "data.changes.0.from.id": "new",
			"data.changes.0.createdBy.type": "USER", "data.changes.0.createdBy.id": a.userID(o.owner),
		})
		put(other.who, object{"stateId": "rejected", "from": "new"}).want(412, "state_changed")
		put(other.who, object{"stateId": "rejected"}).want(200).wantFields(object{
			"data.state.id": "rejected", "data.changes.0.from.id": "shortlisted", "data.changes.0.createdBy.id": other.id,
			"data.changes.0.reason": nil, "data.changes.1.to.id": "shortlisted",
		})
		again := put(other.who, object{"stateId": "rejected", "from": "rejected"}).want(200)
		if changes := again.list("data.changes"); len(changes) != 2 {
			t.Errorf("setting the same state made %d changes, want 2", len(changes))
		}
		put(other.who, object{"stateId": "unknown"}).want(400, "invalid_request").wantFields(object{
			"errors.0.pointer": "/stateId", "errors.0.code": "unknown_id",
		})
		timeline := a.do("GET", "/v1/candidate-sessions/"+sessionID+"/timeline", o.owner, nil).want(200)
		var states []any
		for _, entry := range timeline.list("data") {
			if entry := entry.(object); entry["type"] == "STATE_CHANGED" {
				states = append(states, entry["state"], entry["actor"].(object)["id"])
			}
		}
		if want := []any{"Shortlisted", a.userID(o.owner), "Rejected", other.id}; !slices.Equal(states, want) {
			t.Errorf("the timeline has %v, want %v", states, want)
		}
	})
}

// The organization edits the list of its states. A state with candidates cannot vanish.
func TestReviewStatesOfTheOrganization(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		path, _ := o.reviewOf(o.publish(oneQuestion()))
		put := func(version int, states ...any) response {
			return a.do("PUT", "/v1/review-states", o.owner, object{"version": version, "states": states})
		}
		initial, hired := object{"id": "new", "name": "Neu"}, object{"id": "hired", "name": "Hired"}
		a.do("GET", "/v1/review-states", o.owner, nil).want(200).wantFields(object{"data.version": 0,
			"data.states.0.id": "new", "data.states.1.id": "shortlisted", "data.states.2.id": "rejected",
			"data.states.3.id": "hired"})
		trial := put(0, initial, object{"name": "Trial shift"}, hired).want(200).wantFields(object{
			"data.version": 1, "data.states.0.name": "Neu", "data.states.2.id": "hired",
		}).text("data.states.1.id")
		put(0, initial).want(412, "states_changed")
		a.do("PUT", path+"/state", o.owner, object{"stateId": trial}).want(200)
		put(1, initial, hired).want(409, "state_in_use")
		put(1, initial, hired, object{"id": trial, "name": "Trial", "archived": true}).want(200)
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{
			"data.state.name": "Trial", "data.state.archived": true, "data.changes.0.to.name": "Trial shift",
		})
		a.do("PUT", path+"/state", o.owner, object{"stateId": "hired", "from": trial}).want(200)
		a.do("PUT", path+"/state", o.owner, object{"stateId": trial}).want(400, "invalid_request")
		put(2, initial, hired).want(200)
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.changes.1.to.name": "Trial shift"})

		for pointer, states := range map[string][]any{
			"/states":            {hired},
			"/states/1/id":       {initial, object{"id": trial, "name": "Gone"}},
			"/states/2/id":       {initial, hired, object{"id": "hired", "name": "Twice"}},
			"/states/1/name":     {initial, object{"id": "hired", "name": "NEU"}},
			"/states/0/archived": {object{"id": "new", "name": "New", "archived": true}},
		} {
			put(3, states...).want(400, "invalid_request").wantFields(object{"errors.0.pointer": pointer})
		}
		a.do("PUT", "/v1/review-states", o.member("MEMBER").who, object{"version": 3, "states": []any{initial}}).
			want(403, "insufficient_role")
	})
}

// Two people's comments stay beside each other, and only the author changes one.
func TestReviewComments(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		other, admin := o.member("MEMBER"), o.member("ADMIN")
		path, _ := o.reviewOf(o.publish(oneQuestion()))
		post := func(who credential, text string) string {
			return a.do("POST", path+"/comments", who, object{"text": text}).want(201).text("data.id")
		}
		first, second := post(o.owner, "First"), post(other.who, "Second")
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{
			"data.comments.0.text": "Second", "data.comments.0.createdBy.id": other.id, "data.comments.0.editedAt": nil,
			"data.comments.1.text": "First", "data.comments.1.createdBy.id": a.userID(o.owner),
		})
		a.clock.Advance(time.Second)
		patch := func(who credential, id, text string) response {
			return a.do("PATCH", path+"/comments/"+id, who, object{"text": text})
		}
		patch(o.owner, second, "Mine now").want(403, "comment_not_yours")
		patch(other.who, second, "Better").want(200).wantFields(object{
			"data.text": "Better", "data.editedAt": wire(a.store.Now()),
		})
		a.do("DELETE", path+"/comments/"+first, other.who, nil).want(403, "comment_not_yours")
		a.do("DELETE", path+"/comments/"+second, admin.who, nil).want(204)
		a.do("DELETE", path+"/comments/"+second, admin.who, nil).want(404, "not_found")
		third := post(other.who, "Third")
		a.do("DELETE", path+"/comments/"+third, other.who, nil).want(204)
		elsewhere, _ := o.reviewOf(o.publish(oneQuestion()))
		a.do("DELETE", elsewhere+"/comments/"+first, o.owner, nil).want(404, "not_found")
		for range 199 {
			post(o.owner, "More")
		}
		a.do("POST", path+"/comments", o.owner, object{"text": "Too many"}).want(409, "too_many_comments")
		a.do("POST", strings.Replace(path, "/v1/", "/v1/public/", 1)+"/comments", o.key("reviews:write"),
			object{"text": "Too many"}).want(409, "too_many_comments")
	})
}

// An API key needs a scope of its own: none of the older ones shows what the team decides.
func TestReviewByKey(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		_, sessionID := o.reviewOf(o.publish(oneQuestion()))
		path := "/v1/public/candidate-sessions/" + sessionID + "/review"
		older := o.key("assessments:read", "candidates:read", "candidates:write", "results:read")
		reading, writing := o.key("reviews:read"), o.key("reviews:write")
		state, comment := object{"stateId": "hired"}, object{"text": "Offer accepted"}
		a.do("GET", path, older, nil).want(403, "insufficient_scope")
		a.do("GET", "/v1/public/review-states", older, nil).want(403, "insufficient_scope")
		a.do("PUT", path+"/state", reading, state).want(403, "insufficient_scope")
		a.do("POST", path+"/comments", reading, comment).want(403, "insufficient_scope")
		a.do("GET", path, writing, nil).want(403, "insufficient_scope")
		a.do("PUT", path+"/state", writing, object{"stateId": "hired", "from": "rejected"}).want(412, "state_changed")
		a.do("PUT", path+"/state", writing, state).want(200).wantFields(object{
			"data.changes.0.createdBy.type": "API_KEY", "data.changes.0.createdBy.name": "test",
		})
		a.do("POST", path+"/comments", writing, comment).want(201)
		a.do("GET", path, reading, nil).want(200).wantFields(object{
			"data.state.id": "hired", "data.comments.0.createdBy.type": "API_KEY",
		})
		a.do("GET", "/v1/public/review-states", reading, nil).want(200).wantFields(object{"data.states.3.id": "hired"})
	})
}

// An erasure removes the words of the team, and nothing can be added afterwards.
func TestReviewErasure(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		path, sessionID := o.reviewOf(o.publish(oneQuestion()))
		key := o.key("reviews:write")
		public := strings.Replace(path, "/v1/", "/v1/public/", 1)
		a.do("PUT", path+"/state", o.owner, object{"stateId": "rejected", "reason": "Rude to Anna"}).want(200)
		comment := a.do("POST", path+"/comments", o.owner, object{"text": "Anna is upset"}).want(201).text("data.id")
		a.do("DELETE", "/v1/candidate-sessions/"+sessionID+"/candidate-data", o.owner, nil).want(204)
		erased := a.do("GET", path, o.owner, nil).want(200).wantFields(object{
			"data.state.id": "rejected", "data.changes.0.reason": nil, "data.comments.0.text": "",
		})
		timeline := a.do("GET", "/v1/candidate-sessions/"+sessionID+"/timeline", o.owner, nil).want(200)
		if strings.Contains(string(erased.body)+string(timeline.body), "Anna") {
			t.Errorf("the words remain: %s %s", erased.body, timeline.body)
		}
		state, text := object{"stateId": "hired"}, object{"text": "More"}
		a.do("PUT", path+"/state", o.owner, state).want(409, "session_erased")
		a.do("PUT", public+"/state", key, state).want(409, "session_erased")
		a.do("POST", path+"/comments", o.owner, text).want(409, "session_erased")
		a.do("POST", public+"/comments", key, text).want(409, "session_erased")
		a.do("PATCH", path+"/comments/"+comment, o.owner, text).want(409, "session_erased")
	})
}

// A preview can have a review, which is deleted with it.
func TestReviewOfAPreview(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		preview := a.do("POST", "/v1/assessments/"+id+"/preview", o.owner, nil).want(201).text("data.id")
		path := "/v1/candidate-sessions/" + preview + "/review"
		a.do("PUT", path+"/state", o.owner, object{"stateId": "hired"}).want(200)
		a.do("POST", path+"/comments", o.owner, object{"text": "Only a test"}).want(201)
		a.do("GET", "/v1/public/candidate-sessions/"+preview+"/review", o.key("reviews:read"), nil).want(404, "not_found")
		a.do("DELETE", "/v1/assessments/"+id, o.owner, nil).want(204)
		a.do("GET", path, o.owner, nil).want(404, "not_found")
	})
}

// Lists, counts, and exports can be narrowed to states. A key without the scope does not see the state of a session.
func TestSessionsByReviewState(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		ids := map[string]string{} // by state
		for _, state := range []string{"new", "shortlisted", "rejected", "hired"} {
			path, sessionID := o.reviewOf(assessmentID)
			ids[state] = sessionID
			a.do("PUT", path+"/state", o.owner, object{"stateId": state}).want(200)
		}
		untouched := o.invite(assessmentID).text("data.id")
		for filter, want := range map[string][]string{
			"hired": {ids["hired"]}, "hired,rejected": {ids["hired"], ids["rejected"]},
			"new": {untouched, ids["new"]}, "new,hired": {untouched, ids["hired"], ids["new"]}, "unknown": {},
			"hired&status=INVITED": {ids["hired"]}, "hired&status=COMPLETED": {}, "hired&sort=-updatedAt": {ids["hired"]},
			"hired&q=grace": {ids["hired"]}, "shortlisted&assessmentId=" + assessmentID: {ids["shortlisted"]},
			"new&sort=score": {},
		} {
			list := a.do("GET", "/v1/candidate-sessions?state="+filter, o.owner, nil).want(200)
			var found []string
			for i := range list.list("data") {
				found = append(found, list.text(fmt.Sprintf("data.%d.id", i)))
			}
			if !slices.Equal(found, want) {
				t.Errorf("%s: %v, want %v", filter, found, want)
			}
			if strings.Contains(filter, "sort=") {
				continue
			}
			a.do("GET", "/v1/candidate-sessions/summary?state="+filter, o.owner, nil).want(200).
				wantFields(object{"data.total": len(want), "data.exact": true})
			export := a.do("GET", "/v1/candidate-sessions/export?state="+filter, o.owner, nil).want(200)
			if export.items() != len(want) {
				t.Errorf("%s: the export has %d sessions, want %d", filter, export.items(), len(want))
			}
		}
		path := "/v1/public/candidate-sessions/" + ids["hired"]
		a.do("GET", path, o.key("candidates:read"), nil).want(200).wantFields(object{"data.stateId": nil})
		a.do("GET", path, o.key("candidates:read", "reviews:read"), nil).want(200).
			wantFields(object{"data.stateId": "hired"})
		a.do("GET", "/v1/candidate-sessions/"+untouched, o.owner, nil).want(200).wantFields(object{"data.stateId": "new"})
	})
}
