package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"
)

// Insert is an INSERT … SELECT statement with its arguments, all of them in Select.
type Insert struct {
	Into   string // INSERT INTO table (columns)
	Select string // SELECT …
	End    string // what follows, for example ON CONFLICT and RETURNING
	Args   []any
}

// Text is the whole statement.
func (i Insert) Text() string { return i.Into + " " + i.Select + i.End }

// Row is a row to insert, and the rows that depend on it.
type Row struct {
	Insert              // at most one row; its first argument, and the first column that it returns, are the row's id
	Returned   []any    // scan targets of the columns that Insert returns
	Dependents []Insert // their Select ends where WHERE can follow, and they have no End
	Dependent  int64    // rows that the last dependent has inserted
	// Group is not empty if the row can share a statement with others of the same group. They
	// must differ only in their arguments, and their last dependents insert as many rows. They
	// are inserted in the order of Order, so that two statements do not wait for each other.
	Group, Order string
	Inserted     bool // set by InsertRows

	deadline time.Time // of the caller
	alone    bool
	err      error
}

// insertRow sends the statements of a row as one: each round trip is a large part of a
// short transaction's time. For one row, insertRows needs a third more CPU time.
func insertRow(ctx context.Context, c Conn, row *Row) error {
	query, args := "WITH inserted AS ("+row.Text()+")", slices.Clip(row.Args)
	for i, dependent := range row.Dependents {
		query += fmt.Sprintf(", dependent%d AS (%s WHERE EXISTS (SELECT 1 FROM inserted) RETURNING 1)", i, dependent.Text())
		args = append(args, dependent.Args...)
	}
	query += fmt.Sprintf(" SELECT inserted.*, (SELECT COUNT(*) FROM dependent%d) FROM inserted", len(row.Dependents)-1)
	return c.Row(ctx, append(slices.Clip(row.Returned), &row.Dependent), query, args...)
}

// InsertRow implements engine. Rows of one group that wait at the same time share a
// statement, because most of its cost does not depend on the number of rows.
func (e *postgresEngine) InsertRow(ctx context.Context, c Conn, row *Row) error {
	alone := func() error { return retry(func() error { return insertRow(ctx, c, row) }) }
	switch {
	case c.InTransaction():
		return insertRow(ctx, c, row)
	case row.Group == "":
		return alone()
	}
	ctx, cancel := bounded(ctx) // includes the wait
	defer cancel()
	row.deadline, _ = ctx.Deadline()
	row.Inserted, row.alone, row.err = false, false, nil
	if !e.inserts.Do(ctx, row.Group, row, func(take func() []*Row) { insertTogether(ctx, c, take()) }) {
		return ctx.Err()
	}
	switch {
	case row.alone:
		return alone()
	case row.err == nil && !row.Inserted:
		return sql.ErrNoRows
	}
	return row.err
}

// insertTogether inserts rows, the first of which is the caller's own.
func insertTogether(ctx context.Context, c Conn, rows []*Row) {
	if len(rows) == 1 {
		rows[0].err = retry(func() error { return insertRow(ctx, c, rows[0]) })
		rows[0].Inserted = rows[0].err == nil
		return
	}
	first := slices.MinFunc(rows, func(a, b *Row) int { return a.deadline.Compare(b.deadline) })
	// The end of one request must not disturb the others.
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), first.deadline)
	defer cancel()
	err := retry(func() error { return insertRows(ctx, c, rows) })
	var refused *pq.Error
	for _, row := range rows {
		// After another error, the rows may have been inserted.
		row.alone = errors.As(err, &refused) && !IsUnavailable(err) || errors.Is(err, errArgument)
		row.err = err
	}
}

// InsertRows implements engine.
func (e *postgresEngine) InsertRows(ctx context.Context, c Conn, rows []*Row) error {
	if len(rows) < 2 || slices.ContainsFunc(rows, func(row *Row) bool { return row.Group != rows[0].Group }) {
		return nil
	}
	err := insertRows(ctx, c, slices.Clone(rows))
	if errors.Is(err, errArgument) {
		return nil
	}
	return err
}

