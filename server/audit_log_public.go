package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListPublicAuditLog implements GET /v1/public/audit-log.
func (s *Server) ListPublicAuditLog(
	ctx context.Context, request gen.ListPublicAuditLogRequestObject,
) (gen.ListPublicAuditLogResponseObject, error) {
	params := request.Params
	entries, next, err := s.store.ListPublicAuditLog(ctx, scopeOf(ctx), store.AuditFilter{
		Action: store.AuditAction(orZero(params.Action)), ActorID: orZero(params.ActorID),
		ResourceID: orZero(params.ResourceID), Since: instant(params.Since), Until: instant(params.Until),
	}, page(params.Limit, params.After))
	if err != nil {
		return nil, err
	}
	return gen.ListPublicAuditLog200JSONResponse{
		Headers: gen.ListPublicAuditLog200ResponseHeaders{Link: linkAfter(ctx, s.opts.BaseURL, next)},
		Body:    gen.AuditEntryList{Data: each(entries, apiAuditEntry)},
	}, nil
}

// ListPublicAuditLogChanges implements GET /v1/public/audit-log/changes.
func (s *Server) ListPublicAuditLogChanges(
	ctx context.Context, request gen.ListPublicAuditLogChangesRequestObject,
) (gen.ListPublicAuditLogChangesResponseObject, error) {
	page := changesPage(request.Params.Limit, request.Params.Cursor)
	changes, err := s.store.ListPublicAuditLogChanges(ctx, scopeOf(ctx), page)
	if err != nil {
		return nil, err
	}
	return gen.ListPublicAuditLogChanges200JSONResponse{
		Body: gen.AuditEntryChangesData{Data: gen.AuditEntryChanges{
			Items: each(changes.Items, apiAuditEntry), Cursor: changes.Cursor, HasMore: changes.More,
		}},
	}, nil
}

// ExportPublicAuditLog implements GET /v1/public/audit-log/export.
func (s *Server) ExportPublicAuditLog(
	ctx context.Context, request gen.ExportPublicAuditLogRequestObject,
) (gen.ExportPublicAuditLogResponseObject, error) {
	params := request.Params
	next, err := s.store.ExportPublicAuditLog(ctx, scopeOf(ctx), store.AuditFilter{
		Action: store.AuditAction(orZero(params.Action)), ActorID: orZero(params.ActorID),
		ResourceID: orZero(params.ResourceID), Since: instant(params.Since), Until: instant(params.Until),
	})
	if err != nil {
		return nil, err
	}
	return auditLogFile(ctx, next), nil
}
