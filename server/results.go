package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/oapi-codegen/nullable"

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
	return gen.ExchangeResultToken200JSONResponse{Body: apiResult(result)}, nil
}

// RetrievePublicCandidateSessionResult implements GET /v1/public/candidate-sessions/{id}/result.
func (s *Server) RetrievePublicCandidateSessionResult(
	ctx context.Context, request gen.RetrievePublicCandidateSessionResultRequestObject,
) (gen.RetrievePublicCandidateSessionResultResponseObject, error) {
	result, err := s.store.RetrieveCandidateSessionResult(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrievePublicCandidateSessionResult200JSONResponse{Body: apiResult(result)}, nil
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

func apiResult(r store.Result) gen.ResultData {
	return gen.ResultData{Data: gen.Result{
		SessionID:  r.SessionID,
		Assessment: gen.ResultAssessment{ID: r.Assessment.ID, Title: r.Assessment.Title},
		Candidate:  gen.Candidate{Name: r.Candidate.Name, Email: r.Candidate.Email},
		ExternalID: orNull(r.ExternalID), Metadata: r.Metadata, Status: gen.SessionStatus(r.Status),
		Score: r.Score, Points: r.Points, MaxPoints: r.MaxPoints, PassingScore: orNull(r.PassingScore),
		Passed: orNull(r.Passed), Percentile: orNull(r.Percentile), Stages: each(r.Stages, apiResultStage),
		Disqualification: apiDisqualification(r.Disqualification),
		StartedAt:        store.WireTime(time.Time(r.StartedAt)), CompletedAt: store.WireTime(time.Time(r.CompletedAt)),
		DurationSeconds: r.DurationSeconds, CloseReason: gen.CloseReason(r.CloseReason),
	}}
}

func apiResultStage(stage store.ResultStage) gen.ResultStage {
	gate := nullable.NewNullNullable[gen.ResultGate]()
	if stage.Gate != nil {
		gate = nullable.NewNullableWithValue(gen.ResultGate{
			Required: stage.Gate.Required, MinScore: stage.Gate.MinScore, Passed: orNull(stage.Gate.Passed),
		})
	}
	return gen.ResultStage{
		ID: stage.ID, Order: stage.Order, Title: stage.Title, Status: gen.StageStatus(stage.Status),
		Score: orNull(stage.Score), Points: orNull(stage.Points), MaxPoints: stage.MaxPoints, Gate: gate,
		DurationSeconds: orNull(stage.DurationSeconds),
		Questions: each(stage.Questions, func(q store.ResultQuestion) gen.ResultQuestion {
			return gen.ResultQuestion{
				ID: q.ID, Prompt: q.Prompt, Answer: apiAnswer(q.Answer), Correct: q.Correct, Points: q.Points, MaxPoints: q.MaxPoints,
			}
		}),
	}
}

func apiDisqualification(d *store.Disqualification) nullable.Nullable[gen.Disqualification] {
	if d == nil {
		return nullable.NewNullNullable[gen.Disqualification]()
	}
	return nullable.NewNullableWithValue(gen.Disqualification{
		StageID: d.StageID, StageTitle: d.StageTitle, Score: d.Score, MinScore: d.MinScore, At: store.WireTime(time.Time(d.At)),
	})
}
