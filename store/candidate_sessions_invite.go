package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"assay/store/internal/db"
	"assay/store/keys"
	"assay/store/rules"
)

// OnExisting says what an invite does when the candidate has a live session.
type OnExisting string

// The choices of OnExisting.
const (
	ReturnExisting OnExisting = "RETURN" // refuses when something given differs
	UpdateExisting OnExisting = "UPDATE" // refuses when it differs and the session is not INVITED
	RefuseExisting OnExisting = "ERROR"
	NewAttempt     OnExisting = "NEW_ATTEMPT"
)

// Invite is the input of CreateCandidateSession.
type Invite struct {
	AssessmentID     string
	CandidateName    string
	CandidateEmail   string
	ExternalID       *string
	Metadata         map[string]string // nil: not given
	ExpiresAt        *time.Time        // nil: after the assessment's inviteExpiryDays
	RedirectURL      *string
	ExtraTimePercent *int
	OnExisting       OnExisting
	SendEmail        *bool // nil: as the organization has set
	AllowRepeat      bool  // the person may attempt the assessment again; counts with rules.RepeatAsk

	id        string // of the new session; "": invite makes one
	keepsLive bool   // returns the live session, also if it differs
}

// guardedArgument is the place of guarded among the arguments of insertSession.
const guardedArgument = 18

const (
	maxMetadataKey  = 40
	maxInviteExpiry = 366 // days
)

// Invited is the outcome of an invite: a new session, or the live one.
type Invited struct {
	Session CandidateSession
	Created bool
}

func (i Invited) sessionIDs() []string { return []string{i.Session.ID} }

// CreateCandidateSession invites a candidate and emits candidate.invited. If
// the candidate has a live session already, it returns that one, unless the invite
// differs from it or OnExisting says otherwise. Without an Idempotency-Key, passed deadlines of an
// existing session are applied in a transaction of their own. Refusals: not_found
// and assessment_not_published for the assessment, candidate_already_invited, candidate_attempted_before,
// session_quota_exceeded, delivery_quota_exceeded, and organization_deletion_scheduled for a new session,
// email_not_configured, invalid_request, unavailable.
func (s *Store) CreateCandidateSession(ctx context.Context, scope Scope, in Invite) (Invited, error) {
	used, err := s.quotaLoad(ctx, scope)
	if err != nil {
		return Invited{}, err
	}
	if scope.Once == nil {
		return s.autocommit().invite(ctx, scope, in, s.room(used))
	}
	var invited Invited
	err = once(ctx, s, scope, &invited, func(c conn) (err error) {
		invited, err = c.invite(ctx, scope, in, s.room(used))
		return err
	})
	return invited, err
}

// maxInviteAttempts bounds the attempts of one invite. Of several invites of the
// same candidate at once, one succeeds and the others try again.
const maxInviteAttempts = 100

// invite inserts a session, if there is room for one, or returns the live one.
func (c conn) invite(ctx context.Context, scope Scope, in Invite, room *room) (Invited, error) {
	now := c.store.Now()
	row, err := c.inviteRow(ctx, scope, in, now)
	if err != nil {
		return Invited{}, err
	}
	return c.insertInvite(ctx, scope, in, row, now, room)
}

// inviteRow is a session to insert.
type inviteRow struct {
	db.Row
	never   error // the refusal of a session that could never be started; nil: insert it
	guarded bool  // the assessment has a rule, so guardedInvite inserts the row
	known   bool  // of a guarded row in a bulk: insertInvites leaves it
	lock    int64 // of the person; 0 for none
}

