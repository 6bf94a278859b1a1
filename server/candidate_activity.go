package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// RecordActivity implements POST /v1/candidate/session/activity.
func (s *Server) RecordActivity(
	ctx context.Context, request gen.RecordActivityRequestObject,
) (gen.RecordActivityResponseObject, error) {
	err := s.store.RecordActivity(ctx, scopeOf(ctx), store.Activity{
		Language: request.Body.Language,
		Questions: each(request.Body.Questions, func(in gen.QuestionTime) store.QuestionTime {
			return store.QuestionTime{QuestionID: in.QuestionID, Seconds: in.Seconds}
		}),
	})
	if err != nil {
		return nil, err
	}
	return gen.RecordActivity204Response{}, nil
}
