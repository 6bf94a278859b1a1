package rig

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// Member is one process of the service, started again whenever it ends, as a
// process manager would.
type Member struct {
	Name, Binary string
	Args, Env    []string
	Log          io.Writer

	mu     sync.Mutex
	cmd    *exec.Cmd
	killed bool // by us

	ready        *signalled // of the present life
	failedStarts int        // ended before it was ready, such as with the database away
	exits        []string   // ended by itself after it was ready: that must not happen
}

// signalled is an io.Writer that tells of the first write.
type signalled struct {
	once sync.Once
	done chan struct{}
}

// Write implements io.Writer.
func (s *signalled) Write(p []byte) (int, error) {
	s.once.Do(func() { close(s.done) })
	return len(p), nil
}

// Keep starts the process over and over until ctx ends.
func (m *Member) Keep(ctx context.Context) error {
	for ctx.Err() == nil {
		cmd := exec.CommandContext(ctx, m.Binary, m.Args...) //nolint:gosec // built here
		ready := &signalled{done: make(chan struct{})}
		cmd.Env, cmd.Stdout, cmd.Stderr = m.Env, ready, m.Log // the first line that it prints says that it is up
		if err := cmd.Start(); err != nil {
			return err
		}
		m.mu.Lock()
		m.cmd, m.ready, m.killed = cmd, ready, false
		m.mu.Unlock()
		m.ended(ctx, cmd.Wait())
		Pause(ctx, 100*time.Millisecond)
	}
	return nil
}

func (m *Member) ended(ctx context.Context, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.killed || ctx.Err() != nil {
		return
	}
	select {
	case <-m.ready.done:
		m.exits = append(m.exits, fmt.Sprintf("%s ended by itself: %v", m.Name, err))
	default:
		m.failedStarts++
	}
}

// Kill ends the present life at once. Between two lives there is none to end.
func (m *Member) Kill() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cmd == nil || m.killed || m.cmd.Process.Kill() != nil {
		return false
	}
	m.killed = true
	return true
}

// WaitReady waits until the present life is up.
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
	if m.ready == nil || m.killed {
		return false
	}
	select {
	case <-m.ready.done:
		return true
	default:
		return false
	}
}

// Record returns how many starts failed, and what must not have happened.
func (m *Member) Record() (failedStarts int, exits []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failedStarts, m.exits
}
