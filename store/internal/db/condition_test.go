package db

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"syscall"
	"testing"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// Each primary result code of SQLite is a condition, or a fault of Assay. A version of SQLite with a further code fails
// this test.
func TestEveryResultOfSQLite(t *testing.T) {
	t.Parallel()
	faults := []int{
		sqlitelib.SQLITE_ERROR, sqlitelib.SQLITE_INTERNAL, sqlitelib.SQLITE_ABORT, sqlitelib.SQLITE_INTERRUPT,
		sqlitelib.SQLITE_NOTFOUND, sqlitelib.SQLITE_EMPTY, sqlitelib.SQLITE_SCHEMA, sqlitelib.SQLITE_TOOBIG,
		sqlitelib.SQLITE_CONSTRAINT, sqlitelib.SQLITE_MISMATCH, sqlitelib.SQLITE_MISUSE, sqlitelib.SQLITE_AUTH,
		sqlitelib.SQLITE_RANGE, sqlitelib.SQLITE_NOTICE, sqlitelib.SQLITE_WARNING,
		// No failures.
		sqlitelib.SQLITE_OK, sqlitelib.SQLITE_ROW, sqlitelib.SQLITE_DONE,
	}
	for code := range 256 {
		_, isResult := sqlite.ErrorCodeString[code]
		isResult = isResult || code == sqlitelib.SQLITE_OK
		condition, isCondition := sqliteConditions[code]
		isFault := slices.Contains(faults, code)
		if isResult != (isCondition || isFault) || isCondition && isFault {
			t.Errorf("code %d (%s): condition %q, fault %t", code, sqlite.ErrorCodeString[code], condition, isFault)
		}
	}
}

// Each condition is in Conditions, so that it is counted and has a sentence.
func TestConditions(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "condition.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	for _, declaration := range file.Decls {
		group, isGroup := declaration.(*ast.GenDecl)
		if !isGroup || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			if kind, isIdent := spec.(*ast.ValueSpec).Type.(*ast.Ident); isIdent && kind.Name == "Condition" {
				declared++
			}
		}
	}
	if len(Conditions()) != declared || declared == 0 {
		t.Errorf("%d conditions are declared, and Conditions has %d", declared, len(Conditions()))
	}
}

func TestConditionOf(t *testing.T) {
	t.Parallel()
	postgres := func(code pqerror.Code, file string) error { return &pq.Error{Code: code, File: file} }
	for _, test := range []struct {
		err  error
		want Condition
	}{
		{nil, ""},
		{postgres("53100", "md.c"), DiskFull},
		{postgres("53200", ""), Overloaded},
		{postgres("53300", ""), Overloaded},
		{postgres("25006", ""), ReadOnly},
		{postgres("42501", "md.c"), ReadOnly},
		{postgres("42501", "aclchk.c"), ""},
		{postgres("57P01", ""), Unreachable},
		{postgres("57P03", ""), Unreachable},
		{postgres("57014", ""), Busy},
		{postgres("58030", ""), DiskFails},
		{postgres("58P01", "md.c"), Damaged},
		{postgres("XX001", ""), Damaged},
		{postgres("XX002", ""), Damaged},
		{postgres("XX000", ""), ""},
		{postgres("28P01", ""), Unreachable},
		{postgres("23505", ""), ""},
		{&os.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}, FilesUsedUp},
		{&os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, DiskFull},
		{&os.PathError{Op: "open", Path: "x", Err: syscall.EROFS}, ReadOnly},
		{&os.PathError{Op: "open", Path: "x", Err: syscall.ENOENT}, ""},
		{os.NewSyscallError("socket", syscall.EMFILE), FilesUsedUp},
		{os.NewSyscallError("connect", syscall.ECONNREFUSED), Unreachable},
		{ErrWriteTooLong, Busy},
		{os.ErrDeadlineExceeded, Busy},
		{errUnanswered, Unreachable},
		{ErrUnmigrated, Unmigrated},
	} {
		err := test.err
		if err != nil {
			err = fmt.Errorf("wrapped: %w", err)
		}
		if got := ConditionOf(err); got != test.want {
			t.Errorf("%v: %q, want %q", err, got, test.want)
		}
		if IsUnavailable(err) != (test.want != "") {
			t.Errorf("%v: unavailable %t", err, IsUnavailable(err))
		}
	}
}

// The conditions that PostgreSQL reports, from a trigger that raises the codes: the caller gets them, and they are
// counted.
func TestPostgresConditionsAreNoted(t *testing.T) {
	t.Parallel()
	d := openURL(t, postgresURL(t))
	execute(t, d, `CREATE TABLE notes (text TEXT NOT NULL)`)
	execute(t, d, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
		AS 'BEGIN RAISE EXCEPTION ''refused'' USING ERRCODE = NEW.text; END'`)
	execute(t, d, `CREATE TRIGGER refused BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION refuse()`)
	for code, want := range map[string]Condition{
		"53100": DiskFull, "53200": Overloaded, "58030": DiskFails, "XX001": Damaged, "XX002": Damaged, "25006": ReadOnly,
	} {
		before := d.Met(want)
		_, err := d.Autocommit().Exec(t.Context(), `INSERT INTO notes VALUES (?)`, code)
		if ConditionOf(err) != want || d.Met(want) != before+1 {
			t.Errorf("%s: %v is %q, want %q, counted %d times", code, err, ConditionOf(err), want, d.Met(want)-before)
		}
	}
	if !d.health.full.Load() {
		t.Error("a full disk was not noted")
	}
	if err := probe(t, d); err != nil { // PostgreSQL itself repairs or reports, so nothing lasts
		t.Errorf("afterwards: %v", err)
	}
	if d.health.full.Load() || count(t, d, `SELECT COUNT(*) FROM pg_class WHERE relname LIKE 'assay_probe%'`) > 0 {
		t.Error("the thorough probe left something")
	}
}

// probe is a Probe that reads and writes nothing itself.
func probe(t *testing.T, d *DB) error {
	t.Helper()
	nothing := func(context.Context) error { return nil }
	return d.Probe(t.Context(), nothing, nothing)
}
