package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assay/gen"
	"assay/store/storetest"
)

// asCommand makes the test binary run as assay, so that the tests can send
// signals and see exit statuses.
const asCommand = "TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	for _, variable := range os.Environ() { // the developer's own variables must not change the tests
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "ASSAY_") {
			_ = os.Unsetenv(name)
		}
	}
	os.Exit(m.Run())
}

// patience bounds every wait. Only a failing test waits that long.
const patience = 30 * time.Second

// output collects what a process writes while the test reads it.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// process is a running assay.
type process struct {
	t              *testing.T
	command        *exec.Cmd
	stdout, stderr output
	ended          chan struct{}
}

// start runs assay with additional variables until the test ends.
func start(t *testing.T, variables []string, args ...string) *process {
	t.Helper()
	return startWith(t, nil, variables, args...)
}

// startWith is start with a standard input.
func startWith(t *testing.T, stdin io.Reader, variables []string, args ...string) *process {
	t.Helper()
	return startCommand(t, stdin, variables, exec.Command(os.Args[0], args...))
}

// startCommand is startWith with another way to run the test binary.
func startCommand(t *testing.T, stdin io.Reader, variables []string, command *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, command: command, ended: make(chan struct{})}
	p.command.Env = append(append(os.Environ(), asCommand+"=1"), variables...)
	p.command.Dir = t.TempDir()
	p.command.Stdin = stdin
	p.command.Stdout, p.command.Stderr = &p.stdout, &p.stderr
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.command.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.command.Process.Kill()
		<-p.ended
		if t.Failed() {
			t.Logf("%v printed:\n%s\n%s", command.Args[1:], &p.stdout, &p.stderr)
		}
	})
	return p
}

func (p *process) signal() {
	p.t.Helper()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
}

func (p *process) wait() syscall.WaitStatus {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatal("the process did not exit")
	}
	return p.command.ProcessState.Sys().(syscall.WaitStatus)
}

// printed waits for a line and returns its last group.
func (p *process) printed(pattern string) string {
	p.t.Helper()
	expression := regexp.MustCompile("(?m)" + pattern)
	var match []string
	poll(p.t, pattern, func() bool {
		match = expression.FindStringSubmatch(p.stdout.String())
		return match != nil
	})
	return match[len(match)-1]
}

// poll waits until done returns true.
func poll(t *testing.T, what string, done func() bool) {
	t.Helper()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.After(patience); !done(); {
		select {
		case <-deadline:
			t.Fatalf("waited %s for %s", patience, what)
		case <-ticker.C:
		}
	}
}

// freeAddr returns a loopback address without a listener.
func freeAddr(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// answer is a complete response. The status is 0 if there was no response.
type answer struct {
	status int
	body   string
	closes bool // it has `Connection: close`
}

func send(t *testing.T, method, url, body string, header ...string) answer {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, string(content), response.Close}
}

func get(t *testing.T, url string) answer {
	t.Helper()
	return send(t, http.MethodGet, url, "")
}

