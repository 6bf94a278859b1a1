package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/store"
	"assay/store/rules"
	"assay/store/storetest"
)

const (
	movedSessions   = 1000
	fewSessions     = 100
	movedDeliveries = 10 // of the last sessions, if there is an endpoint
)

// fillForMove makes an organization with candidates, and returns its id. The last candidates are reported to the
// endpoint, if it is not empty.
func fillForMove(t *testing.T, databaseURL, endpoint string, sessions int) string {
	t.Helper()
	s := storetest.OpenURL(t, databaseURL, storetest.NewClock().Now, storetest.Secrets(t, testSecret),
		func(opts *store.Options) { opts.AllowInsecureWebhooks = true })
	in, err := s.Register(t.Context(), store.Scope{}, store.Registration{
		OrganizationName: "Quay", Name: "Ana", Email: "ana@quay.example", Password: "a long enough pass phrase",
	})
	if err != nil {
		t.Fatal(err)
	}
	scope := store.Scope{OrganizationID: in.Organization.ID, UserID: in.User.ID, Role: store.Owner}
	two := 2.0
	assessment, err := s.CreateAssessment(t.Context(), scope, store.NewAssessment{
		Title: "Knots", Definition: rules.Definition{Stages: []rules.Stage{{Title: "One", Questions: []rules.Question{
			{Type: rules.Numeric, Prompt: "How many ends has a rope?", Points: 1, Answer: &two},
		}}}},
	})
	if err == nil {
		_, err = s.PublishAssessment(t.Context(), scope, assessment.ID)
	}
	for i := 0; i < sessions && err == nil; i++ {
		if endpoint != "" && i == sessions-movedDeliveries {
			secret := demoSecret
			if _, err := s.CreateWebhook(t.Context(), scope, store.NewWebhook{
				URL: endpoint, Events: []string{"candidate.invited"}, Secret: &secret,
			}); err != nil {
				t.Fatal(err)
			}
		}
		_, err = s.CreateCandidateSession(t.Context(), scope, store.Invite{
			AssessmentID: assessment.ID, CandidateName: "C", CandidateEmail: fmt.Sprintf("c%d@quay.example", i),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return scope.OrganizationID
}

// archiveVariables are those of export and import.
func archiveVariables(databaseURL string) []string {
	return []string{
		"ASSAY_DATABASE_URL=" + databaseURL, "ASSAY_SECRET=" + testSecret, passphraseName + "=a passphrase for archives",
		"ASSAY_WEBHOOK_ALLOW_INSECURE=true",
	}
}

// ends runs a command to its end, and checks its status and a part of its output.
func ends(t *testing.T, variables []string, status int, part string, args ...string) {
	t.Helper()
	p := start(t, variables, args...)
	ended := p.wait()
	if output := p.stdout.String() + p.stderr.String(); ended.ExitStatus() != status || !strings.Contains(output, part) {
		t.Errorf("%v: status %d, want %d with %q", args, ended.ExitStatus(), status, part)
	}
}

// killAt runs an import, and kills it when it has printed a line with the text.
func killAt(t *testing.T, variables []string, text, file string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], "import", "--in", file)
	command.Env, command.Dir = append(append(os.Environ(), asCommand+"=1"), variables...), t.TempDir()
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	printed := ""
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if printed += lines.Text() + "\n"; strings.Contains(lines.Text(), text) {
			_ = command.Process.Kill()
			break
		}
	}
	if err := command.Wait(); err == nil || !strings.Contains(printed, text) {
		t.Fatalf("the import was not killed at %q: %v\n%s", text, err, printed)
	}
}

