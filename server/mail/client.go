package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/wneessen/go-mail/smtp"
)

const (
	// dialTimeout limits the connection, and stepTimeout each exchange with the server. The
	// worker limits the whole.
	dialTimeout = 10 * time.Second
	stepTimeout = 30 * time.Second

	// acceptTimeout limits the wait for the server's answer to a message. If the server accepts
	// the message later, the email is sent again and arrives twice.
	acceptTimeout = 60 * time.Second

	// idleTimeout is how long a connection without emails stays open. Many servers close it
	// after less than a minute.
	idleTimeout = 10 * time.Second
)

// ClientOptions configure a Client. Only Server is required.
type ClientOptions struct {
	Server Server
	// HelloName is the name of this machine for the mail server; "localhost" by default.
	HelloName string
	// Dial and Roots replace the system's, for tests.
	Dial  func(ctx context.Context, network, address string) (net.Conn, error)
	Roots *x509.CertPool
}

// Client sends emails through one mail server. It sends one at a time, and keeps its
// connection open for the next one. It is safe for concurrent use.
type Client struct {
	opts ClientOptions

	mu   sync.Mutex
	open *connection
	idle *time.Timer // closes the connection
}

// connection is an open connection on which no email is being sent.
type connection struct {
	*smtp.Client
	raw net.Conn
}

// NewClient creates a client. It connects when it sends.
func NewClient(opts ClientOptions) *Client {
	if opts.Dial == nil {
		opts.Dial = (&net.Dialer{}).DialContext
	}
	if opts.HelloName == "" {
		opts.HelloName = "localhost"
	}
	return &Client{opts: opts}
}

// progress is called after each stage that has succeeded.
type progress func(stage Stage, detail string)

func quiet(Stage, string) {}

// Send implements Sender. An error is a *Failure.
func (c *Client) Send(ctx context.Context, e Envelope) error {
	content, err := e.Bytes()
	if err != nil {
		return &Failure{Stage: StageMessage, Final: true, Err: errUnwritable}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle != nil {
		c.idle.Stop()
	}
	err = c.send(ctx, e, content, quiet)
	if c.open != nil {
		c.idle = time.AfterFunc(idleTimeout, c.Close)
	}
	return err
}

var errUnwritable = errors.New("the email could not be written")

// send sends on the open connection, or on a new one. A server can close a connection at
// any time between two emails. So if the open connection does not accept the sender, send
// tries once on a new connection.
func (c *Client) send(ctx context.Context, e Envelope, content []byte, report progress) error {
	if c.open != nil {
		err := c.open.begin(ctx, e)
		if err == nil {
			return c.finish(ctx, e, content, report)
		}
		c.disconnect()
		if ctx.Err() != nil {
			return fail(StageSender, err)
		}
	}
	opened, err := c.connect(ctx, report)
	if err != nil {
		return err
	}
	c.open = opened
	if err := opened.begin(ctx, e); err != nil {
		c.disconnect()
		return fail(StageSender, err)
	}
	return c.finish(ctx, e, content, report)
}

// begin names the sender.
func (c *connection) begin(ctx context.Context, e Envelope) error {
	c.SkipSMTPUTF8(!e.needsUTF8())
	return c.step(ctx, stepTimeout, func() error { return c.Mail(commandPath(e.From)) })
}

var errNeedsUTF8 = errors.New("the mail server does not support the characters before the @ of the address (SMTPUTF8)")

// finish names the recipient and sends the message. It ends the connection unless the
// next email can follow.
func (c *Client) finish(ctx context.Context, e Envelope, content []byte, report progress) error {
	report(StageSender, e.From.Address)
	open := c.open
	failed := func(stage Stage, err error) error {
		failure := fail(stage, err)
		if failure.Code == 0 || open.step(ctx, stepTimeout, open.Reset) != nil {
			c.disconnect()
		}
		return failure
	}
	if supported, _ := open.Extension("SMTPUTF8"); e.needsUTF8() && !supported {
		c.disconnect()
		return &Failure{Stage: StageRecipient, Final: true, Err: errNeedsUTF8}
	}
	err := open.step(ctx, stepTimeout, func() error { return open.Rcpt(commandPath(e.To)) })
	if err != nil {
		return failed(StageRecipient, err)
	}
	report(StageRecipient, e.To.Address)

	var accepted string
	err = open.step(ctx, acceptTimeout, func() error {
		accepted, err = open.write(content)
		return err
	})
	if err != nil {
		return failed(StageMessage, err)
	}
	report(StageMessage, accepted)
	return nil
}

// write sends the message and returns the server's answer.
func (c *connection) write(content []byte) (string, error) {
	writer, err := c.Data()
	if err != nil {
		return "", err
	}
	if _, err := writer.Write(content); err != nil {
		return "", err // closing the writer would end the message, and the server would accept a part of it
	}
	if err := writer.Close(); err != nil {
		return "", err
	}
	if closed, ok := writer.(*smtp.DataCloser); ok {
		return closed.ServerResponse(), nil
	}
	return "", nil
}

// step runs one exchange within a time limit, which ends early with the context.
func (c *connection) step(ctx context.Context, limit time.Duration, fn func() error) error {
	if err := c.UpdateDeadline(limit); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.raw.Close() })
	defer stop()
	err := fn()
	if err != nil && ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
	}
	return err
}