func TestServe(t *testing.T) {
	t.Parallel()
	dir, adminAddr := filepath.Join(t.TempDir(), "data"), freeAddr(t)
	p := start(t, []string{"ASSAY_LOG_LEVEL=debug", "ASSAY_REGISTRATION=open"}, "serve",
		"--addr", "127.0.0.1:0", "--admin-addr", adminAddr,
		"--data-dir", dir)
	base := p.printed(
		`^Assay .* listens on (http://127\.0\.0\.1:\d+) \(dashboard at \S+/app, documentation at \S+/docs\)\n`)
	poll(t, "readiness", func() bool { return get(t, base+"/readyz").status == 200 })
	if strings.Count(p.stdout.String(), "\n") != 1 {
		t.Errorf("want one line: %s", &p.stdout)
	}
	for path, want := range map[string]string{
		"/healthz": "ok\n", "/readyz": "ready\n", "/openapi.yaml": string(gen.Document),
	} {
		if got := get(t, base+path); got.status != 200 || got.body != want || got.closes {
			t.Errorf("%s: %d, closes: %t, %.80q", path, got.status, got.closes, got.body)
		}
	}
	for path, parts := range map[string][]string{
		"/metrics": {"assay_http_request_duration_seconds_bucket", "assay_webhook_backlog", "go_goroutines", "process_"},
	} {
		got := get(t, "http://"+adminAddr+path)
		for _, part := range parts {
			if got.status != 200 || !strings.Contains(got.body, part) {
				t.Errorf("%s: %d without %s", path, got.status, part)
			}
		}
		if got := get(t, base+path); got.status != 404 {
			t.Errorf("the public listener answers %s with %d", path, got.status)
		}
	}
	if got := get(t, "http://"+adminAddr+"/debug/pprof/"); got.status != 404 {
		t.Errorf("pprof is on by default: %d", got.status)
	}
	addr := strings.TrimPrefix(base, "http://")
	_, port, _ := net.SplitHostPort(addr)
	for _, asked := range []string{addr, "0.0.0.0:" + port,
		":" + port} {
		if status, stdout, stderr := runText("healthcheck", "--addr", asked); status != 0 || stdout != "ok\n" {
			t.Errorf("healthcheck of %s: %d %s%s", asked, status, stdout, stderr)
		}
	}

	p.signal()
	var ready answer
	poll(t, "readiness off", func() bool { ready = get(t, base+"/readyz"); return ready.status != 200 })
	if ready.status != 503 || !ready.closes {
		t.Errorf("while it drains, /readyz answers %d, closes: %t", ready.status, ready.closes)
	}
	// The service answers all requests during the notice, with `Connection: close`.
	if got := get(t, base+"/openapi.yaml"); got.status != 200 || !got.closes {
		t.Errorf("while it drains, a request gets %d, closes: %t", got.status, got.closes)
	}
	if status := p.wait(); !status.Exited() || status.ExitStatus() != 0 {
		t.Errorf("it ended with %d", status)
	}
	for _, url := range []string{base, "http://" + adminAddr} {
		if got := get(t, url+"/healthz"); got.status != 0 {
			t.Errorf("%s responds after the process exited", url)
		}
	}
	if status, stdout, stderr := runText("healthcheck", "--addr", addr); status != 1 || stdout != "" || stderr == "" {
		t.Errorf("healthcheck of nothing: %d %s%s", status, stdout, stderr)
	}
	if status, stdout, stderr := runText("migrate", "status", "--data-dir", dir); status != 0 ||
		strings.Contains(stdout, "pending") {
		t.Errorf("the database afterwards: %d %s%s", status, stdout, stderr)
	}
}

func TestAddressInUse(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	for _, flag := range []string{"--addr", "--admin-addr"} {
		args := []string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "off", "--database-url", "sqlite::memory:", flag,
			taken.Addr().String()}
		p := start(t, nil, args...)
		if status := p.wait(); status.ExitStatus() != 1 || !strings.Contains(p.stderr.String(), "address already in use") {
			t.Errorf("%s: it ended with %d: %s", flag, status.ExitStatus(), &p.stderr)
		}
	}
}

