package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// load is a fixed number of keep-alive connections to one server. Each sends a
// request, reads the whole answer, and only then sends the next: when the
// server is slow, the load is less. The client parses as little of HTTP as it
// can, because it runs on the cores that it measures.
type load struct {
	next    func(n int) []byte // the n-th request, whole; must be safe for concurrent use
	sent    atomic.Int64
	clients []*client
}

type client struct {
	conn   net.Conn
	answer *bufio.Reader
	body   []byte // of the last answer
}

// turn is what one round of a load gave.
type turn struct {
	elapsed   time.Duration
	latencies []time.Duration // one for each request
	bytes     int             // of the bodies of all answers
	refused   int             // answers other than 2xx
	refusal   string          // the first of them
}

func (t turn) rate() float64 { return float64(len(t.latencies)) / t.elapsed.Seconds() }

// answerTimeout bounds how long a round waits for answers after its end.
const answerTimeout = 30 * time.Second

// dial opens the connections.
func dial(ctx context.Context, addr string, clients int, next func(n int) []byte) (*load, error) {
	l := &load{next: next}
	for range clients {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
		if err != nil {
			l.close()
			return nil, err
		}
		l.clients = append(l.clients, &client{conn: conn, answer: bufio.NewReaderSize(conn, 16<<10)})
	}
	return l, nil
}

func (l *load) close() {
	for _, c := range l.clients {
		_ = c.conn.Close()
	}
}

// round lets every client work for d and returns when all have their last answer.
func (l *load) round(ctx context.Context, d time.Duration) (turn, error) {
	var group sync.WaitGroup
	turns, errs := make([]turn, len(l.clients)), make([]error, len(l.clients))
	defer context.AfterFunc(ctx, l.close)()
	started := time.Now()
	for i, c := range l.clients {
		group.Go(func() { turns[i], errs[i] = l.work(c, started, d) })
	}
	group.Wait()
	whole := turn{elapsed: time.Since(started)}
	for _, t := range turns {
		whole.latencies = append(whole.latencies, t.latencies...)
		whole.bytes += t.bytes
		whole.refused += t.refused
		if whole.refusal == "" {
			whole.refusal = t.refusal
		}
	}
	if ctx.Err() != nil {
		return whole, ctx.Err()
	}
	return whole, errors.Join(errs...)
}

// work is one client's part of a round.
func (l *load) work(c *client, started time.Time, d time.Duration) (turn, error) {
	var t turn
	end := started.Add(d)
	if err := c.conn.SetDeadline(end.Add(answerTimeout)); err != nil {
		return t, err
	}
	for before := time.Now(); before.Before(end); {
		status, body, err := c.exchange(l.next(int(l.sent.Add(1) - 1)))
		if err != nil {
			return t, err
		}
		now := time.Now()
		t.latencies = append(t.latencies, now.Sub(before))
		before = now
		t.bytes += len(body)
		if status/100 != 2 {
			t.refused++
			if t.refusal == "" {
				t.refusal = fmt.Sprintf("%d: %s", status, body)
			}
		}
	}
	return t, nil
}

// exchange sends one request and reads its answer (RFC 9112). The body is valid
// until the next call.
func (c *client) exchange(request []byte) (status int, body []byte, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, nil, err
	}
	status, length, err := c.head()
	if err != nil {
		return 0, nil, err
	}
	c.body = c.body[:0]
	if length != chunked {
		return status, c.body, c.take(length)
	}
	for {
		line, err := c.line()
		if err != nil {
			return 0, nil, err
		}
		size, err := strconv.ParseInt(string(line), 16, 32)
		if err != nil {
			return 0, nil, fmt.Errorf("size of a chunk: %w", err)
		}
		if err := c.take(int(size)); err != nil {
			return 0, nil, err
		}
		if _, err := c.line(); err != nil { // ends the chunk, or after the last one the body
			return 0, nil, err
		}
		if size == 0 {
			return status, c.body, nil
		}
	}
}

// chunked is the length of a body that tells its length as it goes.
const chunked = -1

// head reads the status line and the header, of which only the body's length counts.
func (c *client) head() (status, length int, err error) {
	line, err := c.line()
	if err != nil {
		return 0, 0, err
	}
	code, found := bytes.CutPrefix(line, []byte("HTTP/1.1 "))
	if status, err = strconv.Atoi(string(code[:min(3, len(code))])); err != nil || !found {
		return 0, 0, fmt.Errorf("the answer begins %q", line)
	}
	for {
		line, err := c.line()
		switch {
		case err != nil:
			return 0, 0, err
		case len(line) == 0:
			return status, length, nil
		case bytes.HasPrefix(line, []byte("Content-Length: ")): // as net/http spells it
			if length, err = strconv.Atoi(string(line[len("Content-Length: "):])); err != nil {
				return 0, 0, err
			}
		case bytes.Equal(line, []byte("Transfer-Encoding: chunked")):
			length = chunked
		case bytes.Equal(line, []byte("Connection: close")):
			return 0, 0, errors.New("the server ends the connection")
		}
	}
}

// line reads one line without its end.
func (c *client) line() ([]byte, error) {
	line, err := c.answer.ReadSlice('\n')
	return bytes.TrimSuffix(line, []byte("\r\n")), err
}

// take appends the next bytes of the answer to the body.
func (c *client) take(size int) error {
	had := len(c.body)
	c.body = slices.Grow(c.body, size)[:had+size]
	_, err := io.ReadFull(c.answer, c.body[had:])
	return err
}
