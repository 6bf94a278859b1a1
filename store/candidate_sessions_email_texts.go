package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"assay/store/rules"
)

// EmailText are the words of an organization for one kind of email to candidates, in one language.
type EmailText struct {
	Kind         EmailKind `db:"kind"`
	Locale       string    `db:"locale"`
	AssessmentID string    `db:"assessment_id"` // "" for all assessments without words of their own
	Subject      string    `db:"subject"`       // one line, with placeholders
	Text         string    `db:"text"`          // plain text with placeholders; an empty line begins a paragraph
	Version      int64     `db:"version"`       // another one after each change, also after a return to the default
	UpdatedBy    *string   `db:"updated_by"`    // a user
	UserName     *string   `db:"user_name"`
	UpdatedAt    *Time     `db:"updated_at"`
}

// EmailTextKinds are the kinds of emails whose words can be replaced.
func EmailTextKinds() []EmailKind {
	return []EmailKind{EmailInvite, EmailReminder, EmailReopened, EmailResultCorrected}
}

// PlaceholderValues are the values of the placeholders in an email, without the values that depend on its language.
func PlaceholderValues(c *EmailContent) map[string]string {
	values := map[string]string{
		placeholderCandidate:    cmp.Or(rules.Greeted(c.ToName), c.ToAddress),
		placeholderOrganization: c.Organization.Name,
	}
	switch {
	case c.Invite != nil:
		values[placeholderAssessment] = c.Invite.AssessmentTitle
	case c.Decision != nil:
		values[placeholderAssessment] = c.Decision.AssessmentTitle
	}
	return values
}

// check refuses a placeholder that the kind does not have.
func (t EmailText) check() error {
	known := map[string]string{placeholderCandidate: "", placeholderAssessment: "", placeholderOrganization: ""}
	names := "{{candidateName}}, {{assessmentTitle}}, and {{organizationName}}"
	if t.Kind == EmailInvite || t.Kind == EmailReminder {
		known[PlaceholderLastDay] = ""
		names = "{{candidateName}}, {{assessmentTitle}}, {{organizationName}}, and {{lastDay}}"
	}
	for _, field := range []struct{ name, text string }{{"/subject", t.Subject}, {"/text", t.Text}} {
		if _, unknown := rules.Filled(field.text, known); unknown {
			return errInvalid.with(fault(field.name, "invalid_value", "must have no placeholders but "+names))
		}
	}
	return nil
}

// ListEmailTexts returns the words of an assessment, and then the words of the organization. Refusal: not_found.
func (s *Store) ListEmailTexts(ctx context.Context, scope Scope, assessmentID string) ([]EmailText, error) {
	c := s.read()
	if err := c.requireTextsOf(ctx, scope, assessmentID); err != nil {
		return nil, err
	}
	var texts []EmailText // at most two for each kind and language
	err := c.List(ctx, &texts, emailTextColumns+`
		WHERE organization_id = ? AND assessment_id IN ('', ?) ORDER BY assessment_id DESC, kind, locale`,
		scope.OrganizationID, assessmentID)
	return texts, err
}

const emailTextColumns = `SELECT kind, locale, assessment_id, subject, text, version, updated_by, updated_at,
	(SELECT u.name FROM users u WHERE u.organization_id = email_texts.organization_id AND u.id = updated_by) AS user_name
	FROM email_texts`

// ownTexts are the words for emails of one kind: the words of the assessment, and then the words of the organization.
func (c conn) ownTexts(ctx context.Context, scope Scope, assessmentID string, kind EmailKind) ([]EmailText, error) {
	var texts []EmailText
	err := c.List(ctx, &texts, emailTextColumns+`
		WHERE organization_id = ? AND assessment_id IN ('', ?) AND kind = ? ORDER BY assessment_id DESC, locale`,
		scope.OrganizationID, assessmentID, kind)
	return texts, err
}