// Replicas start at the same time on an empty database. A separate dispatcher
// delivers their events.
func TestSeparateDispatcher(t *testing.T) {
	t.Parallel()
	variables := []string{
		"ASSAY_DATABASE_URL=" + storetest.URL(t, "postgres"), "ASSAY_SECRET=" + testSecret,
		"ASSAY_WEBHOOK_ALLOW_INSECURE=true",
		"ASSAY_ADDR=127.0.0.1:0", "ASSAY_LISTEN_ADDR=127.0.0.1:0", "ASSAY_ADMIN_ADDR=off",
	}
	receiver := start(t, variables, "listen")
	replicas := []*process{start(t, variables, "serve", "--no-dispatcher"),
		start(t, variables, "serve", "--no-dispatcher")}
	adminAddr := freeAddr(t)
	dispatcher := start(t, variables, "dispatch", "--admin-addr", adminAddr)
	dispatcher.printed(`^Assay .* (delivers webhooks)\n`)
	hook := receiver.printed(`^Listening for webhooks on (\S+)\n`)
	first, second := replicas[0].printed(`listens on (\S+)`), replicas[1].printed(`listens on (\S+)`)

	signedUp := send(t, "POST", first+"/v1/auth/register",
		`{"organizationName":"Quay","name":"Ana","email":"ana@quay.example","password":"a long enough pass phrase"}`,
		"Content-Type", "application/json")
	token := regexp.MustCompile(`"accessToken":"([^"]+)"`).FindStringSubmatch(signedUp.body)
	if token == nil {
		t.Fatalf("register: %d %s", signedUp.status, signedUp.body)
	}
	// The other replica accepts a token of the first one.
	as := []string{"Content-Type", "application/json", "Authorization", "Bearer " + token[1]}
	if got := send(t, "POST", second+"/v1/webhooks",
		`{"url":"`+hook+`","secret":"`+demoSecret+`","events":["candidate.invited"]}`, as...); got.status != 201 {
		t.Fatalf("webhook: %d %s", got.status, got.body)
	}
	assessment := send(t, "POST", first+"/v1/assessments", `{"title":"Knots","stages":[{"title":"One","questions":[
		{"type":"NUMERIC","prompt":"How many ends has a rope?","points":1,"answer":2}]}]}`, as...)
	id := regexp.MustCompile(`"id":"(asm_[^"]+)"`).FindStringSubmatch(assessment.body)
	if assessment.status != 201 || id == nil {
		t.Fatalf("assessment: %d %s", assessment.status, assessment.body)
	}
	if got := send(t, "POST", second+"/v1/assessments/"+id[1]+"/publish", "", as...); got.status != 200 {
		t.Fatalf("publish: %d %s", got.status, got.body)
	}
	if got := send(t, "POST", first+"/v1/candidate-sessions",
		`{"assessmentId":"`+id[1]+`","candidateName":"Bo","candidateEmail":"bo@candidate.example"}`,
		as...); got.status != 201 {
		t.Fatalf("invite: %d %s", got.status, got.body)
	}
	receiver.printed(`verified (candidate\.invited) evt_`)
	if got := get(t, "http://"+adminAddr+"/metrics"); !strings.Contains(got.body, "assay_webhook_backlog") {
		t.Errorf("the dispatcher's metrics: %d", got.status)
	}
	for _, p := range append(replicas, dispatcher, receiver) {
		p.signal()
		if status := p.wait(); !status.Exited() || status.ExitStatus() != 0 {
			t.Errorf("%v ended with %d", p.command.Args[1:], status)
		}
	}
}

// runText runs a command that exits without a signal.
func runText(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = run(args, &out, &errs)
	return status, out.String(), errs.String()
}

func TestRun(t *testing.T) {
	status, stdout, stderr := runText("version")
	built := fmt.Sprintf("assay %s\ncommit %s\nbuilt with %s for %s/%s\n",
		versionText(), commitText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if status != 0 || stdout != built || stderr != "" {
		t.Errorf("version: %d %q %q", status, stdout, stderr)
	}
	if status, stdout, stderr := runText("openapi"); status != 0 || stdout != string(gen.Document) || stderr != "" {
		t.Errorf("openapi: %d, %d bytes, %q", status, len(stdout), stderr)
	}
	for _, args := range [][]string{{}, {"nonsense"}, {"serve", "--nonsense"}, {"serve", "more"}, {"migrate"},
		{"migrate", "down"}} {
		if status, stdout, stderr := runText(args...); status != 2 || stdout != "" || !strings.HasPrefix(stderr, "assay: ") {
			t.Errorf("%q: %d %q %q", args, status, stdout, stderr)
		}
	}
	t.Setenv("ASSAY_SECRET", testSecret) // users paste the output of --help into questions
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"migrate", "--help"}, {"listen", "-h"}} {
		status, stdout, stderr := runText(args...)
		if status != 0 || !strings.HasPrefix(stdout, "Usage: assay") || stderr != "" || strings.Contains(stdout, testSecret) {
			t.Errorf("%q: %d %q %q", args, status, stdout, stderr)
		}
	}
	err := (healthcheckCommand{Addr: freeAddr(t)}).Run(context.Background(), io.Discard)
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("healthcheck of nothing: %v", err)
	}
}
