package store

import (
	"context"
	"strings"
	"time"

	"assay/store/queue"
)

// DisabledReason is the reason for which an endpoint is disabled.
type DisabledReason string

// The reasons for which an endpoint is disabled.
const (
	DisabledGone    DisabledReason = "ENDPOINT_GONE" // the endpoint answered 410
	DisabledFailing DisabledReason = "FAILING"       // every attempt failed for days
	DisabledManual  DisabledReason = "MANUAL"        // by a person or an API key
)

// WebhookEndpoint is an address to which events are delivered.
type WebhookEndpoint struct {
	ID                  string          `db:"id"`
	OrganizationID      string          `db:"organization_id"`
	URL                 string          `db:"url"`
	EventList           string          `db:"events"` // space-separated
	Description         *string         `db:"description"`
	Enabled             bool            `db:"enabled"`
	DisabledReason      *DisabledReason `db:"disabled_reason"`
	Secret              []byte          `db:"secret" json:"-"` // encrypted
	SecretHint          string          `db:"secret_hint"`
	NextSecret          []byte          `db:"next_secret" json:"-"` // encrypted
	NextSecretHint      *string         `db:"next_secret_hint"`
	NextSecretAt        *Time           `db:"next_secret_at"`
	ConsecutiveFailures int             `db:"consecutive_failures"`
	LastSuccessAt       *Time           `db:"last_success_at"`
	LastFailureAt       *Time           `db:"last_failure_at"`
	CancelledBefore     *int64          `db:"cancelled_before"` // microseconds since 1970; nothing created before is sent
	CreatedAt           Time            `db:"created_at"`
	UpdatedAt           Time            `db:"updated_at"`
}

const webhookColumns = `SELECT id, organization_id, url, events, description, enabled, disabled_reason, secret,
	secret_hint, next_secret, next_secret_hint, next_secret_at, consecutive_failures, last_success_at, last_failure_at,
	cancelled_before, created_at, updated_at FROM webhook_endpoints`

// Events returns the event types that the endpoint receives.
func (w WebhookEndpoint) Events() []string { return strings.Fields(w.EventList) }

// Hint returns the last four characters of the secret that signs at now.
func (w WebhookEndpoint) Hint(now time.Time) string {
	if w.NextSecretAt != nil && !now.Before(w.NextSecretAt.Time) {
		return *w.NextSecretHint
	}
	return w.SecretHint
}

// NewWebhook is the input of CreateWebhook.
type NewWebhook struct {
	URL         string
	Events      []string
	Secret      *string // nil: generated
	Description *string
}

// CreatedWebhook is an endpoint with its secret, which is shown once.
type CreatedWebhook struct {
	WebhookEndpoint
	ShownSecret string // in clear; must not be logged
}

