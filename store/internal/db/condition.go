package db

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/lib/pq"
	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// Condition is a state outside of Assay in which requests fail, in a word. An operator can end it, or it ends by
// itself.
type Condition string

// These are the conditions. Each has a sentence in package server.
const (
	Unreachable Condition = "database-unreachable"
	Busy        Condition = "database-busy"       // no answer in time, or locked by another process
	Overloaded  Condition = "database-overloaded" // no more connections or memory
	DiskFull    Condition = "disk-full"
	ReadOnly    Condition = "read-only"
	DiskFails   Condition = "disk-error"
	Damaged     Condition = "damaged"
	FileLost    Condition = "file-lost" // SQLite's file is not the one that was opened
	FilesUsedUp Condition = "no-free-files"
	Unmigrated  Condition = "migrations-pending"
	Unsupported Condition = "schema-too-new"
)

// Conditions are all conditions.
func Conditions() []Condition {
	return []Condition{
		Unreachable, Busy, Overloaded, DiskFull, ReadOnly, DiskFails, Damaged, FileLost, FilesUsedUp, Unmigrated, Unsupported,
	}
}

// conditionError is an error that this package found without the database.
type conditionError struct {
	condition Condition
	text      string
}

func (e *conditionError) Error() string { return "db: " + e.text }

// ErrUnmigrated is the error of a database that lacks migrations.
var ErrUnmigrated error = &conditionError{Unmigrated, "migrations are pending"}

// ConditionOf returns the condition that err reports, or "" for an error that is a fault of Assay or of the request.
func ConditionOf(err error) Condition {
	if err == nil {
		return ""
	}
	var found *conditionError
	if errors.As(err, &found) {
		return found.condition
	}
	if errors.Is(err, ErrNewerSchema) {
		return Unsupported
	}
	var postgres *pq.Error
	if errors.As(err, &postgres) {
		return postgresCondition(postgres)
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return sqliteConditions[lite.Code()&0xff]
	}
	for errno, condition := range errnoConditions {
		if errors.Is(err, errno) {
			return condition
		}
	}
	var path *fs.PathError
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, ErrWriteTooLong):
		return Busy
	case isConnectionError(err) && !errors.As(err, &path):
		return Unreachable
	}
	return ""
}

// errnoConditions are of the system calls of this process: connections, and the files beside SQLite's.
var errnoConditions = map[syscall.Errno]Condition{
	syscall.EMFILE: FilesUsedUp, syscall.ENFILE: FilesUsedUp,
	syscall.ENOSPC: DiskFull, syscall.EDQUOT: DiskFull, syscall.EFBIG: DiskFull,
	syscall.EROFS: ReadOnly, syscall.EACCES: ReadOnly, syscall.EPERM: ReadOnly,
	syscall.EIO: DiskFails,
}

// sqliteConditions has SQLite's primary result codes. The other codes are faults of Assay: see TestEveryResultOfSQLite.
var sqliteConditions = map[int]Condition{
	sqlitelib.SQLITE_BUSY: Busy, sqlitelib.SQLITE_LOCKED: Busy, sqlitelib.SQLITE_PROTOCOL: Busy,
	sqlitelib.SQLITE_FULL:     DiskFull,
	sqlitelib.SQLITE_READONLY: ReadOnly, sqlitelib.SQLITE_PERM: ReadOnly,
	sqlitelib.SQLITE_IOERR: DiskFails, sqlitelib.SQLITE_NOLFS: DiskFull,
	sqlitelib.SQLITE_CORRUPT: Damaged, sqlitelib.SQLITE_NOTADB: Damaged, sqlitelib.SQLITE_FORMAT: Damaged,
	sqlitelib.SQLITE_CANTOPEN: Unreachable,
	sqlitelib.SQLITE_NOMEM:    Overloaded,
}

// postgresCondition reads the SQLSTATE (PostgreSQL, appendix A).
func postgresCondition(err *pq.Error) Condition {
	switch err.Code {
	case "53100":
		return DiskFull
	case codeReadOnly:
		return ReadOnly
	case codeCanceled:
		return Busy
	case "42501":
		// PostgreSQL gives a file that it may not write (EROFS, EACCES) the code of a missing privilege.
		if err.File == "md.c" || err.File == "fd.c" {
			return ReadOnly
		}
		return ""
	case "58P01", "XX001", "XX002": // a file of a table is missing, a page or an index is damaged
		return Damaged
	case "3D000": // the database does not exist
		return Unreachable
	}
	switch err.Code.Class() {
	case "08", "28", "57": // connection; authentication, such as a changed password; operator intervention
		return Unreachable
	case "53": // resources
		return Overloaded
	case "58": // errors outside of PostgreSQL, such as of the disk
		return DiskFails
	}
	return ""
}
