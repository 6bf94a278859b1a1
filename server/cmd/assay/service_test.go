package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/gen"
	"assay/store/storetest"
)

// promptly is how long a process may take to end while it starts. It is below a proxy's usual time limit.
const promptly = 5 * time.Second

// starting starts a service whose database is not ready, and returns its addresses when it answers.
func starting(t *testing.T, databaseURL string, args ...string) (p *process, base, admin string) {
	t.Helper()
	addr, adminAddr := freeAddr(t), freeAddr(t)
	p = start(t, []string{"ASSAY_SECRET=" + testSecret}, append(args,
		"--addr", addr, "--admin-addr", adminAddr, "--database-url", databaseURL)...)
	base, admin = "http://"+addr, "http://"+adminAddr
	poll(t, "the metrics", func() bool { return get(t, admin+"/metrics").status == 200 })
	return p, base, admin
}

// While the service waits for its database, it answers each request, on connections that it keeps.
func TestAnswersWhileItStarts(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		databaseURL := storetest.URL(t, database)
		release := storetest.HoldMigrations(t, databaseURL)
		p, base, _ := starting(t, databaseURL, "serve")
		addr := strings.TrimPrefix(base, "http://")
		poll(t, "/healthz", func() bool { return get(t, base+"/healthz").status == 200 })
		if status, stdout, stderr := runText("healthcheck", "--addr", addr); status != 0 || stdout != "ok\n" {
			t.Errorf("healthcheck: %d %s%s", status, stdout, stderr)
		}
		for _, request := range [][2]string{
			{"GET", "/readyz"}, {"GET", "/app"}, {"GET", "/v1/organization"}, {"POST", "/v1/auth/login"}, {"DELETE", "/healthz"},
			{"GET", "/no/such/address"},
		} {
			expectStarting(t, request[0], base+request[1])
		}
		kept := dialRaw(t, addr)
		kept.send(healthRequest)
		if status, closes := kept.receive(); status != 200 || closes {
			t.Errorf("on a kept connection: %d, closes: %t", status, closes)
		}
		if p.stdout.String() != "" {
			t.Errorf("it prints that it is ready: %s", &p.stdout)
		}

		release()
		poll(t, "readiness", func() bool { return get(t, base+"/readyz").status == 200 })
		kept.send("GET /readyz HTTP/1.1\r\nHost: assay\r\n\r\n")
		if status, _ := kept.receive(); status != 200 {
			t.Errorf("afterwards, on the kept connection: %d", status)
		}
	})
}

// expectStarting checks the response to one request of a service that starts.
func expectStarting(t *testing.T, method, url string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(strings.Repeat(" ", 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	var problem gen.Problem
	if err != nil || json.Unmarshal(body, &problem) != nil || response.StatusCode != http.StatusServiceUnavailable ||
		problem.Code != "unavailable" || problem.Status != response.StatusCode || problem.Errors == nil ||
		problem.RequestID == "" || problem.RequestID != response.Header.Get("X-Request-Id") ||
		response.Header.Get("Retry-After") != "5" || response.Header.Get("X-Accel-Redirect") != "" ||
		response.Header.Get("Content-Type") != "application/problem+json" ||
		response.Header.Get("Cache-Control") != "no-store" || response.Close {
		t.Errorf("%s %s: %d %v %s (%v)", method, url, response.StatusCode, response.Header, body, err)
	}
}

// A process that waits for its database, or migrates it, ends at once.
func TestEndsWhileItStarts(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"serve", "dispatch"} {
		for name, hold := range map[string]func(testing.TB, string) func(){
			"postgres waits": storetest.HoldMigrations, "postgres migrates": storetest.HoldMigration,
			"sqlite waits": storetest.HoldMigrations, "sqlite writes": storetest.Hold,
		} {
			if command == "dispatch" && name == "sqlite writes" {
				continue // it writes nothing until it delivers
			}
			t.Run(command+" "+name, func(t *testing.T) {
				t.Parallel()
				database, state, _ := strings.Cut(name, " ")
				databaseURL := storetest.URL(t, database)
				release := hold(t, databaseURL)
				defer release()
				p, _, _ := starting(t, databaseURL, command)
				if state == "migrates" {
					storetest.AwaitLocks(t, databaseURL, 1)
				}
				began := time.Now()
				p.signal()
				if status := p.wait(); !status.Exited() || status.ExitStatus() != 0 {
					t.Errorf("it ended with %d", status)
				}
				if took := time.Since(began); took > promptly {
					t.Errorf("it ended after %s", took)
				}
			})
		}
	}
}

// A database that cannot be opened ends the process, as an address in use does, although it has answered requests.
func TestEndsIfTheDatabaseCannotBeOpened(t *testing.T) {
	t.Parallel()
	p := start(t, []string{"ASSAY_SECRET=" + testSecret}, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off",
		"--database-url", "postgres://assay@127.0.0.1:1/assay?sslmode=disable")
	if status := p.wait(); status.ExitStatus() != 1 || !strings.Contains(p.stderr.String(), "connection refused") {
		t.Errorf("it ended with %d: %s", status.ExitStatus(), &p.stderr)
	}
}
