package webhooks_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

// patience bounds every wait for something that has to happen. The machine may
// be busy; nothing that succeeds ever waits this long.
const patience = time.Minute

// world is an organization with a published assessment, on a store of its own
// that permits receivers on this machine. Its clock stands until a test sets it forward.
type world struct {
	t            testing.TB
	store        *store.Store
	clock        *storetest.Clock
	database     string // its URL
	scope        store.Scope
	assessmentID string
}

// onEach runs test in a world on each kind of database, in parallel with other tests
// that use it.
func onEach(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) { test(t, newWorld(t, database)) })
}

var invited atomic.Int64

func newWorld(t testing.TB, database string) *world {
	t.Helper()
	return newWorldAt(t, database, 0)
}

// newWorldAt is a world that begins some time from the present, mostly before it.
func newWorldAt(t testing.TB, database string, fromNow time.Duration) *world {
	t.Helper()
	w := &world{t: t, clock: storetest.NewClock(), database: storetest.URL(t, database)}
	w.clock.Advance(fromNow)
	w.store = w.open(w.clock.Now)
	in, err := w.store.Register(t.Context(), store.Scope{}, store.Registration{
		OrganizationName: "Analytical Engines", Name: "Ada Lovelace",
		Email: fmt.Sprintf("owner%d@example.com", invited.Add(1)), Password: "a long and good pass phrase",
	})
	w.must(err)
	w.scope, err = w.store.UnscopedLogin(t.Context(), in.Login.ID)
	w.must(err)
	w.assessmentID = w.publish()
	return w
}

// open opens one more store on the world's database, like another process.
func (w *world) open(now func() time.Time) *store.Store {
	w.t.Helper()
	keys, err := store.NewKeys(storetest.Secret)
	w.must(err)
	s, err := store.Open(context.Background(), store.Options{
		DatabaseURL: w.database, Keys: keys, BaseURL: "https://assay.test", Now: now,
		AllowInsecureWebhooks: true, Passwords: store.PasswordCost{MemoryKiB: 64, Passes: 1},
	})
	w.must(err)
	w.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			w.t.Error(err)
		}
	})
	w.must(s.Migrate(context.Background()))
	return s
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func ptr[T any](v T) *T { return &v }

// publish makes and publishes an assessment of one question, which emits assessment.published.
func (w *world) publish() string {
	w.t.Helper()
	created, err := w.store.CreateAssessment(w.t.Context(), w.scope, store.NewAssessment{
		Title: "Arithmetic", Definition: store.Definition{Stages: []store.Stage{{Title: "Sums", Questions: []store.Question{{
			Type: store.Numeric, Prompt: "1 + 1", Points: 2, Answer: ptr(2.0),
		}}}}},
	})
	w.must(err)
	_, err = w.store.PublishAssessment(w.t.Context(), w.scope, created.ID)
	w.must(err)
	return created.ID
}

// endpoint registers an address for candidate.invited; without a secret one is made.
func (w *world) endpoint(url string, secret ...string) (store.WebhookEndpoint, string) {
	w.t.Helper()
	in := store.NewWebhook{URL: url, Events: []string{string(store.EventCandidateInvited)}}
	if len(secret) > 0 {
		in.Secret = &secret[0]
	}
	endpoint, err := w.store.CreateWebhook(w.t.Context(), w.scope, in)
	w.must(err)
	return endpoint.WebhookEndpoint, endpoint.ShownSecret
}

// invite invites a candidate of its own, and returns the event of that.
func (w *world) invite(change ...func(*store.Invite)) store.Event {
	w.t.Helper()
	in := store.Invite{
		AssessmentID: w.assessmentID, CandidateName: "Grace Hopper", OnExisting: store.NewAttempt,
		CandidateEmail: fmt.Sprintf("candidate%d@example.com", invited.Add(1)),
	}
	for _, f := range change {
		f(&in)
	}
	_, err := w.store.CreateCandidateSession(w.t.Context(), w.scope, in)
	w.must(err)
	events, _, err := w.store.ListEvents(w.t.Context(), w.scope, store.EventFilter{}, store.Page{Limit: 1})
	w.must(err)
	return events[0]
}

// deliveries are all of an endpoint's, newest first.
func (w *world) deliveries(webhookID string) []store.Delivery {
	w.t.Helper()
	var all []store.Delivery
	for page := (store.Page{Limit: 100}); ; page.After = all[len(all)-1].ID {
		part, more, err := w.store.ListDeliveries(w.t.Context(), w.scope, webhookID, store.DeliveryFilter{}, page)
		w.must(err)
		if all = append(all, part...); !more {
			return all
		}
	}
}

