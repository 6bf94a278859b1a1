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
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Service is how an assay is run.
type Service struct {
	Binary      string
	DatabaseURL string
	Dir         string // its data folder
	Secret      string
	LogLevel    string
	Env         []string // more variables
	// KeepDriverEnv leaves the process the PG… variables of the environment.
	KeepDriverEnv bool
}

// Environment is that of one process of the service.
func (s Service) Environment(addr, adminAddr string) []string {
	foreign := []string{"ASSAY_", "PG"}
	if s.KeepDriverEnv {
		foreign = foreign[:1]
	}
	return append(append(CleanEnv(foreign...),
		"ASSAY_ADDR="+addr, "ASSAY_ADMIN_ADDR="+adminAddr, "ASSAY_BASE_URL=http://"+addr, "ASSAY_DATABASE_URL="+s.DatabaseURL,
		"ASSAY_DATA_DIR="+s.Dir, "ASSAY_SECRET="+s.Secret, "ASSAY_LOG_LEVEL="+s.LogLevel,
		"ASSAY_RATE_LIMITS=off"), s.Env...)
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
	cmd := exec.CommandContext(ctx, s.Binary, append([]string{"serve"}, args...)...) //nolint:gosec // built here, or named by whoever measures
	cmd.Env = s.Environment(addr, admin)
	p := &Process{Addr: addr, Admin: admin, cmd: cmd}
	took, err := p.Start(ctx, "/readyz")
	if err != nil {
		return nil, 0, err
	}
	return p, took, nil
}

// Process is a server that was started here and ends with this program.
type Process struct {
	Addr  string // loopback host:port
	Admin string // the same for /debug/pprof, "" for none
	cmd   *exec.Cmd
	log   head
	ended chan struct{} // closed when it has ended
}

const (
	readyTimeout = 30 * time.Second
	stopTimeout  = 10 * time.Second
)

// NewProcess is a process that is to listen at addr.
func NewProcess(cmd *exec.Cmd, addr string) *Process { return &Process{Addr: addr, cmd: cmd} }

// Start runs the process and waits until its path ready answers 200. It returns
// how long that took.
func (p *Process) Start(ctx context.Context, ready string) (time.Duration, error) {
	p.ended = make(chan struct{})
	p.cmd.Stdout, p.cmd.Stderr = io.Discard, &p.log
	started := time.Now()
	if err := p.cmd.Start(); err != nil {
		return 0, err
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in its log and its state
		close(p.ended)
	}()
	if err := p.waitReady(ctx, ready); err != nil {
		p.Stop()
		return 0, p.Explain(err)
	}
	return time.Since(started), nil
}

// loopback asks servers on this machine, whatever proxy the environment names.
var loopback = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

func (p *Process) waitReady(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.Addr+path, nil)
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

// Terminate asks the process to end.
func (p *Process) Terminate() error { return p.cmd.Process.Signal(syscall.SIGTERM) }

// Ended is closed when the process has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// State tells how the process ended, after it did.
func (p *Process) State() *os.ProcessState { return p.cmd.ProcessState }

// Stop ends the process: politely at first, and not later than after stopTimeout.
func (p *Process) Stop() {
	_ = p.Terminate() // it may have ended already
	select {
	case <-p.ended:
	case <-time.After(stopTimeout):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// Explain adds what the process logged to an error.
func (p *Process) Explain(err error) error {
	if err == nil {
		return nil
	}
	if log := p.log.String(); log != "" {
		return fmt.Errorf("%w\nlog of %s:\n%s", err, p.cmd.Args[0], log)
	}
	return err
}

// Usage is what a process has taken from the machine.
type Usage struct {
	Resident, Peak int64         // bytes; 0 where the system does not tell
	CPU            time.Duration // user and system
	Files          int           // open; 0 where the system does not tell
}

// clockTick is Linux's USER_HZ, which is 100 on every machine that Go runs on.
const clockTick = time.Second / 100

// Usage reads /proc: VmRSS and VmHWM of status, utime and stime of stat, and the
// files of fd (proc(5)).
func (p *Process) Usage() Usage {
	var u Usage
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
			u.Resident = kibibytes << 10
		case "VmHWM:":
			u.Peak = kibibytes << 10
		}
	}
	stat, _ := os.ReadFile(dir + "/stat")
	_, afterName, _ := bytes.Cut(stat, []byte(") ")) // the name has no parenthesis: it is ours
	if fields := bytes.Fields(afterName); len(fields) > 12 {
		for _, field := range fields[11:13] {
			ticks, _ := strconv.ParseInt(string(field), 10, 64)
			u.CPU += time.Duration(ticks) * clockTick
		}
	}
	if files, err := os.ReadDir(dir + "/fd"); err == nil {
		u.Files = len(files)
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
