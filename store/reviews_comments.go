package store

import (
	"context"
	"slices"
)

// ReviewComment is a comment of a person or an API key about a candidate.
type ReviewComment struct {
	ID   string `db:"id"`
	Text string `db:"text"` // can contain personal data; "" after an erasure
	ReviewAuthor
	CreatedAt Time  `db:"created_at"`
	EditedAt  *Time `db:"edited_at"`
}

// maxReviewComments is the limit of the comments of a session.
const maxReviewComments = 200

const commentQuery = `
	SELECT a.id, a.text, a.actor_type, a.actor_id, a.created_at, a.edited_at, ` + actorName + ` AS actor_name
	FROM review_comments a WHERE a.organization_id = ? AND a.session_id = ?`

func (c conn) reviewComments(ctx context.Context, scope Scope, sessionID string) ([]ReviewComment, error) {
	var comments []ReviewComment
	err := c.List(ctx, &comments, commentQuery+` ORDER BY a.id DESC LIMIT ?`,
		scope.OrganizationID, sessionID, maxReviewComments)
	return comments, err
}

func (c conn) reviewComment(ctx context.Context, scope Scope, sessionID, id string) (ReviewComment, error) {
	var comment ReviewComment
	err := c.Get(ctx, &comment, commentQuery+` AND a.id = ?`, scope.OrganizationID, sessionID, id)
	return comment, orRefuse(err, errNoComment)
}

// createdComment is a new comment, as an Idempotency-Key keeps it.
type createdComment struct {
	SessionID string
	Comment   ReviewComment
}

func (c createdComment) sessionIDs() []string { return []string{c.SessionID} }

// CreateReviewComment adds a comment of the caller. Refusals: not_found, session_erased, too_many_comments.
func (s *Store) CreateReviewComment(ctx context.Context, scope Scope, sessionID, text string) (ReviewComment, error) {
	var created createdComment
	err := once(ctx, s, scope, &created, func(c conn) error {
		if _, err := c.reviewedSession(ctx, scope, sessionID); err != nil {
			return err
		}
		var count int
		if err := c.Get(ctx, &count, `SELECT COUNT(*) FROM review_comments WHERE organization_id = ? AND session_id = ?`,
			scope.OrganizationID, sessionID); err != nil {
			return err
		}
		if count >= maxReviewComments {
			return errTooManyComments
		}
		id, author := s.NewID("rcm"), scope.author()
		if _, err := c.Exec(ctx, `
			INSERT INTO review_comments (id, organization_id, session_id, text, actor_type, actor_id, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			id, scope.OrganizationID, sessionID, text, author.Type, author.ActorID, s.Now()); err != nil {
			return err
		}
		if err := c.audit(ctx, scope, AuditReviewCommented, sessionID); err != nil {
			return err
		}
		comment, err := c.reviewComment(ctx, scope, sessionID, id)
		created = createdComment{sessionID, comment}
		return err
	})
	return created.Comment, err
}

// CreatePublicReviewComment is CreateReviewComment.
func (s *Store) CreatePublicReviewComment(
	ctx context.Context, scope Scope, sessionID, text string,
) (ReviewComment, error) {
	return s.CreateReviewComment(ctx, scope, sessionID, text)
}

// UpdateReviewComment changes a comment of the caller. Refusals: not_found, session_erased, comment_not_yours.
func (s *Store) UpdateReviewComment(
	ctx context.Context, scope Scope, sessionID, id, text string,
) (ReviewComment, error) {
	var comment ReviewComment
	err := s.write(ctx, func(c conn) error {
		if _, err := c.lockSession(ctx, scope, sessionID); err != nil {
			return err
		}
		found, err := c.reviewComment(ctx, scope, sessionID, id)
		switch {
		case err != nil:
			return err
		case found.ActorID != scope.author().ActorID:
			return errCommentNotYours
		}
		if _, err := c.reviewedSession(ctx, scope, sessionID); err != nil {
			return err
		}
		if found.Text != text {
			if _, err := c.Exec(ctx, `UPDATE review_comments SET text = ?, edited_at = ? WHERE organization_id = ? AND id = ?`,
				text, s.Now(), scope.OrganizationID, id); err != nil {
				return err
			}
			if err := c.audit(ctx, scope, AuditReviewCommentUpdated, sessionID); err != nil {
				return err
			}
		}
		comment, err = c.reviewComment(ctx, scope, sessionID, id)
		return err
	})
	return comment, err
}

// DeleteReviewComment deletes a comment. Refusals: not_found, comment_not_yours.
func (s *Store) DeleteReviewComment(ctx context.Context, scope Scope, sessionID, id string) error {
	return s.write(ctx, func(c conn) error {
		if _, err := c.lockSession(ctx, scope, sessionID); err != nil {
			return err
		}
		found, err := c.reviewComment(ctx, scope, sessionID, id)
		if err != nil {
			return err
		}
		if found.ActorID != scope.UserID && !slices.Contains([]Role{Owner, Admin}, scope.Role) {
			return errCommentNotYours
		}
		if _, err := c.Exec(ctx, `DELETE FROM review_comments WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, id); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditReviewCommentDeleted, sessionID)
	})
}
