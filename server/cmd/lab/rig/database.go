package rig

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	_ "github.com/lib/pq"  // the driver
	_ "modernc.org/sqlite" // the driver
)

// Kinds are the kinds of database, as DatabaseFlag takes them.
var Kinds = []string{"sqlite", "postgres"}

// DatabaseFlag is the flag of commands that run on each kind of database.
type DatabaseFlag struct {
	Database []string `default:"sqlite,postgres" enum:"sqlite,postgres" help:"Databases to run on."`
}

// Database is an empty database for one run.
type Database struct {
	Kind    string   // "sqlite" or "postgres"
	URL     string   // as ASSAY_DATABASE_URL takes it
	Cluster *Cluster // nil on SQLite
	Dir     string   // of this run, for any files
}

// EachDatabase calls run with a new database of each kind; see Each.
func (f *Flags) EachDatabase(ctx context.Context, kinds []string, run func(*Database) error) error {
	return f.Each(ctx, kinds, func(dir, kind string) error {
		db, err := NewDatabase(ctx, dir, kind)
		if err != nil {
			return err
		}
		return errors.Join(run(db), db.Close())
	})
}

// NewDatabase makes dir, and in it a SQLite file or a PostgreSQL cluster.
func NewDatabase(ctx context.Context, dir, kind string) (*Database, error) {
	//nolint:gosec // as root, PostgreSQL runs as another user
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	d := &Database{Kind: kind, URL: "sqlite:" + filepath.Join(dir, "assay.db"), Dir: dir}
	if kind == "sqlite" {
		return d, nil
	}
	var err error
	if d.Cluster, err = NewCluster(ctx, filepath.Join(dir, "cluster")); err != nil {
		return nil, err
	}
	d.URL = d.Cluster.URL()
	return d, nil
}

// Copy stops the database, copies it into dir, and starts both.
func (d *Database) Copy(ctx context.Context, dir string) (*Database, error) {
	//nolint:gosec // as root, PostgreSQL runs as another user
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	duplicate := &Database{Kind: d.Kind, URL: "sqlite:" + filepath.Join(dir, "assay.db"), Dir: dir}
	if d.Cluster == nil {
		// No process has the file open, so the write-ahead log is empty.
		return duplicate, copyFiles(ctx, strings.TrimPrefix(d.URL, "sqlite:"), strings.TrimPrefix(duplicate.URL, "sqlite:"))
	}
	if err := d.Cluster.Close(ctx); err != nil {
		return nil, err
	}
	to := *d.Cluster
	to.dir = filepath.Join(dir, "cluster")
	if err := copyFiles(ctx, d.Cluster.dir, to.dir); err != nil {
		return nil, err
	}
	duplicate.Cluster, duplicate.URL = &to, to.URL()
	return duplicate, errors.Join(d.Cluster.Start(ctx), to.Start(ctx))
}

// copyFiles copies a file, or a folder with its owners.
func copyFiles(ctx context.Context, from, to string) error {
	if output, err := exec.CommandContext(ctx, "cp", "-a", from, to).CombinedOutput(); err != nil { //nolint:gosec // ours
		return fmt.Errorf("cp: %w\n%s", err, output)
	}
	return nil
}

// OpenDatabase opens the database of an earlier run. The service keeps its files in dir.
func OpenDatabase(url, dir string) *Database {
	kind := "postgres"
	if strings.HasPrefix(url, "sqlite:") {
		kind = "sqlite"
	}
	return &Database{Kind: kind, URL: url, Dir: dir}
}

// Close stops the cluster.
func (d *Database) Close() error {
	if d.Cluster == nil {
		return nil
	}
	return d.Cluster.Stop()
}

// Service returns the configuration of an assay on this database, with a new
// master secret.
func (d *Database) Service(binary string) Service {
	return Service{
		Binary: binary, DatabaseURL: d.URL, Dir: filepath.Join(d.Dir, "data"), Secret: RandomSecret(), LogLevel: "error",
	}
}

// Open opens a pool on the database.
func (d *Database) Open() (*sql.DB, error) {
	if d.Kind == "sqlite" {
		return sql.Open("sqlite", "file:"+strings.TrimPrefix(d.URL, "sqlite:"))
	}
	return sql.Open("postgres", d.URL)
}

// Strings returns the values of the first column of a query's rows.
func (d *Database) Strings(ctx context.Context, query string) (values []string, err error) {
	db, err := d.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}

// About returns the database's name, version and durability.
func (d *Database) About(ctx context.Context) (string, error) {
	query, format := `SELECT sqlite_version()`, "SQLite %s, WAL, synchronous=FULL"
	if d.Cluster != nil {
		query, format = `SELECT current_setting('server_version')`, "PostgreSQL %s, fsync=on, synchronous_commit=on"
	}
	version, err := d.Strings(ctx, query)
	return fmt.Sprintf(format, strings.Join(version, "")), err
}

// Analyze updates the statistics of PostgreSQL's planner. Otherwise autovacuum
// would do so at some point during a measurement.
func (d *Database) Analyze(ctx context.Context) error {
	if d.Cluster == nil {
		return nil
	}
	_, err := d.Strings(ctx, `ANALYZE`)
	return err
}
