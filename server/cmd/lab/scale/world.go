package scale

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"assay/server/cmd/lab/rig"
)

// world is a filled database with the service on it, as the operations see it.
type world struct {
	*rig.Organization // the large one
	plan

	smallEmail string      // of the owner of a small organization
	smallOwner http.Header // of a token
	signedIn   time.Time

	samples  []sample // oldest first
	invited  []string // sessions that have not started
	events   []string
	sent     []string // deliveries
	resource string   // of an old audit entry

	candidates   []rig.Candidate // invited while measuring
	resultTokens []string
}

// plan is the row of scale_plan.
type plan struct {
	FirstMS        int64  `db:"first_ms"`
	SpanMS         int64  `db:"span_ms"`
	Sessions       int64  `db:"sessions"`
	Deliveries     int64  `db:"deliveries"`
	OrganizationID string `db:"organization_id"`
	AssessmentID   string `db:"assessment_id"`
	WebhookID      string `db:"webhook_id"`
	BacklogID      string `db:"backlog_id"`
}

// sample is a completed session of the main assessment.
type sample struct {
	ID         string `db:"id"`
	Email      string `db:"candidate_email"`
	ExternalID string `db:"external_id"`
}

// prepare chooses what the operations ask for, and gives one endpoint a backlog
// of failed deliveries that wait for their next attempt.
func (c *Command) prepare(ctx context.Context, on *rig.Database, hook string) (_ *world, err error) {
	db, err := open(ctx, on)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	w := &world{}
	if err := db.GetContext(ctx, &w.plan, `
		SELECT first_ms, span_ms, sessions, deliveries, organization_id, assessment_id, webhook_id, backlog_id
		FROM scale_plan`); err != nil {
		return nil, err
	}
	var resources, emails []string
	for _, query := range []struct {
		dest  any
		sql   string
		id    string
		limit int
	}{
		{&w.samples, `SELECT id, candidate_email, external_id FROM candidate_sessions
			WHERE assessment_id = ? AND status = 'COMPLETED' AND erased_at IS NULL ORDER BY id LIMIT ?`,
			w.plan.AssessmentID, 2 * c.Requests},
		{&w.invited, `SELECT id FROM candidate_sessions
			WHERE assessment_id = ? AND status = 'INVITED' AND erased_at IS NULL ORDER BY id DESC LIMIT ?`,
			w.plan.AssessmentID, c.Requests},
		{&w.events, `SELECT id FROM events WHERE organization_id = ? AND type = 'candidate.invited' ORDER BY id LIMIT ?`,
			w.OrganizationID, c.Requests},
		{&w.sent, `SELECT id FROM webhook_deliveries WHERE webhook_id = ? ORDER BY id LIMIT ?`, w.WebhookID, c.Requests},
		{&resources, `SELECT resource_id FROM audit_log
			WHERE organization_id = ? AND action = 'SESSION_CANCELLED' ORDER BY id LIMIT ?`, w.OrganizationID, 1},
		{&emails, `SELECT email FROM users WHERE organization_id <> ? ORDER BY id LIMIT ?`, w.OrganizationID, 1},
	} {
		if err := db.SelectContext(ctx, query.dest, db.Rebind(query.sql), query.id, query.limit); err != nil {
			return nil, err
		}
	}
	w.resource, w.smallEmail = resources[0], emails[0]
	if err := db.exec(ctx, `
		UPDATE webhook_endpoints SET url = ?, enabled = TRUE, disabled_reason = NULL WHERE organization_id = ?`,
		hook, w.OrganizationID); err != nil {
		return nil, err
	}
	now := time.Now()
	if err := db.exec(ctx, `
		INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type,
			run_at, lease, attempt, created_at)
		SELECT 'dlv_' || scale_ulid(?, ROW_NUMBER() OVER (ORDER BY id)), organization_id, ?, id, type, ?, '', 1, ?
		FROM (SELECT organization_id, id, type FROM events WHERE organization_id = ? ORDER BY id DESC LIMIT ?) e`,
		now.UnixMilli(), w.BacklogID, now.AddDate(0, 0, 1).UnixMicro(), now.UnixMicro(),
		w.OrganizationID, w.Deliveries/40); err != nil {
		return nil, err
	}
	if on.Kind == "sqlite" {
		return w, nil
	}
	return w, db.exec(ctx, `ANALYZE webhook_queue`)
}

// signIn gets new tokens for both owners before the old tokens expire after 15 minutes.
func (w *world) signIn(ctx context.Context) (err error) {
	if time.Since(w.signedIn) < 5*time.Minute {
		return nil
	}
	w.signedIn = time.Now()
	if w.smallOwner, err = rig.SignIn(ctx, w.API, w.smallEmail); err != nil {
		return err
	}
	return w.SignIn(ctx)
}

// at is a time of the history, from 0 for its beginning to 1 for its end.
func (w *world) at(place float64) string {
	return w.after(place, 0)
}

// after is a time after a place in the history.
func (w *world) after(place float64, d time.Duration) string {
	return time.UnixMilli(w.FirstMS + int64(place*float64(w.SpanMS))).Add(d).UTC().Format(time.RFC3339)
}

// mintResultTokens makes a token for each sample that is read. They live 15 minutes.
func (w *world) mintResultTokens(ctx context.Context) error {
	for _, read := range w.samples[:(len(w.samples)+1)/2] {
		var minted struct{ Token string }
		path := "/v1/public/candidate-sessions/" + read.ID + "/result-token"
		if _, err := w.API.Call(ctx, http.MethodPost, path, w.Key, nil, &minted); err != nil {
			return err
		}
		w.resultTokens = append(w.resultTokens, minted.Token)
	}
	return nil
}

// answer has each candidate answer a stage.
func (w *world) answer(ctx context.Context, stage rig.Stage) error {
	for _, c := range w.candidates {
		if err := w.Answer(ctx, c, stage.Questions...); err != nil {
			return err
		}
	}
	return nil
}

// addCandidate reads the answer to an invite.
func (w *world) addCandidate(body []byte) error {
	var invited struct{ Data rig.Invited }
	if err := json.Unmarshal(body, &invited); err != nil {
		return err
	}
	c, err := invited.Data.Candidate()
	w.candidates = append(w.candidates, c)
	return err
}
