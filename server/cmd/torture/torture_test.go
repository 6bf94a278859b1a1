package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/server/cmd/internal/rig"
)

// TestTorture is a short run of `make torture`.
func TestTorture(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "assay")
	if err := rig.Build(context.Background(), binary); err != nil {
		t.Fatal(err)
	}
	for _, database := range []string{"sqlite", "postgres"} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			c := &command{
				Database: []string{database}, Sessions: 100, Duration: 6 * time.Second, Clients: 4, Pause: 700 * time.Millisecond,
				Binary: binary, Dir: "/var/tmp",
			}
			err := c.Run(context.Background(), &out)
			t.Log(out.String())
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
