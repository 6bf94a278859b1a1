package webhooks_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// received is one request as it arrived.
type received struct {
	path   string
	header http.Header
	body   []byte
	at     time.Time // on the world's clock
}

// responder responds to the n-th request of a receiver, counted from 1.
type responder func(n int, w http.ResponseWriter, r *http.Request)

func status(code int) responder {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// receiver is an endpoint that records requests before it responds.
type receiver struct {
	*httptest.Server
	w       *world
	respond responder
	queue   chan received // in the order of arrival

	mu  sync.Mutex
	all []received
}

func (w *world) receiver(respond responder) *receiver {
	w.t.Helper()
	r := w.unstarted(respond)
	r.Start()
	return r
}

// unstarted returns a receiver that can still get a certificate.
func (w *world) unstarted(respond responder) *receiver {
	r := &receiver{w: w, respond: respond, queue: make(chan received, 10_000)}
	r.Server = httptest.NewUnstartedServer(r)
	// Some tests cause handshakes to fail, which the server would log.
	r.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	w.t.Cleanup(r.Close)
	return r
}

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return // the sender gave up
	}
	got := received{path: request.URL.Path, header: request.Header.Clone(), body: body, at: r.w.clock.Now()}
	r.mu.Lock()
	r.all = append(r.all, got)
	n := len(r.all)
	r.mu.Unlock()
	r.queue <- got
	r.respond(n, w, request)
}

// next waits for a request.
func (r *receiver) next() received {
	r.w.t.Helper()
	select {
	case got := <-r.queue:
		return got
	case <-time.After(patience):
		r.w.t.Fatal("no request arrived")
		return received{}
	}
}

// requests returns all requests that have arrived.
func (r *receiver) requests() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.all...)
}

// certificate returns a self-signed certificate for the names and addresses,
// and adds it to the pool.
func certificate(t testing.TB, pool *x509.CertPool, hosts ...string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: hosts[0]},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}

	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// countingReceiver counts the requests of each delivery and keeps nothing else,
// for tests that send many or measure memory.
type countingReceiver struct {
	url  string
	mu   sync.Mutex
	seen map[string]int // by delivery id
}

// newCountingReceiver responds with 200, after before if that is not nil.
func newCountingReceiver(t testing.TB, before func(*http.Request)) *countingReceiver {
	t.Helper()
	r := &countingReceiver{seen: map[string]int{}}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		if before != nil {
			before(request)
		}
		r.mu.Lock()
		r.seen[request.Header.Get("X-Service-Delivery")]++
		r.mu.Unlock()
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// counts returns how many deliveries arrived, and how many of them more than once.
func (r *countingReceiver) counts() (distinct, duplicated int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, times := range r.seen {
		if times > 1 {
			duplicated++
		}
	}
	return len(r.seen), duplicated
}

// wait waits for n deliveries.
func (r *countingReceiver) wait(t testing.TB, n int, within time.Duration) {
	t.Helper()
	deadline := time.Now().Add(within)
	for {
		distinct, _ := r.counts()
		switch {
		case distinct >= n:
			return
		case time.Now().After(deadline):
			t.Fatalf("%d of %d deliveries within %v", distinct, n, within)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// rawListener accepts connections, counts them and passes them to a function.
// Without one the connections stay open and unread until the test ends.
type rawListener struct {
	net.Listener
	accepted atomic.Int64
	mu       sync.Mutex
	open     []net.Conn
}

func listen(t testing.TB, address string, serve func(net.Conn)) (*rawListener, error) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	l := &rawListener{Listener: listener}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			l.accepted.Add(1)
			l.mu.Lock()
			l.open = append(l.open, connection)
			l.mu.Unlock()
			if serve != nil {
				go serve(connection)
			}
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, connection := range l.open {
			_ = connection.Close()
		}
	})
	return l, nil
}

func listenLocal(t testing.TB, serve func(net.Conn)) *rawListener {
	t.Helper()
	l, err := listen(t, "127.0.0.1:0", serve)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *rawListener) url() string { return "http://" + l.Addr().String() }
