// Package scale finds the operations of the service that grow with the size of
// its database. It makes a small and a large database of the same shape, runs
// `assay serve` on each, sends every operation to the largest organization of both in turn,
// and prints the times next to each other.
//
// A database is filled in two steps. The first creates one row of each kind
// over HTTP, as clients do. The second multiplies these rows with SQL, so that
// every document in them is one that the service has written.
package scale

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
)

// Command is `lab scale`.
type Command struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`

	Sessions      int64 `default:"5000000" help:"Candidate sessions of the large database; one organization has 40 %."`
	Deliveries    int64 `default:"10000000" help:"Webhook deliveries of the large database."`
	Entries       int64 `default:"1000000" help:"Audit log entries of the large database."`
	Organizations int64 `default:"2000" help:"Organizations of the large database."`
	Small         int64 `default:"100000" help:"Candidate sessions of the small database; everything else shrinks alike."`

	Requests int           `default:"30" help:"Requests of each operation, one after the other."`
	Budget   time.Duration `default:"20s" help:"No request of an operation begins later than this."`

	Keep        bool   `help:"Keep the large databases and their servers, and print how to measure them again."`
	DatabaseURL string `help:"Measure a database that was kept, instead of filling one."`

	strict bool // set by the test: a refusal or an empty list is an error
}

// sizes are the numbers of rows of one database.
type sizes struct {
	sessions, deliveries, entries, organizations int64
}

// The statements that fill a database need this many rows.
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
func (c *Command) Run(ctx context.Context, out io.Writer) error {
	switch {
	case c.Requests < 1 || c.Budget <= 0:
		return errors.New("requests and budget must be positive")
	case min(c.Small, c.Deliveries, c.Entries) < leastRows, c.Sessions < c.Small, c.Organizations < leastOrganizations:
		return fmt.Errorf("there must be at least %d sessions, deliveries and entries, and %d organizations",
			leastRows, leastOrganizations)
	}
	if c.DatabaseURL != "" {
		c.Database = []string{rig.OpenDatabase(c.DatabaseURL, "").Kind}
	}
	return c.Each(ctx, c.Database, func(dir, kind string) error { return c.compare(ctx, out, dir, kind) })
}

// compare measures a small and a large database of one kind.
func (c *Command) compare(ctx context.Context, out io.Writer, dir, kind string) (err error) {
	small, err := c.fillNew(ctx, out, filepath.Join(dir, "small"), kind, c.small(), false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, small.Close()) }()
	var large *rig.Database
	if c.DatabaseURL != "" {
		large = rig.OpenDatabase(c.DatabaseURL, dir)
	} else {
		size := sizes{c.Sessions, c.Deliveries, c.Entries, c.Organizations}
		if large, err = c.fillNew(ctx, out, filepath.Join(dir, "large"), kind, size, c.Keep); err != nil {
			return err
		}
		if !c.Keep {
			defer func() { err = errors.Join(err, large.Close()) }()
		}
	}
	var sides []*side
	for _, db := range []*rig.Database{small, large} {
		one, err := c.start(ctx, db)
		if err != nil {
			return err
		}
		defer one.close()
		sides = append(sides, one)
	}
	if err := c.measure(ctx, sides...); err != nil {
		return err
	}
	printTable(out, kind, sides[0].timings, sides[1].timings)
	return nil
}

// fillNew makes a database and fills it. With keep, it gets a folder of its own, which Each does not remove, and its
// server stays.
func (c *Command) fillNew(
	ctx context.Context, out io.Writer, dir, kind string, size sizes, keep bool,
) (_ *rig.Database, err error) {
	if keep {
		if dir, err = rig.MakeDir(c.Dir, "assay-scale-"); err != nil {
			return nil, err
		}
	}
	db, err := rig.NewDatabase(ctx, dir, kind)
	if err != nil {
		return nil, err
	}
	if keep {
		_, _ = fmt.Fprintf(out, "To measure this database again: lab scale --database-url='%s'\n", db.URL)
	}
	began := time.Now()
	if err := fill(ctx, out, db, c.service(db), size); err != nil {
		err = fmt.Errorf("fill: %w", err)
		if !keep {
			err = errors.Join(err, db.Close())
		}
		return nil, err
	}
	_, _ = fmt.Fprintf(out, "%s: filled %d sessions, %d deliveries, %d audit entries and %d organizations in %s\n",
		kind, size.sessions, size.deliveries, size.entries, size.organizations, rig.Seconds(time.Since(began)))
	return db, nil
}

// service is the configuration of the service on one of these databases. With a
// fixed master secret it can open a database that was kept, whose events it keeps.
func (c *Command) service(db *rig.Database) rig.Service {
	service := db.Service(c.Binary)
	service.Secret = strings.Repeat("scale", 8)
	service.Env = []string{"ASSAY_WEBHOOK_ALLOW_INSECURE=true", "ASSAY_EVENT_RETENTION=8760h"}
	return service
}