// CreateWebhook creates an endpoint and returns its secret in clear, only this
// once. Refusals: invalid_request for an address that checkWebhookURL rejects,
// webhook_quota_exceeded, secret_already_shown.
func (s *Store) CreateWebhook(ctx context.Context, scope Scope, in NewWebhook) (CreatedWebhook, error) {
	if fault := checkWebhookURL(in.URL, s.opts.AllowInsecureWebhooks); fault != nil {
		return CreatedWebhook{}, errInvalid.with(*fault)
	}
	id := s.NewID("whk")
	secret, sealed, err := s.secretFor(id, in.Secret)
	if err != nil {
		return CreatedWebhook{}, err
	}
	var created CreatedWebhook
	err = onceShown(ctx, s, scope, &created.ID, func(c conn) error {
		if err := c.requireWebhookRoom(ctx, scope); err != nil {
			return err
		}
		now := s.Now().UnixMicro()
		if _, err := c.Exec(ctx, `
			INSERT INTO webhook_endpoints (id, organization_id, url, events, description, enabled, secret, secret_hint,
				created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			id, scope.OrganizationID, in.URL, strings.Join(in.Events, " "), in.Description, true, sealed, hint(secret),
			now, now); err != nil {
			return err
		}
		endpoint, err := c.webhook(ctx, scope, id)
		if err != nil {
			return err
		}
		created = CreatedWebhook{endpoint, secret}
		return c.audit(ctx, scope, AuditWebhookCreated, id,
			valueOf("url", endpoint.URL), valueOf("events", endpoint.EventList))
	})
	return created, err
}

// secretFor returns the given secret, or a generated one, and its encrypted form.
func (s *Store) secretFor(webhookID string, given *string) (secret string, sealed []byte, err error) {
	if given == nil {
		secret = newWebhookSecret()
	} else {
		secret = *given
		if fault := checkSecret(secret); fault != nil {
			return "", nil, errInvalid.with(*fault)
		}
	}
	sealed, err = s.opts.Keys.SealSecret(webhookID, secret)
	return secret, sealed, err
}

// hint returns the last four characters of a secret.
func hint(secret string) string {
	characters := []rune(secret)
	return string(characters[len(characters)-4:])
}

func (c conn) webhook(ctx context.Context, scope Scope, id string) (WebhookEndpoint, error) {
	var endpoint WebhookEndpoint
	err := c.Get(ctx, &endpoint, webhookColumns+` WHERE organization_id = ? AND id = ? AND deleted_at IS NULL`,
		scope.OrganizationID, id)
	return endpoint, orRefuse(err, errNoWebhook)
}

// ListWebhooks returns a page of endpoints, and whether there are more.
func (s *Store) ListWebhooks(ctx context.Context, scope Scope, page Page) ([]WebhookEndpoint, bool, error) {
	where := filterOf(scope, page)
	where.sql.WriteString(" AND deleted_at IS NULL")
	query, args := where.newestFirst(webhookColumns, page)
	var endpoints []WebhookEndpoint
	if err := s.read().List(ctx, &endpoints, query, args...); err != nil {
		return nil, false, err
	}
	endpoints, more := cut(endpoints, page.Limit)
	return endpoints, more, nil
}

// RetrieveWebhook returns one endpoint.
func (s *Store) RetrieveWebhook(ctx context.Context, scope Scope, id string) (WebhookEndpoint, error) {
	return s.read().webhook(ctx, scope, id)
}

// WebhookChange is the input of UpdateWebhook. A nil field does not change.
type WebhookChange struct {
	URL         *string
	Events      []string
	Description Change[string]
	Enabled     *bool
}

// UpdateWebhook changes the fields that are set. Disabling cancels pending
// deliveries: a batch at once, the rest as in UnscopedCancelDisabled. Enabling resets
// the counts of failures and restores no delivery. Refusals: not_found, invalid_request.
func (s *Store) UpdateWebhook(
	ctx context.Context, scope Scope, id string, change WebhookChange,
) (WebhookEndpoint, error) {
	if change.URL != nil {
		if fault := checkWebhookURL(*change.URL, s.opts.AllowInsecureWebhooks); fault != nil {
			return WebhookEndpoint{}, errInvalid.with(*fault)
		}
	}
	var events *string
	if change.Events != nil {
		joined := strings.Join(change.Events, " ")
		events = &joined
	}
	var changed WebhookEndpoint
	err := s.write(ctx, func(c conn) error {
		now := s.Now().UnixMicro()
		var before WebhookEndpoint
		if err := c.Get(ctx, &before, webhookColumns+` WHERE organization_id = ? AND id = ? AND deleted_at IS NULL`+
			s.db.ForNoKeyUpdate, scope.OrganizationID, id); err != nil {
			return orRefuse(err, errNoWebhook)
		}
		_, err := c.Exec(ctx, `
			UPDATE webhook_endpoints SET url = COALESCE(?, url), events = COALESCE(?, events),
				description = CASE WHEN ? THEN ? ELSE description END, updated_at = ?
			WHERE organization_id = ? AND id = ? AND deleted_at IS NULL`,
			change.URL, events, change.Description.Set, change.Description.Value, now, scope.OrganizationID, id)
		if err == nil && change.Enabled != nil {
			err = c.enableWebhook(ctx, scope, id, *change.Enabled)
		}
		if err != nil {
			return err
		}
		if changed, err = c.webhook(ctx, scope, id); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditWebhookUpdated, id, before.changes(changed)...)
	})
	if err == nil && !changed.Enabled {
		err = s.queue.CancelSome(ctx, id)
	}
	return changed, err
}

// DeleteWebhook removes an endpoint and cancels its pending deliveries: a batch at once, the
// others as in UnscopedCancelDisabled. Refusal: not_found.
func (s *Store) DeleteWebhook(ctx context.Context, scope Scope, id string) error {
	err := s.write(ctx, func(c conn) error {
		if err := c.deleteEndpoint(ctx, scope, id, s.Now()); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditWebhookDeleted, id)
	})
	if err != nil {
		return err
	}
	return s.queue.CancelSome(ctx, id)
}

func (c conn) deleteEndpoint(ctx context.Context, scope Scope, id string, now time.Time) error {
	touched, err := c.Exec(ctx, `
		UPDATE webhook_endpoints SET deleted_at = ?, enabled = ?, next_secret = NULL, next_secret_at = NULL
		WHERE organization_id = ? AND id = ? AND deleted_at IS NULL`, now.UnixMicro(), false, scope.OrganizationID, id)
	if err == nil && touched == 0 {
		return errNoWebhook
	}
	return err
}

// RotatedSecret is an endpoint's new secret, which is shown once.
type RotatedSecret struct {
	Secret      string    // in clear; must not be logged
	ActivatesAt time.Time // the new secret signs from then on
}

// RotateWebhookSecret sets a secret that signs after delay, and returns it in
// clear, only this once. Refusals: not_found, invalid_request, secret_already_shown.
func (s *Store) RotateWebhookSecret(
	ctx context.Context, scope Scope, id string, given *string, delay time.Duration,
) (RotatedSecret, error) {
	secret, sealed, err := s.secretFor(id, given)
	if err != nil {
		return RotatedSecret{}, err
	}
	var rotated RotatedSecret
	err = onceShown(ctx, s, scope, &id, func(c conn) error {
		now := s.Now()
		rotated = RotatedSecret{secret, now.Add(delay)}
		// The secret that signs at present continues until ActivatesAt. The statement
		// moves it within the row: reading it and writing it back could undo a
		// concurrent UnscopedReencrypt.
		touched, err := c.Exec(ctx, `
			UPDATE webhook_endpoints SET
				secret = CASE WHEN next_secret_at <= ? THEN next_secret ELSE secret END,
				secret_hint = CASE WHEN next_secret_at <= ? THEN next_secret_hint ELSE secret_hint END,
				next_secret = ?, next_secret_hint = ?, next_secret_at = ?, updated_at = ?
			WHERE organization_id = ? AND id = ? AND deleted_at IS NULL`,
			now.UnixMicro(), now.UnixMicro(), sealed, hint(secret), rotated.ActivatesAt.UnixMicro(), now.UnixMicro(),
			scope.OrganizationID, id)
		if err == nil && touched == 0 {
			err = errNoWebhook
		}
		if err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditWebhookSecretRotated, id, AuditChange{Field: "secret"})
	})
	return rotated, err
}

// Target is the address and the secrets of an attempt.
type Target = queue.Target

// TestWebhook returns the target of a ping to the endpoint, which may be disabled. Refusal: not_found.
func (s *Store) TestWebhook(ctx context.Context, scope Scope, id string) (Target, error) {
	var target Target
	err := s.write(ctx, func(c conn) error {
		endpoint, err := c.webhook(ctx, scope, id)
		if err != nil {
			return err
		}
		if target, err = s.target(endpoint); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditWebhookTested, id)
	})
	return target, err
}

// target decrypts the secrets that sign from now on.
func (s *Store) target(endpoint WebhookEndpoint) (Target, error) {
	target := Target{WebhookID: endpoint.ID, URL: endpoint.URL}
	if endpoint.CancelledBefore != nil {
		target.CancelledBefore = *endpoint.CancelledBefore
	}
	sealed := endpoint.Secret
	var err error
	switch at := endpoint.NextSecretAt; {
	case at == nil:
	case !s.Now().Before(at.Time):
		sealed = endpoint.NextSecret
	default:
		target.NextSecretAt = at.Time
		if target.NextSecret, err = s.opts.Keys.OpenSecret(endpoint.ID, endpoint.NextSecret); err != nil {
			return Target{}, err
		}
	}
	target.Secret, err = s.opts.Keys.OpenSecret(endpoint.ID, sealed)
	return target, err
}
