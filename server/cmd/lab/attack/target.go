package attack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/server/cmd/lab/rig"
)

// target is a service with an empty database of its own.
type target struct {
	*rig.Process

	db  *rig.Database
	api *rig.Client
}

// The defaults, which the rig overrides. Limits and quotas cannot be empty.
const (
	defaultLimits = "ASSAY_RATE_LIMITS=api-key=600/1m:100"
	defaultQuotas = "ASSAY_QUOTAS=webhooks=50"
	noProfiles    = "ASSAY_PPROF=false"
)

// unlimited is for parts that are about something else than rates.
const unlimited = "ASSAY_RATE_LIMITS=off"

// database makes an empty database for a target.
func (a *attack) database(ctx context.Context) (*rig.Database, error) {
	a.targets++
	name := fmt.Sprintf("%s_%d", a.part, a.targets)
	dir := filepath.Join(a.Dir, name)
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // as in rig: a folder that others may enter
		return nil, err
	}
	db := &rig.Database{Kind: a.Kind, Dir: dir, Cluster: a.Cluster, URL: "sqlite:" + filepath.Join(dir, "assay.db")}
	if a.Cluster == nil {
		return db, nil
	}
	db.URL = strings.Replace(a.URL, "/postgres?", "/"+name+"?", 1)
	pool, err := a.Open()
	if err != nil {
		return nil, err
	}
	_, err = pool.ExecContext(ctx, "CREATE DATABASE "+name)
	return db, errors.Join(err, pool.Close())
}

// serve starts a service. Registration is open, unless a setting says otherwise.
func (a *attack) serve(ctx context.Context, settings ...string) (*target, error) {
	db, err := a.database(ctx)
	if err != nil {
		return nil, err
	}
	return a.serveOn(ctx, db, settings...)
}

// serveOn starts a service on a database that exists.
func (a *attack) serveOn(ctx context.Context, db *rig.Database, settings ...string) (*target, error) {
	service := db.Service(a.binary)
	service.Env = append([]string{defaultLimits, defaultQuotas, noProfiles, "ASSAY_REGISTRATION=open"}, settings...)
	process, _, err := service.Serve(ctx)
	if err != nil {
		return nil, err
	}
	return &target{process, db, rig.NewClient([]string{process.Addr}, 100)}, nil
}

// two makes a hostile organization and a victim.
func (t *target) two(ctx context.Context) (hostile *rig.Organization, v *victim, err error) {
	if hostile, err = rig.NewOrganization(ctx, t.api, "hostile"); err != nil {
		return nil, nil, t.Explain(err)
	}
	harmless, err := rig.NewOrganization(ctx, t.api, "victim")
	return hostile, &victim{org: harmless}, t.Explain(err)
}

// unexpected is the error of an answer that should have been another. The answer can
// contain credentials, so only its beginning is shown.
func unexpected(what string, answer rig.Answer, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s: %d %s %.60q", what, answer.Status, answer.Code(), answer.Body)
}

// allocated is the number of bytes that the service has allocated since its start.
func (t *target) allocated(ctx context.Context) (int64, error) {
	bytes, err := t.Metric(ctx, "go_memstats_alloc_bytes_total")
	return int64(bytes), err
}

// exec executes a statement on the target's database.
func (t *target) exec(ctx context.Context, statements ...string) error {
	pool, err := t.db.Open()
	if err != nil {
		return err
	}
	pool.SetMaxOpenConns(1)
	if t.db.Cluster == nil {
		statements = slices.Insert(statements, 0, `PRAGMA busy_timeout = 30000`) // the service writes too
	}
	for _, statement := range statements {
		if _, err = pool.ExecContext(ctx, statement); err != nil {
			err = fmt.Errorf("%w in: %s", err, statement)
			break
		}
	}
	return errors.Join(err, pool.Close())
}
