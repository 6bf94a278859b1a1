package partners

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/server/request"
	"assay/store"
)

// Prefix is where applicant tracking systems call Assay, in their own protocols. These addresses are no
// operations of the contract, because the systems have defined them.
const Prefix = "/partners/"

// maxPartnerBody bounds the body of a request of a system. Those of the protocols have a few hundred bytes.
const maxPartnerBody = 64 << 10

// partnerRoute has the handler of one address of a system. It checks requests as guard does, and an invite as the
// operation that invites a candidate does.
type partnerRoute struct {
	path      *request.Path
	store     *store.Store
	log       *slog.Logger
	adapter   Adapter
	route     Route
	address   string
	operation *request.Operation // for the limits of rates and of the body
	invite    *request.Operation
}

// Register adds the addresses of each adapter to the path.
func Register(path *request.Path, s *store.Store, log *slog.Logger) error {
	invite, err := path.Operation("createPublicCandidateSession")
	if err != nil {
		return err
	}
	for _, adapter := range Adapters() {
		for _, route := range adapter.Routes() {
			address := Prefix + string(adapter.Partner()) + route.Path
			p := &partnerRoute{
				path: path, store: s, log: log, adapter: adapter, route: route, address: address, invite: invite,
				operation: request.NewKeyOperation(address, request.BasicScheme, maxPartnerBody, store.PartnerScope),
			}
			path.Add(p.serve, address, route.Method)
		}
	}
	return nil
}

// serve responds to one request, and records it once its organization is known.
func (p *partnerRoute) serve(c echo.Context) error {
	ctx := c.Request().Context()
	received, err := p.authenticated(c)
	if err != nil {
		_, err = p.refuse(c, err)
		return err
	}
	var answer any
	if err = p.read(c, received); err == nil {
		answer, err = p.route.Do(ctx, received)
	}
	if err == nil {
		err = c.JSON(p.route.Status, answer)
	} else {
		received.Problem, err = p.refuse(c, err)
	}
	p.record(c, received)
	return err
}

// authenticated verifies the key, and that its organization has connected the system.
func (p *partnerRoute) authenticated(c echo.Context) (*Request, error) {
	key, hasKey := partnerKey(c.Request())
	scope, err := p.path.UseKey(c, p.operation, key, hasKey)
	if err == nil {
		err = p.store.CheckIntegration(c.Request().Context(), scope, p.adapter.Partner())
	}
	if err != nil {
		return nil, err
	}
	return &Request{
		Store: p.store, Scope: scope, Partner: p.adapter.Partner(), Body: map[string]any{}, Check: p.checkInvite,
	}, nil
}

// partnerKey returns the API key of a request: the name of HTTP Basic, without a password, or a Bearer token. The
// protocols differ, and both are accepted from each system.
func partnerKey(r *http.Request) (string, bool) {
	if token, ok := request.BearerToken(r); ok {
		return token, true
	}
	name, password, ok := r.BasicAuth()
	return name, ok && password == "" && len(r.Header.Values(echo.HeaderAuthorization)) == 1
}

// read reads the query and the body. Fields that Assay does not know are ignored, because the systems may add some.
func (p *partnerRoute) read(c echo.Context, received *Request) error {
	r := c.Request()
	var err error
	if received.Query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		return request.InvalidQuery("", gen.FieldErrorCodeInvalidEncoding, "is not a valid query string")
	}
	if r.Method == http.MethodGet {
		return nil
	}
	fields, err := p.operation.ReadObject(c)
	if fields != nil {
		received.Body = fields
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
	status, body := p.adapter.Refuse(f.Status, detail)
	return detail, c.JSON(status, body)
}

// detail says why a request was refused, with the names that the system has for the fields.
func (p *partnerRoute) detail(f *request.Fault) string {
	detail, names := f.Detail, p.adapter.Names()
	named := map[string]bool{}
	for _, field := range f.Fields {
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
func (p *partnerRoute) record(c echo.Context, received *Request) {
	ctx := context.WithoutCancel(c.Request().Context())
	status := c.Response().Status
	exchange := store.Exchange{
		Direction: store.ExchangeReceived, Method: p.route.Method, Address: p.address, Status: &status,
		SessionID: optional(received.SessionID), Problem: optional(received.Problem),
	}
	if err := p.store.RecordExchange(ctx, received.Scope, received.Partner, exchange); err != nil {
		p.log.LogAttrs(ctx, slog.LevelWarn, "exchange not recorded",
			slog.String("requestId", received.Scope.Origin.RequestID), slog.String("error", err.Error()))
	}
}

// optional is nil for the empty text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
