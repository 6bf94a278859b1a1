package storetest

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// Proxy stands between stores and their PostgreSQL: it notes what they send,
// and can be cut.
type Proxy struct {
	// URL is of the same database by way of the proxy.
	URL string

	upstream string // address; a path is a Unix socket's
	listener net.Listener

	mu    sync.Mutex
	sent  []byte // the types of the messages that clients sent
	conns map[net.Conn]bool
	cut   bool
}

// NewProxy makes a proxy before a database that URL made. It is gone after the test.
func NewProxy(t testing.TB, databaseURL string) *Proxy {
	t.Helper()
	parsed, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{upstream: parsed.Host, conns: map[net.Conn]bool{}}
	query := parsed.Query()
	if dir := query.Get("host"); strings.HasPrefix(dir, "/") {
		p.upstream = dir + "/.s.PGSQL.5432"
	}
	if p.listener, err = (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	query.Del("host")
	query.Set("sslmode", "disable") // or its messages could not be read
	parsed.Host, parsed.RawQuery = p.listener.Addr().String(), query.Encode()
	p.URL = parsed.String()
	go p.accept()
	t.Cleanup(func() {
		_ = p.listener.Close()
		p.Cut()
	})
	return p
}

// Sent returns the types of the messages that clients sent since the last call,
// in their order (PostgreSQL's documentation, "Message Formats").
func (p *Proxy) Sent() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent := string(p.sent)
	p.sent = nil
	return sent
}

// Cut ends every connection, and lets none in.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for conn := range p.conns {
		_ = conn.Close()
	}
}

// Mend lets connections in again.
func (p *Proxy) Mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = false
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		network := "tcp"
		if strings.HasPrefix(p.upstream, "/") {
			network = "unix"
		}
		server, err := (&net.Dialer{}).DialContext(context.Background(), network, p.upstream)
		if err != nil || !p.take(client, server) {
			_ = client.Close()
			continue
		}
		go p.forward(client, server)
		go func() {
			_, _ = io.Copy(client, server)
			p.drop(client, server)
		}()
	}
}

func (p *Proxy) take(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		if p.cut {
			_ = conn.Close()
		} else {
			p.conns[conn] = true
		}
	}
	return !p.cut
}

func (p *Proxy) drop(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		_ = conn.Close()
		delete(p.conns, conn)
	}
}

// forward hands a client's messages on, each with its type noted; the first has none.
func (p *Proxy) forward(client, server net.Conn) {
	defer p.drop(client, server)
	from := bufio.NewReader(client)
	for head := 4; ; head = 5 {
		length, err := from.Peek(head)
		if err != nil {
			return
		}
		if head == 5 {
			p.mu.Lock()
			p.sent = append(p.sent, length[0])
			p.mu.Unlock()
		}
		size := int64(head-4) + int64(binary.BigEndian.Uint32(length[head-4:]))
		if _, err := io.CopyN(server, from, size); err != nil {
			return
		}
	}
}
