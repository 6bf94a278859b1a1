package torture

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/lab/rig"
)

// audit compares what the service holds with what it acknowledged, and with what
// the receiver received.
type audit struct {
	*world
	to *receiver

	sessions   map[string]string    // id → status
	events     map[string]auditedID // by event id
	seen       map[auditedID]string // event id of each
	deliveries int
	attempts   map[int]int // number of attempts → deliveries
	stuck      int         // Idempotency-Keys
}

// auditedID identifies what may have one event only.
type auditedID struct{ sessionID, kind string }

// run waits until all deliveries have ended and compares everything. A delivery
// that never ends is reported together with all else.
func (a *audit) run(ctx context.Context) error {
	if err := a.SignIn(ctx); err != nil { // the first token may have expired
		return err
	}
	drained := a.drain(ctx)
	return errors.Join(drained, a.compare(ctx))
}

// drainTimeout is far above a lease, the waits of three attempts, and the time
// that the backlog takes.
const drainTimeout = 2 * time.Minute

// drain waits until no delivery is pending.
func (a *audit) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	for {
		pending := 0
		for _, id := range a.webhooks {
			if err := rig.Pages(ctx, a.API, "/v1/webhooks/"+id+"/deliveries?status=PENDING&limit=100", a.Owner,
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

func (a *audit) compare(ctx context.Context) error {
	a.sessions, a.events, a.seen = map[string]string{}, map[string]auditedID{}, map[auditedID]string{}
	a.attempts = map[int]int{}
	err := rig.Pages(ctx, a.API, "/v1/candidate-sessions?limit=100", a.Owner, func(s struct{ ID, Status string }) {
		a.sessions[s.ID] = s.Status
	})
	if err != nil {
		return err
	}
	a.compareSessions()
	if err := rig.Pages(ctx, a.API, "/v1/events?limit=100", a.Owner, a.event); err != nil {
		return err
	}
	a.compareEvents()
	a.compareReceived()
	a.compareKeys(ctx)
	return a.compareAnswers(ctx)
}

// compareKeys repeats each invite that had an Idempotency-Key. The answer must
// be the first one's session.
func (a *audit) compareKeys(ctx context.Context) {
	for key, first := range a.keys {
		var again rig.Invited
		if err := a.inviteOnce(ctx, key, first.name, &again); err != nil || again.ID != first.sessionID {
			a.stuck++
			a.fault("Idempotency-Key %q made session %s, and repeated it gives %q, %v", key, first.sessionID, again.ID, err)
		}
	}
}

func (a *audit) compareSessions() {
	for id, told := range a.acknowledged {
		if held := a.sessions[id]; held != told.status {
			a.fault("session %s was acknowledged as %s and is %q", id, told.status, held)
		}
	}
	for id, status := range a.sessions {
		if _, told := a.acknowledged[id]; !told {
			a.fault("session %s is %s and was never acknowledged", id, status)
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
		return // it is the assessment's
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
		a.fault("event %s (%s) has deliveries to %s, not to %s", e.ID, e.Type, to, want)
	}
}

// compareEvents expects of each session the events of its invite, its start, and its
// end, and no others.
func (a *audit) compareEvents() {
	required := map[string][]string{
		"INVITED":      {"candidate.invited"},
		"IN_PROGRESS":  {"candidate.invited", "candidate.started"},
		"COMPLETED":    {"candidate.invited", "candidate.started", "candidate.completed"},
		"DISQUALIFIED": {"candidate.invited", "candidate.started", "candidate.disqualified"},
		"CANCELLED":    {"candidate.invited", "candidate.cancelled"}, // it may have been started
		"EXPIRED":      {"candidate.invited", "candidate.expired"},
	}
	for id, status := range a.sessions {
		for _, kind := range required[status] {
			if a.seen[auditedID{id, kind}] == "" {
				a.fault("session %s is %s and has no event %s", id, status, kind)
			}
		}
	}
	for what, id := range a.seen {
		status, there := a.sessions[what.sessionID]
		startedFirst := status == "CANCELLED" && what.kind == "candidate.started"
		if !there || !slices.Contains(required[status], what.kind) && !startedFirst {
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
			a.fault("event %s was received at %s, which is not subscribed to it", key.eventID, key.endpoint)
		}
	}
	a.faults = append(a.faults, a.to.faults...)
}

// compareAnswers reads the result of every acknowledged session.
func (a *audit) compareAnswers(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for id, told := range a.acknowledged {
		if a.sessions[id] == "" {
			continue // compareSessions reports it
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
			path := "/v1/candidate-sessions/" + id + "/result"
			if _, err := a.API.Call(ctx, http.MethodGet, path, a.Owner, nil, &result); err != nil {
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
					a.fault("session %s: answer %s was acknowledged and the result has %s", id, answer, held[questionID])
				}
			}
			return nil
		})
	}
	return group.Wait()
}
