package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"

	"assay/store/keys"
)

// accountEmail is the content of the emails about accounts.
func (s *Store) accountEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	if e.UserID == nil || e.SubjectID == nil {
		return nil, nil
	}
	switch e.Kind {
	case EmailInvitation:
		return s.read().invitationEmail(ctx, scope, e)
	case EmailConfirmation:
		return s.confirmationEmail(ctx, scope, e)
	case EmailPasswordReset:
		return s.resetEmail(ctx, scope, e)
	}
	return s.read().securityNotice(ctx, scope, e)
}

// invitationEmail repeats the link of an invitation. The email is not needed if the invitation
// has been accepted, renewed, or removed, or has expired. It is also cancelled if the link cannot
// be repeated, because its master secret is no longer configured.
func (c conn) invitationEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	var invited struct {
		Name       string `db:"name"`
		Email      string `db:"email"`
		Role       Role   `db:"role"`
		TokenHash  []byte `db:"token_hash"`
		ExpiresAt  *Time  `db:"expires_at"`
		Generation int    `db:"generation"`
	}
	err := c.Get(ctx, &invited, `
		SELECT name, email, `+roleColumn+`, token_hash, expires_at, generation FROM invitations
		WHERE organization_id = ? AND id = ?`, scope.OrganizationID, *e.UserID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case invited.ExpiresAt == nil || !c.store.Now().Before(invited.ExpiresAt.Time):
		return nil, nil
	}
	link := ""
	for _, token := range c.store.opts.Keys.InvitationTokens(*e.UserID, invited.Generation) {
		if bytes.Equal(hashInvitation(token), invited.TokenHash) {
			link = c.store.invitationLink(token) + "." +
				c.store.opts.Keys.LinkToken(keys.PurposeInviteProof, inviteProofID(*e.UserID, invited.Generation))
		}
	}
	if link == "" {
		return nil, nil
	}
	entry, _, err := c.noticeEntry(ctx, scope, *e.SubjectID)
	if err != nil {
		return nil, err
	}
	content, err := c.emailTo(ctx, scope, e, invited.Name, invited.Email)
	if err != nil {
		return nil, err
	}
	content.Account = &AccountContent{
		Link: link, ExpiresAt: invited.ExpiresAt.Time, Role: invited.Role, IP: entry.IP, At: e.CreatedAt.Time,
	}
	if entry.ActorName != nil {
		content.Account.ByName = *entry.ActorName
	}
	return content, nil
}

// resetEmail makes the link to reset a password, or makes it valid for another hour. If the
// password has changed since the request, the email was cancelled, and there is no content.
func (s *Store) resetEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	var content *EmailContent
	err := s.write(ctx, func(c conn) error {
		// The lock makes a change of the password wait. It then also ends this link.
		made, _, err := c.memberEmail(ctx, scope, e, s.db.ForShare)
		content = nil
		if err != nil || made == nil {
			return err
		}
		now := s.Now()
		made.Account = &AccountContent{
			Link: s.resetLink(*e.SubjectID), ExpiresAt: now.Add(resetLifetime), At: e.CreatedAt.Time,
		}
		written, err := c.Exec(ctx, `
			INSERT INTO password_resets (id, organization_id, user_id, created_at, expires_at)
			SELECT subject_id, organization_id, user_id, ?, ? FROM emails
			WHERE organization_id = ? AND id = ? AND lease = ? AND status = 'QUEUED'
			ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
			now, made.Account.ExpiresAt, scope.OrganizationID, e.ID, e.Lease)
		if err == nil && written > 0 {
			content = made
		}
		return err
	})
	return content, err
}

// securityNotice is the content of an email about an audit entry.
func (c conn) securityNotice(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	content, user, err := c.memberEmail(ctx, scope, e, "")
	if err != nil || content == nil {
		return nil, err
	}
	entry, found, err := c.noticeEntry(ctx, scope, *e.SubjectID)
	if err != nil || !found {
		return nil, err
	}
	content.Account = &AccountContent{
		IP: entry.IP, At: entry.CreatedAt.Time, ResetURL: c.store.opts.BaseURL + resetPath,
	}
	if entry.ActorName != nil {
		content.Account.ByName = *entry.ActorName
	}
	for _, change := range entry.Changes() {
		if change.Field == "role" && change.From != nil && change.To != nil {
			content.Account.PreviousRole, content.Account.Role = Role(*change.From), Role(*change.To)
		}
	}
	if e.Kind == EmailDeletionScheduled {
		if content.Organization.DeleteAt == nil || user.Role != Owner {
			return nil, nil
		}
		content.Account.DeleteAt, content.Account.Link = content.Organization.DeleteAt.Time, c.store.dashboard("settings")
	}
	if e.Kind == EmailRoleChanged && content.Account.Role != user.Role {
		return nil, nil // changed again: another email reports that
	}
	return content, nil
}

// noticeEntry returns the audit entry that an email is about.
func (c conn) noticeEntry(ctx context.Context, scope Scope, id string) (AuditEntry, bool, error) {
	var entry AuditEntry
	err := c.Get(ctx, &entry, `
		SELECT a.id, a.action, a.actor_type, a.actor_id, `+actorName+` AS actor_name, a.resource_id, a.ip,
			a.request_id, a.created_at, a.changes
		FROM audit_log a WHERE a.organization_id = ? AND a.id = ?`, scope.OrganizationID, id)
	if errors.Is(err, sql.ErrNoRows) {
		return AuditEntry{}, false, nil
	}
	return entry, err == nil, err
}
