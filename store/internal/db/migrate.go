package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// Migration is one migration and the time when it was applied.
type Migration struct {
	Name      string
	AppliedAt *time.Time // nil when pending
}

// Migrate applies the pending migrations of files, and then calls the function
// after. Any number of processes may call it at the same time: one migrates, and
// the others wait.
func (d *DB) Migrate(ctx context.Context, files fs.FS, after func(context.Context) error) (err error) {
	unlock, err := d.lockMigrations(ctx, d)
	if err != nil {
		return fmt.Errorf("lock the migrations: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	provider, err := d.provider(files)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := d.finishIndexes(ctx, d); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return after(ctx)
}

// Migrations lists all migrations, oldest first.
func (d *DB) Migrations(ctx context.Context, files fs.FS) ([]Migration, error) {
	provider, err := d.provider(files)
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
	var applied int
	err := d.Read().Get(ctx, &applied, `SELECT COUNT(*) FROM goose_db_version WHERE version_id > 0 AND is_applied`)
	if err != nil {
		return 0, err
	}
	known, err := fs.Glob(files, "*.sql")
	return max(0, len(known)-applied), err
}

func (d *DB) provider(files fs.FS) (*goose.Provider, error) {
	translated, err := d.translate(files)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.Dialect(d.goose), d.writer.DB, translated)
}

// postgresOnly and sqliteOnly are the blocks of a migration that are for one database.
var (
	postgresOnly = regexp.MustCompile(`(?s)-- \+only postgres\n.*?-- \+end\n`)
	sqliteOnly   = regexp.MustCompile(`(?s)-- \+only sqlite\n.*?-- \+end\n`)
)

// translated is a file system whose migrations are in the words of one database.
type translated struct {
	fs.FS
	translate func(content string) string
}

// Open implements fs.FS.
func (t translated) Open(name string) (fs.File, error) {
	file, err := t.FS.Open(name)
	if err != nil || path.Ext(name) != ".sql" {
		return file, err
	}
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return translatedFile{file, strings.NewReader(t.translate(string(content)))}, nil
}

type translatedFile struct {
	fs.File
	content io.Reader
}

// Read implements fs.File.
func (f translatedFile) Read(p []byte) (int, error) { return f.content.Read(p) }
