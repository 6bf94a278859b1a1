package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListPublicEvents implements GET /v1/public/events.
func (s *Server) ListPublicEvents(
	ctx context.Context, request gen.ListPublicEventsRequestObject,
) (gen.ListPublicEventsResponseObject, error) {
	events, after, err := s.store.ListPublicEvents(ctx, scopeOf(ctx), store.EventFilter{
		Type: store.EventType(orZero(request.Params.Type)), ResourceID: orZero(request.Params.ResourceID),
		Since: instant(request.Params.Since), Until: instant(request.Params.Until),
		OldestFirst: orZero(request.Params.Order) == gen.ListPublicEventsParamsOrderAsc,
	}, page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	list := gen.PublicEventList{Data: make([]gen.PublicEvent, len(events))}
	for i, event := range events {
		if list.Data[i], err = apiPublicEvent(scopeOf(ctx), event); err != nil {
			return nil, err
		}
	}
	next := linkAfter(ctx, s.opts.BaseURL, after)
	return gen.ListPublicEvents200JSONResponse{
		Headers: gen.ListPublicEvents200ResponseHeaders{Link: next}, Body: list,
	}, nil
}

// RetrievePublicEvent implements GET /v1/public/events/{id}.
func (s *Server) RetrievePublicEvent(
	ctx context.Context, request gen.RetrievePublicEventRequestObject,
) (gen.RetrievePublicEventResponseObject, error) {
	found, err := s.store.RetrievePublicEvent(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	shown, err := apiPublicEvent(scopeOf(ctx), found)
	return gen.RetrievePublicEvent200JSONResponse{Body: gen.PublicEventData{Data: shown}}, err
}

// ListPublicEventTypes implements GET /v1/public/event-types.
func (s *Server) ListPublicEventTypes(
	_ context.Context, _ gen.ListPublicEventTypesRequestObject,
) (gen.ListPublicEventTypesResponseObject, error) {
	return gen.ListPublicEventTypes200JSONResponse{Body: s.describedTypes(s.store.ListPublicEventTypes())}, nil
}

// apiPublicEvent is apiEventRecord. Without the right to see them, the deliveries are null.
func apiPublicEvent(scope store.Scope, event store.Event) (gen.PublicEvent, error) {
	if !scope.SeesDeliveries() {
		return gen.PublicEvent(store.AppendMember(event.Body, "deliveries", "null")), nil
	}
	return apiEventRecord(event)
}
