package server

import (
	"context"
	"strconv"

	"assay/gen"
	"assay/server/request"
	"assay/store"
)

// BulkChangeReviewStates implements PUT /v1/candidate-sessions/review-states.
func (s *Server) BulkChangeReviewStates(
	ctx context.Context, request gen.BulkChangeReviewStatesRequestObject,
) (gen.BulkChangeReviewStatesResponseObject, error) {
	outcomes, err := s.store.BulkChangeReviewStates(ctx, scopeOf(ctx), bulkStateChange(ctx, request.Body))
	if err != nil {
		return nil, err
	}
	return gen.BulkChangeReviewStates200JSONResponse{Body: apiBulkStates(ctx, outcomes)}, nil
}

// BulkChangePublicReviewStates implements PUT /v1/public/candidate-sessions/review-states.
func (s *Server) BulkChangePublicReviewStates(
	ctx context.Context, request gen.BulkChangePublicReviewStatesRequestObject,
) (gen.BulkChangePublicReviewStatesResponseObject, error) {
	outcomes, err := s.store.BulkChangePublicReviewStates(ctx, scopeOf(ctx), bulkStateChange(ctx, request.Body))
	if err != nil {
		return nil, err
	}
	return gen.BulkChangePublicReviewStates200JSONResponse{Body: apiBulkStates(ctx, outcomes)}, nil
}

func bulkStateChange(ctx context.Context, body *gen.ReviewStateBulk) store.BulkStateChange {
	change := store.BulkStateChange{
		StateID: body.StateID, Reason: body.Reason, Email: storeReviewEmail(body.Email),
		Rows: make([]*store.BulkStateRow, len(body.Rows)),
	}
	for i, row := range body.Rows {
		if request.WrongItem(ctx, i) == nil {
			change.Rows[i] = &store.BulkStateRow{SessionID: row.SessionID, From: row.From}
		}
	}
	return change
}

func apiBulkStates(ctx context.Context, outcomes []store.BulkStateOutcome) gen.ReviewStateBulkResultData {
	result := gen.ReviewStateBulkResult{Rows: make([]gen.ReviewStateBulkRow, 0, len(outcomes))}
	for i, outcome := range outcomes {
		row := gen.ReviewStateBulkRow{Index: i, Outcome: gen.ReviewStateBulkOutcomeUNCHANGED}
		wrong := request.WrongItem(ctx, i)
		switch {
		case wrong != nil:
			row.Error = wrong
		case outcome.Refusal != nil:
			row.Error = new(request.RefusedItem(outcome.Refusal, "/rows/"+strconv.Itoa(i)))
		case outcome.Changed:
			row.Outcome = gen.ReviewStateBulkOutcomeCHANGED
			result.ChangedCount++
		default:
			result.UnchangedCount++
		}
		if row.Error != nil {
			row.Outcome = gen.ReviewStateBulkOutcomeFAILED
			result.FailedCount++
		}
		if outcome.Planned {
			result.EmailBatchID = &outcome.Email.BatchID
		}
		row.Email = apiReviewEmail(outcome.Email)
		result.Rows = append(result.Rows, row)
	}
	return gen.ReviewStateBulkResultData{Data: result}
}
