package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"assay/store/journal"
	"assay/store/rules"
)

// The placeholders for a candidate's erased data. The address is unique to the
// session, because attempts are counted by address. Its domain cannot exist (RFC 2606).
const erasedName = "erased"

func erasedEmail(sessionID string) string { return "erased+" + sessionID + "@erased.invalid" }

// EraseCandidateData erases a session's personal data and answers from the session, its result, its emails, its
// events, queued deliveries, stored responses of receivers, orders of applicant tracking systems, and stored responses
// of idempotency keys. Scores and times stay. A live session is cancelled first. It emits
// candidate.erased. Refusals: not_found, legal_hold.
func (s *Store) EraseCandidateData(ctx context.Context, scope Scope, id string) error {
	_, err := s.erase(ctx, scope, id, nil)
	if err == nil {
		s.removeErasedCopies(ctx)
	}
	return err
}

// erase is EraseCandidateData without removing copies from SQLite's files, so that several erasures can share that. It
// reports whether it has erased the session, which it does only if may agrees. may is nil, or decides about the locked
// session.
func (s *Store) erase(
	ctx context.Context, scope Scope, id string, may func(conn, CandidateSession) (bool, error),
) (erased bool, err error) {
	defer s.credentials.forget(id)
	err = s.write(ctx, func(c conn) error {
		erased = false
		session, err := c.lockForErasure(ctx, scope, id)
		if err != nil || session.ErasedAt != nil {
			return err
		}
		if err := c.refuseHeld(ctx, scope, session); err != nil {
			return err
		}
		if may != nil {
			if agreed, err := may(c, session); err != nil || !agreed {
				return err
			}
		}
		now := s.Now()
		if session, _, err = c.applyDeadlines(ctx, session, now); err != nil {
			return err
		}
		erased = true
		return c.eraseLocked(ctx, scope, session, now, now)
	})
	if err == nil && erased {
		s.copies.erasures.Add(1)
	}
	return erased && err == nil, err
}

// eraseLocked erases a session that lockForErasure has locked. The time at is that of the erasure: it differs from now
// when a restored session is erased again.
func (c conn) eraseLocked(ctx context.Context, scope Scope, session CandidateSession, now, at time.Time) error {
	if _, refusal := session.Status.After(rules.VerbCancel); refusal == "" {
		if err := c.cancelSession(ctx, session, now); err != nil {
			return err
		}
	}
	for _, erase := range []func(context.Context, Scope, string, time.Time) error{
		c.foldBeforeErasure, c.eraseRegistrations, c.eraseSession, c.eraseRevisions, c.eraseWords, c.eraseReasons,
		c.eraseDevices,
		c.eraseEmails, c.eraseEvents, c.eraseDeliveries, c.eraseOutcomes, c.eraseReview, c.eraseTags,
		c.eraseResultLinks, c.eraseIntegrations, c.eraseGrading, c.eraseActivity, c.eraseSelfIdentification,
	} {
		if err := erase(ctx, scope, session.ID, now); err != nil {
			return err
		}
	}
	if !at.Equal(now) {
		if _, err := c.Exec(ctx, `UPDATE candidate_sessions SET erased_at = ? WHERE organization_id = ? AND id = ?`,
			at, scope.OrganizationID, session.ID); err != nil {
			return err
		}
	}
	if err := c.emitErased(ctx, session, now, at); err != nil {
		return err
	}
	if err := c.recordErasure(ctx, journal.Erasure{
		Kind: journal.Session, OrganizationID: scope.OrganizationID, ID: session.ID, At: at,
	}); err != nil {
		return err
	}
	return c.audit(ctx, scope, AuditCandidateDataErased, session.ID)
}

// removeErasedCopies is UnscopedRemoveErasedCopies after an erasure that has been committed, so a failure is logged.
// The work continues when the client has disconnected.
func (s *Store) removeErasedCopies(ctx context.Context) {
	if failure := s.UnscopedRemoveErasedCopies(context.WithoutCancel(ctx)); failure != nil {
		s.opts.Log.ErrorContext(ctx, "copies of erased data not removed, retrying later", "error", failure)
	}
}

