package server

import (
	"context"
	"strconv"

	"assay/gen"
	"assay/server/request"
	"assay/store"
)

// BulkCreateCandidateSessions implements POST /v1/candidate-sessions/bulk.
func (s *Server) BulkCreateCandidateSessions(
	ctx context.Context, request gen.BulkCreateCandidateSessionsRequestObject,
) (gen.BulkCreateCandidateSessionsResponseObject, error) {
	rows, err := s.store.BulkCreateCandidateSessions(ctx, scopeOf(ctx), bulkInvite(ctx, request.Body))
	if err != nil {
		return nil, err
	}
	return gen.BulkCreateCandidateSessions200JSONResponse{Body: s.apiBulkResult(ctx, request.Body, rows)}, nil
}

// BulkCreatePublicCandidateSessions implements POST /v1/public/candidate-sessions/bulk.
func (s *Server) BulkCreatePublicCandidateSessions(
	ctx context.Context, request gen.BulkCreatePublicCandidateSessionsRequestObject,
) (gen.BulkCreatePublicCandidateSessionsResponseObject, error) {
	rows, err := s.store.BulkCreatePublicCandidateSessions(ctx, scopeOf(ctx), bulkInvite(ctx, request.Body))
	if err != nil {
		return nil, err
	}
	return gen.BulkCreatePublicCandidateSessions200JSONResponse{Body: s.apiBulkResult(ctx, request.Body, rows)}, nil
}

func bulkInvite(ctx context.Context, body *gen.CandidateSessionBulk) store.BulkInvite {
	invites := make([]*store.Invite, len(body.Rows))
	for i := range body.Rows {
		if request.WrongItem(ctx, i) == nil {
			invite := storeInvite(&body.Rows[i])
			invites[i] = &invite
		}
	}
	return store.BulkInvite{Invites: invites, DryRun: orZero(body.DryRun)}
}

func (s *Server) apiBulkResult(
	ctx context.Context, body *gen.CandidateSessionBulk, rows []store.BulkRow,
) gen.BulkResultData {
	result := gen.BulkResult{DryRun: orZero(body.DryRun), Rows: make([]gen.BulkRow, 0, len(rows))}
	for i, row := range rows {
		shown := s.apiBulkRow(ctx, i, row)
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
	return gen.BulkResultData{Data: result}
}

func (s *Server) apiBulkRow(ctx context.Context, i int, row store.BulkRow) gen.BulkRow {
	shown := gen.BulkRow{Index: i, Outcome: gen.BulkOutcomeFAILED}
	switch {
	case row.Created || row.Existing:
		shown.Outcome = gen.BulkOutcomeEXISTING
		if row.Created {
			shown.Outcome = gen.BulkOutcomeCREATED
		}
		if row.Session != nil { // a dry run creates none
			shown.Session = new(gen.BulkSession(s.apiSession(ctx, *row.Session)))
		}
	case row.Refusal != nil:
		shown.Error = new(request.RefusedItem(row.Refusal, "/rows/"+strconv.Itoa(i)))
	default:
		shown.Error = request.WrongItem(ctx, i)
	}
	return shown
}
