package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each variable that can contain a secret can come from a file. The file wins over nothing, and its content is never
// part of an error.
func TestVariablesFromFiles(t *testing.T) {
	known := serveVariables(t)
	values := map[string]string{
		"ASSAY_SECRET":            testSecret,
		"ASSAY_SECRET_PREVIOUS":   "earlier-" + testSecret + "\nbefore-" + testSecret,
		"ASSAY_DATABASE_URL":      "postgres://assay:secret-phrase@db.example/assay",
		"ASSAY_DATABASE_READ_URL": "postgres://assay:secret-phrase@standby.example/assay",
		"ASSAY_SMTP_URL":          "smtps://assay:secret-phrase@mail.example",
		"ASSAY_SMTP_PASSWORD":     "secret-phrase",
	}
	holdsSecret := regexp.MustCompile(`SECRET|PASSWORD|_URL`)
	for name := range known {
		if name == "ASSAY_BASE_URL" || strings.HasSuffix(name, "_FILE") || !holdsSecret.MatchString(name) {
			continue
		}
		if _, there := known[name+"_FILE"]; !there || values[name] == "" {
			t.Errorf("%s cannot come from a file, or has no value in this test", name)
		}
	}
	base := map[string]string{ // what the variables need beside them
		"ASSAY_DATABASE_READ_URL": "ASSAY_DATABASE_URL", "ASSAY_SMTP_PASSWORD": "ASSAY_SMTP_URL",
	}
	for name, value := range values {
		t.Run(name, func(t *testing.T) {
			t.Setenv("ASSAY_MAIL_FROM", "assay@mail.example")
			if needed := base[name]; needed != "" {
				t.Setenv(needed, strings.Replace(values[needed], ":secret-phrase", "", 1))
			}
			check := func(content string) (settings, error) {
				t.Helper()
				file := filepath.Join(t.TempDir(), "value")
				if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
				t.Setenv(name+"_FILE", file)
				return goodConfig(t).check(io.Discard)
			}
			for _, end := range []string{"", "\n", "\r\n"} {
				set, err := check(value + end)
				if err != nil {
					t.Errorf("%q: %v", end, err)
					continue
				}
				used := map[string]bool{
					"ASSAY_SECRET":            !set.secretGenerated,
					"ASSAY_SECRET_PREVIOUS":   len(set.keys.Verifying("invite-token")) == 3,
					"ASSAY_DATABASE_URL":      set.databaseURL == value,
					"ASSAY_DATABASE_READ_URL": set.databaseReadURL == value,
					"ASSAY_SMTP_URL":          set.mail.server.Host == "mail.example",
					// A user without a password is refused.
					"ASSAY_SMTP_PASSWORD": set.mail.server.Host == "mail.example",
				}
				if !used[name] {
					t.Errorf("%q: the file has no effect", end)
				}
			}
			for what, content := range map[string]string{
				"is empty": "\n", "UTF-8": "secret-phrase\xff", "more than 65536 bytes": strings.Repeat("secret-phrase", 9999),
			} {
				refused(t, name, what, func() (settings, error) { return check(content) })
			}
			if name != "ASSAY_SECRET_PREVIOUS" {
				refused(t, name, "more than one line", func() (settings, error) { return check(value + "\nsecret-phrase") })
			}
			refused(t, name, "is a directory", func() (settings, error) {
				t.Setenv(name+"_FILE", t.TempDir())
				return goodConfig(t).check(io.Discard)
			})
			refused(t, name, "no such file", func() (settings, error) {
				t.Setenv(name+"_FILE", "/no/such/file")
				return goodConfig(t).check(io.Discard)
			})
			t.Setenv(name, value)
			refused(t, name, name+" is set, too", func() (settings, error) { return check(value) })
		})
	}
}

