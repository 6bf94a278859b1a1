package rig

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Service is the configuration of an assay.
type Service struct {
	Binary      string
	DatabaseURL string
	Dir         string // its data folder
	Secret      string
	LogLevel    string
	Env         []string // more variables
}

// Command returns the process that `assay args` starts with these addresses.
func (s Service) Command(ctx context.Context, addr, adminAddr string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.Binary, args...) //nolint:gosec // built here, or named by the caller
	cmd.Env = append(append(CleanEnv("ASSAY_", "PG"),
		"ASSAY_ADDR="+addr, "ASSAY_ADMIN_ADDR="+adminAddr, "ASSAY_PPROF=true", "ASSAY_BASE_URL=http://"+addr,
		"ASSAY_DATABASE_URL="+s.DatabaseURL, "ASSAY_DATA_DIR="+s.Dir, "ASSAY_SECRET="+s.Secret,
		"ASSAY_LOG_LEVEL="+s.LogLevel, "ASSAY_RATE_LIMITS=off", "ASSAY_QUOTAS=off", "ASSAY_REGISTRATION=open"), s.Env...)
	return cmd
}

// Serve starts `assay serve` and returns how long it took until it was ready.
func (s Service) Serve(ctx context.Context, args ...string) (*Process, time.Duration, error) {
	addr, err := FreeAddr(ctx)
	if err != nil {
		return nil, 0, err
	}
	admin, err := FreeAddr(ctx)
	if err != nil {
		return nil, 0, err
	}
	began := time.Now()
	p, err := Start(ctx, s.Command(ctx, addr, admin, append([]string{"serve"}, args...)...), addr)
	if err != nil {
		return nil, 0, err
	}
	p.Admin = admin
	answer, err := NewClient([]string{addr}, 0).Send(ctx, http.MethodGet, "/readyz", nil, nil)
	if err == nil && !answer.OK() {
		err = fmt.Errorf("/readyz: %d %s", answer.Status, answer.Body)
	}
	if err != nil {
		p.Stop()
		return nil, 0, p.Explain(err)
	}
	return p, time.Since(began), nil
}

// Process is a process that this program started.
type Process struct {
	Addr  string // loopback host:port
	Admin string // the same for /metrics and /debug/pprof, or ""

	cmd   *exec.Cmd
	log   head
	text  head   // its standard output
	ready signal // the first line of its standard output

	started chan struct{} // closed by watchStart
	ended   chan struct{} // closed when it has ended
}

const (
	readyTimeout = 30 * time.Second
	stopTimeout  = 10 * time.Second
)

// Start starts a process and waits until it writes to its standard output.
func Start(ctx context.Context, cmd *exec.Cmd, addr string) (*Process, error) {
	p, err := Launch(cmd, addr, io.Discard)
	if err != nil {
		return nil, err
	}
	select {
	case <-p.ready.done:
		return p, nil
	case <-p.ended:
		err = errors.New("it ended before it was ready")
	case <-time.After(readyTimeout):
		err = fmt.Errorf("it was not ready within %s", readyTimeout)
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.Stop()
	return nil, p.Explain(err)
}

// Launch starts a process and does not wait. It copies the log to log.
func Launch(cmd *exec.Cmd, addr string, log io.Writer) (*Process, error) {
	p := &Process{
		Addr: addr, cmd: cmd,
		ready: signal{done: make(chan struct{})}, started: make(chan struct{}), ended: make(chan struct{}),
	}
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&p.text, &p.ready), io.MultiWriter(&p.log, log)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = cmd.Wait() // State reports how it ended
		close(p.ended)
	}()
	return p, nil
}

// Terminate sends SIGTERM.
func (p *Process) Terminate() error { return p.cmd.Process.Signal(syscall.SIGTERM) }

// Kill sends SIGKILL and waits until the process has ended.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
}

// Ended is closed when the process has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// State reports how the process ended. It is valid after Ended.
func (p *Process) State() *os.ProcessState { return p.cmd.ProcessState }

