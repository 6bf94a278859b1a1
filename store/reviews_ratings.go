package store

import (
	"context"
	"strconv"
)

// ReviewRating is the rating of one person or API key about a candidate.
type ReviewRating struct {
	Rating int `db:"rating"` // from 1 to 5
	ReviewAuthor
	UpdatedAt Time `db:"updated_at"`
}

// maxReviewRatings bounds the ratings of a session that a review has. All of them count.
const maxReviewRatings = 100

// reviewRatings are the latest ratings of a session, newest first.
func (c conn) reviewRatings(ctx context.Context, scope Scope, sessionID string) ([]ReviewRating, error) {
	var ratings []ReviewRating
	err := c.List(ctx, &ratings, `
		SELECT a.rating, a.actor_type, a.actor_id, a.updated_at, `+actorName+` AS actor_name
		FROM review_ratings a WHERE a.organization_id = ? AND a.session_id = ?
		ORDER BY a.updated_at DESC, a.actor_id LIMIT ?`,
		scope.OrganizationID, sessionID, maxReviewRatings)
	return ratings, err
}

// ReplaceReviewRating sets the rating of the caller, from 1 to 5, and returns the review. Refusals: not_found,
// session_erased.
func (s *Store) ReplaceReviewRating(ctx context.Context, scope Scope, sessionID string, rating int) (Review, error) {
	var review Review
	err := s.write(ctx, func(c conn) error {
		err := c.changeRating(ctx, scope, sessionID, &rating)
		if err == nil {
			review, err = c.review(ctx, scope, sessionID)
		}
		return err
	})
	return review, err
}

// ReplacePublicReviewRating is ReplaceReviewRating.
func (s *Store) ReplacePublicReviewRating(
	ctx context.Context, scope Scope, sessionID string, rating int,
) (Review, error) {
	return s.ReplaceReviewRating(ctx, scope, sessionID, rating)
}

// DeleteReviewRating removes the rating of the caller, if there is one. Refusals: not_found, session_erased.
func (s *Store) DeleteReviewRating(ctx context.Context, scope Scope, sessionID string) error {
	return s.write(ctx, func(c conn) error { return c.changeRating(ctx, scope, sessionID, nil) })
}

// DeletePublicReviewRating is DeleteReviewRating.
func (s *Store) DeletePublicReviewRating(ctx context.Context, scope Scope, sessionID string) error {
	return s.DeleteReviewRating(ctx, scope, sessionID)
}

// changeRating sets the rating of the caller. nil removes it.
func (c conn) changeRating(ctx context.Context, scope Scope, sessionID string, rating *int) error {
	session, err := c.reviewedSession(ctx, scope, sessionID)
	if err != nil {
		return err
	}
	author, now := scope.author(), c.store.Now()
	own := []any{scope.OrganizationID, sessionID, author.Type, author.ActorID}
	var before []int
	const ofAuthor = ` FROM review_ratings
		WHERE organization_id = ? AND session_id = ? AND actor_type = ? AND actor_id = ?`
	if err := c.List(ctx, &before, `SELECT rating`+ofAuthor, own...); err != nil {
		return err
	}
	change, action := AuditChange{Field: "rating"}, AuditReviewRated
	if len(before) > 0 {
		change.From = new(strconv.Itoa(before[0]))
	}
	switch {
	case rating == nil && len(before) == 0, rating != nil && len(before) > 0 && *rating == before[0]:
		return nil
	case rating == nil:
		action = AuditReviewRatingDeleted
		_, err = c.Exec(ctx, `DELETE`+ofAuthor, own...)
	default:
		change.To = new(strconv.Itoa(*rating))
		_, err = c.Exec(ctx, `
			INSERT INTO review_ratings (organization_id, session_id, actor_type, actor_id, rating, updated_at)
			VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (session_id, actor_type, actor_id)
			DO UPDATE SET rating = excluded.rating, updated_at = excluded.updated_at`, append(own, *rating, now)...)
	}
	if err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `
		UPDATE candidate_sessions SET updated_at = ?, rating = (
			SELECT ROUND(AVG(r.rating), 2) FROM review_ratings r WHERE r.session_id = candidate_sessions.id)
		WHERE organization_id = ? AND id = ?`, now, scope.OrganizationID, session.ID); err != nil {
		return err
	}
	return c.audit(ctx, scope, action, session.ID, change)
}
