package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay/store/rules"
)

// The retention erases a session within a day after its end, plus the interval of the sweep: see rules.MonthsBefore.

const (
	// retainedAtOnce bounds what one run erases of one organization, so that others need not wait.
	retainedAtOnce = 100
	// organizationsAtOnce is how many organizations, or assessments of one, are read at a time.
	organizationsAtOnce = 200
)

// endOfSession is when the candidate of an ended session had nothing left to do. At most one of the first four columns
// has a value. The index sessions_by_end has the same three expressions.
const (
	endOfSession = `COALESCE(completed_at, disqualified_at, cancelled_at, in_review_since, expires_at)`
	startedNever = `(started_at IS NULL)`
	hasEnded     = `erased_at IS NULL AND NOT test AND status <> 'INVITED' AND status <> 'IN_PROGRESS'`
)

// completeReviews completes a batch of reviews without these columns. Compatibility until v1.2: v1.0 writes such
// reviews, and has left some.
var completeReviews = `
	UPDATE reviews SET assessment_id = (SELECT s.assessment_id FROM candidate_sessions s WHERE s.id = reviews.session_id),
		since = (SELECT CASE WHEN s.erased_at IS NULL THEN COALESCE((SELECT c.created_at FROM review_changes c
				WHERE c.organization_id = s.organization_id AND c.session_id = s.id AND c.from_id <> c.to_id
				ORDER BY c.id DESC LIMIT 1), s.created_at) END
			FROM candidate_sessions s WHERE s.id = reviews.session_id)
	WHERE assessment_id IS NULL AND session_id IN (SELECT session_id FROM reviews WHERE assessment_id IS NULL` + oneBatch

// UnscopedEraseRetained erases the sessions whose retention has ended, each in a transaction of its own, and at most
// retainedAtOnce of each organization. more reports that further ones wait. If a session cannot be erased, the others
// are.
func (s *Store) UnscopedEraseRetained(ctx context.Context) (more bool, err error) {
	failures := s.purgeBatches(ctx, completeReviews)
	for after := ""; ; {
		var ids []string
		if err := s.read().List(ctx, &ids, `
			SELECT DISTINCT organization_id FROM retentions WHERE organization_id > ? ORDER BY organization_id LIMIT ?`,
			after, organizationsAtOnce); err != nil {
			return false, errors.Join(failures, err)
		}
		for _, id := range ids {
			sweep := retentionSweep{store: s, scope: Scope{OrganizationID: id, retention: true}, left: retainedAtOnce}
			if err := sweep.run(ctx); err != nil {
				failures = errors.Join(failures, fmt.Errorf("organization %s: %w", id, err))
			}
			more = more || sweep.more
		}
		if len(ids) < organizationsAtOnce || ctx.Err() != nil {
			return more, errors.Join(failures, ctx.Err())
		}
		after = ids[len(ids)-1]
	}
}

// retentionSweep is one run of the sweep for one organization.
type retentionSweep struct {
	store *Store
	scope Scope
	left  int  // sessions that the run can still erase
	more  bool // not all sessions were read
}

func (r *retentionSweep) run(ctx context.Context) error {
	c, now := r.store.read(), r.store.Now()
	retentions, err := c.allRetentions(ctx, r.scope)
	if err != nil || !retentions.erase(now) {
		return err
	}
	held, err := c.heldAssessments(ctx, r.scope)
	if err != nil {
		return err
	}
	var failures error
	for after := ""; ; {
		var ids []string
		if err := c.List(ctx, &ids, `
			SELECT id FROM assessments WHERE organization_id = ? AND id > ? ORDER BY id LIMIT ?`,
			r.scope.OrganizationID, after, organizationsAtOnce); err != nil {
			return err
		}
		for _, id := range ids {
			applies := retentions.of(id)
			if held[id] || applies.AppliesFrom == nil || now.Before(*applies.AppliesFrom) {
				continue
			}
			failures = errors.Join(failures, r.assessment(ctx, id, applies.Retention, now))
			if r.left == 0 || ctx.Err() != nil {
				r.more = true
				return failures
			}
		}
		if len(ids) < organizationsAtOnce {
			return failures
		}
		after = ids[len(ids)-1]
	}
}

// erase reports whether any of the retentions erases something at a time.
func (r retentionSet) erase(now time.Time) bool {
	for _, stored := range r {
		if stored.Limits() && !now.Before(stored.appliesFrom) {
			return true
		}
	}
	return false
}

// heldAssessments are those with a hold on all sessions.
func (c conn) heldAssessments(ctx context.Context, scope Scope) (map[string]bool, error) {
	var ids []string
	err := c.List(ctx, &ids, `
		SELECT DISTINCT assessment_id FROM legal_holds
		WHERE organization_id = ? AND session_id IS NULL AND released_at IS NULL`, scope.OrganizationID)
	held := make(map[string]bool, len(ids))
	for _, id := range ids {
		held[id] = true
	}
	return held, err
}