// insertInvite is invite with the row of inviteRow. When another invite or a deadline
// changes the candidate's sessions at the same moment, it tries again.
//
// Outside a transaction, the insert is one statement on PostgreSQL, which other invites of
// the organization share that arrive at the same time.
func (c conn) insertInvite(
	ctx context.Context, scope Scope, in Invite, row inviteRow, now time.Time, room *room,
) (Invited, error) {
	ctx, cancel := context.WithTimeout(ctx, db.MaxWriteTime/2) // leaves as much for the commit
	defer cancel()
	full := row.never
	if refusal := room.forSession(); full == nil && refusal != nil {
		full = refusal
	}
	for range maxInviteAttempts {
		if row.guarded {
			if invited, done, err := c.guardedInvite(ctx, scope, in, row, full, now, room); done || err != nil {
				return invited, err
			}
			continue
		}
		var session CandidateSession
		if full == nil {
			row.Returned = session.columns()
			err := c.store.db.InsertRow(ctx, c.Conn, &row.Row)
			if err == nil {
				c.tookSession(session, row.Dependent, room)
			}
			if !errors.Is(err, sql.ErrNoRows) {
				return Invited{Session: session, Created: err == nil}, err
			}
		}
		var live bool
		err := c.inTransaction(ctx, func(c conn) (err error) {
			session, live, err = c.existingSession(ctx, scope, in, now)
			return err
		})
		if err != nil || live {
			return Invited{Session: session}, err
		}
		if full != nil {
			return Invited{}, full
		}
		if err := c.guardAnew(ctx, scope, in, &row); err != nil {
			return Invited{}, err
		}
	}
	return Invited{}, errTooManyInvites
}

// tookSession records a session that an invite has inserted, and its deliveries.
func (c conn) tookSession(session CandidateSession, deliveries int64, room *room) {
	c.addedSession(session.OrganizationID)
	c.queued(session.OrganizationID, deliveries)
	room.took(deliveries)
	if session.EmailStatus == EmailQueued {
		c.AfterCommit(c.store.wakeEmail)
	}
}

func checkInvite(in Invite, now time.Time) error {
	var faults []rules.Fault
	for key := range in.Metadata {
		if length := utf8.RuneCountInString(key); length == 0 || length > maxMetadataKey {
			faults = append(faults, rules.Fault{
				Pointer: "/metadata", Code: "invalid_value",
				Detail: fmt.Sprintf("has a key that is not 1 to %d characters long", maxMetadataKey),
			})
			break
		}
	}
	switch {
	case in.ExpiresAt == nil:
	case !in.ExpiresAt.Truncate(time.Millisecond).After(now):
		faults = append(faults, rules.Fault{Pointer: "/expiresAt", Code: "too_small", Detail: "must be in the future"})
	case in.ExpiresAt.After(now.Add(days(maxInviteExpiry))):
		faults = append(faults, rules.Fault{Pointer: "/expiresAt", Code: "too_large", Detail: "must be within a year"})
	}
	if len(faults) > 0 {
		return errInvalid.with(faults...)
	}
	return nil
}

// insertSession checks the assessment's status and looks for a live session in
// the statement that inserts, so that neither can change in between. A session in
// progress blocks the invite even when its deadline has passed: only its gates and
// limits decide whether it is finished, see existingSession.
//
// With the organization in the subquery, SQLite would read all sessions of the
// assessment through the index of their status. Without PlannedAlone, PostgreSQL can look
// for the address in all assessments: while the table has no statistics, it reads all of
// an index for that.
//
// Two invites at once can choose the same attempt. The second one waits until the
// first commits, and then inserts nothing.
//
// The argument guardedArgument says that checkRepeat has permitted the person. Otherwise nothing is inserted if the
// assessment has a rule.
func insertSession(d db.Dialect) db.Insert {
	return db.Insert{
		Into: `
		INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
			candidate_email_key, external_id, metadata, status, attempt, invite_generation, redirect_url, extra_time_percent,
			invited_at, expires_at, due_at, progress, created_at, updated_at, email_status)`,
		Select: `
		SELECT ?, a.organization_id, a.id, a.title, ?, ?, ?, ?, ?, 'INVITED',
			COALESCE((SELECT MAX(p.attempt) FROM candidate_sessions p
				WHERE p.assessment_id = a.id AND p.candidate_email_key = ?), 0) + 1,
			1, ?, ?, ?, ?, ?, '{}', ?, ?,
			CASE WHEN ? OR ? AND (SELECT o.send_invite_email FROM organizations o WHERE o.id = a.organization_id)
				THEN 'QUEUED' ELSE 'NONE' END
		FROM assessments a
		WHERE a.organization_id = ? AND a.id = ? AND a.status = 'PUBLISHED' AND (? OR a.repeat_rule = 'ALLOWED')
			AND NOT EXISTS (SELECT 1 FROM organizations o WHERE o.id = a.organization_id AND o.delete_at IS NOT NULL)
			AND (? OR NOT EXISTS (
			SELECT 1 FROM candidate_sessions p
			WHERE p.assessment_id = a.id AND p.candidate_email_key = ? AND NOT p.test
				AND (p.status IN ('IN_PROGRESS', 'IN_REVIEW') OR p.status = 'INVITED' AND p.due_at > ?)` + d.PlannedAlone + `))` +
			d.ForShareOf("a"),
		End: `
		ON CONFLICT (assessment_id, candidate_email_key, attempt) DO NOTHING
		RETURNING ` + sessionColumnList,
	}
}

