package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"assay/store/keys"
	"assay/store/rules"
)

// A person registers in two steps: they enter their address on the page of a registration link, and prove it with a
// link in an email. The first step does the same for each address, so that nobody learns from it who has taken part.
// Only the second one creates a session.

// linkTokenLength is that of rand.Text.
const linkTokenLength = 26

// registrationLifetime is how long the link in an email works.
const registrationLifetime = 24 * time.Hour

// registrationSource is the value of source in the metadata of sessions that registrations create.
const registrationSource = "registration"

// RegistrationForm is what the page of a registration link shows.
type RegistrationForm struct {
	Organization    Organization
	AssessmentTitle string
	Locale          *string // of the assessment
	Introduction    string
	PrivacyHTML     string // the notice of the organization, sanitized; "" for none
	NameRequired    bool
	Accepts         bool // otherwise registration has ended
}

// Registrant is what a person enters to register.
type Registrant struct {
	Name   string // "" for none
	Email  string
	Locale string // of the page; BCP 47
}

// UnscopedRegistrationForm returns what the page of a registration link shows. Refusal: not_found.
func (s *Store) UnscopedRegistrationForm(ctx context.Context, token string) (RegistrationForm, error) {
	form, _, _, err := s.registrationForm(ctx, token)
	return form, err
}

func (s *Store) registrationForm(ctx context.Context, token string) (RegistrationForm, Scope, string, error) {
	var of struct {
		OrganizationID string `db:"organization_id"`
		AssessmentID   string `db:"assessment_id"`
	}
	if !isLinkToken(token) {
		return RegistrationForm{}, Scope{}, "", errNoRegistration
	}
	c := s.read()
	if err := c.Get(ctx, &of, `SELECT organization_id, assessment_id FROM registration_links WHERE token = ?`,
		token); err != nil {
		return RegistrationForm{}, Scope{}, "", orRefuse(err, errNoRegistration)
	}
	scope := Scope{OrganizationID: of.OrganizationID}
	form, err := c.formOf(ctx, scope, of.AssessmentID)
	return form, scope, of.AssessmentID, err
}

// isLinkToken reports whether a text has the form of a token of a registration link. PostgreSQL rejects some others.
func isLinkToken(token string) bool {
	return len(token) == linkTokenLength && !strings.ContainsFunc(token, func(r rune) bool {
		return (r < 'A' || r > 'Z') && (r < '2' || r > '7')
	})
}

func (c conn) formOf(ctx context.Context, scope Scope, assessmentID string) (RegistrationForm, error) {
	link, err := c.registrationLink(ctx, scope, assessmentID)
	if err != nil {
		return RegistrationForm{}, orRefuse(err, errNoRegistration)
	}
	assessment, err := c.current(ctx, scope, assessmentID)
	if err != nil {
		return RegistrationForm{}, err
	}
	organization, err := c.organization(ctx, scope)
	privacy := ""
	if organization.PrivacyNotice != nil {
		privacy = c.store.NoticeHTML(*organization.PrivacyNotice)
	}
	now := c.store.Now()
	return RegistrationForm{
		Organization: organization, AssessmentTitle: assessment.Title, Locale: assessment.Locale,
		Introduction: value(link.Introduction), NameRequired: link.NameRequired, PrivacyHTML: privacy,
		Accepts: c.store.opts.SendsEmail && organization.DeleteAt == nil && link.accepts(now) &&
			assessment.Status == rules.AssessmentPublished &&
			(assessment.ClosesAt == nil || now.Before(assessment.ClosesAt.Time)),
	}, err
}

// UnscopedRegisterCandidate emails a link with which the person proves the address. It does the same whatever is known
// about the address. A person who registers again gets a new link, and the previous one stops working. If registration
// has ended, it does nothing. Refusals: not_found, *Limited.
func (s *Store) UnscopedRegisterCandidate(
	ctx context.Context, origin Origin, token string, in Registrant,
) (RegistrationForm, error) {
	form, scope, assessmentID, err := s.registrationForm(ctx, token)
	if err != nil || !form.Accepts {
		return form, err
	}
	limits := s.opts.SignInLimits
	for _, counted := range []struct {
		limit RateLimit
		who   string
	}{ // the network first, so that a network over its limit does not use up the other limits
		{limits.CandidateIP, origin.Network()}, {limits.CandidateIPDaily, origin.Network()},
		{limits.CandidateAddress, hashAccount(in.Email)}, {limits.CandidateAssessment, assessmentID},
	} {
		if err := s.count(ctx, counted.limit, counted.who); err != nil {
			return form, err
		}
	}
	id, now := s.NewID("reg"), s.Now()
	return form, s.write(ctx, func(c conn) error {
		if _, err := c.Exec(ctx, `
			INSERT INTO registrations (id, organization_id, assessment_id, token, email, email_key, name, locale, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (assessment_id, email_key) DO UPDATE SET id = excluded.id, token = excluded.token,
				email = excluded.email, name = excluded.name, locale = excluded.locale, expires_at = excluded.expires_at`,
			id, scope.OrganizationID, assessmentID, token, in.Email, emailKey(in.Email), in.Name, in.Locale,
			now.Add(registrationLifetime)); err != nil {
			return err
		}
		return c.queueEmail(ctx, newEmail{
			kind: EmailRegistration, organizationID: scope.OrganizationID, subjectID: &id,
		})
	})
}

