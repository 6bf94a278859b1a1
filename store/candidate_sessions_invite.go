package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"assay/store/internal/db"
	"assay/store/keys"

	"assay/store/rules"
)

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

	id string // of the session to be made, "" when it is given then
}

const (
	maxMetadataKey  = 40
	maxInviteExpiry = 366 // days
)

// Invited is the session of an invite, and whether it is a new one.
type Invited struct {
	Session CandidateSession
	Created bool
}

func (i Invited) sessionIDs() []string { return []string{i.Session.ID} }

// CreateCandidateSession invites a candidate and emits candidate.invited. With
// a live session there already it returns that one, unless OnExisting says
// otherwise. Refusals: not_found and assessment_not_published for the
// assessment, candidate_already_invited, invalid_request.
func (s *Store) CreateCandidateSession(ctx context.Context, scope Scope, in Invite) (Invited, error) {
	var invited Invited
	err := s.repeatInvite(func() error {
		var err error
		invited, err = s.inviteOnce(ctx, scope, in)
		return err
	})
	return invited, err
}

// repeatInvite invites until that meets no other invite of the same candidate:
// two at once meet at the unique index over the attempts, and the later one
// looks again.
func (s *Store) repeatInvite(invite func() error) error {
	for attempt := 1; ; attempt++ {
		err := invite()
		if !db.IsUnique(err, "candidate_sessions_attempt",
			"candidate_sessions.assessment_id", "candidate_sessions.candidate_email_key", "candidate_sessions.attempt") {
			return err
		}
		if attempt == maxInviteAttempts {
			return errTooManyInvites
		}
	}
}

// maxInviteAttempts is how many others, inviting the same candidate anew at the
// same moment, an invite may lose against: one of them gets through each time.
const maxInviteAttempts = 100

func checkInvite(in Invite, now time.Time) error {
	var faults []rules.Fault
	for key := range in.Metadata {
		if length := utf8.RuneCountInString(key); length == 0 || length > maxMetadataKey {
			faults = append(faults, rules.Fault{
				Pointer: "/metadata", Code: "invalid_value", Detail: fmt.Sprintf("has a key that is not 1 to %d characters long", maxMetadataKey),
			})
			break
		}
	}
	switch {
	case in.ExpiresAt == nil:
	case !in.ExpiresAt.After(now):
		faults = append(faults, rules.Fault{Pointer: "/expiresAt", Code: "too_small", Detail: "must be in the future"})
	case in.ExpiresAt.After(now.Add(days(maxInviteExpiry))):
		faults = append(faults, rules.Fault{Pointer: "/expiresAt", Code: "too_large", Detail: "must be within a year"})
	}
	if len(faults) > 0 {
		return errInvalid.with(faults...)
	}
	return nil
}

// inviteOnce invites in one round trip where the database can, and where that
// invited nobody, or cannot be, in a transaction that also tells why.
func (s *Store) inviteOnce(ctx context.Context, scope Scope, in Invite) (invited Invited, err error) {
	if s.db.WritesInCTE && scope.Once == nil {
		invited.Session, err = s.inviteAtOnce(ctx, scope, in)
		if !errors.Is(err, sql.ErrNoRows) && !db.IsRetryable(err) {
			invited.Created = err == nil
			return invited, err
		}
	}
	err = once(ctx, s, scope, &invited, func(c conn) error {
		invited.Session, invited.Created, err = c.invite(ctx, scope, in)
		return err
	})
	return invited, err
}

// insertSession decides the assessment's state, a live session and the attempt
// in the statement that inserts, so that nothing can change in between. Whether
// a session in progress that is due is over, or just at its next stage, only its
// gates and limits tell: such a one is in the way until invite has seen to it.
func insertSession(d db.Dialect) string {
	return `
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
				AND (p.status = 'IN_PROGRESS' OR p.status = 'INVITED' AND p.due_at > ?)))` + d.ForShareOf("a") + `
		RETURNING ` + sessionColumnList
}

// newSession is the session of an invite as far as it is known beforehand,
// with the arguments of insertSession.
func (c conn) newSession(ctx context.Context, scope Scope, in Invite, now time.Time) (CandidateSession, []any, error) {
	if err := checkInvite(in, now); err != nil {
		return CandidateSession{}, nil, err
	}
	assessment, err := c.content(ctx, scope, in.AssessmentID)
	if err != nil {
		return CandidateSession{}, nil, err
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
		return CandidateSession{}, nil, err
	}
	session := CandidateSession{
		ID: cmp.Or(in.id, c.store.NewID("ses")), OrganizationID: scope.OrganizationID, AssessmentID: in.AssessmentID,
		CandidateName: in.CandidateName, CandidateEmail: in.CandidateEmail, ExternalID: in.ExternalID, MetadataJSON: string(metadata),
		Status: rules.SessionInvited, InviteGeneration: 1, ExpiresAt: Time{expiresAt},
	}
	return session, []any{
		session.ID, in.CandidateName, in.CandidateEmail, emailKey(in.CandidateEmail), in.ExternalID, session.MetadataJSON,
		emailKey(in.CandidateEmail), in.RedirectURL, in.ExtraTimePercent, now, expiresAt, expiresAt, now, now,
		scope.OrganizationID, in.AssessmentID, in.OnExisting == NewAttempt, emailKey(in.CandidateEmail), now,
	}, nil
}

