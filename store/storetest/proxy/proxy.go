// Package proxy is a TCP proxy for PostgreSQL, for tests and measurements. It can cut
// connections, stop passing data, and connect to another server.
package proxy

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"sync"
)

// Proxy forwards connections to a database.
type Proxy struct {
	listener net.Listener
	url      *url.URL
	ended    sync.WaitGroup

	mu      sync.Mutex
	target  *url.URL // where new connections go
	links   map[*link]bool
	silence chan struct{} // nil while data passes; closed at the end of a silence
	cutting bool          // cut the next connection that receives an answer
	sent    []byte        // the result of Sent
}

// link is a connection of a client and the connection to the server that belongs to it.
type link struct{ client, server net.Conn }

func (l *link) close() { _ = errors.Join(l.client.Close(), l.server.Close()) }

// New starts a proxy for the database on a loopback address.
func New(ctx context.Context, databaseURL string) (*Proxy, error) {
	target, err := url.Parse(databaseURL)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: listener, target: target, links: map[*link]bool{}}
	through := *target
	through.Host = listener.Addr().String()
	query := through.Query()
	query.Del("host")
	query.Del("port")
	through.RawQuery = query.Encode()
	p.url = &through
	p.ended.Go(p.accept)
	return p, nil
}

// URL is the URL of the database through the proxy.
func (p *Proxy) URL() string { return p.url.String() }

// PointTo makes new connections go to another database. Existing connections stay.
func (p *Proxy) PointTo(databaseURL string) error {
	target, err := url.Parse(databaseURL)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
	return nil
}

// Silence stops passing data in both directions, or continues.
func (p *Proxy) Silence(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.silence != nil {
		close(p.silence)
		p.silence = nil
	}
	if on {
		p.silence = make(chan struct{})
	}
}

// Cut closes all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.close()
	}
}

// CutAtAnswer makes the proxy drop the next answer of the server and close its
// connection.
func (p *Proxy) CutAtAnswer() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cutting = true
}

// Close stops the proxy and closes all connections.
func (p *Proxy) Close() error {
	err := p.listener.Close()
	p.Silence(false)
	p.Cut()
	p.ended.Wait()
	return err
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.ended.Go(func() { p.connect(client) })
	}
}

func (p *Proxy) connect(client net.Conn) {
	p.await()
	p.mu.Lock()
	target := p.target
	p.mu.Unlock()
	server, err := dial(target)
	if err != nil {
		_ = client.Close()
		return
	}
	l := &link{client, server}
	p.mu.Lock()
	p.links[l] = true
	p.mu.Unlock()
	p.ended.Go(func() {
		p.pass(client, server, (&recorder{proxy: p}).record)
		l.close()
	})
	p.pass(server, client, nil)
	l.close()
	p.mu.Lock()
	delete(p.links, l)
	p.mu.Unlock()
}

// dial connects to the host and port of a URL. The host can be the folder of a Unix
// socket.
func dial(target *url.URL) (net.Conn, error) {
	host, port := target.Hostname(), target.Port()
	if host == "" {
		host, port = target.Query().Get("host"), target.Query().Get("port")
	}
	if port == "" {
		port = "5432"
	}
	network, addr := "tcp", net.JoinHostPort(host, port)
	if strings.HasPrefix(host, "/") {
		network, addr = "unix", host+"/.s.PGSQL."+port
	}
	return (&net.Dialer{}).DialContext(context.Background(), network, addr)
}

// pass copies data from one connection to the other until one of them closes. note
// receives the data of a client. It is nil for the answers of the server.
func (p *Proxy) pass(from, to net.Conn, note func(data []byte)) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.await()
		if err != nil || note == nil && p.takeCut() {
			return
		}
		if note != nil {
			note(buffer[:n])
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// takeCut reports whether an answer is to be dropped, which happens once.
func (p *Proxy) takeCut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	cut := p.cutting
	p.cutting = false
	return cut
}

// await waits until a silence ends.
func (p *Proxy) await() {
	p.mu.Lock()
	silence := p.silence
	p.mu.Unlock()
	if silence != nil {
		<-silence
	}
}
