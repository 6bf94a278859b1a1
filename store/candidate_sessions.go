package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// CandidateSession is one candidate's way through one assessment.
type CandidateSession struct {
	ID               string        `db:"id"`
	OrganizationID   string        `db:"organization_id"`
	AssessmentID     string        `db:"assessment_id"`
	AssessmentTitle  string        `db:"assessment_title"`
	CandidateName    string        `db:"candidate_name"`
	CandidateEmail   string        `db:"candidate_email"`
	ExternalID       *string       `db:"external_id"`
	MetadataJSON     string        `db:"metadata"`
	Status           SessionStatus `db:"status"`
	Attempt          int           `db:"attempt"`
	InviteGeneration int           `db:"invite_generation"`
	RedirectURL      *string       `db:"redirect_url"`
	ExtraTimePercent int           `db:"extra_time_percent"`
	InvitedAt        Time          `db:"invited_at"`
	ExpiresAt        Time          `db:"expires_at"`  // bounds starting
	StartedAt        *Time         `db:"started_at"`  //
	DeadlineAt       *Time         `db:"deadline_at"` // bounds finishing
	DueAt            *Time         `db:"due_at"`      // when the clock changes the session next
	CompletedAt      *Time         `db:"completed_at"`
	DisqualifiedAt   *Time         `db:"disqualified_at"`
	CancelledAt      *Time         `db:"cancelled_at"`
	CloseReason      *CloseReason  `db:"close_reason"`
	CurrentStageID   *string       `db:"current_stage_id"`
	Score            *float64      `db:"score"` // percent
	Passed           *bool         `db:"passed"`
	CreatedAt        Time          `db:"created_at"`
	UpdatedAt        Time          `db:"updated_at"`
}

const (
	sessionColumnList = `id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
	external_id, metadata, status, attempt, invite_generation, redirect_url, extra_time_percent, invited_at, expires_at,
	started_at, deadline_at, due_at, completed_at, disqualified_at, cancelled_at, close_reason, current_stage_id, score,
	passed, created_at, updated_at`
	sessionColumns = `SELECT ` + sessionColumnList + ` FROM candidate_sessions`
)

// columns are where sessionColumnList is scanned to, in its order. Lists are
// long enough for what reflection would cost.
func (cs *CandidateSession) columns() []any {
	return []any{
		&cs.ID, &cs.OrganizationID, &cs.AssessmentID, &cs.AssessmentTitle, &cs.CandidateName, &cs.CandidateEmail,
		&cs.ExternalID, &cs.MetadataJSON, &cs.Status, &cs.Attempt, &cs.InviteGeneration, &cs.RedirectURL, &cs.ExtraTimePercent,
		&cs.InvitedAt, &cs.ExpiresAt, &cs.StartedAt, &cs.DeadlineAt, &cs.DueAt, &cs.CompletedAt, &cs.DisqualifiedAt,
		&cs.CancelledAt, &cs.CloseReason, &cs.CurrentStageID, &cs.Score, &cs.Passed, &cs.CreatedAt, &cs.UpdatedAt,
	}
}

// Metadata are the integrator's labels.
func (cs CandidateSession) Metadata() map[string]string {
	labels := map[string]string{}
	if cs.MetadataJSON == "{}" {
		return labels
	}
	_ = json.Unmarshal([]byte(cs.MetadataJSON), &labels) // the store wrote it
	return labels
}

// InviteURL is the candidate's link while there is something to do with it, else nil.
func (s *Store) InviteURL(cs CandidateSession) *string {
	if cs.Status != SessionInvited && cs.Status != SessionInProgress {
		return nil
	}
	link := s.opts.BaseURL + "/take#" + s.opts.Keys.InviteToken(cs.ID, cs.InviteGeneration)
	return &link
}

// SessionFilter narrows ListCandidateSessions; zero fields do not.
type SessionFilter struct {
	AssessmentID   string
	Status         SessionStatus
	CandidateEmail string // whatever the case
	ExternalID     string
	UpdatedSince   *time.Time
}

