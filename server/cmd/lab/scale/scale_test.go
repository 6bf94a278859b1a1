package scale

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/server/cmd/lab/rig"
)

// TestScale fills a tiny database and sends every operation once. It fails when
// a migration or an operation has changed so that the generator no longer fits.
func TestScale(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "assay")
	if err := rig.Build(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	for _, kind := range rig.Kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			c := &Command{
				Flags: rig.Flags{Binary: binary}, Requests: 2, Budget: time.Minute, strict: true,
			}
			size := sizes{sessions: 400, deliveries: 800, entries: 400, organizations: 6}
			var out strings.Builder
			err := c.Each(t.Context(), []string{kind}, func(dir, kind string) error {
				db, err := c.fillNew(t.Context(), &out, dir, kind, size, false)
				if err != nil {
					return err
				}
				defer func() { _ = db.Close() }()
				one, err := c.start(t.Context(), db)
				if err != nil {
					return err
				}
				defer one.close()
				if err = c.measure(t.Context(), one); err == nil {
					printTable(&out, kind, one.timings, one.timings)
				}
				return err
			})
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
