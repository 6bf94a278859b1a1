package server

import (
	"context"
	"encoding/json"
	"net/http"

	"assay/gen"
	"assay/server/request"
	"assay/store"
)

// ExchangeResultToken implements GET /v1/public/results/{token}.
func (s *Server) ExchangeResultToken(
	ctx context.Context, request gen.ExchangeResultTokenRequestObject,
) (gen.ExchangeResultTokenResponseObject, error) {
	token, err := s.path.ParseResultToken(ctx, request.Token)
	if err != nil {
		return nil, err
	}
	result, err := s.store.ExchangeResultToken(ctx, scopeOf(ctx), token)
	if err != nil {
		return nil, err
	}
	return storedDocument{result, request.Params.IfNoneMatch}, nil
}

// RetrievePublicCandidateSessionResult implements GET /v1/public/candidate-sessions/{id}/result.
func (s *Server) RetrievePublicCandidateSessionResult(
	ctx context.Context, request gen.RetrievePublicCandidateSessionResultRequestObject,
) (gen.RetrievePublicCandidateSessionResultResponseObject, error) {
	result, err := s.store.RetrievePublicCandidateSessionResult(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return storedDocument{result, request.Params.IfNoneMatch}, nil
}

// RetrieveResults implements POST /v1/results/batch.
func (s *Server) RetrieveResults(
	ctx context.Context, request gen.RetrieveResultsRequestObject,
) (gen.RetrieveResultsResponseObject, error) {
	rows, err := s.store.RetrieveResults(ctx, scopeOf(ctx), request.Body.SessionIds)
	if err != nil {
		return nil, err
	}
	return storedResults(rows), nil
}

// storedResults are stored documents, which are sent unchanged.
type storedResults []store.ResultRow

// VisitRetrieveResultsResponse implements gen.RetrieveResultsResponseObject.
func (rows storedResults) VisitRetrieveResultsResponse(w http.ResponseWriter) error {
	type row struct {
		SessionID string          `json:"sessionId"`
		Result    json.RawMessage `json:"result"`
		Error     *gen.BulkError  `json:"error"`
	}
	shown := each(rows, func(result store.ResultRow) row {
		if result.Refusal == nil {
			return row{SessionID: result.SessionID, Result: result.Result.Data()}
		}
		refusal := request.RefusedItem(result.Refusal, "")
		return row{SessionID: result.SessionID, Error: &refusal}
	})
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(map[string]any{"data": shown})
}

// CreateResultToken implements POST /v1/public/candidate-sessions/{id}/result-token.
func (s *Server) CreateResultToken(
	ctx context.Context, request gen.CreateResultTokenRequestObject,
) (gen.CreateResultTokenResponseObject, error) {
	token, err := s.store.CreateResultToken(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	signed, expiresAt := s.path.ResultToken(token)
	return gen.CreateResultToken200JSONResponse{Body: gen.ResultTokenData{Data: gen.ResultToken{
		Token: signed, ExpiresAt: store.WireTime(expiresAt),
	}}}, nil
}
