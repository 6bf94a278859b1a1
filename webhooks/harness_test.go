package webhooks_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
	"assay/store/rules"
	"assay/store/storetest"
	"assay/webhooks"
)

// patience limits every wait for something that must happen. The machine may be
// busy; a test that passes never waits this long.
const patience = time.Minute

// openStore opens a store that permits endpoints on this machine. Two stores on
// one URL behave like two processes.
func openStore(t testing.TB, databaseURL string, now func() time.Time) *store.Store {
	t.Helper()
	return storetest.OpenURL(t, databaseURL, now, func(o *store.Options) { o.AllowInsecureWebhooks = true })
}

// organization is an organization with a published assessment, in which tests
// make events.
type organization struct {
	t            testing.TB
	store        *store.Store
	scope        store.Scope
	assessmentID string
}

func newOrganization(t testing.TB, s *store.Store) *organization {
	t.Helper()
	o := &organization{t: t, store: s}
	in, err := s.Register(t.Context(), store.Scope{}, store.Registration{
		OrganizationName: "Analytical Engines", Name: "Ada Lovelace",
		Email: rand.Text() + "@example.com", Password: "a long and good pass phrase",
	})
	o.must(err)
	o.scope, err = s.UnscopedLogin(t.Context(), store.Origin{}, in.Login.ID)
	o.must(err)
	o.assessmentID = o.publish()
	return o
}

func (o *organization) must(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

func ptr[T any](v T) *T { return &v }

// publish publishes an assessment of one question, which emits assessment.published.
func (o *organization) publish() string {
	o.t.Helper()
	question := rules.Question{Type: rules.Numeric, Prompt: "1 + 1", Points: 2, Answer: ptr(2.0)}
	created, err := o.store.CreateAssessment(o.t.Context(), o.scope, store.NewAssessment{
		Title:      "Arithmetic",
		Definition: rules.Definition{Stages: []rules.Stage{{Title: "Sums", Questions: []rules.Question{question}}}},
	})
	o.must(err)
	_, err = o.store.PublishAssessment(o.t.Context(), o.scope, created.ID)
	o.must(err)
	return created.ID
}

// endpoint registers a URL for candidate.invited and returns the secret, which
// is generated unless one is given.
func (o *organization) endpoint(url string, secret ...string) (store.WebhookEndpoint, string) {
	o.t.Helper()
	in := store.NewWebhook{URL: url, Events: []string{string(store.EventCandidateInvited)}}
	if len(secret) > 0 {
		in.Secret = &secret[0]
	}
	created, err := o.store.CreateWebhook(o.t.Context(), o.scope, in)
	o.must(err)
	return created.WebhookEndpoint, created.ShownSecret
}

// endpointID registers a URL for candidate.invited.
func (o *organization) endpointID(url string) string {
	o.t.Helper()
	endpoint, _ := o.endpoint(url)
	return endpoint.ID
}

// newInvite returns an invite of a candidate with a unique address.
func (o *organization) newInvite() store.Invite {
	return store.Invite{
		AssessmentID: o.assessmentID, CandidateName: "Grace Hopper", OnExisting: store.NewAttempt,
		CandidateEmail: rand.Text() + "@example.com",
	}
}

// invite invites a candidate and returns the event.
func (o *organization) invite(change ...func(*store.Invite)) store.Event {
	o.t.Helper()
	in := o.newInvite()
	for _, f := range change {
		f(&in)
	}
	_, err := o.store.CreateCandidateSession(o.t.Context(), o.scope, in)
	o.must(err)
	events, _, err := o.store.ListEvents(o.t.Context(), o.scope, store.EventFilter{}, store.Page{Limit: 1})
	o.must(err)
	return events[0]
}

// emit makes n events. Each is queued for every endpoint.
func (o *organization) emit(n int) {
	o.t.Helper()
	for range n {
		o.must(o.tryEmit())
	}
}

func (o *organization) tryEmit() error {
	_, err := o.store.CreateCandidateSession(o.t.Context(), o.scope, o.newInvite())
	return err
}

// replay queues all events again for one endpoint, which is faster than making
// new ones.
func (o *organization) replay(webhookID string) {
	o.t.Helper()
	now := o.store.Now()
	_, err := o.store.ReplayWebhook(o.t.Context(), o.scope, webhookID, store.Replay{
		Since: now.Add(-24 * time.Hour), Until: now.Add(24 * time.Hour),
	})
	o.must(err)
	o.must(o.store.Queue().QueueReplays(o.t.Context())) // as the service does
}

// deliveries returns all deliveries of an endpoint with the status, or with any
// if status is empty, newest first.
func (o *organization) deliveries(webhookID string, status store.DeliveryStatus) []store.Delivery {
	o.t.Helper()
	filter := store.DeliveryFilter{Status: status}
	var all []store.Delivery
	for page := (store.Page{Limit: 100}); ; page.After = all[len(all)-1].ID {
		part, next, err := o.store.ListDeliveries(o.t.Context(), o.scope, webhookID, filter, page)
		o.must(err)
		if all = append(all, part...); next == "" {
			return all
		}
	}
}

// leased counts the pending deliveries that a dispatcher has claimed.
func (o *organization) leased(webhookID string) (n int) {
	o.t.Helper()
	for _, delivery := range o.deliveries(webhookID, store.DeliveryPending) {
		if delivery.NextAttemptAt == nil {
			n++
		}
	}
	return n
}

// detail returns a delivery with its attempts.
func (o *organization) detail(d store.Delivery) store.DeliveryDetail {
	o.t.Helper()
	return o.detailOf(d.WebhookID, d.ID)
}

func (o *organization) detailOf(webhookID, id string) store.DeliveryDetail {
	o.t.Helper()
	detail, err := o.store.RetrieveDelivery(o.t.Context(), o.scope, webhookID, id)
	o.must(err)
	return detail
}

// settled waits until the endpoint's newest delivery is finished or has made
// that many attempts.
func (o *organization) settled(webhookID string, attempts int) store.DeliveryDetail {
	o.t.Helper()
	return o.settledWithin(webhookID, attempts, patience)
}

func (o *organization) settledWithin(webhookID string, attempts int, within time.Duration) store.DeliveryDetail {
	o.t.Helper()
	var newest store.Delivery
	waitFor(o.t, "attempt", within, func() bool {
		page := store.Page{Limit: 1}
		found, _, err := o.store.ListDeliveries(o.t.Context(), o.scope, webhookID, store.DeliveryFilter{}, page)
		o.must(err)
		if len(found) == 0 {
			return false
		}
		newest = found[0]
		return newest.Status != store.DeliveryPending || newest.AttemptCount >= attempts
	})
	return o.detail(newest)
}

// lastAttempt waits for an attempt of the endpoint's newest delivery and
// returns the last one.
func (o *organization) lastAttempt(webhookID string, within time.Duration) store.Attempt {
	o.t.Helper()
	attempts := o.settledWithin(webhookID, 1, within).Attempts
	return attempts[len(attempts)-1]
}

// attempted reports whether every delivery of the endpoint has made that many
// attempts. Until then the clock must not advance, since that ends leases.
func (o *organization) attempted(webhookID string, attempts int) bool {
	o.t.Helper()
	for _, delivery := range o.deliveries(webhookID, "") {
		if delivery.AttemptCount < attempts {
			return false
		}
	}
	return true
}

// retrieve returns an endpoint.
func (o *organization) retrieve(webhookID string) store.WebhookEndpoint {
	o.t.Helper()
	endpoint, err := o.store.RetrieveWebhook(o.t.Context(), o.scope, webhookID)
	o.must(err)
	return endpoint
}

// pending returns the number of deliveries in the queue.
func (o *organization) pending() int64 {
	o.t.Helper()
	backlog, err := o.store.Queue().Backlog(o.t.Context())
	o.must(err)
	return backlog.Pending
}

// world is an organization alone on a database. Its clock stands still until a
// test advances it.
type world struct {
	*organization
	clock    *storetest.Clock
	database string // its URL
}

// onEach runs test in a world on each kind of database, in parallel.
func onEach(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, database string) { test(t, newWorld(t, database)) })
}

