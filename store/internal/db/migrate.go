package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// Migration is one migration and the time when it was applied.
type Migration struct {
	Name      string
	AppliedAt *time.Time // nil when pending
}

// Migrate applies the pending migrations of files, and then calls the function
// after. Any number of processes may call it at the same time: one migrates, and
// the others wait. It fails with ErrNewerSchema if the database does not support this release.
func (d *DB) Migrate(ctx context.Context, files fs.FS, after func(context.Context) error) (err error) {
	unlock, err := d.lockMigrations(ctx, d)
	if err != nil {
		return fmt.Errorf("lock the migrations: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	pool, err := d.migrationPool(d)
	if err != nil {
		return err
	}
	defer func() {
		if pool != d.writer {
			err = errors.Join(err, pool.Close())
		}
	}()
	if err := d.migrate(ctx, pool, files); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := d.finishIndexes(ctx, d, pool); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return after(ctx)
}

// migrate applies the pending migrations, oldest first.
func (d *DB) migrate(ctx context.Context, pool *sqlx.DB, files fs.FS) error {
	if err := d.makeVersionTable(ctx, pool, files); err != nil {
		return err
	}
	known, err := d.migrations(files)
	if err != nil {
		return err
	}
	var applied []int64
	if err := pool.SelectContext(ctx, &applied, `SELECT version_id FROM goose_db_version WHERE is_applied`); err != nil {
		return err
	}
	if err := d.supports(ctx, d.Read(), newest(known)); err != nil {
		return err
	}
	pending := withoutVersions(known, applied)
	if len(pending) == 0 {
		return nil
	}
	began, level := d.now(), slog.LevelInfo
	if slices.Max(append(applied, 0)) == 0 {
		level = slog.LevelDebug // a new database, where nobody waits
	}
	for i, m := range pending {
		run := &migrationRun{db: d, pool: pool, migration: m, level: level, log: d.log.With(
			slog.String("migration", m.name), slog.Int("number", i+1), slog.Int("of", len(pending)))}
		if err := run.apply(ctx); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	d.log.InfoContext(ctx, "the database is migrated", "migrations", len(pending),
		"schema", schemaNumber(newest(known)), "duration", d.now().Sub(began))
	return nil
}

// versionTable has the applied migrations. Goose made it in the first releases, and still knows its columns.
const versionTable = "goose_db_version"

func (d *DB) makeVersionTable(ctx context.Context, pool *sqlx.DB, files fs.FS) error {
	provider, err := d.provider(pool.DB, files)
	if err != nil {
		return err
	}
	_, err = provider.GetDBVersion(ctx)
	return err
}

// noteApplied stores that a migration is applied, and which binaries its schema supports.
func (d *DB) noteApplied(ctx context.Context, tx *sqlx.Tx, m migration) error {
	store, err := database.NewStore(goose.Dialect(d.goose), versionTable)
	if err != nil {
		return err
	}
	if err := store.Insert(ctx, tx, database.InsertRequest{Version: m.version}); err != nil || m.oldest == 0 {
		return err
	}
	_, err = tx.ExecContext(ctx, sqlx.Rebind(d.bind,
		`INSERT INTO schema_support (version, oldest, release) VALUES (?, ?, ?)`), m.version, m.oldest, d.release)
	return err
}

// Migrations lists all migrations, oldest first.
func (d *DB) Migrations(ctx context.Context, files fs.FS) ([]Migration, error) {
	provider, err := d.provider(d.writer.DB, files)
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

// PendingMigrations counts the migrations of files that the database does not have.
func (d *DB) PendingMigrations(ctx context.Context, files fs.FS) (int, error) {
	versions, err := versionsOf(files)
	if err != nil {
		return 0, err
	}
	var applied int
	err = d.Read().Get(ctx, &applied, `
		SELECT COUNT(*) FROM goose_db_version WHERE version_id > 0 AND version_id <= ? AND is_applied`,
		versions[len(versions)-1])
	return max(0, len(versions)-applied), err
}

// Supported fails with ErrNewerSchema if a newer release has changed the database so that this one cannot use it.
func (d *DB) Supported(ctx context.Context, files fs.FS) error {
	versions, err := versionsOf(files)
	if err != nil {
		return err
	}
	return d.supports(ctx, d.Read(), versions[len(versions)-1])
}

func (d *DB) provider(pool *sql.DB, files fs.FS) (*goose.Provider, error) {
	translated, err := d.translate(files)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.Dialect(d.goose), pool, translated)
}

// SchemaOf returns the number of the newest applied migration, as c sees it.
func (d *DB) SchemaOf(ctx context.Context, c Conn) (newest int64, err error) {
	err = c.Get(ctx, &newest, `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied`)
	return newest, err
}