// emitErased emits the last event of a session. It comes after the other steps of the erasure, which therefore never
// change it or its deliveries. A test session emits nothing.
func (c conn) emitErased(ctx context.Context, session CandidateSession, now, at time.Time) error {
	if session.Test {
		return nil
	}
	return c.emit(ctx, event{
		organizationID: session.OrganizationID, kind: EventCandidateErased, subjectID: session.ID, at: now,
		data: candidateErasedData{SessionID: session.ID, AssessmentID: session.AssessmentID, ErasedAt: wireTime(at)},
	})
}

const (
	// maxAutomaticVacuum is the size of a SQLite file up to which an erasure
	// vacuums it. A vacuum blocks all writes, for about half a second at this size.
	maxAutomaticVacuum = 64 << 20 // bytes

	removeCopiesTimeout = time.Minute
)

// UnscopedRemoveErasedCopies removes the copies of erased rows from SQLite's files:
// earlier versions of pages in the write-ahead log, and rows in the free space of
// pages that SQLite has split or merged. It does not concern the row itself, which
// secure_delete overwrites. It does nothing if this process has erased nothing since it last succeeded.
func (s *Store) UnscopedRemoveErasedCopies(ctx context.Context) error {
	erasures := s.copies.erasures.Load() // the counters say of how many erasures the copies are gone
	if s.copies.removed.Load() >= erasures {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, removeCopiesTimeout)
	defer cancel()
	// A program that always reads, such as Litestream, must not cause one vacuum after another.
	if s.copies.vacuumed.Load() < erasures {
		if _, err := s.db.Vacuum(ctx, s.db, s.maxAutomaticVacuum); err != nil {
			_, failure := s.db.EmptyLog(ctx, s.db) // most copies are in the log
			return fmt.Errorf("copies of erased data remain in the database file: %w", errors.Join(err, failure))
		}
		s.copies.vacuumed.Store(erasures)
	}
	emptied, err := s.db.EmptyLog(ctx, s.db)
	switch {
	case err != nil:
		return fmt.Errorf("copies of erased data remain in SQLite's write-ahead log: %w", err)
	case !emptied:
		s.opts.Log.WarnContext(ctx,
			"copies of erased data remain in SQLite's write-ahead log until a long read of the database ends")
	default:
		s.copies.removed.Store(erasures)
	}
	return nil
}

// Vacuum rewrites a SQLite file without its free space, in which copies of
// erased rows can remain, and empties the write-ahead log. It blocks all writes.
// emptied is false when a reader kept the log in use. On PostgreSQL Vacuum does
// nothing: autovacuum reuses the free space.
func (s *Store) Vacuum(ctx context.Context) (emptied bool, err error) {
	return s.vacuum(ctx, math.MaxInt64)
}

func (s *Store) vacuum(ctx context.Context, maxBytes int64) (emptied bool, err error) {
	_, failure := s.db.Vacuum(ctx, s.db, maxBytes)
	emptied, err = s.db.EmptyLog(ctx, s.db) // after a failure too: most copies are in the log
	return emptied, errors.Join(failure, err)
}

