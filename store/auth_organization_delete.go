package store

import (
	"context"
)

// DeleteOrganization closes an organization whose only person is the caller, so that the address of that person can be
// invited or registered elsewhere. UnscopedEraseOrganizations then erases its data. Refusal: organization_not_empty.
func (s *Store) DeleteOrganization(ctx context.Context, scope Scope) error {
	defer s.credentials.forget()
	return s.write(ctx, func(c conn) error {
		if err := c.lockOrganization(ctx, scope); err != nil {
			return err
		}
		var used bool
		if err := c.Get(ctx, &used, `
			SELECT EXISTS (SELECT 1 FROM users WHERE organization_id = ? AND id <> ? AND removed_at IS NULL)
				OR EXISTS (SELECT 1 FROM invitations WHERE organization_id = ?)
				OR EXISTS (SELECT 1 FROM candidate_sessions WHERE organization_id = ? AND NOT test)`,
			scope.OrganizationID, scope.UserID, scope.OrganizationID, scope.OrganizationID); err != nil {
			return err
		}
		if used {
			return errOrganizationNotEmpty
		}
		now := s.Now()
		if err := c.endAccount(ctx, scope, scope.UserID, now); err != nil {
			return err
		}
		return c.closeOrganization(ctx, scope, now, now.Add(closingTime))
	})
}
