package store

import (
	"context"
	"errors"
	"fmt"

	"assay/store/keys"
)

// The tables with secrets of second factors.
const (
	secondFactors       = "second_factors"
	recoveryCodesTable  = "recovery_codes"
	signInRecoveryCodes = "sign_in_recovery_codes"
	signInProviders     = "sign_in_providers"
)

// reencryptSecondFactors encrypts the secrets of authenticator apps and of sign-in providers, and the hashes of
// recovery codes.
func (s *Store) reencryptSecondFactors(ctx context.Context, out *Reencrypted) error {
	for _, of := range []struct {
		table, column string
		reseal        func(id string, sealed []byte) ([]byte, error)
	}{
		{secondFactors, "secret", s.opts.Keys.ResealTOTP},
		{recoveryCodesTable, "hash", s.opts.Keys.ResealRecoveryCode},
		{signInRecoveryCodes, "hash", s.opts.Keys.ResealRecoveryCode},
		{signInProviders, "client_secret", s.opts.Keys.ResealClientSecret},
	} {
		for after := ""; ; {
			var rows []struct {
				ID     string `db:"id"`
				Sealed []byte `db:"sealed"`
			}
			batch := *out
			err := s.write(ctx, func(c conn) error {
				batch, rows = *out, nil // the closure can run more than once
				if err := c.List(ctx, &rows, fmt.Sprintf(`SELECT id, %s AS sealed FROM %s WHERE id > ? ORDER BY id LIMIT ?`,
					of.column, of.table), after, reencryptBatch); err != nil {
					return err
				}
				for _, row := range rows {
					err := c.reencrypt(ctx, &batch, of.reseal, row.ID, row.Sealed,
						fmt.Sprintf(`UPDATE %[1]s SET %[2]s = ? WHERE %[2]s = ? AND id = ?`, of.table, of.column), row.ID)
					if errors.Is(err, keys.ErrSealed) {
						batch.Lost = append(batch.Lost, row.ID)
					} else if err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			if len(rows) == 0 {
				break
			}
			*out = batch
			after = rows[len(rows)-1].ID
		}
	}
	return nil
}
