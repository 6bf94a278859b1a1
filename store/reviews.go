package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// Review is what the team of an organization has decided and said about a candidate. No state is
// ever set by the service itself.
type Review struct {
	SessionID string
	State     ReviewState
	Tags      []string        // in alphabetical order
	Rating    *float64        // the average, with two decimals; nil without ratings
	Ratings   []ReviewRating  // newest first, at most maxReviewRatings
	Changes   []ReviewChange  // newest first, at most maxReviewChanges
	Comments  []ReviewComment // newest first, at most maxReviewComments
}

// ReviewAuthor is the person or the API key that made a row. Name is nil if it is no longer known.
type ReviewAuthor struct {
	Type    ActorType `db:"actor_type"`
	ActorID string    `db:"actor_id"`
	Name    *string   `db:"actor_name"`
}

// author is the caller.
func (s Scope) author() ReviewAuthor {
	if s.APIKeyID != "" {
		return ReviewAuthor{Type: ActorAPIKey, ActorID: s.APIKeyID}
	}
	return ReviewAuthor{Type: ActorUser, ActorID: s.UserID}
}

// ReviewChange is one change of the state, with the names that the states had.
type ReviewChange struct {
	ID       string  `db:"id"`
	FromID   string  `db:"from_id"`
	FromName string  `db:"from_name"`
	ToID     string  `db:"to_id"`
	ToName   string  `db:"to_name"`
	Reason   *string `db:"reason"` // can contain personal data; an erasure removes it
	ReviewAuthor
	CreatedAt Time         `db:"created_at"`
	Email     *ReviewEmail // nil without one
}

// maxReviewChanges bounds the changes of a session that a review has.
const maxReviewChanges = 100

// RetrieveReview returns the review of a session. Refusal: not_found.
func (s *Store) RetrieveReview(ctx context.Context, scope Scope, sessionID string) (Review, error) {
	return s.read().review(ctx, scope, sessionID)
}

// RetrievePublicReview is RetrieveReview.
func (s *Store) RetrievePublicReview(ctx context.Context, scope Scope, sessionID string) (Review, error) {
	return s.RetrieveReview(ctx, scope, sessionID)
}

