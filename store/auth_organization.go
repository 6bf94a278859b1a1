package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// Organization is a tenant.
type Organization struct {
	ID               string  `db:"id"`
	Name             string  `db:"name"`
	RedirectURL      *string `db:"redirect_url"` // of finished candidates, unless the session or the assessment has one
	InviteExpiryDays int     `db:"invite_expiry_days"`
	CreatedAt        Time    `db:"created_at"`
	UpdatedAt        Time    `db:"updated_at"`

	// What candidates see.
	SupportEmail            *string `db:"support_email"`
	PrivacyURL              *string `db:"privacy_url"`
	PrivacyNotice           *string `db:"privacy_notice"`           // Markdown
	AcknowledgementRequired bool    `db:"acknowledgement_required"` // of the privacy notice, before the start
	AccentColor             *string `db:"accent_color"`             // #rrggbb
	LogoHash                *string `db:"logo_hash"`                // see UnscopedLogo
	Locale                  *string `db:"locale"`                   // BCP 47
	TimeZone                *string `db:"time_zone"`                // IANA

	// Of emails to candidates.
	MailFromName    *string `db:"mail_from_name"` // nil: Name
	MailReplyTo     *string `db:"mail_reply_to"`  // nil: SupportEmail
	SendInviteEmail bool    `db:"send_invite_email"`
	NotifyReopened  bool    `db:"notify_reopened"`  // by email
	NotifyCorrected bool    `db:"notify_corrected"` // by email, and on the candidate's page

	// Of links to results.
	ResultLinkDays     int  `db:"result_link_days"` // after which a link expires, unless its creator says when
	ResultLinkInEvents bool `db:"result_link_in_events"`

	SecondFactorRequired bool `db:"second_factor_required"` // of members who sign in with a password

	// See Deletion.
	DeleteAt                *Time   `db:"delete_at"`
	DeletionRequestedAt     *Time   `db:"deletion_requested_at"`
	DeletionRequestedByName *string `db:"deletion_requested_by_name"`

	Usage Usage `db:"-"`
}

// Change is a field of a PATCH: absent (Set is false), or the new value; nil clears.
type Change[T any] struct {
	Set   bool
	Value *T
}

// OrganizationChange is the input of UpdateOrganization. A nil field does not change.
type OrganizationChange struct {
	Name                    *string
	RedirectURL             Change[string]
	InviteExpiryDays        *int
	SupportEmail            Change[string]
	PrivacyURL              Change[string]
	PrivacyNotice           Change[string]
	AcknowledgementRequired *bool
	AccentColor             Change[string]
	Locale                  Change[string]
	TimeZone                Change[string]
	MailFromName            Change[string]
	MailReplyTo             Change[string]
	SendInviteEmail         *bool
	NotifyReopened          *bool
	NotifyCorrected         *bool
	ResultLinkDays          *int
	ResultLinkInEvents      *bool
	SecondFactorRequired    *bool
}

// RetrieveOrganization returns the organization of the scope.
func (s *Store) RetrieveOrganization(ctx context.Context, scope Scope) (Organization, error) {
	organization, err := s.read().organization(ctx, scope)
	if err == nil {
		organization.Usage, err = s.usage(ctx, scope)
	}
	return organization, err
}

// organization leaves Usage empty.
func (c conn) organization(ctx context.Context, scope Scope) (Organization, error) {
	var organization Organization
	err := c.Get(ctx, &organization, `
		SELECT id, name, redirect_url, invite_expiry_days, created_at, updated_at, support_email, privacy_url,
			privacy_notice, acknowledgement_required, accent_color, locale, time_zone, mail_from_name, mail_reply_to,
			send_invite_email, notify_reopened, notify_corrected, result_link_days, result_link_in_events,
			second_factor_required, (SELECT hash FROM organization_logos l WHERE l.organization_id = o.id) AS logo_hash,
			delete_at, deletion_requested_at, (SELECT u.name FROM users u
				WHERE u.organization_id = o.id AND u.id = o.deletion_requested_by) AS deletion_requested_by_name
		FROM organizations o WHERE id = ?`,
		scope.OrganizationID)
	return organization, orRefuse(err, errNoOrganization)
}

