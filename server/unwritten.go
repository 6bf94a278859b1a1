package server

import (
	"context"

	"assay/gen"
)

// CompleteSignIn is not written yet.
func (s *Server) CompleteSignIn(
	context.Context, gen.CompleteSignInRequestObject,
) (gen.CompleteSignInResponseObject, error) {
	panic("not written")
}

// CreatePasskeyOptions is not written yet.
func (s *Server) CreatePasskeyOptions(
	context.Context, gen.CreatePasskeyOptionsRequestObject,
) (gen.CreatePasskeyOptionsResponseObject, error) {
	panic("not written")
}

// RetrieveSecondFactors is not written yet.
func (s *Server) RetrieveSecondFactors(
	context.Context, gen.RetrieveSecondFactorsRequestObject,
) (gen.RetrieveSecondFactorsResponseObject, error) {
	panic("not written")
}

// CreateSecondFactor is not written yet.
func (s *Server) CreateSecondFactor(
	context.Context, gen.CreateSecondFactorRequestObject,
) (gen.CreateSecondFactorResponseObject, error) {
	panic("not written")
}

// DeleteSecondFactor is not written yet.
func (s *Server) DeleteSecondFactor(
	context.Context, gen.DeleteSecondFactorRequestObject,
) (gen.DeleteSecondFactorResponseObject, error) {
	panic("not written")
}

// ConfirmSecondFactor is not written yet.
func (s *Server) ConfirmSecondFactor(
	context.Context, gen.ConfirmSecondFactorRequestObject,
) (gen.ConfirmSecondFactorResponseObject, error) {
	panic("not written")
}

// CreateRecoveryCodes is not written yet.
func (s *Server) CreateRecoveryCodes(
	context.Context, gen.CreateRecoveryCodesRequestObject,
) (gen.CreateRecoveryCodesResponseObject, error) {
	panic("not written")
}

// Reauthenticate is not written yet.
func (s *Server) Reauthenticate(
	context.Context, gen.ReauthenticateRequestObject,
) (gen.ReauthenticateResponseObject, error) {
	panic("not written")
}

// CreateReauthenticationOptions is not written yet.
func (s *Server) CreateReauthenticationOptions(
	context.Context, gen.CreateReauthenticationOptionsRequestObject,
) (gen.CreateReauthenticationOptionsResponseObject, error) {
	panic("not written")
}
