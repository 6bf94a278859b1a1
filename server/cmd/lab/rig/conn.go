package rig

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Conn is a connection that sends one HTTP request after the other. It parses as
// little of HTTP as possible, since it shares the processors with the server
// that is measured. Unlike net/http's client it never sends a request again.
type Conn struct {
	net.Conn

	answer *bufio.Reader
	body   []byte // of the last answer
}

// Dial opens a connection.
func Dial(ctx context.Context, addr string) (*Conn, error) {
	conn, err := (&net.Dialer{Timeout: 30 * time.Second}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Conn{Conn: conn, answer: bufio.NewReaderSize(conn, 16<<10)}, nil
}

// Request returns the bytes of an HTTP request (RFC 9112).
func Request(method, target string, header http.Header, body Object) []byte {
	out := bytes.NewBuffer(fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n", method, target))
	_ = header.Write(out) // into memory
	if body == nil {
		return append(out.Bytes(), "\r\n"...)
	}
	content, err := json.Marshal(body)
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	_, _ = fmt.Fprintf(out, "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(content))
	return append(out.Bytes(), content...)
}

// Exchange sends a request and reads its answer. The body is valid until the
// next call. closes reports that the server ends the connection.
func (c *Conn) Exchange(request []byte) (status int, body []byte, closes bool, err error) {
	if _, err := c.Write(request); err != nil {
		return 0, nil, false, err
	}
	status, length, closes, err := c.head()
	if err != nil {
		return 0, nil, false, err
	}
	c.body = c.body[:0]
	if length != chunked {
		err = c.take(length)
		return status, c.body, closes, err
	}
	for {
		line, err := c.line()
		if err != nil {
			return 0, nil, false, err
		}
		size, err := strconv.ParseInt(string(line), 16, 32)
		if err != nil {
			return 0, nil, false, fmt.Errorf("size of a chunk: %w", err)
		}
		if err := c.take(int(size)); err != nil {
			return 0, nil, false, err
		}
		if _, err := c.line(); err != nil { // the end of the chunk, or of the body
			return 0, nil, false, err
		}
		if size == 0 {
			return status, c.body, closes, nil
		}
	}
}

// chunked is the length of a body in chunks.
const chunked = -1

// head reads the status line and the header.
func (c *Conn) head() (status, length int, closes bool, err error) {
	line, err := c.line()
	if err != nil {
		return 0, 0, false, err
	}
	code, found := bytes.CutPrefix(line, []byte("HTTP/1.1 "))
	if status, err = strconv.Atoi(string(code[:min(3, len(code))])); err != nil || !found {
		return 0, 0, false, fmt.Errorf("the answer begins %q", line)
	}
	for {
		line, err := c.line()
		switch {
		case err != nil:
			return 0, 0, false, err
		case len(line) == 0:
			return status, length, closes, nil
		case bytes.HasPrefix(line, []byte("Content-Length: ")): // as net/http spells it
			if length, err = strconv.Atoi(string(line[len("Content-Length: "):])); err != nil {
				return 0, 0, false, err
			}
		case bytes.Equal(line, []byte("Transfer-Encoding: chunked")):
			length = chunked
		case bytes.Equal(line, []byte("Connection: close")):
			closes = true
		}
	}
}

// line reads one line without its end.
func (c *Conn) line() ([]byte, error) {
	line, err := c.answer.ReadSlice('\n')
	return bytes.TrimSuffix(line, []byte("\r\n")), err
}

// take appends the next bytes of the answer to the body.
func (c *Conn) take(size int) error {
	had := len(c.body)
	c.body = slices.Grow(c.body, size)[:had+size]
	_, err := io.ReadFull(c.answer, c.body[had:])
	return err
}
