package db

import (
	"context"
	"crypto/tls"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
)

// Bounds for a server that does not answer. A statement waits for patience. Then
// lib/pq asks the server to cancel it, which may take grace. After that, the
// connection is closed.
const (
	patience       = 5 * time.Second
	grace          = time.Second
	connectTimeout = 3 * time.Second // of one host; connect_timeout in the URL takes precedence
)

// bounded adds the deadline patience to a context that has none.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, patience)
}

// errUnanswered means that a statement was sent, perhaps executed, and not
// answered. lib/pq reports a bad connection, which makes database/sql send the
// statement again.
var errUnanswered = errors.New("db: the connection broke before the database answered")

// isConnectionError reports whether err comes from the connection and not from
// the statement.
func isConnectionError(err error) bool {
	var network net.Error
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, errUnanswered) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || (errors.As(err, &network) && !errors.Is(err, context.Canceled))
}

// primary counts the changes of the primary server, so that connections to an
// earlier primary are recognized.
type primary struct {
	generation atomic.Int64
	left       chan struct{} // receives one value per generation, for the listener

	mu      sync.Mutex
	resting bool // less than leaveInterval has passed since the last change
	again   bool // a change was requested in that time
}

// leaveInterval is the minimum time between two generations. A read-only server
// still answers reads, which need connections that last.
const leaveInterval = time.Second

func newPrimary() *primary { return &primary{left: make(chan struct{}, 1)} }

// leave ends the generation, at the latest after leaveInterval. Connections of an
// ended generation are closed and not used again.
func (p *primary) leave(generation int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case generation != p.generation.Load(): // has ended already
	case p.resting:
		p.again = true
	default:
		p.next()
	}
}

func (p *primary) next() {
	p.generation.Add(1)
	select {
	case p.left <- struct{}{}:
	default:
	}
	p.resting, p.again = true, false
	time.AfterFunc(leaveInterval, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.resting = false; p.again {
			p.next()
		}
	})
}

// connector makes the connections of a pool; it is a driver.Connector. It adds
// three properties to lib/pq's connections: waits for a silent server are
// bounded, connections to a server that has become read-only are replaced, and no
// statement is sent twice.
type connector struct {
	config   pq.Config
	settings string // SET statements for each new connection
	primary  *primary
	verifies bool // see errUnverified
}

// Driver returns the driver of the connections.
func (p *connector) Driver() driver.Driver { return &pq.Driver{} }

// Connect opens one connection.
func (p *connector) Connect(ctx context.Context) (driver.Conn, error) {
	ctx, end := bounded(ctx)
	defer end()
	generation := p.primary.generation.Load()
	connector, err := pq.NewConnectorConfig(p.config)
	if err != nil {
		return nil, err
	}
	dialer := &wireDialer{}
	connector.Dialer(dialer)
	opened, err := connector.Connect(ctx)
	if err != nil {
		if p.verifies && isTLSError(err) {
			err = fmt.Errorf(errUnverified, err)
		}
		return nil, err
	}
	// Not as parameters of the connection, because PgBouncer rejects parameters that
	// it does not know. The dialer's limit bounds the statement. A context that can be
	// cancelled would make lib/pq dial a second connection beside this function.
	if p.settings != "" {
		if _, err := opened.(pqConn).ExecContext(context.WithoutCancel(ctx), p.settings, nil); err != nil {
			return nil, errors.Join(err, opened.Close())
		}
	}
	dialer.wire.connected()
	return &session{pqConn: opened.(pqConn), wire: dialer.wire, primary: p.primary, generation: generation}, nil
}

func isTLSError(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	return errors.Is(err, pq.ErrSSLNotSupported) || errors.As(err, &certificate) || errors.As(err, &record)
}

// pqConn are the interfaces of lib/pq's connections.
type pqConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// session is one connection of a pool.
type session struct {
	pqConn
	wire       *wire
	primary    *primary
	generation int64
	refused    bool // the server has refused a write
}

// begin bounds the next statement by the deadline of ctx, plus grace for canceling it.
func (s *session) begin(ctx context.Context) {
	deadline, bounded := ctx.Deadline()
	if bounded {
		deadline = deadline.Add(grace)
	}
	s.wire.begin(deadline)
}

// outcome handles a statement's error: it leaves a read-only server, and keeps
// database/sql from sending a sent statement again.
func (s *session) outcome(err error) error {
	var refused *pq.Error
	switch {
	case errors.As(err, &refused) && refused.Code == codeReadOnly:
		s.refused = true
		s.primary.leave(s.generation)
	case errors.Is(err, driver.ErrBadConn) && s.wire.sent:
		return errUnanswered
	}
	return err
}

func (s *session) isCurrent() bool { return !s.refused && s.generation == s.primary.generation.Load() }

// IsValid reports whether the connection can return to the pool.
func (s *session) IsValid() bool { return s.isCurrent() && s.pqConn.IsValid() }

// ResetSession rejects a connection that the server has closed, before the pool
// uses it again, so that no statement is sent on it.
func (s *session) ResetSession(ctx context.Context) error {
	if !s.isCurrent() || s.wire.isBroken() {
		return driver.ErrBadConn
	}
	return s.pqConn.ResetSession(ctx)
}

// Close ends the session, within twice grace when the server does not answer.
func (s *session) Close() error {
	ctx, end := context.WithTimeout(context.Background(), grace)
	defer end()
	s.begin(ctx)
	_ = s.pqConn.Close() // fails when the server has closed the connection
	return nil
}

// Ping checks that the server answers.
func (s *session) Ping(ctx context.Context) error {
	s.begin(ctx)
	return s.pqConn.Ping(ctx)
}

// BeginTx starts a transaction. It avoids lib/pq's BeginTx, whose READ WRITE
// overrides an operator's default_transaction_read_only.
func (s *session) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	s.begin(ctx)
	if opts == (driver.TxOptions{}) {
		return s.Begin() // deprecated because it takes no options; none are needed
	}
	return s.pqConn.BeginTx(ctx, opts)
}

// ExecContext runs a statement without preparing it.
func (s *session) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s.begin(ctx)
	result, err := s.pqConn.ExecContext(ctx, query, args)
	return result, s.outcome(err)
}

// QueryContext runs a query without preparing it.
func (s *session) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s.begin(ctx)
	rows, err := s.pqConn.QueryContext(ctx, query, args)
	return rows, s.outcome(err)
}

// PrepareContext prepares a statement.
func (s *session) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s.begin(ctx)
	prepared, err := s.pqConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return &statement{prepared.(pqStmt), s}, nil
}

// pqStmt are the interfaces of lib/pq's statements.
type pqStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// statement is a prepared statement of a session.
type statement struct {
	pqStmt
	session *session
}

// ExecContext runs the statement.
func (s *statement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	s.session.begin(ctx)
	result, err := s.pqStmt.ExecContext(ctx, args)
	return result, s.session.outcome(err)
}

// QueryContext runs the query.
func (s *statement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	s.session.begin(ctx)
	rows, err := s.pqStmt.QueryContext(ctx, args)
	return rows, s.session.outcome(err)
}

// Close deallocates the statement on the server, unless the connection is about
// to be closed.
func (s *statement) Close() error {
	if !s.session.isCurrent() || s.session.wire.isBroken() {
		return nil
	}
	ctx, end := context.WithTimeout(context.Background(), grace)
	defer end()
	s.session.begin(ctx)
	return s.pqStmt.Close()
}
