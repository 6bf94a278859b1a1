package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// rawClient is one connection, on which a request is sent as the test likes.
type rawClient struct {
	t      *testing.T
	conn   net.Conn
	answer *bufio.Reader
}

func dialRaw(t *testing.T, addr string) rawClient {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return rawClient{t, conn, bufio.NewReader(conn)}
}

func (c rawClient) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.conn, text); err != nil {
		c.t.Error(err)
	}
}

// receive reads an answer, and reports whether it asks for a new connection.
func (c rawClient) receive() (status int, closes bool) {
	c.t.Helper()
	answer, err := http.ReadResponse(c.answer, nil)
	if err != nil {
		c.t.Error(err)
		return 0, false
	}
	defer func() { _ = answer.Body.Close() }()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		c.t.Error(err)
	}
	return answer.StatusCode, answer.Close
}

// A SIGTERM drops nothing: neither a request that is half there, nor one on a
// connection that was made before the listener was closed.
func TestDrainAnswersWhatWasAccepted(t *testing.T) {
	t.Parallel()
	p := start(t, nil, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off", "--database-url", "sqlite::memory:")
	base := p.printed(`listens on (\S+)`)
	addr := strings.TrimPrefix(base, "http://")
	poll(t, "readiness", func() bool { return get(t, base+"/readyz").status == 200 })
	kept, half := dialRaw(t, addr), dialRaw(t, addr)
	const healthy = "GET /healthz HTTP/1.1\r\nHost: assay\r\n\r\n"
	kept.send(healthy)
	if status, closes := kept.receive(); status != 200 || closes {
		t.Errorf("before the drain: %d, closes: %t", status, closes)
	}
	half.send("POST /v1/auth/login HTTP/1.1\r\nHost: assay\r\nContent-Type: application/json\r\nContent-Length: 25\r\n\r\n{\"email\":")
	p.signal()
	poll(t, "readiness off", func() bool { return get(t, base+"/readyz").status == 503 })
	kept.send(healthy)
	if status, closes := kept.receive(); status != 200 || !closes {
		t.Errorf("on a kept connection: %d, closes: %t", status, closes)
	}
	silent := dialRaw(t, addr)
	poll(t, "no more connections", func() bool {
		conn, err := net.DialTimeout("tcp", addr, patience)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	half.send("\"a@b.example\"  }")
	if status, closes := half.receive(); status != 400 || !closes {
		t.Errorf("a request begun before: %d, closes: %t", status, closes)
	}
	silent.send(healthy)
	if status, closes := silent.receive(); status != 200 || !closes {
		t.Errorf("on a connection made before: %d, closes: %t", status, closes)
	}
	if status := p.wait(); !status.Exited() || status.ExitStatus() != 0 {
		t.Errorf("it ended with %d", status)
	}
}
