package store

import (
	"context"
	"crypto/subtle"
	"errors"
	"time"

	"assay/store/keys"
)

// CreateSignInRecoveryCodes replaces the recovery codes of the organization, and returns the new ones, only this once.
func (s *Store) CreateSignInRecoveryCodes(ctx context.Context, scope Scope) ([]string, error) {
	var codes []string
	err := s.write(ctx, func(c conn) error {
		if err := c.lockOrganization(ctx, scope); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `DELETE FROM sign_in_recovery_codes WHERE organization_id = ?`,
			scope.OrganizationID); err != nil {
			return err
		}
		codes = make([]string, recoveryCodes)
		for i := range codes {
			codes[i] = newRecoveryCode()
			id := s.NewID("rcv")
			sealed, err := s.opts.Keys.SealRecoveryCode(id, hashRecoveryCode(codes[i]))
			if err != nil {
				return err
			}
			if _, err := c.Exec(ctx, `INSERT INTO sign_in_recovery_codes (id, organization_id, hash) VALUES (?, ?, ?)`,
				id, scope.OrganizationID, sealed); err != nil {
				return err
			}
		}
		return c.audit(ctx, scope, AuditSignInRecoveryCodesCreated, scope.OrganizationID)
	})
	return codes, err
}

// signInToRecover signs an OWNER in with a recovery code of an organization that requires its provider. The code
// replaces the provider, and not the second factor of the OWNER: other OWNERs have the code, too, and the sign-in can
// switch to other organizations. Refusals: sso_required, second_factor_required.
func (c conn) signInToRecover(ctx context.Context, scope Scope, user User, in Credentials, out *SignedIn) error {
	member, err := c.recoverEntrance(ctx, scope, user, in)
	if errors.Is(err, errSSORequired) && in.Code != "" { // as a wrong code of a second factor
		if _, err := c.auditPerson(ctx, scope, AuditSignInFailed, user); err != nil {
			return err
		}
		return commitThenRefuse(errSSORequired)
	}
	if err != nil {
		return err
	}
	scope.Method = byRecovery
	if _, err := c.requireSecondFactor(ctx, scope.as(member), member, ""); err != nil {
		return err
	}
	out.User = member
	if out.Login, err = c.addLogin(ctx, scope.Origin, member, ByPassword, c.store.Now()); err != nil {
		return err
	}
	return c.audit(ctx, scope.as(member), AuditSignedIn, member.ID)
}

// insertChallengedLogin adds the login of a challenge whose second factor was proved. Refusal: sso_required.
func (c conn) insertChallengedLogin(
	ctx context.Context, from Origin, method SignInMethod, member User, now time.Time,
) (Login, error) {
	switch {
	case method != byRecovery:
		return c.insertLogin(ctx, from, member, now)
	case member.Role != Owner: // not any more
		return Login{}, errSSORequired
	}
	return c.addLogin(ctx, from, member, ByPassword, now)
}

// recoverEntrance returns the membership of an OWNER who enters an organization that requires its provider, with the
// password and a recovery code of the organization. The code is used up. Refusal: sso_required.
func (c conn) recoverEntrance(ctx context.Context, scope Scope, person User, in Credentials) (User, error) {
	if in.Code == "" {
		return User{}, errSSORequired
	}
	members, err := c.memberships(ctx, person.PersonID)
	if err != nil {
		return User{}, err
	}
	for _, member := range members {
		if member.Role != Owner || in.OrganizationID != "" && in.OrganizationID != member.OrganizationID {
			continue
		}
		used, err := c.useSignInRecoveryCode(ctx, scope.as(member), in.Code)
		if err != nil {
			return User{}, err
		}
		if used {
			return member, nil
		}
	}
	return User{}, errSSORequired
}

// useSignInRecoveryCode uses up a recovery code of the organization. Of two requests with the code, the update of one
// finds no row.
func (c conn) useSignInRecoveryCode(ctx context.Context, scope Scope, typed string) (bool, error) {
	var stored []struct {
		ID   string `db:"id"`
		Hash []byte `db:"hash"`
	}
	if err := c.List(ctx, &stored, `
		SELECT id, hash FROM sign_in_recovery_codes WHERE organization_id = ? AND used_at IS NULL`+atMost(recoveryCodes),
		scope.OrganizationID); err != nil {
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
		used, err := c.Exec(ctx, `
			UPDATE sign_in_recovery_codes SET used_at = ? WHERE organization_id = ? AND id = ? AND used_at IS NULL`,
			c.store.Now(), scope.OrganizationID, row.ID)
		if err != nil || used == 0 {
			return false, err
		}
		entry, err := c.auditID(ctx, scope, AuditSignInRecoveryCodeUsed, scope.UserID)
		if err != nil {
			return false, err
		}
		return true, c.queueOwnerNotices(ctx, EmailSignInRecoveryCodeUsed, scope.OrganizationID, entry)
	}
	return false, nil
}
