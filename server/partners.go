package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
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
	address   string
	operation *operation // for the limits of rates and of the body
	invite    *operation
}

// registerPartners adds the addresses of each adapter.
func (s *Server) registerPartners() error {
	invite, err := s.path.Operation("createPublicCandidateSession")
	if err != nil {
		return err
	}
	for _, adapter := range partners.Adapters() {
		for _, route := range adapter.Routes() {
			address := partnersPath + string(adapter.Partner()) + route.Path
			p := &partnerRoute{
				Server: s, adapter: adapter, route: route, address: address, invite: invite,
				operation: NewKeyOperation(address, maxPartnerBody, store.PartnerScope),
			}
			s.path.Add(p.serve, address, route.Method)
		}
	}
	return nil
}

// serve responds to one request, and records it once its organization is known.
func (p *partnerRoute) serve(c echo.Context) error {
	ctx := c.Request().Context()
	request, err := p.authenticated(c)
	if err != nil {
		_, err = p.refuse(c, err)
		return err
	}
	var answer any
	if err = p.read(c, request); err == nil {
		answer, err = p.route.Do(ctx, request)
	}
	if err == nil {
		err = c.JSON(p.route.Status, answer)
	} else {
		request.Problem, err = p.refuse(c, err)
	}
	p.record(c, request)
	return err
}

// authenticated verifies the key, and that its organization has connected the system.
func (p *partnerRoute) authenticated(c echo.Context) (*partners.Request, error) {
	key, hasKey := partnerKey(c.Request())
	scope, err := p.path.UseKey(c, p.operation, key, hasKey)
	if err == nil {
		err = p.store.CheckIntegration(c.Request().Context(), scope, p.adapter.Partner())
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
	if token, ok := BearerToken(r); ok {
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
		return InvalidQuery("", gen.FieldErrorCodeInvalidEncoding, "is not a valid query string")
	}
	if r.Method == http.MethodGet {
		return nil
	}
	fields, err := p.operation.ReadObject(c)
	if fields != nil {
		request.Body = fields
	}
	return err
}

// checkInvite checks an invite as the contract does.
func (p *partnerRoute) checkInvite(ctx context.Context, in store.Invite) error {
	return p.invite.Check(ctx, map[string]any{
		"assessmentId": in.AssessmentID, "candidateName": in.CandidateName, "candidateEmail": in.CandidateEmail,
	})
}

// refuse responds to a request that was refused, in the form of the system. It returns why.
func (p *partnerRoute) refuse(c echo.Context, err error) (string, error) {
	f := p.path.Refuse(c, err)
	detail := p.detail(f)
	status, body := p.adapter.Refuse(f.status, detail)
	return detail, c.JSON(status, body)
}

// detail says why a request was refused, with the names that the system has for the fields.
func (p *partnerRoute) detail(f *fault) string {
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
		Direction: store.ExchangeReceived, Method: p.route.Method, Address: p.address, Status: &status,
		SessionID: nullIfEmpty(request.SessionID), Problem: nullIfEmpty(request.Problem),
	}
	if err := p.store.RecordExchange(ctx, request.Scope, request.Partner, exchange); err != nil {
		p.opts.Log.LogAttrs(ctx, slog.LevelWarn, "exchange not recorded",
			slog.String("requestId", request.Scope.Origin.RequestID), slog.String("error", err.Error()))
	}
}
