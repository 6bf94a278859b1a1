package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/internal/db"
)

// A callback is queued in the transaction of the event that it is about. Several events of a session can wait, and the
// newest one stands for all of them: a callback says what is true when it is sent. While one callback of an order is
// in flight, no other one is claimed, so that a system never receives an older state last.

// callbackOf queues the callbacks of an event: one for each order of the session.
func callbackOf(e event, eventID string) db.Insert {
	return db.Insert{
		Into: `INSERT INTO integration_callbacks (order_id, event_id, organization_id, run_at, lease, attempt, created_at)`,
		Select: `SELECT o.id, ?, o.organization_id, ?, '', 0, ?
			FROM (SELECT c.id, c.organization_id FROM integration_orders c
			JOIN integrations i ON i.organization_id = c.organization_id AND i.partner = c.partner
			WHERE c.session_id = ?) o`,
		Args: []any{eventID, e.at, e.at, e.subjectID},
	}
}

// PartnerCallback is a claimed callback.
type PartnerCallback struct {
	OrderID        string    `db:"order_id"`
	EventID        string    `db:"event_id"`
	OrganizationID string    `db:"organization_id"`
	Attempt        int       `db:"attempt"` // from 1
	Lease          string    `db:"lease"`
	At             time.Time `db:"-"` // of the event

	Order PartnerOrder `db:"-"`
	Key   string       `db:"-"` // of the organization at the system, in clear; must not be logged
}

// UnscopedClaimPartnerCallback leases a callback that is due, and reads what it is about. It returns nil if none is
// due.
func (s *Store) UnscopedClaimPartnerCallback(
	ctx context.Context, lease string, leaseEnd time.Time,
) (*PartnerCallback, error) {
	now := s.Now()
	var next *Time
	err := s.db.DispatcherRead().Row(ctx, []any{&next}, `SELECT MIN(run_at) FROM integration_callbacks`)
	if err != nil || next == nil || next.After(now) { // the usual case, which should not write
		return nil, err
	}
	var claimed *PartnerCallback
	err = s.db.WriteDispatcher(ctx, func(connection db.Conn) error {
		claimed, err = conn{connection, s}.claimPartnerCallback(ctx, lease, leaseEnd, now)
		return err
	})
	if err != nil || claimed == nil {
		return nil, err
	}
	// In a second transaction, which locks the session. An erasure locks the session first, and then the callback.
	read := false
	err = s.db.WriteDispatcher(ctx, func(connection db.Conn) error {
		read, err = conn{connection, s}.readPartnerCallback(ctx, claimed)
		return err
	})
	if err != nil || read {
		return claimed, err
	}
	// The system was disconnected, or the session erased.
	return nil, s.UnscopedSettlePartnerCallback(ctx, CallbackOutcome{Callback: *claimed})
}

func (c conn) claimPartnerCallback(
	ctx context.Context, lease string, leaseEnd, now time.Time,
) (*PartnerCallback, error) {
	var claimed struct {
		PartnerCallback
		CreatedAt Time `db:"created_at"`
	}
	err := c.Get(ctx, &claimed, `
		UPDATE integration_callbacks SET run_at = ?, lease = ?, attempt = attempt + 1
		WHERE (order_id, event_id) = (SELECT q.order_id, q.event_id FROM integration_callbacks q
			WHERE q.run_at <= ? AND NOT EXISTS (SELECT 1 FROM integration_callbacks b WHERE b.order_id = q.order_id
				AND (b.event_id > q.event_id OR b.lease <> '' AND b.run_at > ?))
			ORDER BY q.run_at LIMIT 1`+c.store.db.SkipLocked+`)
		RETURNING order_id, event_id, organization_id, attempt, lease, created_at`, leaseEnd, lease, now, now)
	if errors.Is(err, sql.ErrNoRows) { // another worker has it, or a callback of its order is in flight
		return nil, nil //nolint:nilnil // see above
	}
	if err != nil {
		return nil, err
	}
	callback := claimed.PartnerCallback
	callback.At = claimed.CreatedAt.Time
	if _, err := c.Exec(ctx, `DELETE FROM integration_callbacks WHERE order_id = ? AND event_id < ?`,
		callback.OrderID, callback.EventID); err != nil {
		return nil, err
	}
	return &callback, nil
}

// readPartnerCallback reads the order and the key of a callback. It returns false if one does not exist any more.
func (c conn) readPartnerCallback(ctx context.Context, callback *PartnerCallback) (bool, error) {
	scope := Scope{OrganizationID: callback.OrganizationID}
	var found struct {
		Partner Partner `db:"partner"`
		Key     []byte  `db:"callback_key"`
	}
	err := c.Get(ctx, &found, `
		SELECT o.partner, i.callback_key FROM integration_orders o
		JOIN integrations i ON i.organization_id = o.organization_id AND i.partner = o.partner
		WHERE o.organization_id = ? AND o.id = ?`, scope.OrganizationID, callback.OrderID)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if callback.Key, err = c.store.opts.Keys.OpenSecret(
		integrationSecretID(scope.OrganizationID, found.Partner), found.Key); err != nil {
		return false, nil //nolint:nilerr // the key is lost; the organization must connect the system again
	}
	callback.Order, err = c.linkedPartnerOrder(ctx, scope, found.Partner, callback.OrderID)
	return err == nil, err
}

// CallbackOutcome is the result of one attempt of a callback.
type CallbackOutcome struct {
	Callback PartnerCallback
	Exchange *Exchange // nil if there was nothing to send
	RetryAt  time.Time // zero if there is no further attempt
}

// UnscopedSettlePartnerCallback writes an outcome, if the callback still has its lease.
func (s *Store) UnscopedSettlePartnerCallback(ctx context.Context, outcome CallbackOutcome) error {
	return s.db.WriteDispatcher(ctx, func(connection db.Conn) error {
		c, callback := conn{connection, s}, outcome.Callback
		query, args := `DELETE FROM integration_callbacks WHERE order_id = ? AND event_id = ? AND lease = ?`, []any{}
		if !outcome.RetryAt.IsZero() {
			query = `UPDATE integration_callbacks SET run_at = ?, lease = ''
				WHERE order_id = ? AND event_id = ? AND lease = ?`
			args = []any{outcome.RetryAt}
		}
		settled, err := c.Exec(ctx, query, append(args, callback.OrderID, callback.EventID, callback.Lease)...)
		if err != nil || settled == 0 || outcome.Exchange == nil {
			return err
		}
		return c.recordExchange(ctx, callback.OrganizationID, callback.Order.Partner, *outcome.Exchange)
	})
}
