package server

import (
	"context"

	"assay/gen"
	"assay/server/partners"
	"assay/store"
)

// ListIntegrations implements GET /v1/integrations.
func (s *Server) ListIntegrations(
	ctx context.Context, _ gen.ListIntegrationsRequestObject,
) (gen.ListIntegrationsResponseObject, error) {
	integrations, err := s.store.ListIntegrations(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.ListIntegrations200JSONResponse{
		Body: gen.IntegrationCatalogue{Data: each(integrations, s.apiIntegration)},
	}, nil
}

// ConnectIntegration implements PUT /v1/integrations.
func (s *Server) ConnectIntegration(
	ctx context.Context, request gen.ConnectIntegrationRequestObject,
) (gen.ConnectIntegrationResponseObject, error) {
	integration, err := s.store.ConnectIntegration(ctx, scopeOf(ctx), store.Partner(request.Body.Partner),
		request.Body.CallbackKey)
	if err != nil {
		return nil, err
	}
	return gen.ConnectIntegration200JSONResponse{
		Body: gen.IntegrationData{Data: s.apiIntegration(integration)},
	}, nil
}

// DisconnectIntegration implements DELETE /v1/integrations/{id}.
func (s *Server) DisconnectIntegration(
	ctx context.Context, request gen.DisconnectIntegrationRequestObject,
) (gen.DisconnectIntegrationResponseObject, error) {
	if err := s.store.DisconnectIntegration(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DisconnectIntegration204Response{}, nil
}

// ListIntegrationExchanges implements GET /v1/integrations/{id}/exchanges.
func (s *Server) ListIntegrationExchanges(
	ctx context.Context, request gen.ListIntegrationExchangesRequestObject,
) (gen.ListIntegrationExchangesResponseObject, error) {
	exchanges, err := s.store.ListIntegrationExchanges(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.ListIntegrationExchanges200JSONResponse{
		Body: gen.IntegrationExchangeCatalogue{Data: each(exchanges, apiExchange)},
	}, nil
}

func (s *Server) apiIntegration(integration store.Integration) gen.Integration {
	return gen.Integration{
		ID: integration.ID, Partner: string(integration.Partner),
		BaseURL:         s.opts.BaseURL + partners.Prefix + string(integration.Partner),
		CallbackKeyHint: integration.CallbackKeyHint, ConnectedAt: timestamp(integration.ConnectedAt),
	}
}

func apiExchange(exchange store.Exchange) gen.IntegrationExchange {
	return gen.IntegrationExchange{
		ID: exchange.ID, Direction: string(exchange.Direction), Method: exchange.Method, Address: exchange.Address,
		Status: exchange.Status, SessionID: exchange.SessionID, Problem: exchange.Problem,
		CreatedAt: timestamp(exchange.CreatedAt),
	}
}