func newWorld(t testing.TB, database string) *world {
	t.Helper()
	return newWorldAt(t, database, 0)
}

// newWorldAt returns a world whose clock starts at an offset from the present.
func newWorldAt(t testing.TB, database string, offset time.Duration) *world {
	t.Helper()
	clock, databaseURL := storetest.NewClock(), storetest.URL(t, database)
	clock.Advance(offset)
	return &world{
		organization: newOrganization(t, openStore(t, databaseURL, clock.Now)), clock: clock, database: databaseURL,
	}
}

// advanceTo advances the clock to the time.
func (w *world) advanceTo(at time.Time) { w.clock.Advance(at.Sub(w.clock.Now())) }

// dispatch runs a dispatcher on the world's clock until stop or the end of the
// test, and returns its metrics. It polls so often that a test does not wait
// after it has advanced the clock.
func (w *world) dispatch(change ...func(*webhooks.Options)) (registry *prometheus.Registry, stop func()) {
	w.t.Helper()
	registry = prometheus.NewRegistry()
	opts := webhooks.Options{
		Queue: w.store.Queue(), Now: w.clock.Now, Registry: registry, Version: "1.2.3", AllowInsecure: true,
	}
	for _, f := range change {
		f(&opts)
	}
	dispatcher, err := webhooks.New(opts)
	w.must(err)
	dispatcher.SetIntervals(20 * time.Millisecond)
	return registry, runDispatcher(w.t, dispatcher)
}

// patiently lets receivers take as long as a test does.
func patiently(o *webhooks.Options) { o.Timeout = patience }

// run runs a dispatcher with the intervals of production until stop or the end
// of the test.
func run(t testing.TB, opts webhooks.Options) (stop func()) {
	t.Helper()
	if opts.Now == nil {
		opts.Now = time.Now
	}
	dispatcher, err := webhooks.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return runDispatcher(t, dispatcher)
}

func runDispatcher(t testing.TB, dispatcher *webhooks.Dispatcher) (stop func()) {
	t.Helper()
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

// metric returns a counter of the registry, summed over its labels.
func metric(t testing.TB, registry *prometheus.Registry, name string) (sum float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == name {
			for _, metric := range family.GetMetric() {
				sum += metric.GetCounter().GetValue()
			}
		}
	}
	return sum
}

// raw opens the database itself, for what the store has no method for.
func (w *world) raw() *sql.DB {
	w.t.Helper()
	driver, source := "postgres", w.database
	if file, ok := strings.CutPrefix(w.database, "sqlite:"); ok {
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

// count returns the number that a query on the database itself returns.
func (w *world) count(db *sql.DB, query string) (n int) {
	w.t.Helper()
	w.must(db.QueryRowContext(w.t.Context(), query).Scan(&n))
	return n
}

// refused reports whether the error is the store's refusal with that code.
func refused(err error, code string) bool {
	var refusal *store.Error
	return errors.As(err, &refusal) && refusal.Code == code
}

// eventually waits until the condition holds.
func eventually(t testing.TB, condition func() bool) {
	t.Helper()
	waitFor(t, "change", patience, condition)
}

// waitFor polls until the condition holds.
func waitFor(t testing.TB, what string, within time.Duration, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(within)
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("no %s within %v", what, within)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
