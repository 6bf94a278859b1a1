package faults

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/server/cmd/lab/rig"
)

// TestFaults runs a short form of each part. The parts mostly wait, so they run
// in parallel whatever the number of processors.
func TestFaults(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "assay")
	if err := rig.Build(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	flags := rig.Flags{Binary: binary}
	drain := func(rounds, clients int, proxy string, databases ...string) *Drain {
		return &Drain{
			Flags: flags, DatabaseFlag: rig.DatabaseFlag{Database: databases}, Rounds: rounds, Clients: clients, Proxy: proxy,
			Wait: 4 * time.Second, Slow: 3500 * time.Millisecond, // the machine is busy
		}
	}
	slow := func(kind string) *Slow {
		return &Slow{
			Flags: flags, Database: "sqlite", Kind: []string{kind},
			Slow: 100, Clients: 1, Alone: time.Second, Interval: time.Second,
		}
	}
	var running sync.WaitGroup
	for name, part := range map[string]interface {
		Run(context.Context, io.Writer) error
	}{
		"drain":    drain(3, 50, "none", rig.Kinds...),
		"nginx":    drain(1, 20, "nginx", "postgres"),
		"stopped":  &Outage{Flags: flags, Mode: []string{"stopped"}, Away: 3 * time.Second, Clients: 8},
		"frozen":   &Outage{Flags: flags, Mode: []string{"frozen"}, Away: 8 * time.Second, Clients: 8},
		"failover": &Failover{Flags: flags, Rounds: 1, Clients: 8, Lag: 2 * time.Second},
		"replica":  &Replica{Flags: flags},
		"headers":  slow("headers"),
		"bodies":   slow("bodies"),
		"readers":  slow("readers"),
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