// ListCandidateSessions returns a page of sessions and whether there are more.
func (s *Store) ListCandidateSessions(ctx context.Context, scope Scope, in SessionFilter, page Page) ([]CandidateSession, bool, error) {
	where := filterOf(scope, page)
	if in.AssessmentID != "" {
		where.and("assessment_id = ?", in.AssessmentID)
	}
	if in.Status != "" {
		where.and("status = ?", in.Status)
	}
	if in.CandidateEmail != "" {
		where.and("candidate_email_key = ?", emailKey(in.CandidateEmail))
	}
	if in.ExternalID != "" {
		where.and("external_id = ?", in.ExternalID)
	}
	if in.UpdatedSince != nil {
		where.and("updated_at >= ?", in.UpdatedSince.UTC())
	}
	query, args := where.newestFirst(sessionColumns, page)
	sessions, err := s.read().sessions(ctx, query, args...)
	if err != nil {
		return nil, false, err
	}
	sessions, more := cut(sessions, page.Limit)
	return sessions, more, nil
}

func (c conn) sessions(ctx context.Context, query string, args ...any) (_ []CandidateSession, err error) {
	rows, err := c.rows(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var sessions []CandidateSession
	for rows.Next() {
		var session CandidateSession
		if err := rows.Scan(session.columns()...); err != nil {
			return nil, err
		}
		sessions = append(sessions, session)
	}
	return sessions, rows.Err()
}

// RetrieveCandidateSession returns one session.
func (s *Store) RetrieveCandidateSession(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	return s.read().session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`)
}

func (c conn) session(ctx context.Context, scope Scope, id, query string) (CandidateSession, error) {
	var session CandidateSession
	err := c.get(ctx, &session, query, scope.OrganizationID, id)
	return session, notFound(err, "candidate session")
}

func (c conn) lockSession(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	return c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`+c.store.dialect.forUpdate)
}

// OnExisting says what an invite does when a live session is there already.
type OnExisting string

// The choices of OnExisting.
const (
	ReturnExisting OnExisting = "RETURN"
	RefuseExisting OnExisting = "ERROR"
	NewAttempt     OnExisting = "NEW_ATTEMPT"
)

// Invite is the input of CreateCandidateSession.
type Invite struct {
	AssessmentID     string
	CandidateName    string
	CandidateEmail   string
	ExternalID       *string
	Metadata         map[string]string
	ExpiresAt        *time.Time // nil: after the assessment's inviteExpiryDays
	RedirectURL      *string
	ExtraTimePercent int
	OnExisting       OnExisting
}

const (
	maxMetadataKey  = 40
	maxInviteExpiry = 366 // days
)

// CreateCandidateSession invites a candidate and emits candidate.invited. With
// a live session there already it returns that one and created is false, unless
// OnExisting says otherwise. Refusals: not_found and assessment_not_published
// for the assessment, candidate_already_invited, invalid_request.
func (s *Store) CreateCandidateSession(ctx context.Context, scope Scope, in Invite) (session CandidateSession, created bool, err error) {
	if err := s.checkInvite(in); err != nil {
		return CandidateSession{}, false, err
	}
	// Two invites of one candidate at once meet at the unique index over the attempts; the later one looks again.
	for attempt := 1; ; attempt++ {
		err = s.write(ctx, func(c conn) error {
			session, created, err = c.invite(ctx, scope, in)
			return err
		})
		if !s.dialect.isUnique(err, "candidate_sessions_attempt",
			"candidate_sessions.assessment_id", "candidate_sessions.candidate_email_key", "candidate_sessions.attempt") {
			return session, created, err
		}
		if attempt == maxInviteAttempts {
			return CandidateSession{}, false, &Error{
				Kind: Unavailable, Code: "unavailable", Detail: "The candidate is being invited many times at once; try again.",
			}
		}
	}
}

// maxInviteAttempts is how many others, inviting the same candidate anew at the
// same moment, an invite may lose against: one of them gets through each time.
const maxInviteAttempts = 100

