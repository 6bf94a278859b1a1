package store

import (
	"bytes"
	"context"
	"errors"

	"assay/store/keys"
)

// Reencrypted is what UnscopedReencrypt found and did.
type Reencrypted struct {
	Secrets int // stored secrets that were read
	Changed int // how often one was sealed anew
	// Lost are the endpoints, but for deleted ones, with a secret that neither
	// the current nor a previous master secret opens. They stay as they are.
	Lost []string

	stale int // secrets that an earlier master secret had sealed
}

// reencryptBatch bounds one transaction.
const reencryptBatch = 200

// UnscopedReencrypt seals every stored secret that an earlier master secret
// sealed with the current one, after which the earlier one can be dropped. It
// may run while the service does, and at any time again. Its last pass over all
// rows has found nothing to change.
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

// sealedRow is what an endpoint keeps encrypted.
type sealedRow struct {
	ID         string `db:"id"`
	Secret     []byte `db:"secret"`
	NextSecret []byte `db:"next_secret"`
	Deleted    bool   `db:"deleted"`
}

// reencryptSome does the rows behind the id after, and returns the last id of
// them, or "" when there were none.
func (s *Store) reencryptSome(ctx context.Context, after string) (out Reencrypted, last string, err error) {
	err = s.write(ctx, func(c conn) error {
		out, last = Reencrypted{}, "" // the transaction may run again
		var rows []sealedRow
		if err := c.List(ctx, &rows, `
			SELECT id, secret, next_secret, deleted_at IS NOT NULL AS deleted FROM webhook_endpoints WHERE id > ? ORDER BY id LIMIT ?`,
			after, reencryptBatch); err != nil {
			return err
		}
		for _, row := range rows {
			last = row.ID
			err := errors.Join(
				c.reencrypt(ctx, &out, row.ID, row.Secret, `UPDATE webhook_endpoints SET secret = ? WHERE id = ? AND secret = ?`),
				c.reencrypt(ctx, &out, row.ID, row.NextSecret, `UPDATE webhook_endpoints SET next_secret = ? WHERE id = ? AND next_secret = ?`),
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

// reencrypt replaces only what the row still holds: a rotation meanwhile has
// the later word, and the next pass sees what it left.
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
