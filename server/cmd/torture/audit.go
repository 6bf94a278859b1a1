package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/internal/rig"
)

// audit is what the service holds when everything has drained, against what
// clients and the receiver were told.
type audit struct {
	*world
	to    *receiver
	owner http.Header

	sessions   map[string]string    // id → status
	events     map[string]auditedID // by event id
	seen       map[auditedID]string // event id of each
	deliveries int
	attempts   map[int]int // deliveries by how many attempts they took
	faultsMu   sync.Mutex
	faults     []string
}

// auditedID is what there may be one event of.
type auditedID struct{ sessionID, kind string }

func (a *audit) fault(format string, args ...any) {
	a.faultsMu.Lock()
	defer a.faultsMu.Unlock()
	a.faults = append(a.faults, fmt.Sprintf(format, args...))
}

// signIn signs in anew: the token of the beginning may have run out.
func (a *audit) signIn(ctx context.Context) error {
	var signedIn struct{ AccessToken string }
	_, err := a.api.Call(ctx, http.MethodPost, "/v1/auth/login", nil, rig.Object{"email": ownerEmail, "password": ownerPassword}, &signedIn)
	a.owner = rig.Bearer(signedIn.AccessToken)
	return err
}

// drainTimeout is far above a lease, the waits of three attempts and the backlog.
const drainTimeout = 2 * time.Minute

// drain waits until nothing is pending.
func (a *audit) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	for {
		pending := 0
		for _, id := range a.webhooks {
			if err := rig.Pages(ctx, a.api, "/v1/webhooks/"+id+"/deliveries?status=PENDING&limit=100", a.owner,
				func(struct{}) { pending++ }); err != nil {
				return err
			}
		}
		if pending == 0 {
			return nil
		}
		if !rig.Pause(ctx, 200*time.Millisecond) {
			return fmt.Errorf("%d deliveries were still pending after %s", pending, drainTimeout)
		}
	}
}

// account compares everything with everything.
func (a *audit) account(ctx context.Context) error {
	a.sessions, a.events, a.seen, a.attempts = map[string]string{}, map[string]auditedID{}, map[auditedID]string{}, map[int]int{}
	if err := rig.Pages(ctx, a.api, "/v1/candidate-sessions?limit=100", a.owner, func(s struct{ ID, Status string }) {
		a.sessions[s.ID] = s.Status
	}); err != nil {
		return err
	}
	a.compareSessions()
	if err := rig.Pages(ctx, a.api, "/v1/events?limit=100", a.owner, a.event); err != nil {
		return err
	}
	a.compareEvents()
	a.compareReceived()
	return a.compareAnswers(ctx)
}

func (a *audit) compareSessions() {
	for id, told := range a.acknowledged {
		if held := a.sessions[id]; held != told.status {
			a.fault("session %s was acknowledged as %s and is %q", id, told.status, held)
		}
	}
	for id, status := range a.sessions {
		if _, told := a.acknowledged[id]; !told {
			a.fault("session %s is %s and no candidate knows of it", id, status)
		}
	}
}

// auditedEvent is an item of GET /v1/events.
type auditedEvent struct {
	ID, Type   string
	Data       struct{ SessionID string }
	Deliveries []struct {
		ID, WebhookID, Status string
		AttemptCount          int
	}
}

const maxAttempts = 3

func (a *audit) event(e auditedEvent) {
	if e.Data.SessionID == "" {
		return // of the assessment
	}
	what := auditedID{e.Data.SessionID, e.Type}
	if other := a.seen[what]; other != "" {
		a.fault("session %s has two events %s: %s and %s", what.sessionID, what.kind, other, e.ID)
	}
	a.seen[what], a.events[e.ID] = e.ID, what
	var to []string
	for _, d := range e.Deliveries {
		a.deliveries++
		a.attempts[d.AttemptCount]++
		to = append(to, d.WebhookID)
		if d.Status != "SUCCEEDED" || d.AttemptCount > maxAttempts {
			a.fault("delivery %s of event %s is %s after %d attempts", d.ID, e.ID, d.Status, d.AttemptCount)
		}
	}
	var want []string
	for path, kinds := range endpoints {
		if slices.Contains(kinds, e.Type) {
			want = append(want, a.webhooks[path])
		}
	}
	slices.Sort(to)
	slices.Sort(want)
	if !slices.Equal(to, want) {
		a.fault("event %s (%s) has deliveries to [%s], not to [%s]", e.ID, e.Type, strings.Join(to, " "), strings.Join(want, " "))
	}
}

// compareEvents expects of each session the invite and its end, and nothing else.
func (a *audit) compareEvents() {
	ends := map[string]string{"COMPLETED": "candidate.completed", "DISQUALIFIED": "candidate.disqualified"}
	for id, status := range a.sessions {
		for _, kind := range []string{"candidate.invited", ends[status]} {
			if kind != "" && a.seen[auditedID{id, kind}] == "" {
				a.fault("session %s is %s and has no event %s", id, status, kind)
			}
		}
	}
	for what, id := range a.seen {
		if status, there := a.sessions[what.sessionID]; !there || (what.kind != "candidate.invited" && what.kind != ends[status]) {
			a.fault("event %s (%s) is of session %s, which is %q", id, what.kind, what.sessionID, status)
		}
	}
}

func (a *audit) compareReceived() {
	a.to.mu.Lock()
	defer a.to.mu.Unlock()
	for id, what := range a.events {
		for path, kinds := range endpoints {
			if slices.Contains(kinds, what.kind) && a.to.received[received{path, id}] == nil {
				a.fault("event %s (%s) was never received at %s", id, what.kind, path)
			}
		}
	}
	for key := range a.to.received {
		if what, there := a.events[key.eventID]; !there || !slices.Contains(endpoints[key.endpoint], what.kind) {
			a.fault("event %s was received at %s and is none of its events", key.eventID, key.endpoint)
		}
	}
	a.faults = append(a.faults, a.to.faults...)
}

// compareAnswers reads every acknowledged session's result.
func (a *audit) compareAnswers(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for id, told := range a.acknowledged {
		if a.sessions[id] == "" {
			continue // reported already
		}
		group.Go(func() error {
			var result struct {
				Stages []struct {
					Questions []struct {
						ID     string
						Answer rig.Object
					}
				}
			}
			if _, err := a.api.Call(ctx, http.MethodGet, "/v1/candidate-sessions/"+id+"/result", a.owner, nil, &result); err != nil {
				return err
			}
			held := map[string]string{}
			for _, stage := range result.Stages {
				for _, q := range stage.Questions {
					held[q.ID] = shown(q.Answer)
				}
			}
			for questionID, answer := range told.answers {
				if held[questionID] != answer {
					a.fault("session %s: the answer %q to %s was acknowledged and the result has %q", id, answer, questionID, held[questionID])
				}
			}
			return nil
		})
	}
	return group.Wait()
}
