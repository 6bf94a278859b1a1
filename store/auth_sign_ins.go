package store

import (
	"cmp"
	"context"
	"slices"
)

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

// ofOwnSignIns finds the logins of a person in all their organizations, or in one. Its arguments are from ownSignIns.
const ofOwnSignIns = `user_id IN (SELECT id FROM users WHERE person_id = ? AND (? = '' OR organization_id = ?))`

// ownSignIns are the arguments of ofOwnSignIns. After a sign-in with the provider of an organization, the person sees
// and ends only sign-ins there.
func (s Scope) ownSignIns() []any {
	only := ""
	if s.Method == ByProvider {
		only = s.OrganizationID
	}
	return []any{s.PersonID, only, only}
}

// ListSignIns returns a page of the person's logins in all their organizations, and whether there are more.
func (s *Store) ListSignIns(ctx context.Context, scope Scope, page Page) ([]SignIn, bool, error) {
	after := page.After
	if after == "" {
		after = "~" // behind every id
	}
	var signIns []SignIn
	if err := s.read().List(ctx, &signIns, `
		SELECT id, ip, user_agent, created_at, rotated_at, expires_at FROM logins
		WHERE `+ofOwnSignIns+` AND ended_at IS NULL AND expires_at > ? AND id < ? ORDER BY id DESC LIMIT ?`,
		append(scope.ownSignIns(), s.Now(), after, page.Limit+1)...); err != nil {
		return nil, false, err
	}
	signIns, more := cut(signIns, page.Limit)
	for i := range signIns {
		signIns[i].Current = signIns[i].ID == scope.LoginID
	}
	return signIns, more, nil
}

// EndSignIns ends all logins of the person except the caller's, in all their organizations. Refusal: unauthenticated if
// the person was removed meanwhile.
func (s *Store) EndSignIns(ctx context.Context, scope Scope) error {
	defer s.credentials.forget()
	return s.write(ctx, func(c conn) error {
		if err := c.lockPerson(ctx, scope.PersonID); err != nil {
			return err
		}
		_, err := c.endOwnSignIns(ctx, scope, `id <> ?`, scope.LoginID)
		return err
	})
}

// EndSignIn ends one login of the person, which can be the caller's. Refusal: not_found,
// also for a login that has ended.
func (s *Store) EndSignIn(ctx context.Context, scope Scope, id string) error {
	defer s.credentials.forget(id)
	return s.write(ctx, func(c conn) error {
		ended, err := c.endOwnSignIns(ctx, scope, `id = ? AND expires_at > ?`, id, s.Now())
		if err == nil && !ended {
			err = errNoSignIn
		}
		return err
	})
}

// endOwnSignIns ends logins of the person that meet a condition, and audits it once in each organization. It reports
// whether there were any.
func (c conn) endOwnSignIns(ctx context.Context, scope Scope, condition string, args ...any) (bool, error) {
	var members []User
	if err := c.List(ctx, &members, `
		UPDATE logins SET ended_at = ? WHERE `+ofOwnSignIns+` AND ended_at IS NULL AND `+condition+`
		RETURNING user_id AS id, organization_id`,
		append(append([]any{c.store.Now()}, scope.ownSignIns()...), args...)...); err != nil {
		return false, err
	}
	slices.SortFunc(members, func(a, b User) int { return cmp.Compare(a.ID, b.ID) })
	members = slices.CompactFunc(members, func(a, b User) bool { return a.ID == b.ID })
	for _, member := range members {
		there := scope
		there.OrganizationID, there.UserID = member.OrganizationID, member.ID
		if err := c.audit(ctx, there, AuditSignInsEnded, member.ID); err != nil {
			return false, err
		}
	}
	return len(members) > 0, nil
}
