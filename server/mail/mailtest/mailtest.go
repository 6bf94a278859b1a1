// Package mailtest is an SMTP server on this machine, for tests and measurements. It
// records the messages that it accepts, and can refuse, hang, or close at each stage.
//
//	server, err := mailtest.Start(mailtest.Options{})
//	// … send to server.URL()
//	messages, err := server.Wait(ctx, 1)
package mailtest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
)

// Options configure a Server. The zero value is a server without TLS and authentication.
type Options struct {
	StartTLS    bool // offer STARTTLS
	ImplicitTLS bool // speak TLS from the first byte
	// Names are the names and addresses in the certificate; by default the names of this machine.
	Names   []string
	Expired bool // the certificate

	// User and Password are required from each client if User is set. The password is
	// accepted without TLS, too.
	User, Password string
	Mechanisms     []string // PLAIN and LOGIN by default

	UTF8 bool // offer SMTPUTF8

	// OnMessage is called for each message that is recorded, before the server confirms it.
	OnMessage func(Message)
}

// Message is a message that the server has accepted.
type Message struct {
	From string   // of the envelope
	To   []string // of the envelope
	Data []byte   // as it was received, without the escaping of dots
	TLS  bool
	User string // "" without authentication
	UTF8 bool   // SMTPUTF8 was requested
}

// Stage is a moment in a connection.
type Stage int

// The stages at which a server can fail.
const (
	Greeting  Stage = iota // instead of the greeting
	Hello                  // instead of the response to EHLO and HELO
	Auth                   // instead of the response to AUTH
	Sender                 // instead of the response to MAIL
	Recipient              // instead of the response to RCPT
	Body                   // after the first 100 bytes of the message, which is not recorded
	Accepted               // after the message was recorded, instead of the confirmation
)

// Fault is what happens at a stage. The zero value closes the connection.
type Fault struct {
	Code  int    // of the response; 0 for none
	Text  string // of the response
	Hang  bool   // no response, until the client or the server closes
	Times int    // the number of times that it happens; 0 for always
}

// Server is a running SMTP server.
type Server struct {
	opts      Options
	listener  net.Listener
	smtp      *smtp.Server
	authority *authority
	closed    chan struct{}
	closeOnce sync.Once

	mu          sync.Mutex
	changed     chan struct{} // closed when messages or counts change
	messages    []Message
	faults      map[Stage]*Fault
	connections int
	reached     map[Stage]int
}

// Start starts a server on a free port of 127.0.0.1.
func Start(opts Options) (*Server, error) { return StartAt(opts, "127.0.0.1:0") }

// StartAt starts a server at an address of this machine.
func StartAt(opts Options, address string) (*Server, error) {
	if opts.User != "" && opts.Mechanisms == nil {
		opts.Mechanisms = []string{"PLAIN", "LOGIN"}
	}
	if len(opts.Names) == 0 {
		opts.Names = []string{"127.0.0.1", "localhost", "::1"}
	}
	trusted, err := newAuthority()
	if err != nil {
		return nil, err
	}
	until := time.Now().Add(24 * time.Hour)
	if opts.Expired {
		until = time.Now().Add(-time.Hour)
	}
	certificate, err := trusted.issue(until, opts.Names...)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	s := &Server{
		opts: opts, listener: listener, authority: trusted, closed: make(chan struct{}), changed: make(chan struct{}),
		faults: map[Stage]*Fault{}, reached: map[Stage]int{},
	}
	s.smtp = smtp.NewServer(smtp.BackendFunc(s.newSession))
	s.smtp.Domain = "mailtest"
	s.smtp.AllowInsecureAuth = true
	s.smtp.EnableSMTPUTF8 = opts.UTF8
	s.smtp.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	if opts.StartTLS {
		s.smtp.TLSConfig = config
	}
	faulty := net.Listener(&faultyListener{listener, s})
	if opts.ImplicitTLS {
		faulty = tls.NewListener(faulty, config)
	}
	go func() { _ = s.smtp.Serve(faulty) }()
	return s, nil
}

// Close ends the server and its connections.
func (s *Server) Close() {
	s.closeOnce.Do(func() {
		close(s.closed)
		_ = s.smtp.Close()
		_ = s.listener.Close()
	})
}

// Addr is the address and port of the server.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// URL is the address in the form of ASSAY_SMTP_URL, with user and password.
func (s *Server) URL() string {
	address := url.URL{Scheme: "smtp", Host: s.Addr()}
	if s.opts.ImplicitTLS {
		address.Scheme = "smtps"
	}
	if s.opts.User != "" {
		address.User = url.UserPassword(s.opts.User, s.opts.Password)
	}
	return address.String()
}

// Roots are the authorities that a client must trust.
func (s *Server) Roots() *x509.CertPool { return s.authority.pool() }

// RootsPEM is Roots in the form of a file, for SSL_CERT_FILE.
func (s *Server) RootsPEM() []byte { return s.authority.pem() }

// Fail makes the server fail at a stage.
func (s *Server) Fail(stage Stage, fault Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[stage] = &fault
}

// Recover ends all faults. Connections that hang continue to hang.
func (s *Server) Recover() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.faults)
}

// Messages returns the recorded messages, oldest first.
func (s *Server) Messages() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.messages)
}

// Wait waits for n recorded messages, and returns all.
func (s *Server) Wait(ctx context.Context, n int) ([]Message, error) {
	err := s.await(ctx, func() bool { return len(s.messages) >= n })
	got := s.Messages()
	if err != nil {
		return got, fmt.Errorf("mailtest: %d of %d messages: %w", len(got), n, err)
	}
	return got, nil
}

// WaitReached waits until clients have reached a stage n times, with or without a fault.
func (s *Server) WaitReached(ctx context.Context, stage Stage, n int) error {
	return s.await(ctx, func() bool { return s.reached[stage] >= n })
}

func (s *Server) await(ctx context.Context, done func() bool) error {
	for {
		s.mu.Lock()
		is, changed := done(), s.changed
		s.mu.Unlock()
		if is {
			return nil
		}
		select {
		case <-changed:
		case <-s.closed:
			return errors.New("the server is closed")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Connections is the number of connections so far.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connections
}

// change changes the state of the server and wakes the goroutines that wait for a change.
func (s *Server) change(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn()
	close(s.changed)
	s.changed = make(chan struct{})
}

// reach returns the fault of a stage, or nil.
func (s *Server) reach(stage Stage) (found *Fault) {
	s.change(func() {
		s.reached[stage]++
		fault := s.faults[stage]
		if fault == nil {
			return
		}
		copied := *fault
		found = &copied
		if fault.Times > 0 {
			if fault.Times--; fault.Times == 0 {
				delete(s.faults, stage)
			}
		}
	})
	return found
}

// Reached is how often clients have reached a stage.
func (s *Server) Reached(stage Stage) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reached[stage]
}
