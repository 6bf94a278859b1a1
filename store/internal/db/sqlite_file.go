package db

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
)

// ErrUnusableFile means that a SQLite file must be replaced or restored before the service can use it.
var ErrUnusableFile = errors.New("the file cannot be used")

// lost returns an error if the file is not the one that was opened. While it is open, it must not be opened a second
// time to look into it: closing it would end SQLite's locks (fcntl, "Advisory record locking").
func (e sqliteEngine) lost() error {
	if e.file == "" {
		return nil
	}
	file, err := os.Stat(e.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &conditionError{FileLost, "the database file has been deleted or moved: " + e.file}
	case err != nil:
		return nil // the folder cannot be read, and SQLite does not need it
	case !os.SameFile(file, e.opened):
		return &conditionError{FileLost, "the database file has been replaced: " + e.file}
	case file.Size() == 0:
		return &conditionError{FileLost, "the database file has been emptied: " + e.file}
	}
	if _, err := os.Stat(e.file + "-wal"); errors.Is(err, fs.ErrNotExist) {
		return &conditionError{FileLost, "the write-ahead log has been deleted: " + e.file + "-wal"}
	}
	return nil
}

const (
	probeBytes = 1 << 20 // what a thorough probe writes
	probeFile  = ".probe"
)

// probeSpace writes a file beside the database, because SQLite writes its log again and again into the same file. The
// thorough probe also writes into the database, which can have a bound of its own.
func (e sqliteEngine) probeSpace(ctx context.Context, db *DB, thorough bool) error {
	size := probeBytes / 16
	if thorough {
		size = probeBytes
		err := db.Write(ctx, func(c Conn) error {
			if _, err := c.tx.ExecContext(ctx, `CREATE TABLE `+probeTable()+` AS SELECT randomblob(`+
				strconv.Itoa(probeBytes)+`) AS filler`); err != nil {
				return err
			}
			return errProbed
		})
		if !errors.Is(err, errProbed) {
			return err
		}
	}
	if e.file == "" {
		return nil
	}
	name := e.file + probeFile
	err := os.WriteFile(name, make([]byte, size), privateMode)
	if removed := os.Remove(name); !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

// sqliteHeader is how a SQLite file begins (SQLite, "Database File Format", section 1.3).
type sqliteHeader struct {
	Magic                     [16]byte
	PageSize                  uint16
	_                         [6]byte
	Changed                   uint32
	Pages                     uint32
	_                         [60]byte
	PagesAreOf, SQLiteVersion uint32
}

// checkHeader returns an error if the file cannot be a database, before SQLite opens it. An absent or an empty file
// becomes a new database, unless there is a log: SQLite would delete it, with the data.
func checkHeader(file string) error {
	log, err := os.Stat(file + "-wal")
	hasLog := err == nil && log.Size() > 0
	opened, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		if hasLog {
			return fmt.Errorf("%w: %s is missing, and its log %s-wal has data: restore both, or move the log away",
				ErrUnusableFile, file, file)
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }()
	info, err := opened.Stat()
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%w: %s is a folder", ErrUnusableFile, file)
	case info.Size() == 0 && hasLog:
		return fmt.Errorf("%w: %s is empty, and its log %s-wal has data: restore both, or move the log away",
			ErrUnusableFile, file, file)
	case info.Size() == 0:
		return nil
	}
	var header sqliteHeader
	content := make([]byte, binary.Size(header))
	if _, err := io.ReadFull(opened, content); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if err := binary.Read(bytes.NewReader(content), binary.BigEndian, &header); err != nil {
		return err
	}
	if string(header.Magic[:]) != "SQLite format 3\x00" {
		return fmt.Errorf("%w: %s is not a SQLite database: restore a backup", ErrUnusableFile, file)
	}
	pageSize := int64(header.PageSize)
	if pageSize == 1 {
		pageSize = 65536
	}
	// With a log, a copy of the log into the file may have been interrupted.
	if !hasLog && header.Changed == header.PagesAreOf && info.Size() < int64(header.Pages)*pageSize {
		return fmt.Errorf("%w: %s is cut off, it has %d of %d bytes: restore a backup",
			ErrUnusableFile, file, info.Size(), int64(header.Pages)*pageSize)
	}
	return nil
}

// maxWholeCheck is the size in bytes up to which CheckFile reads the whole file.
const maxWholeCheck = 256 << 20

// CheckFile looks for damage in a SQLite file: in the whole of a small one, and otherwise in the schema, and at both
// ends of each table. PostgreSQL checks its pages itself (data_checksums).
func (d *DB) CheckFile(ctx context.Context) error {
	if _, isSQLite := d.engine.(sqliteEngine); !isSQLite {
		return nil
	}
	return unusable(d.checkPages(ctx, maxWholeCheck))
}

// unusable adds what to do to an error of a damaged file that is opened.
func unusable(err error) error {
	if ConditionOf(err) == Damaged {
		return fmt.Errorf("%w: the database is damaged: stop all processes, keep a copy of the file, and restore a "+
			"backup, or save what can be read with the command .recover of sqlite3: %w", ErrUnusableFile, err)
	}
	return err
}

// IsNew reports whether a SQLite database has no tables, except that of the migrations.
func (d *DB) IsNew(ctx context.Context) (bool, error) {
	if _, isSQLite := d.engine.(sqliteEngine); !isSQLite {
		return false, nil
	}
	var tables int
	err := d.reader.GetContext(ctx, &tables, `SELECT COUNT(*) FROM sqlite_schema
		WHERE tbl_name NOT LIKE 'goose\_%' ESCAPE '\' AND tbl_name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	return tables == 0, err
}

func (d *DB) checkPages(ctx context.Context, maxWhole int64) error {
	var size int64
	if err := d.reader.GetContext(ctx, &size,
		`SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`); err != nil {
		return err
	}
	if size <= maxWhole {
		var found []string
		if err := d.reader.SelectContext(ctx, &found, `PRAGMA quick_check(1)`); err != nil {
			return err
		}
		if len(found) == 1 && found[0] == "ok" {
			return nil
		}
		return &conditionError{Damaged, fmt.Sprintf("quick_check: %q", found)}
	}
	var tables []string
	if err := d.reader.SelectContext(ctx, &tables,
		`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND sql NOT LIKE '%WITHOUT ROWID%'`,
	); err != nil {
		return err
	}
	for _, table := range tables {
		var ends struct{ First, Last sql.NullInt64 }
		// Two queries: SQLite reads the whole table for two aggregates of one.
		if err := d.reader.GetContext(ctx, &ends, `SELECT (SELECT MIN(rowid) FROM "`+table+`") AS first,
			(SELECT MAX(rowid) FROM "`+table+`") AS last`); err != nil {
			return err
		}
	}
	return nil
}