// inviteRow returns the session to insert, and its audit entry, its email, its event, and
// the event's deliveries, which depend on it. The event contains only values that are known before the
// session is inserted, so the attempt's number is not among them.
func (c conn) inviteRow(ctx context.Context, scope Scope, in Invite, now time.Time) (inviteRow, error) {
	if err := checkInvite(in, now); err != nil {
		return inviteRow{}, err
	}
	sends, err := c.sendsInvite(ctx, scope, in.SendEmail)
	if err != nil {
		return inviteRow{}, err
	}
	assessment, err := c.content(ctx, scope, in.AssessmentID)
	if err != nil {
		return inviteRow{}, err
	}
	expiresAt := now.Add(days(assessment.InviteExpiryDays))
	if in.ExpiresAt != nil {
		expiresAt = milliseconds(*in.ExpiresAt)
	}
	if in.Metadata == nil {
		in.Metadata = map[string]string{}
	}
	metadata, err := json.Marshal(in.Metadata)
	if err != nil {
		return inviteRow{}, err
	}

	id := cmp.Or(in.id, c.store.NewID("ses"))
	invited := CandidateSession{
		ID: id, OrganizationID: scope.OrganizationID, AssessmentID: in.AssessmentID,
		CandidateName: in.CandidateName, CandidateEmail: in.CandidateEmail,
		ExternalID: in.ExternalID, MetadataJSON: string(metadata), Status: rules.SessionInvited,
		InviteGeneration: 1, ExpiresAt: Time{expiresAt}, OpensAt: assessment.OpensAt, ClosesAt: assessment.ClosesAt,
	}
	impossible := invited.checkStartable(now)
	if impossible != nil { // another replica may have changed the window just now
		current, err := c.current(ctx, scope, in.AssessmentID)
		if err != nil {
			return inviteRow{}, err
		}
		invited.OpensAt, invited.ClosesAt = current.OpensAt, current.ClosesAt
		impossible = invited.checkStartable(now)
	}
	stored, queued, err := c.store.render(ctx, c.store.invitedEvent(invited, now))
	if err != nil {
		return inviteRow{}, err
	}
	key := emailKey(in.CandidateEmail)
	session := insertSession(c.store.db.Dialect)
	session.Args = []any{
		id, in.CandidateName, in.CandidateEmail, key, in.ExternalID, string(metadata),
		key, in.RedirectURL, value(in.ExtraTimePercent), now, expiresAt, expiresAt, now, now,
		sends == always, sends == byDefault, scope.OrganizationID, in.AssessmentID, false, in.OnExisting == NewAttempt, key,
		now,
	}
	dependents := []db.Insert{c.store.auditEntry(scope, AuditSessionInvited, id)}
	if sends != never {
		dependents = append(dependents, c.store.inviteEmail(sends, scope, id, now))
	}
	row := inviteRow{Row: db.Row{
		Insert:     session,
		Dependents: append(dependents, stored, queued), // the deliveries last, which are counted
		// The choice of sends changes the statements.
		Group: fmt.Sprint(scope.OrganizationID, sends), Order: in.AssessmentID + key,
	}, never: impossible}
	row.guard(scope, assessment, key)
	return row, nil
}

