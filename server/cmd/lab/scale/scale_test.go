package scale

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/server/cmd/internal/rig"
)

// TestScale fills tiny databases and sends every operation once. It fails when
// a migration or an operation has changed so that the generator no longer fits.
func TestScale(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "assay")
	if err := rig.Build(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			c := &Command{
				Database: []string{kind}, Sessions: 400, Deliveries: 800, Entries: 400, Organizations: 6, Small: 200,
				Requests: 2, Budget: time.Minute, Dir: t.TempDir(), Binary: binary, strict: true,
				TestDatabaseURL: os.Getenv("TEST_DATABASE_URL"),
			}
			var out strings.Builder
			err := c.Run(t.Context(), &out)
			t.Log("\n" + out.String())
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestULIDs(t *testing.T) {
	for _, test := range []struct {
		ms, n int64
		want  string
	}{
		{0, 0, "00000000000000000000000000"},
		{1_469_918_176_385, 255, "01aryz6s4100000000000000ff"}, // the example of the ULID specification
	} {
		if got := makeULID(test.ms, test.n); got != test.want {
			t.Errorf("makeULID(%d, %d) is %s, want %s", test.ms, test.n, got, test.want)
		}
	}
}