// detail is a delivery with its attempts.
func (w *world) detail(d store.Delivery) store.DeliveryDetail {
	w.t.Helper()
	detail, err := w.store.RetrieveDelivery(w.t.Context(), w.scope, d.WebhookID, d.ID)
	w.must(err)
	return detail
}

// settled waits until the endpoint's newest delivery is over, or has made so many attempts.
func (w *world) settled(webhookID string, attempts int) store.DeliveryDetail {
	w.t.Helper()
	var newest store.Delivery
	eventually(w.t, func() bool {
		all := w.deliveries(webhookID)
		if len(all) == 0 {
			return false
		}
		newest = all[0]
		return newest.Status != store.DeliveryPending || newest.AttemptCount >= attempts
	})
	return w.detail(newest)
}

// retrieve reads an endpoint.
func (w *world) retrieve(webhookID string) store.WebhookEndpoint {
	w.t.Helper()
	endpoint, err := w.store.RetrieveWebhook(w.t.Context(), w.scope, webhookID)
	w.must(err)
	return endpoint
}

// advanceTo sets the clock forward to the time.
func (w *world) advanceTo(at time.Time) { w.clock.Advance(at.Sub(w.clock.Now())) }

// dispatch runs a dispatcher until the test ends.
func (w *world) dispatch(change ...func(*webhooks.Options)) {
	w.t.Helper()
	opts := webhooks.Options{Store: w.store, Now: w.clock.Now, Version: "1.2.3", AllowInsecure: true}
	for _, f := range change {
		f(&opts)
	}
	d, err := webhooks.New(opts)
	w.must(err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	w.t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			w.t.Error(err)
		}
	})
}

// raw is the world's database itself, for what no method of the store does.
func (w *world) raw() *sql.DB {
	w.t.Helper()
	driver, source := "postgres", w.database
	if file, lite := strings.CutPrefix(w.database, "sqlite:"); lite {
		driver, source = "sqlite", "file:"+file+"?_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(driver, source)
	w.must(err)
	w.t.Cleanup(func() { _ = db.Close() })
	return db
}

// exec runs a statement on the database itself.
func (w *world) exec(db *sql.DB, statement string) {
	w.t.Helper()
	_, err := db.ExecContext(w.t.Context(), statement)
	w.must(err)
}

// count is the number that a query on the database itself yields.
func (w *world) count(db *sql.DB, query string) (n int) {
	w.t.Helper()
	w.must(db.QueryRowContext(w.t.Context(), query).Scan(&n))
	return n
}

// refused reports whether the error is the store's refusal of that code.
func refused(err error, code string) bool {
	var refusal *store.Error
	return errors.As(err, &refusal) && refusal.Code == code
}

// eventually polls until the condition holds.
func eventually(t testing.TB, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("did not come true within %s", patience)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// received is one request as it arrived.
type received struct {
	path   string
	header http.Header
	body   []byte
	at     time.Time // on the world's clock
}

// answering is what a receiver does with its n-th request, counted from 1.
type answering func(n int, w http.ResponseWriter, r *http.Request)

func status(code int) answering {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// receiver records what arrives before it answers.
type receiver struct {
	*httptest.Server
	w      *world
	answer answering
	queue  chan received // in the order of arrival

	mu  sync.Mutex
	all []received
}

func (w *world) receiver(answer answering) *receiver {
	w.t.Helper()
	r := w.unstarted(answer)
	r.Start()
	return r
}

// unstarted is a receiver to be given a certificate first.
func (w *world) unstarted(answer answering) *receiver {
	r := &receiver{w: w, answer: answer, queue: make(chan received, 10_000)}
	r.Server = httptest.NewUnstartedServer(r)
	r.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // failed handshakes are what some tests are about
	w.t.Cleanup(r.Close)
	return r
}

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return // the sender gave up: no request
	}
	got := received{path: request.URL.Path, header: request.Header.Clone(), body: body, at: r.w.clock.Now()}
	r.mu.Lock()
	r.all = append(r.all, got)
	n := len(r.all)
	r.mu.Unlock()
	r.queue <- got
	r.answer(n, w, request)
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

// requests are all that have arrived.
func (r *receiver) requests() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.all...)
}

// certificate is a self-signed one for the names and addresses, and the pool that trusts it.
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
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(made)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// nowhere is a resolver whose name server knows no name.
func nowhere(t testing.TB) *net.Resolver {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	go func() {
		packet := make([]byte, 4096)
		for {
			n, from, err := socket.ReadFrom(packet)
			if err != nil {
				return
			}
			packet[2] |= 0x80 // it is an answer (RFC 1035, section 4.1.1)
			packet[3] = 0x83  // recursion available, NXDOMAIN
			_, _ = socket.WriteTo(packet[:n], from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", socket.LocalAddr().String())
	}}
}
