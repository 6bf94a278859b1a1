package rig

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Member is one process of the service that is started again whenever it ends,
// as a process manager does.
type Member struct {
	Name string
	Addr string // loopback host:port

	service Service
	args    []string
	log     io.Writer

	mu           sync.Mutex
	current      *Process
	starts       int
	killed       map[int]bool // by Kill, by the number of the start
	failedStarts int          // it ended before it had started, because the database was unavailable
	exits        []string     // it ended after it had started, without a kill: a fault
}

// NewMember returns a member that runs `assay args` and logs to a file in dir.
func (s Service) NewMember(ctx context.Context, name, dir string, args ...string) (*Member, error) {
	addr, err := FreeAddr(ctx)
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, name+".log"))
	return &Member{Name: name, Addr: addr, service: s, args: args, log: log, killed: map[int]bool{}}, err
}

// Keep starts the process again and again until ctx ends.
func (m *Member) Keep(ctx context.Context) error {
	for ctx.Err() == nil {
		p, err := Launch(m.service.Command(ctx, m.Addr, "off", m.args...), m.Addr, m.log)
		if err != nil {
			return err
		}
		m.mu.Lock()
		m.current = p
		m.starts++
		m.mu.Unlock()
		go p.watchStart(ctx, m.args[0] == "serve")
		<-p.ended
		m.record(ctx, p)
		Pause(ctx, 100*time.Millisecond)
	}
	return nil
}

// watchStart closes started when the process has printed that it is ready and,
// if it serves, has answered a request. If the database becomes unavailable
// before that, the process exits, and that is not a fault.
func (p *Process) watchStart(ctx context.Context, serves bool) {
	select {
	case <-p.ready.done:
	case <-p.ended:
		return
	}
	if serves {
		if _, err := NewClient([]string{p.Addr}, 0).Send(ctx, http.MethodGet, "/healthz", nil, nil); err != nil {
			return
		}
	}
	close(p.started)
}

func (m *Member) record(ctx context.Context, p *Process) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.killed[m.starts] || ctx.Err() != nil {
		return
	}
	select {
	case <-p.started:
		m.exits = append(m.exits, fmt.Sprintf("%s ended without a kill: %v", m.Name, p.State()))
	default:
		m.failedStarts++
	}
}

// Kill sends SIGKILL to the present process, if there is one, and waits until it has ended.
func (m *Member) Kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.current == nil || m.killed[m.starts] || m.current.cmd.Process.Kill() != nil {
		return
	}
	m.killed[m.starts] = true
	<-m.current.ended
}

// Starts is how often a process was started, which is the number of the present one.
func (m *Member) Starts() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.starts
}

// Killed reports whether the process with this number was killed.
func (m *Member) Killed(start int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.killed[start]
}

// WaitReady waits until a process of the member is ready.
func (m *Member) WaitReady(ctx context.Context) error {
	for !m.isReady() {
		if !Pause(ctx, 20*time.Millisecond) {
			return fmt.Errorf("%s was not ready: %w", m.Name, ctx.Err())
		}
	}
	return nil
}

func (m *Member) isReady() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.current == nil || m.killed[m.starts] {
		return false
	}
	select {
	case <-m.current.ended:
		return false
	case <-m.current.started:
		return true
	default:
		return false
	}
}

// Record returns the number of kills and of failed starts, and the exits that
// must not have happened.
func (m *Member) Record() (kills, failedStarts int, exits []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.killed), m.failedStarts, m.exits
}
