package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/internal/rig"
)

const (
	ownerEmail    = "ada@torture.example"
	ownerPassword = "a pass phrase for breaking things"
)

// endpoints are what the receiver's paths subscribe to.
var endpoints = map[string][]string{
	"all":      {"candidate.invited", "candidate.completed", "candidate.disqualified"},
	"finished": {"candidate.completed", "candidate.disqualified"},
}

// world is what candidates work in, and what they were told.
type world struct {
	api          *rig.Client
	key          http.Header
	assessmentID string
	stages       []stage
	webhooks     map[string]string // path of the receiver → endpoint id

	mu           sync.Mutex
	acknowledged map[string]finished // by session id
	faults       []string            // refusals that nothing but a loss explains
}

type stage struct {
	ID        string
	Questions []struct{ ID, Type string }
}

// finished is a session as its candidate was told.
type finished struct {
	status  string
	answers map[string]string // by question id: the last acknowledged
}

// newWorld registers an organization with an assessment, a key and endpoints.
func newWorld(ctx context.Context, api *rig.Client, receiverAddr string) (*world, error) {
	w := &world{api: api, webhooks: map[string]string{}, acknowledged: map[string]finished{}}
	var registered struct{ AccessToken string }
	if _, err := api.Call(ctx, http.MethodPost, "/v1/auth/register", nil, rig.Object{
		"organizationName": "Analytical Engines", "name": "Ada Lovelace", "email": ownerEmail, "password": ownerPassword,
	}, &registered); err != nil {
		return nil, err
	}
	owner := rig.Bearer(registered.AccessToken)
	var key struct{ Key string }
	if _, err := api.Call(ctx, http.MethodPost, "/v1/api-keys", owner, rig.Object{
		"name": "torture", "scopes": []string{"candidates:read", "candidates:write"},
	}, &key); err != nil {
		return nil, err
	}
	w.key = rig.APIKey(key.Key)
	var created struct {
		ID     string
		Stages []stage
	}
	if _, err := api.Call(ctx, http.MethodPost, "/v1/assessments", owner, assessment(), &created); err != nil {
		return nil, err
	}
	w.assessmentID, w.stages = created.ID, created.Stages
	if _, err := api.Call(ctx, http.MethodPost, "/v1/assessments/"+created.ID+"/publish", owner, nil, nil); err != nil {
		return nil, err
	}
	for path, events := range endpoints {
		var webhook struct{ ID string }
		if _, err := api.Call(ctx, http.MethodPost, "/v1/webhooks", owner, rig.Object{
			"url": "http://" + receiverAddr + "/" + path, "events": events, "secret": endpointSecret,
		}, &webhook); err != nil {
			return nil, err
		}
		w.webhooks[path] = webhook.ID
	}
	return w, nil
}

// assessment has two stages; the first disqualifies whoever gets its number wrong.
func assessment() rig.Object {
	text := rig.Object{"type": "SHORT_TEXT", "prompt": "Why?", "points": 1, "acceptedAnswers": []string{"because"}}
	return rig.Object{"title": "Endurance", "stages": []rig.Object{
		{"title": "Gate", "gate": rig.Object{"required": true, "minScore": 50}, "questions": []rig.Object{
			{"type": "NUMERIC", "prompt": "1 - 1 + 1", "points": 3, "answer": 1}, text,
		}},
		{"title": "Yard", "questions": []rig.Object{text}},
	}}
}

// complete has clients complete sessions until there are enough and it was long enough.
func (w *world) complete(ctx context.Context, clients, sessions int, duration time.Duration) error {
	until := time.Now().Add(duration)
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range clients {
		group.Go(func() error {
			for {
				n := int(next.Add(1))
				if n > sessions && time.Now().After(until) {
					return nil
				}
				var refused *rig.Refusal
				if err := w.candidate(ctx, n); errors.As(err, &refused) {
					w.mu.Lock()
					w.faults = append(w.faults, fmt.Sprintf("candidate %d was refused: %v", n, err))
					w.mu.Unlock()
				} else if err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// candidate is one candidate's way; every fifth fails at the gate.
func (w *world) candidate(ctx context.Context, n int) error {
	sessionID, token, err := w.invite(ctx, fmt.Sprintf("candidate-%d@torture.example", n))
	if err != nil {
		return err
	}
	if _, err := w.api.Call(ctx, http.MethodPost, "/v1/candidate/session/start", rig.Bearer(token), nil, nil); err != nil {
		return err
	}
	told := finished{answers: map[string]string{}}
	number := 1
	if n%5 == 0 {
		number = 2
	}
	for _, stage := range w.stages {
		for _, q := range stage.Questions {
			if err := w.answer(ctx, token, q.ID, q.Type, number, told.answers); err != nil {
				return err
			}
		}
		var outcome struct{ Status string }
		if _, err := w.api.Call(ctx, http.MethodPost, "/v1/candidate/session/stage/submit", rig.Bearer(token),
			rig.Object{"stageId": stage.ID}, &outcome); err != nil {
			return err
		}
		if told.status = outcome.Status; told.status != "IN_PROGRESS" {
			break
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if want := map[bool]string{false: "COMPLETED", true: "DISQUALIFIED"}[number == 2]; told.status != want {
		w.faults = append(w.faults, fmt.Sprintf("session %s ended %s, not %s", sessionID, told.status, want))
	}
	w.acknowledged[sessionID] = told
	return nil
}

// invite makes a session. When the answer is lost, the list tells whether it is there.
func (w *world) invite(ctx context.Context, email string) (sessionID, token string, err error) {
	type session struct{ ID, InviteURL string }
	for ctx.Err() == nil {
		var invited session
		_, ok, err := w.api.Try(ctx, http.MethodPost, "/v1/public/candidate-sessions", w.key, rig.Object{
			"assessmentId": w.assessmentID, "candidateName": "Grace Hopper", "candidateEmail": email,
		}, &invited)
		if err != nil {
			return "", "", err
		}
		if !ok {
			if err := rig.Pages(ctx, w.api, "/v1/public/candidate-sessions?candidateEmail="+url.QueryEscape(email), w.key,
				func(s session) { invited, ok = s, true }); err != nil {
				return "", "", err
			}
		}
		if ok {
			_, token, _ := strings.Cut(invited.InviteURL, "#")
			return invited.ID, token, nil
		}
	}
	return "", "", ctx.Err()
}

// answer saves two answers to a text, of which the second counts, and one to a number.
func (w *world) answer(ctx context.Context, token, questionID, kind string, number int, acknowledged map[string]string) error {
	answers := []rig.Object{{"number": number}}
	if kind == "SHORT_TEXT" {
		answers = []rig.Object{{"text": "not yet " + questionID}, {"text": "because " + token[len(token)-12:]}}
	}
	for _, answer := range answers {
		if _, err := w.api.Call(ctx, http.MethodPut, "/v1/candidate/session/answers/"+questionID, rig.Bearer(token), answer, nil); err != nil {
			return err
		}
		acknowledged[questionID] = shown(answer)
	}
	return nil
}

// shown is an answer in one comparable form.
func shown(answer rig.Object) string {
	if text, is := answer["text"]; is {
		return fmt.Sprint(text)
	}
	return fmt.Sprint(answer["number"])
}
