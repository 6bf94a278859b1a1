//go:build unix

package db

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The files of a database are for their owner only, in a folder that others can read,
// whatever modes they had.
func TestSQLiteFilesArePrivate(t *testing.T) {
	t.Parallel()
	for _, existing := range []os.FileMode{0, 0o644, 0o660, 0o600} {
		folder := t.TempDir()
		if err := os.Chmod(folder, 0o755); err != nil { // others can read it
			t.Fatal(err)
		}
		file, log := filepath.Join(folder, "assay.db"), &bytes.Buffer{}
		if existing != 0 {
			if err := os.WriteFile(file, nil, existing); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(file, existing); err != nil { // whatever the umask is
				t.Fatal(err)
			}
		}
		d, err := Open(t.Context(), Options{
			URL: "sqlite:" + file, Now: time.Now, Log: slog.New(slog.NewTextHandler(log, nil)),
		})
		if err != nil {
			t.Fatal(err)
		}
		migrateNotes(t, d)
		for _, name := range []string{file, file + "-wal", file + "-shm", file + ".lock"} {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s of a file with mode %o has mode %o, want 600", filepath.Base(name), existing, info.Mode().Perm())
			}
		}
		if warned := strings.Contains(log.String(), "others could read"); warned != (existing&0o077 != 0) {
			t.Errorf("mode %o: the log is %q", existing, log)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}
