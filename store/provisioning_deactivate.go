package store

import (
	"context"
	"time"
)

// deactivate ends the sign-ins of a locked member, and what members get without signing in, or the link of an
// invitation. What belongs to the account, such as an email to reset the password, stays: the person can be a member of
// another organization.
func (c conn) deactivate(ctx context.Context, scope Scope, person Person) error {
	now := c.store.Now()
	if err := c.setDeactivated(ctx, scope, person, &now); err != nil {
		return err
	}
	if person.Invited {
		if err := c.endInvitationLink(ctx, scope, person.ID); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditMemberDeactivated, person.ID)
	}
	if _, err := c.endLogins(ctx, scope, person.ID, now); err != nil {
		return err
	}
	if err := c.endClaims(ctx, scope, person.ID, nil); err != nil {
		return err
	}
	if err := c.endFinishedEmails(ctx, scope, person.ID); err != nil {
		return err
	}
	if err := c.cancelMemberEmails(ctx, scope, person.ID, EmailWaiting); err != nil {
		return err
	}
	return c.audit(ctx, scope, AuditMemberDeactivated, person.ID)
}

// reactivate brings a deactivated member back. Their earlier sign-ins stay ended. An invited person gets a new link.
func (c conn) reactivate(ctx context.Context, scope Scope, person Person) error {
	if err := c.setDeactivated(ctx, scope, person, nil); err != nil {
		return err
	}
	entry, err := c.auditID(ctx, scope, AuditMemberReactivated, person.ID)
	if err != nil || !person.Invited {
		return err
	}
	renewed, err := c.renewInvitation(ctx, scope, person.ID)
	if err != nil {
		return err
	}
	return c.queueInvitation(ctx, renewed.Person, scope, entry)
}

func (c conn) setDeactivated(ctx context.Context, scope Scope, person Person, at *time.Time) error {
	table := "users"
	if person.Invited {
		table = "invitations"
	}
	_, err := c.Exec(ctx, `UPDATE `+table+` SET deactivated_at = ?, updated_at = ? WHERE organization_id = ? AND id = ?`,
		at, c.store.Now(), scope.OrganizationID, person.ID)
	return err
}

// requireActive refuses a sign-in of a deactivated member. The lock makes a deactivation wait, which then ends the
// sign-in that is being made.
func (c conn) requireActive(ctx context.Context, user User) error {
	var deactivated bool
	err := c.Get(ctx, &deactivated, `SELECT deactivated_at IS NOT NULL FROM users WHERE organization_id = ? AND id = ?`+
		c.store.db.ForShare, user.OrganizationID, user.ID)
	if err != nil {
		return err
	}
	if deactivated {
		return errMemberDeactivated
	}
	return nil
}
