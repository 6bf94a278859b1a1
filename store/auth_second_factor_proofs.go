package store

import (
	"context"
	"database/sql"
	"errors"
)

// CreateRecoveryCodes replaces the recovery codes of the person, and returns the new ones, only this once. Refusals:
// password_sign_in_required, no_second_factor.
func (s *Store) CreateRecoveryCodes(ctx context.Context, scope Scope) ([]string, error) {
	var codes []string
	err := s.write(ctx, func(c conn) error {
		user, err := c.lockOwnAccount(ctx, scope)
		if err != nil {
			return err
		}
		factors, err := c.lockFactors(ctx, user.PersonID)
		if err != nil {
			return err
		}
		if len(factors) == 0 {
			return errNoSecondFactor
		}
		if codes, err = c.replaceRecoveryCodes(ctx, user.PersonID); err != nil {
			return err
		}
		_, err = c.auditPerson(ctx, scope, AuditRecoveryCodesCreated, user)
		return err
	})
	return codes, err
}

// CreateReauthenticationOptions returns what a browser needs to ask the signed-in person for a passkey, as JSON.
// Refusals: password_sign_in_required, no_second_factor for a person without a passkey.
func (s *Store) CreateReauthenticationOptions(ctx context.Context, scope Scope) (string, error) {
	var asked *ceremonyOptions
	err := s.write(ctx, func(c conn) error {
		user, err := c.lockOwnAccount(ctx, scope)
		if err != nil {
			return err
		}
		factors, err := c.lockFactors(ctx, user.PersonID)
		if err != nil {
			return err
		}
		if asked, err = s.askForPasskey(user, factors); err != nil {
			return err
		}
		if asked == nil {
			return errNoPasskey
		}
		_, err = c.Exec(ctx, `UPDATE logins SET ceremony = ? WHERE organization_id = ? AND id = ?`,
			asked.ceremony, scope.OrganizationID, scope.LoginID)
		return err
	})
	if err != nil {
		return "", err
	}
	return asked.options, nil
}

// Reauthenticate proves a second factor of the signed-in person again. Refusals: password_sign_in_required,
// no_second_factor, invalid_code, invalid_request, *Limited.
func (s *Store) Reauthenticate(ctx context.Context, scope Scope, proof Proof) error {
	if err := proof.check(); err != nil {
		return err
	}
	defer s.credentials.forget(scope.LoginID)
	return s.write(ctx, func(c conn) error {
		user, err := c.lockOwnAccount(ctx, scope)
		if err != nil {
			return err
		}
		factors, err := c.lockFactors(ctx, user.PersonID)
		if err != nil {
			return err
		}
		if len(factors) == 0 {
			return errNoSecondFactor
		}
		var ceremony *string
		if err := c.Get(ctx, &ceremony, `SELECT ceremony FROM logins WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, scope.LoginID); err != nil {
			return err
		}
		// A ceremony ends with the first answer, right or wrong. The login is locked.
		if _, err := c.Exec(ctx, `UPDATE logins SET ceremony = NULL WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, scope.LoginID); err != nil {
			return err
		}
		if err := c.proveFactor(ctx, scope, user, proof, ceremony); err != nil {
			return err
		}
		_, err = c.Exec(ctx, `UPDATE logins SET confirmed_at = ? WHERE organization_id = ? AND id = ?`,
			s.Now(), scope.OrganizationID, scope.LoginID)
		return err
	})
}

// signInChallenge is a row of sign_in_challenges.
type signInChallenge struct {
	OrganizationID string       `db:"organization_id"`
	UserID         string       `db:"user_id"`
	Method         SignInMethod `db:"method"`
	Ceremony       *string      `db:"ceremony"`
}

// lockChallenge returns a challenge that has not ended, and its person, both locked. A change of the password locks the
// person first, too. Refusal: unauthenticated.
func (c conn) lockChallenge(ctx context.Context, token string) (signInChallenge, User, error) {
	var challenge signInChallenge
	read := func(lock string) error {
		return c.Get(ctx, &challenge, `
			SELECT organization_id, user_id, method, ceremony FROM sign_in_challenges
			WHERE token_hash = ? AND expires_at > ? AND attempts < ?`+lock, hashChallenge(token), c.store.Now(), maxCodes)
	}
	if err := read(""); err != nil {
		return signInChallenge{}, User{}, orRefuse(err, errUnauthenticated)
	}
	var user User
	err := c.Get(ctx, &user, `
		SELECT id, organization_id, person_id, name, email, password_hash, `+roleColumn+` FROM users
		WHERE organization_id = ? AND id = ? AND removed_at IS NULL`+c.store.db.ForShare,
		challenge.OrganizationID, challenge.UserID)
	if err == nil {
		err = read(c.store.db.ForUpdate)
	}
	return challenge, user, orRefuse(err, errUnauthenticated)
}

