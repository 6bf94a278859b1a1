package faults

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"time"

	"assay/server/cmd/lab/rig"
)

// Replica is `lab faults replica`.
type Replica struct {
	rig.Flags `embed:""`
}

// staleBound is how far behind a read replica may be, and some time for a busy machine.
const staleBound = 15 * time.Second

// Run reads exports from a standby, which then stays behind, and then stops.
func (c *Replica) Run(ctx context.Context, out io.Writer) error {
	return c.EachDatabase(ctx, []string{"postgres"}, func(db *rig.Database) (err error) {
		standby, err := db.Cluster.Standby(ctx, filepath.Join(db.Dir, "standby"))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, standby.Stop()) }()
		service := db.Service(c.Binary)
		service.Env = append(service.Env, "ASSAY_DATABASE_READ_URL="+standby.URL())
		server, _, err := service.Serve(ctx)
		if err != nil {
			return err
		}
		defer server.Stop()
		return server.Explain(lagging(ctx, out, server.Addr, standby))
	})
}

func lagging(ctx context.Context, out io.Writer, addr string, standby *rig.Cluster) error {
	o, err := rig.NewOrganization(ctx, rig.NewClient([]string{addr}, 1), "replica")
	if err != nil {
		return err
	}
	replica, err := sql.Open("postgres", standby.URL())
	if err != nil {
		return err
	}
	defer func() { _ = replica.Close() }() // fails, because the standby has stopped
	add := func(name string) error {
		_, err := o.Add(ctx, name)
		return err
	}

	// The standby has the first session when the second one is invited: an export without
	// the second one comes from the standby.
	if err := add("first"); err != nil {
		return err
	}
	time.Sleep(3 * time.Second) // the service compares once a second
	if _, err := replica.ExecContext(ctx, `SELECT pg_wal_replay_pause()`); err != nil {
		return err
	}
	if err := add("second"); err != nil {
		return err
	}
	paused := time.Now()
	if n, err := exported(ctx, o); err != nil || n != 1 {
		return errors.Join(err, fmt.Errorf("an export has %d sessions, want 1: it does not come from the standby", n))
	}
	for n := 1; n != 2; time.Sleep(200 * time.Millisecond) {
		if n, err = exported(ctx, o); err != nil {
			return err
		}
		if n != 2 && time.Since(paused) > staleBound {
			return fmt.Errorf("an export is out of date by more than %s", staleBound)
		}
	}
	_, _ = fmt.Fprintf(out, "a standby that stays behind is not read after %s\n", rig.Milliseconds(time.Since(paused)))

	if _, err := replica.ExecContext(ctx, `SELECT pg_wal_replay_resume()`); err != nil {
		return err
	}
	time.Sleep(3 * time.Second)
	if err := standby.Halt(ctx); err != nil {
		return err
	}
	for range 10 {
		if n, err := exported(ctx, o); err != nil || n != 2 {
			return errors.Join(err, fmt.Errorf("after the end of the standby, an export has %d sessions, want 2", n))
		}
	}
	_, _ = fmt.Fprintln(out, "exports are complete after the end of the standby")
	return nil
}

// exported counts the sessions of an export.
func exported(ctx context.Context, o *rig.Organization) (int, error) {
	answer, err := o.API.Send(ctx, http.MethodGet, "/v1/candidate-sessions/export", o.Owner, nil)
	if err != nil {
		return 0, err
	}
	if !answer.OK() {
		return 0, fmt.Errorf("export: %d %s", answer.Status, answer.Body)
	}
	return bytes.Count(answer.Body, []byte("\n")) - 1, nil // without the header line
}