// eraseSession also ends the candidate's link.
func (c conn) eraseSession(ctx context.Context, scope Scope, id string, now time.Time) error {
	var stored *string
	if err := c.Get(ctx, &stored, `SELECT result FROM candidate_sessions WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, id); err != nil {
		return err
	}
	if stored != nil {
		anonymous, err := anonymousResult(*stored)
		if err != nil {
			return fmt.Errorf("erase the result: %w", err)
		}
		stored = &anonymous
	}
	if _, err := c.Exec(ctx, `
		UPDATE candidate_sessions
			SET candidate_name = ?, candidate_email = ?, candidate_email_key = ?, external_id = NULL, metadata = '{}',
			redirect_url = NULL, note = NULL, result = ?, invite_generation = invite_generation + 1, erased_at = ?,
				updated_at = ?, email_failure = NULL, email_reason = NULL,
				email_status = CASE WHEN email_status = 'QUEUED' THEN 'NONE' ELSE email_status END
		WHERE organization_id = ? AND id = ?`,
		erasedName, erasedEmail(id), erasedEmail(id), stored, now, now, scope.OrganizationID, id); err != nil {
		return err
	}
	c.AfterCommit(func() { c.store.results.Remove(id) })
	_, err := c.Exec(ctx, `DELETE FROM answers WHERE organization_id = ? AND session_id = ?`, scope.OrganizationID, id)
	return err
}

func anonymousResult(stored string) (string, error) {
	var result Result
	if err := json.Unmarshal([]byte(stored), &result); err != nil {
		return "", err
	}
	result.Candidate = ResultCandidate{Name: erasedName, Email: erasedEmail(result.SessionID)}
	result.ExternalID, result.Metadata = nil, map[string]string{}
	for i := range result.Stages {
		for j := range result.Stages[i].Questions {
			result.Stages[i].Questions[j].Answer = nil
		}
	}
	encoded, err := json.Marshal(result)
	return string(encoded), err
}

// eraseEvents renders the session's events again without personal data. Only here
// do the bytes of an event change.
func (c conn) eraseEvents(ctx context.Context, scope Scope, id string, _ time.Time) error {
	var events []Event
	if err := c.List(ctx, &events, `SELECT id, body FROM events WHERE organization_id = ? AND subject_id = ?
		ORDER BY id`, scope.OrganizationID, id); err != nil {
		return err
	}
	for _, event := range events {
		body, err := anonymousEvent(event.Body, id)
		if err != nil {
			return fmt.Errorf("erase event %s: %w", event.ID, err)
		}
		if _, err := c.Exec(ctx, `UPDATE events SET body = ? WHERE organization_id = ? AND id = ?`,
			body, scope.OrganizationID, event.ID); err != nil {
			return err
		}
	}
	return nil
}

func anonymousEvent(body, sessionID string) (string, error) {
	var decoded struct {
		envelope
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal([]byte(body), &decoded); err != nil {
		return "", err
	}
	anonymous := decoded.Type.row().anonymous
	if anonymous == nil {
		return "", fmt.Errorf("no rule for events of type %s", decoded.Type)
	}
	var err error
	if decoded.envelope.Data, err = anonymous(decoded.Data, sessionID); err != nil {
		return "", err
	}
	return decoded.render()
}

// eraseDeliveries erases what the queue has of a session: see queue.Erase. A delivery can outlive its event. Nothing
// then relates it to a session, so every stored response of such deliveries of the organization is erased.
func (c conn) eraseDeliveries(ctx context.Context, scope Scope, id string, now time.Time) error {
	// The ids are read first: with a subquery in its place, PostgreSQL scans the queue.
	var events []string
	if err := c.List(ctx, &events, `SELECT id FROM events WHERE organization_id = ? AND subject_id = ? ORDER BY id`,
		scope.OrganizationID, id); err != nil {
		return err
	}
	if len(events) > 0 {
		if err := c.store.queue.Erase(ctx, c.Conn, events, now); err != nil {
			return err
		}
	}
	return c.store.queue.EraseOrphans(ctx, c.Conn, scope.OrganizationID)
}

// eraseOutcomes erases the stored responses of invites with an Idempotency-Key.
func (c conn) eraseOutcomes(ctx context.Context, scope Scope, id string, _ time.Time) error {
	_, err := c.Exec(ctx,
		`UPDATE idempotency_keys SET outcome = NULL, subjects = '' WHERE organization_id = ? AND subjects LIKE ?`,
		scope.OrganizationID, "% "+id+" %")
	return err
}
