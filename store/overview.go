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
	Waiting         WaitingSessions
	ExpiringInvites Attention[CandidateSession] // the next ones to expire first
	FailingWebhooks Attention[WebhookEndpoint]
	Drafts          Attention[Assessment]
	LatestResults   Attention[CandidateSession] // counted are the results of the last latestFor
	SuspectedKeys   Attention[SuspectedKey]     // the newest suspicions first, of the last suspectedFor
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
		c.waitingSessions, c.expiringInvites, c.failingWebhooks, c.drafts, c.latestResults, c.suspectedKeys,
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

// seenSessions is FROM with the sessions that a condition selects and the caller sees. Of a limited caller, it examines
// the first maxExamined sessions in the order.
func (c conn) seenSessions(scope Scope, condition, order string, args []any) (from string, all []any) {
	from = ` FROM candidate_sessions WHERE ` + condition
	if !scope.IsLimited() {
		return from, args
	}
	return ` FROM (SELECT *` + from + order + atMost(c.store.maxExamined) + `) candidate_sessions WHERE ` +
		c.store.db.IsOneOf("assessment_id"), append(slices.Clone(args), scope.seen())
}

// firstSessions returns the first of the sessions of seenSessions.
func (c conn) firstSessions(
	ctx context.Context, scope Scope, condition, order string, args ...any,
) ([]CandidateSession, error) {
	from, all := c.seenSessions(scope, condition, order, args)
	return c.sessions(ctx, `SELECT `+sessionColumnList+from+order+` LIMIT ?`, append(all, overviewItems)...)
}

// countSessionsUpTo counts the sessions of seenSessions, up to one more than overviewCount.
func (c conn) countSessionsUpTo(
	ctx context.Context, scope Scope, condition, order string, args ...any,
) (rows int, err error) {
	from, all := c.seenSessions(scope, condition, order, args)
	err = c.Get(ctx, &rows, `SELECT COUNT(*) FROM (SELECT 1`+from+` LIMIT ?) AS bounded`, append(all, overviewCount+1)...)
	if err != nil || !scope.IsLimited() {
		return rows, err
	}
	var examined int
	err = c.Get(ctx, &examined, `SELECT COUNT(*) FROM (SELECT 1 FROM candidate_sessions WHERE `+condition+
		` LIMIT ?) AS bounded`, append(slices.Clone(args), c.store.maxExamined)...)
	if examined == c.store.maxExamined { // there can be others that the caller sees
		rows = overviewCount + 1
	}
	return rows, err
}

func (c conn) expiringInvites(ctx context.Context, scope Scope, o *Overview) (err error) {
	const order = ` ORDER BY expires_at, id`
	const expiring = `organization_id = ? AND status = 'INVITED' AND NOT test AND expires_at > ? AND expires_at <= ?`
	args := []any{scope.OrganizationID, o.At, o.At.Add(expiringWithin)}
	if o.ExpiringInvites.Items, err = c.firstSessions(ctx, scope, expiring, order, args...); err != nil {
		return err
	}
	rows, err := c.countSessionsUpTo(ctx, scope, expiring, order, args...)
	o.ExpiringInvites.Count, o.ExpiringInvites.HasMore = counted(rows)
	return err
}

func (c conn) failingWebhooks(ctx context.Context, scope Scope, o *Overview) error {
	if scope.IsLimited() {
		return nil
	}
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
	drafts := filterOf(scope, Page{})
	drafts.and("status = 'DRAFT'")
	c.onlySeen(drafts, scope, "id")
	if err := c.List(ctx, &o.Drafts.Items, assessmentColumns+drafts.sql.String()+` ORDER BY id DESC LIMIT ?`,
		append(slices.Clone(drafts.args), overviewItems)...); err != nil {
		return err
	}
	var rows int
	err := c.Get(ctx, &rows, `SELECT COUNT(*) FROM (SELECT 1 FROM assessments`+drafts.sql.String()+` LIMIT ?) AS bounded`,
		append(drafts.args, overviewCount+1)...)
	o.Drafts.Count, o.Drafts.HasMore = counted(rows)
	return err
}

// latestResults reads completed and disqualified sessions from one index each.
func (c conn) latestResults(ctx context.Context, scope Scope, o *Overview) error {
	var latest []CandidateSession
	total, since := 0, o.At.Add(-latestFor)
	for _, end := range []string{"completed_at", "disqualified_at"} {
		ended, order := `organization_id = ? AND `+end+` IS NOT NULL AND NOT test`, ` ORDER BY `+end+` DESC, id DESC`
		found, err := c.firstSessions(ctx, scope, ended, order, scope.OrganizationID)
		if err != nil {
			return err
		}
		latest = append(latest, found...)
		rows, err := c.countSessionsUpTo(ctx, scope, ended+` AND `+end+` > ?`, order, scope.OrganizationID, since)
		if err != nil {
			return err
		}
		total += rows
	}
	slices.SortFunc(latest, func(a, b CandidateSession) int {
		return cmp.Or(endOf(b).Compare(endOf(a)), cmp.Compare(b.ID, a.ID))
	})
	o.LatestResults.Items = latest[:min(len(latest), overviewItems)]
	o.LatestResults.Count, o.LatestResults.HasMore = counted(total)
	return nil
}

// endOf is when a finished session ended.
func endOf(session CandidateSession) time.Time {
	if session.Status == rules.SessionCompleted {
		return session.CompletedAt.Time
	}
	return session.DisqualifiedAt.Time
}
