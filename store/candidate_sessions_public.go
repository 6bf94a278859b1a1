package store

import "context"

// The operations of integrations. They differ from those of people in the
// credential only, which the server checks.

// ListPublicCandidateSessions is ListCandidateSessions. Refusal: insufficient_scope.
func (s *Store) ListPublicCandidateSessions(
	ctx context.Context, scope Scope, in SessionFilter, page SessionPage,
) (SessionList, error) {
	if (len(in.States) > 0 || len(in.Tags) > 0 || in.MinRating != nil) && !scope.MayReadReviews() {
		return SessionList{}, errReviewsNotReadable
	}
	return s.ListCandidateSessions(ctx, scope, in, page)
}

// CreatePublicCandidateSession is CreateCandidateSession.
func (s *Store) CreatePublicCandidateSession(ctx context.Context, scope Scope, in Invite) (Invited, error) {
	return s.CreateCandidateSession(ctx, scope, in)
}

// RetrievePublicCandidateSession is RetrieveCandidateSession.
func (s *Store) RetrievePublicCandidateSession(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	return s.RetrieveCandidateSession(ctx, scope, id)
}

// CancelPublicCandidateSession is CancelCandidateSession.
func (s *Store) CancelPublicCandidateSession(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	return s.CancelCandidateSession(ctx, scope, id)
}

// ResendPublicCandidateSession is ResendCandidateSession.
func (s *Store) ResendPublicCandidateSession(
	ctx context.Context, scope Scope, id string, in Resend,
) (CandidateSession, error) {
	return s.ResendCandidateSession(ctx, scope, id, in)
}

// BulkCreatePublicCandidateSessions is BulkCreateCandidateSessions.
func (s *Store) BulkCreatePublicCandidateSessions(ctx context.Context, scope Scope, in BulkInvite) ([]BulkRow, error) {
	return s.BulkCreateCandidateSessions(ctx, scope, in)
}

// ErasePublicCandidateData is EraseCandidateData.
func (s *Store) ErasePublicCandidateData(ctx context.Context, scope Scope, id string) error {
	return s.EraseCandidateData(ctx, scope, id)
}