// connect opens a connection, encrypts it, and signs in.
func (c *Client) connect(ctx context.Context, report progress) (*connection, error) {
	raw, err := c.dial(ctx, report)
	if err != nil {
		return nil, err
	}
	opened := &connection{raw: raw}
	if err := c.introduce(ctx, opened, report); err != nil {
		_ = raw.Close()
		return nil, err
	}
	return opened, nil
}

func (c *Client) dial(ctx context.Context, report progress) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	raw, err := c.opts.Dial(ctx, "tcp", c.opts.Server.Addr())
	if err != nil {
		var unresolved *net.DNSError
		if errors.As(err, &unresolved) {
			return nil, fail(StageResolve, err)
		}
		return nil, fail(StageConnect, err)
	}
	report(StageConnect, raw.RemoteAddr().String())
	return raw, nil
}

// introduce reads the greeting, encrypts the connection, and signs in.
func (c *Client) introduce(ctx context.Context, opened *connection, report progress) error {
	server := c.opts.Server
	conn := opened.raw
	if server.ImplicitTLS {
		secured := tls.Client(conn, c.tlsConfig())
		handshake, cancel := context.WithTimeout(ctx, stepTimeout)
		defer cancel()
		if err := secured.HandshakeContext(handshake); err != nil {
			return fail(StageTLS, err)
		}
		conn = secured
	}
	if err := opened.greet(ctx, conn, server.Host, c.opts.HelloName); err != nil {
		return fail(StageGreeting, err)
	}
	report(StageGreeting, "")
	if !server.ImplicitTLS {
		if err := c.startTLS(ctx, opened); err != nil {
			return fail(StageTLS, err)
		}
	}
	report(StageTLS, describeTLS(opened))
	if server.account == nil {
		return nil
	}
	if err := c.authenticate(ctx, opened); err != nil {
		return fail(StageAuth, err)
	}
	report(StageAuth, server.account().user)
	return nil
}

// greet reads the server's greeting and says hello.
func (c *connection) greet(ctx context.Context, conn net.Conn, host, name string) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = c.raw.Close() })
	defer stop()
	err := func() (err error) {
		if c.Client, err = smtp.NewClient(conn, host); err != nil {
			return err
		}
		return c.Hello(name)
	}()
	if err != nil && ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
	}
	return err
}

var errNoStartTLS = errors.New("the server does not offer STARTTLS")

// startTLS encrypts the connection. Only a server on this machine needs no STARTTLS, because
// the traffic does not leave the machine.
func (c *Client) startTLS(ctx context.Context, opened *connection) error {
	if offered, _ := opened.Extension("STARTTLS"); !offered {
		if c.opts.Server.isLoopback() {
			return nil
		}
		return errNoStartTLS
	}
	return opened.step(ctx, stepTimeout, func() error { return opened.StartTLS(c.tlsConfig()) })
}

// tlsConfig verifies the certificate, except for STARTTLS on this machine: such servers have
// self-signed certificates, and the alternative would be a connection without encryption.
func (c *Client) tlsConfig() *tls.Config {
	server := c.opts.Server
	return &tls.Config{
		ServerName: server.Host, RootCAs: c.opts.Roots, MinVersion: tls.VersionTLS12,
		InsecureSkipVerify: server.isLoopback() && !server.ImplicitTLS, //nolint:gosec // only on this machine, see above
	}
}

func describeTLS(opened *connection) string {
	state, err := opened.GetTLSConnectionState()
	if err != nil {
		return ""
	}
	return tls.VersionName(state.Version)
}

var (
	errNoAuth        = errors.New("the server does not offer authentication")
	errNoKnownMethod = errors.New("the server offers neither PLAIN nor LOGIN")
)

func (c *Client) authenticate(ctx context.Context, opened *connection) error {
	server := c.opts.Server
	offered, mechanisms := opened.Extension("AUTH")
	if !offered {
		return errNoAuth
	}
	var method smtp.Auth
	switch {
	case offers(mechanisms, "PLAIN"):
		method = smtp.PlainAuth("", server.account().user, server.account().password, server.Host, server.isLoopback())
	case offers(mechanisms, "LOGIN"):
		method = smtp.LoginAuth(server.account().user, server.account().password, server.Host, server.isLoopback())
	default:
		return fmt.Errorf("%w: %s", errNoKnownMethod, publicText(mechanisms))
	}
	return opened.step(ctx, stepTimeout, func() error { return opened.Auth(method) })
}

func offers(mechanisms, name string) bool {
	for _, offered := range strings.Fields(mechanisms) {
		if strings.EqualFold(offered, name) {
			return true
		}
	}
	return false
}

// disconnect closes the connection without QUIT.
func (c *Client) disconnect() {
	if c.open != nil {
		_ = c.open.raw.Close()
		c.open = nil
	}
}

// quitTimeout limits QUIT, which some servers do not answer.
const quitTimeout = time.Second

// Close implements Sender.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		return
	}
	_ = c.open.step(context.Background(), quitTimeout, c.open.Quit)
	c.disconnect()
}
