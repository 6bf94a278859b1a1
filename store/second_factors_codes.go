package store

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/pquerna/otp/hotp"

	"assay/store/keys"
)

// Authenticator apps (RFC 6238) with the values that all of them support: SHA-1, 6 digits, and steps of 30 seconds. The
// secret has 160 bits (RFC 4226, section 4).
const (
	totpIssuer      = "Assay"
	totpSecretBytes = 20
	totpStep        = 30 * time.Second
	totpDigits      = 6
)

// Recovery codes have 50 random bits. The alphabet has no letters that look like others.
const (
	recoveryCodes        = 10
	recoveryCodeLength   = 10
	recoveryCodeAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"
)

// codeForm is the form in which codes are compared.
func codeForm(typed string) string {
	return strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(typed))
}

func isTOTP(typed string) bool {
	return len(typed) == totpDigits && strings.Trim(typed, "0123456789") == ""
}

func newTOTPSecret() string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(keys.RandomBytes(totpSecretBytes))
}

// totpURI is the address with which an app learns the secret, in the format of Google Authenticator.
func totpURI(secret, email string) string {
	values := url.Values{"secret": {secret}, "issuer": {totpIssuer}}
	return "otpauth://totp/" + totpIssuer + ":" + url.PathEscape(email) + "?" + values.Encode()
}

// totpStepOf returns the time step of a code, or false for a wrong one. The clock of a phone can differ by one step.
func totpStepOf(secret, typed string, now time.Time) (step int64, ok bool) {
	current := now.Unix() / int64(totpStep/time.Second)
	for _, step := range []int64{current, current - 1, current + 1} {
		expected, err := hotp.GenerateCode(secret, uint64(step)) // the clock is after 1970
		if err == nil && subtle.ConstantTimeCompare([]byte(expected), []byte(typed)) == 1 {
			return step, true
		}
	}
	return 0, false
}

// useTOTP accepts a code of an authenticator app. Each time step of an app is accepted once (RFC 6238, section 5.2),
// and no earlier one afterwards.
func (c conn) useTOTP(ctx context.Context, factors []secondFactor, typed string) (bool, error) {
	now := c.store.Now()
	for _, factor := range factors {
		if factor.Type != TOTP {
			continue
		}
		step, matches, err := c.matchTOTP(ctx, factor, typed, now)
		if err != nil {
			return false, err
		}
		if !matches {
			continue
		}
		used, err := c.Exec(ctx, `
			UPDATE second_factors SET last_step = ?, last_used_at = ?
			WHERE person_id = ? AND id = ? AND (last_step IS NULL OR last_step < ?)`,
			step, now, factor.PersonID, factor.ID, step)
		if err != nil || used == 1 {
			return err == nil, err
		}
	}
	return false, nil
}

// matchTOTP compares a code with an app. A secret that no master secret decrypts matches no code: the operator can then
// reset the second factors of the person.
func (c conn) matchTOTP(ctx context.Context, factor secondFactor, typed string, now time.Time) (int64, bool, error) {
	secret, err := c.store.opts.Keys.OpenTOTP(factor.ID, factor.Secret)
	if errors.Is(err, keys.ErrSealed) {
		c.store.opts.Log.WarnContext(ctx, "no master secret decrypts a second factor", "factor", factor.ID)
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	step, matches := totpStepOf(secret, typed, now)
	return step, matches, nil
}

// hashRecoveryCode hashes a code in its form. The hash alone could be reversed by trying all codes, so it is stored
// encrypted: a copy of the database without the master secret contains nothing that a code can be compared with. Unlike
// a keyed hash, it survives a change of the master secret.
func hashRecoveryCode(typed string) string {
	sum := sha256.Sum256([]byte(codeForm(typed)))
	return hex.EncodeToString(sum[:])
}

func newRecoveryCode() string {
	var code strings.Builder
	for i, random := range keys.RandomBytes(recoveryCodeLength) {
		if i == recoveryCodeLength/2 {
			code.WriteByte('-')
		}
		code.WriteByte(recoveryCodeAlphabet[int(random)%len(recoveryCodeAlphabet)]) // 256 is a multiple of 32
	}
	return code.String()
}

// replaceRecoveryCodes replaces the codes of a locked person, and returns the new ones.
func (c conn) replaceRecoveryCodes(ctx context.Context, personID string) ([]string, error) {
	if _, err := c.Exec(ctx, `DELETE FROM recovery_codes WHERE person_id = ?`, personID); err != nil {
		return nil, err
	}
	codes := make([]string, recoveryCodes)
	for i := range codes {
		codes[i] = newRecoveryCode()
		id := c.store.NewID("rcv")
		sealed, err := c.store.opts.Keys.SealRecoveryCode(id, hashRecoveryCode(codes[i]))
		if err != nil {
			return nil, err
		}
		if _, err := c.Exec(ctx, `INSERT INTO recovery_codes (id, person_id, hash) VALUES (?, ?, ?)`,
			id, personID, sealed); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// useRecoveryCode uses up a recovery code. Of two requests with the code, the update of one finds no row.
func (c conn) useRecoveryCode(ctx context.Context, scope Scope, user User, typed string) (bool, error) {
	var stored []struct {
		ID   string `db:"id"`
		Hash []byte `db:"hash"`
	}
	if err := c.List(ctx, &stored, `SELECT id, hash FROM recovery_codes WHERE person_id = ? AND used_at IS NULL`,
		user.PersonID); err != nil {
		return false, err
	}
	hash := hashRecoveryCode(typed)
	for _, row := range stored {
		opened, err := c.store.opts.Keys.OpenRecoveryCode(row.ID, row.Hash)
		if err != nil && !errors.Is(err, keys.ErrSealed) {
			return false, err
		}
		if err != nil || subtle.ConstantTimeCompare([]byte(opened), []byte(hash)) != 1 {
			continue
		}
		used, err := c.Exec(ctx, `UPDATE recovery_codes SET used_at = ? WHERE person_id = ? AND id = ? AND used_at IS NULL`,
			c.store.Now(), user.PersonID, row.ID)
		if err != nil || used == 0 {
			return false, err
		}
		entry, err := c.auditID(ctx, scope, AuditRecoveryCodeUsed, user.ID)
		if err != nil {
			return false, err
		}
		return true, c.queueNotice(ctx, EmailRecoveryCodeUsed, user.OrganizationID, user.ID, entry)
	}
	return false, nil
}
