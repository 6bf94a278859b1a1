package store

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

// Once makes a request one that is done once, however often it is sent: the
// Idempotency-Key. What the work gave is written in the work's own transaction,
// so that a crash leaves both or neither, and no key is ever stuck.
type Once struct {
	Operation   string // operationId
	Key         string
	Fingerprint [sha256.Size]byte // of what is asked for

	// Replayed is set when an earlier request's outcome was given.
	Replayed bool
}

// onceLifetime is how long an outcome is kept.
const onceLifetime = 24 * time.Hour

var (
	errOnceInProgress = &Error{
		Kind: Conflict, Code: "idempotency_in_progress", Detail: "A request with this Idempotency-Key is still running; try again in a moment.",
	}
	errOnceReused = &Error{
		Kind: Unprocessable, Code: "idempotency_key_reused", Detail: "This Idempotency-Key belongs to another request.",
	}
	errOnceErased = &Error{
		Kind: Unprocessable, Code: "idempotency_key_reused",
		Detail: "The request with this Idempotency-Key was done, and what it answered has been erased since.",
	}
)

// once runs work in a transaction. For a request that has a key it keeps what
// work put into out, and gives that to the next request with the key instead of
// working again. What is refused is not kept: it changed nothing.
func once[T any](ctx context.Context, s *Store, scope Scope, out *T, work func(conn) error) error {
	return oncePart(ctx, s, scope, "", out, work)
}

// oncePart is once for one of several transactions of a request.
func oncePart[T any](ctx context.Context, s *Store, scope Scope, part string, out *T, work func(conn) error) error {
	if scope.Once == nil {
		return s.write(ctx, work)
	}
	ticket := newTicket(scope, part)
	if _, running := s.running.LoadOrStore(ticket.lock, true); running {
		return errOnceInProgress
	}
	defer s.running.Delete(ticket.lock)
	return s.write(ctx, func(c conn) error {
		var none T
		*out = none
		done, err := c.replay(ctx, scope, ticket, out)
		if done || err != nil {
			return err
		}
		if err := work(c); err != nil {
			return err
		}
		return c.remember(ctx, scope, ticket, out)
	})
}

// ticket is a request's key in the forms that it is locked, stored and read by.
type ticket struct {
	name string // what nobody else's key is called
	hash []byte
	lock int64
}

func newTicket(scope Scope, part string) ticket {
	name := strings.Join([]string{scope.OrganizationID, scope.Once.Operation, scope.Once.Key, part}, "\x00")
	sum := sha256.Sum256([]byte(name))
	return ticket{name: name, hash: sum[:], lock: int64(binary.BigEndian.Uint64(sum[:8]))}
}

// replay reads what an earlier request with the key gave. On PostgreSQL the
// lock ends with the transaction, whatever ends that.
func (c conn) replay(ctx context.Context, scope Scope, t ticket, out any) (done bool, err error) {
	if c.store.dialect.name == "postgres" {
		var free bool
		if err := c.get(ctx, &free, `SELECT pg_try_advisory_xact_lock(?)`, t.lock); err != nil {
			return false, err
		}
		if !free {
			return false, errOnceInProgress
		}
	}
	var kept struct {
		Fingerprint []byte `db:"fingerprint"`
		Outcome     []byte `db:"outcome"`
	}
	err = c.get(ctx, &kept, `
		SELECT fingerprint, outcome FROM idempotency_keys WHERE organization_id = ? AND operation = ? AND key_hash = ? AND created_at > ?`,
		scope.OrganizationID, scope.Once.Operation, t.hash, c.store.Now().Add(-onceLifetime))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, err
	case !slices.Equal(kept.Fingerprint, scope.Once.Fingerprint[:]):
		return false, errOnceReused
	case kept.Outcome == nil:
		return false, errOnceErased
	}
	decoded, err := c.store.opts.Keys.openOutcome(t, kept.Outcome)
	if err == nil {
		err = json.Unmarshal(decoded, out)
	}
	scope.Once.Replayed = err == nil
	return true, err
}

// aboutSessions is an outcome that holds candidates' data, to be erased with them.
type aboutSessions interface{ sessionIDs() []string }

// remember keeps the outcome in the transaction that it came from. A key whose
// time is over is taken anew.
func (c conn) remember(ctx context.Context, scope Scope, t ticket, out any) error {
	encoded, err := json.Marshal(out)
	if err != nil {
		return err
	}
	sealed, err := c.store.opts.Keys.sealOutcome(t, encoded)
	if err != nil {
		return err
	}
	subjects := ""
	if about, ok := out.(aboutSessions); ok {
		subjects = " " + strings.Join(about.sessionIDs(), " ") + " "
	}
	_, err = c.exec(ctx, `
		INSERT INTO idempotency_keys (organization_id, operation, key_hash, fingerprint, subjects, outcome, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (organization_id, operation, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
			subjects = excluded.subjects, outcome = excluded.outcome, created_at = excluded.created_at`,
		scope.OrganizationID, scope.Once.Operation, t.hash, scope.Once.Fingerprint[:], subjects, sealed, c.store.Now())
	return err
}

// sealOutcome encrypts an outcome, because it may hold what is shown only once,
// such as an API key. The request's own key goes into the encryption: the
// database and the master secret together do not open it.
func (k *Keys) sealOutcome(t ticket, outcome []byte) ([]byte, error) {
	aead, err := outcomeCipher(k.Signing(PurposeOutcome), t)
	if err != nil {
		return nil, err
	}
	nonce, err := randomBytes(aead.NonceSize())
	if err != nil {
		return nil, err
	}
	return aead.Seal(nonce, nonce, outcome, nil), nil
}

var errOutcome = errors.New("store: what an idempotency key kept cannot be decrypted with the master secret or the previous ones")

func (k *Keys) openOutcome(t ticket, sealed []byte) ([]byte, error) {
	for _, key := range k.Verifying(PurposeOutcome) {
		aead, err := outcomeCipher(key, t)
		if err != nil {
			return nil, err
		}
		if len(sealed) < aead.NonceSize() {
			return nil, errOutcome
		}
		if outcome, err := aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], nil); err == nil {
			return outcome, nil
		}
	}
	return nil, errOutcome
}

func outcomeCipher(key []byte, t ticket) (cipher.AEAD, error) {
	own, err := hkdf.Key(sha256.New, key, nil, "outcome of "+t.name, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(own)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
