package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"assay/store"
)

type migrateCommands struct {
	Up     migrateUpCommand     `cmd:"" help:"Apply pending migrations."`
	Status migrateStatusCommand `cmd:"" help:"List all migrations."`
}

type migrateUpCommand struct {
	config `embed:""`
}

// Run applies pending migrations, as serve does.
func (c migrateUpCommand) Run(ctx context.Context, stdout io.Writer) error {
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	database, err := openStore(ctx, set)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, "The database is up to date.")
	return errors.Join(err, database.Close())
}

type migrateStatusCommand struct {
	config `embed:""`
}

// Run lists the migrations without applying any.
func (c migrateStatusCommand) Run(ctx context.Context, stdout io.Writer) error {
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	database, err := openUnmigrated(ctx, set)
	if err != nil {
		return err
	}
	defer func() { _ = database.Close() }()
	migrations, err := database.Migrations(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, migration := range migrations {
		applied := "pending"
		if migration.AppliedAt != nil {
			applied = store.WireTime(*migration.AppliedAt)
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\n", migration.Name, applied)
	}
	return table.Flush()
}

// openUnmigrated opens the database as it is.
func openUnmigrated(ctx context.Context, set settings) (*store.Store, error) {
	return store.Open(ctx, store.Options{
		DatabaseURL: set.databaseURL, Application: set.application, TransactionPooling: set.transactionPooling,
		Keys: set.keys, Release: versionText(), Now: time.Now, Log: set.log, Erasures: set.journal,
		BaseURL: set.baseURL, SendsEmail: set.mail.configured(),
	})
}

// openMigrated opens the database if it has the migrations of this version.
func (c config) openMigrated(ctx context.Context) (*store.Store, error) {
	set, err := c.check(os.Stderr)
	if err != nil {
		return nil, err
	}
	return set.openMigrated(ctx)
}

func (s settings) openMigrated(ctx context.Context) (*store.Store, error) {
	database, err := openUnmigrated(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := database.Ready(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("the database is not ready for this version: %w", err), database.Close())
	}
	return database, nil
}

type reencryptCommand struct {
	config `embed:""`
}

// Run encrypts with the current master secret what an earlier one encrypted.
func (c reencryptCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	database, err := c.openMigrated(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	done, err := database.UnscopedReencrypt(ctx)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "%d of %d stored secrets were encrypted again.\n", done.Changed, done.Secrets)
	if len(done.Lost) > 0 {
		return fmt.Errorf("no master secret decrypts the secrets of %s", strings.Join(done.Lost, ", "))
	}
	return nil
}

type vacuumCommand struct {
	config `embed:""`
}

// Run vacuums a SQLite file.
func (c vacuumCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	database, err := openUnmigrated(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	if !strings.HasPrefix(set.databaseURL, "sqlite:") {
		_, err := fmt.Fprintln(stdout, "PostgreSQL vacuums itself (autovacuum).")
		return err
	}
	emptied, err := database.Vacuum(ctx)
	if err != nil {
		return err
	}
	if !emptied {
		return errors.New("a reader keeps the write-ahead log, which can contain erased data: run the command again")
	}
	_, err = fmt.Fprintln(stdout, "The file contains no copies of erased data.")
	return err
}

// healthcheckTimeout is below the timeout that .deploy sets for the whole command.
const healthcheckTimeout = 5 * time.Second

type healthcheckCommand struct {
	Addr string `env:"ASSAY_ADDR" default:"127.0.0.1:8080" help:"Address that the service listens on."`
}

// Run requests /healthz. Images without a shell or curl use it.
func (c healthcheckCommand) Run(ctx context.Context, stdout io.Writer) error {
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || (ip != nil && ip.IsUnspecified()) {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, healthcheckTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the service responded %s", response.Status)
	}
	_, err = fmt.Fprintln(stdout, "ok")
	return err
}
