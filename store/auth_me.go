package store

import (
	"context"
	"database/sql"
	"errors"
)

// Me is a person with their organization.
type Me struct {
	User         User
	Organization Organization
	// MustAddFactor says that the organization requires a second factor, and the person has none.
	MustAddFactor           bool
	HasSeveralOrganizations bool // to which the person can switch
}

// RetrieveMe returns the person of the scope.
func (s *Store) RetrieveMe(ctx context.Context, scope Scope) (Me, error) {
	me, err := s.read().me(ctx, scope)
	if err == nil {
		me.Organization.Usage, err = s.usage(ctx, scope)
	}
	return me, err
}

func (c conn) me(ctx context.Context, scope Scope) (Me, error) {
	var me Me
	var row struct {
		User
		HasSeveral bool `db:"has_several"`
	}
	if err := c.Get(ctx, &row, `
		SELECT id, organization_id, name, email, `+roleColumn+`, unproved, `+factorColumn+`, EXISTS (
			SELECT 1 FROM users o WHERE o.person_id = users.person_id AND o.id <> users.id AND o.deactivated_at IS NULL)
			AS has_several
		FROM users WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, scope.UserID); err != nil {
		return Me{}, orRefuse(err, errNoUser)
	}
	var err error
	me.User, me.HasSeveralOrganizations = row.User, row.HasSeveral && scope.Method != ByProvider
	me.Organization, err = c.organization(ctx, scope)
	me.MustAddFactor = me.Organization.SecondFactorRequired && !me.User.HasFactor && scope.Method == ByPassword
	return me, err
}

// UpdateMe changes the person's name in all organizations, unless it is nil. Refusal: password_sign_in_required.
func (s *Store) UpdateMe(ctx context.Context, scope Scope, name *string) (Me, error) {
	var me Me
	err := s.write(ctx, func(c conn) error {
		if _, err := c.lockOwnAccount(ctx, scope); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `UPDATE users SET name = COALESCE(?, name), updated_at = ? WHERE person_id = ?`,
			name, s.Now(), scope.PersonID); err != nil {
			return err
		}
		var err error
		me, err = c.me(ctx, scope)
		return err
	})
	if err == nil {
		me.Organization.Usage, err = s.usage(ctx, scope)
	}
	return me, err
}

// ChangePassword replaces the person's password, and ends their other logins and their links
// to reset the password, in all organizations.
// Refusals: password_sign_in_required, invalid_credentials for a wrong current password, invalid_request
// for a weak new one, unauthenticated when the scope's own login has ended,
// *Limited, because a stolen access token must not permit guessing the password.
func (s *Store) ChangePassword(ctx context.Context, scope Scope, current, next string) error {
	if scope.Method == ByProvider {
		return errPasswordSignInRequired
	}
	var user User
	if err := s.read().Get(ctx, &user, memberOf+` WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, scope.UserID); err != nil {
		return orRefuse(err, errNoUser)
	}
	if err := s.countPassword(ctx, scope.LoginID); err != nil { // strangers cannot use it up
		return err
	}
	matches, err := s.passwords.matches(ctx, ofKnown, current, user.PasswordHash)
	if err != nil {
		return err
	}
	if !matches {
		s.auditRefusal(scope, AuditPasswordChangeFailed, scope.UserID, scope.UserID)
		return errWrongPassword
	}
	if weak := s.passwords.weakness("/newPassword", next, user.Email, user.Name); weak != nil {
		return errInvalid.with(*weak)
	}
	hash, err := s.passwords.hash(ctx, ofKnown, next)
	if err != nil {
		return err
	}
	defer s.credentials.forget()
	return s.write(ctx, func(c conn) error {
		now := s.Now()
		if err := c.lockPerson(ctx, scope.PersonID); err != nil {
			return err
		}
		changed, err := c.Exec(ctx, `
			UPDATE users SET password_hash = ?, updated_at = ? WHERE person_id = ? AND password_hash = ?`,
			hash, now, scope.PersonID, user.PasswordHash)
		if err != nil {
			return err
		}
		// The login can have ended while the hashes were computed.
		var alive bool
		if err := c.Get(ctx, &alive, `SELECT ended_at IS NULL FROM logins WHERE organization_id = ? AND id = ?`+s.db.ForShare,
			scope.OrganizationID, scope.LoginID); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if !alive {
			return errUnauthenticated
		}
		if changed == 0 { // another request has changed the password
			return errWrongPassword
		}
		if err := c.endPassword(ctx, scope, scope.PersonID, now); err != nil {
			return err
		}
		entry, err := c.auditPerson(ctx, scope, AuditPasswordChanged, user)
		if err != nil {
			return err
		}
		return c.queueNotice(ctx, EmailPasswordChanged, scope.OrganizationID, scope.UserID, entry)
	})
}