func (c conn) review(ctx context.Context, scope Scope, sessionID string) (Review, error) {
	review := Review{SessionID: sessionID}
	session, err := c.session(ctx, scope, sessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	if err != nil {
		return review, err
	}
	review.Tags, review.Rating = session.Tags(), session.Rating
	if review.Ratings, err = c.reviewRatings(ctx, scope, sessionID); err != nil {
		return review, err
	}
	if review.State, err = c.reviewState(ctx, scope, sessionID); err != nil {
		return review, err
	}
	if review.Changes, err = c.reviewChanges(ctx, scope, sessionID); err != nil {
		return review, err
	}
	if err := c.addReviewEmails(ctx, scope, sessionID, review.Changes); err != nil {
		return review, err
	}
	review.Comments, err = c.reviewComments(ctx, scope, sessionID)
	return review, err
}

func (c conn) reviewChanges(ctx context.Context, scope Scope, sessionID string) ([]ReviewChange, error) {
	var changes []ReviewChange
	err := c.List(ctx, &changes, `
		SELECT a.id, a.from_id, a.from_name, a.to_id, a.to_name, a.reason, a.actor_type, a.actor_id, a.created_at,
			`+actorName+` AS actor_name
		FROM review_changes a WHERE a.organization_id = ? AND a.session_id = ? ORDER BY a.id DESC LIMIT ?`,
		scope.OrganizationID, sessionID, maxReviewChanges)
	return changes, err
}

// reviewState returns the state of a session that exists.
func (c conn) reviewState(ctx context.Context, scope Scope, sessionID string) (ReviewState, error) {
	list, err := c.reviewStates(ctx, scope)
	if err != nil {
		return ReviewState{}, err
	}
	return c.stateOf(ctx, scope, sessionID, list)
}

// stateOf is reviewState with the states of the organization.
func (c conn) stateOf(ctx context.Context, scope Scope, sessionID string, list ReviewStates) (ReviewState, error) {
	id := initialState
	err := c.Get(ctx, &id, `SELECT state_id FROM reviews WHERE organization_id = ? AND session_id = ?`,
		scope.OrganizationID, sessionID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return ReviewState{}, err
	}
	state, _ := list.byID(id) // the foreign key keeps it
	return state, nil
}

// StateChange is the input of ChangeReviewState.
type StateChange struct {
	StateID string
	From    *string // the state that the caller has seen; nil to set the new one anyway
	Reason  *string // can contain personal data; an erasure removes it
	Email   *ReviewEmailInput

	planned *plannedEmails // those of Email
}

// ChangeReviewState puts the candidate of a session into a state, and returns the review. Of two changes at
// the same time, the later one counts, and both stay. Refusals: not_found, state_changed, session_erased,
// invalid_request, email_not_configured.
func (s *Store) ChangeReviewState(ctx context.Context, scope Scope, sessionID string, in StateChange) (Review, error) {
	var review Review
	planned, err := s.planEmails(ctx, scope, in.Email)
	if err != nil {
		return review, err
	}
	err = s.write(ctx, func(c conn) error {
		in.planned = planned.again()
		session, err := c.reviewedSession(ctx, scope, sessionID)
		if err != nil {
			return err
		}
		if err := c.storeStates(ctx, scope); err != nil {
			return err
		}
		list, err := c.reviewStates(ctx, scope)
		if err != nil {
			return err
		}
		if _, err := c.changeState(ctx, scope, session, list, in); err != nil {
			return err
		}
		review, err = c.review(ctx, scope, sessionID)
		return err
	})
	return review, err
}

// ChangePublicReviewState is ChangeReviewState.
func (s *Store) ChangePublicReviewState(
	ctx context.Context, scope Scope, sessionID string, in StateChange,
) (Review, error) {
	return s.ChangeReviewState(ctx, scope, sessionID, in)
}

// reviewedSession locks a session about which the team can still say something.
func (c conn) reviewedSession(ctx context.Context, scope Scope, sessionID string) (CandidateSession, error) {
	session, err := c.lockSession(ctx, scope, sessionID)
	if err == nil && session.ErasedAt != nil {
		err = errSessionErased
	}
	return session, err
}

// changeState changes the state of a locked session to one of the stored list, and reports whether it did. A state that
// the candidate has already is no change, but an email about it is planned if there is none. A refusal has written
// nothing.
func (c conn) changeState(
	ctx context.Context, scope Scope, session CandidateSession, list ReviewStates, in StateChange,
) (bool, error) {
	before, err := c.stateOf(ctx, scope, session.ID, list)
	if err != nil {
		return false, err
	}
	after, known := list.byID(in.StateID)
	switch {
	case !known:
		return false, errUnknownState
	case in.From != nil && *in.From != before.ID:
		return false, errStateChanged
	case after.ID == before.ID:
		needed, err := c.needsEmail(ctx, scope, session, in.planned)
		if err != nil || !needed {
			return false, err
		}
		return false, c.storeChange(ctx, scope, session, before, after, in)
	case after.Archived:
		return false, errArchivedState
	}
	return true, c.storeChange(ctx, scope, session, before, after, in)
}

func (c conn) storeChange(
	ctx context.Context, scope Scope, session CandidateSession, before, after ReviewState, in StateChange,
) error {
	now := c.store.Now()
	if err := c.cancelWaiting(ctx, scope, session.ID); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `
		INSERT INTO reviews (session_id, organization_id, assessment_id, state_id, since) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (session_id) DO UPDATE SET state_id = excluded.state_id, assessment_id = excluded.assessment_id,
			since = CASE WHEN reviews.state_id = excluded.state_id THEN reviews.since ELSE excluded.since END`,
		session.ID, scope.OrganizationID, session.AssessmentID, after.ID, now); err != nil {
		return err
	}
	author, id := scope.author(), c.store.NewID("rch")
	if _, err := c.Exec(ctx, `
		INSERT INTO review_changes (id, organization_id, session_id, from_id, from_name, to_id, to_name, reason, actor_type,
			actor_id, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		id, scope.OrganizationID, session.ID, before.ID, before.Name, after.ID, after.Name, in.Reason,
		author.Type, author.ActorID, now); err != nil {
		return err
	}
	if err := c.queueReviewEmail(ctx, session, id, in.planned); err != nil {
		return err
	}
	if err := c.touchSession(ctx, session, now); err != nil {
		return err
	}
	if err := c.audit(ctx, scope, AuditReviewStateChanged, session.ID, AuditChange{
		Field: "state", From: &before.ID, To: &after.ID,
	}); err != nil {
		return err
	}
	if after.ID == before.ID {
		return nil
	}
	return c.emitStateChanged(ctx, session, stateChangedData{
		candidateData: session.eventData(), ChangeID: id, From: stateRef{before.ID, before.Name},
		To: stateRef{after.ID, after.Name}, ChangedBy: eventActor{author.Type, author.ActorID},
	}, now)
}

// emitStateChanged emits the event of a changed state. It leaves the reason and the name of the author out, because an
// erasure could not remove them from the systems that receive the event. A test session emits nothing.
func (c conn) emitStateChanged(
	ctx context.Context, session CandidateSession, data stateChangedData, now time.Time,
) error {
	if session.Test {
		return nil
	}
	return c.emit(ctx, event{
		organizationID: session.OrganizationID, kind: EventStateChanged, subjectID: session.ID, at: now, data: data,
	})
}

// touchSession makes a change of the review visible to clients that follow changes of sessions.
func (c conn) touchSession(ctx context.Context, session CandidateSession, now time.Time) error {
	_, err := c.Exec(ctx, `UPDATE candidate_sessions SET updated_at = ? WHERE organization_id = ? AND id = ?`,
		now, session.OrganizationID, session.ID)
	return err
}

// stateTimeline are the entries of a session's changes of state in its timeline.
func (c conn) stateTimeline(ctx context.Context, scope Scope, id string) ([]TimelineEntry, error) {
	changes, err := c.reviewChanges(ctx, scope, id)
	entries := make([]TimelineEntry, 0, len(changes))
	for _, change := range slices.Backward(changes) {
		entries = append(entries, TimelineEntry{
			At: change.CreatedAt.Time, Type: TimelineStateChanged, Actor: change.Type, ActorID: &change.ActorID,
			ActorName: change.Name, Reason: change.Reason, State: &change.ToName,
		})
	}
	return entries, err
}

// eraseReview removes the words of the team about a candidate. States stay, as scores do.
func (c conn) eraseReview(ctx context.Context, scope Scope, id string, _ time.Time) error {
	for _, statement := range []string{
		`UPDATE review_changes SET reason = NULL WHERE organization_id = ? AND session_id = ?`,
		`UPDATE review_comments SET text = '' WHERE organization_id = ? AND session_id = ?`,
		`UPDATE reviews SET since = NULL WHERE organization_id = ? AND session_id = ?`, // no retention looks for it
	} {
		if _, err := c.Exec(ctx, statement, scope.OrganizationID, id); err != nil {
			return err
		}
	}
	return c.eraseReviewEmails(ctx, scope, id)
}
