package main

import (
	"path/filepath"
	"regexp"
	"strings"
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

func TestMigrate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	migrate := func(verb string) string {
		t.Helper()
		status, stdout, stderr := runText("migrate", verb, "--data-dir", dir)
		if status != 0 {
			t.Fatalf("migrate %s: %d %s", verb, status, stderr)
		}
		return stdout
	}
	names := func(status string) string { return regexp.MustCompile(`(?m) .*$`).ReplaceAllString(status, "") }
	before := migrate("status")
	if strings.Count(before, "pending\n") != strings.Count(before, "\n") || !strings.HasPrefix(before, "00001_core.sql ") {
		t.Errorf("before: %s", before)
	}
	for range 2 { // the second one has nothing to apply
		if said := migrate("up"); said != "The database is up to date.\n" {
			t.Errorf("up: %s", said)
		}
	}
	after := migrate("status")
	if strings.Contains(after, "pending") || names(after) != names(before) ||
		len(regexp.MustCompile(`(?m) \d{4}-\d\d-\d\dT[\d:.]+Z$`).FindAllString(after, -1)) != strings.Count(before, "\n") {
		t.Errorf("after: %s", after)
	}
}
