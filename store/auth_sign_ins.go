package store

import "context"

// SignIn is a login of a person that has not ended, as the person sees it.
type SignIn struct {
	ID         string `db:"id"`
	Current    bool   `db:"-"`          // the login of the caller
	IP         string `db:"ip"`         // of the sign-in or its last refresh; "" before version 1.0
	UserAgent  string `db:"user_agent"` // likewise
	CreatedAt  Time   `db:"created_at"`
	LastUsedAt Time   `db:"rotated_at"`
	ExpiresAt  Time   `db:"expires_at"`
}

// ListSignIns returns a page of the person's logins, and whether there are more.
func (s *Store) ListSignIns(ctx context.Context, scope Scope, page Page) ([]SignIn, bool, error) {
	where := filterOf(scope, page)
	where.and("user_id = ?", scope.UserID)
	where.and("ended_at IS NULL AND expires_at > ?", s.Now())
	query, args := where.newestFirst(`SELECT id, ip, user_agent, created_at, rotated_at, expires_at FROM logins`, page)
	var signIns []SignIn
	if err := s.read().List(ctx, &signIns, query, args...); err != nil {
		return nil, false, err
	}
	signIns, more := cut(signIns, page.Limit)
	for i := range signIns {
		signIns[i].Current = signIns[i].ID == scope.LoginID
	}
	return signIns, more, nil
}

// EndSignIns ends all logins of the person except the caller's.
func (s *Store) EndSignIns(ctx context.Context, scope Scope) error {
	defer s.credentials.forget()
	return s.write(ctx, func(c conn) error {
		ended, err := c.endLogins(ctx, scope, scope.UserID, s.Now())
		if err != nil || ended == 0 {
			return err
		}
		return c.audit(ctx, scope, AuditSignInsEnded, scope.UserID)
	})
}

// EndSignIn ends one login of the person, which can be the caller's. Refusal: not_found,
// also for a login that has ended.
func (s *Store) EndSignIn(ctx context.Context, scope Scope, id string) error {
	defer s.credentials.forget(id)
	return s.write(ctx, func(c conn) error {
		now := s.Now()
		ended, err := c.Exec(ctx, `
			UPDATE logins SET ended_at = ?
			WHERE organization_id = ? AND user_id = ? AND id = ? AND ended_at IS NULL AND expires_at > ?`,
			now, scope.OrganizationID, scope.UserID, id, now)
		if err != nil {
			return err
		}
		if ended == 0 {
			return errNoSignIn
		}
		return c.audit(ctx, scope, AuditSignInsEnded, scope.UserID)
	})
}