// errArgument is for an argument whose type newTable does not know.
var errArgument = errors.New("db: an argument has no type of a column")

// insertRows inserts rows with the same statements as one. The arguments of all rows are
// a table in JSON, and each statement selects from it once for each row.
func insertRows(ctx context.Context, c Conn, rows []*Row) error {
	slices.SortStableFunc(rows, func(a, b *Row) int { return strings.Compare(a.Order, b.Order) })
	byID := make(map[string]*Row, len(rows))
	for _, row := range rows {
		row.Inserted = false
		byID[row.Args[0].(string)] = row
	}
	table, err := newTable(rows)
	if err != nil {
		return err
	}
	first := rows[0]
	query := "WITH r AS MATERIALIZED (SELECT " + table.columns + " FROM jsonb_array_elements(CAST(? AS JSONB)))," +
		" inserted AS (" + first.Into + forEachRow("r", first.Select, 0) + first.End +
		"), done AS MATERIALIZED (SELECT r.* FROM r JOIN inserted i ON i.id = r.a0)"
	argument := len(first.Args)
	for i, dependent := range first.Dependents {
		query += fmt.Sprintf(", dependent%d AS (%s%s RETURNING 1)", i, dependent.Into,
			forEachRow("done", dependent.Select, argument))
		argument += len(dependent.Args)
	}
	query += fmt.Sprintf(" SELECT inserted.*, (SELECT COUNT(*) FROM dependent%d) FROM inserted", len(first.Dependents)-1)

	inserted, err := c.Rows(ctx, query, string(table.values))
	if err != nil {
		return err
	}
	defer func() { _ = inserted.Close() }()
	var id string
	find := []any{&id}
	for range first.Returned {
		find = append(find, skipped{})
	}
	count := int64(0)
	for inserted.Next() {
		if err := inserted.Scan(find...); err != nil {
			return err
		}
		row := byID[id]
		if err := inserted.Scan(append(slices.Clip(row.Returned), &row.Dependent)...); err != nil {
			return err
		}
		row.Inserted = true
		count++
	}
	for _, row := range rows {
		row.Dependent /= max(count, 1) // it is the sum of all rows
	}
	return errors.Join(inserted.Err(), inserted.Close())
}

// skipped is a scan target for a column that is not needed.
type skipped struct{}

// Scan implements sql.Scanner.
func (skipped) Scan(any) error { return nil }

// forEachRow selects from the table for each of its rows. The first argument of query is
// the column of that number.
func forEachRow(table, query string, argument int) string {
	var text strings.Builder
	text.WriteString(" SELECT x.* FROM " + table + " AS r CROSS JOIN LATERAL (")
	for part := range strings.SplitAfterSeq(query, "?") {
		before, isArgument := strings.CutSuffix(part, "?")
		text.WriteString(before)
		if isArgument {
			fmt.Fprintf(&text, "r.a%d", argument)
			argument++
		}
	}
	return text.String() + ") x"
}

// table is the arguments of rows.
type table struct {
	columns string // a0, a1, …, from the elements of an array
	values  []byte // JSON: an array for each row
}

// newTable gives each column the type of the first row's argument.
func newTable(rows []*Row) (table, error) {
	all := make([][]any, len(rows))
	for i, row := range rows {
		all[i] = slices.Clip(row.Args)
		for _, dependent := range row.Dependents {
			all[i] = append(all[i], dependent.Args...)
		}
	}
	columns := make([]string, len(all[0]))
	for i, arg := range all[0] {
		name, ok := columnType(reflect.TypeOf(arg))
		if !ok {
			return table{}, errArgument
		}
		columns[i] = fmt.Sprintf("CAST(value->>%d AS %s) AS a%d", i, name, i)
	}
	values, err := json.Marshal(all)
	return table{strings.Join(columns, ", "), values}, err
}

func columnType(t reflect.Type) (name string, ok bool) {
	if t == nil {
		return "", false
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "TIMESTAMPTZ", true
	case t.Kind() == reflect.String:
		return "TEXT", true
	case t.Kind() == reflect.Bool:
		return "BOOLEAN", true
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64:
		return "BIGINT", true
	}
	return "", false
}
