package db

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rowsFile is a database with rows of many pages, all in the file and none in the log.
func rowsFile(t *testing.T) (d *DB, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "assay.db")
	d = openURL(t, "sqlite:"+file)
	execute(t, d, `CREATE TABLE filled (id INTEGER PRIMARY KEY, text BLOB NOT NULL) STRICT`)
	execute(t, d, `CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT`)
	execute(t, d, `INSERT INTO filled WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
		SELECT i, randomblob(1000) FROM n`)
	execute(t, d, `INSERT INTO notes VALUES (1, 'first')`)
	execute(t, d, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return d, file
}

// overwrite writes zeros over the middle of a file.
func overwrite(t *testing.T, file string) {
	t.Helper()
	opened, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := opened.WriteAt(make([]byte, 40<<12), 20<<12); err != nil {
		t.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
}

// What happens to the files of SQLite while they are open. Without these checks, writes succeed in the memory of the
// process, or in a file without a name.
func TestSQLiteFileLostWhileOpen(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(file string) error{
		"emptied": func(file string) error { return os.Truncate(file, 0) },
		"deleted": os.Remove,
		"moved":   func(file string) error { return os.Rename(file, file+".old") },
		"replaced": func(file string) error {
			content, err := os.ReadFile(file)
			return errors.Join(err, os.WriteFile(file+".new", content, 0o600), os.Rename(file+".new", file))
		},
		"log deleted": func(file string) error { return os.Remove(file + "-wal") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, file := rowsFile(t)
			if err := probe(t, d); err != nil {
				t.Fatalf("before: %v", err)
			}
			if err := lose(file); err != nil {
				t.Fatal(err)
			}
			if err := probe(t, d); ConditionOf(err) != FileLost {
				t.Errorf("%v, want %s", err, FileLost)
			}
			var n int
			if err := d.Read().Get(t.Context(), &n, `SELECT COUNT(*) FROM notes`); ConditionOf(err) != FileLost {
				t.Errorf("a read: %v", err)
			}
			if err := d.Write(t.Context(), func(c Conn) error {
				_, err := c.Exec(t.Context(), `INSERT INTO notes (text) VALUES ('lost')`)
				return err
			}); ConditionOf(err) != FileLost {
				t.Errorf("a write: %v", err)
			}
			if name == "moved" {
				if err := os.Rename(file+".old", file); err != nil {
					t.Fatal(err)
				}
				if err := probe(t, d); err != nil {
					t.Errorf("after the file is back: %v", err)
				}
			}
		})
	}
}

// A copy that VACUUM INTO has made is not in WAL mode, and no statement has created its log yet.
func TestProbeOfARestoredFile(t *testing.T) {
	t.Parallel()
	d, _ := rowsFile(t)
	backup := filepath.Join(t.TempDir(), "assay.db")
	execute(t, d, `VACUUM INTO '`+backup+`'`)
	if err := probe(t, openURL(t, "sqlite:"+backup)); err != nil {
		t.Error(err)
	}
}

// The error of a statement says that the file is lost, also before a probe: SQLite says that the table does not exist.
func TestStatementOfALostFile(t *testing.T) {
	t.Parallel()
	d, file := rowsFile(t)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	_, err := d.Autocommit().Exec(t.Context(), `INSERT INTO no_such_table VALUES (1)`)
	if ConditionOf(err) != FileLost || d.Met(FileLost) != 1 {
		t.Errorf("%v", err)
	}
}

// Damage that a statement meets lasts until the restart.
func TestSQLiteDamagedPage(t *testing.T) {
	t.Parallel()
	d, file := rowsFile(t)
	overwrite(t, file)
	if err := probe(t, d); err != nil {
		t.Fatalf("a probe reads no damaged page: %v", err)
	}
	var n int
	err := d.Read().Get(t.Context(), &n, `SELECT SUM(length(text)) FROM filled`)
	if ConditionOf(err) != Damaged || !IsUnavailable(err) {
		t.Errorf("a read: %v", err)
	}
	if err := probe(t, d); ConditionOf(err) != Damaged {
		t.Errorf("afterwards: %v", err)
	}
	if err := d.CheckFile(t.Context()); !errors.Is(err, ErrUnusableFile) {
		t.Errorf("the check of the file: %v", err)
	}
}

