package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"assay/store/internal/db"
)

// maxExamined bounds the rows that a page examines when no index has all of its
// filters. The page can then be short, or empty, and is still not the last one. SQLite
// needs about 25 ms for so many rows.
const maxExamined = 5_000

// unindexed adds a condition that no index serves. Without statistics SQLite could
// otherwise choose the index of this column instead of the one in the order of the ids.
func (f *filter) unindexed(column string, value any) {
	f.and(column+" || '' = ?", value)
}

// created narrows a list to rows that were created at or after since, and before until.
// A row's id is made at its time or up to MaxWriteTime later, so that a range of ids
// contains the rows, and the index in the order of the ids finds them. stored is the
// form of an instant in the column created_at.
func (f *filter) created(table keptTable, since, until *time.Time, stored func(time.Time) any) {
	if since != nil {
		f.and(table.column+" >= ?", table.boundary(since.Add(-db.MaxWriteTime)))
		f.and("created_at >= ?", stored(*since))
	}
	if until != nil {
		f.and(table.column+" < ?", table.boundary(until.Add(db.MaxWriteTime)))
		f.and("created_at < ?", stored(*until))
	}
}

func storedInstant(t time.Time) any { return t.UTC() }
func storedMicros(t time.Time) any  { return t.UnixMicro() }

// examined reads the id of the last row that a page may examine, newest first, and
// narrows the filter to the rows up to it. It returns "" if there are fewer rows.
func (c conn) examined(ctx context.Context, table keptTable, f *filter) (last string, err error) {
	err = c.Get(ctx, &last, `SELECT `+table.column+` FROM `+table.name+f.sql.String()+
		` ORDER BY `+table.column+` DESC LIMIT 1 OFFSET ?`, append(slices.Clone(f.args), maxExamined-1)...)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err == nil {
		f.and(table.column+" >= ?", last)
	}
	return last, err
}

// pageEnd returns the part of the rows that is on the page, and the id after which the
// next page begins: "" on the last page. examined is the result of the function examined.
func pageEnd[T any](rows []T, limit int, examined string, id func(T) string) (page []T, next string) {
	if len(rows) > limit {
		return rows[:limit], id(rows[limit-1])
	}
	return rows, examined
}
