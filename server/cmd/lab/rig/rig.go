// Package rig runs the service as production does, for the commands that
// measure it or inject faults: it builds assay, starts and kills its processes,
// starts PostgreSQL clusters, and sends requests. It connects only to loopback
// addresses and Unix sockets.
package rig

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Flags are common to all commands.
type Flags struct {
	Binary string `help:"An existing assay binary, to compare versions; built from this tree by default."`
	Dir    string `help:"Folder for databases and logs, on a real disk; /var/tmp by default."`
}

// Each calls run once for each name, with the path of a new folder, which does
// not exist yet. It joins the errors. When one fails, it keeps the folders, with
// the logs and databases in them.
func (f *Flags) Each(ctx context.Context, names []string, run func(dir, name string) error) error {
	dir, err := MakeDir(f.Dir, "assay-lab-")
	if err != nil {
		return err
	}
	if f.Binary == "" {
		f.Binary = filepath.Join(dir, "assay")
		if err := Build(ctx, f.Binary); err != nil {
			return err
		}
	}

	var failures error
	for _, name := range names {
		if err := run(filepath.Join(dir, name), name); err != nil {
			failures = errors.Join(failures, fmt.Errorf("%s: %w", name, err))
		}
		if ctx.Err() != nil {
			return errors.Join(errors.New("interrupted"), os.RemoveAll(dir))
		}
	}
	if failures != nil {
		return fmt.Errorf("%w\nlogs and databases are in %s", failures, dir)
	}
	return os.RemoveAll(dir)
}

// Seeded is the flag of commands that make random choices.
type Seeded struct {
	Seed uint64 `help:"Seed of the random choices; a new one is made and printed by default."`
}

// Random returns a generator for the seed. It sets Seed if that is 0.
func (s *Seeded) Random() *mathrand.Rand {
	if s.Seed == 0 {
		s.Seed = mathrand.Uint64() //nolint:gosec // protects nothing
	}
	return mathrand.New(mathrand.NewPCG(s.Seed, 0)) //nolint:gosec // protects nothing
}

// Build compiles assay, as `make build` does.
func Build(ctx context.Context, binary string) error {
	//nolint:gosec // the name of a file in our own folder
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", binary, "assay/server/cmd/assay")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	return nil
}

// CleanEnv is the environment without the variables that have one of these
// prefixes: the caller's shell may configure another assay or another database.
func CleanEnv(prefixes ...string) []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(variable, prefix) })
	})
}

// RandomSecret returns a new master secret.
func RandomSecret() string {
	random := make([]byte, 32)
	_, _ = rand.Read(random) // never fails
	return hex.EncodeToString(random)
}

// FreeAddr returns a loopback address with a port that was free when it looked.
func FreeAddr(ctx context.Context) (string, error) {
	var err error
	for range 20 {
		// Connections to other processes take ports from 32768 on, and could take this one before it is used.
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(10_000+mathrand.IntN(20_000))) //nolint:gosec // no secret
		var listener net.Listener
		if listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", addr); err == nil {
			return addr, listener.Close()
		}
	}
	return "", err
}

// Listen serves handler on a loopback address until stop is called.
func Listen(ctx context.Context, handler http.Handler) (addr string, stop func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }() // until stop
	return listener.Addr().String(), func() { _ = server.Close() }, nil
}

// Pause waits for d and returns true, or returns false as soon as ctx ends.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// MakeDir makes a folder that a PostgreSQL of another user can reach. It is on a
// real disk: /tmp is in memory on many systems, where fsync costs nothing.
func MakeDir(base, pattern string) (string, error) {
	if base == "" {
		base = "/var/tmp"
	}
	dir, err := os.MkdirTemp(base, pattern)
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o755) //nolint:gosec // as root, PostgreSQL runs as another user
}
