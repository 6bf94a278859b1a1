package main

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"time"

	"assay/server/cmd/internal/rig"
)

// process is a server on one database.
type process struct {
	*rig.Process
	database string // kind
}

// startServer starts `assay serve` and returns how long it took until it was ready.
func startServer(ctx context.Context, binary string, db *database) (*process, time.Duration, error) {
	server, took, err := db.service(binary, rig.RandomSecret(), "warn").Serve(ctx)
	if err != nil {
		return nil, 0, err
	}
	return &process{server, db.kind}, took, nil
}

// service is the server on this database. TEST_DATABASE_URL may leave something
// to the driver's own variables.
func (db *database) service(binary, secret, logLevel string) rig.Service {
	return rig.Service{Binary: binary, DatabaseURL: db.url, Dir: db.dir, Secret: secret, LogLevel: logLevel, KeepDriverEnv: true}
}

// startBare starts this program again as the baseline. The database's URL goes
// by the environment: arguments are visible to everybody on the machine.
func startBare(ctx context.Context, db *database, data *dataset) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	addr, err := rig.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}
	//nolint:gosec // this very program
	cmd := exec.CommandContext(ctx, self, "bare", "--addr", addr, "--organization", data.organizationID, "--assessment", data.assessmentID)
	cmd.Env = append(rig.CleanEnv("ASSAY_"), "BENCH_DATABASE_URL="+db.url)
	bare := rig.NewProcess(cmd, addr)
	if _, err = bare.Start(ctx, "/ready"); err != nil {
		return nil, err
	}
	return &process{bare, db.kind}, nil
}

// profile begins a CPU profile of the given length and returns what waits for
// its end and writes it to file.
func (p *process) profile(ctx context.Context, file string, length time.Duration) (finish func() error) {
	done := make(chan error, 1)
	go func() {
		seconds := strconv.Itoa(int(length.Round(time.Second).Seconds()))
		content, err := get(ctx, "http://"+p.Admin+"/debug/pprof/profile?seconds="+seconds)
		if err == nil {
			err = os.WriteFile(file, content, 0o600)
		}
		done <- err
	}()
	return func() error { return <-done }
}
