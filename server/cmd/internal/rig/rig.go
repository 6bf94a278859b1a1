// Package rig is what the programs share that run the service as production
// does, to measure it or to break it: building it, starting and killing its
// processes, a PostgreSQL of their own, and a client that prepares things. It
// talks to nothing but loopback addresses and Unix sockets.
package rig

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"
)

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

// CleanEnv is the environment without variables of these prefixes: those of the
// service and of its database driver may be set in the caller's shell.
func CleanEnv(prefixes ...string) []string {
	var env []string
next:
	for _, variable := range os.Environ() {
		for _, prefix := range prefixes {
			if strings.HasPrefix(variable, prefix) {
				continue next
			}
		}
		env = append(env, variable)
	}
	return env
}

// RandomSecret is a master secret.
func RandomSecret() string {
	random := make([]byte, 32)
	_, _ = rand.Read(random) // never fails
	return hex.EncodeToString(random)
}

// FreeAddr returns a loopback address that was free a moment ago.
func FreeAddr(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// Pause waits and reports true, unless ctx ends first.
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

// MakeDir makes a folder that a PostgreSQL of another user can reach, on a real
// disk: /tmp is memory on many systems, and syncing is free there.
func MakeDir(base, pattern string) (string, error) {
	if base == "" {
		base = "/var/tmp"
	}
	dir, err := os.MkdirTemp(base, pattern)
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o755) //nolint:gosec // PostgreSQL runs as another user where we are root
}
