package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"assay/store/rules"
)

// ReviewEmailWords are the words of an organization to candidates, with placeholders.
type ReviewEmailWords struct {
	Subject string // one line
	Text    string // plain text; an empty line begins a paragraph
}

// The placeholders of the words of an organization.
const (
	placeholderCandidate    = "candidateName"
	placeholderAssessment   = "assessmentTitle"
	placeholderOrganization = "organizationName"
	PlaceholderLastDay      = "lastDay" // of INVITE and REMINDER; the last day to start, in the language of the email
)

// check refuses a placeholder that does not exist. at is the place of the words in the body.
func (w ReviewEmailWords) check(at string) error {
	known := map[string]string{placeholderCandidate: "", placeholderAssessment: "", placeholderOrganization: ""}
	for _, field := range []struct{ name, text string }{{"/subject", w.Subject}, {"/text", w.Text}} {
		if _, unknown := rules.Filled(field.text, known); unknown {
			return errInvalid.with(fault(at+field.name, "invalid_value",
				"must have no placeholders but {{candidateName}}, {{assessmentTitle}}, and {{organizationName}}"))
		}
	}
	return nil
}

// PreviewReviewEmail returns what an email with these words would say to the candidate of a session. Refusals:
// not_found, session_erased, invalid_request.
func (s *Store) PreviewReviewEmail(
	ctx context.Context, scope Scope, sessionID string, words ReviewEmailWords,
) (*EmailContent, error) {
	if err := words.check(""); err != nil {
		return nil, err
	}
	c := s.read()
	session, err := c.session(ctx, scope, sessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	switch {
	case err != nil:
		return nil, err
	case session.ErasedAt != nil:
		return nil, errSessionErased
	}
	return c.writtenEmail(ctx, scope, session, words)
}

// reviewEmail is the content of DECISION, or nil if the email is not needed any more: the candidate was erased, or the
// state was changed again while a worker was sending it.
func (s *Store) reviewEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	c := s.read()
	session, err := c.session(ctx, scope, *e.SessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	var refused *Error
	if errors.As(err, &refused) || err == nil && session.ErasedAt != nil {
		return nil, nil //nolint:nilnil // see above
	}
	if err != nil {
		return nil, err
	}
	newest, err := c.newestChange(ctx, scope, session.ID)
	if err != nil {
		return nil, err
	}
	var words ReviewEmailWords
	err = c.Row(ctx, []any{&words.Subject, &words.Text}, `
		SELECT b.subject, b.text FROM review_emails m JOIN review_email_batches b ON b.id = m.batch_id
		WHERE m.organization_id = ? AND m.id = ? AND m.change_id = ?`, scope.OrganizationID, e.ID, newest)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // see above
	}
	if err != nil {
		return nil, err
	}
	content, err := c.writtenEmail(ctx, scope, session, words)
	if err != nil {
		return nil, err
	}
	content.ID = e.ID
	return content.withStop(s), nil
}

// writtenEmail fills the placeholders for the candidate of a session. Its link to end emails leads nowhere.
func (c conn) writtenEmail(
	ctx context.Context, scope Scope, session CandidateSession, words ReviewEmailWords,
) (*EmailContent, error) {
	assessment, err := c.contentFor(ctx, scope, session.contentID(), session.ID)
	if err != nil {
		return nil, err
	}
	organization, err := c.organization(ctx, scope)
	if err != nil {
		return nil, err
	}
	values := map[string]string{
		placeholderCandidate:    cmp.Or(rules.Greeted(session.CandidateName), session.CandidateEmail),
		placeholderAssessment:   assessment.Title,
		placeholderOrganization: organization.Name,
	}
	written := &WrittenContent{AssessmentTitle: assessment.Title}
	written.Subject, _ = rules.Filled(words.Subject, values)
	written.Text, _ = rules.Filled(words.Text, values)
	return &EmailContent{
		Kind: EmailDecision, ToName: session.CandidateName, ToAddress: session.CandidateEmail, Organization: organization,
		Locale: value(firstOf(assessment.Locale, organization.Locale)), TimeZone: value(organization.TimeZone),
		Written: written, StopURL: c.store.opts.BaseURL + UnsubscribePath,
	}, nil
}
