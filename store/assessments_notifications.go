package store

import "context"

// Notifications are the emails about an assessment that a member receives.
type Notifications struct {
	FinishedEmail bool // names the candidates who have finished
}

// RetrieveAssessmentNotifications returns those of the person of the scope. Refusal: not_found.
func (s *Store) RetrieveAssessmentNotifications(ctx context.Context, scope Scope, id string) (Notifications, error) {
	return Notifications{}, errNoAssessment // TODO
}

// ReplaceAssessmentNotifications sets those of the person of the scope. Refusal: not_found.
func (s *Store) ReplaceAssessmentNotifications(
	ctx context.Context, scope Scope, id string, in Notifications,
) (Notifications, error) {
	return in, errNoAssessment // TODO
}
