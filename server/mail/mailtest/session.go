package mailtest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// faultyListener counts connections, and fails at Greeting.
type faultyListener struct {
	net.Listener
	server *Server
}

// Accept implements net.Listener.
func (l *faultyListener) Accept() (net.Conn, error) {
	for {
		connection, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		l.server.change(func() { l.server.connections++ })
		fault := l.server.reach(Greeting)
		if fault == nil {
			return connection, nil
		}
		go func() {
			if fault.Code > 0 {
				_, _ = fmt.Fprintf(connection, "%d %s\r\n", fault.Code, fault.Text)
			}
			if fault.Hang {
				<-l.server.closed
			}
			_ = connection.Close()
		}()
	}
}

// session is one connection, from EHLO or from STARTTLS on.
type session struct {
	server     *Server
	connection *smtp.Conn
	message    Message
	user       string
}

func (s *Server) newSession(connection *smtp.Conn) (smtp.Session, error) {
	started := &session{server: s, connection: connection}
	if err := started.fail(Hello); err != nil {
		return nil, err
	}
	return started, nil
}

// fail fails if the stage has a fault.
func (s *session) fail(stage Stage) error {
	fault := s.server.reach(stage)
	switch {
	case fault == nil:
		return nil
	case fault.Hang:
		<-s.server.closed
	case fault.Code > 0:
		return &smtp.SMTPError{Code: fault.Code, Message: fault.Text, EnhancedCode: smtp.NoEnhancedCode}
	}
	_ = s.connection.Conn().Close()
	return errors.New("closed")
}

// Reset implements smtp.Session.
func (s *session) Reset() { s.message = Message{} }

// Logout implements smtp.Session.
func (s *session) Logout() error { return nil }

// AuthMechanisms implements smtp.AuthSession.
func (s *session) AuthMechanisms() []string { return s.server.opts.Mechanisms }

// Auth implements smtp.AuthSession.
func (s *session) Auth(mechanism string) (sasl.Server, error) {
	authenticate := func(user, password string) error {
		if err := s.fail(Auth); err != nil {
			return err
		}
		if user != s.server.opts.User || password != s.server.opts.Password {
			return smtp.ErrAuthFailed
		}
		s.user = user
		return nil
	}
	switch mechanism {
	case sasl.Plain:
		return sasl.NewPlainServer(func(_, user, password string) error { return authenticate(user, password) }), nil
	case sasl.Login:
		return &loginServer{authenticate: authenticate}, nil
	}
	return nil, smtp.ErrAuthUnknownMechanism
}

// loginServer is the mechanism LOGIN, which has no RFC.
type loginServer struct {
	step         int
	user         string
	authenticate func(user, password string) error
}

// Next implements sasl.Server.
func (l *loginServer) Next(response []byte) (challenge []byte, done bool, err error) {
	l.step++
	switch l.step {
	case 1:
		return []byte("Username:"), false, nil
	case 2:
		l.user = string(response)
		return []byte("Password:"), false, nil
	}
	return nil, true, l.authenticate(l.user, string(response))
}

// Mail implements smtp.Session.
func (s *session) Mail(from string, opts *smtp.MailOptions) error {
	if err := s.fail(Sender); err != nil {
		return err
	}
	if s.server.opts.User != "" && s.user == "" {
		return smtp.ErrAuthRequired
	}
	_, encrypted := s.connection.TLSConnectionState()
	s.message = Message{From: from, TLS: encrypted, User: s.user, UTF8: opts.UTF8}
	return nil
}

// Rcpt implements smtp.Session.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if err := s.fail(Recipient); err != nil {
		return err
	}
	s.message.To = append(s.message.To, to)
	return nil
}

// bodyStart is how much of a message the server reads before it fails at Body.
const bodyStart = 100

// bodyTimeout bounds the wait for the rest of a message.
const bodyTimeout = time.Minute

// Data implements smtp.Session.
func (s *session) Data(r io.Reader) error {
	_ = s.connection.Conn().SetReadDeadline(time.Now().Add(bodyTimeout))
	defer func() { _ = s.connection.Conn().SetReadDeadline(time.Time{}) }()
	start := make([]byte, bodyStart)
	n, err := io.ReadFull(r, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if err := s.fail(Body); err != nil {
		return err
	}
	rest, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	message := s.message
	message.Data = slices.Concat(start[:n], rest)
	s.server.change(func() { s.server.messages = append(s.server.messages, message) })
	if s.server.opts.OnMessage != nil {
		s.server.opts.OnMessage(message)
	}
	return s.fail(Accepted)
}
