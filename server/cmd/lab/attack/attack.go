// Package attack attacks the running service with a hostile organization and
// anonymous clients, while a victim works beside them. Each part prints what it
// tried, what the attacker got, what it cost, and which rules held.
package attack

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
)

// Command is `lab attack`.
type Command struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`

	Part []string `arg:"" optional:"" help:"Parts to run: ${attack_parts}. All by default."`
	Long bool     `help:"More requests, rows, and rounds: half an hour instead of some minutes."`
}

// part is one kind of attack.
type part struct {
	name, promise string
	run           func(context.Context, *attack) error
}

func parts() []part {
	return []part{
		{"bodies", "whatever a body contains, its request is cheap", bodies},
		{"quotas", "an organization has a bounded number of things, and its endpoints do not slow others down", quotas},
		{"rates", "an organization, a person, a token, and a network have limits", rates},
		{"reads", "no read loads more than it answers, and the caches are bounded", reads},
		{"registration", "only the people who run a service decide who registers", registration},
		{"invitations", "inviting shows nothing about accounts elsewhere, and no old link gives a new role", invitations},
		{"guessing", "guessing reaches few passwords and does not lock the owner out", guessing},
		{"audit", "each attempt has an entry, and a flood of attempts does not have a flood of entries", audit},
		{"small", "file modes, startup checks, pings, unknown ids, control characters", small},
		{"memory", "a hundred sign-ins leave no memory behind", memory},
	}
}

// Names lists the parts, for the help.
func Names() string {
	var names []string
	for _, p := range parts() {
		names = append(names, p.name)
	}
	return strings.Join(names, ", ")
}

// chosen returns the parts with these names, or all.
func chosen(names []string) ([]part, error) {
	all := parts()
	if len(names) == 0 {
		return all, nil
	}
	var found []part
	for _, name := range names {
		at := slices.IndexFunc(all, func(p part) bool { return p.name == name })
		if at < 0 {
			return nil, fmt.Errorf("no part is called %q: there are %s", name, Names())
		}
		found = append(found, all[at])
	}
	return found, nil
}

// Run runs the parts on each kind of database.
func (c *Command) Run(ctx context.Context, out io.Writer) error {
	run, err := chosen(c.Part)
	if err != nil {
		return err
	}
	return c.EachDatabase(ctx, c.Database, func(db *rig.Database) error {
		about, err := db.About(ctx)
		if err != nil {
			return err
		}
		r := &report{out: out}
		r.line("lab attack on %s, %s", about, machineLoad())
		began := time.Now()
		for n, p := range run {
			r.begin(p)
			a := &attack{Database: db, report: r, binary: c.Binary, long: c.Long, part: fmt.Sprintf("%s%d", p.name, n)}
			if err := p.run(ctx, a); err != nil {
				r.fault("%s: %v", p.name, err)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		r.line("\n%s: %d rules held, %d broken, %d not tried, in %s, %s\n",
			db.Kind, r.held, r.broken, r.untried, time.Since(began).Round(time.Second), machineLoad())
		return rig.Verdict(r.faults)
	})
}

// attack is one part on one database.
type attack struct {
	*rig.Database
	*report

	binary  string
	long    bool
	part    string // with the number of the run, for file names
	targets int
}

// often returns short, or with --long the other number.
func (a *attack) often(short, long int) int {
	if a.long {
		return long
	}
	return short
}
