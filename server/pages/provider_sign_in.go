package pages

import (
	_ "embed" // for the texts
	"encoding/json"
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

//go:embed provider_sign_in.json
var providerSignInJSON []byte

// providerSignIn has the pages of the sign-in with an organization's OpenID Connect provider. A failure leads to the
// sign-in page with a code. The audit log of the organization and the log of the service have the reason.
type providerSignIn struct {
	*appSession

	cookie    string
	languages []pageTexts // those of the dashboard
}

// providerSignInPage is the data of the template.
type providerSignInPage struct {
	Texts     pageTexts
	Name      string // of the organization
	Languages []languageLink
}

const (
	providerCookieAge = 10 * 60 // seconds
	maxReturn         = 512     // bytes of the page to open after the sign-in
	maxCallbackValue  = 4096    // bytes of a value that the browser brings back
)

// providerSignInPolicy is pagePolicy for a page with a form. Browsers apply form-action also to where the response
// leads, which is a provider that leads on to any address. The page contains no other address.
const providerSignInPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

// The codes that the sign-in page gets, in addition to those of store.ProviderRefusal.
const (
	providerUnavailable = "provider_unavailable"
	providerFailed      = "provider_failed"
	providerExpired     = "sign_in_expired" // used, too old, or started by another browser
)

// registerProviderSignIn adds the pages.
func (a *appSession) registerProviderSignIn() error {
	p := &providerSignIn{appSession: a, cookie: "assay-provider"}
	if a.secure {
		p.cookie = "__Host-assay-provider"
	}
	if err := json.Unmarshal(providerSignInJSON, &p.languages); err != nil {
		return err
	}
	a.path.Page(store.ProviderStartPath, p.start)
	a.path.Form(store.ProviderStartPath, a.sameOriginOnly(p.start))
	a.path.Page(store.ProviderCallbackPath, p.callback)
	return nil
}

var isOrganizationID = regexp.MustCompile(`^org_[0-9a-z]{26}$`).MatchString

// start leads the browser to the provider. Another site, or a link in an email, could open this address and sign the
// visitor in to an organization of somebody else, who then reads what the visitor enters there. So only a page of this
// service starts a sign-in at once. Otherwise the visitor sees the name of the organization first.
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
	if !p.isSameOrigin(c.Request()) {
		return p.ask(c, organizationID)
	}
	client, err := p.store.UnscopedProviderClient(ctx, organizationID)
	if err != nil {
		return err
	}
	former, _ := p.login(c.Request()) // the callback does not get the cookie
	attempt, err := p.store.UnscopedBeginProviderSignIn(ctx, store.StartedSignIn{
		Client: client, ReturnTo: returnPath(query.Get("return")), FormerLogin: former.scope.LoginID,
	})
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

// ask shows a page with the name of the organization, and a button that sends the request again.
func (p *providerSignIn) ask(c echo.Context, organizationID string) error {
	name, err := p.store.UnscopedProviderOrganization(c.Request().Context(), organizationID)
	if err != nil {
		return err
	}
	texts := textsIn(p.languages, append([]string{c.QueryParam("lang")}, acceptedLanguages(c)...)...)
	header := c.Response().Header()
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Referrer-Policy", "same-origin") // without a referrer, the form's request has no Origin
	return showPage(c, providerSignInPolicy, "provider_sign_in.html", providerSignInPage{
		Texts: texts, Name: name, Languages: languageLinks(c, p.languages, texts),
	})
}

// callback completes a sign-in. The session's cookie is SameSite=Strict, and the browser comes from another site. So
// the page of the dashboard that opens next gets no cookie. It needs none: its own requests have it.
func (p *providerSignIn) callback(c echo.Context) error {
	ctx := c.Request().Context()
	query := c.QueryParams()
	secret := p.attempt(c)
	attempt := store.ProviderAttempt{State: query.Get("state"), Secret: secret}
	if p.opts.Providers == nil || secret == "" || attempt.State == "" || !isCallback(query) {
		return p.fail(c, providerExpired)
	}
	started, err := p.store.UnscopedTakeProviderSignIn(ctx, attempt)
	var refusal *store.Error
	switch {
	case errors.As(err, &refusal):
		return p.fail(c, providerExpired)
	case err != nil:
		return err
	}
	p.setAttempt(c, "", -1)

	client := started.Client
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
	if started.FormerLogin != "" {
		if err := p.store.UnscopedEndFormerLogin(ctx, request.ScopeOf(ctx).Origin, started.FormerLogin); err != nil {
			return err
		}
	}
	p.setCookie(c, signedIn.Login)
	return c.Redirect(http.StatusFound, "../.."+started.ReturnTo)
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

// setAttempt sets the cookie with the secret of an attempt. It is not SameSite=Strict, because the provider's page
// leads back here.
func (p *providerSignIn) setAttempt(c echo.Context, secret string, maxAge int) {
	c.SetCookie(&http.Cookie{ //nolint:gosec // a service without https cannot have Secure
		Name: p.cookie, Value: secret, MaxAge: maxAge, Path: "/",
		Secure: p.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
