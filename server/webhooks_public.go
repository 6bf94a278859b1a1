package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// The operations of integrations with webhooks. They differ from those of people in the credential only.

// CreatePublicWebhook implements POST /v1/public/webhooks.
func (s *Server) CreatePublicWebhook(
	ctx context.Context, request gen.CreatePublicWebhookRequestObject,
) (gen.CreatePublicWebhookResponseObject, error) {
	endpoint, err := s.store.CreatePublicWebhook(ctx, scopeOf(ctx), storeWebhook(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.CreatePublicWebhook201JSONResponse{
		Headers: gen.CreatePublicWebhook201ResponseHeaders{Location: "/v1/public/webhooks/" + endpoint.ID},
		Body:    s.apiCreatedWebhook(endpoint),
	}, nil
}

// ListPublicWebhooks implements GET /v1/public/webhooks.
func (s *Server) ListPublicWebhooks(
	ctx context.Context, request gen.ListPublicWebhooksRequestObject,
) (gen.ListPublicWebhooksResponseObject, error) {
	endpoints, more, err := s.store.ListPublicWebhooks(ctx, scopeOf(ctx),
		page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, endpoints, more, webhookID)
	return gen.ListPublicWebhooks200JSONResponse{
		Headers: gen.ListPublicWebhooks200ResponseHeaders{Link: next},
		Body:    gen.WebhookEndpointList{Data: each(endpoints, s.apiWebhook)},
	}, nil
}

// RetrievePublicWebhook implements GET /v1/public/webhooks/{id}.
func (s *Server) RetrievePublicWebhook(
	ctx context.Context, request gen.RetrievePublicWebhookRequestObject,
) (gen.RetrievePublicWebhookResponseObject, error) {
	endpoint, err := s.store.RetrievePublicWebhook(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrievePublicWebhook200JSONResponse{Body: gen.WebhookEndpointData{Data: s.apiWebhook(endpoint)}}, nil
}

// UpdatePublicWebhook implements PATCH /v1/public/webhooks/{id}.
func (s *Server) UpdatePublicWebhook(
	ctx context.Context, request gen.UpdatePublicWebhookRequestObject,
) (gen.UpdatePublicWebhookResponseObject, error) {
	endpoint, err := s.store.UpdatePublicWebhook(ctx, scopeOf(ctx), request.ID, storeWebhookChange(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.UpdatePublicWebhook200JSONResponse{Body: gen.WebhookEndpointData{Data: s.apiWebhook(endpoint)}}, nil
}

// DeletePublicWebhook implements DELETE /v1/public/webhooks/{id}.
func (s *Server) DeletePublicWebhook(
	ctx context.Context, request gen.DeletePublicWebhookRequestObject,
) (gen.DeletePublicWebhookResponseObject, error) {
	if err := s.store.DeletePublicWebhook(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeletePublicWebhook204Response{}, nil
}

// RotatePublicWebhookSecret implements POST /v1/public/webhooks/{id}/rotate-secret.
func (s *Server) RotatePublicWebhookSecret(
	ctx context.Context, request gen.RotatePublicWebhookSecretRequestObject,
) (gen.RotatePublicWebhookSecretResponseObject, error) {
	rotated, err := s.store.RotatePublicWebhookSecret(ctx, scopeOf(ctx), request.ID, request.Body.Secret,
		delay(request.Body.ActivateAfterSeconds))
	if err != nil {
		return nil, err
	}
	return gen.RotatePublicWebhookSecret200JSONResponse{Body: apiRotatedSecret(request.ID, rotated)}, nil
}

// TestPublicWebhook implements POST /v1/public/webhooks/{id}/test.
func (s *Server) TestPublicWebhook(
	ctx context.Context, request gen.TestPublicWebhookRequestObject,
) (gen.TestPublicWebhookResponseObject, error) {
	target, err := s.store.TestPublicWebhook(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	attempt, err := s.opts.Ping(ctx, scopeOf(ctx).OrganizationID, target)
	if err != nil {
		return nil, err
	}
	return gen.TestPublicWebhook200JSONResponse{Body: gen.WebhookAttemptData{Data: apiAttempt(attempt)}}, nil
}

// ReplayPublicWebhook implements POST /v1/public/webhooks/{id}/replay.
func (s *Server) ReplayPublicWebhook(
	ctx context.Context, request gen.ReplayPublicWebhookRequestObject,
) (gen.ReplayPublicWebhookResponseObject, error) {
	replayed, err := s.store.ReplayPublicWebhook(ctx, scopeOf(ctx), request.ID, storeReplay(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.ReplayPublicWebhook200JSONResponse{Body: gen.WebhookReplayedData{Data: gen.WebhookReplayed{
		Count: replayed.Count, HasMore: replayed.HasMore,
	}}}, nil
}

// RetrievePublicWebhookStatistics implements GET /v1/public/webhooks/{id}/statistics.
func (s *Server) RetrievePublicWebhookStatistics(
	ctx context.Context, request gen.RetrievePublicWebhookStatisticsRequestObject,
) (gen.RetrievePublicWebhookStatisticsResponseObject, error) {
	statistics, err := s.store.RetrievePublicWebhookStatistics(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrievePublicWebhookStatistics200JSONResponse{Body: apiWebhookStatistics(request.ID, statistics)}, nil
}

// ListPublicDeliveries implements GET /v1/public/webhooks/{id}/deliveries.
func (s *Server) ListPublicDeliveries(
	ctx context.Context, request gen.ListPublicDeliveriesRequestObject,
) (gen.ListPublicDeliveriesResponseObject, error) {
	deliveries, next, err := s.store.ListPublicDeliveries(ctx, scopeOf(ctx), request.ID, store.DeliveryFilter{
		Status:    store.DeliveryStatus(orZero(request.Params.Status)),
		EventType: store.EventType(orZero(request.Params.EventType)),
	}, page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	return gen.ListPublicDeliveries200JSONResponse{
		Headers: gen.ListPublicDeliveries200ResponseHeaders{Link: linkAfter(ctx, s.opts.BaseURL, next)},
		Body:    gen.DeliveryList{Data: each(deliveries, apiDelivery)},
	}, nil
}

// ListAllPublicDeliveries implements GET /v1/public/deliveries.
func (s *Server) ListAllPublicDeliveries(
	ctx context.Context, request gen.ListAllPublicDeliveriesRequestObject,
) (gen.ListAllPublicDeliveriesResponseObject, error) {
	params := request.Params
	deliveries, next, err := s.store.ListAllPublicDeliveries(ctx, scopeOf(ctx), store.DeliveryFilter{
		WebhookID: orZero(params.WebhookID), EventID: orZero(params.EventID),
		Status: store.DeliveryStatus(orZero(params.Status)), EventType: store.EventType(orZero(params.EventType)),
		Since: instant(params.Since), Until: instant(params.Until),
	}, page(params.Limit, params.After))
	if err != nil {
		return nil, err
	}
	return gen.ListAllPublicDeliveries200JSONResponse{
		Headers: gen.ListAllPublicDeliveries200ResponseHeaders{Link: linkAfter(ctx, s.opts.BaseURL, next)},
		Body:    gen.DeliveryList{Data: each(deliveries, apiDelivery)},
	}, nil
}

// RetrievePublicDelivery implements GET /v1/public/webhooks/{id}/deliveries/{deliveryId}.
func (s *Server) RetrievePublicDelivery(
	ctx context.Context, request gen.RetrievePublicDeliveryRequestObject,
) (gen.RetrievePublicDeliveryResponseObject, error) {
	detail, err := s.store.RetrievePublicDelivery(ctx, scopeOf(ctx), request.ID, request.DeliveryID)
	if err != nil {
		return nil, err
	}
	return gen.RetrievePublicDelivery200JSONResponse{Body: apiDeliveryDetail(detail)}, nil
}

// RedeliverPublicDelivery implements POST /v1/public/webhooks/{id}/deliveries/{deliveryId}/redeliver.
func (s *Server) RedeliverPublicDelivery(
	ctx context.Context, request gen.RedeliverPublicDeliveryRequestObject,
) (gen.RedeliverPublicDeliveryResponseObject, error) {
	delivery, err := s.store.RedeliverPublicDelivery(ctx, scopeOf(ctx), request.ID, request.DeliveryID)
	if err != nil {
		return nil, err
	}
	location := "/v1/public/webhooks/" + request.ID + "/deliveries/" + delivery.ID
	return gen.RedeliverPublicDelivery201JSONResponse{
		Headers: gen.RedeliverPublicDelivery201ResponseHeaders{Location: location},
		Body:    gen.DeliveryData{Data: apiDelivery(delivery)},
	}, nil
}
