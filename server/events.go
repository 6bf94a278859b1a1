package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListEvents implements GET /v1/events.
func (s *Server) ListEvents(ctx context.Context, request gen.ListEventsRequestObject) (gen.ListEventsResponseObject, error) {
	events, more, err := s.store.ListEvents(ctx, scopeOf(ctx), store.EventFilter{
		Type: store.EventType(orZero(request.Params.Type)), Since: instant(request.Params.Since),
	}, page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	list := gen.EventList{Data: make([]gen.Event, len(events))}
	for i, event := range events {
		if list.Data[i], err = apiEvent(event); err != nil {
			return nil, err
		}
	}
	next := nextLink(ctx, s.opts.BaseURL, events, more, func(event store.Event) string { return event.ID })
	return gen.ListEvents200JSONResponse{Headers: gen.ListEvents200ResponseHeaders{Link: next}, Body: list}, nil
}

// RetrieveEvent implements GET /v1/events/{id}.
func (s *Server) RetrieveEvent(ctx context.Context, request gen.RetrieveEventRequestObject) (gen.RetrieveEventResponseObject, error) {
	found, err := s.store.RetrieveEvent(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	event, err := apiEvent(found)
	return gen.RetrieveEvent200JSONResponse{Body: gen.EventData{Data: event}}, err
}

// apiEvent passes the stored envelope on as it is.
func apiEvent(event store.Event) (gen.Event, error) {
	var mapped gen.Event
	err := mapped.UnmarshalJSON([]byte(event.Body))
	return mapped, err
}