func (s *Store) checkInvite(in Invite) error {
	var faults []FieldError
	for key := range in.Metadata {
		if length := utf8.RuneCountInString(key); length == 0 || length > maxMetadataKey {
			faults = append(faults, FieldError{
				Pointer: "/metadata", Code: "invalid_value", Detail: fmt.Sprintf("has a key that is not 1 to %d characters long", maxMetadataKey),
			})
			break
		}
	}
	now := s.Now()
	switch {
	case in.ExpiresAt == nil:
	case !in.ExpiresAt.After(now):
		faults = append(faults, FieldError{Pointer: "/expiresAt", Code: "too_small", Detail: "must be in the future"})
	case in.ExpiresAt.After(now.Add(days(maxInviteExpiry))):
		faults = append(faults, FieldError{Pointer: "/expiresAt", Code: "too_large", Detail: "must be within a year"})
	}
	if len(faults) > 0 {
		return invalid(faults...)
	}
	return nil
}

func (c conn) invite(ctx context.Context, scope Scope, in Invite) (session CandidateSession, created bool, err error) {
	now := c.store.Now()
	assessment, err := c.content(ctx, scope, in.AssessmentID)
	if err != nil {
		return CandidateSession{}, false, err
	}
	expiresAt := now.Add(days(assessment.InviteExpiryDays))
	if in.ExpiresAt != nil {
		expiresAt = in.ExpiresAt.UTC().Truncate(time.Millisecond)
	}
	if in.Metadata == nil {
		in.Metadata = map[string]string{}
	}
	metadata, err := json.Marshal(in.Metadata)
	if err != nil {
		return CandidateSession{}, false, err
	}
	// The assessment's state, a live session and the attempt are decided by the
	// statement that inserts, so that nothing can change in between.
	err = c.get(ctx, &session, `
		INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
			candidate_email_key, external_id, metadata, status, attempt, invite_generation, redirect_url, extra_time_percent,
			invited_at, expires_at, due_at, progress, created_at, updated_at)
		SELECT ?, a.organization_id, a.id, a.title, ?, ?, ?, ?, ?, 'INVITED',
			COALESCE((SELECT MAX(p.attempt) FROM candidate_sessions p WHERE p.assessment_id = a.id AND p.candidate_email_key = ?), 0) + 1,
			1, ?, ?, ?, ?, ?, '{}', ?, ?
		FROM assessments a
		WHERE a.organization_id = ? AND a.id = ? AND a.status = 'PUBLISHED' AND (? OR NOT EXISTS (
			SELECT 1 FROM candidate_sessions p
			WHERE p.organization_id = a.organization_id AND p.assessment_id = a.id AND p.candidate_email_key = ?
				AND p.status IN ('INVITED', 'IN_PROGRESS') AND (p.due_at IS NULL OR p.due_at > ?)))`+c.store.dialect.forShareOf("a")+`
		RETURNING `+sessionColumnList,
		c.store.NewID("ses"), in.CandidateName, in.CandidateEmail, emailKey(in.CandidateEmail), in.ExternalID, string(metadata),
		emailKey(in.CandidateEmail), in.RedirectURL, in.ExtraTimePercent, now, expiresAt, expiresAt, now, now,
		scope.OrganizationID, in.AssessmentID, in.OnExisting == NewAttempt, emailKey(in.CandidateEmail), now)
	if errors.Is(err, sql.ErrNoRows) {
		session, err = c.existingSession(ctx, scope, in, now)
		return session, false, err
	}
	if err != nil {
		return CandidateSession{}, false, err
	}
	return session, true, c.emitInvited(ctx, session, now)
}

