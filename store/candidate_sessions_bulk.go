package store

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"assay/store/internal/db"
)

// BulkRow is the outcome of one row: a session, which is new or existed already,
// or a refusal. Both are nil for a row whose invite was nil. A session that a dry run
// would create is nil, too.
type BulkRow struct {
	Session  *CandidateSession
	Created  bool
	Existing bool
	Refusal  *Error
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

// bulkGroupSize is how many rows share a transaction: enough to save most of the
// commits, and few enough that other writers do not wait long.
const bulkGroupSize = 50

// bulkPatience is how long after its start a bulk runs a group again that has taken too long for one transaction. The
// group waits for other requests that invite the same candidates, and on a busy machine they take long, too.
const bulkPatience = 30 * time.Second

// tookTooLong reports whether a transaction was rolled back because it took too long, and not because the caller left.
func tookTooLong(ctx context.Context, err error) bool {
	return ctx.Err() == nil && (errors.Is(err, errWriteTooLong) || db.TookTooLong(err))
}

// BulkInvite is the input of BulkCreateCandidateSessions.
type BulkInvite struct {
	Invites []*Invite // nil for a row that is skipped
	DryRun  bool      // return the outcomes and do nothing
}

// BulkCreateCandidateSessions runs CreateCandidateSession for each invite that is not
// nil. Each group of bulkGroupSize rows is one transaction. With an Idempotency-Key,
// the outcome of each group is stored: a request that is sent again after an
// interruption runs only the remaining groups. Refusal: delivery_quota_exceeded.
func (s *Store) BulkCreateCandidateSessions(ctx context.Context, scope Scope, in BulkInvite) ([]BulkRow, error) {
	used, err := s.quotaLoad(ctx, scope)
	if err != nil {
		return nil, err
	}
	if in.DryRun {
		return s.dryRun(ctx, scope, in.Invites, used)
	}
	rows := make(bulkRows, 0, len(in.Invites))
	replayed, began := true, s.Now()
	for first := 0; first < len(in.Invites); first += bulkGroupSize {
		var group bulkRows
		chosen := in.Invites[first:min(first+bulkGroupSize, len(in.Invites))]
		work := func(c conn) (err error) {
			replayed = false
			room := s.room(used)
			// The rows before are done. With a key, the client can repeat the request for the rest.
			if full := room.forDeliveries(); full != nil && (first == 0 || scope.Once != nil) {
				return full
			}
			group, err = c.bulkGroup(ctx, scope, chosen, room, false)
			if err != nil || first+bulkGroupSize < len(in.Invites) {
				return err
			}
			return c.auditBulk(ctx, scope, slices.Concat(rows, group)) // with the last group
		}
		err := oncePart(ctx, s, scope, strconv.Itoa(first), &group, work)
		for tookTooLong(ctx, err) && s.Now().Sub(began) < bulkPatience {
			err = oncePart(ctx, s, scope, strconv.Itoa(first), &group, work)
		}
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

// auditBulk records how many sessions of each assessment the rows have created.
func (c conn) auditBulk(ctx context.Context, scope Scope, rows bulkRows) error {
	created := map[string]int{}
	for _, row := range rows {
		if row.Created {
			created[row.Session.AssessmentID]++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(created)) {
		if err := c.audit(ctx, scope, AuditSessionsInvited, id, valueOf("created", created[id])); err != nil {
			return err
		}
	}
	return nil
}

// errDryRun rolls back the transaction of a dry run.
var errDryRun = errors.New("store: dry run")

// dryRun runs all invites in one transaction, because a row can depend on any earlier
// one, and rolls it back.
func (s *Store) dryRun(ctx context.Context, scope Scope, invites []*Invite, used *load) ([]BulkRow, error) {
	var rows bulkRows
	err := s.write(ctx, func(c conn) (err error) {
		room := s.room(used)
		if full := room.forDeliveries(); full != nil {
			return full
		}
		if rows, err = c.bulkGroup(ctx, scope, invites, room, true); err != nil {
			return err
		}
		return errDryRun
	})
	if !errors.Is(err, errDryRun) {
		return nil, err
	}
	created := map[string]bool{}
	for i, row := range rows {
		if row.Created {
			created[row.Session.ID] = true
		}
		if row.Session != nil && created[row.Session.ID] {
			rows[i].Session, rows[i].Existing = nil, !row.Created
		}
	}
	return rows, nil
}

// bulkGroup runs the invites that are not nil.
func (c conn) bulkGroup(
	ctx context.Context, scope Scope, invites []*Invite, room *room, dryRun bool,
) (bulkRows, error) {
	group, now := make(bulkRows, len(invites)), c.store.Now()
	// Made in the order of the rows, because lists are in the order of the ids.
	ids := make([]string, len(invites))
	for i := range ids {
		ids[i] = c.store.NewID("ses")
	}
	var order []int // of the invites that are not refused yet
	rows := make([]inviteRow, len(invites))
	for _, i := range inviteOrder(invites) {
		invites[i].id = ids[i]
		var err error
		if rows[i], err = c.inviteRow(ctx, scope, *invites[i], now); err == nil {
			order = append(order, i)
		} else if !errors.As(err, &group[i].Refusal) {
			return nil, err
		}
	}
	if err := c.guardGroup(ctx, scope, invites, rows, order, dryRun, now); err != nil {
		return nil, err
	}
	if err := c.insertInvites(ctx, rows, order, group, room); err != nil {
		return nil, err
	}
	for _, i := range order {
		if group[i].Session != nil {
			continue
		}
		invited, err := c.insertInvite(ctx, scope, *invites[i], rows[i], now, room)
		// A refusal of one row does not fail the group. What the row wrote before a
		// commitThenRefuse is committed with the group.
		if err == nil {
			group[i] = BulkRow{Session: &invited.Session, Created: invited.Created, Existing: !invited.Created}
		} else if !errors.As(err, &group[i].Refusal) {
			return nil, err
		}
	}
	return group, nil
}

// insertInvites inserts new sessions together, where the database can and there is room
// for all: the first of each candidate, on which the others depend. A row that it does not
// insert has no session in the group afterwards.
func (c conn) insertInvites(ctx context.Context, all []inviteRow, order []int, group bulkRows, room *room) error {
	count := int64(len(order))
	if room.sessions < count || room.queue <= count*max(1, c.store.opts.Quotas.Webhooks) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, db.MaxWriteTime/2) // leaves as much for the commit
	defer cancel()
	sessions := make([]CandidateSession, len(order))
	var rows []*db.Row
	for n, i := range order {
		if n == 0 || all[i].Order != all[order[n-1]].Order {
			if all[i].never != nil || all[i].known {
				continue
			}
			all[i].Returned = sessions[n].columns()
			rows = append(rows, &all[i].Row)
		}
	}
	if err := c.store.db.InsertRows(ctx, c.Conn, rows); err != nil {
		return err
	}
	for n, i := range order {
		if all[i].Inserted {
			group[i] = BulkRow{Session: &sessions[n], Created: true}
			c.tookSession(sessions[n], all[i].Dependent, room)
		}
	}
	return nil
}

// inviteOrder returns the indexes of the invites that are not nil, sorted by
// candidate. Two transactions that invite the same candidates in different orders
// could deadlock. Invites of one candidate keep their order.
func inviteOrder(invites []*Invite) []int {
	var order []int
	for i, invite := range invites {
		if invite != nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := invites[i], invites[j]
		return cmp.Or(cmp.Compare(a.AssessmentID, b.AssessmentID),
			cmp.Compare(emailKey(a.CandidateEmail), emailKey(b.CandidateEmail)))
	})
	return order
}
