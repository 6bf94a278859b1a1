package store

import (
	"context"
)

// Membership is an organization of a person, as the person sees it.
type Membership struct {
	ID               string `db:"id"` // of the person as a member
	OrganizationID   string `db:"organization_id"`
	OrganizationName string `db:"organization_name"`
	Role             Role   `db:"role"`
	CreatedAt        Time   `db:"created_at"`
	Current          bool   `db:"-"` // the organization of the scope
}

// ListMemberships returns a page of the person's organizations, and whether there are more. After a sign-in with the
// provider of an organization, it is only that one.
func (s *Store) ListMemberships(ctx context.Context, scope Scope, page Page) ([]Membership, bool, error) {
	after := page.After
	if after == "" {
		after = "~" // behind every id
	}
	only := ""
	if scope.Method == ByProvider {
		only = scope.OrganizationID
	}
	var memberships []Membership
	if err := s.read().List(ctx, &memberships, `
		SELECT u.id, u.organization_id, o.name AS organization_name, `+roleColumn+`, u.created_at
		FROM users u JOIN organizations o ON o.id = u.organization_id
		WHERE u.person_id = ? AND u.removed_at IS NULL AND u.deactivated_at IS NULL AND u.id < ?
			AND (? = '' OR u.organization_id = ?)
		ORDER BY u.id DESC LIMIT ?`, scope.PersonID, after, only, only, page.Limit+1); err != nil {
		return nil, false, err
	}
	memberships, more := cut(memberships, page.Limit)
	for i := range memberships {
		memberships[i].Current = memberships[i].OrganizationID == scope.OrganizationID
	}
	return memberships, more, nil
}

// SwitchOrganization ends the scope's login, and signs the person in to another of their organizations. The new login
// is valid as long as the former one. use is of the login's refresh token, because a stolen access token must not
// become a new login. A replaced token ends the login, as in Refresh. Refusals: unauthenticated, sso_required,
// member_deactivated, and not_found, also for every other organization after a sign-in with a provider.
func (s *Store) SwitchOrganization(
	ctx context.Context, scope Scope, organizationID string, use TokenUse,
) (SignedIn, error) {
	defer s.credentials.forget(scope.LoginID)
	var out SignedIn
	var former Login
	var hadEnded bool
	err := s.write(ctx, func(c conn) error {
		out, former, hadEnded = SignedIn{}, Login{}, false
		from, err := c.lockSwitch(ctx, scope)
		if err != nil {
			return err
		}
		if former, hadEnded, err = c.refresh(ctx, scope, use); err != nil {
			return err
		}
		out, err = c.switchOrganization(ctx, scope, from, organizationID)
		return err
	})
	if hadEnded {
		s.auditEndedToken(scope.Origin, former.OrganizationID, former.UserID)
	}
	return out, err
}

// switching is the login of a switch.
type switching struct {
	PersonID string       `db:"person_id"`
	Method   SignInMethod `db:"method"`
}

// lockSwitch locks the person of the scope's login, before the login. The scope of a cookie does not name the
// person. A change of the account waits, and then ends the new login, too.
func (c conn) lockSwitch(ctx context.Context, scope Scope) (switching, error) {
	var from switching
	if err := c.Get(ctx, &from, `
		SELECT u.person_id, l.method FROM logins l JOIN users u ON u.id = l.user_id
		WHERE l.organization_id = ? AND l.id = ? AND u.removed_at IS NULL`, scope.OrganizationID, scope.LoginID); err != nil {
		return switching{}, orRefuse(err, errUnauthenticated)
	}
	return from, c.lockPerson(ctx, from.PersonID)
}

func (c conn) switchOrganization(
	ctx context.Context, scope Scope, from switching, organizationID string,
) (SignedIn, error) {
	if from.Method == ByProvider && organizationID != scope.OrganizationID {
		return SignedIn{}, errNoOrganization
	}
	// A removal of the membership waits for this lock, and then ends the new login.
	var member User
	if err := c.Get(ctx, &member, memberOf+`
		WHERE organization_id = ? AND person_id = ? AND removed_at IS NULL`+c.store.db.ForNoKeyUpdate,
		organizationID, from.PersonID); err != nil {
		return SignedIn{}, orRefuse(err, errNoOrganization)
	}
	if _, err := c.entrance(ctx, member, organizationID, from.Method); err != nil {
		return SignedIn{}, err
	}
	now := c.store.Now()
	// Of two switches at once, the second one waits here.
	ended, err := c.Exec(ctx, `
		UPDATE logins SET ended_at = ? WHERE organization_id = ? AND id = ? AND ended_at IS NULL AND expires_at > ?`,
		now, scope.OrganizationID, scope.LoginID, now)
	if err != nil {
		return SignedIn{}, err
	}
	if ended == 0 {
		return SignedIn{}, errUnauthenticated
	}
	if err := c.audit(ctx, scope, AuditSignedOut, scope.UserID); err != nil {
		return SignedIn{}, err
	}
	login, err := c.continueLogin(ctx, scope, member)
	if err != nil {
		return SignedIn{}, err
	}
	return SignedIn{User: member, Login: login}, c.audit(ctx, scope.as(member), AuditSignedIn, member.ID)
}

// continueLogin inserts a login of another membership of the person. What the former login has proved, and its latest
// end, apply to it.
func (c conn) continueLogin(ctx context.Context, scope Scope, member User) (Login, error) {
	now := c.store.Now()
	login := Login{
		ID: c.store.NewID("lgn"), OrganizationID: member.OrganizationID, UserID: member.ID, Generation: 1,
		RotatedAt: Time{now},
	}
	if err := c.Get(ctx, &login.ExpiresAt, `SELECT expires_at FROM logins WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, scope.LoginID); err != nil {
		return Login{}, err
	}
	from := scope.Origin
	if _, err := c.Exec(ctx, `
		INSERT INTO logins (id, organization_id, user_id, generation, rotated_at, created_at, ip, network, user_agent,
			expires_at, method, confirmed_at)
		SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, expires_at, method, confirmed_at FROM logins WHERE organization_id = ? AND id = ?`,
		login.ID, login.OrganizationID, login.UserID, login.Generation, now, now, from.IP, from.Network(), from.UserAgent,
		scope.OrganizationID, scope.LoginID); err != nil {
		return Login{}, err
	}
	if err := c.moveGuesses(ctx, scope.LoginID, login.ID); err != nil {
		return Login{}, err
	}
	return login, c.enter(ctx, member, now)
}
