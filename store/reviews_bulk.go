package store

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// BulkStateChange is the input of BulkChangeReviewStates.
type BulkStateChange struct {
	StateID string
	Reason  *string // can contain personal data; an erasure removes it
	Email   *ReviewEmailInput
	Rows    []*BulkStateRow // nil for a row that is skipped
}

// BulkStateRow is one candidate of a BulkStateChange.
type BulkStateRow struct {
	SessionID string
	From      *string // as in StateChange
}

// BulkStateOutcome is the outcome of one row. Changed and Refusal are zero for a row that was skipped, and for one that
// was in the state already.
type BulkStateOutcome struct {
	Changed bool
	Refusal *Error
	Email   *ReviewEmail // about the newest change of the state; nil without one
	Planned bool         // whether this request has planned the email
}

// bulkStateGroupSize is how many rows share a transaction. Each row writes about six.
const bulkStateGroupSize = 25

// BulkChangeReviewStates runs ChangeReviewState for each row that is not nil. Each group of bulkStateGroupSize rows is
// one transaction. A row that is refused does not fail the other rows. Refusals: invalid_request for the state and the
// email, email_not_configured.
func (s *Store) BulkChangeReviewStates(
	ctx context.Context, scope Scope, in BulkStateChange,
) ([]BulkStateOutcome, error) {
	planned, err := s.planEmails(ctx, scope, in.Email)
	if err != nil {
		return nil, err
	}
	if err := s.write(ctx, func(c conn) error { return c.checkState(ctx, scope, in.StateID) }); err != nil {
		return nil, err
	}
	outcomes, began := make([]BulkStateOutcome, len(in.Rows)), s.Now()
	for group := range slices.Chunk(rowOrder(in.Rows), bulkStateGroupSize) {
		work := func(c conn) error { return c.changeStates(ctx, scope, in, planned.again(), group, outcomes) }
		err := s.write(ctx, work)
		for tookTooLong(ctx, err) && s.Now().Sub(began) < bulkPatience {
			err = s.write(ctx, work)
		}
		if err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// BulkChangePublicReviewStates is BulkChangeReviewStates.
func (s *Store) BulkChangePublicReviewStates(
	ctx context.Context, scope Scope, in BulkStateChange,
) ([]BulkStateOutcome, error) {
	return s.BulkChangeReviewStates(ctx, scope, in)
}

// rowOrder returns the indexes of the rows that are not nil, sorted by session. Two requests that lock the same
// sessions in different orders could deadlock.
func rowOrder(rows []*BulkStateRow) []int {
	var order []int
	for i, row := range rows {
		if row != nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return strings.Compare(rows[i].SessionID, rows[j].SessionID) })
	return order
}

// checkState refuses a state in which no candidate can be put. It stores the states in a transaction of its own, which
// locks the organization before the first session is locked.
func (c conn) checkState(ctx context.Context, scope Scope, id string) error {
	if err := c.storeStates(ctx, scope); err != nil {
		return err
	}
	list, err := c.reviewStates(ctx, scope)
	if err != nil {
		return err
	}
	switch state, known := list.byID(id); {
	case !known:
		return errUnknownState
	case state.Archived:
		return errArchivedState
	}
	return nil
}

// changeStates sets the outcomes of the rows in the group.
func (c conn) changeStates(
	ctx context.Context, scope Scope, in BulkStateChange, planned *plannedEmails, group []int,
	outcomes []BulkStateOutcome,
) error {
	list, err := c.reviewStates(ctx, scope)
	if err != nil {
		return err
	}
	for _, i := range group {
		row, outcome := in.Rows[i], BulkStateOutcome{}
		session, err := c.reviewedSession(ctx, scope, row.SessionID)
		if err == nil {
			outcome.Changed, err = c.changeState(ctx, scope, session, list, StateChange{
				StateID: in.StateID, From: row.From, Reason: in.Reason, planned: planned,
			})
		}
		if err == nil {
			outcome.Email, err = c.newestReviewEmail(ctx, scope, session.ID)
		}
		outcome.Planned = planned != nil && outcome.Email != nil && outcome.Email.BatchID == planned.batchID
		if err != nil && !errors.As(err, &outcome.Refusal) {
			return err
		}
		outcomes[i] = outcome
	}
	return nil
}
