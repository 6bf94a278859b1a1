package store

import (
	"bytes"
	"context"
	"errors"

	"assay/store/keys"
)

// Reencrypted is the result of UnscopedReencrypt.
type Reencrypted struct {
	Secrets int // number of stored secrets
	Changed int // number of secrets that were encrypted again
	// Lost are the ids of endpoints with a secret that neither the current nor a
	// previous master secret decrypts, except deleted ones. They do not change.
	Lost []string

	stale int // secrets encrypted with a previous master secret
}

// reencryptBatch bounds one transaction.
const reencryptBatch = 200

// UnscopedReencrypt encrypts every stored secret with the current master secret,
// after which previous ones can be removed from the configuration. It can run while
// the service runs, and repeatedly. It repeats the pass over all rows until a pass
// finds nothing to change. Each batch is one transaction.
func (s *Store) UnscopedReencrypt(ctx context.Context) (Reencrypted, error) {
	changed := 0
	for {
		pass, err := s.reencryptAll(ctx)
		changed += pass.Changed
		if err != nil || pass.stale == 0 {
			pass.Changed = changed
			return pass, err
		}
	}
}

func (s *Store) reencryptAll(ctx context.Context) (Reencrypted, error) {
	var out Reencrypted
	for after := ""; ; {
		batch, last, err := s.reencryptSome(ctx, after)
		if err != nil || last == "" {
			return out, err
		}
		out.Secrets += batch.Secrets
		out.Changed += batch.Changed
		out.stale += batch.stale
		out.Lost = append(out.Lost, batch.Lost...)
		after = last
	}
}

// sealedRow is the encrypted part of an endpoint.
type sealedRow struct {
	ID         string `db:"id"`
	Secret     []byte `db:"secret"`
	NextSecret []byte `db:"next_secret"`
	Deleted    bool   `db:"deleted"`
}

// reencryptSome encrypts the rows that follow the id after, and returns the last id
// among them, or "" when there were none.
func (s *Store) reencryptSome(ctx context.Context, after string) (out Reencrypted, last string, err error) {
	err = s.write(ctx, func(c conn) error {
		out, last = Reencrypted{}, "" // the closure can run more than once
		var rows []sealedRow
		if err := c.List(ctx, &rows, `
			SELECT id, secret, next_secret, deleted_at IS NOT NULL AS deleted FROM webhook_endpoints WHERE id > ?
				ORDER BY id LIMIT ?`,
			after, reencryptBatch); err != nil {
			return err
		}
		for _, row := range rows {
			last = row.ID
			err := errors.Join(
				c.reencrypt(ctx, &out, row.ID, row.Secret, `UPDATE webhook_endpoints SET secret = ? WHERE id = ? AND secret = ?`),
				c.reencrypt(ctx, &out, row.ID, row.NextSecret,
					`UPDATE webhook_endpoints SET next_secret = ? WHERE id = ? AND next_secret = ?`),
			)
			switch {
			case err != nil && !errors.Is(err, keys.ErrSealed):
				return err
			case err != nil && !row.Deleted:
				out.Lost = append(out.Lost, row.ID)
			}
		}
		return nil
	})
	return out, last, err
}

// reencrypt replaces a secret only if the row still has it: a concurrent rotation
// takes precedence, and the next pass finds its result.
func (c conn) reencrypt(ctx context.Context, out *Reencrypted, webhookID string, sealed []byte, update string) error {
	if sealed == nil {
		return nil
	}
	out.Secrets++
	fresh, err := c.store.opts.Keys.ResealSecret(webhookID, sealed)
	if err != nil || bytes.Equal(fresh, sealed) {
		return err
	}
	out.stale++
	changed, err := c.Exec(ctx, update, fresh, webhookID, sealed)
	out.Changed += int(changed)
	return err
}
