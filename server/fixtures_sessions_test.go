package server

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

// oneQuestion is an assessment of one numeric question, whose answer is 175;
// extra fields may be given.
func oneQuestion(extra ...object) object {
	definition := object{"title": "One question", "stages": []any{object{"title": "Only", "questions": []any{
		object{"type": "NUMERIC", "prompt": "2.5 mg/kg for 70 kg, in mg?", "points": 5, "answer": 175, "tolerance": 0.5},
	}}}}
	for _, e := range extra {
		maps.Copy(definition, e)
	}
	return definition
}

// complete takes an assessment without gates to its end, all answers right.
func (a *api) complete(who credential) response {
	a.t.Helper()
	outcome := a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	for outcome.text("data.status") == "IN_PROGRESS" {
		outcome = a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, true)}).want(200)
	}
	return outcome
}

// callers are who may invite and read: a person, and an integration on its own paths.
func (o *tenant) callers() map[string]credential {
	o.api.t.Helper()
	return map[string]credential{"/v1": o.owner, "/v1/public": o.key()}
}

// events returns the organization's last events of a type, newest first; ""
// means every type.
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

// eventsOf is what the last 20 events tell of one session or assessment.
func (o *tenant) eventsOf(eventType, subjectID string) []object {
	o.api.t.Helper()
	return slices.DeleteFunc(o.events(eventType, 20), func(event object) bool {
		data := event["data"].(object)
		return data["sessionId"] != subjectID && (data["sessionId"] != nil || data["assessmentId"] != subjectID)
	})
}

// result reads a finished session's result in each of the ways there are, and
// fails unless all give the same bytes.
func (o *tenant) result(key credential, sessionID string) response {
	o.api.t.Helper()
	minted := o.api.do("POST", "/v1/public/candidate-sessions/"+sessionID+"/result-token", key, nil).want(200)
	result := o.api.do("GET", "/v1/public/candidate-sessions/"+sessionID+"/result", key, nil).want(200)
	for way, same := range map[string]response{
		"by token":  o.api.do("GET", "/v1/public/results/"+minted.text("data.token"), key, nil).want(200),
		"by person": o.api.do("GET", "/v1/candidate-sessions/"+sessionID+"/result", o.owner, nil).want(200),
	} {
		if string(same.body) != string(result.body) {
			o.api.t.Fatalf("%s: %s\nby session: %s", way, same.body, result.body)
		}
	}
	return result
}

// resultToken takes the token out of a redirect; what is around it must be the
// address that was configured.
func resultToken(t testing.TB, redirect, before, after string) string {
	t.Helper()
	token, found := strings.CutPrefix(redirect, before)
	token, rest := strings.TrimSuffix(token, after), strings.HasSuffix(token, after)
	if !found || !rest || token == "" || url.QueryEscape(token) != token {
		t.Fatalf("redirect %s, want %s<token>%s", redirect, before, after)
	}
	return token
}

// signIn signs the owner in anew, after the clock has ended the access token.
func (o *tenant) signIn() {
	o.api.t.Helper()
	in := o.api.do("POST", "/v1/auth/login", nobody, object{"email": o.email, "password": testPassword}).want(200)
	o.access, o.refresh = in.text("data.accessToken"), in.text("data.refreshToken")
	o.owner = bearer(o.access)
}

// setClock sets the clock forward to an instant.
func (a *api) setClock(to time.Time) {
	a.t.Helper()
	if to.Before(a.store.Now()) {
		a.t.Fatalf("%s is past", to)
	}
	a.clock.Advance(to.Sub(a.clock.Now()))
}

// sweep does what the sweeper does in the background, to the end, and returns
// how many sessions it changed.
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
