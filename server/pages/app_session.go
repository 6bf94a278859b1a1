package pages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/server/request"
	"assay/store"
)

// SessionPath is the address of the dashboard's sign-in. POST signs in, PUT returns an
// access token for the cookie, and DELETE signs out. The cookie contains the refresh token,
// which is in no body, so no script can read it.
const SessionPath = "/app/session"

// demoSignInPath is the address of a link that signs in to the demo. No other service has it.
const demoSignInPath = "/demo/sign-in"

// appSession has the handlers of SessionPath. They check requests as the operations of
// the contract do, and call the same methods of the store.
type appSession struct {
	*site

	kinds      map[string]*request.Operation // the operations that POST replaces, by the field "type" of its body
	kind       *request.Operation            // checks the field "type"
	cookieName string
	secure     bool     // only https sends the cookie
	base       *url.URL // of the service
}

var errCrossOrigin = &request.Fault{
	Status: http.StatusForbidden, Code: gen.ErrorCodeCrossOriginRequest,
	Detail: "Only a page of this service can send this request.",
}

// registerAppSession adds the dashboard's sign-in.
func (s *site) registerAppSession() error {
	base, err := url.Parse(s.opts.BaseURL)
	if err != nil {
		return fmt.Errorf("the base URL: %w", err)
	}
	a := &appSession{site: s, base: base, kinds: map[string]*request.Operation{}}

	// A browser accepts the prefix __Host- only with Secure and the path /, and then no other
	// host can set the cookie (RFC 6265bis, section 4.1.3.2).
	a.cookieName, a.secure = "assay", base.Scheme == "https"
	if a.secure {
		a.cookieName = "__Host-assay"
	}

	ids := map[string]string{
		"login": "login", "register": "register", "invitation": "acceptInvitation", "reset": "resetPassword",
		"second-factor": "completeSignIn",
		"switch":        "switchOrganization",
	}
	var maxBody int64
	for name, id := range ids {
		if a.kinds[name], err = s.path.Operation(id); err != nil {
			return err
		}
		if name != "switch" { // its body is small, but its operation permits more
			maxBody = max(maxBody, a.kinds[name].MaxBody())
		}
	}
	a.kinds["switch"] = a.kinds["switch"].WithTokenInCookie()
	names := openapi3.NewStringSchema()
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		names.Enum = append(names.Enum, name)
	}
	a.kind = request.NewOperation(maxBody,
		openapi3.NewObjectSchema().WithProperty("type", names).WithRequired([]string{"type"}))

	s.path.Add(a.sameOriginOnly(a.signIn), SessionPath, http.MethodPost)
	s.path.Add(a.sameOriginOnly(a.refresh), SessionPath, http.MethodPut)
	s.path.Add(a.sameOriginOnly(a.signOut), SessionPath, http.MethodDelete)
	if err := a.registerProviderSignIn(); err != nil {
		return err
	}
	if s.opts.DemoSignIn != nil {
		s.path.Page(demoSignInPath, a.demoSignIn)
	}
	return nil
}

// sameOriginOnly refuses requests that another site could have caused.
func (a *appSession) sameOriginOnly(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !a.isSameOrigin(c.Request()) {
			if err := a.path.CountAnonymous(c); err != nil {
				return err
			}
			return errCrossOrigin
		}
		return next(c)
	}
}

// isSameOrigin reports whether a page of this service has sent the request. Browsers set
// both headers, and no script can. Browsers send Sec-Fetch-Site only to https and to
// localhost, and Origin with every POST, PUT, and DELETE. A proxy can change the Host
// header, so Origin can also be the origin of the base URL.
func (a *appSession) isSameOrigin(r *http.Request) bool {
	if sites := r.Header.Values("Sec-Fetch-Site"); len(sites) > 0 {
		return len(sites) == 1 && sites[0] == "same-origin"
	}
	origins := r.Header.Values(echo.HeaderOrigin)
	if len(origins) != 1 {
		return false
	}
	return slices.ContainsFunc([]string{r.Host, a.base.Host}, func(host string) bool {
		return host != "" && strings.EqualFold(origins[0], a.base.Scheme+"://"+withoutDefaultPort(a.base.Scheme, host))
	})
}

// withoutDefaultPort returns the host as it is in an Origin header.
func withoutDefaultPort(scheme, host string) string {
	port := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return strings.TrimSuffix(host, port)
}

// cookieLogin is the login of a valid cookie. The zero value is none.
type cookieLogin struct {
	scope      store.Scope
	generation int64
}

func (l cookieLogin) isKnown() bool { return l.scope.LoginID != "" }

