package server

import (
	"context"
	"strconv"

	"github.com/oapi-codegen/nullable"

	"assay/gen"
	"assay/store"
)

// BulkCreatePublicCandidateSessions implements POST /v1/public/candidate-sessions/bulk.
func (s *Server) BulkCreatePublicCandidateSessions(
	ctx context.Context, request gen.BulkCreatePublicCandidateSessionsRequestObject,
) (gen.BulkCreatePublicCandidateSessionsResponseObject, error) {
	wrong := requestOf(ctx).wrongItems
	invites := make([]*store.Invite, len(request.Body.Rows))
	for i := range request.Body.Rows {
		if wrong[i] == nil {
			invite := storeInvite(&request.Body.Rows[i])
			invites[i] = &invite
		}
	}

	rows, err := s.store.BulkCreatePublicCandidateSessions(ctx, scopeOf(ctx), invites)
	if err != nil {
		return nil, err
	}

	result := gen.BulkResult{Rows: make([]gen.BulkRow, 0, len(rows))}
	for i, row := range rows {
		shown := s.apiBulkRow(ctx, i, row, wrong[i])
		switch shown.Outcome {
		case gen.BulkOutcomeCREATED:
			result.CreatedCount++
		case gen.BulkOutcomeEXISTING:
			result.ExistingCount++
		case gen.BulkOutcomeFAILED:
			result.FailedCount++
		}
		result.Rows = append(result.Rows, shown)
	}
	return gen.BulkCreatePublicCandidateSessions200JSONResponse{Body: gen.BulkResultData{Data: result}}, nil
}

func (s *Server) apiBulkRow(ctx context.Context, i int, row store.BulkRow, wrong []gen.FieldError) gen.BulkRow {
	shown := gen.BulkRow{
		Index: i, Outcome: gen.BulkOutcomeFAILED,
		Session: nullable.NewNullNullable[gen.CandidateSession](), Error: nullable.NewNullNullable[gen.BulkError](),
	}
	switch {
	case row.Session != nil:
		shown.Outcome = gen.BulkOutcomeEXISTING
		if row.Created {
			shown.Outcome = gen.BulkOutcomeCREATED
		}
		shown.Session = nullable.NewNullableWithValue(s.apiSession(ctx, *row.Session))
	case row.Refusal != nil:
		shown.Error = nullable.NewNullableWithValue(bulkError(row.Refusal, i))
	default:
		broken := invalidRequest(wrong...)
		shown.Error = nullable.NewNullableWithValue(gen.BulkError{Code: broken.code, Detail: broken.detail, Errors: wrong})
	}
	return shown
}

func bulkError(refusal *store.Error, i int) gen.BulkError {
	fields := fieldErrors(refusal, "/rows/"+strconv.Itoa(i))
	if fields == nil {
		fields = []gen.FieldError{}
	}
	return gen.BulkError{Code: gen.ErrorCode(refusal.Code), Detail: refusal.Detail, Errors: fields}
}