// requireTextsOf refuses an assessment that does not exist. "" is the organization.
func (c conn) requireTextsOf(ctx context.Context, scope Scope, assessmentID string) error {
	if assessmentID == "" {
		return nil
	}
	if err := c.store.CheckAssessmentAccess(scope, assessmentID); err != nil {
		return err
	}
	var found string
	err := c.Get(ctx, &found, `SELECT id FROM assessments WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, assessmentID)
	return orRefuse(err, errNoAssessment)
}

// lockTextsOf is requireTextsOf in a transaction that writes words: the assessment is not deleted until it ends.
func (c conn) lockTextsOf(ctx context.Context, scope Scope, assessmentID string) error {
	if assessmentID == "" {
		return nil
	}
	var found string
	err := c.Get(ctx, &found, `SELECT id FROM assessments WHERE organization_id = ? AND id = ?`+c.store.db.ForShare,
		scope.OrganizationID, assessmentID)
	return orRefuse(err, errNoAssessment)
}

// ReplaceEmailText sets words of the organization. seen is the version that the person has seen, 0 for none; nil
// replaces whatever there is. Refusals: not_found, invalid_request, email_text_changed.
func (s *Store) ReplaceEmailText(ctx context.Context, scope Scope, in EmailText, seen *int64) (EmailText, error) {
	if err := in.check(); err != nil {
		return EmailText{}, err
	}
	var saved EmailText
	err := s.write(ctx, func(c conn) error {
		if err := c.lockTextsOf(ctx, scope, in.AssessmentID); err != nil {
			return err
		}
		changed, err := c.saveEmailText(ctx, scope, in, seen)
		if err != nil {
			return err
		}
		saved, err = c.emailText(ctx, scope, in)
		switch {
		case changed == 1 && err == nil:
			return c.auditEmailText(ctx, scope, in)
		case err == nil && saved.Subject == in.Subject && saved.Text == in.Text: // a repeated request, or the same idea
			return nil
		case err == nil:
			return errEmailTextChanged
		}
		return orRefuse(err, errEmailTextChanged) // another person has returned to the default
	})
	return saved, err
}

// saveEmailText returns 0 if the words have another version than seen. The first version of words is the time in
// milliseconds, so that words after a return to the default have no version that earlier ones had.
func (c conn) saveEmailText(ctx context.Context, scope Scope, in EmailText, seen *int64) (changed int64, err error) {
	now := c.store.Now()
	words := []any{
		in.Subject, in.Text, scope.UserID, now, scope.OrganizationID, in.AssessmentID, in.Kind, in.Locale, now.UnixMilli(),
	}
	const insert = `
		INSERT INTO email_texts (subject, text, updated_by, updated_at, organization_id, assessment_id, kind, locale, version)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (organization_id, assessment_id, kind, locale) `
	switch {
	case seen == nil:
		return c.Exec(ctx, insert+`DO UPDATE SET subject = excluded.subject, text = excluded.text,
			updated_by = excluded.updated_by, updated_at = excluded.updated_at, version = email_texts.version + 1`, words...)
	case *seen == 0:
		return c.Exec(ctx, insert+`DO NOTHING`, words...)
	}
	words[len(words)-1] = *seen
	return c.Exec(ctx, `
		UPDATE email_texts SET subject = ?, text = ?, updated_by = ?, updated_at = ?, version = version + 1
		WHERE organization_id = ? AND assessment_id = ? AND kind = ? AND locale = ? AND version = ?`, words...)
}

// emailText returns the words at the place of the argument, or sql.ErrNoRows.
func (c conn) emailText(ctx context.Context, scope Scope, of EmailText) (EmailText, error) {
	var text EmailText
	err := c.Get(ctx, &text, emailTextColumns+`
		WHERE organization_id = ? AND assessment_id = ? AND kind = ? AND locale = ?`,
		scope.OrganizationID, of.AssessmentID, of.Kind, of.Locale)
	return text, err
}

// ResetEmailText removes words of the organization, if there are any. Only the kind, the language, and the assessment
// of the argument count. seen is as in ReplaceEmailText. Refusals: not_found, email_text_changed.
func (s *Store) ResetEmailText(ctx context.Context, scope Scope, of EmailText, seen *int64) error {
	return s.write(ctx, func(c conn) error {
		if err := c.lockTextsOf(ctx, scope, of.AssessmentID); err != nil {
			return err
		}
		deleted, err := c.Exec(ctx, `
			DELETE FROM email_texts
			WHERE organization_id = ? AND assessment_id = ? AND kind = ? AND locale = ? AND (? OR version = ?)`,
			scope.OrganizationID, of.AssessmentID, of.Kind, of.Locale, seen == nil, value(seen))
		switch {
		case err != nil:
			return err
		case deleted == 1:
			return c.auditEmailText(ctx, scope, of)
		}
		_, err = c.emailText(ctx, scope, of)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return cmp.Or(err, error(errEmailTextChanged))
	})
}

func (c conn) auditEmailText(ctx context.Context, scope Scope, of EmailText) error {
	action, resource := AuditOrganizationUpdated, scope.OrganizationID
	if of.AssessmentID != "" {
		action, resource = AuditAssessmentUpdated, of.AssessmentID
	}
	return c.audit(ctx, scope, action, resource, AuditChange{Field: "emailTexts"})
}

// copyEmailTexts gives a copy of an assessment its words.
func (c conn) copyEmailTexts(ctx context.Context, scope Scope, fromID, toID string) error {
	_, err := c.Exec(ctx, `
		INSERT INTO email_texts (organization_id, assessment_id, kind, locale, subject, text, version, updated_by, updated_at)
		SELECT organization_id, ?, kind, locale, subject, text, version, updated_by, updated_at FROM email_texts
		WHERE organization_id = ? AND assessment_id = ?`, toID, scope.OrganizationID, fromID)
	return err
}

// deleteEmailTexts removes the words of an assessment that is being deleted.
func (c conn) deleteEmailTexts(ctx context.Context, scope Scope, assessmentID string) error {
	_, err := c.Exec(ctx, `DELETE FROM email_texts WHERE organization_id = ? AND assessment_id = ?`,
		scope.OrganizationID, assessmentID)
	return err
}

// PreviewEmailText returns what an email with these words would say to the person of the scope. Refusals: not_found,
// invalid_request.
func (s *Store) PreviewEmailText(ctx context.Context, scope Scope, in EmailText) (*EmailContent, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	content, err := s.read().sampleEmail(ctx, scope, in)
	if content != nil {
		content.Own = []EmailText{in}
	}
	return content, err
}

// emailTextTests bounds the emails with which a person tests words.
var emailTextTests = RateLimit{Name: "email-text-test", Requests: 10, Window: time.Hour}

// TestEmailText queues an email with the stored words to the person of the scope. Refusals: not_found,
// email_not_configured, email_not_confirmed, *Limited.
func (s *Store) TestEmailText(ctx context.Context, scope Scope, of EmailText) error {
	if !s.opts.SendsEmail {
		return errEmailNotConfigured
	}
	return s.write(ctx, func(c conn) error {
		if err := c.requireTextsOf(ctx, scope, of.AssessmentID); err != nil {
			return err
		}
		if err := c.requireProved(ctx, scope); err != nil {
			return err
		}
		if err := c.count(ctx, emailTextTests, scope.UserID); err != nil {
			return err
		}
		return c.queueEmail(ctx, newEmail{
			kind: EmailTextTest, organizationID: scope.OrganizationID, userID: &scope.UserID,
			subjectID: new(strings.Join([]string{string(of.Kind), of.Locale, of.AssessmentID}, " ")),
		})
	})
}

// testEmail is the content of TEXT_TEST, or nil if the person or the assessment does not exist any more.
func (s *Store) testEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	c, fields := s.read(), append(strings.Split(*e.SubjectID, " "), "", "")
	of := EmailText{Kind: EmailKind(fields[0]), Locale: fields[1], AssessmentID: fields[2]}
	scope.UserID = *e.UserID
	content, err := c.sampleEmail(ctx, scope, of)
	var refusal *Error
	if errors.As(err, &refusal) || errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // see above
	}
	if err != nil {
		return nil, err
	}
	content.ID = e.ID
	content.Own, err = c.ownTexts(ctx, scope, of.AssessmentID, of.Kind)
	return content, err
}

// sampleEmail is an email of a kind as the person of the scope would get it for the assessment, or else for the newest
// published one that the person sees. Its links lead to no session.
func (c conn) sampleEmail(ctx context.Context, scope Scope, of EmailText) (*EmailContent, error) {
	organization, err := c.organization(ctx, scope)
	if err != nil {
		return nil, err
	}
	var person User
	if err := c.Get(ctx, &person, `SELECT id, organization_id, name, email, `+roleColumn+` FROM users
		WHERE organization_id = ? AND id = ? AND removed_at IS NULL`, scope.OrganizationID, scope.UserID); err != nil {
		return nil, err
	}
	assessment, err := c.sampleAssessment(ctx, scope, of.AssessmentID)
	if err != nil {
		return nil, err
	}
	now := c.store.Now()
	until := now.AddDate(0, 0, cmp.Or(assessment.InviteExpiryDays, organization.InviteExpiryDays))
	content := &EmailContent{
		Kind: of.Kind, ToName: person.Name, ToAddress: person.Email, Organization: organization, Locale: of.Locale,
		TimeZone: value(organization.TimeZone), StopURL: c.store.opts.BaseURL + UnsubscribePath,
	}
	link := c.store.opts.BaseURL + takePath
	switch of.Kind {
	case EmailInvite, EmailReminder:
		session := CandidateSession{ExpiresAt: Time{until}}
		content.Invite = c.store.inviteContent(session, assessment, rules.StartSpan{From: &now, Until: &until})
		content.Invite.InviteURL = link
		if len(assessment.Definition.Stages) == 0 { // no stages have no limit, and not one of no minutes
			content.Invite.TimeLimit = nil
		}
		if of.Kind == EmailReminder {
			content.UnsubscribeURL = c.store.opts.BaseURL + UnsubscribePath
		}
	default:
		content.Decision = &DecisionContent{
			AssessmentTitle: assessment.Title, InviteURL: link, DeadlineAt: &until, At: now,
		}
	}
	return content, nil
}

// sampleAssessment is the assessment with the id, or else the newest published one, or else one without a title.
func (c conn) sampleAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	if id == "" {
		where := filterOf(scope, Page{})
		where.and("status = ?", rules.AssessmentPublished)
		c.onlySeen(where, scope, "id")
		err := c.Get(ctx, &id, `SELECT id FROM assessments`+where.sql.String()+` ORDER BY id DESC LIMIT 1`, where.args...)
		if errors.Is(err, sql.ErrNoRows) {
			return &Assessment{Title: "…"}, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return c.current(ctx, scope, id)
}
