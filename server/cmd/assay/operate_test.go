package main

import (
	"path/filepath"
	"testing"
)

// assay vacuum removes the space of deleted rows from a SQLite file. The store's
// tests check what remains in it.
func TestVacuum(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if status, _, stderr := runText("migrate", "up", "--data-dir", dir); status != 0 {
		t.Fatalf("migrate up: %d %s", status, stderr)
	}
	status, stdout, stderr := runText("vacuum", "--data-dir", dir)
	if status != 0 || stdout != "The file contains no copies of erased data.\n" || stderr != "" {
		t.Errorf("vacuum: %d %q %q", status, stdout, stderr)
	}
}
