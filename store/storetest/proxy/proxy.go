// Package proxy is a TCP address in front of a PostgreSQL, for tests and for
// measuring: it cuts connections, falls silent, and leads elsewhere.
package proxy

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"sync"
)

// Proxy passes connections on.
type Proxy struct {
	listener net.Listener
	url      *url.URL
	ended    sync.WaitGroup

	mu      sync.Mutex
	target  *url.URL // of new connections
	links   map[*link]bool
	silence chan struct{} // closed when it ends; nil when there is none
	cutting bool          // the next answer is not passed on, and its connection ends
	sent    []byte        // what Sent returns
}

// link is one connection with its other half.
type link struct{ client, server net.Conn }

func (l *link) close() { _ = errors.Join(l.client.Close(), l.server.Close()) }

// New listens on a loopback address, for the database of the URL.
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

// URL is the database through the proxy.
func (p *Proxy) URL() string { return p.url.String() }

// PointTo leads new connections to another database; those that are stay.
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

// Silence holds back all that is said, in both directions, or passes it on again.
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

// Cut ends all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.close()
	}
}

// CutAtAnswer ends the first connection on which the server says something, in
// the place of that.
func (p *Proxy) CutAtAnswer() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cutting = true
}

// Close ends everything.
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
		p.pass(client, server, (&notes{proxy: p}).take)
		l.close()
	})
	p.pass(server, client, nil)
	l.close()
	p.mu.Lock()
	delete(p.links, l)
	p.mu.Unlock()
}

// dial connects to the host and port of a URL, which may be a socket's folder.
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

// pass copies what one side says to the other until either ends. note gets what
// clients say; it is nil for the server's answers.
func (p *Proxy) pass(from, to net.Conn, note func(said []byte)) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.await()
		if err != nil || note == nil && p.isCut() {
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

func (p *Proxy) isCut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	cut := p.cutting
	p.cutting = false
	return cut
}

// await waits out a silence.
func (p *Proxy) await() {
	p.mu.Lock()
	silence := p.silence
	p.mu.Unlock()
	if silence != nil {
		<-silence
	}
}