// candidacy is a row of registrations.
type candidacy struct {
	ID             string `db:"id"`
	OrganizationID string `db:"organization_id"`
	AssessmentID   string `db:"assessment_id"`
	Token          string `db:"token"`
	Email          string `db:"email"`
	Name           string `db:"name"`
	Locale         string `db:"locale"`
	ExpiresAt      Time   `db:"expires_at"`
}

// candidacy returns a registration that has not expired, or sql.ErrNoRows.
func (c conn) candidacy(ctx context.Context, scope Scope, id, lock string) (candidacy, error) {
	var found candidacy
	err := c.Get(ctx, &found, `
		SELECT id, organization_id, assessment_id, token, email, name, locale, expires_at
		FROM registrations WHERE organization_id = ? AND id = ? AND expires_at > ?`+lock,
		scope.OrganizationID, id, c.store.Now())
	return found, err
}

// registrationEmail is the content of REGISTRATION, or nil if the registration was replaced or erased, or has expired.
// Only here a person learns that an earlier attempt forbids another one: the email goes to the owner of the address.
func (c conn) registrationEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	found, err := c.candidacy(ctx, scope, value(e.SubjectID), "")
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // see above
	}
	if err != nil {
		return nil, err
	}
	assessment, err := c.current(ctx, scope, found.AssessmentID)
	if err != nil {
		return nil, err
	}
	organization, err := c.organization(ctx, scope)
	if err != nil {
		return nil, err
	}
	content := &RegistrationContent{
		AssessmentTitle: assessment.Title, ExpiresAt: found.ExpiresAt.Time, Link: c.store.confirmationLink(found.ID),
	}
	if assessment.RepeatRule != rules.RepeatAllowed {
		key := emailKey(found.Email)
		histories, err := c.histories(ctx, scope, assessment, []string{key}, c.store.Now())
		if err != nil {
			return nil, err
		}
		history, ok := histories[key]
		if ok && !history.isLive(c.store.Now()) && history.Repeat != rules.RepeatPossible {
			content.Link, content.PossibleAt = "", history.PossibleAt
		}
	}
	email := &EmailContent{
		ID: e.ID, Kind: e.Kind, ToName: cmp.Or(found.Name, found.Email), ToAddress: found.Email,
		Organization: organization, Locale: found.Locale, TimeZone: value(organization.TimeZone), Registration: content,
	}
	return email.withStop(c.store), nil
}

// isLive reports whether the person has a session that they can start or continue, or that waits for a decision.
func (h History) isLive(now time.Time) bool {
	return h.Latest.Status == rules.SessionInProgress || h.Latest.Status == rules.SessionInReview ||
		h.Latest.Status == rules.SessionInvited && h.Latest.DueAt != nil && now.Before(h.Latest.DueAt.Time)
}

func (s *Store) confirmationLink(id string) string {
	return s.opts.BaseURL + ConfirmationPath + "?token=" + s.opts.Keys.LinkToken(keys.PurposeConfirmation, id)
}

// ConfirmationOutcome is what became of a registration.
type ConfirmationOutcome int

// The outcomes of a confirmation.
const (
	Confirmed         ConfirmationOutcome = iota
	RegistrationEnded                     // also because its limit was reached
	AttemptedAlready                      // the rule of the assessment permits no other attempt
	RegistrationHalts                     // a quota of the organization, which can rise
)

// Confirmation is what the page of the link in the email shows.
type Confirmation struct {
	RegistrationForm
	Email     string // of the person
	Language  string // of the page on which the person registered; BCP 47
	Outcome   ConfirmationOutcome
	InviteURL string // of Confirmed
}

// UnscopedConfirmation returns what the link in an email confirms, and changes nothing. Refusal: not_found for a token
// that is wrong, was replaced, or has expired.
func (s *Store) UnscopedConfirmation(ctx context.Context, token string) (Confirmation, error) {
	out, _, err := s.confirmation(ctx, token)
	return out, err
}

