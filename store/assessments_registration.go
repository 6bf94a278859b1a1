package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"time"

	"assay/store/rules"
)

// The pages of registration.
const (
	RegistrationPath = "/registration"               // of a registration link
	ConfirmationPath = RegistrationPath + "/confirm" // of the link in the email
)

// RegistrationLink is a link with which people register themselves as candidates of an assessment.
type RegistrationLink struct {
	Token        string  `db:"token"` // "" if registration was never opened
	IsOpen       bool    `db:"is_open"`
	Limit        *int    `db:"max_registrations"` // nil for none
	Used         int     `db:"used"`              // sessions that registrations have created
	EndsAt       *Time   `db:"ends_at"`           // nil for no end
	NameRequired bool    `db:"name_required"`
	Introduction *string `db:"introduction"` // plain text above the form
}

// RegistrationURL returns the address of the page, or nil if there is no link.
func (s *Store) RegistrationURL(l RegistrationLink) *string {
	if l.Token == "" {
		return nil
	}
	url := s.opts.BaseURL + RegistrationPath + "?token=" + l.Token
	return &url
}

// accepts reports whether somebody can register with the link.
func (l RegistrationLink) accepts(now time.Time) bool {
	return l.IsOpen && (l.EndsAt == nil || now.Before(l.EndsAt.Time)) && (l.Limit == nil || l.Used < *l.Limit)
}

// RegistrationSettings is the input of ReplaceAssessmentRegistration.
type RegistrationSettings struct {
	Limit        *int
	EndsAt       *time.Time
	NameRequired bool
	Introduction *string
	NewLink      bool // the previous link stops working
}

// RetrieveAssessmentRegistration returns the registration link of an assessment. Refusal: not_found.
func (s *Store) RetrieveAssessmentRegistration(ctx context.Context, scope Scope, id string) (RegistrationLink, error) {
	c := s.read()
	var found string
	if err := c.Get(ctx, &found, `SELECT id FROM assessments WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, id); err != nil {
		return RegistrationLink{}, orRefuse(err, errNoAssessment)
	}
	link, err := c.registrationLink(ctx, scope, id)
	if errors.Is(err, sql.ErrNoRows) {
		return RegistrationLink{NameRequired: true}, nil
	}
	return link, err
}

func (c conn) registrationLink(ctx context.Context, scope Scope, id string) (RegistrationLink, error) {
	var link RegistrationLink
	err := c.Get(ctx, &link, `
		SELECT token, is_open, max_registrations, used, ends_at, name_required, introduction
		FROM registration_links WHERE organization_id = ? AND assessment_id = ?`, scope.OrganizationID, id)
	return link, err
}

// ReplaceAssessmentRegistration opens registration for a published assessment, or changes how people register.
// Refusals: not_found, assessment_not_published, email_not_configured, invalid_request for an end in the past.
func (s *Store) ReplaceAssessmentRegistration(
	ctx context.Context, scope Scope, id string, in RegistrationSettings,
) (RegistrationLink, error) {
	var link RegistrationLink
	err := s.write(ctx, func(c conn) error {
		var status rules.AssessmentStatus
		if err := c.Get(ctx, &status, `SELECT status FROM assessments WHERE organization_id = ? AND id = ?`+s.db.ForShare,
			scope.OrganizationID, id); err != nil {
			return orRefuse(err, errNoAssessment)
		}
		switch {
		case status != rules.AssessmentPublished:
			return errAssessmentNotPublished
		case !s.opts.SendsEmail:
			return errEmailNotConfigured
		}
		if err := c.requireProved(ctx, scope); err != nil {
			return err
		}
		now := s.Now()
		var endsAt *time.Time
		if in.EndsAt != nil {
			end := milliseconds(*in.EndsAt)
			if !end.After(now) {
				return errEndInPast
			}
			endsAt = &end
		}
		if _, err := c.Exec(ctx, `
			INSERT INTO registration_links (assessment_id, organization_id, token, is_open, max_registrations, ends_at,
				name_required, introduction, used, created_at)
			VALUES (?, ?, ?, TRUE, ?, ?, ?, ?, 0, ?)
			ON CONFLICT (assessment_id) DO UPDATE SET is_open = TRUE, max_registrations = excluded.max_registrations,
				ends_at = excluded.ends_at, name_required = excluded.name_required, introduction = excluded.introduction,
				token = CASE WHEN ? THEN excluded.token ELSE registration_links.token END`,
			id, scope.OrganizationID, rand.Text(), in.Limit, endsAt, in.NameRequired, in.Introduction, now,
			in.NewLink); err != nil {
			return err
		}
		var err error
		if link, err = c.registrationLink(ctx, scope, id); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditRegistrationOpened, id)
	})
	return link, err
}

// CloseAssessmentRegistration ends registration. People who have not confirmed their address can no longer do it. The
// link stays, so that its page says that registration has ended. Refusal: not_found.
func (s *Store) CloseAssessmentRegistration(ctx context.Context, scope Scope, id string) error {
	return s.write(ctx, func(c conn) error {
		var found string
		if err := c.Get(ctx, &found, `SELECT id FROM assessments WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, id); err != nil {
			return orRefuse(err, errNoAssessment)
		}
		closed, err := c.Exec(ctx, `
			UPDATE registration_links SET is_open = FALSE WHERE organization_id = ? AND assessment_id = ? AND is_open`,
			scope.OrganizationID, id)
		if err != nil || closed == 0 {
			return err
		}
		return c.audit(ctx, scope, AuditRegistrationClosed, id)
	})
}
