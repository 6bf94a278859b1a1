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
	entries, next, err := s.store.ListAuditLog(ctx, scopeOf(ctx), store.AuditFilter{
		Action: store.AuditAction(orZero(params.Action)), ActorID: orZero(params.ActorID),
		ResourceID: orZero(params.ResourceID), Since: instant(params.Since), Until: instant(params.Until),
	}, page(params.Limit, params.After))
	if err != nil {
		return nil, err
	}
	return gen.ListAuditLog200JSONResponse{
		Headers: gen.ListAuditLog200ResponseHeaders{Link: linkAfter(ctx, s.opts.BaseURL, next)},
		Body:    gen.AuditEntryList{Data: each(entries, apiAuditEntry)},
	}, nil
}

// ExportAuditLog implements GET /v1/audit-log/export.
func (s *Server) ExportAuditLog(
	ctx context.Context, request gen.ExportAuditLogRequestObject,
) (gen.ExportAuditLogResponseObject, error) {
	params := request.Params
	next, err := s.store.ExportAuditLog(ctx, scopeOf(ctx), store.AuditFilter{
		Action: store.AuditAction(orZero(params.Action)), ActorID: orZero(params.ActorID),
		ResourceID: orZero(params.ResourceID), Since: instant(params.Since), Until: instant(params.Until),
	})
	if err != nil {
		return nil, err
	}
	return auditLogFile(ctx, next), nil
}

func auditLogFile(ctx context.Context, next func() ([]store.AuditEntry, error)) csvFile {
	header := []string{
		"id", "createdAt", "action", "actorType", "actorId", "actorName", "resourceType", "resourceId", "ip", "requestId",
		"changes",
	}
	return csvFile{name: "audit-log.csv", body: newCSV(ctx, header, func() ([][]string, error) {
		entries, err := next()
		return each(entries, auditRow), err
	})}
}

func auditRow(entry store.AuditEntry) []string {
	return []string{
		entry.ID, timestamp(entry.CreatedAt), string(entry.Action), string(entry.ActorType), orZero(entry.ActorID),
		orZero(entry.ActorName), resourceType(entry.ResourceID), entry.ResourceID, entry.IP, entry.RequestID,
		orZero(entry.ChangeList),
	}
}

// resourceTypes has the type of a resource for each prefix of an id.
var resourceTypes = map[string]gen.ResourceType{
	"org": gen.ResourceTypeORGANIZATION,
	"usr": gen.ResourceTypeUSER,
	"key": gen.ResourceTypeAPIKEY,
	"whk": gen.ResourceTypeWEBHOOK,
	"asm": gen.ResourceTypeASSESSMENT,
	"ses": gen.ResourceTypeCANDIDATESESSION,
	"med": gen.ResourceTypeMEDIA,
	"qbk": gen.ResourceTypeQUESTION,
	"hld": gen.ResourceTypeLEGALHOLD,
}

func resourceType(id string) gen.ResourceType {
	prefix, _, _ := strings.Cut(id, "_")
	return resourceTypes[prefix]
}

func apiAuditEntry(entry store.AuditEntry) gen.AuditEntry {
	return gen.AuditEntry{
		ID: entry.ID, Action: string(entry.Action),
		Actor: gen.AuditActor{
			Type: gen.ActorType(entry.ActorType), ID: entry.ActorID, Name: entry.ActorName,
		},
		Resource: gen.AuditResource{Type: resourceType(entry.ResourceID), ID: entry.ResourceID},
		Changes:  each(entry.Changes(), apiAuditChange),
		IP:       nullIfEmpty(entry.IP), RequestID: nullIfEmpty(entry.RequestID), CreatedAt: timestamp(entry.CreatedAt),
	}
}

func apiAuditChange(change store.AuditChange) gen.AuditChange {
	return gen.AuditChange{Field: change.Field, From: change.From, To: change.To}
}
