package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// member is one process of the service, started again whenever it ends, as a
// process manager would.
type member struct {
	name, binary, command string
	args, env             []string
	log                   io.Writer

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

// keep starts the process over and over until ctx ends.
func (m *member) keep(ctx context.Context) error {
	for ctx.Err() == nil {
		cmd := exec.CommandContext(ctx, m.binary, append([]string{m.command}, m.args...)...) //nolint:gosec // built here
		ready := &signalled{done: make(chan struct{})}
		cmd.Env, cmd.Stdout, cmd.Stderr = m.env, ready, m.log // the first line that it prints says that it is up
		if err := cmd.Start(); err != nil {
			return err
		}
		m.mu.Lock()
		m.cmd, m.ready, m.killed = cmd, ready, false
		m.mu.Unlock()
		m.ended(ctx, cmd.Wait())
		pause(ctx, 100*time.Millisecond)
	}
	return nil
}

func (m *member) ended(ctx context.Context, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.killed || ctx.Err() != nil {
		return
	}
	select {
	case <-m.ready.done:
		m.exits = append(m.exits, fmt.Sprintf("%s ended by itself: %v", m.name, err))
	default:
		m.failedStarts++
	}
}

// kill ends the present life at once. Between two lives there is none to end.
func (m *member) kill() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cmd == nil || m.killed || m.cmd.Process.Kill() != nil {
		return false
	}
	m.killed = true
	return true
}

// isReady reports whether the present life is up.
func (m *member) isReady() bool {
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

// record returns how many starts failed, and what must not have happened.
func (m *member) record() (failedStarts int, exits []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failedStarts, m.exits
}

// form is which processes a run has.
type form struct {
	members []*member
	addrs   []string // of those that serve
}

var forms = map[string][][]string{
	"combined": {{"serve"}},
	"apart":    {{"serve", "--no-dispatcher"}, {"dispatch"}, {"dispatch"}},
	"mixed":    {{"serve", "--no-dispatcher"}, {"dispatch"}, {"serve"}},
}

// attemptTimeout and the waits are short, so that what is killed is soon tried again: a
// lease lasts twice the timeout and 5 s.
const (
	attemptTimeout = 2 * time.Second
	backoff        = "300ms,1s"
)

func newForm(ctx context.Context, name, binary, databaseURL, dir string) (*form, error) {
	f := &form{}
	secret := rand.Text() + rand.Text()
	for i, line := range forms[name] {
		addr, err := freeAddr(ctx)
		if err != nil {
			return nil, err
		}
		m := &member{name: fmt.Sprintf("%s %d", line[0], i), binary: binary, command: line[0], args: line[1:]}
		m.env = append(cleanEnv(),
			"ASSAY_ADDR="+addr, "ASSAY_ADMIN_ADDR=off", "ASSAY_BASE_URL=http://"+addr, "ASSAY_DATABASE_URL="+databaseURL,
			"ASSAY_DATA_DIR="+dir, "ASSAY_SECRET="+secret, "ASSAY_LOG_LEVEL=warn",
			"ASSAY_RATE_LIMITS=off", "ASSAY_WEBHOOK_ALLOW_INSECURE=true", "ASSAY_WEBHOOK_BACKOFF="+backoff, "ASSAY_WEBHOOK_TIMEOUT="+attemptTimeout.String())
		if m.log, err = os.Create(filepath.Join(dir, strings.ReplaceAll(m.name, " ", "-")+".log")); err != nil {
			return nil, err
		}
		f.members = append(f.members, m)
		if line[0] == "serve" {
			f.addrs = append(f.addrs, addr)
		}
	}
	return f, nil
}

// waitReady waits until every process is up.
func (f *form) waitReady(ctx context.Context) error {
	for _, m := range f.members {
		for !m.isReady() {
			if !pause(ctx, 20*time.Millisecond) {
				return fmt.Errorf("%s was not ready: %w", m.name, ctx.Err())
			}
		}
	}
	return nil
}

// cleanEnv is the environment without settings of a service that may be
// configured in the caller's shell.
func cleanEnv() []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "ASSAY_") && !strings.HasPrefix(variable, "PG") {
			env = append(env, variable)
		}
	}
	return env
}

// freeAddr returns a loopback address that was free a moment ago.
func freeAddr(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
