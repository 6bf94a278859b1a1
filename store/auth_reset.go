package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/keys"
)

const (
	// resetLifetime is how long a link to reset a password works after it was sent.
	resetLifetime = time.Hour
	// resetRetention is how long after its creation an expired link still gets 410. Later, it gets 401.
	resetRetention = 7 * 24 * time.Hour
	// resetPath is the page on which a person requests such a link, or uses it.
	resetPath = "/reset-password"
)

// ForgotPassword queues an email with a link with which the person resets their password.
// It runs the same statements for an address without an account, so that its duration does
// not reveal which accounts exist: that email has no recipient, and is cancelled when its
// turn comes. Refusals: email_not_configured, *Limited.
func (s *Store) ForgotPassword(ctx context.Context, scope Scope, email string) error {
	if !s.opts.SendsEmail {
		return errEmailNotConfigured
	}
	// The network first, so that one over its limit does not use up the limit of an account.
	if err := s.count(ctx, s.opts.SignInLimits.ForgotIP, scope.Origin.Network()); err != nil {
		return err
	}
	if err := s.count(ctx, s.opts.SignInLimits.ForgotAccount, hashAccount(email)); err != nil {
		return err
	}
	user, err := s.read().accountOf(ctx, email)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	var userID *string
	if err == nil {
		userID = &user.ID
	}
	scope.OrganizationID = user.OrganizationID
	resetID := s.NewID("rst")
	return s.write(ctx, func(c conn) error {
		if _, err := c.auditPerson(ctx, scope, AuditPasswordResetRequested, user); err != nil {
			return err
		}
		return c.queueEmail(ctx, newEmail{
			kind: EmailPasswordReset, organizationID: user.OrganizationID, userID: userID, subjectID: &resetID,
		})
	})
}

// accountOf returns the account of an address, or sql.ErrNoRows. A removed member has none.
func (c conn) accountOf(ctx context.Context, email string) (User, error) {
	var user User
	err := c.Get(ctx, &user, `
		SELECT id, organization_id, person_id, name, email, password_hash, `+roleColumn+`, unproved FROM users
		WHERE email_key = ? AND removed_at IS NULL`, emailKey(email))
	return user, err
}

// passwordReset is what the token of a link stands for.
type passwordReset struct {
	User
	ExpiresAt Time `db:"expires_at"`
}

// PasswordWasReset is the result of ResetPassword.
type PasswordWasReset struct {
	User  User
	Ended EndedAccess
}

// ResetPassword sets the password of the person whose link has the token, and ends all
// their sign-ins and their other links. The token works once. A weak password does not use
// it up. The link proves the address: see endUnproved for an account whose address was not proved.
// Refusals: unauthenticated, password_reset_expired, invalid_request for a weak
// password, *Limited.
func (s *Store) ResetPassword(ctx context.Context, scope Scope, token, password string) (PasswordWasReset, error) {
	return s.resetPassword(ctx, scope, token, password, nil)
}

// ResetPasswordAndSignIn is ResetPassword, and signs the person in, so that they can check what was made before.
func (s *Store) ResetPasswordAndSignIn(
	ctx context.Context, scope Scope, token, password string,
) (PasswordWasReset, Login, error) {
	var login Login
	out, err := s.resetPassword(ctx, scope, token, password, &login)
	return out, login, err
}

func (s *Store) resetPassword(
	ctx context.Context, scope Scope, token, password string, login *Login,
) (PasswordWasReset, error) {
	id, ok := s.opts.Keys.ParseLinkToken(keys.PurposePasswordReset, token)
	if !ok { // only invalid tokens are limited, so that others in the network cannot block a person
		if err := s.count(ctx, s.opts.SignInLimits.ResetIP, scope.Origin.Network()); err != nil {
			return PasswordWasReset{}, err
		}
		return PasswordWasReset{}, errUnauthenticated
	}
	var found passwordReset
	if err := s.read().Get(ctx, &found, `
		SELECT u.id, u.organization_id, u.person_id, u.name, u.email, `+roleColumn+`, u.unproved, r.expires_at
		FROM password_resets r JOIN users u ON u.id = r.user_id AND u.organization_id = r.organization_id
		WHERE r.id = ? AND u.removed_at IS NULL`, id); err != nil {
		return PasswordWasReset{}, orRefuse(err, errUnauthenticated)
	}
	if !s.Now().Before(found.ExpiresAt.Time) {
		return PasswordWasReset{}, errPasswordResetExpired
	}
	if weak := s.passwords.weakness("/password", password, found.Email, found.Name); weak != nil {
		return PasswordWasReset{}, errInvalid.with(*weak)
	}
	hash, err := s.passwords.hash(ctx, ofKnown, password)
	if err != nil {
		return PasswordWasReset{}, err
	}
	defer s.credentials.forget()
	found.PasswordHash = hash
	return s.storeReset(ctx, scope.as(found.User), id, found.User, login)
}

