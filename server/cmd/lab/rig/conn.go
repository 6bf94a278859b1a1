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
	"time"
)

// Conn is a connection that sends one HTTP request after the other. Unlike
// net/http's client it never sends a request again, and it costs little of the
// processors that it shares with the measured server.
type Conn struct {
	net.Conn

	answer *bufio.Reader
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
	out := bytes.NewBufferString(method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n")
	_ = header.Write(out) // to memory
	if body == nil {
		return append(out.Bytes(), "\r\n"...)
	}
	content, err := json.Marshal(body)
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	_, _ = fmt.Fprintf(out, "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(content), content)
	return out.Bytes()
}

// Exchange sends a request and reads its answer. closes reports that the server
// ends the connection.
func (c *Conn) Exchange(request []byte) (status int, body []byte, closes bool, err error) {
	if _, err := c.Write(request); err != nil {
		return 0, nil, false, err
	}
	answer, err := http.ReadResponse(c.answer, nil)
	if err != nil {
		return 0, nil, false, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err = io.ReadAll(answer.Body)
	return answer.StatusCode, body, answer.Close, err
}
