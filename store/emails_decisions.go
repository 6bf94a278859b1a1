package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/rules"
)

// correctedPause is how long an email about a corrected result waits, so that several decisions within this time make
// one email.
const correctedPause = 10 * time.Minute

// tellReopened queues the email to a candidate who can go on, if the organization wants it.
func (c conn) tellReopened(ctx context.Context, session CandidateSession) error {
	return c.tell(ctx, session, EmailReopened, `notify_reopened`, time.Time{})
}

// tellCorrected queues the email to a candidate whose score, or whether they passed, was corrected, if the
// organization wants it.
func (c conn) tellCorrected(ctx context.Context, session CandidateSession, now time.Time) error {
	return c.tell(ctx, session, EmailResultCorrected, `notify_corrected`, now.Add(correctedPause))
}

// tell queues an email to a candidate, unless one of the kind waits.
func (c conn) tell(ctx context.Context, session CandidateSession, kind EmailKind, setting string, runAt time.Time) error {
	if session.Test || !c.store.opts.SendsEmail {
		return nil
	}
	email := c.store.insertEmail(newEmail{
		kind: kind, organizationID: session.OrganizationID, sessionID: &session.ID, runAt: runAt,
	}, c.store.Now())
	email.Select += ` FROM (SELECT 1 FROM organizations WHERE id = ? AND ` + setting + ` AND NOT EXISTS (
		SELECT 1 FROM emails q WHERE q.organization_id = ? AND q.session_id = ? AND q.kind = ? AND q.status = 'QUEUED')) o`
	email.Args = append(email.Args, session.OrganizationID, session.OrganizationID, session.ID, kind)
	_, err := c.Exec(ctx, email.Text(), email.Args...)
	c.AfterCommit(c.store.wakeEmail)
	return err
}

// decisionEmail is the content of REOPENED and RESULT_CORRECTED, or nil if the email is not needed any more: the session
// has ended again, or was reopened, cancelled, or erased.
func (s *Store) decisionEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	c := s.read()
	session, err := c.session(ctx, scope, *e.SessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	var refused *Error
	if errors.Is(err, sql.ErrNoRows) || errors.As(err, &refused) {
		return nil, nil //nolint:nilnil // see above
	}
	if err != nil {
		return nil, err
	}
	isNeeded := session.Status == rules.SessionInProgress
	if e.Kind == EmailResultCorrected {
		isNeeded = session.hasResult()
	}
	if !isNeeded || session.ErasedAt != nil {
		return nil, nil //nolint:nilnil // see above
	}
	assessment, err := c.content(ctx, scope, session.AssessmentID)
	if err != nil {
		return nil, err
	}
	organization, err := c.organization(ctx, scope)
	if err != nil {
		return nil, err
	}
	decision := &DecisionContent{AssessmentTitle: assessment.Title, At: e.CreatedAt.Time}
	if e.Kind == EmailReopened {
		m, err := c.material(ctx, session)
		if err != nil {
			return nil, err
		}
		decision.InviteURL, decision.DeadlineAt = value(s.InviteURL(session)), timePtr(session.DeadlineAt)
		if i := m.progress.Current(); i >= 0 && m.progress.Stages[i].DeadlineAt != nil {
			decision.DeadlineAt = m.progress.Stages[i].DeadlineAt
		}
	}
	return &EmailContent{
		ID: e.ID, Kind: e.Kind, ToName: session.CandidateName, ToAddress: session.CandidateEmail,
		Organization: organization, Locale: value(firstOf(assessment.Locale, organization.Locale)),
		TimeZone: value(organization.TimeZone), Decision: decision,
	}, nil
}

// correctedAt is when a decision last changed the result of a finished session after its end, or nil.
func (c conn) correctedAt(ctx context.Context, session CandidateSession) (*time.Time, error) {
	end := session.CompletedAt
	if end == nil {
		end = session.DisqualifiedAt
	}
	if session.Revision == 1 || end == nil || !session.hasResult() {
		return nil, nil //nolint:nilnil // it has not
	}
	// The revision before a reopening was replaced before the session ended again.
	var at *Time
	err := c.Row(ctx, []any{&at}, `
		SELECT MAX(replaced_at) FROM result_revisions WHERE organization_id = ? AND session_id = ? AND replaced_at > ?`,
		session.OrganizationID, session.ID, end.Time)
	return timePtr(at), err
}
