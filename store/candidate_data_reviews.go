package store

import (
	"context"

	"assay/store/rules"
)

// newestOfSessions is a FROM item with the rows of sessions. Its arguments are the ids as a JSON array, and the
// organization. The index has organization_id, session_id, and id.
func (c conn) newestOfSessions(table, index string) string {
	return c.store.db.NewestOfKeys(table, "session_id", index, dataSessionRows)
}

// addDataReviews adds what the team has decided and said, oldest first.
func (c conn) addDataReviews(ctx context.Context, scope Scope, of dataOf) error {
	var changes []struct {
		SessionID string `db:"session_id"`
		ReviewChange
	}
	if err := c.List(ctx, &changes, `
		SELECT a.session_id, a.id, a.from_id, a.from_name, a.to_id, a.to_name, a.reason, a.actor_type, a.actor_id,
			a.created_at, `+actorName+` AS actor_name
		FROM (SELECT * FROM `+c.newestOfSessions("review_changes", "review_changes_session")+`) a
		ORDER BY a.id`,
		of.encoded, scope.OrganizationID); err != nil {
		return err
	}
	for _, row := range changes {
		session := of.byID[row.SessionID]
		session.StateChanges = append(session.StateChanges, row.ReviewChange)
	}
	var ratings []struct {
		SessionID string `db:"session_id"`
		ReviewRating
	}
	if err := c.List(ctx, &ratings, `
		SELECT a.session_id, a.rating, a.actor_type, a.actor_id, a.updated_at, `+actorName+` AS actor_name
		FROM review_ratings a WHERE a.organization_id = ? AND `+c.store.db.IsOneOf("a.session_id")+`
		ORDER BY a.updated_at, a.actor_id LIMIT ?`,
		scope.OrganizationID, of.encoded, dataRows); err != nil {
		return err
	}
	for _, row := range ratings {
		session := of.byID[row.SessionID]
		session.Ratings = append(session.Ratings, row.ReviewRating)
	}
	var comments []struct {
		SessionID string `db:"session_id"`
		ReviewComment
	}
	if err := c.List(ctx, &comments, `
		SELECT a.session_id, a.id, a.text, a.actor_type, a.actor_id, a.created_at, a.edited_at,
			`+actorName+` AS actor_name
		FROM (SELECT * FROM `+c.newestOfSessions("review_comments", "review_comments_session")+`) a ORDER BY a.id`,
		of.encoded, scope.OrganizationID); err != nil {
		return err
	}
	for _, row := range comments {
		session := of.byID[row.SessionID]
		session.Comments = append(session.Comments, row.ReviewComment)
	}
	return nil
}

// addDataRetention adds how long the data are kept. It follows addDataReviews.
func (c conn) addDataRetention(ctx context.Context, scope Scope, of dataOf) error {
	retentions, err := c.allRetentions(ctx, scope)
	if err != nil {
		return err
	}
	for _, session := range of.sessions {
		applies, ended := retentions.of(session.AssessmentID), session.endedAt()
		if ended == nil || applies.AppliesFrom == nil || session.Held {
			continue
		}
		kept := rules.KeptSession{EndedAt: *ended, Started: session.StartedAt != nil, StateID: session.ReviewState()}
		for _, change := range session.StateChanges {
			if change.FromID != change.ToID {
				kept.Since = change.CreatedAt.Time
			}
		}
		session.KeptUntil = applies.KeptUntil(kept)
		if from := applies.AppliesFrom; session.KeptUntil != nil && session.KeptUntil.Before(*from) {
			session.KeptUntil = from
		}
	}
	return nil
}
