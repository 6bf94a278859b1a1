package server

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"assay/gen"
	"assay/server/request"
	"assay/store"
)

// ListEvents implements GET /v1/events.
func (s *Server) ListEvents(
	ctx context.Context, request gen.ListEventsRequestObject,
) (gen.ListEventsResponseObject, error) {
	events, after, err := s.store.ListEvents(ctx, scopeOf(ctx), store.EventFilter{
		Type: store.EventType(orZero(request.Params.Type)), ResourceID: orZero(request.Params.ResourceID),
		Since: instant(request.Params.Since), Until: instant(request.Params.Until),
		OldestFirst: orZero(request.Params.Order) == gen.ListEventsParamsOrderAsc,
	}, page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}

	list := gen.EventRecordList{Data: make([]gen.EventRecord, len(events))}
	for i, event := range events {
		if list.Data[i], err = apiEventRecord(event); err != nil {
			return nil, err
		}
	}

	next := linkAfter(ctx, s.opts.BaseURL, after)
	return gen.ListEvents200JSONResponse{Headers: gen.ListEvents200ResponseHeaders{Link: next}, Body: list}, nil
}

// RetrieveEvent implements GET /v1/events/{id}.
func (s *Server) RetrieveEvent(
	ctx context.Context, request gen.RetrieveEventRequestObject,
) (gen.RetrieveEventResponseObject, error) {
	found, err := s.store.RetrieveEvent(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	record, err := apiEventRecord(found)
	return gen.RetrieveEvent200JSONResponse{Body: gen.EventRecordData{Data: record}}, err
}

// ListEventTypes implements GET /v1/event-types.
func (s *Server) ListEventTypes(
	_ context.Context, _ gen.ListEventTypesRequestObject,
) (gen.ListEventTypesResponseObject, error) {
	return gen.ListEventTypes200JSONResponse{Body: s.describedTypes(s.store.ListEventTypes())}, nil
}

func (s *Server) describedTypes(types []store.EventType) gen.EventTypeCatalogue {
	described := each(types, func(kind store.EventType) gen.EventTypeDescription { return s.eventTypes[kind] })
	return gen.EventTypeCatalogue{Data: described}
}

// apiEventRecord returns the stored envelope unchanged, with the deliveries
// appended after its last field.
func apiEventRecord(event store.Event) (gen.EventRecord, error) {
	deliveries, err := json.Marshal(each(event.Deliveries, apiDelivery))
	if err != nil {
		return nil, err
	}
	return gen.EventRecord(store.AppendMember(event.Body, "deliveries", string(deliveries))), nil
}

// describeEventTypes reads the description and the example of each event type
// from openapi.yaml. It fails for a type that openapi.yaml does not have.
func describeEventTypes(types []store.EventType) (map[store.EventType]gen.EventTypeDescription, error) {
	document, err := request.Contract()
	if err != nil {
		return nil, err
	}
	all := make(map[store.EventType]gen.EventTypeDescription, len(types))
	for _, kind := range types {
		schema := document.Components.Schemas[eventSchemaName(string(kind))]
		if schema == nil {
			return nil, fmt.Errorf("openapi.yaml has no event type %s", kind)
		}
		example, err := json.Marshal(schema.Value.Example)
		if err != nil {
			return nil, err
		}
		all[kind] = gen.EventTypeDescription{Type: string(kind), Description: schema.Value.Description, Example: example}
	}
	return all, nil
}

// eventSchemaName returns CandidateResultCorrectedEvent for candidate.result_corrected.
func eventSchemaName(kind string) string {
	var name strings.Builder
	for _, word := range strings.FieldsFunc(kind, func(r rune) bool { return r == '.' || r == '_' }) {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String() + "Event"
}
