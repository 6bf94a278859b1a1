package store

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Members get one email a day while grades or decisions are overdue. It names assessments and no candidates.

const (
	digestInterval = 24 * time.Hour
	// maxDigestMembers is how many members of an organization get the email in one run.
	maxDigestMembers = 1000
)

// WaitingContent says what waits for a person.
type WaitingContent struct {
	Assessments []WaitingAssessment // the oldest first
	AllURL      string              // the list of sessions in review in the dashboard
}

// Count is the number of sessions that wait for too long.
func (w WaitingContent) Count() (count int) {
	for _, assessment := range w.Assessments {
		count += assessment.Overdue
	}
	return count
}

// WaitingAssessment is an assessment with sessions that wait for longer than promised.
type WaitingAssessment struct {
	Title       string
	Overdue     int // at most overviewCount
	OldestSince time.Time
}

// digestMember is a member who can get the email.
type digestMember struct {
	ID        string    `db:"id"`
	LimitedTo LimitedTo `db:"limited_to"`
}

// UnscopedQueueDigests queues the email of the day for each member who sees an assessment with overdue sessions.
// Several processes can call it at once.
func (s *Store) UnscopedQueueDigests(ctx context.Context) error {
	if !s.opts.SendsEmail {
		return nil
	}
	var organizations []string
	if err := s.read().List(ctx, &organizations, `
		SELECT DISTINCT organization_id FROM candidate_sessions WHERE in_review_since IS NOT NULL AND NOT test`); err != nil {
		return err
	}
	for _, id := range organizations {
		if err := s.queueDigests(ctx, Scope{OrganizationID: id}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) queueDigests(ctx context.Context, scope Scope) error {
	c, now := s.read(), s.Now()
	overdue, err := c.overdueSessions(ctx, scope, now)
	if err != nil || len(overdue) == 0 {
		return err
	}
	var members []digestMember
	if err := c.List(ctx, &members, `
		SELECT id, `+limitColumn+` FROM users u
		WHERE organization_id = ? AND removed_at IS NULL AND deactivated_at IS NULL
			AND NOT EXISTS (SELECT 1 FROM grading_digests d WHERE d.user_id = u.id AND d.queued_at > ?)
		ORDER BY id LIMIT ?`, scope.OrganizationID, now.Add(-digestInterval), maxDigestMembers); err != nil {
		return err
	}
	for _, member := range members {
		seen := Scope{LimitedTo: member.LimitedTo}
		if !slices.ContainsFunc(overdue, func(w waitingSession) bool { return seen.SeesAssessment(w.AssessmentID) }) {
			continue
		}
		if err := s.write(ctx, func(c conn) error { return c.queueDigest(ctx, scope, member.ID, now) }); err != nil {
			return err
		}
	}
	return nil
}

func (c conn) queueDigest(ctx context.Context, scope Scope, userID string, now time.Time) error {
	first, err := c.Exec(ctx, `
		INSERT INTO grading_digests (user_id, organization_id, queued_at) VALUES (?, ?, ?)
		ON CONFLICT (user_id) DO UPDATE SET queued_at = excluded.queued_at WHERE grading_digests.queued_at <= ?`,
		userID, scope.OrganizationID, now, now.Add(-digestInterval))
	if err != nil || first == 0 { // another process has queued it since
		return err
	}
	return c.queueEmail(ctx, newEmail{kind: EmailWaiting, organizationID: scope.OrganizationID, userID: &userID})
}

// overdueSessions are the sessions that the caller sees and that wait for longer than promised.
func (c conn) overdueSessions(ctx context.Context, scope Scope, now time.Time) ([]waitingSession, error) {
	waiting, err := c.oldestWaiting(ctx, scope)
	return slices.DeleteFunc(waiting, func(w waitingSession) bool { return !w.overdue(now) }), err
}

// waitingEmail is the content of WAITING. The email is not needed if nothing is overdue any more.
func (s *Store) waitingEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	c := s.read()
	content, user, err := c.memberEmail(ctx, scope, e, "")
	if err != nil || content == nil {
		return nil, err
	}
	var member digestMember
	if err := c.Get(ctx, &member, `SELECT id, `+limitColumn+` FROM users WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, user.ID); err != nil {
		return nil, err
	}
	scope.LimitedTo = member.LimitedTo
	overdue, err := c.overdueSessions(ctx, scope, s.Now())
	if err != nil || len(overdue) == 0 {
		return nil, err
	}
	content.Waiting, err = c.waitingContent(ctx, scope, overdue)
	return content, err
}

func (c conn) waitingContent(ctx context.Context, scope Scope, overdue []waitingSession) (*WaitingContent, error) {
	found := map[string]*WaitingAssessment{}
	for _, session := range overdue { // the oldest first
		if found[session.AssessmentID] == nil {
			assessment, err := c.content(ctx, scope, session.AssessmentID)
			if err != nil {
				return nil, err
			}
			found[session.AssessmentID] = &WaitingAssessment{Title: assessment.Title, OldestSince: session.Since.Time}
		}
		found[session.AssessmentID].Overdue++
	}
	content := &WaitingContent{AllURL: c.store.dashboard("candidates") + "?status=IN_REVIEW"}
	for _, assessment := range found {
		content.Assessments = append(content.Assessments, *assessment)
	}
	slices.SortFunc(content.Assessments, func(a, b WaitingAssessment) int {
		return cmp.Or(a.OldestSince.Compare(b.OldestSince), cmp.Compare(a.Title, b.Title))
	})
	return content, nil
}

// UnscopedOldestReview is since when the oldest session has waited for a person, in all organizations; nil if none
// waits.
func (s *Store) UnscopedOldestReview(ctx context.Context) (*time.Time, error) {
	var oldest *Time
	err := s.db.DispatcherRead().Row(ctx, []any{&oldest}, `
		SELECT MIN(in_review_since) FROM candidate_sessions WHERE in_review_since IS NOT NULL AND NOT test`)
	return timePtr(oldest), err
}
