package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"assay/store/rules"
)

// Overview is what needs a person's attention.
type Overview struct {
	ExpiringInvites Attention[CandidateSession] // the next ones to expire first
	FailingWebhooks Attention[WebhookEndpoint]
	Drafts          Attention[Assessment]
	LatestResults   Attention[CandidateSession] // counted are those of the last latestFor
	SuspectedKeys   Attention[SuspectedKey]     // the newest suspicions first; those of the last suspectedFor
	At              time.Time
}

// Attention is the number of items of one kind, and a few of them.
type Attention[T any] struct {
	Count   int
	HasMore bool // there are more than Count
	Items   []T
}

const (
	overviewItems = 5
	overviewCount = 1000 // the highest exact count

	expiringWithin = 48 * time.Hour
	latestFor      = 7 * 24 * time.Hour
)

// RetrieveOverview returns what needs a person's attention. An endpoint is failing when
// its last attempt failed, or when Assay has disabled it. It uses several queries,
// each on an index and bounded.
func (s *Store) RetrieveOverview(ctx context.Context, scope Scope) (Overview, error) {
	o := Overview{At: s.Now()}
	c := s.read()
	for _, read := range []func(context.Context, Scope, *Overview) error{
		c.expiringInvites, c.failingWebhooks, c.drafts, c.latestResults, c.suspectedKeys,
	} {
		if err := read(ctx, scope, &o); err != nil {
			return Overview{}, err
		}
	}
	return o, nil
}

// counted limits a count to the rows that a person needs to know.
func counted(rows int) (count int, hasMore bool) {
	return min(rows, overviewCount), rows > overviewCount
}

func (c conn) expiringInvites(ctx context.Context, scope Scope, o *Overview) (err error) {
	const expiring = ` WHERE organization_id = ? AND status = 'INVITED' AND NOT test AND expires_at > ?
		AND expires_at <= ?`
	args := []any{scope.OrganizationID, o.At, o.At.Add(expiringWithin)}
	if o.ExpiringInvites.Items, err = c.sessions(ctx, sessionColumns+expiring+` ORDER BY expires_at, id LIMIT ?`,
		append(args, overviewItems)...); err != nil {
		return err
	}
	var rows int
	err = c.Get(ctx, &rows, `SELECT COUNT(*) FROM (SELECT 1 FROM candidate_sessions`+expiring+` LIMIT ?) AS bounded`,
		append(args, overviewCount+1)...)
	o.ExpiringInvites.Count, o.ExpiringInvites.HasMore = counted(rows)
	return err
}

func (c conn) failingWebhooks(ctx context.Context, scope Scope, o *Overview) error {
	const failing = ` WHERE organization_id = ? AND deleted_at IS NULL
		AND (enabled AND consecutive_failures > 0 OR NOT enabled AND disabled_reason <> 'MANUAL')`
	if err := c.List(ctx, &o.FailingWebhooks.Items, webhookColumns+failing+` ORDER BY id DESC LIMIT ?`,
		scope.OrganizationID, overviewItems); err != nil {
		return err
	}
	var rows int
	err := c.Get(ctx, &rows, `SELECT COUNT(*) FROM (SELECT 1 FROM webhook_endpoints`+failing+` LIMIT ?) AS bounded`,
		scope.OrganizationID, overviewCount+1)
	o.FailingWebhooks.Count, o.FailingWebhooks.HasMore = counted(rows)
	return err
}

func (c conn) drafts(ctx context.Context, scope Scope, o *Overview) error {
	if err := c.List(ctx, &o.Drafts.Items, assessmentColumns+`
		WHERE organization_id = ? AND status = 'DRAFT' ORDER BY id DESC LIMIT ?`,
		scope.OrganizationID, overviewItems); err != nil {
		return err
	}
	var rows int
	err := c.Get(ctx, &rows, `
		SELECT COUNT(*) FROM (SELECT 1 FROM assessments WHERE organization_id = ? AND status = 'DRAFT' LIMIT ?) AS bounded`,
		scope.OrganizationID, overviewCount+1)
	o.Drafts.Count, o.Drafts.HasMore = counted(rows)
	return err
}

// latestResults reads completed and disqualified sessions from one index each.
func (c conn) latestResults(ctx context.Context, scope Scope, o *Overview) error {
	completed, err := c.sessions(ctx, sessionColumns+`
		WHERE organization_id = ? AND completed_at IS NOT NULL AND NOT test ORDER BY completed_at DESC, id DESC LIMIT ?`,
		scope.OrganizationID, overviewItems)
	if err != nil {
		return err
	}
	disqualified, err := c.sessions(ctx, sessionColumns+`
		WHERE organization_id = ? AND disqualified_at IS NOT NULL AND NOT test
		ORDER BY disqualified_at DESC, id DESC LIMIT ?`, scope.OrganizationID, overviewItems)
	if err != nil {
		return err
	}
	latest := slices.Concat(completed, disqualified)
	slices.SortFunc(latest, func(a, b CandidateSession) int {
		return cmp.Or(endOf(b).Compare(endOf(a)), cmp.Compare(b.ID, a.ID))
	})
	o.LatestResults.Items = latest[:min(len(latest), overviewItems)]

	var rows int
	since := o.At.Add(-latestFor)
	err = c.Get(ctx, &rows, `
		SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM candidate_sessions
				WHERE organization_id = ? AND completed_at IS NOT NULL AND NOT test AND completed_at > ? LIMIT ?) AS c)
			+ (SELECT COUNT(*) FROM (SELECT 1 FROM candidate_sessions
				WHERE organization_id = ? AND disqualified_at IS NOT NULL AND NOT test AND disqualified_at > ? LIMIT ?) AS d)`,
		scope.OrganizationID, since, overviewCount+1, scope.OrganizationID, since, overviewCount+1)
	o.LatestResults.Count, o.LatestResults.HasMore = counted(rows)
	return err
}

// endOf is when a finished session ended.
func endOf(session CandidateSession) time.Time {
	if session.Status == rules.SessionCompleted {
		return session.CompletedAt.Time
	}
	return session.DisqualifiedAt.Time
}
