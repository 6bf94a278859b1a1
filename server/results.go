package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"assay/gen"
	"assay/store"
)

// ExchangeResultToken implements GET /v1/public/results/{token}.
func (s *Server) ExchangeResultToken(
	ctx context.Context, request gen.ExchangeResultTokenRequestObject,
) (gen.ExchangeResultTokenResponseObject, error) {
	sessionID, err := s.resultSession(ctx, request.Token)
	if err != nil {
		return nil, err
	}
	result, err := s.store.RetrieveCandidateSessionResult(ctx, scopeOf(ctx), sessionID)
	if err != nil {
		return nil, hideSession(err)
	}
	return storedResult(result), nil
}

// RetrievePublicCandidateSessionResult implements GET /v1/public/candidate-sessions/{id}/result.
func (s *Server) RetrievePublicCandidateSessionResult(
	ctx context.Context, request gen.RetrievePublicCandidateSessionResultRequestObject,
) (gen.RetrievePublicCandidateSessionResultResponseObject, error) {
	result, err := s.store.RetrieveCandidateSessionResult(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return storedResult(result), nil
}

// CreateResultToken implements POST /v1/public/candidate-sessions/{id}/result-token.
func (s *Server) CreateResultToken(
	ctx context.Context, request gen.CreateResultTokenRequestObject,
) (gen.CreateResultTokenResponseObject, error) {
	scope := scopeOf(ctx)
	if err := s.store.CreateResultToken(ctx, scope, request.ID); err != nil {
		return nil, err
	}
	issuedAt := s.store.Now().Truncate(time.Second)
	return gen.CreateResultToken200JSONResponse{Body: gen.ResultTokenData{Data: gen.ResultToken{
		Token: s.resultToken(scope.OrganizationID, request.ID, issuedAt), ExpiresAt: store.WireTime(issuedAt.Add(resultKind.lifetime)),
	}}}, nil
}

// resultToken names a session and nothing else: no score, no personal data.
func (s *Server) resultToken(organizationID, sessionID string, issuedAt time.Time) string {
	return s.tokens.mint(resultKind, tokenClaims{Subject: sessionID, OrganizationID: organizationID, IssuedAt: issuedAt.Unix()})
}

var errResultNotFound = &fault{status: http.StatusNotFound, code: gen.ErrorCodeResultNotFound, detail: "There is no such result."}

// resultSession returns the session that a result token opens to the caller's
// organization. Another organization's token is like a forged one, even when it
// has expired.
func (s *Server) resultSession(ctx context.Context, token string) (string, error) {
	claims, err := s.tokens.parse(resultKind, token)
	if errors.Is(err, errTokenExpired) && claims.OrganizationID == scopeOf(ctx).OrganizationID {
		return "", &fault{status: http.StatusGone, code: gen.ErrorCodeResultTokenExpired, detail: "The result token has expired."}
	}
	if err != nil || claims.OrganizationID != scopeOf(ctx).OrganizationID {
		return "", errResultNotFound
	}
	return claims.Subject, nil
}

// hideSession answers for a token's session that is gone as for a forged token.
func hideSession(err error) error {
	var refusal *store.Error
	if errors.As(err, &refusal) {
		return errResultNotFound
	}
	return err
}

// storedResult is the stored document, which is sent unchanged. The store writes
// it in the contract's form, and every test that reads one compares it with
// openapi.yaml.
type storedResult json.RawMessage

// VisitExchangeResultTokenResponse implements gen.ExchangeResultTokenResponseObject.
func (r storedResult) VisitExchangeResultTokenResponse(w http.ResponseWriter) error {
	return r.write(w)
}

// VisitRetrieveCandidateSessionResultResponse implements gen.RetrieveCandidateSessionResultResponseObject.
func (r storedResult) VisitRetrieveCandidateSessionResultResponse(w http.ResponseWriter) error {
	return r.write(w)
}

// VisitRetrievePublicCandidateSessionResultResponse implements gen.RetrievePublicCandidateSessionResultResponseObject.
func (r storedResult) VisitRetrievePublicCandidateSessionResultResponse(w http.ResponseWriter) error {
	return r.write(w)
}

func (r storedResult) write(w http.ResponseWriter) error {
	body := make([]byte, 0, len(r)+len(`{"data":}`)+1)
	body = append(body, `{"data":`...)
	body = append(body, r...)
	body = append(body, "}\n"...)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, err := w.Write(body)
	return err
}