// countCookie counts a request against the login of its cookie.
func (a *appSession) countCookie(c echo.Context, login cookieLogin) error {
	if !login.isKnown() {
		return a.path.CountAnonymous(c)
	}
	return a.path.CountLogin(c, login.scope.LoginID)
}

// signIn implements POST: a sign-in, its second factor, a registration, a reset of the password, the acceptance of an
// invitation, or a switch to another organization.
func (a *appSession) signIn(c echo.Context) error {
	if err := a.path.CountAnonymous(c); err != nil {
		return err
	}
	login, ended, err := a.newLogin(c)
	if err != nil {
		return err
	}

	// The cookie replaces an earlier one, whose login would stay in the person's list for days.
	// A repeated registration returns the login that it has already set.
	if earlier, _ := a.login(c.Request()); earlier.isKnown() && earlier.scope.LoginID != login.ID {
		if err := a.store.Logout(c.Request().Context(), earlier.scope); err != nil {
			return err
		}
	}
	a.setCookie(c, login)
	return c.JSON(http.StatusOK, appSessionData{
		Data: appSessionToken{AccessToken: new(a.path.AccessToken(login)), Ended: ended},
	})
}

// Registration maps a registration of the contract.
func Registration(ctx context.Context, body *gen.RegisterRequest) store.Registration {
	return store.Registration{
		OrganizationName: body.OrganizationName, Name: body.Name, Email: body.Email, Password: body.Password,
		SetupToken: textOf(body.SetupToken), Local: request.IsLocal(ctx),
	}
}

// Credentials maps a sign-in of the contract.
func Credentials(body *gen.LoginRequest) store.Credentials {
	return store.Credentials{
		Email: body.Email, Password: body.Password,
		OrganizationID: textOf(body.OrganizationID), Code: textOf(body.Code),
	}
}

// Proof maps a proof of a second factor of the contract.
func Proof(code, passkey *string) store.Proof {
	return store.Proof{Typed: textOf(code), Passkey: textOf(passkey)}
}

// newLogin checks the body as the operation of its type does, and calls the operation's
// method of the store.
func (a *appSession) newLogin(c echo.Context) (store.Login, *endedAccess, error) {
	r := c.Request()
	ctx := r.Context()
	fields, err := a.kind.ReadBody(c)
	if err != nil {
		return store.Login{}, nil, err
	}
	kind, _ := fields["type"].(string)
	delete(fields, "type")
	o := a.kinds[kind]
	if err := o.Check(ctx, fields); err != nil {
		return store.Login{}, nil, err
	}
	scope := request.ScopeOf(ctx)
	if scope.Once, err = o.Once(c, fields); err != nil {
		return store.Login{}, nil, err
	}

	var signedIn store.SignedIn
	var ended *endedAccess
	switch kind {
	case "reset":
		var body gen.ResetPasswordJSONRequestBody
		if err := decodeChecked(r, &body); err != nil {
			return store.Login{}, nil, err
		}
		var reset store.PasswordWasReset
		reset, signedIn.Login, err = a.store.ResetPasswordAndSignIn(ctx, scope, body.Token, body.Password)
		if reset.User.Unproved {
			ended = &endedAccess{reset.Ended.APIKeys, reset.Ended.Webhooks, reset.Ended.Members}
		}
	case "login":
		var body gen.LoginRequest
		if err := decodeChecked(r, &body); err != nil {
			return store.Login{}, nil, err
		}
		signedIn, err = a.store.Login(ctx, scope, Credentials(&body))
	case "second-factor":
		var body gen.SignInCompletion
		if err := decodeChecked(r, &body); err != nil {
			return store.Login{}, nil, err
		}
		signedIn, err = a.store.CompleteSignIn(ctx, scope, body.Challenge, Proof(body.Code, body.Passkey))
	case "register":
		var body gen.RegisterRequest
		if err := decodeChecked(r, &body); err != nil {
			return store.Login{}, nil, err
		}
		signedIn, err = a.store.Register(ctx, scope, Registration(ctx, &body))
	case "invitation":
		var body gen.AcceptInvitationJSONRequestBody
		if err := decodeChecked(r, &body); err != nil {
			return store.Login{}, nil, err
		}
		signedIn, err = a.store.AcceptInvitation(ctx, scope, body.Token, body.Password)
	case "switch":
		var body gen.OrganizationSwitch
		if err := decodeChecked(r, &body); err != nil {
			return store.Login{}, nil, err
		}
		login, _ := a.login(r) // without a cookie none, which the store refuses
		signedIn, err = a.store.SwitchOrganization(ctx, login.scope, body.OrganizationID,
			store.TokenUse{Generation: login.generation, FromCookie: true})
	}
	return signedIn.Login, ended, err
}