func (s *Store) confirmation(ctx context.Context, token string) (Confirmation, candidacy, error) {
	id, ok := s.opts.Keys.ParseLinkToken(keys.PurposeConfirmation, token)
	if !ok {
		return Confirmation{}, candidacy{}, errNoRegistration
	}
	c := s.read()
	var scope Scope
	if err := c.Get(ctx, &scope.OrganizationID, `SELECT organization_id FROM registrations WHERE id = ?`,
		id); err != nil {
		return Confirmation{}, candidacy{}, orRefuse(err, errNoRegistration)
	}
	found, err := c.candidacy(ctx, scope, id, "")
	if err != nil {
		return Confirmation{}, found, orRefuse(err, errNoRegistration)
	}
	form, err := c.formOf(ctx, scope, found.AssessmentID)
	return Confirmation{RegistrationForm: form, Email: found.Email, Language: found.Locale}, found, err
}

// errNoPlace undoes the invite of a registration that came too late.
var errNoPlace = errors.New("store: registration has ended")

// UnscopedConfirmRegistration invites the person whose link has the token, or returns the link of their live session. A
// second call leads to the same session. Refusal: not_found, as UnscopedConfirmation.
func (s *Store) UnscopedConfirmRegistration(ctx context.Context, origin Origin, token string) (Confirmation, error) {
	out, found, err := s.confirmation(ctx, token)
	if err != nil {
		return out, err
	}
	scope := Scope{OrganizationID: found.OrganizationID, Origin: origin}
	used, err := s.quotaLoad(ctx, scope)
	if err != nil {
		return out, err
	}
	var invited Invited
	err = s.write(ctx, func(c conn) error {
		// Of two requests with one token, the second one waits here.
		if _, err := c.candidacy(ctx, scope, found.ID, s.db.ForUpdate); err != nil {
			return orRefuse(err, errNoRegistration)
		}
		var err error
		invited, err = c.invite(ctx, scope, Invite{
			AssessmentID: found.AssessmentID, CandidateName: cmp.Or(found.Name, found.Email), CandidateEmail: found.Email,
			Metadata: map[string]string{"source": registrationSource}, SendEmail: new(true), OnExisting: ReturnExisting,
			keepsLive: true,
		}, s.room(used))
		if err != nil || !invited.Created {
			return err
		}
		return c.takePlace(ctx, scope, found)
	})
	if out.Outcome, err = outcomeOf(err); err == nil && out.Outcome == Confirmed {
		out.InviteURL = value(s.InviteURL(invited.Session))
	}
	return out, err
}

// takePlace counts a session against the limit of its link.
func (c conn) takePlace(ctx context.Context, scope Scope, of candidacy) error {
	taken, err := c.Exec(ctx, `
		UPDATE registration_links SET used = used + 1
		WHERE organization_id = ? AND assessment_id = ? AND token = ? AND is_open AND (ends_at IS NULL OR ends_at > ?)
			AND (max_registrations IS NULL OR used < max_registrations)`,
		scope.OrganizationID, of.AssessmentID, of.Token, c.store.Now())
	if err == nil && taken == 0 {
		return errNoPlace
	}
	return err
}

// outcomeOf turns the refusals of an invite into what the person sees.
func outcomeOf(err error) (ConfirmationOutcome, error) {
	var refused *Error
	if errors.Is(err, errNoPlace) {
		return RegistrationEnded, nil
	}
	if !errors.As(err, &refused) {
		return Confirmed, err
	}
	switch refused.Code {
	case errAttemptedBefore.Code:
		return AttemptedAlready, nil
	case errAssessmentNotPublished.Code, errAssessmentClosed.Code, errEmailNotConfigured.Code, errDeletionScheduled.Code:
		return RegistrationEnded, nil
	case errSessionQuota.Code, errDeliveryQuota.Code, errAssessmentNotOpen.Code:
		return RegistrationHalts, nil
	}
	return Confirmed, err
}

// eraseRegistrations removes what the candidate of a session has entered to register, before eraseSession replaces the
// address. An email with a link that is still queued is then not sent.
func (c conn) eraseRegistrations(ctx context.Context, scope Scope, id string, _ time.Time) error {
	_, err := c.Exec(ctx, `
		DELETE FROM registrations WHERE organization_id = ? AND email_key IN (
			SELECT candidate_email_key FROM candidate_sessions WHERE organization_id = ? AND id = ?)`,
		scope.OrganizationID, scope.OrganizationID, id)
	return err
}
