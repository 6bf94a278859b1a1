package store

import (
	"context"
	"time"
)

// Organization is a tenant.
type Organization struct {
	ID               string  `db:"id"`
	Name             string  `db:"name"`
	RedirectURL      *string `db:"redirect_url"` // where finished candidates go, unless something nearer says otherwise
	InviteExpiryDays int     `db:"invite_expiry_days"`
	CreatedAt        Time    `db:"created_at"`
	UpdatedAt        Time    `db:"updated_at"`
}

// Change is a field of a PATCH: absent (Set false), or the new value, where nil clears.
type Change[T any] struct {
	Set   bool
	Value *T
}

// OrganizationChange is the input of UpdateOrganization; nil leaves a field.
type OrganizationChange struct {
	Name             *string
	RedirectURL      Change[string]
	InviteExpiryDays *int
}

// RetrieveOrganization returns the organization of the scope.
func (s *Store) RetrieveOrganization(ctx context.Context, scope Scope) (Organization, error) {
	var organization Organization
	err := s.read().Get(ctx, &organization, `
		SELECT id, name, redirect_url, invite_expiry_days, created_at, updated_at FROM organizations WHERE id = ?`,
		scope.OrganizationID)
	return organization, orRefuse(err, errNoOrganization)
}

// UpdateOrganization changes the fields that are set.
func (s *Store) UpdateOrganization(ctx context.Context, scope Scope, change OrganizationChange) (Organization, error) {
	err := s.write(ctx, func(c conn) error {
		_, err := c.Exec(ctx, `
			UPDATE organizations SET name = COALESCE(?, name),
				redirect_url = CASE WHEN ? THEN ? ELSE redirect_url END,
				invite_expiry_days = COALESCE(?, invite_expiry_days), updated_at = ?
			WHERE id = ?`,
			change.Name, change.RedirectURL.Set, change.RedirectURL.Value, change.InviteExpiryDays, s.Now(), scope.OrganizationID)
		if err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditOrganizationUpdated, scope.OrganizationID)
	})
	if err != nil {
		return Organization{}, err
	}
	return s.RetrieveOrganization(ctx, scope)
}

func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }
