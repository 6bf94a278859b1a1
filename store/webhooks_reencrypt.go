package store

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"assay/store/keys"
)

// Reencrypted is the result of UnscopedReencrypt.
type Reencrypted struct {
	Secrets int // number of stored secrets
	Changed int // number of secrets that were encrypted again
	// Lost are the ids of endpoints, except deleted ones, and of connections with a secret, and of assessments with
	// answers to voluntary questions, and of second factors and recovery codes, that neither the current nor a previous
	// master secret decrypts. They do not change.
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
		if err != nil {
			return out, err
		}
		if last == "" {
			if err := s.reencryptIntegrations(ctx, &out); err != nil {
				return out, err
			}
			if err := s.reencryptAnswers(ctx, &out); err != nil {
				return out, err
			}
			err := s.reencryptSecondFactors(ctx, &out)
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
				c.reencrypt(ctx, &out, s.opts.Keys.ResealSecret, row.ID, row.Secret,
					`UPDATE webhook_endpoints SET secret = ? WHERE secret = ? AND id = ?`, row.ID),
				c.reencrypt(ctx, &out, s.opts.Keys.ResealSecret, row.ID, row.NextSecret,
					`UPDATE webhook_endpoints SET next_secret = ? WHERE next_secret = ? AND id = ?`, row.ID),
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

// reencryptIntegrations encrypts the callback keys of the connections with applicant tracking systems. Only a few of
// the organizations have one.
func (s *Store) reencryptIntegrations(ctx context.Context, out *Reencrypted) error {
	var organization string
	var partner Partner
	for {
		var rows []struct {
			OrganizationID string  `db:"organization_id"`
			Partner        Partner `db:"partner"`
			Key            []byte  `db:"callback_key"`
		}
		batch := *out
		err := s.write(ctx, func(c conn) error {
			batch, rows = *out, nil // the closure can run more than once
			if err := c.List(ctx, &rows, `
				SELECT organization_id, partner, callback_key FROM integrations
				WHERE (organization_id, partner) > (?, ?) ORDER BY organization_id, partner LIMIT ?`,
				organization, partner, reencryptBatch); err != nil {
				return err
			}
			for _, row := range rows {
				id := integrationSecretID(row.OrganizationID, row.Partner)
				err := c.reencrypt(ctx, &batch, s.opts.Keys.ResealSecret, id, row.Key, `
					UPDATE integrations SET callback_key = ? WHERE callback_key = ? AND organization_id = ? AND partner = ?`,
					row.OrganizationID, row.Partner)
				if errors.Is(err, keys.ErrSealed) {
					batch.Lost = append(batch.Lost, id)
				} else if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || len(rows) == 0 {
			return err
		}
		*out = batch
		organization, partner = rows[len(rows)-1].OrganizationID, rows[len(rows)-1].Partner
	}
}

// reencryptAnswers encrypts the answers of candidates to voluntary questions.
func (s *Store) reencryptAnswers(ctx context.Context, out *Reencrypted) error {
	for after := ""; ; {
		var rows []struct {
			SessionID    string `db:"session_id"`
			AssessmentID string `db:"assessment_id"`
			Answers      []byte `db:"answers"`
		}
		batch := *out
		err := s.write(ctx, func(c conn) error {
			batch, rows = *out, nil // the closure can run more than once
			if err := c.List(ctx, &rows, `
				SELECT session_id, assessment_id, answers FROM group_answers WHERE session_id > ? ORDER BY session_id LIMIT ?`,
				after, reencryptBatch); err != nil {
				return err
			}
			for _, row := range rows {
				err := c.reencrypt(ctx, &batch, s.opts.Keys.ResealAnswers, row.SessionID, row.Answers,
					`UPDATE group_answers SET answers = ? WHERE answers = ? AND session_id = ?`, row.SessionID)
				if errors.Is(err, keys.ErrSealed) {
					if !slices.Contains(batch.Lost, row.AssessmentID) {
						batch.Lost = append(batch.Lost, row.AssessmentID)
					}
				} else if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || len(rows) == 0 {
			return err
		}
		*out = batch
		after = rows[len(rows)-1].SessionID
	}
}

// reencrypt replaces a secret only if the row still has it: a concurrent rotation
// takes precedence, and the next pass finds its result. reseal is a method of keys.Ring for values that are bound to
// the id. The update ends with the arguments that name the row.
func (c conn) reencrypt(
	ctx context.Context, out *Reencrypted, reseal func(id string, sealed []byte) ([]byte, error), id string,
	sealed []byte, update string, row ...any,
) error {
	if sealed == nil {
		return nil
	}
	out.Secrets++
	fresh, err := reseal(id, sealed)
	if err != nil || bytes.Equal(fresh, sealed) {
		return err
	}
	out.stale++
	changed, err := c.Exec(ctx, update, append([]any{fresh, sealed}, row...)...)
	out.Changed += int(changed)
	return err
}
