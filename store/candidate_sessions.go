package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"assay/store/rules"
)

// CandidateSession is one attempt of a candidate at an assessment.
type CandidateSession struct {
	ID               string              `db:"id"`
	OrganizationID   string              `db:"organization_id"`
	AssessmentID     string              `db:"assessment_id"`
	AssessmentTitle  string              `db:"assessment_title"` // the assessment's current title
	CandidateName    string              `db:"candidate_name"`
	CandidateEmail   string              `db:"candidate_email"`
	ExternalID       *string             `db:"external_id"`
	MetadataJSON     string              `db:"metadata"`
	Status           rules.SessionStatus `db:"status"`
	Attempt          int                 `db:"attempt"`
	InviteGeneration int                 `db:"invite_generation"`
	RedirectURL      *string             `db:"redirect_url"`
	ExtraTimePercent int                 `db:"extra_time_percent"`
	InvitedAt        Time                `db:"invited_at"`
	ExpiresAt        Time                `db:"expires_at"` // the latest time to start
	StartedAt        *Time               `db:"started_at"`
	DeadlineAt       *Time               `db:"deadline_at"`     // the latest time to finish
	DueAt            *Time               `db:"due_at"`          // the next deadline
	InReviewSince    *Time               `db:"in_review_since"` // when the answers came in; nil unless IN_REVIEW
	CompletedAt      *Time               `db:"completed_at"`
	DisqualifiedAt   *Time               `db:"disqualified_at"`
	CancelledAt      *Time               `db:"cancelled_at"`
	CloseReason      *rules.CloseReason  `db:"close_reason"`
	CurrentStageID   *string             `db:"current_stage_id"`
	Score            *float64            `db:"score"` // percent
	Passed           *bool               `db:"passed"`
	CreatedAt        Time                `db:"created_at"`
	UpdatedAt        Time                `db:"updated_at"`
	ErasedAt         *Time               `db:"erased_at"`
	Test             bool                `db:"test"`         // a preview: not counted, invisible to API keys, no events
	Note             *string             `db:"note"`         // of the organization; the candidate does not see it
	EmailStatus      EmailStatus         `db:"email_status"` // of the latest email with the invite
	EmailSentAt      *Time               `db:"email_sent_at"`
	EmailFailure     *string             `db:"email_failure"`
	EmailReason      *string             `db:"email_reason"`    // an EmailReason; only beside EmailFailure
	Revision         int                 `db:"revision"`        // of the result, or of the result to come; from 1
	ReviewStateID    *string             `db:"review_state_id"` // see ReviewState
	ReviewTags       *string             `db:"review_tags"`     // see Tags
	Rating           *float64            `db:"rating"`          // see Review

	// The window of the assessment, see Span.
	OpensAt  *Time `db:"assessment_opens_at"`
	ClosesAt *Time `db:"assessment_closes_at"`
}

// Span returns from when until when the session can be started. A test session ignores
// the window of the assessment.
func (cs CandidateSession) Span() rules.StartSpan {
	terms := rules.StartTerms{Status: cs.Status, ExpiresAt: cs.ExpiresAt.Time}
	if !cs.Test {
		terms.Window = rules.Window{OpensAt: timePtr(cs.OpensAt), ClosesAt: timePtr(cs.ClosesAt)}
	}
	return terms.Span()
}

// checkStartable refuses what promises a start that can never happen: an invite, a new
// link, or a new expiry.
func (cs CandidateSession) checkStartable(now time.Time) error {
	code := cs.Span().Never(now)
	if code == rules.AssessmentNotOpen {
		return errExpiresBeforeOpening
	}
	return refused(code)
}

const (
	sessionColumnList = `id, organization_id, assessment_id,
	(SELECT a.title FROM assessments a WHERE a.id = assessment_id) AS assessment_title, candidate_name, candidate_email,
	external_id, metadata, status, attempt, invite_generation, redirect_url, extra_time_percent, invited_at, expires_at,
	started_at, deadline_at, due_at, completed_at, disqualified_at, cancelled_at, close_reason, current_stage_id, score,
	passed, created_at, updated_at, erased_at, test, note, email_status, email_sent_at, email_failure,
	email_reason,
	(SELECT a.opens_at FROM assessments a WHERE a.id = assessment_id) AS assessment_opens_at,
	(SELECT a.closes_at FROM assessments a WHERE a.id = assessment_id) AS assessment_closes_at, revision,
	(SELECT r.state_id FROM reviews r WHERE r.session_id = id) AS review_state_id,
	(SELECT string_agg(t.tag, ',') FROM review_session_tags t WHERE t.session_id = id) AS review_tags, rating,
	in_review_since`
	sessionColumns = `SELECT ` + sessionColumnList + ` FROM candidate_sessions`
)

// columns returns the scan targets of sessionColumnList, in its order. sqlx would
// find them by reflection, which is a measurable part of a list's time.
func (cs *CandidateSession) columns() []any {
	return []any{
		&cs.ID, &cs.OrganizationID, &cs.AssessmentID, &cs.AssessmentTitle, &cs.CandidateName, &cs.CandidateEmail,
		&cs.ExternalID, &cs.MetadataJSON, &cs.Status, &cs.Attempt, &cs.InviteGeneration, &cs.RedirectURL,
		&cs.ExtraTimePercent, &cs.InvitedAt, &cs.ExpiresAt, &cs.StartedAt, &cs.DeadlineAt, &cs.DueAt, &cs.CompletedAt,
		&cs.DisqualifiedAt, &cs.CancelledAt, &cs.CloseReason, &cs.CurrentStageID, &cs.Score, &cs.Passed, &cs.CreatedAt,
		&cs.UpdatedAt, &cs.ErasedAt, &cs.Test, &cs.Note, &cs.EmailStatus, &cs.EmailSentAt, &cs.EmailFailure,
		&cs.EmailReason, &cs.OpensAt, &cs.ClosesAt, &cs.Revision, &cs.ReviewStateID, &cs.ReviewTags, &cs.Rating,
		&cs.InReviewSince,
	}
}