// existingSession is for an invite that inserted nothing. It refuses when the
// assessment or the organization accepts no invites. Otherwise it applies the deadlines that have
// passed and returns the candidate's live session. If there is none, the invite
// can be tried again.
//
// The lock keeps the session unchanged until the transaction ends. An erasure
// therefore sees every stored response that contains the session's data. A weaker
// lock would let two invites deadlock when both apply a deadline.
func (c conn) existingSession(
	ctx context.Context, scope Scope, in Invite, now time.Time,
) (session CandidateSession, live bool, err error) {
	var of struct {
		Status rules.AssessmentStatus `db:"status"`
		Ending bool                   `db:"ending"` // the deletion of the organization is scheduled
	}
	if err := c.Get(ctx, &of, `
		SELECT a.status, o.delete_at IS NOT NULL AS ending
		FROM assessments a JOIN organizations o ON o.id = a.organization_id WHERE a.organization_id = ? AND a.id = ?`,
		scope.OrganizationID, in.AssessmentID); err != nil {
		return CandidateSession{}, false, orRefuse(err, errNoAssessment)
	}
	if of.Status != rules.AssessmentPublished {
		return CandidateSession{}, false, errAssessmentNotPublished
	}
	var none error
	if of.Ending {
		none = commitThenRefuse(errDeletionScheduled)
	}
	if in.OnExisting == NewAttempt { // another invite took the attempt
		return CandidateSession{}, false, none
	}

	err = c.Get(ctx, &session, sessionColumns+` WHERE organization_id = ? AND assessment_id = ? AND candidate_email_key = ?
		AND NOT test AND (status IN ('IN_PROGRESS', 'IN_REVIEW') OR status = 'INVITED' AND due_at > ?)
			ORDER BY id DESC LIMIT 1`+c.store.db.ForUpdate,
		scope.OrganizationID, in.AssessmentID, emailKey(in.CandidateEmail), now)
	if errors.Is(err, sql.ErrNoRows) {
		return CandidateSession{}, false, none
	}
	if err != nil {
		return CandidateSession{}, false, err
	}
	if session, _, err = c.applyDeadlines(ctx, session, now); err != nil {
		return CandidateSession{}, false, err
	}
	if live = isLive(session.Status); !live {
		return session, false, none
	}
	differences := in.differences(session)
	switch {
	case in.OnExisting == RefuseExisting:
		return CandidateSession{}, false, commitThenRefuse(errAlreadyInvited.about(session.ID))
	case len(differences) == 0 || in.keepsLive:
		return session, true, session.checkPromise(now)
	case in.OnExisting == UpdateExisting && session.Status == rules.SessionInvited:
		session, err = c.updateExisting(ctx, scope, in, session, now)
		return session, true, err
	}
	return CandidateSession{}, false, commitThenRefuse(errAlreadyInvited.about(session.ID).with(differences...))
}

// invitedEvent is the candidate.invited event of a session with its current
// link. The link is signed when the event is read: see signInvites.
func (s *Store) invitedEvent(session CandidateSession, now time.Time) event {
	return event{
		organizationID: session.OrganizationID, kind: EventCandidateInvited, subjectID: session.ID, at: now,
		data: candidateInvitedData{
			SessionID: session.ID, AssessmentID: session.AssessmentID,
			CandidateName: session.CandidateName, CandidateEmail: session.CandidateEmail,
			ExternalID: session.ExternalID, Metadata: session.Metadata(),
			InviteURL: s.inviteLink(keys.UnsignedInvite(session.ID, session.InviteGeneration)),
			ExpiresAt: wireTime(session.ExpiresAt.Time), Status: rules.SessionInvited,
		},
	}
}

// value is the value of a field that may be absent.
func value[T any](field *T) T {
	if field == nil {
		var zero T
		return zero
	}
	return *field
}
