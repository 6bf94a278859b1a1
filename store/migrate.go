package store

import (
	"context"

	"assay/store/internal/db"
	"assay/store/migrations"
)

// Migration is one migration and the time when it was applied.
type Migration = db.Migration

// ErrNewerSchema means that a newer release has migrated the database, and that its schema does not support this one. A
// restart cannot change it.
var ErrNewerSchema = db.ErrNewerSchema

// Migrate applies the pending migrations. Any number of processes may call it
// at the same time: one migrates, and the others wait.
func (s *Store) Migrate(ctx context.Context) error {
	return s.db.Migrate(ctx, migrations.Files, s.UnscopedCreatePartitions)
}

// Migrations lists all migrations, oldest first.
func (s *Store) Migrations(ctx context.Context) ([]Migration, error) {
	return s.db.Migrations(ctx, migrations.Files)
}

// PendingMigrations counts the migrations that this binary has and the database
// does not.
func (s *Store) PendingMigrations(ctx context.Context) (int, error) {
	return s.db.PendingMigrations(ctx, migrations.Files)
}