// ReviewState returns the id of the state that the organization has given to the candidate.
func (cs CandidateSession) ReviewState() string {
	if cs.ReviewStateID == nil {
		return initialState
	}
	return *cs.ReviewStateID
}

// Metadata returns the integrator's labels.
func (cs CandidateSession) Metadata() map[string]string {
	labels := map[string]string{}
	if cs.MetadataJSON == "{}" {
		return labels
	}
	_ = json.Unmarshal([]byte(cs.MetadataJSON), &labels) // the store wrote it
	return labels
}

// InviteURL returns the candidate's link, or nil after the session has ended. A session in review can go on, and its
// page says what the candidate waits for.
func (s *Store) InviteURL(cs CandidateSession) *string {
	switch cs.Status {
	case rules.SessionInvited, rules.SessionInProgress, rules.SessionInReview:
	case rules.SessionCompleted, rules.SessionDisqualified, rules.SessionExpired, rules.SessionCancelled:
		return nil
	}
	link := s.inviteLink(s.opts.Keys.InviteToken(cs.ID, cs.InviteGeneration))
	return &link
}

// takePath is the candidate page. The token is in the fragment, which browsers do not send to servers.
const takePath = "/take#"

func (s *Store) inviteLink(token string) string { return s.opts.BaseURL + takePath + token }

func (c conn) sessions(ctx context.Context, query string, args ...any) ([]CandidateSession, error) {
	return c.scanSessions(ctx, (*CandidateSession).columns, query, args...)
}

// scanSessions reads sessions with the columns whose scan targets are given.
func (c conn) scanSessions(
	ctx context.Context, columns func(*CandidateSession) []any, query string, args ...any,
) (_ []CandidateSession, err error) {
	rows, err := c.Rows(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	sessions := make([]CandidateSession, 0, 32) // most pages have 20
	var session CandidateSession
	targets := columns(&session) // once for all rows
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		sessions = append(sessions, session)
	}
	return sessions, rows.Err()
}

// RetrieveCandidateSession returns one session.
func (s *Store) RetrieveCandidateSession(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	return s.read().readSession(ctx, scope, id)
}

// RetrieveCandidateSessionResult returns the result of a finished session in
// the contract's form. Refusals: not_found, result_not_ready.
func (s *Store) RetrieveCandidateSessionResult(ctx context.Context, scope Scope, id string) (*Document, error) {
	return s.readResult(ctx, scope, AuditResultRead, id)
}

func (c conn) session(ctx context.Context, scope Scope, id, query string) (CandidateSession, error) {
	var session CandidateSession
	err := c.Get(ctx, &session, query, scope.OrganizationID, id)
	if err == nil && (session.Test && scope.APIKeyID != "" || !scope.SeesAssessment(session.AssessmentID)) {
		return CandidateSession{}, errNoSession
	}
	return session, orRefuse(err, errNoSession)
}

func (c conn) lockSession(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	session, err := c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`+c.store.db.ForUpdate)
	if err == nil {
		err = scope.reviewsOnly(session)
	}
	return session, err
}

// CancelCandidateSession ends a live session and its link, and emits
// candidate.cancelled. Refusals: not_found,
// session_closed.
func (s *Store) CancelCandidateSession(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	return s.changeSession(ctx, scope, id, rules.VerbCancel, func(c conn, session CandidateSession, now time.Time) error {
		if err := c.cancelSession(ctx, session, now); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditSessionCancelled, id, statusChange(session.Status, rules.SessionCancelled))
	})
}

func (c conn) cancelSession(ctx context.Context, session CandidateSession, now time.Time) error {
	if session.Status == rules.SessionInReview {
		if err := c.endReview(ctx, session); err != nil {
			return err
		}
		if err := c.unqueueSession(ctx, session); err != nil {
			return err
		}
	}
	if _, err := c.Exec(ctx, `
		UPDATE candidate_sessions SET status = 'CANCELLED', close_reason = 'CANCELLED', cancelled_at = ?, due_at = NULL,
			current_stage_id = NULL, in_review_since = NULL, updated_at = ? WHERE organization_id = ? AND id = ?`,
		now, now, session.OrganizationID, session.ID); err != nil {
		return err
	}
	session.Status = rules.SessionCancelled
	return c.emitStatus(ctx, session, now)
}

// changedSession is a session after a change, as an Idempotency-Key keeps it.
type changedSession struct{ Session CandidateSession }

func (c changedSession) sessionIDs() []string { return []string{c.Session.ID} }

// changeSession locks the session, applies passed deadlines, runs change if the
// status permits verb, and returns the session afterwards.
func (s *Store) changeSession(
	ctx context.Context, scope Scope, id string, verb rules.SessionVerb,
	change func(conn, CandidateSession, time.Time) error,
) (CandidateSession, error) {
	var changed changedSession
	defer s.credentials.forget(id)
	err := once(ctx, s, scope, &changed, func(c conn) error {
		session, err := c.lockSession(ctx, scope, id)
		if err != nil {
			return err
		}
		now := s.Now()
		if session, _, err = c.applyDeadlines(ctx, session, now); err != nil {
			return err
		}
		if _, refusal := session.Status.After(verb); refusal != "" {
			return commitThenRefuse(refused(refusal)) // the deadline stays applied
		}
		if err := change(c, session, now); err != nil {
			return err
		}
		changed.Session, err = c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`)
		return err
	})
	return changed.Session, err
}
