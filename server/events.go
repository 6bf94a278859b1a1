package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"assay/gen"
	"assay/store"
)

// ListEvents implements GET /v1/events.
func (s *Server) ListEvents(
	ctx context.Context, request gen.ListEventsRequestObject,
) (gen.ListEventsResponseObject, error) {
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
	return gen.ListEventTypes200JSONResponse{Body: gen.EventTypeCatalogue{Data: s.eventTypes}}, nil
}

// apiEventRecord returns the stored envelope unchanged, with the deliveries
// appended after its last field.
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

// eventTypeCatalogue takes the descriptions and examples of the event types
// from openapi.yaml.
func eventTypeCatalogue() ([]gen.EventTypeDescription, error) {
	document, err := readContract()
	if err != nil {
		return nil, err
	}
	mapping := document.Components.Schemas["Event"].Value.Discriminator.Mapping
	var catalogue []gen.EventTypeDescription
	for _, value := range document.Components.Schemas["EventType"].Value.Enum {
		name, _ := value.(string)
		for schemaName, schema := range document.Components.Schemas {
			if mapping[name].Ref != "#/components/schemas/"+schemaName {
				continue
			}
			described := gen.EventTypeDescription{Type: gen.EventType(name), Description: schema.Value.Description}
			example, err := json.Marshal(schema.Value.Example)
			if err != nil {
				return nil, err
			}
			if err := described.Example.UnmarshalJSON(example); err != nil {
				return nil, err
			}
			catalogue = append(catalogue, described)
		}
	}
	return catalogue, nil
}
