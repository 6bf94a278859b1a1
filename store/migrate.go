package store

import (
	"context"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"time"

	"github.com/gofrs/flock"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// MigrationFiles are the migrations, as written for PostgreSQL.
func MigrationFiles() fs.FS { return migrationFiles }

// migrationLock is the PostgreSQL advisory lock that replicas starting at once take turns on.
const migrationLock = 0x6173736179 // "assay"

// Migration tells one migration and when it was applied.
type Migration struct {
	Name      string
	AppliedAt *time.Time // nil when pending
}

// Migrate applies what is pending. Any number of processes may call it at once:
// they take turns.
func (s *Store) Migrate(ctx context.Context) (err error) {
	unlock, err := s.lockMigrations(ctx)
	if err != nil {
		return fmt.Errorf("lock the migrations: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	provider, err := s.migrations()
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return s.UnscopedKeepDays(ctx)
}

// Migrations lists all migrations, oldest first.
func (s *Store) Migrations(ctx context.Context) ([]Migration, error) {
	provider, err := s.migrations()
	if err != nil {
		return nil, err
	}
	statuses, err := provider.Status(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Migration, 0, len(statuses))
	for _, status := range statuses {
		migration := Migration{Name: status.Source.Path}
		if status.State == goose.StateApplied {
			migration.AppliedAt = &status.AppliedAt
		}
		list = append(list, migration)
	}
	return list, nil
}

// PendingMigrations counts the migrations that this binary knows and the
// database does not have.
func (s *Store) PendingMigrations(ctx context.Context) (int, error) {
	var applied int
	err := s.read().get(ctx, &applied, `SELECT COUNT(*) FROM goose_db_version WHERE version_id > 0 AND is_applied`)
	if err != nil {
		return 0, err
	}
	known, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return 0, err
	}
	return max(0, len(known)-applied), nil
}

func (s *Store) migrations() (*goose.Provider, error) {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, err
	}
	translated, err := s.dialect.translate(files)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.Dialect(s.dialect.name), s.writer.DB, translated)
}

// lockMigrations blocks until no other process migrates. goose's own lockers
// poll, and have none for SQLite.
func (s *Store) lockMigrations(ctx context.Context) (unlock func() error, err error) {
	if s.dialect.name == "postgres" {
		held, err := s.writer.Conn(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := held.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, int64(migrationLock)); err != nil {
			return nil, errors.Join(err, held.Close())
		}
		return func() error {
			_, err := held.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, int64(migrationLock))
			return errors.Join(err, held.Close())
		}, nil
	}
	if s.dialect.path == "" {
		return func() error { return nil }, nil
	}
	lock := flock.New(s.dialect.path + ".lock")
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return nil, err
	}
	return lock.Unlock, nil
}

// isConnectionError reports whether err comes from the connection and not from
// the statement.
func isConnectionError(err error) bool {
	var network net.Error
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, errUnanswered) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		(errors.As(err, &network) && !errors.Is(err, context.Canceled))
}
