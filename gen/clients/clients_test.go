// Package clients runs the clients that are generated from openapi.yaml in each
// language, against a live server.
package clients

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/gen"
	"assay/store/storetest"
)

// clients maps each folder to its programs, which README.md describes.
var clients = map[string][]string{
	"go":         {"verify", "journey", "reading", "samples"},
	"typescript": {"verify", "first", "journey", "journey-hey-api", "correction", "reading", "samples"},
	"python":     {"verify", "first", "journey", "correction", "reading", "samples"},
	"java":       {"verify", "journey"},
	"rust":       {"verify", "journey"},
	"ruby":       {"verify"},
	"curl":       {"samples"},
}

// further are clients by generators that fewer people use. Only ALL=1 builds them. Those without
// programs are generated with default settings and compiled.
var further = map[string][]string{
	"further/openapi-generator-go":     {"journey"},
	"further/openapi-generator-python": {"journey"},
	"further/openapi-generator-kotlin": {"journey"},
	"further/openapi-generator-php":    {"journey"},
	"further/openapi-generator-ruby":   {"journey"},
	"further/datamodel-code-generator": {"journey"},
	"further/openapi-core":             {"journey"},
	"further/openapi-generator-rust":   nil,
	"further/defaults-go":              nil,
	"further/defaults-typescript":      nil,
}

// vectors is the file of cases that every verification is checked with.
const vectors = "webhook-vectors.json"

func TestClients(t *testing.T) {
	assay := build(t)
	programs := maps.Clone(clients)
	if os.Getenv("ALL") != "" {
		maps.Copy(programs, further)
	}
	for _, client := range slices.Sorted(maps.Keys(programs)) {
		t.Run(filepath.Base(client), func(t *testing.T) {
			t.Parallel()
			run(t, client, nil, "build")
			for _, program := range programs[client] {
				t.Run(program, func(t *testing.T) {
					if program == "verify" {
						verify(t, client)
						return
					}
					for _, database := range storetest.Databases {
						t.Run(database, func(t *testing.T) { drive(t, assay, database, client, program, false) })
					}
					if strings.HasPrefix(program, "journey") || program == "correction" {
						t.Run("next-version", func(t *testing.T) { drive(t, assay, "sqlite", client, program, true) })
					}
				})
			}
		})
	}
}

// verify checks a client's verification of signatures with all vectors, and with
// vectors that have a wrong expected result, which the client must report.
func verify(t *testing.T, client string) {
	var cases []map[string]any
	file, err := os.ReadFile(vectors)
	if err == nil {
		err = json.Unmarshal(file, &cases)
	}
	if err != nil {
		t.Fatal(err)
	}
	if said := run(t, client, nil, "verify", "../"+vectors); !strings.Contains(said, fmt.Sprint(len(cases))) {
		t.Errorf("the output does not contain the number of cases, %d", len(cases))
	}
	for _, claim := range []string{"serviceSignatureValid", "standardWebhooksValid"} {
		cases[0][claim] = false
		lying, err := json.Marshal(cases)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), vectors)
		if err := os.WriteFile(path, lying, 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := command(t, client, nil, "verify", path).CombinedOutput(); err == nil {
			t.Errorf("it does not check %s; its output is\n%s", claim, said)
		}
		cases[0][claim] = true
	}
}