// existingSession tells why an invite inserted nothing: the assessment takes
// none, or a live session is there already.
func (c conn) existingSession(ctx context.Context, scope Scope, in Invite, now time.Time) (CandidateSession, error) {
	var status AssessmentStatus
	if err := c.get(ctx, &status, `SELECT status FROM assessments WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, in.AssessmentID); err != nil {
		return CandidateSession{}, notFound(err, "assessment")
	}
	if status != AssessmentPublished {
		return CandidateSession{}, notPublished()
	}
	var session CandidateSession
	err := c.get(ctx, &session, sessionColumns+` WHERE organization_id = ? AND assessment_id = ? AND candidate_email_key = ?
		AND status IN ('INVITED', 'IN_PROGRESS') AND (due_at IS NULL OR due_at > ?) ORDER BY id DESC LIMIT 1`,
		scope.OrganizationID, in.AssessmentID, emailKey(in.CandidateEmail), now)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return CandidateSession{}, &Error{Kind: Unavailable, Code: "unavailable", Detail: "The candidate's session has just ended; try again."}
	case err != nil:
		return CandidateSession{}, err
	case in.OnExisting == RefuseExisting:
		return CandidateSession{}, &Error{
			Kind: Conflict, Code: "candidate_already_invited", Detail: "The candidate has a live session for this assessment: " + session.ID + ".",
		}
	}
	return session, nil
}

func notPublished() *Error {
	refused := assessmentRefusals["assessment_not_published"]
	return &refused
}

func (c conn) emitInvited(ctx context.Context, session CandidateSession, now time.Time) error {
	return c.emit(ctx, event{
		organizationID: session.OrganizationID, kind: EventCandidateInvited, subjectID: session.ID, at: now,
		data: candidateInvitedData{
			SessionID: session.ID, AssessmentID: session.AssessmentID,
			CandidateName: session.CandidateName, CandidateEmail: session.CandidateEmail,
			ExternalID: session.ExternalID, Metadata: session.Metadata(),
			InviteURL: *c.store.InviteURL(session), ExpiresAt: wireTime(session.ExpiresAt.Time), Status: SessionInvited,
		},
	})
}

// CancelCandidateSession ends a live session; the candidate's link dies at
// once. Refusals: not_found, session_closed.
func (s *Store) CancelCandidateSession(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	return s.changeSession(ctx, scope, id, verbCancel, func(c conn, _ CandidateSession, now time.Time) error {
		_, err := c.exec(ctx, `
			UPDATE candidate_sessions SET status = 'CANCELLED', close_reason = 'CANCELLED', cancelled_at = ?, due_at = NULL,
				current_stage_id = NULL, updated_at = ? WHERE organization_id = ? AND id = ?`,
			now, now, scope.OrganizationID, id)
		return err
	})
}

// ResendCandidateSession gives an invited or expired session a new link and a
// new expiry, ends the old link, and emits candidate.invited. Refusals:
// not_found, session_not_invited, and assessment_not_published for an expired
// session of an archived assessment.
func (s *Store) ResendCandidateSession(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	return s.changeSession(ctx, scope, id, verbResend, func(c conn, session CandidateSession, now time.Time) error {
		var assessment struct {
			Status           AssessmentStatus `db:"status"`
			InviteExpiryDays int              `db:"invite_expiry_days"`
		}
		if err := c.get(ctx, &assessment, `SELECT status, invite_expiry_days FROM assessments WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, session.AssessmentID); err != nil {
			return err
		}
		if session.Status == SessionExpired && assessment.Status != AssessmentPublished {
			return notPublished()
		}
		expiresAt := now.Add(days(assessment.InviteExpiryDays))
		if _, err := c.exec(ctx, `
			UPDATE candidate_sessions SET status = 'INVITED', close_reason = NULL, invite_generation = invite_generation + 1,
				invited_at = ?, expires_at = ?, due_at = ?, updated_at = ? WHERE organization_id = ? AND id = ?`,
			now, expiresAt, expiresAt, now, scope.OrganizationID, id); err != nil {
			return err
		}
		renewed, err := c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`)
		if err != nil {
			return err
		}
		return c.emitInvited(ctx, renewed, now)
	})
}

// changeSession does what verb allows in the session's state, under its lock
// and after the deadlines that have passed, and returns the session as it is then.
func (s *Store) changeSession(
	ctx context.Context, scope Scope, id string, verb sessionVerb, change func(conn, CandidateSession, time.Time) error,
) (CandidateSession, error) {
	var changed CandidateSession
	defer s.credentials.forget(id)
	err := s.write(ctx, func(c conn) error {
		session, err := c.lockSession(ctx, scope, id)
		if err != nil {
			return err
		}
		now := s.Now()
		if session, _, err = c.applyDeadlines(ctx, session, now); err != nil {
			return err
		}
		if _, refusal := session.Status.after(verb); refusal != nil {
			return keep{refusal} // the deadline stays applied
		}
		if err := change(c, session, now); err != nil {
			return err
		}
		changed, err = c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`)
		return err
	})
	return changed, err
}
