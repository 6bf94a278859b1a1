package server

import (
	"context"

	"github.com/oapi-codegen/nullable"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// RetrieveRetention implements GET /v1/retention.
func (s *Server) RetrieveRetention(
	ctx context.Context, _ gen.RetrieveRetentionRequestObject,
) (gen.RetrieveRetentionResponseObject, error) {
	found, err := s.store.RetrieveRetention(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.RetrieveRetention200JSONResponse{Body: retentionData(found)}, nil
}

// ReplaceRetention implements PUT /v1/retention.
func (s *Server) ReplaceRetention(
	ctx context.Context, request gen.ReplaceRetentionRequestObject,
) (gen.ReplaceRetentionResponseObject, error) {
	body := request.Body
	replaced, err := s.store.ReplaceRetention(ctx, scopeOf(ctx),
		retentionInput(body.Months, body.NotStartedMonths, body.States))
	if err != nil {
		return nil, err
	}
	return gen.ReplaceRetention200JSONResponse{Body: retentionData(replaced)}, nil
}

// PreviewRetention implements POST /v1/retention/preview.
func (s *Server) PreviewRetention(
	ctx context.Context, request gen.PreviewRetentionRequestObject,
) (gen.PreviewRetentionResponseObject, error) {
	body := request.Body
	counted, err := s.store.PreviewRetention(ctx, scopeOf(ctx), given(body.AssessmentID),
		retentionInput(body.Months, body.NotStartedMonths, body.States))
	if err != nil {
		return nil, err
	}
	return gen.PreviewRetention200JSONResponse{Body: gen.RetentionPreviewData{Data: gen.RetentionPreview{
		Now: counted.Now, Soon: counted.Soon, Held: counted.Held, OldestEndedAt: wireOrNull(counted.OldestEndedAt),
		Limited: counted.Limited,
	}}}, nil
}

// RetrieveAssessmentRetention implements GET /v1/assessments/{id}/retention.
func (s *Server) RetrieveAssessmentRetention(
	ctx context.Context, request gen.RetrieveAssessmentRetentionRequestObject,
) (gen.RetrieveAssessmentRetentionResponseObject, error) {
	found, err := s.store.RetrieveAssessmentRetention(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveAssessmentRetention200JSONResponse{Body: retentionData(found)}, nil
}

// ReplaceAssessmentRetention implements PUT /v1/assessments/{id}/retention.
func (s *Server) ReplaceAssessmentRetention(
	ctx context.Context, request gen.ReplaceAssessmentRetentionRequestObject,
) (gen.ReplaceAssessmentRetentionResponseObject, error) {
	body := request.Body
	replaced, err := s.store.ReplaceAssessmentRetention(ctx, scopeOf(ctx), request.ID,
		retentionInput(body.Months, body.NotStartedMonths, body.States))
	if err != nil {
		return nil, err
	}
	return gen.ReplaceAssessmentRetention200JSONResponse{Body: retentionData(replaced)}, nil
}

// DeleteAssessmentRetention implements DELETE /v1/assessments/{id}/retention.
func (s *Server) DeleteAssessmentRetention(
	ctx context.Context, request gen.DeleteAssessmentRetentionRequestObject,
) (gen.DeleteAssessmentRetentionResponseObject, error) {
	if err := s.store.DeleteAssessmentRetention(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeleteAssessmentRetention204Response{}, nil
}

func retentionInput(
	months *int, notStarted nullable.Nullable[int], states []gen.RetentionStateInput,
) rules.Retention {
	return rules.Retention{
		Months: months, NotStartedMonths: given(notStarted),
		States: each(states, func(in gen.RetentionStateInput) rules.StateRetention {
			return rules.StateRetention{StateID: in.StateID, Months: in.Months}
		}),
	}
}

func retentionData(r store.Retention) gen.RetentionData {
	return gen.RetentionData{Data: gen.Retention{
		Months: r.Months, NotStartedMonths: r.NotStartedMonths, Inherited: r.Inherited,
		States: each(r.States, func(state rules.StateRetention) gen.RetentionState {
			return gen.RetentionState{StateID: state.StateID, Months: state.Months}
		}),
		AppliesFrom: wireOrNull(r.AppliesFrom), UpdatedAt: wireOrNull(r.UpdatedAt),
	}}
}