// CreatePasskeyOptions returns what a browser needs to ask for a passkey in a sign-in, as JSON. Refusals:
// unauthenticated, invalid_request for a person without a passkey.
func (s *Store) CreatePasskeyOptions(ctx context.Context, token string) (string, error) {
	var asked *ceremonyOptions
	err := s.write(ctx, func(c conn) error {
		_, user, err := c.lockChallenge(ctx, token)
		if err != nil {
			return err
		}
		factors, err := c.lockFactors(ctx, user.PersonID)
		if err != nil {
			return err
		}
		if asked, err = s.askForPasskey(user, factors); err != nil {
			return err
		}
		if asked == nil {
			return errInvalid.with(fault("/challenge", "invalid_value", "belongs to a person without a passkey"))
		}
		_, err = c.Exec(ctx, `UPDATE sign_in_challenges SET ceremony = ? WHERE token_hash = ?`,
			asked.ceremony, hashChallenge(token))
		return err
	})
	if err != nil {
		return "", err
	}
	return asked.options, nil
}

// CompleteSignIn signs a person in who has proved the second factor. The rules of the organization apply again.
// Refusals: unauthenticated for a challenge that has ended, invalid_code, sso_required, invalid_request, *Limited.
func (s *Store) CompleteSignIn(ctx context.Context, scope Scope, token string, proof Proof) (SignedIn, error) {
	var out SignedIn
	err := s.write(ctx, func(c conn) error {
		out = SignedIn{}
		challenge, user, err := c.lockChallenge(ctx, token)
		if err != nil {
			return err
		}
		if err := proof.check(); err != nil {
			return err
		}
		member, err := c.entrance(ctx, user, challenge.OrganizationID, challenge.Method)
		if err != nil {
			return err
		}
		scope := scope
		scope.OrganizationID = member.OrganizationID
		// A ceremony ends with the first answer, right or wrong.
		if _, err := c.Exec(ctx, `
			UPDATE sign_in_challenges SET attempts = attempts + 1, ceremony = NULL WHERE token_hash = ?`,
			hashChallenge(token)); err != nil {
			return err
		}
		if err := c.proveFactor(ctx, scope, user, proof, challenge.Ceremony); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `DELETE FROM sign_in_challenges WHERE token_hash = ?`, hashChallenge(token)); err != nil {
			return err
		}
		now := s.Now()
		out.User = member
		if out.Login, err = c.insertChallengedLogin(ctx, scope.Origin, challenge.Method, member, now); err != nil {
			return err
		}
		if err := c.confirmLogin(ctx, out.Login, &now); err != nil {
			return err
		}
		return c.audit(ctx, scope.as(member), AuditSignedIn, member.ID)
	})
	return out, err
}

// UnscopedResetSecondFactors removes all second factors of the person with an address, for an operator who knows the
// person. It returns how many there were, and ErrNoAccount for an address without an account.
func (s *Store) UnscopedResetSecondFactors(ctx context.Context, email string) (removed int, err error) {
	defer s.credentials.forget()
	err = s.write(ctx, func(c conn) error {
		removed = 0
		user, err := c.accountOf(ctx, email)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoAccount
		}
		if err != nil {
			return err
		}
		if err := c.lockPerson(ctx, user.PersonID); err != nil {
			return err
		}
		factors, err := c.lockFactors(ctx, user.PersonID)
		if removed = len(factors); err != nil || removed == 0 {
			return err
		}
		if _, err := c.deleteSecondFactors(ctx, user.PersonID); err != nil {
			return err
		}
		// Each organization has relied on them. One email is enough.
		entry, err := c.auditPerson(ctx, Scope{OrganizationID: user.OrganizationID}, AuditSecondFactorReset, user)
		if err != nil {
			return err
		}
		return c.queueNotice(ctx, EmailSecondFactorRemoved, user.OrganizationID, user.ID, entry)
	})
	return removed, err
}