// decodeChecked decodes the body that checkBody has read.
func decodeChecked(r *http.Request, into any) error {
	return json.NewDecoder(r.Body).Decode(into)
}

// appSessionData is the body of a response with an access token.
type appSessionData struct {
	Data appSessionToken `json:"data"`
}

type appSessionToken struct {
	AccessToken  *string      `json:"accessToken"`            // nil without a sign-in
	Registration string       `json:"registration,omitempty"` // only of PUT
	Ended        *endedAccess `json:"ended,omitempty"`        // of a reset that has proved the address
}

// endedAccess counts what a reset has ended; see store.EndedAccess.
type endedAccess struct {
	APIKeys  int `json:"apiKeys"`
	Webhooks int `json:"webhooks"`
	Members  int `json:"members"`
}

// refresh implements PUT. It succeeds without a sign-in too, because every visit begins
// with it, and a browser reports a 401 as an error of the page.
func (a *appSession) refresh(c echo.Context) error {
	r := c.Request()
	ctx := r.Context()
	login, sent := a.login(r)
	if err := a.countCookie(c, login); err != nil {
		return err
	}
	if err := request.NoBody(c); err != nil {
		return err
	}
	var answer appSessionData
	var err error
	if answer.Data.Registration, err = a.registrationMode(ctx); err != nil {
		return err
	}

	if login.isKnown() {
		refreshed, err := a.store.Refresh(ctx, login.scope,
			store.TokenUse{Generation: login.generation, FromCookie: true})
		var refusal *store.Error
		switch {
		case err == nil:
			a.setCookie(c, refreshed)
			answer.Data.AccessToken = new(a.path.AccessToken(refreshed))
			return c.JSON(http.StatusOK, answer)
		case !errors.As(err, &refusal) || refusal.Kind != store.Unauthenticated:
			return err
		}
	}
	if sent {
		a.clearCookie(c)
	}
	return c.JSON(http.StatusOK, answer)
}

// registrationMode says what the form for a new organization needs.
func (a *appSession) registrationMode(ctx context.Context) (string, error) {
	state, err := a.store.UnscopedRegistration(ctx)
	switch {
	case err != nil:
		return "", err
	case state.Mode == store.RegistrationOpen:
		return "OPEN", nil
	case state.Mode == store.RegistrationClosed:
		return "CLOSED", nil
	case request.IsLocal(ctx):
		return "SETUP_LOCAL", nil
	}
	return "SETUP", nil
}

// signOut implements DELETE.
func (a *appSession) signOut(c echo.Context) error {
	r := c.Request()
	login, sent := a.login(r)
	if err := a.countCookie(c, login); err != nil {
		return err
	}
	if err := request.NoBody(c); err != nil {
		return err
	}
	if login.isKnown() {
		if err := a.store.Logout(r.Context(), login.scope); err != nil {
			return err
		}
	}
	if sent {
		a.clearCookie(c)
	}
	return c.NoContent(http.StatusNoContent)
}

// demoSignIn signs in without a password and shows the dashboard. Any site can lead a
// browser here, which is harmless: the data of the demo is invented.
func (a *appSession) demoSignIn(c echo.Context) error {
	ctx := c.Request().Context()
	signedIn, err := a.opts.DemoSignIn(ctx, request.ScopeOf(ctx))
	if err != nil {
		return err
	}
	a.setCookie(c, signedIn.Login)
	return c.Redirect(http.StatusFound, ".."+appPath)
}

// login returns the login of the cookie, which is none if the cookie is not a refresh token of
// this service. Several cookies with the name are as none: on http, another host of the
// same domain can add one.
func (a *appSession) login(r *http.Request) (login cookieLogin, sent bool) {
	cookies := r.CookiesNamed(a.cookieName)
	if len(cookies) != 1 {
		return cookieLogin{}, len(cookies) > 0
	}
	scope, generation, err := a.path.LoginOf(r.Context(), cookies[0].Value)
	if err != nil {
		return cookieLogin{}, true
	}
	return cookieLogin{scope, generation}, true
}

func (a *appSession) setCookie(c echo.Context, login store.Login) {
	a.writeCookie(c, a.path.RefreshToken(login), int(login.ExpiresAt.Sub(a.store.Now()).Seconds()))
}

func (a *appSession) clearCookie(c echo.Context) { a.writeCookie(c, "", -1) }

func (a *appSession) writeCookie(c echo.Context, value string, maxAge int) {
	c.SetCookie(&http.Cookie{ //nolint:gosec // a service without https cannot have Secure
		Name: a.cookieName, Value: value, MaxAge: maxAge, Path: "/",
		Secure: a.secure, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}