// drive runs a program against a new server, and checks the program's output and
// the server's metrics. With next, a proxy answers as a later version of the service.
func drive(t *testing.T, assay, database, client, program string, next bool) {
	databaseURL := storetest.URL(t, database)
	server := start(t, assay, databaseURL)
	email, password := "owner@example.com", "correct horse battery staple"
	key := server.register(t, email, password)
	address, title := server.url, client+" "+program+", "+database
	if next {
		address, title = startNext(t, server.url).url, client+" "+program+", version next"
	}
	variables := []string{
		"ASSAY_URL=" + address, "ASSAY_EMAIL=" + email, "ASSAY_PASSWORD=" + password, "ASSAY_API_KEY=" + key,
	}
	if program == "samples" {
		server.verifiedDomain(t, databaseURL, email, password)
		resetURL, confirmURL := server.accountLinks(t)
		variables = append(variables, "ASSAY_RESET_URL="+resetURL, "ASSAY_RESET_EMAIL="+forgetful,
			"ASSAY_CONFIRM_URL="+confirmURL, "ASSAY_LATE_SESSION="+server.lateSession(t, databaseURL, email, password),
			"ASSAY_REVIEW_SESSION="+server.reviewSession(t, email, password),
			"ASSAY_PASSKEY_EMAIL="+keyholder, "ASSAY_RECOVERY_CODES="+strings.Join(server.passkey(t, password), " "),
			"ASSAY_GRADING_ASSESSMENT="+server.essays(t, email, password))
	}
	if program == "reading" {
		variables = append(variables, startReleased(t, server, databaseURL, email, password)...)
	}
	said := run(t, client, variables, program)
	served := server.operations(t)
	switch program {
	case "first":
		show(title, said)
		if !strings.Contains(said, "asm_") || !strings.Contains(said, "not_found") {
			t.Error("the output lacks the assessment or the error")
		}
	case "correction":
		show(title, said)
		if !strings.HasSuffix(strings.TrimSpace(said), "correction complete") {
			t.Error("the correction is not complete")
		}
	case "reading":
		show(title, fmt.Sprintln(strings.Count(said, "\n"), "values"))
		wantReading(t, said)
	case "samples":
		show(title, fmt.Sprintln(len(served), "operations"))
		for id := range operations(t) {
			if !slices.ContainsFunc(served[id], func(status string) bool { return strings.HasPrefix(status, "2") }) {
				t.Errorf("%s did not succeed: %v", id, served[id])
			}
		}
	default:
		show(title, said)
		if !strings.HasSuffix(strings.TrimSpace(said), "journey complete") {
			t.Error("the journey is not complete")
		}
		// The journey prints the code of the first problem and the session's status.
		expected := []string{"not_found", "COMPLETED"}
		if next {
			expected = []string{"added_later", "ADDED_LATER"}
		}
		for _, value := range expected {
			if !strings.Contains(said, value) {
				t.Errorf("the program does not see the value %s", value)
			}
		}
		for id, status := range map[string]string{
			"login": "200", "createWebhook": "201", "publishAssessment": "200", "createApiKey": "201",
			"createPublicCandidateSession": "201", "startTaking": "200", "saveAnswer": "200", "submitStage": "200",
			"exchangeResultToken": "200", "listPublicCandidateSessions": "200",
		} {
			if !slices.Contains(served[id], status) {
				t.Errorf("%s did not return %s: %v", id, status, served[id])
			}
		}
		all := slices.Concat(slices.Collect(maps.Values(served))...)
		if !slices.Contains(all, "404") || !slices.Contains(all, "400") {
			t.Error("no response has the status 404, or none has 400")
		}
	}
}

// version matches the versions of generators in the guide and in the clients' files.
var version = regexp.MustCompile(`(oapi-codegen@v|openapi-fetch@|openapi-typescript@|openapi-ts@|[ "]typescript@|` +
	`openapi-python-client==|OpenAPI Generator\]\([^)]*\) )(\d+\.\d+\.\d+)`)

// The guide installs the versions that the clients' tests use.
func TestGuideNamesTheTestedVersions(t *testing.T) {
	t.Parallel()
	tested := map[string]string{
		"oapi-codegen":          "go/go.mod",
		"openapi-fetch":         "typescript/package.json",
		"openapi-typescript":    "typescript/package.json",
		"openapi-ts":            "typescript/package.json",
		"typescript":            "typescript/package.json",
		"openapi-python-client": "python/requirements-dev.txt",
		"OpenAPI Generator":     "../../.ci/openapi-generator",
	}
	named := map[string]bool{}
	for _, found := range version.FindAllStringSubmatch(string(gen.Guide), -1) {
		name, _, _ := strings.Cut(strings.Trim(found[1], ` "`), "]")
		name = strings.TrimRight(name, "@=v")
		named[name] = true
		pins, err := os.ReadFile(tested[name])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !regexp.MustCompile(`\bv?` + regexp.QuoteMeta(found[2]) + `\b`).Match(pins) {
			t.Errorf("the guide has %s %s, which is not in %s", name, found[2], tested[name])
		}
	}
	if len(named) != len(tested) {
		t.Errorf("the guide has versions only of %v", slices.Sorted(maps.Keys(named)))
	}
}

// show prints a program's output even if the test succeeds, so that CI shows the
// journeys.
var show = func() func(title, said string) {
	var mu sync.Mutex
	return func(title, said string) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = fmt.Fprintf(os.Stdout, "--- %s\n", title)
		for line := range strings.Lines(said) {
			_, _ = fmt.Fprint(os.Stdout, "    ", line)
		}
	}
}()

// patience is the timeout of a program. The first build of a client downloads and
// compiles its dependencies.
const patience = 10 * time.Minute

func command(t *testing.T, client string, variables []string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, "./run", args...)
	c.Dir = client
	c.Env = append(os.Environ(), variables...)
	return c
}

func run(t *testing.T, client string, variables []string, args ...string) string {
	t.Helper()
	began := time.Now()
	said, err := command(t, client, variables, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s/run %v: %v\n%s", client, args, err, said)
	}
	if args[0] == "build" {
		show(client+" build", fmt.Sprintf("%s%.0f s\n", said, time.Since(began).Seconds()))
	}
	return string(said)
}

func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "assay")
	command := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../../server/cmd/assay")
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return binary
}