// refused expects one fault of the file of a variable.
func refused(t *testing.T, name, want string, check func() (settings, error)) {
	t.Helper()
	_, err := check()
	var fault misconfigured
	if !errors.As(err, &fault) || statusOf(err) != exitUnusable {
		t.Errorf("%s: %v", want, err)
		return
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	if !strings.HasPrefix(first, name+"_FILE: ") || !strings.Contains(first, want) ||
		strings.Contains(err.Error(), "secret-phrase") {
		t.Errorf("%q is not about %s_FILE: %s", err, name, want)
	}
}

// What is dangerous or probably a mistake is in the log, and the service starts nevertheless.
func TestWarnings(t *testing.T) {
	random := make([]byte, 32)
	_, _ = rand.Read(random)
	for name, test := range map[string]struct {
		variable, value string
		want            string // a part of the log, or "" for nothing
	}{
		"good secret":       {"ASSAY_SECRET", hex.EncodeToString(random), ""},
		"one character":     {"ASSAY_SECRET", strings.Repeat("a", 40), "ASSAY_SECRET is easy to guess"},
		"a short word":      {"ASSAY_SECRET", strings.Repeat("changeme", 5), "ASSAY_SECRET is easy to guess"},
		"an alphabet":       {"ASSAY_SECRET", "abcdefghijklmnopqrstuvwxyz0123456789", "ASSAY_SECRET is easy to guess"},
		"digits":            {"ASSAY_SECRET", "12345678901234567890123456789012", "ASSAY_SECRET is easy to guess"},
		"all of IPv4":       {"ASSAY_TRUSTED_PROXIES", "10.0.0.0/8,0.0.0.0/0", "network=0.0.0.0/0"},
		"all of IPv6":       {"ASSAY_TRUSTED_PROXIES", "::/0", "network=::/0"},
		"half of IPv4":      {"ASSAY_TRUSTED_PROXIES", "128.0.0.0/1", "network=128.0.0.0/1"},
		"private networks":  {"ASSAY_TRUSTED_PROXIES", "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7,::1", ""},
		"mistyped":          {"ASSAY_SECRT", "x-secret-phrase", "variable=ASSAY_SECRT similar=ASSAY_SECRET"},
		"singular":          {"ASSAY_TRUSTED_PROXY", "10.0.0.1", "similar=ASSAY_TRUSTED_PROXIES"},
		"of nothing":        {"ASSAY_XYZZY_PLUGH_FROTZ", "x-secret-phrase", "variable=ASSAY_XYZZY_PLUGH_FROTZ\n"},
		"of another":        {"ASSAY_LISTEN_ADDR", "127.0.0.1:8090", ""},
		"of another prefix": {"ASSAYER", "x", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(test.variable, test.value)
			var log bytes.Buffer
			if _, err := goodConfig(t).check(&log); err != nil {
				t.Fatal(err)
			}
			if test.want == "" && log.Len() > 0 || !strings.Contains(log.String(), test.want) ||
				strings.Count(log.String(), "\n") > 1 || strings.Contains(log.String(), "secret-phrase") {
				t.Errorf("the log is %q, want %q", &log, test.want)
			}
		})
	}
}

// No random secret of the recommended kinds causes a warning.
func TestStrengthOfRandomSecrets(t *testing.T) {
	t.Parallel()
	for range 2000 {
		random := make([]byte, 32)
		_, _ = rand.Read(random)
		for _, secret := range []string{
			hex.EncodeToString(random), hex.EncodeToString(random[:16]), rand.Text() + rand.Text(),
		} {
			if bits := strength(secret); bits < minStrength {
				t.Errorf("%d characters have %.0f bits", len(secret), bits)
			}
		}
	}
}

func TestToggles(t *testing.T) {
	for args, want := range map[string]bool{
		"": false, "--pprof": true, "--pprof=false": false, "--pprof=TRUE": true, "--pprof --addr :0": true,
	} {
		parser, parsed := parserOf(t)
		if _, err := parser.Parse(append([]string{"serve", "--data-dir", t.TempDir()}, strings.Fields(args)...)); err != nil {
			t.Fatal(err)
		}
		set, err := parsed.Serve.check(io.Discard)
		if err != nil || set.pprof != want {
			t.Errorf("%q: %t, %v", args, set.pprof, err)
		}
	}
	for value, want := range map[string]bool{
		"true": true, "1": true, "yes": true, "0": false, "No": false, "false": false,
	} {
		t.Setenv("ASSAY_WEBHOOK_ALLOW_INSECURE", value)
		set, err := goodConfig(t).check(io.Discard)
		if err != nil || set.webhookAllowInsecure != want {
			t.Errorf("%q: %t, %v", value, set.webhookAllowInsecure, err)
		}
	}
}

