package corrections

import (
	"path/filepath"
	"strings"
	"testing"

	"assay/server/cmd/lab/rig"
)

// TestCorrections is a short form of `make corrections` with kills.
func TestCorrections(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "assay")
	if err := rig.Build(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	for _, database := range rig.Kinds {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			c := &Command{
				Flags: rig.Flags{Binary: binary}, DatabaseFlag: rig.DatabaseFlag{Database: []string{database}},
				Sessions: 400, Clients: 4, Rate: 1, Kills: 3,
			}
			err := c.Run(t.Context(), &out)
			t.Log(out.String())
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
