package server

import (
	"context"

	"assay/gen"
	"assay/server/pages"
	"assay/store"
)

// RetrieveSecondFactors implements GET /v1/me/second-factors.
func (s *Server) RetrieveSecondFactors(
	ctx context.Context, _ gen.RetrieveSecondFactorsRequestObject,
) (gen.RetrieveSecondFactorsResponseObject, error) {
	found, err := s.store.RetrieveSecondFactors(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.RetrieveSecondFactors200JSONResponse{Body: gen.SecondFactorsData{Data: gen.SecondFactors{
		Factors: each(found.Factors, apiSecondFactor), RecoveryCodesLeft: found.RecoveryCodesLeft,
	}}}, nil
}

// CreateSecondFactor implements POST /v1/me/second-factors.
func (s *Server) CreateSecondFactor(
	ctx context.Context, request gen.CreateSecondFactorRequestObject,
) (gen.CreateSecondFactorResponseObject, error) {
	added, err := s.store.CreateSecondFactor(ctx, scopeOf(ctx), store.FactorInput{
		Type: store.FactorType(request.Body.Type), Name: request.Body.Name, Password: request.Body.Password,
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateSecondFactor200JSONResponse{Body: gen.StartedSecondFactorData{Data: gen.StartedSecondFactor{
		ID: added.ID, Type: string(added.Type), Secret: nullIfEmpty(added.Secret), URI: nullIfEmpty(added.URI),
		PublicKey: nullIfEmpty(added.PublicKey), ExpiresAt: store.WireTime(added.ExpiresAt),
	}}}, nil
}

// ConfirmSecondFactor implements POST /v1/me/second-factors/{id}/confirm.
func (s *Server) ConfirmSecondFactor(
	ctx context.Context, request gen.ConfirmSecondFactorRequestObject,
) (gen.ConfirmSecondFactorResponseObject, error) {
	confirmed, err := s.store.ConfirmSecondFactor(ctx, scopeOf(ctx), request.ID,
		pages.Proof(request.Body.Code, request.Body.Passkey))
	if err != nil {
		return nil, err
	}
	out := gen.ConfirmedSecondFactor{Factor: apiSecondFactor(confirmed.Factor)}
	if confirmed.RecoveryCodes != nil {
		out.RecoveryCodes = &confirmed.RecoveryCodes
	}
	return gen.ConfirmSecondFactor200JSONResponse{Body: gen.ConfirmedSecondFactorData{Data: out}}, nil
}

// DeleteSecondFactor implements DELETE /v1/me/second-factors/{id}.
func (s *Server) DeleteSecondFactor(
	ctx context.Context, request gen.DeleteSecondFactorRequestObject,
) (gen.DeleteSecondFactorResponseObject, error) {
	if err := s.store.DeleteSecondFactor(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeleteSecondFactor204Response{}, nil
}

// CreateRecoveryCodes implements POST /v1/me/recovery-codes.
func (s *Server) CreateRecoveryCodes(
	ctx context.Context, _ gen.CreateRecoveryCodesRequestObject,
) (gen.CreateRecoveryCodesResponseObject, error) {
	codes, err := s.store.CreateRecoveryCodes(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.CreateRecoveryCodes200JSONResponse{
		Body: gen.RecoveryCodesData{Data: gen.RecoveryCodes{Codes: codes}},
	}, nil
}

func apiSecondFactor(factor store.SecondFactor) gen.SecondFactor {
	return gen.SecondFactor{
		ID: factor.ID, Type: string(factor.Type), Name: factor.Name, CreatedAt: timestamp(factor.CreatedAt),
		LastUsedAt: timeOrNull(factor.LastUsedAt),
	}
}
