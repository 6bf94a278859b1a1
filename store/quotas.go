package store

import "context"

// Quotas bound what one organization can have. Zero sets no bound.
type Quotas struct {
	Webhooks         int64 // endpoints that are not deleted
	APIKeys          int64 // keys that are neither revoked nor expired
	Members          int64 // members and open invitations
	Assessments      int64
	DefinitionBytes  int64 // of all assessments
	MediaBytes       int64 // of all pictures in texts
	LiveSessions     int64 // INVITED or IN_PROGRESS
	QueuedDeliveries int64
	Emails           int64 // sent in 24 hours; see emailLimits for emails that do not count
	NewEmails        int64 // the same, for the first 30 days of an organization that any client can register
}

// Usage is what an organization has of each quota. LiveSessions and QueuedDeliveries are up to
// loadLifetime old. NewEmails is not used.
type Usage Quotas

// usage returns what the organization uses. For a limited caller, only the assessments that the caller sees count, with
// their sessions, and neither deliveries nor emails. For a REVIEWER, nothing counts.
func (s *Store) usage(ctx context.Context, scope Scope) (Usage, error) {
	if scope.Role == Reviewer {
		return Usage{}, nil
	}
	used, err := s.read().countUsage(ctx, scope)
	if err != nil {
		return used, err
	}
	if scope.IsLimited() {
		return used, s.read().countSeen(ctx, scope, &used)
	}
	counted, err := s.load(ctx, scope.OrganizationID)
	if err != nil {
		return used, err
	}
	used.LiveSessions, used.QueuedDeliveries = counted.sessions.Load(), counted.deliveries.Load()
	used.Emails, err = s.read().sentEmails(ctx, scope.OrganizationID)
	return used, err
}

// countUsage counts everything except sessions and deliveries, in indexes alone.
func (c conn) countUsage(ctx context.Context, scope Scope) (Usage, error) {
	organization := scope.OrganizationID
	var used Usage
	err := c.Row(ctx, []any{&used.Webhooks, &used.APIKeys, &used.Members, &used.Assessments, &used.DefinitionBytes,
		&used.MediaBytes}, `
		SELECT
			(SELECT COUNT(*) FROM webhook_endpoints WHERE organization_id = ? AND deleted_at IS NULL),
			(SELECT COUNT(*) FROM api_keys WHERE organization_id = ? AND revoked_at IS NULL AND expires_at IS NULL) +
				(SELECT COUNT(*) FROM api_keys WHERE organization_id = ? AND revoked_at IS NULL AND expires_at > ?),
			(SELECT COUNT(*) FROM users WHERE organization_id = ? AND removed_at IS NULL) +
				(SELECT COUNT(*) FROM invitations WHERE organization_id = ?),
			a.assessments, a.definition_bytes,
			(SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM media WHERE organization_id = ?)
		FROM (SELECT COUNT(*) AS assessments, CAST(COALESCE(SUM(definition_bytes), 0) AS BIGINT) AS definition_bytes
			FROM assessments WHERE organization_id = ?) a`,
		organization, organization, organization, c.store.Now(), organization, organization, organization,
		organization)
	return used, err
}

// lockUsage is countUsage for a request that adds to what it counts. Such requests
// of one organization wait for each other, so that together they cannot exceed a quota.
//
// FOR NO KEY UPDATE permits new rows that refer to the organization, such as sessions.
func (c conn) lockUsage(ctx context.Context, scope Scope) (Usage, error) {
	var held string
	if err := c.Get(ctx, &held, `SELECT id FROM organizations WHERE id = ?`+c.store.db.ForNoKeyUpdate,
		scope.OrganizationID); err != nil {
		return Usage{}, orRefuse(err, errNoOrganization)
	}
	return c.countUsage(ctx, scope)
}

// requireWebhookRoom refuses a new endpoint at the quota.
func (c conn) requireWebhookRoom(ctx context.Context, scope Scope) error {
	return c.requireRoom(ctx, scope, Usage{Webhooks: 1})
}

// requireAPIKeyRoom refuses a new key at the quota.
func (c conn) requireAPIKeyRoom(ctx context.Context, scope Scope) error {
	return c.requireRoom(ctx, scope, Usage{APIKeys: 1})
}

// requireMemberRoom refuses a new member or invitation at the quota.
func (c conn) requireMemberRoom(ctx context.Context, scope Scope) error {
	return c.requireRoom(ctx, scope, Usage{Members: 1})
}

// requireRoom refuses what a request adds if it would exceed a quota. What it does
// not add can be above its quota, which the operator can lower.
func (c conn) requireRoom(ctx context.Context, scope Scope, added Usage) error {
	quotas := c.store.opts.Quotas
	if quotas == (Quotas{}) {
		return nil
	}
	used, err := c.lockUsage(ctx, scope)
	if err != nil {
		return err
	}
	for _, quota := range []struct {
		added, used, limit int64
		refusal            *Error
	}{
		{added.Webhooks, used.Webhooks, quotas.Webhooks, errWebhookQuota},
		{added.APIKeys, used.APIKeys, quotas.APIKeys, errAPIKeyQuota},
		{added.Members, used.Members, quotas.Members, errMemberQuota},
		{added.Assessments, used.Assessments, quotas.Assessments, errAssessmentQuota},
		{added.DefinitionBytes, used.DefinitionBytes, quotas.DefinitionBytes, errDefinitionQuota},
	} {
		if quota.added > 0 && quota.limit > 0 && quota.used+quota.added > quota.limit {
			return quota.refusal
		}
	}
	return nil
}
