package webhooks_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/store/keys"

	"assay/store/rules"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

// What the tests of safety, fairness and leases share.

// safetyStore opens a store that lets endpoints be on this machine. Two of them
// on one URL are two replicas.
func safetyStore(t testing.TB, databaseURL string, now func() time.Time) *store.Store {
	t.Helper()
	keys, err := keys.New(storetest.Secret)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(context.Background(), store.Options{
		DatabaseURL: databaseURL, Keys: keys, BaseURL: "https://assay.test", Now: now,
		Passwords: store.PasswordCost{MemoryKiB: 64, Passes: 1}, AllowInsecureWebhooks: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

// safetyOrg is an organization in which events can be made.
type safetyOrg struct {
	store        *store.Store
	scope        store.Scope
	assessmentID string
	invited      atomic.Int64
}

func newSafetyOrg(t testing.TB, s *store.Store) *safetyOrg {
	t.Helper()
	ctx := context.Background()
	in, err := s.Register(ctx, store.Scope{}, store.Registration{
		OrganizationName: "O", Name: "N", Email: rand.Text() + "@example.com", Password: "abcdefghijkl-x",
	})
	if err != nil {
		t.Fatal(err)
	}
	scope, err := s.UnscopedLogin(ctx, in.Login.ID)
	if err != nil {
		t.Fatal(err)
	}
	two := 2.0
	assessment, err := s.CreateAssessment(ctx, scope, store.NewAssessment{Title: "T", Definition: rules.Definition{Stages: []rules.Stage{{
		Title: "S", Questions: []rules.Question{{Type: rules.Numeric, Prompt: "1+1", Points: 2, Answer: &two}},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.PublishAssessment(ctx, scope, assessment.ID); err != nil {
		t.Fatal(err)
	}
	return &safetyOrg{store: s, scope: scope, assessmentID: assessment.ID}
}

// endpoint registers an endpoint for candidate.invited.
func (o *safetyOrg) endpoint(t testing.TB, url string) string {
	t.Helper()
	endpoint, err := o.store.CreateWebhook(context.Background(), o.scope, store.NewWebhook{
		URL: url, Events: []string{string(store.EventCandidateInvited)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return endpoint.ID
}

// emit makes n events, each of which is queued for every endpoint there is.
func (o *safetyOrg) emit(t testing.TB, n int) {
	t.Helper()
	for range n {
		if _, err := o.tryEmit(); err != nil {
			t.Fatal(err)
		}
	}
}

func (o *safetyOrg) tryEmit() (store.CandidateSession, error) {
	invited, err := o.store.CreateCandidateSession(context.Background(), o.scope, store.Invite{
		AssessmentID: o.assessmentID, CandidateName: "C", OnExisting: store.NewAttempt,
		CandidateEmail: fmt.Sprintf("c%d@example.com", o.invited.Add(1)),
	})
	return invited.Session, err
}

// replay queues every event so far once more for one endpoint: much quicker
// than making new ones.
func (o *safetyOrg) replay(t testing.TB, webhookID string) {
	t.Helper()
	now := o.store.Now()
	if _, err := o.store.ReplayWebhook(context.Background(), o.scope, webhookID, store.Replay{
		Since: now.Add(-24 * time.Hour), Until: now.Add(24 * time.Hour),
	}); err != nil {
		t.Fatal(err)
	}
}

// lastAttempt waits for an attempt of the endpoint's newest delivery and returns the last one.
func (o *safetyOrg) lastAttempt(t testing.TB, webhookID string, within time.Duration) store.Attempt {
	t.Helper()
	var attempt store.Attempt
	safetyWait(t, "an attempt", within, func() bool {
		deliveries, _, err := o.store.ListDeliveries(context.Background(), o.scope, webhookID, store.DeliveryFilter{}, store.Page{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(deliveries) == 0 {
			return false
		}
		detail, err := o.store.RetrieveDelivery(context.Background(), o.scope, webhookID, deliveries[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(detail.Attempts) == 0 {
			return false
		}
		attempt = detail.Attempts[len(detail.Attempts)-1]
		return true
	})
	return attempt
}

// safetyRun runs a dispatcher until stop or the end of the test.
func safetyRun(t testing.TB, opts webhooks.Options) (stop func()) {
	t.Helper()
	if opts.Now == nil {
		opts.Now = time.Now
	}
	dispatcher, err := webhooks.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- dispatcher.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// safetyWait polls until the condition holds.
func safetyWait(t testing.TB, what string, within time.Duration, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(within)
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("no %s within %v", what, within)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// safetyReceiver counts what it is sent, by delivery.
type safetyReceiver struct {
	url   string
	total atomic.Int64
	mu    sync.Mutex
	seen  map[string]int
}

// newSafetyReceiver answers 200, after what before does.
func newSafetyReceiver(t testing.TB, before func(*http.Request)) *safetyReceiver {
	t.Helper()
	r := &safetyReceiver{seen: map[string]int{}}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		if before != nil {
			before(request)
		}
		r.mu.Lock()
		r.seen[request.Header.Get("X-Service-Delivery")]++
		r.mu.Unlock()
		r.total.Add(1)
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// counts returns how many deliveries arrived, and how many of them more than once.
func (r *safetyReceiver) counts() (distinct, doubled int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, times := range r.seen {
		if times > 1 {
			doubled++
		}
	}
	return len(r.seen), doubled
}

func (r *safetyReceiver) wait(t testing.TB, n int, within time.Duration) {
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

// safetyListener accepts and counts; serve may be nil, and then the connections
// stay open, unread, until the test ends.
type safetyListener struct {
	net.Listener
	accepted atomic.Int64
	mu       sync.Mutex
	open     []net.Conn
}

func newSafetyListener(t testing.TB, address string, serve func(net.Conn)) (*safetyListener, error) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	l := &safetyListener{Listener: listener}
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

func mustSafetyListener(t testing.TB, serve func(net.Conn)) *safetyListener {
	t.Helper()
	l, err := newSafetyListener(t, "127.0.0.1:0", serve)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *safetyListener) url() string { return "http://" + l.Addr().String() }
