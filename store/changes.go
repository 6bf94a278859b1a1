package store

import (
	"context"
	"time"
)

// A list of changes is in the order of the last change of each item, so that a client can follow it: noted_at, which
// the database sets in the transaction of a change (migration 00041), and the id. It ends before the boundary of
// db.Settled. Nothing becomes visible before that later, so nothing that is committed is ever behind a cursor.
//
// updated_at could not be this order. It is the time of a replica, taken before the statement is sent. Its clock
// can differ, a process or a connection can stall between the two, and a later change can have an earlier updated_at.

// ChangesPage selects a page of a list of changes.
type ChangesPage struct {
	Limit  int
	Cursor string // of the previous page; "" for the first one
}

// Changes is a page of a list of changes. It can be short, or empty, and not be the last: see maxExamined.
type Changes[T any] struct {
	Items  []T
	Cursor string // from which the client continues, now or later; never ""
	More   bool
}

// change is the position of an item in the order of changes.
type change struct {
	ID      string `db:"id"`
	NotedAt Time   `db:"noted_at"`
}

func (c change) cursor() string { return encodeCursor(changeOrder, c.NotedAt.Time, c.ID) }

// changesAfter returns the position of a cursor. prefix is that of the ids.
func changesAfter(prefix, cursor string) (change, error) {
	if cursor == "" {
		return change{ID: prefix, NotedAt: Time{time.Unix(0, 0).UTC()}}, nil
	}
	var notedAt time.Time
	id := decodeCursor(cursor, changeOrder, &notedAt)
	if id == "" {
		return change{}, errCursorInvalid
	}
	return change{ID: id, NotedAt: Time{notedAt.UTC()}}, nil
}

// changeBatch is how many changes are examined at a time, if the page does not need fewer.
const changeBatch = 500

// followed is a list of changes.
type followed[T any] struct {
	prefix string // of the ids
	// query returns the changes after a position and before a time. Its arguments are the organization, the position, the
	// time, and the number of rows.
	query string
	// seen returns the ids that belong to the list, in any order.
	seen func(ctx context.Context, ids []string) ([]string, error)
	load func(ctx context.Context, ids []string) (map[string]T, error)
}

// changes returns a page of a list. It examines changes in batches, because most or all of them can be of items that
// the caller does not see.
func changes[T any](ctx context.Context, c conn, scope Scope, list followed[T], page ChangesPage) (Changes[T], error) {
	last, err := changesAfter(list.prefix, page.Cursor)
	if err != nil {
		return Changes[T]{}, err
	}
	settled, err := c.store.db.Settled(ctx)
	if err != nil {
		return Changes[T]{}, err
	}

	out := Changes[T]{Items: []T{}}
	chosen := []string{} // not nil, which would be null as an argument
	more := true
	for examined, size := 0, page.Limit+1; more && len(chosen) < page.Limit && examined < c.store.maxExamined; {
		var batch []change
		if err := c.List(ctx, &batch, list.query, scope.OrganizationID, last.NotedAt.Time, last.ID, settled.Before,
			size); err != nil {
			return out, err
		}
		more = len(batch) == size
		ids := make([]string, len(batch))
		for i, change := range batch {
			ids[i] = change.ID
		}
		seen, err := list.seen(ctx, ids)
		if err != nil {
			return out, err
		}
		isSeen := make(map[string]bool, len(seen))
		for _, id := range seen {
			isSeen[id] = true
		}
		for i, change := range batch {
			if len(chosen) == page.Limit {
				more = true
				break
			}
			if last, examined = change, examined+1; isSeen[ids[i]] {
				chosen = append(chosen, change.ID)
			}
		}
		size = min(changeBatch, c.store.maxExamined-examined)
	}

	items, err := list.load(ctx, chosen)
	if err != nil {
		return out, err
	}
	for _, id := range chosen {
		if item, exists := items[id]; exists {
			out.Items = append(out.Items, item)
		}
	}
	out.Cursor, out.More = last.cursor(), more
	return out, nil
}
