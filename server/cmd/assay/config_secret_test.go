package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestSecretFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "data")
	first, err := secretFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(first) != 64 {
		t.Errorf("the secret has %d characters, want 32 bytes in hexadecimal", len(first))
	}
	for path, want := range map[string]fs.FileMode{dir: 0o700 | fs.ModeDir, filepath.Join(dir, "secret"): 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %s, want %s", path, info.Mode(), want)
		}
	}
	if again, err := secretFile(dir); err != nil || again != first {
		t.Errorf("the second start has another secret, or %v", err)
	}
	if other, err := secretFile(t.TempDir()); err != nil || other == first {
		t.Errorf("another folder has the same secret, or %v", err)
	}
}

// Processes that start at the same time in an empty folder use the same secret.
func TestSecretFileRace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	const starts = 20
	var secrets [starts]string
	var errs [starts]error
	var group sync.WaitGroup
	gate := make(chan struct{})
	for i := range starts {
		group.Go(func() {
			<-gate
			secrets[i], errs[i] = secretFile(dir)
		})
	}
	close(gate)
	group.Wait()
	for i := range starts {
		if errs[i] != nil || secrets[i] != secrets[0] || len(secrets[i]) != 64 {
			t.Errorf("start %d: %v, the same secret: %t", i, errs[i], secrets[i] == secrets[0])
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left in the folder: %v, %v", entries, err)
	}
}

// A secret that others can read may be known to them, so the service does not start.
func TestSecretThatOthersCanRead(t *testing.T) {
	c := goodConfig(t)
	if _, err := c.check(io.Discard); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(c.DataDir, "secret")
	for _, mode := range []fs.FileMode{0o640, 0o604, 0o644, 0o620, 0o666} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := c.check(io.Discard); err == nil || !strings.Contains(err.Error(), "chmod 600 "+file) {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	for _, mode := range []fs.FileMode{0o600, 0o400} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := c.check(io.Discard); err != nil {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
}

func TestInvalidSecretFile(t *testing.T) {
	for _, content := range []string{"", "\n", "too-short\n", strings.Repeat("s", 31) + "\n\n\n"} {
		c := goodConfig(t)
		if err := os.MkdirAll(c.DataDir, 0o700); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(c.DataDir, "secret")
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := c.check(io.Discard)
		if err == nil || !strings.Contains(err.Error(), "ASSAY_SECRET ") || strings.Contains(err.Error(), "too-short") {
			t.Errorf("%q: %v", content, err)
		}
		// The file can be the only copy of the secret that encrypts a database.
		if after, err := os.ReadFile(file); err != nil || string(after) != content {
			t.Errorf("%q was replaced by %q, %v", content, after, err)
		}
	}
}
