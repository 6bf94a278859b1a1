package contract

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// oneQuestion returns an assessment with one numeric question. The correct
// answer is 175. Extra fields replace or extend the definition.
func oneQuestion(extra ...object) object {
	definition := object{"title": "One question", "stages": []any{object{"title": "Only", "questions": []any{
		object{"type": "NUMERIC", "prompt": "2.5 mg/kg for 70 kg, in mg?", "points": 5, "answer": 175, "tolerance": 0.5},
	}}}}
	for _, e := range extra {
		maps.Copy(definition, e)
	}
	return definition
}

// complete takes an assessment without gates from start to end, with correct answers only.
func (a *api) complete(who credential) response {
	a.t.Helper()
	outcome := a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	for outcome.text("data.status") == "IN_PROGRESS" {
		outcome = a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, true)}).
			want(200)
	}
	return outcome
}

// callers returns, for each path prefix, a credential that may invite and read: a user and an API key.
func (o *tenant) callers() map[string]credential {
	o.api.t.Helper()
	return map[string]credential{"/v1": o.owner, "/v1/public": o.key()}
}

// events returns the organization's last events of a type, newest first.
// The type "" means every type.
func (o *tenant) events(eventType string, limit int) []object {
	o.api.t.Helper()
	path := fmt.Sprintf("/v1/events?limit=%d", limit)
	if eventType != "" {
		path += "&type=" + eventType
	}
	var events []object
	for _, event := range o.api.do("GET", path, o.owner, nil).want(200).list("data") {
		events = append(events, event.(object))
	}
	return events
}

// eventsOf returns those of the last 20 events that belong to a session or an assessment.
// An empty eventType means every type.
func (o *tenant) eventsOf(eventType, subjectID string) []object {
	o.api.t.Helper()
	return slices.DeleteFunc(o.events(eventType, 20), func(event object) bool {
		data := event["data"].(object)
		return data["sessionId"] != subjectID && (data["sessionId"] != nil || data["assessmentId"] != subjectID)
	})
}

// result reads the result of a finished session through each of the three
// operations. It fails the test unless all of them return the same bytes.
func (o *tenant) result(key credential, sessionID string) response {
	o.api.t.Helper()
	token := o.api.do("POST", "/v1/public/candidate-sessions/"+sessionID+"/result-token", key, nil).want(200)
	result := o.api.do("GET", "/v1/public/candidate-sessions/"+sessionID+"/result", key, nil).want(200)
	for way, same := range map[string]response{
		"by token":     o.api.do("GET", "/v1/public/results/"+token.text("data.token"), key, nil).want(200),
		"as the owner": o.api.do("GET", "/v1/candidate-sessions/"+sessionID+"/result", o.owner, nil).want(200),
	} {
		if string(same.body) != string(result.body) {
			o.api.t.Fatalf("the result %s is %s\nby session it is %s", way, same.body, result.body)
		}
	}

	return result
}

// resultToken extracts the token from a redirect URL. The text before and after
// the token must be the configured URL.
func resultToken(t testing.TB, redirect, before, after string) string {
	t.Helper()
	token, found := strings.CutPrefix(redirect, before)
	token, rest := strings.TrimSuffix(token, after), strings.HasSuffix(token, after)
	if !found || !rest || token == "" || url.QueryEscape(token) != token {
		t.Fatalf("redirect %s, want %s<token>%s", redirect, before, after)
	}
	return token
}

// signIn signs the owner in again. Tests call it after they advance the clock past the access token's expiry.
func (o *tenant) signIn() {
	o.api.t.Helper()
	in := o.api.do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": testPassword}).want(200)
	o.access, o.refresh = in.text("data.accessToken"), in.text("data.refreshToken")
	o.owner = bearer(o.access)
}

// setClock advances the clock to a time.
func (a *api) setClock(to time.Time) {
	a.t.Helper()
	if to.Before(a.store.Now()) {
		a.t.Fatalf("%s is in the past", to)
	}
	a.clock.Advance(to.Sub(a.clock.Now()))
}

// sweep does the work of the background sweeper until nothing is left to do.
// It returns the number of sessions that it changed.
func (a *api) sweep() int {
	a.t.Helper()
	swept := 0
	for {
		changed, err := a.store.UnscopedSweep(context.Background())
		if err != nil {
			a.t.Error(err)
		}
		if swept += changed; changed == 0 {
			return swept
		}
	}
}

// reviewStateOf is the id of the state that the organization has given to the candidate of a session.
func (o *tenant) reviewStateOf(id string) string {
	return o.api.do("GET", "/v1/candidate-sessions/"+id+"/review", o.owner, nil).want(200).text("data.state.id")
}
