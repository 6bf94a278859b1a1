package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"assay/store/rules"
)

// correctedPause is how long an email about a corrected result waits, so that several decisions within this time make
// one email.
const correctedPause = 10 * time.Minute

// tellReopened queues the email to a candidate who can go on, if the organization wants it.
func (c conn) tellReopened(ctx context.Context, session CandidateSession) error {
	return c.tell(ctx, session, EmailReopened, `notify_reopened`, nil, time.Time{})
}

// tellGatePassed queues the email to a candidate who goes on after a review. No setting of the organization ends it:
// the candidate left when the review began, and the clock runs again.
func (c conn) tellGatePassed(ctx context.Context, session CandidateSession) error {
	return c.tell(ctx, session, EmailGatePassed, `id <> ''`, nil, time.Time{})
}

// tellCorrected queues the email to a candidate whose score, or whether they passed, was corrected with this revision,
// if the organization wants it.
func (c conn) tellCorrected(ctx context.Context, session CandidateSession, now time.Time) error {
	return c.tell(ctx, session, EmailResultCorrected, `notify_corrected`, new(strconv.Itoa(session.Revision-1)),
		now.Add(correctedPause))
}

// tell queues an email to the candidate of a locked session, unless one of the kind waits. An email that a worker sends
// now does not count: the worker may have read what it says before this decision.
func (c conn) tell(
	ctx context.Context, session CandidateSession, kind EmailKind, setting string, subject *string, runAt time.Time,
) error {
	if session.Test || !c.store.opts.SendsEmail {
		return nil
	}
	// The lock keeps a worker from claiming the waiting email before this decision is committed.
	var waiting []string
	if err := c.List(ctx, &waiting, `
		SELECT id FROM emails WHERE organization_id = ? AND session_id = ? AND kind = ? AND status = 'QUEUED'
			AND lease = ''`+c.store.db.ForNoKeyUpdate, session.OrganizationID, session.ID, kind); err != nil ||
		len(waiting) > 0 {
		return err
	}
	email := c.store.insertEmail(newEmail{
		kind: kind, organizationID: session.OrganizationID, sessionID: &session.ID, subjectID: subject, runAt: runAt,
	}, c.store.Now())
	email.Select += ` FROM (SELECT 1 FROM organizations WHERE id = ? AND ` + setting + `) o`
	email.Args = append(email.Args, session.OrganizationID)
	_, err := c.Exec(ctx, email.Text(), email.Args...)
	c.AfterCommit(c.store.wakeEmail)
	return err
}

// decisionEmail is the content of REOPENED, GATE_PASSED, and RESULT_CORRECTED, or nil if the email is not needed any
// more: the session has ended again, or was reopened, cancelled, or erased, the score is again what it was, or the
// organization no longer wants it.
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
	assessment, err := c.contentFor(ctx, scope, session.contentID(), session.ID)
	if err != nil {
		return nil, err
	}
	organization, err := c.organization(ctx, scope)
	if err != nil {
		return nil, err
	}
	if e.Kind == EmailReopened && !organization.NotifyReopened ||
		e.Kind == EmailResultCorrected && !organization.NotifyCorrected {
		return nil, nil //nolint:nilnil // see above
	}
	own, err := c.ownTexts(ctx, scope, session.AssessmentID, e.Kind)
	if err != nil {
		return nil, err
	}
	decision := &DecisionContent{AssessmentTitle: assessment.Title, At: e.CreatedAt.Time}
	switch e.Kind {
	case EmailResultCorrected:
		at, err := c.scoreCorrectedAt(ctx, session, e)
		if at == nil {
			return nil, err
		}
		decision.At = *at
	case EmailReopened, EmailGatePassed:
		m, err := c.material(ctx, session)
		if err != nil {
			return nil, err
		}
		decision.InviteURL, decision.DeadlineAt = value(s.InviteURL(session)), timePtr(session.DeadlineAt)
		if i := m.progress.Current(); i >= 0 && m.progress.Stages[i].DeadlineAt != nil {
			decision.DeadlineAt = m.progress.Stages[i].DeadlineAt
		}
		if decision.DeadlineAt != nil && !decision.DeadlineAt.After(s.Now()) {
			return nil, nil //nolint:nilnil // the end is not recorded yet
		}
	}
	content := &EmailContent{
		ID: e.ID, Kind: e.Kind, ToName: session.CandidateName, ToAddress: session.CandidateEmail,
		Organization: organization, Locale: value(firstOf(assessment.Locale, organization.Locale)),
		TimeZone: value(organization.TimeZone), Own: own, Decision: decision,
	}
	return content.withStop(s), nil
}

// scoreCorrectedAt is when the newest decision changed the result, or nil if the score, and whether the candidate
// passed, are what they were before the decisions that the email is about.
func (c conn) scoreCorrectedAt(ctx context.Context, session CandidateSession, e Email) (*time.Time, error) {
	var stored, current string
	var at Time
	err := c.Row(ctx, []any{&stored, &current, &at}, `
		SELECT r.result, s.result, (SELECT MAX(l.replaced_at) FROM result_revisions l WHERE l.session_id = s.id)
		FROM candidate_sessions s JOIN result_revisions r ON r.session_id = s.id
		WHERE s.organization_id = ? AND s.id = ? AND CAST(r.revision AS TEXT) = ?`,
		session.OrganizationID, session.ID, value(e.SubjectID))
	if errors.Is(err, sql.ErrNoRows) { // Compatibility until v1.1: an email that v1.0 has queued
		return timePtr(&e.CreatedAt), nil
	}
	if err != nil {
		return nil, err
	}
	return unlessEqual(stored, current, at)
}

// unlessEqual returns the time, or nil if two stored results have the same score and both passed or both did not.
func unlessEqual(stored, current string, at Time) (*time.Time, error) {
	var before, after Result
	if err := errors.Join(json.Unmarshal([]byte(stored), &before), json.Unmarshal([]byte(current), &after)); err != nil {
		return nil, err
	}
	if after.Score == before.Score && !differ(after.Passed, before.Passed) {
		return nil, nil //nolint:nilnil // see above
	}
	return &at.Time, nil
}

// correctedAt is when a decision last changed the result of a finished session after its end, or nil if the score, and
// whether the candidate passed, are what they were at the end.
func (c conn) correctedAt(ctx context.Context, session CandidateSession) (*time.Time, error) {
	end := session.CompletedAt
	if end == nil {
		end = session.DisqualifiedAt
	}
	if session.Revision == 1 || end == nil || !session.hasResult() {
		return nil, nil //nolint:nilnil // it has not
	}
	// The revision before a reopening was replaced before the session ended again.
	var stored, current string
	var at Time
	err := c.Row(ctx, []any{&stored, &current, &at}, `
		SELECT r.result, s.result, (SELECT MAX(l.replaced_at) FROM result_revisions l WHERE l.session_id = s.id)
		FROM candidate_sessions s JOIN result_revisions r ON r.session_id = s.id
		WHERE s.organization_id = ? AND s.id = ? AND r.replaced_at > ? ORDER BY r.revision LIMIT 1`,
		session.OrganizationID, session.ID, end.Time)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // nothing has changed since the end
	}
	if err != nil {
		return nil, err
	}
	return unlessEqual(stored, current, at)
}