// Stop ends the process with SIGTERM, and after stopTimeout with SIGKILL.
func (p *Process) Stop() {
	_ = p.Terminate() // it may have ended
	select {
	case <-p.ended:
	case <-time.After(stopTimeout):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// Explain adds the process's log to an error.
func (p *Process) Explain(err error) error {
	if log := p.log.String(); err != nil && log != "" {
		return fmt.Errorf("%w\nlog of %s:\n%s", err, p.cmd.Args[0], log)
	}
	return err
}

// Output is the beginning of what the process wrote to its standard output and to its log.
func (p *Process) Output() string { return p.text.String() + p.log.String() }

// Metric reads one value of /metrics.
func (p *Process) Metric(ctx context.Context, name string) (float64, error) {
	answer, err := NewClient([]string{p.Admin}, 0).Send(ctx, http.MethodGet, "/metrics", nil, nil)
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(answer.Body) {
		if value, found := bytes.CutPrefix(line, []byte(name+" ")); found {
			return strconv.ParseFloat(string(bytes.TrimSpace(value)), 64)
		}
	}
	return 0, fmt.Errorf("/metrics has no %s: %d", name, answer.Status)
}

// Usage is what a process has used. Its values are 0 where /proc is missing.
type Usage struct {
	Resident, Peak int64         // bytes
	CPU            time.Duration // user and system
	Files          int           // open
}

// clockTick is Linux's USER_HZ, which is 100 on every platform of Go.
const clockTick = time.Second / 100

// Usage reads /proc: VmRSS and VmHWM of status, utime and stime of stat, and the
// entries of fd (proc(5)).
func (p *Process) Usage() Usage {
	var u Usage
	dir := "/proc/" + strconv.Itoa(p.cmd.Process.Pid)
	status, _ := os.ReadFile(dir + "/status")
	for line := range strings.Lines(string(status)) {
		var kibibytes int64
		if _, err := fmt.Sscanf(line, "VmRSS: %d", &kibibytes); err == nil {
			u.Resident = kibibytes << 10
		}
		if _, err := fmt.Sscanf(line, "VmHWM: %d", &kibibytes); err == nil {
			u.Peak = kibibytes << 10
		}
	}
	stat, _ := os.ReadFile(dir + "/stat")
	_, afterName, _ := bytes.Cut(stat, []byte(") ")) // the names of our programs have no parenthesis
	if fields := bytes.Fields(afterName); len(fields) > 12 {
		for _, field := range fields[11:13] {
			ticks, _ := strconv.ParseInt(string(field), 10, 64)
			u.CPU += time.Duration(ticks) * clockTick
		}
	}
	files, _ := os.ReadDir(dir + "/fd")
	u.Files = len(files)
	return u
}

// CPU is what Usage reports, in nanoseconds instead of ticks: the first field of
// each thread's schedstat. Go's threads rarely end. It is 0 where /proc has none.
func (p *Process) CPU() (total time.Duration) {
	files, _ := filepath.Glob("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/task/*/schedstat")
	for _, file := range files {
		content, _ := os.ReadFile(file)
		ran, _, _ := bytes.Cut(content, []byte(" "))
		nanoseconds, _ := strconv.ParseInt(string(ran), 10, 64)
		total += time.Duration(nanoseconds)
	}
	return total
}

// ResetPeak sets the peak of the resident memory to its present value: the value
// 5 for clear_refs (proc(5)).
func (p *Process) ResetPeak() error {
	return os.WriteFile("/proc/"+strconv.Itoa(p.cmd.Process.Pid)+"/clear_refs", []byte("5"), 0)
}

// signal is an io.Writer that closes done at the first write.
type signal struct {
	once sync.Once
	done chan struct{}
}

// Write implements io.Writer.
func (s *signal) Write(p []byte) (int, error) {
	s.once.Do(func() { close(s.done) })
	return len(p), nil
}

// head keeps the beginning of a log, which usually names the cause of a failure.
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
