package request

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/store"
)

// The security schemes of openapi.yaml. A credential of one scheme is never
// accepted for another.
const (
	bearerAuth    = "bearerAuth"
	apiKeyAuth    = "apiKeyAuth"
	candidateAuth = "candidateAuth"
)

// refreshTokenField is the field of a request body that contains a refresh token.
const refreshTokenField = "refreshToken"

var errNoCredential = &Fault{
	Status: http.StatusUnauthorized, Code: gen.ErrorCodeUnauthenticated,
	Detail: "The credential is missing, invalid, or no longer accepted.",
}

var errExpiredCredential = &Fault{
	Status: http.StatusUnauthorized, Code: gen.ErrorCodeTokenExpired, Detail: "The token has expired.",
}

// authenticate verifies the credential that the operation requires and returns
// its scope, which is empty for an operation that requires none.
func (p *Path) authenticate(o *Operation, r *http.Request, from store.Origin) (store.Scope, error) {
	switch o.security {
	case bearerAuth:
		token, ok := BearerToken(r)
		if !ok {
			return store.Scope{}, errNoCredential
		}
		return p.person(r, from, token)
	case candidateAuth:
		token, ok := BearerToken(r)
		if !ok {
			return store.Scope{}, errNoCredential
		}
		return p.store.UnscopedCandidate(r.Context(), token)
	case apiKeyAuth:
		keys := r.Header.Values("X-API-Key")
		if len(keys) != 1 {
			return store.Scope{}, errNoCredential
		}
		return p.store.UnscopedAPIKey(r.Context(), from, keys[0])
	default:
		return store.Scope{}, nil
	}
}

// person verifies an access token and checks that its login is still active. With
// errExpiredCredential, the scope has the login, for the rate limit.
func (p *Path) person(r *http.Request, from store.Origin, token string) (store.Scope, error) {
	claims, err := p.tokens.parse(accessKind, token)
	if err != nil {
		return store.Scope{LoginID: claims.SessionID}, credentialFault(err)
	}
	scope, err := p.store.UnscopedLogin(r.Context(), from, claims.SessionID)
	if err != nil {
		return store.Scope{}, err
	}
	if scope.UserID != claims.Subject || scope.OrganizationID != claims.OrganizationID {
		return store.Scope{}, errNoCredential
	}
	return scope, nil
}

func credentialFault(err error) *Fault {
	if errors.Is(err, errTokenExpired) {
		return errExpiredCredential
	}
	return errNoCredential
}

// BearerToken returns the token of the Authorization header (RFC 6750, section
// 2.1). Several headers are rejected, because proxies choose among them differently.
func BearerToken(r *http.Request) (string, bool) {
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return "", false
	}
	scheme, token, found := strings.Cut(headers[0], " ")
	return token, found && strings.EqualFold(scheme, "Bearer") && token != ""
}

// authorize checks the role or the scopes that the operation needs.
func (o *Operation) authorize(scope store.Scope) error {
	if len(o.roles) > 0 && !slices.Contains(o.roles, string(scope.Role)) {
		return &Fault{
			Status: http.StatusForbidden, Code: gen.ErrorCodeInsufficientRole,
			Detail: fmt.Sprintf("This needs the role %s.", strings.Join(o.roles, " or ")),
		}
	}
	if o.allAssessments && scope.IsLimited() {
		return &Fault{
			Status: http.StatusForbidden, Code: gen.ErrorCodeInsufficientRole,
			Detail: "This needs a person who sees all assessments.",
		}
	}
	has := func(accepted string) bool { return slices.Contains(scope.Scopes, accepted) }
	lacks := func(needed string) bool { return !has(needed) }
	if slices.ContainsFunc(o.scopes, lacks) {
		return lacksScope(strings.Join(slices.DeleteFunc(slices.Clone(o.scopes), has), " and "))
	}
	if len(o.oneOf) > 0 && !slices.ContainsFunc(o.oneOf, has) {
		return lacksScope(strings.Join(o.oneOf, " or "))
	}
	return nil
}

func lacksScope(needed string) *Fault {
	return &Fault{
		Status: http.StatusForbidden, Code: gen.ErrorCodeInsufficientScope,
		Detail: fmt.Sprintf("The API key lacks the scope %s.", needed),
	}
}

// checkSecondFactor refuses a person without the second factor that the organization or the operation needs.
func (p *Path) checkSecondFactor(ctx context.Context, o *Operation, scope store.Scope) error {
	if o.security != bearerAuth {
		return nil
	}
	return p.store.CheckSecondFactor(ctx, scope, o.ofAccount, o.recentFactor)
}

// checkAccess refuses a resource of an assessment that the caller does not see, like one that does not exist. The
// stores check the resources that requests name otherwise.
func (p *Path) checkAccess(c echo.Context, o *Operation, scope store.Scope) error {
	if id := c.Param("id"); id != "" && scope.IsLimited() {
		switch o.family {
		case "/v1/assessments":
			return p.store.CheckAssessmentAccess(scope, id)
		case "/v1/candidate-sessions":
			return p.store.CheckSessionAccess(c.Request().Context(), scope, id)
		}
	}
	return nil
}
