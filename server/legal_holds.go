package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListLegalHolds implements GET /v1/legal-holds.
func (s *Server) ListLegalHolds(
	ctx context.Context, request gen.ListLegalHoldsRequestObject,
) (gen.ListLegalHoldsResponseObject, error) {
	params := request.Params
	found, more, err := s.store.ListLegalHolds(ctx, scopeOf(ctx), store.LegalHoldFilter{
		AssessmentID: orZero(params.AssessmentID), SessionID: orZero(params.SessionID),
	}, page(params.Limit, params.After))
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, found, more, func(h store.LegalHold) string { return h.ID })
	return gen.ListLegalHolds200JSONResponse{
		Headers: gen.ListLegalHolds200ResponseHeaders{Link: next},
		Body:    gen.LegalHoldList{Data: each(found, apiLegalHold)},
	}, nil
}

// CreateLegalHold implements POST /v1/legal-holds.
func (s *Server) CreateLegalHold(
	ctx context.Context, request gen.CreateLegalHoldRequestObject,
) (gen.CreateLegalHoldResponseObject, error) {
	created, err := s.store.CreateLegalHold(ctx, scopeOf(ctx), store.NewLegalHold{
		AssessmentID: given(request.Body.AssessmentID), SessionID: given(request.Body.SessionID),
		Reason: request.Body.Reason,
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateLegalHold201JSONResponse{
		Headers: gen.CreateLegalHold201ResponseHeaders{Location: "/v1/legal-holds/" + created.ID},
		Body:    gen.LegalHoldData{Data: apiLegalHold(created)},
	}, nil
}

// RetrieveLegalHold implements GET /v1/legal-holds/{id}.
func (s *Server) RetrieveLegalHold(
	ctx context.Context, request gen.RetrieveLegalHoldRequestObject,
) (gen.RetrieveLegalHoldResponseObject, error) {
	found, err := s.store.RetrieveLegalHold(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveLegalHold200JSONResponse{Body: gen.LegalHoldData{Data: apiLegalHold(found)}}, nil
}

// DeleteLegalHold implements DELETE /v1/legal-holds/{id}.
func (s *Server) DeleteLegalHold(
	ctx context.Context, request gen.DeleteLegalHoldRequestObject,
) (gen.DeleteLegalHoldResponseObject, error) {
	if err := s.store.DeleteLegalHold(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeleteLegalHold204Response{}, nil
}

func apiLegalHold(h store.LegalHold) gen.LegalHold {
	return gen.LegalHold{
		ID: h.ID, AssessmentID: h.AssessmentID, AssessmentTitle: h.AssessmentTitle, SessionID: h.SessionID,
		CandidateName: h.CandidateName, Reason: h.Reason,
		CreatedBy: gen.LegalHoldAuthor{ID: h.CreatedByID, Name: h.CreatedByName}, CreatedAt: timestamp(h.CreatedAt),
	}
}
