package upgrade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// deliveryTime is how long the webhooks of a candidate can take to arrive. Beside a newer process, an older one can
// find a delivery only by polling.
const deliveryTime = 20 * time.Second

// journeyEvents are the events of a session that a candidate completes.
var journeyEvents = []string{"candidate.invited", "candidate.started", "candidate.completed"}

// rolling has the release and the new binary serve one database in turn, and together on PostgreSQL. Candidates take an
// assessment meanwhile, with each request served by the other binary.
func (u *upgrade) rolling(ctx context.Context, binary string) (err error) {
	db, err := rig.NewDatabase(ctx, filepath.Join(u.dir, "rolling"), u.kind)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	hook := &hook{seen: map[string][]string{}}
	addr, stop, err := rig.Listen(ctx, hook)
	if err != nil {
		return err
	}
	defer stop()
	before, after := db.Service(binary), db.Service(u.Binary)
	after.Secret = before.Secret
	before.Env = []string{"ASSAY_WEBHOOK_ALLOW_INSECURE=true"}
	after.Env = before.Env
	t := &taken{hook: hook}

	old, _, err := before.Serve(ctx)
	if err != nil {
		return err
	}
	defer func() { old.Stop() }() // the last one
	if t.organization, err = rig.NewOrganization(ctx, rig.NewClient([]string{old.Addr}, 1), "rolling"); err != nil {
		return old.Explain(err)
	}
	if _, err := t.organization.API.Call(ctx, http.MethodPost, "/v1/webhooks", t.organization.Owner, rig.Object{
		"url": "http://" + addr + "/hook", "events": journeyEvents,
	}, nil); err != nil {
		return err
	}
	if err := t.journey(ctx, "the release alone", old); err != nil {
		return err
	}
	if u.kind == "sqlite" { // one process
		old.Stop()
	}
	next, _, err := after.Serve(ctx)
	if err != nil {
		return err
	}
	defer func() { next.Stop() }()
	both := []*rig.Process{next}
	if u.kind == "postgres" {
		both = []*rig.Process{old, next}
	}
	for turn, first := range both { // each one begins once
		others := append(slices.Clone(both[turn:]), both[:turn]...)
		if err := t.journey(ctx, fmt.Sprintf("beside each other, begun by %s", first.Addr), others...); err != nil {
			return errors.Join(err, old.Explain(errors.New("the release")), next.Explain(errors.New("the new binary")))
		}
	}
	next.Stop()
	if u.kind == "postgres" {
		if err := t.journey(ctx, "the release that continues", old); err != nil {
			return err
		}
		old.Stop()
	}
	if old, _, err = before.Serve(ctx); err != nil {
		return fmt.Errorf("the step back: %w", err)
	}
	if err := t.journey(ctx, "the release after the step back", old); err != nil {
		return err
	}
	return t.readAll(ctx, old)
}

// taken are the sessions that candidates have completed.
type taken struct {
	organization *rig.Organization
	hook         *hook
	sessions     []string
}

// journey has a candidate take the assessment, with each request served by the next process. The result must be the
// same on each process, and the webhooks must arrive.
func (t *taken) journey(ctx context.Context, what string, on ...*rig.Process) error {
	turn := 0
	next := func() *rig.Organization {
		served := *t.organization
		served.API = rig.NewClient([]string{on[turn%len(on)].Addr}, 1)
		turn++
		return &served
	}
	c, err := next().Add(ctx, fmt.Sprintf("rolling-%d", len(t.sessions)))
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	t.sessions = append(t.sessions, c.SessionID)
	const start = "/v1/candidate/session/start"
	if _, err := next().API.Call(ctx, http.MethodPost, start, rig.Bearer(c.Token), nil, nil); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	for _, stage := range t.organization.Stages {
		for _, question := range stage.Questions {
			if err := next().Answer(ctx, c, question); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
		}
		if err := next().Submit(ctx, c, stage); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	for range on {
		if err := readResult(ctx, next(), c.SessionID); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return t.hook.wait(ctx, what, c.SessionID, journeyEvents...)
}

// readAll reads all results with one process.
func (t *taken) readAll(ctx context.Context, on *rig.Process) error {
	served := *t.organization
	served.API = rig.NewClient([]string{on.Addr}, 1)
	for _, id := range t.sessions {
		if err := readResult(ctx, &served, id); err != nil {
			return err
		}
	}
	return nil
}

// readResult reads the result of a candidate who has answered everything right.
func readResult(ctx context.Context, o *rig.Organization, sessionID string) error {
	var result struct {
		Status string
		Score  *float64
	}
	_, err := o.API.Call(ctx, http.MethodGet, "/v1/public/candidate-sessions/"+sessionID+"/result", o.Key, nil, &result)
	if err == nil && (result.Score == nil || *result.Score != 100 || result.Status != "COMPLETED") {
		err = fmt.Errorf("the result of %s is %+v, want 100", sessionID, result)
	}
	return err
}

// hook receives webhooks.
type hook struct {
	mu   sync.Mutex
	seen map[string][]string // types by session
}

// ServeHTTP takes one delivery.
func (h *hook) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	var event struct {
		Type string
		Data struct {
			ID        string
			SessionID string
			Session   struct{ ID string }
		}
	}
	_ = json.Unmarshal(body, &event) // an unknown event is not waited for
	h.mu.Lock()
	for _, id := range []string{event.Data.ID, event.Data.SessionID, event.Data.Session.ID} {
		h.seen[id] = append(h.seen[id], event.Type)
	}
	h.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

// wait returns when the events of a session have arrived.
func (h *hook) wait(ctx context.Context, what, sessionID string, types ...string) error {
	ctx, cancel := context.WithTimeout(ctx, deliveryTime)
	defer cancel()
	for {
		h.mu.Lock()
		seen := slices.Clone(h.seen[sessionID])
		h.mu.Unlock()
		missing := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return slices.Contains(seen, t) })
		if len(missing) == 0 {
			return nil
		}
		if !rig.Pause(ctx, 50*time.Millisecond) {
			return fmt.Errorf("%s: the webhooks %v of %s have not arrived", what, missing, sessionID)
		}
	}
}