func (s *Store) storeReset(
	ctx context.Context, scope Scope, resetID string, user User, login *Login,
) (PasswordWasReset, error) {
	out := PasswordWasReset{User: user}
	err := s.write(ctx, func(c conn) error {
		now := s.Now()
		if user.Unproved { // the locks of organizations come before the locks of their people
			if _, err := c.lockOrganizationsOf(ctx, user.PersonID); err != nil {
				return err
			}
		}
		// Of two requests with the token, the second one waits here.
		if err := c.lockPerson(ctx, user.PersonID); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `UPDATE users SET password_hash = ?, updated_at = ? WHERE person_id = ?`,
			user.PasswordHash, now, user.PersonID); err != nil {
			return err
		}
		used, err := c.Exec(ctx, `DELETE FROM password_resets WHERE organization_id = ? AND user_id = ? AND id = ?`,
			user.OrganizationID, user.ID, resetID)
		if err != nil {
			return err
		}
		if used == 0 { // ended while the hash was computed
			return errUnauthenticated
		}
		if err := c.endPassword(ctx, scope, user.PersonID, now); err != nil {
			return err
		}
		if err := c.forgetGuesses(ctx, scope.Origin, user.Email); err != nil {
			return err
		}
		if user.Unproved {
			if out.Ended, err = c.endUnprovedOf(ctx, scope, user, now); err != nil {
				return err
			}
			if err := c.endUnprovedFactors(ctx, scope, user); err != nil {
				return err
			}
			if err := c.prove(ctx, scope, user); err != nil {
				return err
			}
		}
		entry, err := c.auditPerson(ctx, scope, AuditPasswordReset, user)
		if err != nil {
			return err
		}
		if err := c.queueNotice(ctx, EmailPasswordChanged, scope.OrganizationID, user.ID, entry); err != nil {
			return err
		}
		if login == nil {
			return nil
		}
		_, *login, err = c.signInAfter(ctx, scope, user, "")
		return err
	})
	return out, err
}

func (c conn) deleteResets(ctx context.Context, scope Scope, userID string) error {
	_, err := c.Exec(ctx, `DELETE FROM password_resets WHERE organization_id = ? AND user_id = ?`,
		scope.OrganizationID, userID)
	return err
}

// ErrNoAccount means that no account has the address.
var ErrNoAccount = errors.New("no account has this address")

// UnscopedResetLink makes a link with which the person with the address resets their
// password, and audits it. It is for operators, and needs no mail server. It returns
// ErrNoAccount for an address without an account.
func (s *Store) UnscopedResetLink(ctx context.Context, email string) (link string, expiresAt time.Time, err error) {
	id := s.NewID("rst")
	err = s.write(ctx, func(c conn) error {
		user, err := c.accountOf(ctx, email)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoAccount
		}
		if err != nil {
			return err
		}
		now := s.Now()
		expiresAt = now.Add(resetLifetime)
		if _, err := c.Exec(ctx, `
			INSERT INTO password_resets (id, organization_id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)`,
			id, user.OrganizationID, user.ID, now, expiresAt); err != nil {
			return err
		}
		_, err = c.auditPerson(ctx, Scope{}, AuditPasswordResetRequested, user)
		return err
	})
	return s.resetLink(id), expiresAt, err
}

func (s *Store) resetLink(id string) string {
	return s.opts.BaseURL + resetPath + "#" + s.opts.Keys.LinkToken(keys.PurposePasswordReset, id)
}
