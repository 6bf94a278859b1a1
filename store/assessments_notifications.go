package store

import "context"

// Notifications are the emails about an assessment that a member receives.
type Notifications struct {
	FinishedEmail bool // names the candidates who have finished
}

// RetrieveAssessmentNotifications returns the notifications of the person of the scope. Refusal: not_found.
func (s *Store) RetrieveAssessmentNotifications(ctx context.Context, scope Scope, id string) (Notifications, error) {
	var out Notifications
	err := s.read().Get(ctx, &out.FinishedEmail, `
		SELECT EXISTS (SELECT 1 FROM assessment_subscriptions n WHERE n.assessment_id = a.id AND n.user_id = ?)
		FROM assessments a WHERE a.organization_id = ? AND a.id = ?`, scope.UserID, scope.OrganizationID, id)
	return out, orRefuse(err, errNoAssessment)
}

// ReplaceAssessmentNotifications sets the notifications of the person of the scope. Refusal: not_found.
func (s *Store) ReplaceAssessmentNotifications(
	ctx context.Context, scope Scope, id string, in Notifications,
) (Notifications, error) {
	err := s.write(ctx, func(c conn) error {
		var found string
		if err := c.Get(ctx, &found, `SELECT id FROM assessments WHERE organization_id = ? AND id = ?`+s.db.ForShare,
			scope.OrganizationID, id); err != nil {
			return orRefuse(err, errNoAssessment)
		}
		query := `DELETE FROM assessment_subscriptions WHERE organization_id = ? AND assessment_id = ? AND user_id = ?`
		if in.FinishedEmail {
			query = `INSERT INTO assessment_subscriptions (organization_id, assessment_id, user_id) VALUES (?, ?, ?)
				ON CONFLICT DO NOTHING`
		}
		_, err := c.Exec(ctx, query, scope.OrganizationID, id, scope.UserID)
		return err
	})
	return in, err
}

// deleteSubscriptions ends all notifications about an assessment that is being deleted.
func (c conn) deleteSubscriptions(ctx context.Context, scope Scope, assessmentID string) error {
	_, err := c.Exec(ctx, `DELETE FROM assessment_subscriptions WHERE organization_id = ? AND assessment_id = ?`,
		scope.OrganizationID, assessmentID)
	return err
}
