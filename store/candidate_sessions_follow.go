package store

import (
	"context"
	"encoding/json"
)

// ListCandidateSessionChanges returns a page of the sessions in the order of their last changes, oldest first, without
// test sessions. Refusal: cursor_invalid.
//
// A session that changes after its position was read is returned as it then is. It also gets a later position, and is
// returned again.
func (s *Store) ListCandidateSessionChanges(
	ctx context.Context, scope Scope, page ChangesPage,
) (Changes[CandidateSession], error) {
	c := s.read()
	return changes(ctx, c, scope, followed[CandidateSession]{
		prefix: keptSessions.prefix, query: c.sessionChanges(),
		seen: func(ctx context.Context, ids []string) ([]string, error) { return c.shownSessions(ctx, scope, ids) },
		load: func(ctx context.Context, ids []string) (map[string]CandidateSession, error) {
			walk := &sessionWalk{conn: c, scope: scope}
			rows, err := walk.sessionsOf(ctx, ids)
			return byID(rows, func(session CandidateSession) string { return session.ID }), err
		},
	}, page)
}

// ListPublicCandidateSessionChanges is ListCandidateSessionChanges.
func (s *Store) ListPublicCandidateSessionChanges(
	ctx context.Context, scope Scope, page ChangesPage,
) (Changes[CandidateSession], error) {
	return s.ListCandidateSessionChanges(ctx, scope, page)
}

// hasSessionChanges reports whether candidate_session_changes has the times of the sessions' last changes, instead of
// an index of candidate_sessions, which every change would write on PostgreSQL.
func (s *Store) hasSessionChanges() bool { return s.db.RewritesIndexes }

func (c conn) sessionChanges() string {
	if c.store.hasSessionChanges() {
		return `SELECT session_id AS id, noted_at FROM candidate_session_changes
			WHERE organization = ? AND (noted_at, session_id) > (?, ?) AND noted_at < ?
			ORDER BY noted_at, session_id LIMIT ?`
	}
	return `SELECT id, noted_at FROM candidate_sessions` + c.store.db.IndexedBy("candidate_sessions_noted") + `
		WHERE organization_id = ? AND (noted_at, id) > (?, ?) AND noted_at < ? ORDER BY noted_at, id LIMIT ?`
}

// shownSessions returns the ids of the sessions that the caller sees, without test sessions.
func (c conn) shownSessions(ctx context.Context, scope Scope, ids []string) (seen []string, err error) {
	encoded, _ := json.Marshal(ids) // texts
	query := `SELECT id FROM ` + c.store.db.RowsByID("candidate_sessions", "sessions_by_id") + ` WHERE NOT test`
	args := []any{string(encoded), scope.OrganizationID}
	if scope.IsLimited() {
		query, args = query+` AND `+c.store.db.IsOneOf("assessment_id"), append(args, scope.seen())
	}
	err = c.List(ctx, &seen, query, args...)
	return seen, err
}

func byID[T any](rows []T, id func(T) string) map[string]T {
	found := make(map[string]T, len(rows))
	for _, row := range rows {
		found[id(row)] = row
	}
	return found
}
