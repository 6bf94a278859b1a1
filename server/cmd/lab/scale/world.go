package scale

import (
	"context"
	"errors"
	"net/http"
	"time"

	"assay/server/cmd/lab/rig"
)

// world is a filled database with the service on it, as the operations see it.
type world struct {
	addr, admin string
	client      *rig.Client
	owner       http.Header // of the large organization
	smallOwner  http.Header
	signedIn    time.Time
	key         http.Header

	plan
	samples  []sample // oldest first
	events   []string
	sent     []string // deliveries
	resource string   // of an old audit entry

	candidates   []*candidate // invited while measuring
	resultTokens []string
}

// plan is the row of scale_plan.
type plan struct {
	FirstMS        int64  `db:"first_ms"`
	SpanMS         int64  `db:"span_ms"`
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
func (c *Command) prepare(ctx context.Context, url, hook string) (_ *world, err error) {
	db, err := open(ctx, url)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	w := &world{}
	if err := db.GetContext(ctx, &w.plan, `
		SELECT first_ms, span_ms, deliveries, organization_id, assessment_id, webhook_id, backlog_id
		FROM scale_plan`); err != nil {
		return nil, err
	}
	for _, query := range []struct {
		dest any
		sql  string
		args []any
	}{
		{&w.samples, `SELECT id, candidate_email, external_id FROM candidate_sessions
			WHERE organization_id = ? AND assessment_id = ? AND status = 'COMPLETED' AND erased_at IS NULL ORDER BY id LIMIT ?`,
			[]any{w.OrganizationID, w.AssessmentID, 2 * c.Requests}},
		{&w.events, `SELECT id FROM events WHERE organization_id = ? AND type = 'candidate.invited' ORDER BY id LIMIT ?`,
			[]any{w.OrganizationID, c.Requests}},
		{&w.sent, `SELECT id FROM webhook_deliveries WHERE webhook_id = ? ORDER BY id LIMIT ?`,
			[]any{w.WebhookID, c.Requests}},
	} {
		if err := db.SelectContext(ctx, query.dest, db.Rebind(query.sql), query.args...); err != nil {
			return nil, err
		}
	}
	if err := db.GetContext(ctx, &w.resource, db.Rebind(`
		SELECT resource_id FROM audit_log WHERE organization_id = ? AND action = 'SESSION_CANCELLED' ORDER BY id LIMIT 1`),
		w.OrganizationID); err != nil {
		return nil, err
	}
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
	if db.kind == "sqlite" {
		return w, nil
	}
	return w, db.exec(ctx, `ANALYZE webhook_queue`)
}

// signIn gives both owners access tokens, and renews them before they end: they live 15 minutes.
func (w *world) signIn(ctx context.Context) error {
	if time.Since(w.signedIn) < 5*time.Minute {
		return nil
	}
	w.signedIn = time.Now()
	for email, credential := range map[string]*http.Header{largeOwner: &w.owner, smallOwner: &w.smallOwner} {
		var signedIn struct{ AccessToken string }
		if _, err := w.client.Call(ctx, http.MethodPost, "/v1/auth/login", nil,
			rig.Object{"email": email, "password": password}, &signedIn); err != nil {
			return err
		}
		*credential = rig.Bearer(signedIn.AccessToken)
	}
	return nil
}

// at is a time of the history, from 0 for its beginning to 1 for its end.
func (w *world) at(place float64) time.Time {
	return time.UnixMilli(w.FirstMS + int64(place*float64(w.SpanMS))).UTC()
}

// mintResultTokens makes a token for each sample that is read. They live 15 minutes.
func (w *world) mintResultTokens(ctx context.Context) error {
	for _, read := range w.samples[:(len(w.samples)+1)/2] {
		var minted struct{ Token string }
		if _, err := w.client.Call(ctx, http.MethodPost, "/v1/public/candidate-sessions/"+read.ID+"/result-token",
			w.key, nil, &minted); err != nil {
			return err
		}
		w.resultTokens = append(w.resultTokens, minted.Token)
	}
	return nil
}

// answer has each candidate give so many answers to their current stage.
func (w *world) answer(ctx context.Context, answers int) error {
	for _, c := range w.candidates {
		if err := c.answer(ctx, answers); err != nil {
			return err
		}
	}
	return nil
}
