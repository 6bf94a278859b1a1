package store

import (
	"context"
	"slices"

	"assay/store/rules"
)

// A REVIEWER sees the assessments of LimitedTo, and of their sessions those that are IN_REVIEW: without what tells who
// the candidate is, and without what others think of the candidate, so that only the answers count.

// reviewsOnly refuses a session that the caller does not see because it does not wait for a person. Every operation of
// a REVIEWER on a session begins with it. It is no part of conn.session, because a ruling returns the session that it
// has ended. Refusal: not_found.
func (s Scope) reviewsOnly(session CandidateSession) error {
	if s.Role == Reviewer && session.Status != rules.SessionInReview {
		return errNoSession
	}
	return nil
}

// readSession reads a session for an operation that changes nothing. Refusal: not_found.
func (c conn) readSession(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	session, err := c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	if err == nil {
		err = scope.reviewsOnly(session)
	}
	if err != nil {
		return CandidateSession{}, err
	}
	return session, nil
}

// reviewedBy narrows the filter of a REVIEWER to sessions in review. none reports that this is nothing: also for a
// filter or an order by what Shown removes, because no session that the REVIEWER sees has the value.
func (f SessionFilter) reviewedBy(scope Scope, sort SessionSort) (_ SessionFilter, none bool) {
	if scope.Role != Reviewer {
		return f, false
	}
	hidden := f
	hidden.AssessmentID, hidden.Statuses, hidden.Created, hidden.UpdatedSince = "", nil, TimeSpan{}, nil
	none = len(hidden.set()) > 0 || orderOf(sort).isNumber() ||
		len(f.Statuses) > 0 && !slices.Contains(f.Statuses, rules.SessionInReview)
	f.Statuses = []rules.SessionStatus{rules.SessionInReview}
	return f, none
}

// hiddenEmail is the placeholder for the address of a candidate whom a REVIEWER must not know. It is unique to the
// session, and no mail server has it.
func hiddenEmail(sessionID string) string { return "hidden+" + sessionID + "@hidden.invalid" }

// Shown returns the session as the caller sees it. It names what a REVIEWER sees, and not what is hidden, so that a
// later column is hidden too.
func (s Scope) Shown(session CandidateSession) CandidateSession {
	if s.Role != Reviewer {
		return session
	}
	return CandidateSession{
		ID: session.ID, OrganizationID: session.OrganizationID, AssessmentID: session.AssessmentID,
		AssessmentTitle: session.AssessmentTitle, CandidateName: session.ID, CandidateEmail: hiddenEmail(session.ID),
		MetadataJSON: "{}", Status: session.Status, InvitedAt: session.InvitedAt, ExpiresAt: session.ExpiresAt,
		StartedAt: session.StartedAt, InReviewSince: session.InReviewSince,
		CreatedAt: session.CreatedAt, UpdatedAt: session.UpdatedAt,
		ErasedAt: session.ErasedAt, Test: session.Test, EmailStatus: EmailNone, Revision: session.Revision,
	}
}

// shown returns the counts as the caller sees them.
func (c SessionCounts) shown(scope Scope) SessionCounts {
	if scope.Role != Reviewer {
		return c
	}
	return SessionCounts{rules.SessionInReview: c[rules.SessionInReview]}
}

// endSubscriptions ends all notifications of a person, who cannot see the results that they are about.
func (c conn) endSubscriptions(ctx context.Context, scope Scope, userID string, _ LimitedTo) error {
	_, err := c.Exec(ctx, `DELETE FROM assessment_subscriptions WHERE organization_id = ? AND user_id = ?`,
		scope.OrganizationID, userID)
	return err
}
