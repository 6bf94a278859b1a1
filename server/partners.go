package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/server/partners"
	"assay/store"
)

// partnersPath is where applicant tracking systems call Assay, in their own protocols: see partners. These addresses
// are no operations of the contract, because the systems have defined them.
const partnersPath = "/partners/"

// maxPartnerBody bounds the body of a request of a system. Those of the protocols have a few hundred bytes.
const maxPartnerBody = 64 << 10

// partnerRoute has the handler of one address of a system. It checks requests as guard does, and an invite as the
// operation that invites a candidate does.
type partnerRoute struct {
	*Server

	adapter   partners.Adapter
	route     partners.Route
	operation operation // for the limits of rates and of the body
	invite    *operation
}

// registerPartners adds the addresses of each adapter.
func (s *Server) registerPartners(operations []operation) error {
	i := slices.IndexFunc(operations, func(o operation) bool { return o.id == "createPublicCandidateSession" })
	if i < 0 {
		return errors.New("openapi.yaml has no operation createPublicCandidateSession")
	}
	for _, adapter := range partners.Adapters() {
		for _, route := range adapter.Routes() {
			path := partnersPath + string(adapter.Partner()) + route.Path
			p := &partnerRoute{Server: s, adapter: adapter, route: route, invite: &operations[i], operation: operation{
				id: path, security: apiKeyAuth, maxBody: maxPartnerBody, scopes: []string{store.PartnerScope},
			}}
			s.echo.Add(route.Method, path, p.serve)
		}
	}
	return nil
}

// serve responds to one request, and records it once its organization is known.
func (p *partnerRoute) serve(c echo.Context) error {
	ctx := c.Request().Context()
	info := requestOf(ctx)
	info.operation = p.operation.id
	request, err := p.authenticated(c)
	if err != nil {
		return p.refuse(c, err)
	}
	var answer any
	if err = p.read(c, request); err == nil {
		answer, err = p.route.Do(ctx, request)
	}
	if err == nil {
		err = c.JSON(p.route.Status, answer)
	} else {
		request.Problem = p.detail(err)
		err = p.refuse(c, err)
	}
	p.record(c, request)
	return err
}

// authenticated verifies the key, and that its organization has connected the system.
func (p *partnerRoute) authenticated(c echo.Context) (*partners.Request, error) {
	r := c.Request()
	from := originOf(c)
	var scope store.Scope
	var err error = errNoCredential
	if key, ok := partnerKey(r); ok {
		scope, err = p.store.UnscopedAPIKey(r.Context(), from, key)
	}
	scope.Origin = from
	requestOf(r.Context()).scope = scope
	if limited := p.limit(c, &p.operation, scope, err); limited != nil {
		return nil, limited
	}
	if err == nil {
		err = p.operation.authorize(scope)
	}
	if err == nil {
		err = p.store.CheckIntegration(r.Context(), scope, p.adapter.Partner())
	}
	if err != nil {
		return nil, err
	}
	return &partners.Request{
		Store: p.store, Scope: scope, Partner: p.adapter.Partner(), Body: map[string]any{}, Check: p.checkInvite,
	}, nil
}

// partnerKey returns the API key of a request: the name of HTTP Basic, without a password, or a Bearer token. The
// protocols differ, and both are accepted from each system.
func partnerKey(r *http.Request) (string, bool) {
	if token, ok := bearerToken(r); ok {
		return token, true
	}
	name, password, ok := r.BasicAuth()
	return name, ok && password == "" && len(r.Header.Values(echo.HeaderAuthorization)) == 1
}

// read reads the query and the body. Fields that Assay does not know are ignored, because the systems may add some.
func (p *partnerRoute) read(c echo.Context, request *partners.Request) error {
	r := c.Request()
	var err error
	if request.Query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		return invalidRequest(queryError("", gen.FieldErrorCodeInvalidEncoding, "is not a valid query string"))
	}
	if r.Method == http.MethodGet {
		return nil
	}
	body, err := p.operation.readBody(c)
	var tooLarge *fault
	switch {
	case errors.As(err, &tooLarge):
		return err
	case err != nil:
		return invalidRequest(bodyError("", gen.FieldErrorCodeInvalidJSON, "ended before it was complete"))
	case len(body) == 0:
		return nil
	}
	value, malformed := decodeStrict(body)
	if malformed != nil {
		return invalidRequest(bodyError("", malformed.Code, malformed.Detail))
	}
	fields, isObject := value.(map[string]any)
	if !isObject {
		return invalidRequest(bodyError("", gen.FieldErrorCodeInvalidType, "must be an object"))
	}
	request.Body = fields
	return nil
}

// checkInvite checks an invite as the contract does.
func (p *partnerRoute) checkInvite(ctx context.Context, in store.Invite) error {
	faults := check(ctx, p.invite.body, map[string]any{
		"assessmentId": in.AssessmentID, "candidateName": in.CandidateName, "candidateEmail": in.CandidateEmail,
	}, gen.FieldErrorInBody, "")
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(faults) > 0 {
		return invalidRequest(faults...)
	}
	return nil
}

// refuse responds to a request that was refused, in the form of the system.
func (p *partnerRoute) refuse(c echo.Context, err error) error {
	f, internal := p.faultOf(err)
	p.refused(c, f, err, internal)
	status, body := p.adapter.Refuse(f.status, p.detail(err))
	return c.JSON(status, body)
}

// detail says why a request was refused, with the names that the system has for the fields.
func (p *partnerRoute) detail(err error) string {
	f, _ := faultOf(err)
	detail, names := f.detail, p.adapter.Names()
	named := map[string]bool{}
	for _, field := range f.fields {
		name := names[field.Pointer]
		if name == "" {
			name = "The request"
		}
		if named[name] { // the first fault of a field suffices
			continue
		}
		named[name] = true
		detail += " " + name + ": " + strings.TrimSuffix(field.Detail, ".") + "."
	}
	return detail
}

// record stores the exchange. A failure does not refuse the request, which has its response.
func (p *partnerRoute) record(c echo.Context, request *partners.Request) {
	ctx := context.WithoutCancel(c.Request().Context())
	status := c.Response().Status
	exchange := store.Exchange{
		Direction: store.ExchangeReceived, Method: p.route.Method, Address: p.operation.id, Status: &status,
		SessionID: nullIfEmpty(request.SessionID), Problem: nullIfEmpty(request.Problem),
	}
	if err := p.store.RecordExchange(ctx, request.Scope, request.Partner, exchange); err != nil {
		p.opts.Log.LogAttrs(ctx, slog.LevelWarn, "exchange not recorded",
			slog.String("requestId", requestOf(ctx).id), slog.String("error", err.Error()))
	}
}
