package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/server/cmd/internal/rig"
)

// TestFaults is a short run of each part of `make faults`. The parts wait more
// than they work, so that they run beside each other on however few cores.
func TestFaults(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "assay")
	if err := rig.Build(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	both, its := []string{"sqlite", "postgres"}, common{Binary: binary}
	var running sync.WaitGroup
	for name, part := range map[string]interface {
		Run(context.Context, io.Writer) error
	}{
		"drain":    &drainCommand{common: its, Database: both, Rounds: 3, Clients: 50, Proxy: "none"},
		"nginx":    &drainCommand{common: its, Database: []string{"postgres"}, Rounds: 1, Clients: 20, Proxy: "nginx"},
		"stopped":  &outageCommand{common: its, Mode: []string{"stopped"}, Away: 3 * time.Second, Clients: 8},
		"frozen":   &outageCommand{common: its, Mode: []string{"frozen"}, Away: 8 * time.Second, Clients: 8},
		"failover": &failoverCommand{common: its, Rounds: 1, Clients: 8, Lag: 2 * time.Second},
		"kills":    &killsCommand{common: its, Database: both, Kills: 5, Clients: 4},
		"slow": &slowCommand{
			common: its, Database: "sqlite", Kind: []string{"headers", "bodies", "readers"}, Slow: 200, AtOnce: true,
			Clients: 4, Alone: time.Second, Interval: time.Second,
		},
	} {
		running.Go(func() {
			t.Run(name, func(t *testing.T) {
				var out strings.Builder
				err := part.Run(t.Context(), &out)
				t.Log("\n" + out.String())
				if err != nil {
					t.Fatal(err)
				}
			})
		})
	}
	running.Wait()
}
