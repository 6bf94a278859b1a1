package store

import (
	"context"
	"time"
)

// WaitingSessions are the sessions that wait until a person grades or decides.
type WaitingSessions struct {
	Attention[CandidateSession]            // the oldest first
	Overdue                     int        // those that wait for longer than promised
	OldestSince                 *time.Time // nil if none waits
}

// waitingSession is a session in review.
type waitingSession struct {
	AssessmentID  string `db:"assessment_id"`
	Since         Time   `db:"in_review_since"`
	PromisedHours int    `db:"promised_hours"`
}

func (w waitingSession) overdue(now time.Time) bool {
	return now.Sub(w.Since.Time) > GradingRules{PromisedHours: w.PromisedHours}.promised()
}

const (
	inReview      = `organization_id = ? AND in_review_since IS NOT NULL AND NOT test`
	inReviewOrder = ` ORDER BY in_review_since, id`
)

func (c conn) waitingSessions(ctx context.Context, scope Scope, o *Overview) error {
	waiting, err := c.oldestWaiting(ctx, scope)
	if err != nil || len(waiting) == 0 {
		return err
	}
	for _, session := range waiting {
		if session.overdue(o.At) {
			o.Waiting.Overdue = min(o.Waiting.Overdue+1, overviewCount)
		}
	}
	o.Waiting.OldestSince = &waiting[0].Since.Time
	if o.Waiting.Items, err = c.firstSessions(ctx, scope, inReview, inReviewOrder, scope.OrganizationID); err != nil {
		return err
	}
	rows, err := c.countSessionsUpTo(ctx, scope, inReview, inReviewOrder, scope.OrganizationID)
	o.Waiting.Count, o.Waiting.HasMore = counted(rows)
	return err
}

// oldestWaiting returns the sessions in review that the caller sees, the oldest first: one more than overviewCount at
// most.
func (c conn) oldestWaiting(ctx context.Context, scope Scope) ([]waitingSession, error) {
	from, args := c.seenSessions(scope, inReview, inReviewOrder, []any{scope.OrganizationID})
	var waiting []waitingSession
	err := c.List(ctx, &waiting, `
		SELECT s.assessment_id, s.in_review_since, a.promised_hours
		FROM (SELECT assessment_id, in_review_since, id`+from+inReviewOrder+` LIMIT ?) s
			JOIN assessments a ON a.id = s.assessment_id
		ORDER BY s.in_review_since, s.id`, append(args, overviewCount+1)...)
	return waiting, err
}
