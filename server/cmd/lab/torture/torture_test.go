package torture

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/server/cmd/lab/rig"
)

// TestTorture is a short form of `make torture`.
func TestTorture(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "assay")
	if err := rig.Build(context.Background(), binary); err != nil {
		t.Fatal(err)
	}
	for _, database := range rig.Kinds {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			c := &Command{
				Flags: rig.Flags{Binary: binary}, DatabaseFlag: rig.DatabaseFlag{Database: []string{database}},
				Sessions: 50, Duration: 6 * time.Second, Clients: 4, Pause: 700 * time.Millisecond, Kills: 5,
			}
			err := c.Run(context.Background(), &out)
			t.Log(out.String())
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
