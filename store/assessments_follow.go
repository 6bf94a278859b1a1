package store

import (
	"context"
	"encoding/json"

	"assay/store/rules"
)

// ListAssessmentChanges returns a page of the assessments in the order of their last changes, oldest first, without
// their definitions. Refusal: cursor_invalid.
func (s *Store) ListAssessmentChanges(ctx context.Context, scope Scope, page ChangesPage) (Changes[Assessment], error) {
	return s.assessmentChanges(ctx, scope, page, countedColumns)
}

// ListPublicAssessmentChanges is ListAssessmentChanges without drafts. It has archived assessments, so that a client
// learns of the end of a published one.
func (s *Store) ListPublicAssessmentChanges(
	ctx context.Context, scope Scope, page ChangesPage,
) (Changes[Assessment], error) {
	return s.assessmentChanges(ctx, scope, page, assessmentColumns, rules.AssessmentPublished, rules.AssessmentArchived)
}

func (s *Store) assessmentChanges(
	ctx context.Context, scope Scope, page ChangesPage, selected string, statuses ...rules.AssessmentStatus,
) (Changes[Assessment], error) {
	c := s.read()
	of := func(ids []string) *filter {
		encoded, _ := json.Marshal(ids) // texts
		where := filterOf(scope, Page{})
		where.and(s.db.IsOneOf("id"), string(encoded))
		c.onlySeen(where, scope, "id")
		if len(statuses) > 0 {
			where.and("status IN (?, ?)", anys(statuses)...)
		}
		return where
	}
	return changes(ctx, c, scope, followed[Assessment]{
		prefix: "asm", query: c.assessmentChanges(),
		seen: func(ctx context.Context, ids []string) (seen []string, err error) {
			where := of(ids)
			err = c.List(ctx, &seen, `SELECT id FROM assessments`+where.sql.String(), where.args...)
			return seen, err
		},
		load: func(ctx context.Context, ids []string) (map[string]Assessment, error) {
			where := of(ids)
			var rows []Assessment
			err := c.List(ctx, &rows, selected+where.sql.String(), where.args...)
			return byID(rows, func(assessment Assessment) string { return assessment.ID }), err
		},
	}, page)
}

func (c conn) assessmentChanges() string {
	return `SELECT id, noted_at FROM assessments` + c.store.db.IndexedBy("assessments_noted") + `
		WHERE organization_id = ? AND (noted_at, id) > (?, ?) AND noted_at < ? ORDER BY noted_at, id LIMIT ?`
}
