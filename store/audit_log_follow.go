package store

import (
	"context"
	"encoding/json"
)

// ListPublicAuditLog is ListAuditLog.
func (s *Store) ListPublicAuditLog(
	ctx context.Context, scope Scope, in AuditFilter, page Page,
) ([]AuditEntry, string, error) {
	return s.ListAuditLog(ctx, scope, in, page)
}

// ExportPublicAuditLog is ExportAuditLog.
func (s *Store) ExportPublicAuditLog(
	ctx context.Context, scope Scope, in AuditFilter,
) (func() ([]AuditEntry, error), error) {
	return s.ExportAuditLog(ctx, scope, in)
}

// ListPublicAuditLogChanges returns a page of the entries in the order in which they were written, oldest first. An
// entry that auditEdit changes gets a later position, and is returned again. Refusal: cursor_invalid.
func (s *Store) ListPublicAuditLogChanges(
	ctx context.Context, scope Scope, page ChangesPage,
) (Changes[AuditEntry], error) {
	s.flushEntries(ctx)
	c := s.read()
	return changes(ctx, c, scope, followed[AuditEntry]{
		prefix: keptAudit.prefix, query: c.auditChanges(),
		seen: func(_ context.Context, ids []string) ([]string, error) { return ids, nil },
		load: func(ctx context.Context, ids []string) (map[string]AuditEntry, error) {
			encoded, _ := json.Marshal(ids) // texts
			var rows []AuditEntry
			err := c.List(ctx, &rows, `
				SELECT a.id, a.action, a.actor_type, a.actor_id, `+actorName+` AS actor_name, a.resource_id, a.ip,
					a.request_id, a.created_at, a.changes
				FROM (SELECT audit_log.* FROM `+s.db.RowsByID("audit_log", "audit_log_organization")+`) a`,
				string(encoded), scope.OrganizationID)
			return byID(rows, func(entry AuditEntry) string { return entry.ID }), err
		},
	}, page)
}

func (c conn) auditChanges() string {
	return `SELECT id, noted_at FROM audit_log` + c.store.db.IndexedBy("audit_log_noted") + `
		WHERE organization_id = ? AND (noted_at, id) > (?, ?) AND noted_at < ? ORDER BY noted_at, id LIMIT ?`
}
