package torture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/lab/rig"
)

// endpoints are the events that each path of the receiver subscribes to.
var endpoints = map[string][]string{
	"all":      {"candidate.invited", "candidate.completed", "candidate.disqualified"},
	"finished": {"candidate.completed", "candidate.disqualified"},
}

// world is the candidates' organization, and what it was told.
type world struct {
	*rig.Organization
	webhooks map[string]string // path of the receiver → endpoint id

	mu           sync.Mutex
	acknowledged map[string]finished // by session id
	keys         map[string]keyed    // by Idempotency-Key
	faults       []string            // refusals that nothing but a loss explains
}

// keyed is an invite that was sent with an Idempotency-Key.
type keyed struct{ name, sessionID string }

// finished is a session as its candidate knows it.
type finished struct {
	status  string
	answers map[string]string // by question id: the last acknowledged
}

// newWorld makes an organization with endpoints.
func newWorld(ctx context.Context, api *rig.Client, receiverAddr string) (*world, error) {
	o, err := rig.NewOrganization(ctx, api, "torture")
	if err != nil {
		return nil, err
	}
	w := &world{
		Organization: o, webhooks: map[string]string{}, acknowledged: map[string]finished{}, keys: map[string]keyed{},
	}
	for path, events := range endpoints {
		var webhook struct{ ID string }
		if _, err := api.Call(ctx, http.MethodPost, "/v1/webhooks", o.Owner, rig.Object{
			"url": "http://" + receiverAddr + "/" + path, "events": events, "secret": endpointSecret,
		}, &webhook); err != nil {
			return nil, err
		}
		w.webhooks[path] = webhook.ID
	}
	return w, nil
}

// complete has clients complete sessions until enough returns true.
func (w *world) complete(ctx context.Context, clients int, enough func(completed int) bool) error {
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range clients {
		group.Go(func() error {
			for {
				n := int(next.Add(1))
				if enough(n - 1) {
					return nil
				}
				var refused *rig.Refusal
				if err := w.candidate(ctx, n); errors.As(err, &refused) {
					w.fault("candidate %d was refused: %v", n, err)
				} else if err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

func (w *world) fault(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// candidate completes one session. Every fifth fails at the gate.
func (w *world) candidate(ctx context.Context, n int) error {
	c, err := w.invite(ctx, n)
	if err != nil {
		return err
	}
	sessionID, as := c.SessionID, rig.Bearer(c.Token)
	if _, err := w.API.Call(ctx, http.MethodPost, "/v1/candidate/session/start", as, nil, nil); err != nil {
		return err
	}
	told, want := finished{answers: map[string]string{}}, "COMPLETED"
	number := rig.RightAnswers["NUMERIC"]
	if n%5 == 0 {
		number, want = rig.Object{"number": 2}, "DISQUALIFIED"
	}
	for _, stage := range w.Stages {
		// The number alone decides the gate. Of two answers to a text the later counts.
		answers := map[string][]rig.Object{
			"NUMERIC": {number}, "SHORT_TEXT": {{"text": "not yet"}, {"text": "session " + sessionID + " stage " + stage.ID}},
		}
		for _, q := range stage.Questions {
			for _, answer := range answers[q.Type] {
				if _, err := w.API.Call(ctx, http.MethodPut, "/v1/candidate/session/answers/"+q.ID, as, answer, nil); err != nil {
					return err
				}
				told.answers[q.ID] = shown(answer)
			}
		}
		var outcome struct{ Status string }
		if _, err := w.API.Call(ctx, http.MethodPost, "/v1/candidate/session/stage/submit", as,
			rig.Object{"stageId": stage.ID}, &outcome); err != nil {
			return err
		}
		if told.status = outcome.Status; told.status != "IN_PROGRESS" {
			break
		}
	}
	if told.status != want {
		w.fault("session %s ended %s, not %s", sessionID, told.status, want)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.acknowledged[sessionID] = told
	return nil
}

// invite makes a session. Even candidates are invited with an Idempotency-Key,
// and the request is repeated until it succeeds. For odd numbers an integrator
// looks into the list when the answer was lost.
func (w *world) invite(ctx context.Context, n int) (rig.Candidate, error) {
	name, invited := fmt.Sprintf("candidate-%d", n), rig.Invited{}
	if n%2 == 0 {
		key := "invite " + name
		if err := w.inviteOnce(ctx, key, name, &invited); err != nil {
			return rig.Candidate{}, err
		}
		w.mu.Lock()
		w.keys[key] = keyed{name, invited.ID}
		w.mu.Unlock()
	}
	for invited.ID == "" {
		_, ok, err := w.API.Try(ctx, http.MethodPost, "/v1/public/candidate-sessions", w.Key, w.Invite(name), &invited)
		if err == nil && !ok {
			err = rig.Pages(ctx, w.API, "/v1/public/candidate-sessions?candidateEmail="+url.QueryEscape(rig.Email(name)), w.Key,
				func(s rig.Invited) { invited = s })
		}
		if err != nil {
			return rig.Candidate{}, err
		}
	}
	return invited.Candidate()
}

// inviteOnce invites with an Idempotency-Key.
func (w *world) inviteOnce(ctx context.Context, key, name string, invited *rig.Invited) error {
	header := w.Key.Clone()
	header.Set("Idempotency-Key", key)
	_, err := w.API.Call(ctx, http.MethodPost, "/v1/public/candidate-sessions", header, w.Invite(name), invited)
	return err
}

// shown is an answer in a form that can be compared.
func shown(answer rig.Object) string {
	encoded, _ := json.Marshal(answer) // numbers and strings always encode
	return string(encoded)
}
