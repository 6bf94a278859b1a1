// Package corrections applies a correction to thousands of finished sessions. It measures how long
// that takes, and what it costs candidates who work meanwhile. With kills, it ends the
// service again and again while the correction is applied, and checks that each session is
// entirely before or entirely after it, and that no event is lost.
package corrections

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"assay/server/cmd/lab/rig"
)

// Command is `lab corrections`.
type Command struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`
	rig.Seeded       `embed:""`

	Sessions int           `default:"10000" help:"Finished sessions to correct."`
	Clients  int           `default:"8" help:"Connections that complete the sessions."`
	Rate     int           `default:"100" help:"Answers per second of the candidates who work meanwhile."`
	Alone    time.Duration `default:"15s" help:"Time for which these candidates are measured without a correction."`
	Kills    int           `help:"Kills of the service while it applies the correction. Nothing is measured then."`
}

// Aims that are missed are printed. They fail nothing.
const (
	aimApplied  = time.Minute
	aimSlowdown = 1.2 // p99 of an answer beside the correction, in parts of that before it
)

var webhookEnv = []string{
	"ASSAY_WEBHOOK_ALLOW_INSECURE=true", "ASSAY_WEBHOOK_BACKOFF=300ms,1s", "ASSAY_WEBHOOK_TIMEOUT=2s",
}

// Run corrects sessions on each kind of database.
func (c *Command) Run(ctx context.Context, out io.Writer) error {
	if min(c.Sessions, c.Clients, c.Rate) < 1 || c.Kills < 0 {
		return errors.New("sessions, clients and rate must be positive, and kills not negative")
	}
	random := c.Random()
	return c.EachDatabase(ctx, c.Database, func(db *rig.Database) error { return c.on(ctx, out, random, db) })
}

func (c *Command) on(ctx context.Context, out io.Writer, random *rand.Rand, db *rig.Database) error {
	service := db.Service(c.Binary)
	service.Env = slices.Clone(webhookEnv)
	member, err := service.NewMember(ctx, "serve", db.Dir, "serve", "--rate-limits=off", "--quotas=off")
	if err != nil {
		return err
	}
	keeping, stop := context.WithCancel(ctx)
	kept := make(chan error, 1)
	go func() { kept <- member.Keep(keeping) }()
	err = c.correct(ctx, out, random, db, member)
	stop()
	return errors.Join(err, <-kept)
}

func (c *Command) correct(
	ctx context.Context, out io.Writer, random *rand.Rand, db *rig.Database, member *rig.Member,
) error {
	_, _ = fmt.Fprintf(out, "correction of %d sessions, %s, seed %d\n", c.Sessions, db.Kind, c.Seed)
	to, err := newReceiver(ctx)
	if err != nil {
		return err
	}
	defer to.stop()
	if err := waitReady(ctx, member); err != nil {
		return err
	}
	w, err := newWorld(ctx, rig.NewClient([]string{member.Addr}, 2*c.Clients), to.addr)
	if err != nil {
		return err
	}
	if err := w.finish(ctx, c.Sessions, c.Clients); err != nil {
		return err
	}
	if err := w.SignIn(ctx); err != nil {
		return err
	}
	if c.Kills > 0 {
		err = c.kill(ctx, out, random, w, member)
	} else {
		err = c.measure(ctx, out, w)
	}
	if err != nil {
		return err
	}
	return w.audit(ctx, to)
}

// measure prints the time of the correction, and the latencies of candidates before it and beside it.
func (c *Command) measure(ctx context.Context, out io.Writer, w *world) error {
	workers, err := w.workers(ctx, 50)
	if err != nil {
		return err
	}
	alone := workers.answer(ctx, c.Rate, func(since time.Duration) bool { return since < c.Alone })
	began := time.Now()
	if err := w.begin(ctx); err != nil {
		return err
	}
	var applied error
	done := make(chan struct{})
	go func() {
		defer close(done)
		applied = w.waitApplied(ctx)
	}()
	beside := workers.answer(ctx, c.Rate, func(time.Duration) bool {
		select {
		case <-done:
			return false
		default:
			return true
		}
	})
	took := time.Since(began)
	if err := errors.Join(applied, workers.err()); err != nil {
		return err
	}
	slowdown := float64(rig.Percentile(beside, 99)) / float64(rig.Percentile(alone, 99))
	row := func(name string, took []time.Duration) []string {
		p50, p99 := rig.Percentile(took, 50), rig.Percentile(took, 99)
		return []string{name, rig.Milliseconds(p50), rig.Milliseconds(p99), strconv.Itoa(len(took))}
	}
	rig.PrintTable(out, [][]string{{"", "p50", "p99", "answers"}, row("before", alone), row("beside", beside)})
	_, _ = fmt.Fprintf(out, "applied in %s (aim %s%s); p99 %.2f times (aim %.1f%s)\n", rig.Seconds(took),
		rig.Seconds(aimApplied), missed(took > aimApplied), slowdown, aimSlowdown, missed(slowdown > aimSlowdown))
	return nil
}

func missed(is bool) string {
	if is {
		return ", missed"
	}
	return ""
}

// kill ends the service while the correction is applied, and looks at some sessions after each kill.
func (c *Command) kill(ctx context.Context, out io.Writer, random *rand.Rand, w *world, member *rig.Member) error {
	if err := w.begin(ctx); err != nil {
		return err
	}
	inside := 0 // kills before the correction was complete
	for range c.Kills {
		if !rig.Pause(ctx, time.Duration(random.IntN(500))*time.Millisecond) {
			return ctx.Err()
		}
		member.Kill()
		if err := waitReady(ctx, member); err != nil {
			return err
		}
		isApplied, err := w.isApplied(ctx)
		if err != nil {
			return err
		}
		if !isApplied {
			inside++
		}
		if err := w.look(ctx, random, 20); err != nil {
			return err
		}
	}
	_, _ = fmt.Fprintf(out, "%d kills, %d of them inside the correction\n", c.Kills, inside)
	if inside*2 < c.Kills {
		return errors.New("most kills came too late: correct more sessions")
	}
	return w.waitApplied(ctx)
}

func waitReady(ctx context.Context, member *rig.Member) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return member.WaitReady(ctx)
}
