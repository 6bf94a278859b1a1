// Package scale finds the operations of the service that grow with the size of
// its database. It makes a small and a large database of the same shape, runs
// `assay serve` on each, sends every operation to the largest organization, and
// prints the times of both next to each other.
//
// A database is filled in two steps. The first creates one row of each kind
// over HTTP, as clients do. The second multiplies these rows with SQL, so that
// every document in them is one that the service has written.
//
// It talks to nothing but loopback addresses and the databases.
package scale

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
)

// Command is `lab scale`.
type Command struct {
	Database []string `default:"sqlite,postgres" enum:"sqlite,postgres" help:"Databases to measure on."`

	Sessions      int64 `default:"5000000" help:"Candidate sessions of the large database; one organization has 40 %."`
	Deliveries    int64 `default:"10000000" help:"Webhook deliveries of the large database."`
	Entries       int64 `default:"1000000" help:"Audit log entries of the large database."`
	Organizations int64 `default:"2000" help:"Organizations of the large database."`
	Small         int64 `default:"1000" help:"Candidate sessions of the small database; everything else shrinks alike."`

	Requests int           `default:"30" help:"Requests of each operation, one after the other."`
	Budget   time.Duration `default:"20s" help:"No request of an operation begins later than this."`

	Keep        bool   `help:"Keep the large databases, and print how to measure them again."`
	DatabaseURL string `help:"Measure a database that was kept, instead of filling one."`
	Dir         string `help:"Folder for the SQLite files, on a real disk; /var/tmp by default."`
	Binary      string `help:"An assay that is built already."`

	TestDatabaseURL string `env:"TEST_DATABASE_URL" hidden:""`

	strict bool // set by the test: a refusal or an empty list is an error
}

// sizes are the numbers of rows of one database.
type sizes struct {
	sessions, deliveries, entries, organizations int64
}

func (c *Command) large() sizes {
	return sizes{c.Sessions, c.Deliveries, c.Entries, c.Organizations}
}

// What the statements that fill need.
const (
	leastRows          = 200
	leastOrganizations = 3
)

func (c *Command) small() sizes {
	shrink := func(n, least int64) int64 { return max(least, n*c.Small/c.Sessions) }
	return sizes{
		c.Small, shrink(c.Deliveries, leastRows), shrink(c.Entries, leastRows), shrink(c.Organizations, leastOrganizations),
	}
}

// Run measures each kind of database. A slow operation is printed and fails nothing.
func (c *Command) Run(ctx context.Context, out io.Writer) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	dir, err := rig.MakeDir(c.Dir, "assay-scale-")
	if err != nil {
		return err
	}
	if !c.Keep {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	if c.Binary == "" {
		c.Binary = filepath.Join(dir, "assay")
		if err := rig.Build(ctx, c.Binary); err != nil {
			return err
		}
	}
	for _, kind := range c.Database {
		if err := c.compare(ctx, out, kind, dir); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	return nil
}

func (c *Command) check() error {
	if c.DatabaseURL != "" {
		c.Database = []string{kindOf(c.DatabaseURL)}
	}
	switch {
	case c.Requests < 1 || c.Budget <= 0:
		return errors.New("requests and budget must be positive")
	case min(c.Small, c.Deliveries, c.Entries) < leastRows, c.Sessions < c.Small, c.Organizations < leastOrganizations:
		return fmt.Errorf("there must be at least %d sessions, deliveries and entries, and %d organizations",
			leastRows, leastOrganizations)
	case slices.Contains(c.Database, "postgres") && c.TestDatabaseURL == "":
		return errors.New("TEST_DATABASE_URL is not set: run .ci/with-postgres --durable, or pass --database=sqlite")
	}
	return nil
}

// compare measures a small and a large database of one kind.
func (c *Command) compare(ctx context.Context, out io.Writer, kind, dir string) error {
	small, err := c.measureFresh(ctx, out, kind, filepath.Join(dir, kind+"-small"), c.small(), false)
	if err != nil {
		return err
	}
	var large []timing
	if c.DatabaseURL != "" {
		large, err = c.measure(ctx, c.DatabaseURL, dir)
	} else {
		large, err = c.measureFresh(ctx, out, kind, filepath.Join(dir, kind), c.large(), c.Keep)
	}
	if err != nil {
		return err
	}
	printTable(out, kind, small, large)
	return nil
}

// measureFresh makes a database, fills it, measures it, and drops it unless it
// is to be kept.
func (c *Command) measureFresh(
	ctx context.Context, out io.Writer, kind, dir string, size sizes, keep bool,
) (_ []timing, err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	url, drop, err := create(ctx, kind, dir, c.TestDatabaseURL)
	if err != nil {
		return nil, err
	}
	if keep {
		_, _ = fmt.Fprintf(out, "To measure this database again: lab scale --database-url='%s'\n", url)
	} else {
		defer func() { err = errors.Join(err, drop()) }()
	}
	began := time.Now()
	if err := c.fill(ctx, out, url, dir, size); err != nil {
		return nil, fmt.Errorf("fill: %w", err)
	}
	_, _ = fmt.Fprintf(out, "%s: filled %d sessions, %d deliveries, %d audit entries and %d organizations in %s\n",
		kind, size.sessions, size.deliveries, size.entries, size.organizations,
		time.Since(began).Round(100*time.Millisecond))
	return c.measure(ctx, url, dir)
}

// service is how the service runs on one of these databases. The master secret
// is fixed, so that a database that was kept can be opened again, and events are
// kept long enough for it.
func (c *Command) service(url, dir string) rig.Service {
	return rig.Service{
		Binary: c.Binary, DatabaseURL: url, Dir: dir, KeepDriverEnv: true,
		Secret: strings.Repeat("scale", 8), LogLevel: "error",
		Env: []string{"ASSAY_WEBHOOK_ALLOW_INSECURE=true", "ASSAY_EVENT_RETENTION=8760h"},
	}
}

// migrate runs `assay migrate up`.
func migrate(ctx context.Context, service rig.Service) error {
	cmd := service.Command(ctx, "127.0.0.1:0", "off", "migrate", "up")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("assay migrate up: %w\n%s", err, output)
	}
	return nil
}
