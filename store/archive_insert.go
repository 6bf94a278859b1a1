package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay/store/archive"
	"assay/store/internal/db"
)

// insertSizes are the numbers of rows of one statement, so that each table has few statements to prepare.
var insertSizes = []int{64, 8, 1}

// insertArchived inserts rows of an archive that the database lacks, and what triggers have written for them becomes
// what the archive has. A row with the same key and the same content is accepted.
func (c conn) insertArchived(ctx context.Context, table archive.Table, batch []importRow) error {
	if table.Name == "service_heartbeat" { // a check of readiness may have written one
		if _, err := c.Exec(ctx, `DELETE FROM service_heartbeat WHERE id = 1`); err != nil {
			return err
		}
	}
	for rest := batch; len(rest) > 0; {
		size := insertSizes[0]
		for _, size = range insertSizes {
			if size <= len(rest) {
				break
			}
		}
		if err := c.insertChunk(ctx, table, rest[:size]); err != nil {
			return err
		}
		rest = rest[size:]
	}
	if err := c.restoreNotedAt(ctx, table, batch); err != nil || table.Name != "candidate_sessions" {
		return err
	}
	// A trigger has queued each new session. The statistics of the archive count those that are not in its own queue.
	ids := make([]string, 0, len(batch))
	for _, row := range batch {
		ids = append(ids, row.values[table.Column("id")].(string))
	}
	encoded, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `DELETE FROM statistics_queue WHERE `+c.store.db.IsOneOf("session_id"), string(encoded))
	return err
}

// insertArchivedInto begins the statement that inserts rows.
func insertArchivedInto(table archive.Table, rows int) string {
	columns := make([]string, 0, len(table.Columns))
	for _, column := range table.Columns {
		columns = append(columns, column.Name)
	}
	one := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	return fmt.Sprintf(`INSERT INTO %s (%s) VALUES `, table.Name, strings.Join(columns, ", ")) +
		strings.Repeat(one+", ", rows-1) + one
}

// insertChunk inserts as many rows as one statement has.
func (c conn) insertChunk(ctx context.Context, table archive.Table, chunk []importRow) error {
	into := c.store.storedTable(table)
	args := make([]any, 0, len(chunk)*len(into.Columns))
	for _, row := range chunk {
		sealed, err := c.store.sealArchived(table, row.values)
		if err != nil {
			return err
		}
		args = append(args, sealed[:len(into.Columns)]...)
	}
	inserted, err := c.Exec(ctx, insertArchivedInto(into, len(chunk))+` ON CONFLICT DO NOTHING`, args...)
	if err != nil {
		if db.IsConstraint(err) && len(chunk) > 0 {
			err = refuseImport("%s and the next rows do not fit: %w", rowName(table, chunk[0].values), err)
		}
		return err
	}
	if inserted == int64(len(chunk)) {
		return nil
	}
	for _, row := range chunk {
		present, err := c.presentLine(ctx, table, row.values)
		if err != nil {
			return err
		}
		if present == nil {
			return c.explainConflict(ctx, table, row)
		}
		if same, err := sameRow(table, present, row); err != nil {
			return err
		} else if !same {
			return refuseImport("the database has other content for %s", rowName(table, row.values))
		}
	}
	return nil
}

// sameRow reports whether a row of the database is that of the archive, except noted_at, which a trigger has just set.
func sameRow(table archive.Table, present []byte, row importRow) (bool, error) {
	noted := table.Column(notedAt)
	if noted < 0 || len(present) == 0 {
		return isSameRow(table, false, present, row.line) // the import compares accounts at its end
	}
	values, err := archive.ParseRow(present, table.Columns)
	if err != nil {
		return false, err
	}
	values[noted] = row.values[noted]
	line, err := archive.AppendRow(nil, table.Columns, values)
	return bytes.Equal(line, row.line), err
}

// storedTable is a table without the last column, if that is in another table of this database.
func (s *Store) storedTable(table archive.Table) archive.Table {
	if table.Name == "candidate_sessions" && s.hasSessionChanges() {
		table.Columns = table.Columns[:len(table.Columns)-1]
	}
	return table
}

// explainConflict refuses a row that conflicts with one of another key.
func (c conn) explainConflict(ctx context.Context, table archive.Table, row importRow) error {
	if email := table.Column("email"); table.Name == "users" && email >= 0 {
		var owner string
		err := c.Get(ctx, &owner, `SELECT organization_id FROM users WHERE email_key = ?`,
			row.values[table.Column("email_key")])
		if err == nil {
			return refuseImport("the address %s of the member %s belongs to a member of the organization %s",
				row.values[email], rowName(table, row.values), owner)
		}
	}
	into := c.store.storedTable(table)
	sealed, err := c.store.sealArchived(table, row.values)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, insertArchivedInto(into, 1), sealed[:len(into.Columns)]...)
	if err == nil {
		err = errors.New("another process has changed the database")
	}
	return refuseImport("%s has a value that must be unique, and another row has it: %w", rowName(table, row.values), err)
}

// restoreNotedAt gives the rows the times of their last changes, by which clients follow them. Triggers have set the
// time of the import.
func (c conn) restoreNotedAt(ctx context.Context, table archive.Table, batch []importRow) error {
	noted := table.Column(notedAt)
	if noted < 0 {
		return nil
	}
	of := func(row importRow, column string) any { return c.jsonTime(row.values[table.Column(column)]) }
	latest := time.Time{}
	rows := make([][]any, 0, len(batch))
	for _, row := range batch {
		at, _ := row.values[noted].(time.Time)
		if at.After(latest) {
			latest = at
		}
		row := []any{of(row, "id"), c.jsonTime(at), of(row, "organization_id")}
		rows = append(rows, row)
	}
	if table.Name == "candidate_sessions" {
		for n, row := range batch {
			rows[n] = append(rows[n], of(row, "updated_at"))
		}
	}
	encoded, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	if _, err := c.Exec(ctx, c.restoreNoted(table), string(encoded)); err != nil || c.store.hasSessionChanges() {
		return err
	}
	_, err = c.Exec(ctx, `UPDATE change_clock SET at = ? WHERE id = 1 AND at < ?`, latest, latest)
	return err
}

// restoreNoted is the statement of restoreNotedAt. Its argument has rows of id, noted_at, organization_id, updated_at.
func (c conn) restoreNoted(table archive.Table) string {
	switch {
	case !c.store.hasSessionChanges():
		return `UPDATE ` + table.Name + ` SET noted_at = r.value->>1 FROM ` + c.store.db.JSONRows +
			` WHERE ` + table.Name + `.id = r.value->>0`
	case table.Name == "candidate_sessions":
		return `UPDATE candidate_session_changes SET noted_at = CAST(r.value->>1 AS TIMESTAMPTZ)
			FROM ` + c.store.db.JSONRows + ` WHERE organization = r.value->>2
				AND changed_at = CAST(r.value->>3 AS TIMESTAMPTZ) AND session_id = r.value->>0`
	}
	return `UPDATE ` + table.Name + ` SET noted_at = CAST(r.value->>1 AS TIMESTAMPTZ) FROM ` + c.store.db.JSONRows +
		` WHERE ` + table.Name + `.id = r.value->>0`
}

// jsonTime returns a time in the form in which the database takes it from JSON, and other values as they are.
func (c conn) jsonTime(value any) any {
	at, isTime := value.(time.Time)
	if !isTime {
		return value
	}
	if c.store.db.HasLateral {
		return at.UTC().Format(archive.TimeFormat)
	}
	return at.UnixMicro()
}
