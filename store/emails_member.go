package store

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"
)

// queueNotice queues an email to a member about an audit entry.
func (c conn) queueNotice(ctx context.Context, kind EmailKind, organizationID, userID, entryID string) error {
	return c.queueEmail(ctx, newEmail{
		kind: kind, organizationID: organizationID, userID: &userID, subjectID: &entryID,
	})
}

// queueOwnerNotices tells each OWNER of an organization about an audit entry.
func (c conn) queueOwnerNotices(ctx context.Context, kind EmailKind, organizationID, entryID string) error {
	var owners []string
	if err := c.List(ctx, &owners, `
		SELECT id FROM users WHERE organization_id = ? AND role = 'OWNER' AND removed_at IS NULL`,
		organizationID); err != nil {
		return err
	}
	for _, id := range owners {
		if err := c.queueNotice(ctx, kind, organizationID, id, entryID); err != nil {
			return err
		}
	}
	return nil
}

// reuseNotices bounds the emails to one person about refresh tokens that were used twice: a
// thief with several tokens must not fill the person's mailbox.
var reuseNotices = RateLimit{Name: "reuse-notice", Requests: 1, Window: time.Hour}

// queueReuseNotice tells the person of a login that its refresh token was used twice.
func (c conn) queueReuseNotice(ctx context.Context, login Login, entryID string) error {
	if !c.store.opts.SendsEmail {
		return nil
	}
	var limited *Limited
	if err := c.count(ctx, reuseNotices, login.UserID); err != nil {
		if errors.As(err, &limited) {
			return nil
		}
		return err
	}
	return c.queueNotice(ctx, EmailRefreshTokenReused, login.OrganizationID, login.UserID, entryID)
}

// queueWebhookDisabled tells each OWNER and ADMIN that an endpoint was disabled.
func (c conn) queueWebhookDisabled(ctx context.Context, webhookID string) error {
	if !c.store.opts.SendsEmail {
		return nil
	}
	var people []User
	if err := c.List(ctx, &people, `
		SELECT u.id, u.organization_id FROM webhook_endpoints w JOIN users u ON u.organization_id = w.organization_id
		WHERE w.id = ? AND u.role IN ('OWNER', 'ADMIN') AND u.removed_at IS NULL
			AND u.deactivated_at IS NULL`,
		webhookID); err != nil {
		return err
	}
	for _, person := range people {
		if err := c.queueEmail(ctx, newEmail{
			kind: EmailWebhookDisabled, organizationID: person.OrganizationID, userID: &person.ID, subjectID: &webhookID,
		}); err != nil {
			return err
		}
	}
	return nil
}

// cancelMemberEmails cancels the queued emails of one kind to a person.
func (c conn) cancelMemberEmails(ctx context.Context, scope Scope, userID string, kind EmailKind) error {
	_, err := c.Exec(ctx, `
		UPDATE emails SET status = 'CANCELLED', ready = FALSE, lease = '', ended_at = ?
		WHERE organization_id = ? AND user_id = ? AND kind = ? AND status = 'QUEUED'`,
		c.store.Now(), scope.OrganizationID, userID, kind)
	return err
}

// endEmails ends all emails to a member. It is part of the member's removal.
func (c conn) endEmails(ctx context.Context, scope Scope, userID string) error {
	if _, err := c.Exec(ctx, `
		UPDATE emails SET status = 'CANCELLED', ready = FALSE, lease = '', ended_at = ?
		WHERE organization_id = ? AND user_id = ? AND status = 'QUEUED'`,
		c.store.Now(), scope.OrganizationID, userID); err != nil {
		return err
	}
	if err := c.endFinishedEmails(ctx, scope, userID); err != nil {
		return err
	}
	return c.deleteResets(ctx, scope, userID)
}

// memberEmail returns the first part of the content of an email to a member. It returns nil
// for a removed member, and for an email without a recipient.
func (c conn) memberEmail(ctx context.Context, scope Scope, e Email, lock string) (*EmailContent, *User, error) {
	if e.UserID == nil {
		return nil, nil, nil
	}
	var user User
	err := c.Get(ctx, &user, `
		SELECT id, organization_id, person_id, name, email, `+roleColumn+` FROM users
		WHERE organization_id = ? AND id = ? AND removed_at IS NULL`+lock,
		scope.OrganizationID, *e.UserID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	content, err := c.emailTo(ctx, scope, e, user.Name, user.Email)
	return content, &user, err
}

// emailTo is the part of the content that all emails to members have.
func (c conn) emailTo(ctx context.Context, scope Scope, e Email, name, address string) (*EmailContent, error) {
	organization, err := c.organization(ctx, scope)
	if err != nil {
		return nil, err
	}
	content := &EmailContent{ID: e.ID, Kind: e.Kind, ToName: name, ToAddress: address, Organization: organization}
	if organization.Locale != nil {
		content.Locale = *organization.Locale
	}
	if organization.TimeZone != nil {
		content.TimeZone = *organization.TimeZone
	}
	return content, nil
}

// webhookEmail is the content of WEBHOOK_DISABLED. The email is not needed if the endpoint was
// deleted or enabled again, or if the member can no longer manage endpoints.
func (s *Store) webhookEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	c := s.read()
	content, user, err := c.memberEmail(ctx, scope, e, "")
	if err != nil || content == nil || !slices.Contains([]Role{Owner, Admin}, user.Role) || e.SubjectID == nil {
		return nil, err
	}
	var endpoint struct {
		URL    string         `db:"url"`
		Reason DisabledReason `db:"disabled_reason"`
	}
	err = c.Get(ctx, &endpoint, `
		SELECT url, disabled_reason FROM webhook_endpoints
		WHERE organization_id = ? AND id = ? AND deleted_at IS NULL AND NOT enabled
			AND disabled_reason IN ('FAILING', 'ENDPOINT_GONE')`, scope.OrganizationID, *e.SubjectID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	content.Webhook = &WebhookContent{
		URL: s.dashboard("webhooks", *e.SubjectID), Host: hostOf(endpoint.URL), Reason: string(endpoint.Reason),
		At: e.CreatedAt.Time,
	}
	return content, err
}

// dashboard is the address of a screen of the dashboard.
func (s *Store) dashboard(screen ...string) string {
	return s.opts.BaseURL + "/app/" + strings.Join(screen, "/")
}

// hostOf returns the host of an address, because its path can be a secret.
func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return parsed.Host
}
