package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// AcceptInvitation sets the invited person's password and signs them in. The token
// works once. Refusals: unauthenticated, invitation_expired, invalid_request for a
// weak password.
func (s *Store) AcceptInvitation(ctx context.Context, scope Scope, token, password string) (SignedIn, error) {
	if len(token) != invitationLength || !strings.HasPrefix(token, invitationPrefix) {
		return SignedIn{}, errUnauthenticated
	}
	hash := hashInvitation(token)
	user, err := s.read().invitee(ctx, hash, "")
	if err != nil {
		return SignedIn{}, err
	}
	if weak := s.passwords.weakness("/password", password, user.Email, user.Name); weak != nil {
		return SignedIn{}, errInvalid.with(*weak)
	}
	passwordHash, err := s.passwords.hash(ctx, password)
	if err != nil {
		return SignedIn{}, err
	}
	out := SignedIn{}
	err = s.write(ctx, func(c conn) error {
		// When two requests use the token at once, the second one does not find it.
		var err error
		if out.User, err = c.invitee(ctx, hash, s.db.ForUpdate); err != nil {
			return err
		}
		now := s.Now()
		if _, err := c.Exec(ctx, `
			UPDATE users SET password_hash = ?, invitation_hash = NULL, invitation_expires_at = NULL, updated_at = ?
			WHERE organization_id = ? AND id = ?`, passwordHash, now, out.User.OrganizationID, out.User.ID); err != nil {
			return err
		}
		if out.Login, err = c.insertLogin(ctx, scope.Origin, out.User, now); err != nil {
			return err
		}
		return c.audit(ctx, scope.as(out.User), AuditMemberJoined, out.User.ID)
	})
	return out, err
}

func (c conn) invitee(ctx context.Context, hash []byte, lock string) (User, error) {
	var row struct {
		User
		ExpiresAt Time `db:"invitation_expires_at"`
	}
	err := c.Get(ctx, &row, `
		SELECT id, organization_id, name, email, role, invitation_expires_at FROM users WHERE invitation_hash = ?`+lock, hash)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return User{}, errUnauthenticated
	case err == nil && !c.store.Now().Before(row.ExpiresAt.Time):
		return User{}, errInvitationExpired
	}
	return row.User, err
}
