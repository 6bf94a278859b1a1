package pages

import (
	"errors"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/server/openid"
	"assay/server/request"
	"assay/store"
)

// providerSignIn has the pages of the sign-in with an organization's OpenID Connect provider. A failure leads to the
// sign-in page with a code. The audit log of the organization and the log of the service have the reason.
type providerSignIn struct {
	*appSession

	cookie string
}

const (
	providerCookieAge = 10 * 60 // seconds
	maxReturn         = 512     // bytes of the page to open after the sign-in
	maxCallbackValue  = 4096    // bytes of a value that the browser brings back
)

// The codes that the sign-in page gets, in addition to those of store.ProviderRefusal.
const (
	providerUnavailable = "provider_unavailable"
	providerFailed      = "provider_failed"
	providerExpired     = "sign_in_expired" // used, too old, or started by another browser
)

// registerProviderSignIn adds the pages.
func (a *appSession) registerProviderSignIn() {
	p := &providerSignIn{appSession: a, cookie: "assay-provider"}
	if a.secure {
		p.cookie = "__Host-assay-provider"
	}
	a.path.Page(store.ProviderStartPath, p.start)
	a.path.Page(store.ProviderCallbackPath, p.callback)
}

var isOrganizationID = regexp.MustCompile(`^org_[0-9a-z]{26}$`).MatchString

// start leads the browser to the provider.
func (p *providerSignIn) start(c echo.Context) error {
	ctx := c.Request().Context()
	query := c.QueryParams()
	if p.opts.Providers == nil {
		return p.fail(c, providerUnavailable)
	}
	organizationID := query.Get("organization")
	if !isOrganizationID(organizationID) {
		return echo.ErrNotFound
	}
	from := request.ScopeOf(ctx).Origin
	client, err := p.store.UnscopedProviderClient(ctx, from, organizationID)
	if err != nil {
		return err
	}
	attempt, err := p.store.UnscopedBeginProviderSignIn(ctx, client, returnPath(query.Get("return")))
	if err != nil {
		return err
	}
	address, err := p.opts.Providers.AuthorizationURL(ctx, client, p.store.ProviderCallbackURL(), attempt)
	if err != nil {
		return p.refuse(c, client, providerUnavailable, err)
	}
	p.setAttempt(c, attempt.Secret, providerCookieAge)
	return c.Redirect(http.StatusFound, address)
}

// callback completes a sign-in. The session's cookie is SameSite=Strict, and the browser comes from another site. So the
// page of the dashboard that opens next gets no cookie. It needs none: its own requests have it.
func (p *providerSignIn) callback(c echo.Context) error {
	ctx := c.Request().Context()
	query := c.QueryParams()
	secret := p.attempt(c)
	attempt := store.ProviderAttempt{State: query.Get("state"), Secret: secret}
	if p.opts.Providers == nil || secret == "" || attempt.State == "" || !isCallback(query) {
		return p.fail(c, providerExpired)
	}
	client, returnTo, err := p.store.UnscopedTakeProviderSignIn(ctx, attempt)
	var refusal *store.Error
	switch {
	case errors.As(err, &refusal):
		return p.fail(c, providerExpired)
	case err != nil:
		return err
	}
	p.setAttempt(c, "", -1)

	person, err := p.opts.Providers.Identify(ctx, client, p.store.ProviderCallbackURL(), attempt,
		openid.Callback{Code: query.Get("code"), Issuer: query.Get("iss"), Error: query.Get("error")})
	switch {
	case errors.Is(err, openid.ErrUnavailable):
		return p.refuse(c, client, providerUnavailable, err)
	case err != nil:
		return p.refuse(c, client, providerFailed, err)
	}
	signedIn, err := p.store.UnscopedProviderSignIn(ctx, request.ScopeOf(ctx).Origin, client, person)
	var reason store.ProviderRefusal
	switch {
	case errors.As(err, &reason):
		return p.refuse(c, client, string(reason), err)
	case err != nil:
		return err
	}
	p.setCookie(c, signedIn.Login)
	return c.Redirect(http.StatusFound, "../.."+returnTo)
}

// isCallback reports whether the values that the browser brings back can be those of a provider. A repeated value could
// be read differently elsewhere (RFC 6749, section 3.1).
func isCallback(query url.Values) bool {
	for _, name := range []string{"state", "code", "iss", "error"} {
		if len(query[name]) > 1 || len(query.Get(name)) > maxCallbackValue {
			return false
		}
	}
	return true
}

// refuse records why a sign-in failed.
func (p *providerSignIn) refuse(c echo.Context, client store.ProviderClient, code string, cause error) error {
	ctx := c.Request().Context()
	p.opts.Log.WarnContext(ctx, "sign-in with a provider failed", "organization", client.OrganizationID, "reason", code,
		"error", cause.Error())
	if err := p.store.UnscopedProviderSignInFailed(
		ctx, request.ScopeOf(ctx).Origin, client.OrganizationID, code); err != nil {
		return err
	}
	return p.fail(c, code)
}

func (p *providerSignIn) fail(c echo.Context, code string) error {
	return c.Redirect(http.StatusFound, "../.."+appPath+"/sign-in?error="+code)
}

// returnPath returns the page of the dashboard to open after the sign-in. Any other address becomes the first page.
func returnPath(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || len(address) > maxReturn || parsed.IsAbs() || parsed.Host != "" || parsed.User != nil ||
		strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '\\' || r == '#' }) ||
		path.Clean(parsed.Path) != parsed.Path || parsed.RawPath != "" ||
		parsed.Path != appPath && !strings.HasPrefix(parsed.Path, appPath+"/") {
		return appPath
	}
	return address
}

// attempt returns the secret of the browser, or "". Several cookies with the name are as none.
func (p *providerSignIn) attempt(c echo.Context) string {
	cookies := c.Request().CookiesNamed(p.cookie)
	if len(cookies) != 1 || len(cookies[0].Value) > maxCallbackValue {
		return ""
	}
	return cookies[0].Value
}

// setAttempt sets the cookie with the secret of an attempt. It is not SameSite=Strict, because the provider's page leads
// back here.
func (p *providerSignIn) setAttempt(c echo.Context, secret string, maxAge int) {
	c.SetCookie(&http.Cookie{ //nolint:gosec // a service without https cannot have Secure
		Name: p.cookie, Value: secret, MaxAge: maxAge, Path: "/",
		Secure: p.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
