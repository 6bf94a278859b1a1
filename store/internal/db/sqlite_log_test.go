package db

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
)

// A long read lets the write-ahead log grow. Afterwards, the log returns to its limit.
func TestSQLiteLogShrinksAfterALongRead(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "assay.db")
	opened, _, err := openSQLite(file, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = opened.reader.Close(), opened.writer.Close() })
	write := func(statement string) {
		t.Helper()
		if _, err := opened.writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	size := func() int64 {
		t.Helper()
		log, err := os.Stat(file + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return log.Size()
	}
	write(`CREATE TABLE kept (content BLOB)`)
	rows, err := opened.reader.QueryContext(t.Context(), `SELECT 1 FROM sqlite_schema UNION ALL SELECT 2`)
	if err != nil {
		t.Fatal(err)
	}
	if !rows.Next() { // the read has begun and holds its version
		t.Fatal(rows.Err())
	}
	for range 40 {
		write(`INSERT INTO kept VALUES (randomblob(1 << 20))`)
	}
	grown := size()
	if err := rows.Close(); err != nil { //nolint:sqlclosecheck // it ends before the last writes
		t.Fatal(err)
	}
	for range 2 { // the first copies the log into the database file, the second begins it again
		write(`INSERT INTO kept VALUES (1)`)
	}
	if grown <= sqliteLogLimit || size() > sqliteLogLimit {
		t.Errorf("the log had %d bytes during the read and %d after it, with a limit of %d",
			grown, size(), sqliteLogLimit)
	}
}
