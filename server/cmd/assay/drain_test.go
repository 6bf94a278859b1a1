package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// rawClient is one connection. The test decides when each byte is sent.
type rawClient struct {
	t      *testing.T
	conn   net.Conn
	reader *bufio.Reader
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

// receive reads a response and reports whether it has `Connection: close`.
func (c rawClient) receive() (status int, closes bool) {
	c.t.Helper()
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		c.t.Error(err)
		return 0, false
	}
	defer func() { _ = response.Body.Close() }()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		c.t.Error(err)
	}
	return response.StatusCode, response.Close
}

const healthRequest = "GET /healthz HTTP/1.1\r\nHost: assay\r\n\r\n"

// After SIGTERM the service answers a request that is half sent, a request on a
// kept connection, and the first request of a connection that was accepted
// before the listener closed.
func TestDrainAnswersAcceptedConnections(t *testing.T) {
	t.Parallel()
	p := start(t, nil, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off", "--database-url", "sqlite::memory:")
	base := p.printed(`listens on (\S+)`)
	addr := strings.TrimPrefix(base, "http://")
	poll(t, "readiness", func() bool { return get(t, base+"/readyz").status == 200 })
	kept, half := dialRaw(t, addr), dialRaw(t, addr)
	kept.send(healthRequest)
	if status, closes := kept.receive(); status != 200 || closes {
		t.Errorf("before the drain: %d, closes: %t", status, closes)
	}
	half.send("POST /v1/auth/login HTTP/1.1\r\nHost: assay\r\n" +
		"Content-Type: application/json\r\nContent-Length: 25\r\n\r\n{\"email\":")

	p.signal()
	poll(t, "readiness off", func() bool { return get(t, base+"/readyz").status == 503 })
	kept.send(healthRequest)
	if status, closes := kept.receive(); status != 200 || !closes {
		t.Errorf("on a kept connection: %d, closes: %t", status, closes)
	}

	silent := dialRaw(t, addr)
	poll(t, "refused connections", func() bool {
		conn, err := net.DialTimeout("tcp", addr, patience)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	silent.send(healthRequest)
	half.send("\"a@b.example\"  }")
	if status, closes := silent.receive(); status != 200 || !closes {
		t.Errorf("on a connection that was accepted before: %d, closes: %t", status, closes)
	}
	if status, closes := half.receive(); status != 400 || !closes {
		t.Errorf("a request begun before: %d, closes: %t", status, closes)
	}
	if status := p.wait(); !status.Exited() || status.ExitStatus() != 0 {
		t.Errorf("it ended with %d", status)
	}
}

// A connection in the listener's queue is accepted before the listener closes.
func TestDrainAcceptsQueuedConnections(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	s := newPublicServer(listener, &http.Server{Handler: http.NotFoundHandler()})
	var queued []rawClient
	for range 50 { // the server does not accept yet
		client := dialRaw(t, addr)
		client.send(healthRequest)
		queued = append(queued, client)
	}

	drained, served := make(chan error, 1), make(chan error, 1)
	s.listener.drain()
	go func() { served <- s.serve() }()
	go func() { drained <- s.drain(t.Context()) }()
	for i, client := range queued {
		if status, _ := client.receive(); status != http.StatusNotFound {
			t.Errorf("queued connection %d: %d", i, status)
		}
	}
	if err := <-served; err != nil {
		t.Errorf("serve: %v", err)
	}
	if err := <-drained; err != nil {
		t.Errorf("drain: %v", err)
	}
	if conn, err := net.Dial("tcp", addr); err == nil {
		_ = conn.Close()
		t.Error("the drained server accepts a connection")
	}
}

// A second signal ends the drain.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	p := start(t, nil, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off", "--database-url", "sqlite::memory:")
	base := p.printed(`listens on (\S+)`)
	poll(t, "readiness", func() bool { return get(t, base+"/readyz").status == 200 })
	p.signal()
	poll(t, "the drain", func() bool { return get(t, base+"/readyz").status == 503 })
	p.signal()
	if status := p.wait(); !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with %d, not by the second signal", status)
	}
}