// inviteAtOnce writes the session, its event and the deliveries in one
// statement: the transaction's other round trips would be most of its time.
// It is sql.ErrNoRows when there was nothing to insert.
func (s *Store) inviteAtOnce(ctx context.Context, scope Scope, in Invite) (session CandidateSession, err error) {
	ctx, cancel := context.WithTimeout(ctx, db.MaxWriteTime/2)
	defer cancel()
	c, now := s.autocommit(), s.Now()
	planned, args, err := c.newSession(ctx, scope, in, now)
	if err != nil {
		return CandidateSession{}, err
	}
	stored, queued, err := s.render(s.invitedEvent(planned, now))
	if err != nil {
		return CandidateSession{}, err
	}
	rows, err := c.Rows(ctx, "WITH invited AS ("+insertSession(s.db.Dialect)+
		"), stored AS ("+insertEventColumns+" SELECT ?, ?, ?, ?, ?, ? FROM invited), queued AS ("+
		insertDeliveries+" CROSS JOIN invited RETURNING 1) SELECT "+sessionColumnList+", EXISTS (SELECT 1 FROM queued) FROM invited",
		slices.Concat(args, stored, queued)...)
	if err != nil {
		return CandidateSession{}, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if !rows.Next() {
		return CandidateSession{}, cmp.Or(rows.Err(), sql.ErrNoRows)
	}
	var wake bool
	if err := rows.Scan(append(session.columns(), &wake)...); err != nil {
		return CandidateSession{}, err
	}
	// The statement, and with it its transaction, has ended when the rows are read to their end.
	if rows.Next() || rows.Err() != nil {
		return CandidateSession{}, cmp.Or(rows.Err(), errInvitedTwice)
	}
	if wake {
		s.wake.send()
	}
	return session, nil
}

var errInvitedTwice = errors.New("store: one invite made two sessions")

func (c conn) invite(ctx context.Context, scope Scope, in Invite) (session CandidateSession, created bool, err error) {
	now := c.store.Now()
	_, args, err := c.newSession(ctx, scope, in, now)
	if err != nil {
		return CandidateSession{}, false, err
	}
	for range maxInviteAttempts {
		err = c.Get(ctx, &session, insertSession(c.store.db.Dialect), args...)
		if err == nil {
			return session, true, c.emit(ctx, c.store.invitedEvent(session, now))
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return CandidateSession{}, false, err
		}
		session, err = c.existingSession(ctx, scope, in, now)
		if err != nil && !errors.Is(err, errSessionEnded) || session.Status == rules.SessionInvited || session.Status == rules.SessionInProgress {
			return session, false, err
		}
	}
	return CandidateSession{}, false, errSessionEnded
}

// existingSession tells why an invite inserted nothing: the assessment takes
// none, or a session is there already, which it returns after the deadlines that
// have passed; when these ended it, or it is errSessionEnded, the invite is to be
// tried again. It is kept as it is until the transaction ends, so that an erasure
// comes before what repeats its data, or after it. Locking it for less than a
// change would have two invites wait for each other when both find it due.
func (c conn) existingSession(ctx context.Context, scope Scope, in Invite, now time.Time) (CandidateSession, error) {
	var status rules.AssessmentStatus
	if err := c.Get(ctx, &status, `SELECT status FROM assessments WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, in.AssessmentID); err != nil {
		return CandidateSession{}, orRefuse(err, errNoAssessment)
	}
	if status != rules.AssessmentPublished {
		return CandidateSession{}, errAssessmentNotPublished
	}
	var session CandidateSession
	err := c.Get(ctx, &session, sessionColumns+` WHERE organization_id = ? AND assessment_id = ? AND candidate_email_key = ?
		AND (status = 'IN_PROGRESS' OR status = 'INVITED' AND due_at > ?) ORDER BY id DESC LIMIT 1`+c.store.db.ForUpdate,
		scope.OrganizationID, in.AssessmentID, emailKey(in.CandidateEmail), now)
	if errors.Is(err, sql.ErrNoRows) {
		return CandidateSession{}, errSessionEnded
	}
	if err == nil && session.DueAt != nil && !now.Before(session.DueAt.Time) {
		session, _, err = c.applyDeadlines(ctx, session, now)
	}
	if err == nil && in.OnExisting == RefuseExisting && (session.Status == rules.SessionInvited || session.Status == rules.SessionInProgress) {
		err = commitThenRefuse(errAlreadyInvited.about(session.ID))
	}
	return session, err
}

// invitedEvent is the candidate.invited of a session with its current link,
// which is signed when the event is read: see Keys.signInvite.
func (s *Store) invitedEvent(session CandidateSession, now time.Time) event {
	return event{
		organizationID: session.OrganizationID, kind: EventCandidateInvited, subjectID: session.ID, at: now,
		data: candidateInvitedData{
			SessionID: session.ID, AssessmentID: session.AssessmentID,
			CandidateName: session.CandidateName, CandidateEmail: session.CandidateEmail,
			ExternalID: session.ExternalID, Metadata: session.Metadata(),
			InviteURL: s.inviteLink(keys.UnsignedInvite(session.ID, session.InviteGeneration)), ExpiresAt: wireTime(session.ExpiresAt.Time), Status: rules.SessionInvited,
		},
	}
}
