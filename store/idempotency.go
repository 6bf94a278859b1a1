package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"assay/store/keys"
)

// Once is the Idempotency-Key of a request. A request that is sent several times is
// executed once. The outcome is stored in the transaction of the work itself, so
// that a crash leaves both or neither, and no key stays locked.
type Once struct {
	Operation   string // operationId
	Key         string
	Fingerprint [sha256.Size]byte // of the request's content

	// Replayed is set when the outcome is that of an earlier request.
	Replayed bool
}

// onceLifetime is how long an outcome is stored.
const onceLifetime = 24 * time.Hour

// once runs work in a transaction. For a request with an Idempotency-Key it also
// stores out; the next request with the key receives the stored value, and work
// does not run. Refusals are not stored, because they changed nothing.
func once[T any](ctx context.Context, s *Store, scope Scope, out *T, work func(conn) error) error {
	return oncePart(ctx, s, scope, "", out, work)
}

// onceShown is once for a request whose response contains a secret. It stores only the
// id of the resource that work creates or changes, because a secret is shown once. The
// next request with the key is refused with that id. resourceID points to the id; work
// may set it.
func onceShown(ctx context.Context, s *Store, scope Scope, resourceID *string, work func(conn) error) error {
	var shown struct{ ID string }
	err := once(ctx, s, scope, &shown, func(c conn) error {
		err := work(c)
		shown.ID = *resourceID
		return err
	})
	if err != nil || scope.Once == nil || !scope.Once.Replayed {
		return err
	}
	scope.Once.Replayed = false
	// Compatibility until v1.1: an outcome that v1.0 has stored can lack the id of a rotation.
	return errSecretShown.about(cmp.Or(shown.ID, *resourceID))
}

// oncePart is once for one of several transactions of the same request.
func oncePart[T any](ctx context.Context, s *Store, scope Scope, part string, out *T, work func(conn) error) error {
	if scope.Once == nil {
		return s.write(ctx, work)
	}
	ticket := newTicket(scope, part)
	if _, running := s.running.LoadOrStore(ticket.lock, true); running {
		return errKeyInProgress
	}
	defer s.running.Delete(ticket.lock)
	replayed := false
	err := s.write(ctx, func(c conn) error {
		var none T
		*out = none
		var err error
		if replayed, err = c.replay(ctx, scope, ticket, out); replayed || err != nil {
			return err
		}
		if err := work(c); err != nil {
			return err
		}
		return c.remember(ctx, scope, ticket, out)
	})
	scope.Once.Replayed = replayed && err == nil
	return err
}

// ticket is the Idempotency-Key of one transaction, in the forms in which it is
// locked and stored.
type ticket struct {
	name    string            // the organization, operation, key, and part
	request [sha256.Size]byte // hash of the request's content
	hash    []byte
	lock    int64
}

func newTicket(scope Scope, part string) ticket {
	name := strings.Join([]string{scope.OrganizationID, scope.Once.Operation, scope.Once.Key, part}, "\x00")
	sum := sha256.Sum256([]byte(name))
	return ticket{name: name, request: scope.Once.Fingerprint, hash: sum[:], lock: int64(binary.BigEndian.Uint64(sum[:8]))}
}

// replay reads the outcome of an earlier request with the key into out. Its lock
// ends with the transaction.
func (c conn) replay(ctx context.Context, scope Scope, t ticket, out any) (done bool, err error) {
	locked, err := c.store.db.TryLock(ctx, c.Conn, t.lock)
	if err != nil {
		return false, err
	}
	if !locked {
		return false, errKeyInProgress
	}
	var kept keys.SealedOutcome
	err = c.Get(ctx, &kept, `
		SELECT fingerprint, outcome FROM idempotency_keys WHERE organization_id = ? AND operation = ? AND key_hash = ?
			AND created_at > ?`,
		scope.OrganizationID, scope.Once.Operation, t.hash, c.store.Now().Add(-onceLifetime))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	outcome, err := c.store.opts.Keys.OpenOutcome(t.name, t.request, kept)
	switch {
	case errors.Is(err, keys.ErrOutcomeOfOther):
		return false, errKeyReused
	case errors.Is(err, keys.ErrOutcomeErased):
		return false, errKeyErased
	case errors.Is(err, keys.ErrSealed):
		c.store.opts.Log.WarnContext(ctx,
			"cannot decrypt the stored response of an Idempotency-Key with the current or a previous master secret",
			"organization", scope.OrganizationID, "operation", scope.Once.Operation)
		return false, errKeyUnreadable
	case err != nil:
		return false, err
	}
	return true, json.Unmarshal(outcome, out)
}

// aboutSessions is an outcome that contains data of candidates. It is erased when
// the data of one of its sessions is erased.
type aboutSessions interface{ sessionIDs() []string }

// remember stores the outcome. It replaces the outcome of an expired key.
func (c conn) remember(ctx context.Context, scope Scope, t ticket, out any) error {
	encoded, err := json.Marshal(out)
	if err != nil {
		return err
	}
	kept, err := c.store.opts.Keys.SealOutcome(t.name, t.request, encoded)
	if err != nil {
		return err
	}
	subjects := ""
	if about, ok := out.(aboutSessions); ok {
		subjects = " " + strings.Join(about.sessionIDs(), " ") + " "
	}
	_, err = c.Exec(ctx, `
		INSERT INTO idempotency_keys (organization_id, operation, key_hash, fingerprint, subjects, outcome, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (organization_id, operation, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
			subjects = excluded.subjects, outcome = excluded.outcome, created_at = excluded.created_at`,
		scope.OrganizationID, scope.Once.Operation, t.hash, kept.Fingerprint, subjects, kept.Outcome, c.store.Now())
	return err
}