// An installation moves to the other database, although the import is killed again and again. The service answers only
// when it is complete. Then old passwords are right, and each delivery that waited arrives once.
func TestMoveBetweenDatabases(t *testing.T) {
	t.Parallel()
	for _, move := range [][2]string{{"sqlite", "postgres"}, {"postgres", "sqlite"}} {
		t.Run(move[0]+" to "+move[1], func(t *testing.T) {
			t.Parallel()
			from, to := storetest.URL(t, move[0]), storetest.URL(t, move[1])
			receiver := start(t, []string{"ASSAY_LISTEN_ADDR=127.0.0.1:0"}, "listen")
			fillForMove(t, from, receiver.printed(`^Listening for webhooks on (\S+)\n`), movedSessions)
			file := filepath.Join(t.TempDir(), "all.age")
			old, fresh := archiveVariables(from), archiveVariables(to)
			ends(t, old, 0, "all.age has 1 organizations", "export", "--all", "--out", file)
			ends(t, old, exitUnusable, "exists already", "export", "--all", "--out", file)
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("others can read the archive: %v %v", info.Mode(), err)
			}

			for _, at := range []string{
				"imported assessments", "imported candidate_sessions", "imported events", "verified users",
			} {
				killAt(t, fresh, at, file)
			}
			addr := freeAddr(t)
			waiting := start(t, fresh, "serve", "--addr", addr, "--admin-addr", "off")
			poll(t, "the warning", func() bool { return strings.Contains(waiting.stderr.String(), "no import is unfinished") })
			for path, want := range map[string]int{"/healthz": 200, "/readyz": 503, "/v1/me": 503} {
				if got := get(t, "http://"+addr+path); got.status != want {
					t.Errorf("%s of a service that waits: %d, want %d", path, got.status, want)
				}
			}
			waiting.signal()
			waiting.wait()
			ends(t, fresh, exitFailed, "an import is unfinished", "export", "--all", "--out", file+"2")
			ends(t, fresh, 0, "Imported and verified: 1 organizations", "import", "--in", file)
			ends(t, fresh, 0, "Already imported", "import", "--in", file)
			if n := storetest.Count(t, to, "candidate_sessions"); n != movedSessions {
				t.Errorf("%d sessions, want %d", n, movedSessions)
			}

			served := start(t, fresh, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off")
			if got := send(t, http.MethodPost, served.printed(`listens on (\S+)`)+"/v1/auth/login", signIn,
				"Content-Type", "application/json"); got.status != http.StatusOK {
				t.Errorf("sign in: %d %s", got.status, got.body)
			}
			poll(t, "the deliveries", func() bool { return storetest.Count(t, to, "webhook_queue") == 0 })
			if n := strings.Count(receiver.stdout.String(), "verified candidate.invited evt_"); n != movedDeliveries {
				t.Errorf("%d verified deliveries, want %d", n, movedDeliveries)
			}
			ends(t, fresh, exitUnusable, "is in use", "import", "--in", file)
		})
	}
}

// What a repetition cannot change ends with a status of its own, and says what is wrong.
func TestArchiveRefusals(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		address := storetest.URL(t, database)
		id := fillForMove(t, address, "", fewSessions)
		dir := t.TempDir()
		file, variables := filepath.Join(dir, "one.age"), archiveVariables(address)
		ends(t, variables, 0, "has 1 organizations", "export", "--organization", id, "--out", file)
		ends(t, variables, 0, "Already imported", "import", "--in", file)
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		half := filepath.Join(dir, "half.age")
		if err := os.WriteFile(half, content[:len(content)/2], 0o600); err != nil {
			t.Fatal(err)
		}
		short := filepath.Join(dir, "short")
		if err := os.WriteFile(short, []byte("elevenchars\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		without := variables[:2]
		new := filepath.Join(dir, "new.age")
		for _, test := range []struct {
			variables []string
			part      string
			args      []string
		}{
			{variables, "no organization has the id org_x", []string{"export", "--organization", "org_x", "--out", new}},
			{variables, "either --organization or --all", []string{"export", "--out", new}},
			{variables, "either --organization or --all", []string{"export", "--organization", id, "--all", "--out", new}},
			{without, "the passphrase of the archive is missing", []string{"export", "--all", "--out", new}},
			{without, "fewer than 12", []string{"export", "--all", "--out", new, "--passphrase-file", short}},
			{without, "shows the passphrase", []string{"export", "--all", "--out", new, "--passphrase", "a long passphrase"}},
			{append(without[:2:2], passphraseName+"=another passphrase"), "is wrong", []string{"import", "--in", file}},
			{variables, "damaged", []string{"import", "--in", half}},
			{variables, "no such file", []string{"import", "--in", new}},
			{variables, "either --in or --discard", []string{"import"}},
		} {
			ends(t, test.variables, exitUnusable, test.part, test.args...)
		}
		if left, err := filepath.Glob(new + "*"); err != nil || left != nil {
			t.Errorf("refused exports have left %q (%v)", left, err)
		}
		ends(t, variables, 0, "No import was unfinished", "import", "--discard")
	})
}

// A discarded import leaves an empty database.
func TestDiscardCommand(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		from, to := storetest.URL(t, database), storetest.URL(t, database)
		id := fillForMove(t, from, "", fewSessions)
		file := filepath.Join(t.TempDir(), "one.age")
		ends(t, archiveVariables(from), 0, "has 1 organizations", "export", "--organization", id, "--out", file)
		killAt(t, archiveVariables(to), "imported events", file)
		ends(t, archiveVariables(to), 0, "are deleted", "import", "--discard")
		for _, table := range []string{"organizations", "users", "candidate_sessions", "events", "unfinished_imports"} {
			if n := storetest.Count(t, to, table); n > 0 {
				t.Errorf("%s has %d rows", table, n)
			}
		}
	})
}
