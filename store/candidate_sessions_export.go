package store

import "context"

// ExportCandidateSessions returns a function that returns the sessions that the filter
// selects, newest first, in batches, and none at the end. It writes an audit entry first.
func (s *Store) ExportCandidateSessions(
	ctx context.Context, scope Scope, in SessionFilter,
) (next func() ([]CandidateSession, error), err error) {
	err = s.write(ctx, func(c conn) error {
		return c.audit(ctx, scope, AuditSessionsExported, scope.OrganizationID)
	})
	page, done := SessionPage{Limit: exportBatch}, false
	return func() (batch []CandidateSession, err error) {
		for len(batch) == 0 && err == nil && !done { // a page can be empty and not the last
			var list SessionList
			list, err = s.stale().listSessions(ctx, scope, in, page)
			batch, page.After = list.Sessions, list.Next
			done = page.After == ""
		}
		return batch, err
	}, err
}
