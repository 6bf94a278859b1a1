// Package upgrade proves that each earlier release can be upgraded. The binary of the release creates the schema,
// which is filled with sessions. Then the new binary migrates the database: once while probes write to the busy
// tables, and once with SIGKILL in the middle again and again. Afterwards the schema must be that of a new
// installation. At last, the binary of the release and the new one serve one database, and the release serves alone
// again.
package upgrade

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
	"assay/server/cmd/lab/scale"
)

// Command is `lab upgrade`.
type Command struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`
	rig.Seeded       `embed:""`

	Sessions   int64         `default:"1000000" help:"Candidate sessions of each database."`
	Release    []string      `help:"Releases to upgrade; all of .deploy/releases.txt by default."`
	Budget     time.Duration `default:"10m" help:"The longest time of all migrations together."`
	LockBudget time.Duration `default:"1s" help:"The longest wait of a write for a lock, on PostgreSQL."`
	Kills      int           `default:"3" help:"Kills of the process that migrates."`
}

// Run upgrades each release on each kind of database, and prints a table.
func (c *Command) Run(ctx context.Context, out io.Writer) error {
	if c.Sessions < 1000 || c.Kills < 0 {
		return errors.New("there must be at least 1000 sessions, and kills must not be negative")
	}
	releases, err := releases(c.Release)
	if err != nil {
		return err
	}
	random := c.Random()
	_, _ = fmt.Fprintf(out, "%d sessions, seed %d\n", c.Sessions, c.Seed)
	var results []result
	err = c.Each(ctx, c.names(releases), func(dir, name string) error {
		kind, version, _ := strings.Cut(name, " ")
		one := releases[slices.IndexFunc(releases, func(r release) bool { return r.version == version })]
		u := &upgrade{
			Command: c, out: out, random: random, dir: strings.ReplaceAll(dir, " ", "-"), kind: kind, release: one,
			result: result{database: kind, from: version},
		}
		err := u.run(ctx)
		results = append(results, u.result)
		return err
	})
	printResults(out, results)
	return err
}

func (c *Command) names(releases []release) (names []string) {
	for _, kind := range c.Database {
		for _, r := range releases {
			names = append(names, kind+" "+r.version)
		}
	}
	return names
}

// result is a row of the table.
type result struct {
	database, from    string
	migrated          time.Duration
	slowest           string // the slowest migration
	writes            int
	longestWrite      time.Duration
	lockWait          time.Duration // the longest of a write
	killed, completed time.Duration // of the run with kills: all attempts, and the last one
	rolling           string
}

func printResults(out io.Writer, results []result) {
	rows := [][]string{{
		"database", "from", "migrated in", "slowest migration", "writes beside it", "longest write", "lock wait",
		"with kills", "its last start", "beside the release, and back",
	}}
	for _, r := range results {
		rows = append(rows, []string{
			r.database, r.from, rig.Seconds(r.migrated), r.slowest, fmt.Sprint(r.writes), rig.Milliseconds(r.longestWrite),
			rig.Milliseconds(r.lockWait),
			rig.Seconds(r.killed), rig.Seconds(r.completed), r.rolling,
		})
	}
	rig.PrintTable(out, rows)
}

// upgrade upgrades one release on one kind of database.
type upgrade struct {
	*Command
	out     io.Writer
	random  *rand.Rand
	dir     string
	kind    string
	release release
	result  result
}

func (u *upgrade) run(ctx context.Context) error {
	binary, err := u.release.build(ctx)
	if err != nil {
		return err
	}
	db, err := rig.NewDatabase(ctx, filepath.Join(u.dir, "measured"), u.kind)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	service := db.Service(binary)
	began := time.Now()
	if err := scale.Fill(ctx, io.Discard, db, service, u.Sessions); err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	_, _ = fmt.Fprintf(u.out, "%s %s: filled in %s\n", u.kind, u.release.version, rig.Seconds(time.Since(began)))
	killed, err := db.Copy(ctx, filepath.Join(u.dir, "killed"))
	if err != nil {
		return err
	}
	defer func() { _ = killed.Close() }()
	fresh, err := rig.NewDatabase(ctx, filepath.Join(u.dir, "fresh"), u.kind)
	if err != nil {
		return err
	}
	defer func() { _ = fresh.Close() }()
	if _, err := u.migrate(ctx, fresh); err != nil {
		return err
	}
	if err := errors.Join(
		u.measure(ctx, db), sameSchema(ctx, fresh, db, "after the migrations"),
		u.kill(ctx, killed), sameSchema(ctx, fresh, killed, "after the kills"),
	); err != nil {
		return err
	}
	if err := u.rolling(ctx, binary); err != nil {
		u.result.rolling = "failed"
		return fmt.Errorf("rolling upgrade: %w", err)
	}
	u.result.rolling = "ok"
	return nil
}

// measure migrates, while probes write on PostgreSQL. SQLite allows one process, so nothing serves meanwhile.
func (u *upgrade) measure(ctx context.Context, db *rig.Database) error {
	writes, err := startProbes(ctx, db)
	if err != nil {
		return err
	}
	began := time.Now()
	log, err := u.migrate(ctx, db)
	u.result.migrated = time.Since(began)
	u.result.slowest = slowest(log)
	err = errors.Join(err, writes.stop())
	u.result.writes, u.result.longestWrite, u.result.lockWait = writes.count, writes.longest, writes.lockWait
	switch {
	case err != nil:
		return err
	case u.result.migrated > u.Budget:
		return fmt.Errorf("the migrations took %s, more than %s", u.result.migrated, u.Budget)
	case u.result.lockWait > u.LockBudget:
		return fmt.Errorf("a write waited %s for a lock beside the migrations, more than %s: %s",
			writes.lockWait, u.LockBudget, writes.waitedLock)
	}
	return nil
}

// kill ends the process that migrates at random times, and then lets it finish.
func (u *upgrade) kill(ctx context.Context, db *rig.Database) error {
	began := time.Now()
	for range u.Kills {
		after := time.Duration(u.random.Int64N(int64(u.result.migrated)))
		cmd := u.command(ctx, db)
		p, err := rig.Launch(cmd, "", io.Discard)
		if err != nil {
			return err
		}
		select {
		case <-p.Ended():
			if !p.State().Success() {
				return p.Explain(errors.New("a migration failed after a kill"))
			}
		case <-time.After(after):
			p.Kill()
		}
	}
	last := time.Now()
	_, err := u.migrate(ctx, db)
	u.result.completed, u.result.killed = time.Since(last), time.Since(began)
	return err
}
