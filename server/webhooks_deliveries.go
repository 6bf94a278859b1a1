package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListDeliveries implements GET /v1/webhooks/{id}/deliveries.
func (s *Server) ListDeliveries(
	ctx context.Context, request gen.ListDeliveriesRequestObject,
) (gen.ListDeliveriesResponseObject, error) {
	deliveries, next, err := s.store.ListDeliveries(ctx, scopeOf(ctx), request.ID, store.DeliveryFilter{
		Status:    store.DeliveryStatus(orZero(request.Params.Status)),
		EventType: store.EventType(orZero(request.Params.EventType)),
	}, page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	return gen.ListDeliveries200JSONResponse{
		Headers: gen.ListDeliveries200ResponseHeaders{Link: linkAfter(ctx, s.opts.BaseURL, next)},
		Body:    gen.DeliveryList{Data: each(deliveries, apiDelivery)},
	}, nil
}

// ListAllDeliveries implements GET /v1/deliveries.
func (s *Server) ListAllDeliveries(
	ctx context.Context, request gen.ListAllDeliveriesRequestObject,
) (gen.ListAllDeliveriesResponseObject, error) {
	params := request.Params
	deliveries, next, err := s.store.ListAllDeliveries(ctx, scopeOf(ctx), store.DeliveryFilter{
		WebhookID: orZero(params.WebhookID), EventID: orZero(params.EventID),
		Status: store.DeliveryStatus(orZero(params.Status)), EventType: store.EventType(orZero(params.EventType)),
		Since: instant(params.Since), Until: instant(params.Until),
	}, page(params.Limit, params.After))
	if err != nil {
		return nil, err
	}
	return gen.ListAllDeliveries200JSONResponse{
		Headers: gen.ListAllDeliveries200ResponseHeaders{Link: linkAfter(ctx, s.opts.BaseURL, next)},
		Body:    gen.DeliveryList{Data: each(deliveries, apiDelivery)},
	}, nil
}

// RetrieveDelivery implements GET /v1/webhooks/{id}/deliveries/{deliveryId}.
func (s *Server) RetrieveDelivery(
	ctx context.Context, request gen.RetrieveDeliveryRequestObject,
) (gen.RetrieveDeliveryResponseObject, error) {
	detail, err := s.store.RetrieveDelivery(ctx, scopeOf(ctx), request.ID, request.DeliveryID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveDelivery200JSONResponse{Body: apiDeliveryDetail(detail)}, nil
}

// RedeliverDelivery implements POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver.
func (s *Server) RedeliverDelivery(
	ctx context.Context, request gen.RedeliverDeliveryRequestObject,
) (gen.RedeliverDeliveryResponseObject, error) {
	delivery, err := s.store.RedeliverDelivery(ctx, scopeOf(ctx), request.ID, request.DeliveryID)
	if err != nil {
		return nil, err
	}
	location := "/v1/webhooks/" + request.ID + "/deliveries/" + delivery.ID
	return gen.RedeliverDelivery201JSONResponse{
		Headers: gen.RedeliverDelivery201ResponseHeaders{Location: location},
		Body:    gen.DeliveryData{Data: apiDelivery(delivery)},
	}, nil
}

func apiDeliveryDetail(detail store.DeliveryDetail) gen.DeliveryDetailData {
	shown := apiDelivery(detail.Delivery)
	return gen.DeliveryDetailData{Data: gen.DeliveryDetail{
		ID: shown.ID, WebhookID: shown.WebhookID, EventID: shown.EventID, EventType: shown.EventType, Status: shown.Status,
		AttemptCount: shown.AttemptCount, NextAttemptAt: shown.NextAttemptAt,
		CreatedAt: shown.CreatedAt, CompletedAt: shown.CompletedAt,
		Attempts: each(detail.Attempts, apiAttempt),
	}}
}

func apiDelivery(d store.Delivery) gen.Delivery {
	return gen.Delivery{
		ID: d.ID, WebhookID: d.WebhookID, EventID: d.EventID, EventType: gen.EventType(d.EventType),
		Status: gen.DeliveryStatus(d.Status), AttemptCount: d.AttemptCount, NextAttemptAt: timeOrNull(d.NextAttemptAt),
		CreatedAt: timestamp(d.CreatedAt), CompletedAt: timeOrNull(d.CompletedAt),
	}
}

func apiAttempt(a store.Attempt) gen.WebhookAttempt {
	return gen.WebhookAttempt{
		Number: a.Number, StartedAt: timestamp(store.Time(a.StartedAt)), DurationMs: int(a.DurationMS),
		StatusCode: a.StatusCode, FailureReason: (*string)(a.FailureReason), ResponseBody: a.ResponseBody,
	}
}
