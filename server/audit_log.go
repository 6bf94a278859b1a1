package server

import (
	"context"
	"strings"

	"assay/gen"
	"assay/store"
)

// ListAuditLog implements GET /v1/audit-log.
func (s *Server) ListAuditLog(
	ctx context.Context, request gen.ListAuditLogRequestObject,
) (gen.ListAuditLogResponseObject, error) {
	params := request.Params
	entries, more, err := s.store.ListAuditLog(ctx, scopeOf(ctx), store.AuditFilter{
		Action: store.AuditAction(orZero(params.Action)), ActorID: orZero(params.ActorID),
		ResourceID: orZero(params.ResourceID), Since: instant(params.Since),
	}, page(params.Limit, params.After))
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, entries, more, func(entry store.AuditEntry) string { return entry.ID })
	return gen.ListAuditLog200JSONResponse{
		Headers: gen.ListAuditLog200ResponseHeaders{Link: next}, Body: gen.AuditEntryList{Data: each(entries, apiAuditEntry)},
	}, nil
}

// resourceTypes has the type of a resource for each prefix of an id.
var resourceTypes = map[string]gen.ResourceType{
	"org": gen.ResourceTypeORGANIZATION,
	"usr": gen.ResourceTypeUSER,
	"key": gen.ResourceTypeAPIKEY,
	"whk": gen.ResourceTypeWEBHOOK,
	"asm": gen.ResourceTypeASSESSMENT,
	"ses": gen.ResourceTypeCANDIDATESESSION,
}

func apiAuditEntry(entry store.AuditEntry) gen.AuditEntry {
	prefix, _, _ := strings.Cut(entry.ResourceID, "_")
	return gen.AuditEntry{
		ID: entry.ID, Action: string(entry.Action),
		Actor:    gen.AuditActor{Type: gen.ActorType(entry.ActorType), ID: orNull(entry.ActorID)},
		Resource: gen.AuditResource{Type: resourceTypes[prefix], ID: entry.ResourceID},
		IP:       entry.IP, RequestID: entry.RequestID, CreatedAt: timestamp(entry.CreatedAt),
	}
}
