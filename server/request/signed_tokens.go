package request

import (
	"context"
	"errors"
	"net/http"
	"time"

	"assay/gen"
	"assay/store"
)

// AccessToken returns the access token of a login. This and RefreshToken depend on the
// login alone, so a repeated refresh gets the same bytes as the first one. The generation
// makes the tokens of each refresh new, also within the same second.
func (p *Path) AccessToken(login store.Login) string {
	return p.tokens.mint(accessKind, loginClaims(login))
}

// RefreshToken returns the refresh token of a login.
func (p *Path) RefreshToken(login store.Login) string {
	return p.tokens.mint(refreshKind, loginClaims(login))
}

func loginClaims(login store.Login) tokenClaims {
	return tokenClaims{
		Subject: login.UserID, OrganizationID: login.OrganizationID, SessionID: login.ID, Generation: login.Generation,
		IssuedAt: login.RotatedAt.Unix(), ExpiresAt: login.ExpiresAt.Unix(),
	}
}

// LoginOf verifies a refresh token. It returns the scope of its login, and its generation. It errs with a 401.
func (p *Path) LoginOf(ctx context.Context, refreshToken string) (scope store.Scope, generation int64, err error) {
	claims, err := p.tokens.parse(refreshKind, refreshToken)
	if err != nil {
		return store.Scope{}, 0, credentialFault(err)
	}
	return store.Scope{
		OrganizationID: claims.OrganizationID, UserID: claims.Subject, LoginID: claims.SessionID, Origin: ScopeOf(ctx).Origin,
	}, claims.Generation, nil
}

// GenerationOf verifies a refresh token of the request's login, and returns its generation. Any other token gets 400,
// and not 401: clients would take that for the end of their access token.
func (p *Path) GenerationOf(ctx context.Context, refreshToken string) (int64, error) {
	scope, generation, err := p.LoginOf(ctx, refreshToken)
	if err != nil || scope.LoginID != ScopeOf(ctx).LoginID {
		return 0, Invalid("/"+refreshTokenField, gen.FieldErrorCodeInvalidValue, "is not the refresh token of this sign-in")
	}
	return generation, nil
}

// ResultToken signs a token that permits reading one result.
func (p *Path) ResultToken(token store.ResultToken) (signed string, expiresAt time.Time) {
	return p.tokens.mint(resultKind, tokenClaims{
		Subject: token.SessionID, OrganizationID: token.OrganizationID, IssuedAt: token.IssuedAt.Unix(),
	}), token.IssuedAt.Add(resultKind.lifetime)
}

// ParseResultToken returns the content of a signed token. Another organization's
// token gets the same answer as a forged one, even when it has expired.
func (p *Path) ParseResultToken(ctx context.Context, signed string) (store.ResultToken, error) {
	claims, err := p.tokens.parse(resultKind, signed)
	if errors.Is(err, errTokenExpired) && claims.OrganizationID == ScopeOf(ctx).OrganizationID {
		return store.ResultToken{},
			&Fault{Status: http.StatusGone, Code: gen.ErrorCodeResultTokenExpired, Detail: "The result token has expired."}
	}
	if err != nil {
		return store.ResultToken{},
			&Fault{Status: http.StatusNotFound, Code: gen.ErrorCodeResultNotFound, Detail: "There is no such result."}
	}
	return store.ResultToken{OrganizationID: claims.OrganizationID, SessionID: claims.Subject}, nil
}
