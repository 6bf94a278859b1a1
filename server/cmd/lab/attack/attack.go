// Package attack attacks the running service with a hostile organization and
// anonymous clients, while a victim works beside them. Each part prints what it
// tried, what the attacker got, what it cost, and which rules held.
package attack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// Command is `lab attack`.
type Command struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`

	Part []string `arg:"" optional:"" help:"Parts to run: ${attack_parts}. All by default."`
	Long bool     `help:"More requests, rows, and rounds: several times as long."`
}

// part is one kind of attack.
type part struct {
	name, promise string
	calm          bool // its rules do not depend on how busy the machine is
	run           func(context.Context, *attack) error
}

func parts() []part {
	return []part{
		{"bodies", "whatever a body contains, its request is cheap", false, bodies},
		{"texts", "whatever a text contains, it is rendered in linear time, and once", false, texts},
		{"isolation", "an organization's costly requests do not slow another one down", false, isolation},
		{"quotas", "what an organization has is bounded, and its endpoints do not slow others down", false, quotas},
		{"rates", "an organization, a person, a token, and a network have limits", false, rates},
		{"reads", "no read loads more than it answers, and the caches are bounded", false, reads},
		{"mail", "a long queue of one organization delays no other, and a forgotten password shows nothing", false, mailOf},
		{"registration", "only the people who run a service decide who registers", true, registration},
		{"invitations", "inviting shows nothing about accounts elsewhere, and no old link gives a role", true, invitations},
		{"guessing", "guessing reaches few passwords and does not lock the owner out", true, guessing},
		{"flood", "a flood of passwords does not keep people out", false, flood},
		{"audit", "each attempt has an entry, and a flood of attempts does not have a flood of entries", true, audit},
		{"small", "file modes, startup checks, pings, unknown ids, control characters", true, small},
		{"memory", "a hundred sign-ins leave no memory behind", true, memory},
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
		sum := &report{out: out}
		sum.line("lab attack on %s, %s", about, machineLoad())
		began := time.Now()
		for _, p := range run {
			if !p.calm {
				sum.add(c.attack(ctx, out, db, p))
			}
		}
		for _, r := range c.together(ctx, db, run) {
			sum.line("%s", strings.TrimSuffix(r.out.(*strings.Builder).String(), "\n"))
			sum.add(r)
		}
		sum.line("\n%s: %d rules held, %d broken, %d not tried, in %s, %s\n",
			db.Kind, sum.held, sum.broken, sum.untried, time.Since(began).Round(time.Second), machineLoad())
		return errors.Join(ctx.Err(), rig.Verdict(sum.faults))
	})
}

// attack runs one part.
func (c *Command) attack(ctx context.Context, out io.Writer, db *rig.Database, p part) *report {
	r := &report{out: out}
	if ctx.Err() != nil {
		return r
	}
	r.begin(p)
	if err := p.run(ctx, &attack{Database: db, report: r, binary: c.Binary, long: c.Long, part: p.name}); err != nil {
		r.fault("%s: %v", p.name, err)
	}
	return r
}

// together runs the calm parts at the same time: they mostly wait.
func (c *Command) together(ctx context.Context, db *rig.Database, run []part) []*report {
	calm := slices.DeleteFunc(slices.Clone(run), func(p part) bool { return !p.calm })
	reports := make([]*report, len(calm))
	var running sync.WaitGroup
	for n, p := range calm {
		running.Go(func() { reports[n] = c.attack(ctx, &strings.Builder{}, db, p) })
	}
	running.Wait()
	return reports
}

// attack is one part on one database.
type attack struct {
	*rig.Database
	*report

	binary  string
	long    bool
	part    string
	targets int
}

// often returns short, or with --long the other number.
func (a *attack) often(short, long int) int {
	if a.long {
		return long
	}
	return short
}