// UpdateOrganization changes the fields that are set. Refusals: invalid_request for an
// unknown language or time zone; insufficient_role and no_second_factor, see mayRequireFactor.
func (s *Store) UpdateOrganization(ctx context.Context, scope Scope, change OrganizationChange) (Organization, error) {
	faults := append(rules.LocaleFaults(change.Locale.Value), rules.TimeZoneFaults(change.TimeZone.Value)...)
	if len(faults) > 0 {
		return Organization{}, errInvalid.with(faults...)
	}
	if change.SecondFactorRequired != nil {
		defer s.credentials.forget()
	}
	return s.changeOrganization(ctx, scope, func(c conn) error {
		if err := c.mayRequireFactor(ctx, scope, change.SecondFactorRequired); err != nil {
			return err
		}
		_, err := c.Exec(ctx, `
			UPDATE organizations SET name = COALESCE(?, name),
				redirect_url = CASE WHEN ? THEN ? ELSE redirect_url END,
				invite_expiry_days = COALESCE(?, invite_expiry_days),
				support_email = CASE WHEN ? THEN ? ELSE support_email END,
				privacy_url = CASE WHEN ? THEN ? ELSE privacy_url END,
				privacy_notice = CASE WHEN ? THEN ? ELSE privacy_notice END,
				acknowledgement_required = COALESCE(?, acknowledgement_required),
				accent_color = CASE WHEN ? THEN ? ELSE accent_color END,
				locale = CASE WHEN ? THEN ? ELSE locale END,
				time_zone = CASE WHEN ? THEN ? ELSE time_zone END,
				mail_from_name = CASE WHEN ? THEN ? ELSE mail_from_name END,
				mail_reply_to = CASE WHEN ? THEN ? ELSE mail_reply_to END,
				send_invite_email = COALESCE(?, send_invite_email),
				notify_reopened = COALESCE(?, notify_reopened), notify_corrected = COALESCE(?, notify_corrected),
				result_link_days = COALESCE(?, result_link_days),
				result_link_in_events = COALESCE(?, result_link_in_events),
				second_factor_required = COALESCE(?, second_factor_required), updated_at = ?
			WHERE id = ?`,
			change.Name, change.RedirectURL.Set, change.RedirectURL.Value, change.InviteExpiryDays,
			change.SupportEmail.Set, change.SupportEmail.Value, change.PrivacyURL.Set, change.PrivacyURL.Value,
			change.PrivacyNotice.Set, change.PrivacyNotice.Value, change.AcknowledgementRequired,
			change.AccentColor.Set, change.AccentColor.Value, change.Locale.Set, change.Locale.Value,
			change.TimeZone.Set, change.TimeZone.Value, change.MailFromName.Set, change.MailFromName.Value,
			change.MailReplyTo.Set, change.MailReplyTo.Value, change.SendInviteEmail, change.NotifyReopened,
			change.NotifyCorrected, change.ResultLinkDays, change.ResultLinkInEvents, change.SecondFactorRequired,
			s.Now(), scope.OrganizationID)
		return err
	})
}

// mayRequireFactor refuses a change of whether the locked organization requires a second factor. An OWNER without a
// second factor would lock themselves out.
func (c conn) mayRequireFactor(ctx context.Context, scope Scope, required *bool) error {
	if required == nil {
		return nil
	}
	var before, has bool
	if err := c.Get(ctx, &before, `SELECT second_factor_required FROM organizations WHERE id = ?`,
		scope.OrganizationID); err != nil || before == *required {
		return err
	}
	if scope.Role != Owner {
		return errOwnerRequired
	}
	if !*required {
		return nil
	}
	if err := c.Get(ctx, &has, `SELECT `+factorColumn+` FROM users WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, scope.UserID); err != nil {
		return err
	}
	if !has {
		return errNoSecondFactor
	}
	return nil
}

// changeOrganization locks the organization, runs change, records it in the audit log,
// and returns the organization afterwards, with its usage after the transaction.
func (s *Store) changeOrganization(ctx context.Context, scope Scope, change func(conn) error) (Organization, error) {
	var changed Organization
	err := s.write(ctx, func(c conn) error {
		var held string
		if err := c.Get(ctx, &held, `SELECT id FROM organizations WHERE id = ?`+s.db.ForNoKeyUpdate,
			scope.OrganizationID); err != nil {
			return orRefuse(err, errNoOrganization)
		}
		before, err := c.organization(ctx, scope)
		if err != nil {
			return err
		}
		if err := change(c); err != nil {
			return err
		}
		if changed, err = c.organization(ctx, scope); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditOrganizationUpdated, scope.OrganizationID, before.changes(changed)...)
	})
	if err == nil {
		changed.Usage, err = s.usage(ctx, scope)
	}
	return changed, err
}

func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }
