package main

import (
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/store/storetest"
)

// backupCommands returns the shell commands of the section on backups, in order.
func backupCommands(t *testing.T) (copySQLite, copyPostgres, restoreSQLite, restorePostgres string) {
	t.Helper()
	_, section, _ := strings.Cut(readFile(t, ".deploy/README.md"), "\n## Backups\n")
	section, _, _ = strings.Cut(section, "\n### A drill\n")
	var commands []string
	for _, block := range regexp.MustCompile("(?ms)^ *```\n(.*?)^ *```$").FindAllStringSubmatch(section, -1) {
		commands = append(commands, block[1])
	}
	if len(commands) != 4 {
		t.Fatalf("the section has %d blocks of commands: %q", len(commands), commands)
	}
	return commands[0], commands[1], commands[2], commands[3]
}

// drillArguments returns the arguments of the documented command of a drill.
func drillArguments(t *testing.T, addr, dir string) []string {
	t.Helper()
	_, section, _ := strings.Cut(readFile(t, ".deploy/README.md"), "\n### A drill\n")
	command := regexp.MustCompile("(?m)^assay (serve .*)$").FindStringSubmatch(section)
	if command == nil {
		t.Fatal("no command of a drill is documented")
	}
	return strings.Fields(strings.NewReplacer("127.0.0.1:8081", addr, `"$DRILL"`, dir).Replace(command[1]))
}

// shell runs documented commands as a user whose files others can read by default.
func shell(t *testing.T, commands string, variables ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", "umask 022\n"+commands)
	command.Env = append(os.Environ(), variables...)
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, commands, output)
	}
}

// onlyPrivate returns the only file below a folder, and fails if others can read any.
func onlyPrivate(t *testing.T, dir string) (file string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can read %s: %s", entry.Name(), info.Mode())
		}
		file = path
		return err
	})
	if err != nil || file == "" {
		t.Fatalf("there is no file: %v", err)
	}
	return file
}

const signIn = `{"email":"ana@quay.example","password":"a long enough pass phrase"}`

// The documented commands copy a running service, leave no file that others can read, and restore the copy.
func TestDocumentedBackups(t *testing.T) {
	t.Parallel()
	copySQLite, copyPostgres, restoreSQLite, restorePostgres := backupCommands(t)
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			backups, live, restored := t.TempDir(), filepath.Join(t.TempDir(), "live"), filepath.Join(t.TempDir(), "restored")
			at := func(dir string) *strings.Replacer {
				return strings.NewReplacer("/var/lib/assay", dir, "/backup", backups, "-o assay -g assay ", "")
			}
			liveURL, restoredURL := "sqlite:"+filepath.Join(live, "assay.db"), "sqlite:"+filepath.Join(restored, "assay.db")
			if kind == "postgres" {
				liveURL, restoredURL = storetest.URL(t, kind), storetest.URL(t, kind)
				storetest.Empty(t, restoredURL)
			}
			serve := func(databaseURL string, args ...string) string {
				p := start(t, []string{"ASSAY_DATABASE_URL=" + databaseURL, "ASSAY_REGISTRATION=open"}, args...)
				return p.printed(`listens on (\S+)`)
			}
			if err := os.MkdirAll(live, 0o700); err != nil {
				t.Fatal(err)
			}
			base := serve(liveURL, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off", "--data-dir", live)
			if got := send(t, http.MethodPost, base+"/v1/auth/register", `{"organizationName":"Quay","name":"Ana",`+
				signIn[1:], "Content-Type", "application/json"); got.status != http.StatusCreated {
				t.Fatalf("register: %d %s", got.status, got.body)
			}

			if kind == "sqlite" {
				shell(t, at(live).Replace(copySQLite))
				backup := onlyPrivate(t, backups)
				shell(t, at(restored).Replace(restoreSQLite), "BACKUP="+backup, "SECRET_FILE="+filepath.Join(live, "secret"),
					"JOURNAL="+filepath.Join(live, "assay.db.erasures"))
				onlyPrivate(t, restored)
			} else {
				shell(t, at(live).Replace(copyPostgres), "URL="+liveURL)
				backup := onlyPrivate(t, backups)
				shell(t, restorePostgres, "URL="+restoredURL, "BACKUP="+backup)
				restored = live // the secret
			}
			base = serve(restoredURL, drillArguments(t, freeAddr(t), restored)...)
			if got := send(t, http.MethodPost, base+"/v1/auth/login", signIn,
				"Content-Type", "application/json"); got.status != http.StatusOK {
				t.Errorf("sign in to the restored service: %d %s", got.status, got.body)
			}
		})
	}
}
