package store

import (
	"strconv"
	"strings"
	"time"

	"assay/store/internal/db"
)

// Page selects one page of a list.
type Page struct {
	Limit int
	After string // id of the last item of the previous page; "" for the first page
}

// cut removes the extra row that newestFirst selects, and reports whether there was one.
func cut[T any](rows []T, limit int) ([]T, bool) {
	if len(rows) > limit {
		return rows[:limit], true
	}
	return rows, false
}

// filter is the WHERE clause of a list with optional conditions. Conditions are
// literals of the calling method. Values are always arguments.
type filter struct {
	sql  strings.Builder
	args []any
}

func filterOf(scope Scope, page Page) *filter {
	f := &filter{args: []any{scope.OrganizationID}}
	f.sql.WriteString(" WHERE organization_id = ?")
	if page.After != "" {
		f.and("id < ?", page.After)
	}
	return f
}

func (f *filter) and(condition string, values ...any) {
	f.sql.WriteString(" AND " + condition)
	f.args = append(f.args, values...)
}

// updatedSince narrows a list to rows that changed at or after t, and goes back a
// little further: a row becomes visible at its commit, up to MaxWriteTime after
// the time in it. A client that continues from the time at which it requested the
// first page therefore misses nothing, and can receive a row twice. From the newest
// time it has seen, it can miss a row of an early page that changed meanwhile.
func (f *filter) updatedSince(t time.Time) {
	f.and("updated_at >= ?", overlapping(t))
}

func overlapping(t time.Time) time.Time { return t.UTC().Add(-db.MaxWriteTime) }

// atMost limits a subquery whose rows the rest of the statement looks up. For LIMIT ?, PostgreSQL expects a tenth of
// the table's rows, and reads the whole table instead.
func atMost(rows int) string { return " LIMIT " + strconv.Itoa(rows) }

// newestFirst completes a SELECT with the filter and the order of every list. It
// selects one row more than the page has.
func (f *filter) newestFirst(selected string, page Page) (query string, args []any) {
	return selected + f.sql.String() + " ORDER BY id DESC LIMIT ?", append(f.args, page.Limit+1)
}