// A first start can be interrupted at any moment and repeated. Afterwards a database without data beside the secret is
// refused, also by other commands, and nothing is created.
func TestLostDatabase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	up := func() (int, string) {
		t.Helper()
		status, _, stderr := runText("migrate", "up", "--data-dir", dir)
		return status, stderr
	}
	c := goodConfig(t)
	c.DataDir = dir
	secret, database := filepath.Join(dir, "secret"), filepath.Join(dir, "assay.db")
	for range 2 { // interrupted after the secret
		if _, err := c.check(io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	// Interrupted between the file and its tables.
	if status, _, stderr := runText("migrate", "status", "--data-dir", dir); status != 0 {
		t.Fatalf("%d %s", status, stderr)
	}
	if status, stderr := up(); status != 0 {
		t.Fatalf("a first start after two interrupted ones: %d %s", status, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, firstStartFile)); !os.IsNotExist(err) {
		t.Errorf("the note of the first start: %v", err)
	}
	if status, stderr := up(); status != 0 {
		t.Errorf("a second start: %d %s", status, stderr)
	}
	key, err := os.ReadFile(secret)
	if err != nil {
		t.Fatal(err)
	}
	for what, lose := range map[string]func() error{
		"is missing":    func() error { return os.Remove(database) },
		"is empty":      func() error { return os.WriteFile(database, nil, 0o600) },
		"has no tables": func() error { return emptyDatabase(t, database) },
	} {
		if err := lose(); err != nil {
			t.Fatal(err)
		}
		before := entries(t, dir)
		for _, command := range []string{"serve", "dispatch", "migrate up"} {
			status, _, stderr := runText(append(strings.Fields(command), "--data-dir", dir)...)
			if status != exitUnusable || !strings.Contains(stderr, database+" "+what) ||
				!strings.Contains(stderr, "move "+secret+" away") {
				t.Errorf("%s, %s: %d %s", what, command, status, stderr)
			}
		}
		if after := entries(t, dir); what != "has no tables" && !slices.Equal(before, after) {
			t.Errorf("%s: the folder had %q and has %q", what, before, after)
		}
	}
	if same, err := os.ReadFile(secret); err != nil || !bytes.Equal(same, key) {
		t.Errorf("the secret has changed, %v", err)
	}
	// As the message says.
	if err := errors.Join(os.Remove(secret), os.RemoveAll(database)); err != nil {
		t.Fatal(err)
	}
	if status, stderr := up(); status != 0 {
		t.Errorf("anew: %d %s", status, stderr)
	}
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	return names
}

// emptyDatabase replaces a file by a SQLite database without tables.
func emptyDatabase(t *testing.T, file string) error {
	t.Helper()
	other := filepath.Join(t.TempDir(), "data")
	if status, _, stderr := runText("migrate", "status", "--data-dir", other); status != 0 {
		t.Fatal(stderr)
	}
	return os.Rename(filepath.Join(other, "assay.db"), file)
}

// A file that cannot be used ends the process with a status that prevents a restart.
func TestUnusableDatabase(t *testing.T) {
	for what, content := range map[string]string{
		"is not a SQLite database": "-- PostgreSQL database dump\n", "is cut off": "", "the database is damaged": "zeros",
	} {
		dir := filepath.Join(t.TempDir(), "data")
		if status, _, stderr := runText("migrate", "up", "--data-dir", dir); status != 0 {
			t.Fatal(stderr)
		}
		file := filepath.Join(dir, "assay.db")
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch content {
		case "":
			err = os.Truncate(file, 8192)
		case "zeros":
			clear(whole[4096:])
			err = os.WriteFile(file, whole, 0o600)
		default:
			err = os.WriteFile(file, []byte(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"serve", "migrate up", "migrate status", "reencrypt", "vacuum"} {
			status, _, stderr := runText(append(strings.Fields(command), "--data-dir", dir)...)
			if status != exitUnusable || !strings.Contains(stderr, what) {
				t.Errorf("%s: %d %s", command, status, stderr)
			}
		}
	}
}
