package store

import (
	"context"
	"fmt"
	"time"

	"assay/store/internal/db"
	"assay/store/migrations"
)

// Condition is a state outside of Assay in which requests fail, in a word.
type Condition = db.Condition

// These are the conditions; see package db.
const (
	Unreachable = db.Unreachable
	Busy        = db.Busy
	Overloaded  = db.Overloaded
	DiskFull    = db.DiskFull
	ReadOnly    = db.ReadOnly
	DiskFails   = db.DiskFails
	Damaged     = db.Damaged
	FileLost    = db.FileLost
	FilesUsedUp = db.FilesUsedUp
	Unmigrated  = db.Unmigrated
	Unsupported = db.Unsupported
)

// Conditions are all conditions.
func Conditions() []Condition { return db.Conditions() }

// ConditionOf returns the condition that err reports, or "" for an error that is a fault of Assay or of the request.
func ConditionOf(err error) Condition { return db.ConditionOf(err) }

// IsUnavailable reports whether err says that the database cannot be reached or
// accepts no writes at present, so that the same request may succeed later.
func IsUnavailable(err error) bool { return db.IsUnavailable(err) }

// ErrUnusableFile means that a SQLite file must be replaced or restored before the service can use it.
var ErrUnusableFile = db.ErrUnusableFile

// longestWait is how long writes may wait for another one, such as VACUUM, before the database counts as busy. Reads
// continue meanwhile on SQLite.
const longestWait = 15 * time.Second

// Ready returns an error unless the database is migrated and a row can be written. The error of a known state has a
// ConditionOf. It writes, so a caller that is asked often must keep its answer for a while.
func (s *Store) Ready(ctx context.Context) error {
	return s.db.Probe(ctx, func(ctx context.Context) error {
		pending, err := s.PendingMigrations(ctx)
		switch {
		case err != nil:
			return err
		case pending > 0:
			return fmt.Errorf("%w: %d", db.ErrUnmigrated, pending)
		}
		return s.db.Supported(ctx, migrations.Files)
	}, func(ctx context.Context) error {
		now := s.Now()
		// The time stays as it is: only UnscopedHeartbeat decides what an outage is.
		err := s.write(ctx, func(c conn) error {
			_, err := c.Exec(ctx, `INSERT INTO service_heartbeat (id, at) VALUES (1, ?)
				ON CONFLICT (id) DO UPDATE SET at = service_heartbeat.at`, now)
			return err
		})
		if err == nil {
			s.written.Store(now.UnixMilli())
		} else if ConditionOf(err) == Busy && now.UnixMilli()-s.written.Load() < longestWait.Milliseconds() {
			return nil
		}
		return err
	})
}

// Met returns how many statements have failed in the condition since the start.
func (s *Store) Met(condition Condition) int64 { return s.db.Met(condition) }

// CheckFile looks for damage in a SQLite file, in a time that does not depend on its size.
func (s *Store) CheckFile(ctx context.Context) error { return s.db.CheckFile(ctx) }

// IsNew reports whether a SQLite database has no tables.
func (s *Store) IsNew(ctx context.Context) (bool, error) { return s.db.IsNew(ctx) }

// CheckURL returns an error if the parameters of a PostgreSQL URL are wrong. The error does not contain a password.
func CheckURL(databaseURL string) error { return db.CheckURL(databaseURL) }
