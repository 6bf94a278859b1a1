package server

import (
	"context"

	"assay/gen"
)

// ListAssessmentChanges implements GET /v1/assessments/changes.
func (s *Server) ListAssessmentChanges(
	ctx context.Context, request gen.ListAssessmentChangesRequestObject,
) (gen.ListAssessmentChangesResponseObject, error) {
	page := changesPage(request.Params.Limit, request.Params.Cursor)
	changes, err := s.store.ListAssessmentChanges(ctx, scopeOf(ctx), page)
	if err != nil {
		return nil, err
	}
	return gen.ListAssessmentChanges200JSONResponse{
		Body: gen.AssessmentChangesData{Data: gen.AssessmentChanges{
			Items: each(changes.Items, apiCountedAssessment), Cursor: changes.Cursor, HasMore: changes.More,
		}},
	}, nil
}

// ListPublicAssessmentChanges implements GET /v1/public/assessments/changes.
func (s *Server) ListPublicAssessmentChanges(
	ctx context.Context, request gen.ListPublicAssessmentChangesRequestObject,
) (gen.ListPublicAssessmentChangesResponseObject, error) {
	page := changesPage(request.Params.Limit, request.Params.Cursor)
	changes, err := s.store.ListPublicAssessmentChanges(ctx, scopeOf(ctx), page)
	if err != nil {
		return nil, err
	}
	return gen.ListPublicAssessmentChanges200JSONResponse{
		Body: gen.PublicAssessmentChangesData{Data: gen.PublicAssessmentChanges{
			Items: each(changes.Items, apiAssessment), Cursor: changes.Cursor, HasMore: changes.More,
		}},
	}, nil
}