// A database without space is full until a probe finds some, although the row that a probe writes always has space.
func TestSQLiteFull(t *testing.T) {
	t.Parallel()
	d, _ := rowsFile(t)
	fill := func() error {
		_, err := d.Autocommit().Exec(t.Context(), `INSERT INTO filled (text) VALUES (randomblob(100000))`)
		return err
	}
	execute(t, d, `PRAGMA max_page_count = 1`) // the present number of pages
	if err := fill(); ConditionOf(err) != DiskFull || !IsUnavailable(err) {
		t.Errorf("%v, want %s", err, DiskFull)
	}
	execute(t, d, `UPDATE notes SET text = text`)
	for range 2 {
		if err := probe(t, d); ConditionOf(err) != DiskFull {
			t.Errorf("a probe: %v", err)
		}
	}
	execute(t, d, `PRAGMA max_page_count = 1000000`)
	if err := errors.Join(probe(t, d), fill()); err != nil {
		t.Errorf("with space: %v", err)
	}
	if n := count(t, d, `SELECT COUNT(*) FROM sqlite_schema`); n != 2 {
		t.Errorf("the probes left %d tables, want 2", n)
	}
}

func TestSQLiteReadOnly(t *testing.T) {
	t.Parallel()
	d, _ := rowsFile(t)
	execute(t, d, `PRAGMA query_only = 1`)
	_, err := d.Autocommit().Exec(t.Context(), `INSERT INTO notes (text) VALUES ('x')`)
	if ConditionOf(err) != ReadOnly || !IsUnavailable(err) {
		t.Errorf("%v, want %s", err, ReadOnly)
	}
}

// Files that cannot be a database are refused before SQLite changes them.
func TestUnusableFiles(t *testing.T) {
	t.Parallel()
	_, whole := rowsFile(t)
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		file, log []byte // nil is absent
		want      string // part of the error, or "" when the file opens
		check     string // part of the error of CheckFile
	}{
		"none":            {},
		"empty":           {file: []byte{}},
		"whole":           {file: content},
		"text":            {file: []byte("-- PostgreSQL database dump\n"), want: "is not a SQLite database"},
		"one byte":        {file: []byte("S"), want: "is not a SQLite database"},
		"zeros":           {file: make([]byte, 8192), want: "is not a SQLite database"},
		"cut off":         {file: content[:len(content)/2], want: "is cut off"},
		"header only":     {file: content[:100], want: "is cut off"},
		"only a log":      {log: []byte("log"), want: "is missing, and its log"},
		"empty and a log": {file: []byte{}, log: []byte("log"), want: "is empty, and its log"},
		"damaged":         {file: damagedCopy(content), check: "the database is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "assay.db")
			for path, content := range map[string][]byte{file: test.file, file + "-wal": test.log} {
				if content != nil {
					if err := os.WriteFile(path, content, 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			d, err := Open(t.Context(), Options{URL: "sqlite:" + file, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
			if test.want != "" {
				if !errors.Is(err, ErrUnusableFile) || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%v, want %q", err, test.want)
				}
				if after, _ := os.ReadFile(file); !bytes.Equal(after, test.file) {
					t.Error("the file was changed")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = d.Close() }()
			switch err := d.CheckFile(t.Context()); {
			case test.check == "" && err != nil:
				t.Error(err)
			case test.check != "" && (!errors.Is(err, ErrUnusableFile) || !strings.Contains(err.Error(), test.check)):
				t.Errorf("%v, want %q", err, test.check)
			}
		})
	}
}

func damagedCopy(content []byte) []byte {
	damaged := bytes.Clone(content)
	clear(damaged[20<<12 : 60<<12])
	return damaged
}

// The check of a large file reads the root page of each table, and its first and its last row.
func TestCheckOfALargeFile(t *testing.T) {
	t.Parallel()
	d, file := rowsFile(t)
	if err := d.checkPages(t.Context(), 0); err != nil {
		t.Errorf("a whole file: %v", err)
	}
	root := count(t, d, `SELECT rootpage FROM sqlite_schema WHERE name = 'filled'`)
	opened, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := opened.WriteAt(make([]byte, 1<<12), int64(root-1)<<12); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(opened.Close(), d.Close()); err != nil {
		t.Fatal(err)
	}
	if err := openURL(t, "sqlite:"+file).checkPages(t.Context(), 0); ConditionOf(err) != Damaged {
		t.Errorf("a damaged root page: %v", err)
	}
}