// assessment erases what is due of one assessment.
func (r *retentionSweep) assessment(ctx context.Context, id string, of rules.Retention, now time.Time) error {
	c := r.store.read()
	var failures error
	for _, started := range []bool{true, false} {
		if months := of.OfEnded(started); months != nil {
			due, err := c.dueByEnd(ctx, r.scope, id, !started, rules.MonthsBefore(now, *months), r.left)
			failures = errors.Join(failures, err, r.erase(ctx, due))
		}
	}
	for _, state := range of.States {
		due, err := c.dueByState(ctx, r.scope, id, state.StateID, rules.MonthsBefore(now, state.Months), r.left)
		failures = errors.Join(failures, err, r.erase(ctx, due))
	}
	return failures
}

// dueByEnd returns the sessions of an assessment that ended up to a time, oldest first, without those under a hold.
func (c conn) dueByEnd(
	ctx context.Context, scope Scope, assessmentID string, notStarted bool, until time.Time, limit int,
) (ids []string, err error) {
	err = c.List(ctx, &ids, c.endedQuery(), scope.OrganizationID, assessmentID, notStarted, until, limit)
	return ids, err
}

func (c conn) endedQuery() string {
	return `
		SELECT id FROM candidate_sessions` + c.store.db.IndexedBy("sessions_by_end") + `
		WHERE organization_id = ? AND assessment_id = ? AND ` + startedNever + ` = ? AND ` + endOfSession + ` <= ?
			AND ` + hasEnded + ` AND NOT EXISTS (SELECT 1 FROM legal_holds h
				WHERE h.organization_id = candidate_sessions.organization_id
					AND h.assessment_id = candidate_sessions.assessment_id AND h.session_id = candidate_sessions.id
					AND h.released_at IS NULL)
		ORDER BY ` + endOfSession + ` LIMIT ?`
}

// dueByState returns the sessions of an assessment whose candidates came into a state up to a time, likewise. Some are
// not due, because they ended later: see isDue.
func (c conn) dueByState(
	ctx context.Context, scope Scope, assessmentID, stateID string, until time.Time, limit int,
) (ids []string, err error) {
	err = c.List(ctx, &ids, c.inStateQuery(), scope.OrganizationID, assessmentID, stateID, until, limit)
	return ids, err
}

func (c conn) inStateQuery() string {
	return `
		SELECT r.session_id FROM reviews r` + c.store.db.IndexedBy("reviews_by_since") + `
		WHERE r.organization_id = ? AND r.assessment_id = ? AND r.state_id = ? AND r.since <= ?
			AND EXISTS (SELECT 1 FROM candidate_sessions s WHERE s.id = r.session_id AND s.erased_at IS NULL AND NOT s.test)
			AND NOT EXISTS (SELECT 1 FROM legal_holds h WHERE h.organization_id = r.organization_id
				AND h.assessment_id = r.assessment_id AND h.session_id = r.session_id AND h.released_at IS NULL)
		ORDER BY r.since LIMIT ?`
}

// erase erases the sessions, as long as the run can. After each one it leaves the database to the requests.
func (r *retentionSweep) erase(ctx context.Context, ids []string) error {
	var failures error
	r.more = r.more || len(ids) >= r.left
	for _, id := range ids {
		if r.left == 0 || ctx.Err() != nil {
			break
		}
		began := r.store.Now()
		erased, err := r.store.erase(ctx, r.scope, id, r.isDue(ctx))
		var refused *Error
		switch {
		case errors.As(err, &refused) && refused.Kind != Unavailable: // a hold, meanwhile
		case err != nil:
			failures = errors.Join(failures, fmt.Errorf("session %s: %w", id, err))
		case erased:
			r.left--
		}
		if err := r.store.pause(ctx, began); err != nil {
			break // the caller sees that ctx has ended
		}
	}
	return failures
}

// isDue decides whether the retention of a locked session has ended. If it has not, the session is not found by its
// state again before that is possible.
func (r *retentionSweep) isDue(ctx context.Context) func(conn, CandidateSession) (bool, error) {
	return func(c conn, session CandidateSession) (bool, error) {
		retentions, err := c.retentions(ctx, r.scope, session.AssessmentID, c.store.db.ForShare)
		if err != nil {
			return false, err
		}
		now, applies := c.store.Now(), retentions.of(session.AssessmentID)
		if applies.AppliesFrom == nil || now.Before(*applies.AppliesFrom) {
			return false, nil
		}
		kept, err := c.keptSession(ctx, r.scope, session)
		if err != nil {
			return false, err
		}
		if kept != nil {
			if until := applies.KeptUntil(*kept); until != nil && !now.Before(*until) {
				return true, nil
			}
		}
		since := now // a live session ends later
		if kept != nil {
			since = kept.Counted()
		}
		_, err = c.Exec(ctx, `
			UPDATE reviews SET since = ? WHERE organization_id = ? AND session_id = ? AND since < ?`,
			since, r.scope.OrganizationID, session.ID, since)
		return false, err
	}
}
