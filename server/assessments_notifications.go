package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// RetrieveAssessmentNotifications implements GET /v1/assessments/{id}/notifications.
func (s *Server) RetrieveAssessmentNotifications(
	ctx context.Context, request gen.RetrieveAssessmentNotificationsRequestObject,
) (gen.RetrieveAssessmentNotificationsResponseObject, error) {
	notifications, err := s.store.RetrieveAssessmentNotifications(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveAssessmentNotifications200JSONResponse{Body: apiNotifications(notifications)}, nil
}

// ReplaceAssessmentNotifications implements PUT /v1/assessments/{id}/notifications.
func (s *Server) ReplaceAssessmentNotifications(
	ctx context.Context, request gen.ReplaceAssessmentNotificationsRequestObject,
) (gen.ReplaceAssessmentNotificationsResponseObject, error) {
	notifications, err := s.store.ReplaceAssessmentNotifications(ctx, scopeOf(ctx), request.ID,
		store.Notifications{FinishedEmail: request.Body.FinishedEmail})
	if err != nil {
		return nil, err
	}
	return gen.ReplaceAssessmentNotifications200JSONResponse{Body: apiNotifications(notifications)}, nil
}

func apiNotifications(n store.Notifications) gen.AssessmentNotificationsData {
	return gen.AssessmentNotificationsData{Data: gen.AssessmentNotifications{FinishedEmail: n.FinishedEmail}}
}
