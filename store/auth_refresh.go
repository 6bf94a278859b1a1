package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// replayWindow is how long a replaced refresh token still returns its successor:
// a response can be lost, and two browser tabs can refresh at once.
const replayWindow = 30 * time.Second

// TokenUse is a use of a refresh token.
type TokenUse struct {
	Generation int64 // of the token
	FromCookie bool  // the token is the cookie of a browser, which no script can read
}

// Refresh returns the login of a refresh token, advanced by one generation. Within
// replayWindow the previous token returns the same login again and advances nothing. An
// older token, or a later use, ends the login. Refusal: unauthenticated.
func (s *Store) Refresh(ctx context.Context, scope Scope, use TokenUse) (Login, error) {
	var login Login
	var hadEnded bool
	err := s.write(ctx, func(c conn) (err error) {
		login, hadEnded, err = c.refresh(ctx, scope, use)
		return err
	})
	if hadEnded {
		s.auditEndedToken(scope.Origin, login.OrganizationID, login.UserID)
	}
	return login, err
}

// refresh is Refresh. hadEnded reports that the login had ended before.
func (c conn) refresh(ctx context.Context, scope Scope, use TokenUse) (login Login, hadEnded bool, err error) {
	now := c.store.Now()
	var last struct {
		Login
		IP string `db:"ip"`
	}
	err = c.Get(ctx, &last, `
		SELECT id, organization_id, user_id, generation, rotated_at, expires_at, ended_at, ip
		FROM logins WHERE organization_id = ? AND id = ?`+c.store.db.ForUpdate, scope.OrganizationID, scope.LoginID)
	login = last.Login
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return login, false, errUnauthenticated
	case err != nil:
		return login, false, err
	case login.EndedAt != nil, !now.Before(login.ExpiresAt.Time):
		return login, true, errUnauthenticated
	case use.Generation > login.Generation:
		return login, false, errUnauthenticated
	case use.Generation == login.Generation:
		login.Generation++
		login.RotatedAt = Time{now}
		_, err := c.Exec(ctx, `
			UPDATE logins SET generation = ?, rotated_at = ?, ip = ?, user_agent = ? WHERE organization_id = ? AND id = ?`,
			login.Generation, now, scope.Origin.IP, scope.Origin.UserAgent, scope.OrganizationID, scope.LoginID)
		return login, false, err
	case use.Generation == login.Generation-1 && now.Sub(login.RotatedAt.Time) <= replayWindow:
		return login, false, nil
	}
	return login, false, c.endReusedLogin(ctx, login, use, Origin{IP: last.IP}, scope.Origin)
}

// endReusedLogin ends a login whose replaced token was used again, and refuses the
// request. Somebody else may have the token, so the person gets a notice. There is none
// for a cookie from the network of the login's last use: a browser that never received
// the response to its last refresh sends the replaced cookie again.
func (c conn) endReusedLogin(ctx context.Context, login Login, use TokenUse, last, from Origin) error {
	if _, err := c.Exec(ctx, `UPDATE logins SET ended_at = ? WHERE organization_id = ? AND id = ?`,
		c.store.Now(), login.OrganizationID, login.ID); err != nil {
		return err
	}
	c.AfterCommit(func() { c.store.credentials.forget(login.ID) })

	// The caller is unknown: either the person or a thief of the token.
	unknown := Scope{OrganizationID: login.OrganizationID, Origin: from}
	if use.FromCookie && last.IP != "" && last.Network() == from.Network() {
		if err := c.audit(ctx, unknown, AuditEndedTokenUsed, login.UserID); err != nil {
			return err
		}
		return commitThenRefuse(errUnauthenticated)
	}
	c.store.opts.Log.WarnContext(ctx, "refresh token reused, login ended",
		"organization", login.OrganizationID, "user", login.UserID, "login", login.ID)
	entry, err := c.auditID(ctx, unknown, AuditRefreshTokenReused, login.UserID)
	if err != nil {
		return err
	}
	if err := c.queueReuseNotice(ctx, login, entry); err != nil {
		return err
	}
	return commitThenRefuse(errUnauthenticated)
}

// auditEndedToken records the use of a token whose login has ended. Either the person has
// another window open, or a thief has the token.
func (s *Store) auditEndedToken(from Origin, organizationID, userID string) {
	s.auditRefusal(Scope{OrganizationID: organizationID, Origin: from}, AuditEndedTokenUsed, userID, userID)
}
