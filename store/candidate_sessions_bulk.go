package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
)

// BulkRow is what became of one row: a session, new or there already, or a
// refusal. All are nil for a row that was not to be done.
type BulkRow struct {
	Session *CandidateSession
	Created bool
	Refusal *Error
}

type bulkRows []BulkRow

func (rows bulkRows) sessionIDs() []string {
	var ids []string
	for _, row := range rows {
		if row.Session != nil {
			ids = append(ids, row.Session.ID)
		}
	}
	return ids
}

// bulkGroup is how many rows share a transaction: enough to spare most of the
// commits, and few enough that others get their turn.
const bulkGroup = 50

// BulkCreatePublicCandidateSessions does what CreateCandidateSession does for
// each row, passing over those that are nil. A group of rows is one
// transaction, and with an Idempotency-Key one that is done once: when a
// request that was cut off is sent again, the groups that were done are not
// done again.
func (s *Store) BulkCreatePublicCandidateSessions(ctx context.Context, scope Scope, invites []*Invite) ([]BulkRow, error) {
	rows := make(bulkRows, 0, len(invites))
	replayed := true
	for first := 0; first < len(invites); first += bulkGroup {
		var group bulkRows
		chosen := invites[first:min(first+bulkGroup, len(invites))]
		err := s.repeatInvite(func() error {
			return oncePart(ctx, s, scope, strconv.Itoa(first), &group, func(c conn) error {
				replayed = false
				group = make(bulkRows, len(chosen))
				ids := make([]string, len(chosen)) // in the order of the rows, because lists are in that of the ids
				for i := range ids {
					ids[i] = s.NewID("ses")
				}
				for _, i := range inviteOrder(chosen) {
					invite := *chosen[i]
					invite.id = ids[i]
					var err error
					if group[i], err = c.bulkRow(ctx, scope, invite); err != nil {
						return err
					}
				}
				return nil
			})
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, group...)
	}
	if scope.Once != nil {
		scope.Once.Replayed = replayed
	}
	return rows, nil
}

// inviteOrder is in which order invites are made in one transaction: by their
// candidates, so that two transactions with the same ones do not wait for each
// other. Invites of one candidate stay as they are.
func inviteOrder(invites []*Invite) []int {
	var order []int
	for i, invite := range invites {
		if invite != nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := invites[i], invites[j]
		return cmp.Or(cmp.Compare(a.AssessmentID, b.AssessmentID), cmp.Compare(emailKey(a.CandidateEmail), emailKey(b.CandidateEmail)))
	})
	return order
}

func (c conn) bulkRow(ctx context.Context, scope Scope, invite Invite) (BulkRow, error) {
	session, created, err := c.invite(ctx, scope, invite)
	// Also when the row's writes are to be committed: they are part of the group's transaction.
	var refusal *Error
	if errors.As(err, &refusal) {
		return BulkRow{Refusal: refusal}, nil
	}
	return BulkRow{Session: &session, Created: created}, err
}
