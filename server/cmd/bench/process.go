package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is a server that was started here and ends with the benchmark.
type process struct {
	cmd      *exec.Cmd
	database string // kind
	addr     string // loopback host:port
	admin    string // the same for /debug/pprof, "" for none
	log      *head
	ended    chan struct{} // closed when it has ended
}

const (
	readyTimeout = 30 * time.Second
	stopTimeout  = 10 * time.Second
)

// build compiles the server once, as `make build` does.
func build(ctx context.Context, binary string) error {
	//nolint:gosec // the name of a file in our own folder
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", binary, "assay/server/cmd/assay")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	return nil
}

// startServer starts `assay serve` and returns how long it took until it was ready.
func startServer(ctx context.Context, binary string, db *database) (*process, time.Duration, error) {
	addr, err := freeAddr(ctx)
	if err != nil {
		return nil, 0, err
	}
	admin, err := freeAddr(ctx)
	if err != nil {
		return nil, 0, err
	}
	cmd := exec.CommandContext(ctx, binary, "serve")
	cmd.Env = append(cleanEnv(),
		"ASSAY_ADDR="+addr, "ASSAY_ADMIN_ADDR="+admin, "ASSAY_BASE_URL=http://"+addr, "ASSAY_DATABASE_URL="+db.url,
		"ASSAY_DATA_DIR="+db.dir, "ASSAY_SECRET="+randomSecret(), "ASSAY_LOG_LEVEL=warn", "ASSAY_RATE_LIMITS=off")
	return start(ctx, &process{cmd: cmd, database: db.kind, addr: addr, admin: admin}, "/readyz")
}

// startBare starts this program again as the baseline. The database's URL goes
// by the environment: arguments are visible to everybody on the machine.
func startBare(ctx context.Context, db *database, data *dataset) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	addr, err := freeAddr(ctx)
	if err != nil {
		return nil, err
	}
	//nolint:gosec // this very program
	cmd := exec.CommandContext(ctx, self, "bare", "--addr", addr, "--organization", data.organizationID, "--assessment", data.assessmentID)
	cmd.Env = append(cleanEnv(), "BENCH_DATABASE_URL="+db.url)
	bare, _, err := start(ctx, &process{cmd: cmd, database: db.kind, addr: addr}, "/ready")
	return bare, err
}

// cleanEnv is the environment without settings of a service that may be
// configured in the caller's shell.
func cleanEnv() []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "ASSAY_") {
			env = append(env, variable)
		}
	}
	return env
}

func randomSecret() string {
	random := make([]byte, 32)
	_, _ = rand.Read(random) // never fails
	return hex.EncodeToString(random)
}

// freeAddr returns a loopback address that was free a moment ago.
func freeAddr(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// start runs p's command and waits until its path ready answers 200.
func start(ctx context.Context, p *process, ready string) (*process, time.Duration, error) {
	p.log, p.ended = &head{}, make(chan struct{})
	p.cmd.Stdout, p.cmd.Stderr = io.Discard, p.log
	started := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, 0, err
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in its log
		close(p.ended)
	}()
	if err := p.waitReady(ctx, ready); err != nil {
		p.stop()
		return nil, 0, p.explain(err)
	}
	return p, time.Since(started), nil
}

func (p *process) waitReady(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.addr+path, nil)
		if err != nil {
			return err
		}
		if answer, err := loopback.Do(request); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-p.ended:
			return errors.New("it ended before it was ready")
		case <-ctx.Done():
			return fmt.Errorf("not ready: %w", ctx.Err())
		case <-time.After(time.Millisecond):
		}
	}
}

// stop ends the process: politely at first, and not later than after stopTimeout.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	select {
	case <-p.ended:
	case <-time.After(stopTimeout):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// explain adds what the process logged to an error.
func (p *process) explain(err error) error {
	if err == nil {
		return nil
	}
	if log := p.log.String(); log != "" {
		return fmt.Errorf("%w\nlog of %s:\n%s", err, p.cmd.Args[0], log)
	}
	return err
}

// profile begins a CPU profile of the given length and returns what waits for
// its end and writes it to file.
func (p *process) profile(ctx context.Context, file string, length time.Duration) (finish func() error) {
	done := make(chan error, 1)
	go func() {
		seconds := strconv.Itoa(int(length.Round(time.Second).Seconds()))
		content, err := get(ctx, "http://"+p.admin+"/debug/pprof/profile?seconds="+seconds)
		if err == nil {
			err = os.WriteFile(file, content, 0o600)
		}
		done <- err
	}()
	return func() error { return <-done }
}

// usage is what a process has taken from the machine.
type usage struct {
	resident, peak int64         // bytes; 0 where the system does not tell
	cpu            time.Duration // user and system
}

// clockTick is Linux's USER_HZ, which is 100 on every machine that Go runs on.
const clockTick = time.Second / 100

// usage reads /proc: VmRSS and VmHWM of status, utime and stime of stat (proc(5)).
func (p *process) usage() usage {
	var u usage
	dir := "/proc/" + strconv.Itoa(p.cmd.Process.Pid)
	status, _ := os.ReadFile(dir + "/status")
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		kibibytes, _ := strconv.ParseInt(fields[1], 10, 64)
		switch fields[0] {
		case "VmRSS:":
			u.resident = kibibytes << 10
		case "VmHWM:":
			u.peak = kibibytes << 10
		}
	}
	stat, _ := os.ReadFile(dir + "/stat")
	_, afterName, _ := bytes.Cut(stat, []byte(") ")) // the name has no parenthesis: it is ours
	if fields := bytes.Fields(afterName); len(fields) > 12 {
		for _, field := range fields[11:13] {
			ticks, _ := strconv.ParseInt(string(field), 10, 64)
			u.cpu += time.Duration(ticks) * clockTick
		}
	}
	return u
}

// head keeps the first of what a process logs, which tells the cause.
type head struct {
	mu   sync.Mutex
	text bytes.Buffer
}

const maxLog = 8 << 10

// Write implements io.Writer.
func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Write(p[:min(len(p), max(0, maxLog-h.text.Len()))])
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}
