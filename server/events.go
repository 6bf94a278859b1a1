package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"

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
	list := gen.EventRecordList{Data: make([]gen.EventRecord, len(events))}
	for i, event := range events {
		if list.Data[i], err = apiEventRecord(event); err != nil {
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
	record, err := apiEventRecord(found)
	return gen.RetrieveEvent200JSONResponse{Body: gen.EventRecordData{Data: record}}, err
}

// ListEventTypes implements GET /v1/event-types.
func (s *Server) ListEventTypes(_ context.Context, _ gen.ListEventTypesRequestObject) (gen.ListEventTypesResponseObject, error) {
	described := each(s.store.ListEventTypes(), func(kind store.EventType) gen.EventTypeDescription { return s.eventTypes[kind] })
	return gen.ListEventTypes200JSONResponse{Body: gen.EventTypeCatalogue{Data: described}}, nil
}

// apiEventRecord passes the stored envelope on as it is, with the deliveries
// put behind its last member.
func apiEventRecord(event store.Event) (gen.EventRecord, error) {
	var record gen.EventRecord
	deliveries, err := json.Marshal(each(event.Deliveries, apiDelivery))
	if err != nil {
		return record, err
	}
	envelope := bytes.TrimSuffix([]byte(event.Body), []byte("}"))
	err = record.UnmarshalJSON(fmt.Appendf(envelope, `,"deliveries":%s}`, deliveries))
	return record, err
}

// describeEventTypes reads the description and the example of each event type
// from openapi.yaml. It fails for a type that openapi.yaml does not have.
func describeEventTypes(types []store.EventType) (map[store.EventType]gen.EventTypeDescription, error) {
	document, err := readContract()
	if err != nil {
		return nil, err
	}
	mapping := document.Components.Schemas["Event"].Value.Discriminator.Mapping
	all := make(map[store.EventType]gen.EventTypeDescription, len(types))
	for _, kind := range types {
		schema := document.Components.Schemas[path.Base(mapping[string(kind)].Ref)]
		if schema == nil {
			return nil, fmt.Errorf("openapi.yaml has no event type %s", kind)
		}
		described := gen.EventTypeDescription{Type: gen.EventType(kind), Description: schema.Value.Description}
		example, err := json.Marshal(schema.Value.Example)
		if err != nil {
			return nil, err
		}
		if err := described.Example.UnmarshalJSON(example); err != nil {
			return nil, err
		}
		all[kind] = described
	}
	return all, nil
}
