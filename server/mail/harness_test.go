package mail_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/mail"
	"slices"
	"testing"
	"time"

	mailer "assay/server/mail"
	"assay/server/mail/mailtest"
	"assay/store"
	"assay/store/rules"
	"assay/store/storetest"
)

// patience limits every wait for something that must happen. A test that passes never
// waits this long.
const patience = 20 * time.Second

// world is a database with an organization, and a mail server. Its clock stands still
// until a test advances it.
type world struct {
	*organization
	clock    *storetest.Clock
	database string // its URL
	server   *mailtest.Server
}

// onEach runs test in a world on each kind of database, in parallel.
func onEach(t *testing.T, opts mailtest.Options, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, database string) { test(t, newWorld(t, database, opts)) })
}

func newWorld(t testing.TB, database string, opts mailtest.Options) *world {
	t.Helper()
	w := &world{clock: storetest.NewClock(), database: storetest.URL(t, database), server: start(t, opts)}
	w.organization = newOrganization(t, w.openStore(t))
	return w
}

// openStore opens the world's database, as another process does.
func (w *world) openStore(t testing.TB) *store.Store {
	t.Helper()
	return storetest.OpenURL(t, w.database, w.clock.Now, func(o *store.Options) { o.SendsEmail = true })
}

func start(t testing.TB, opts mailtest.Options) *mailtest.Server {
	t.Helper()
	server, err := mailtest.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return server
}

// organization is an organization with a published assessment.
type organization struct {
	t            testing.TB
	store        *store.Store
	scope        store.Scope
	email        string // of its owner
	assessmentID string
}

func newOrganization(t testing.TB, s *store.Store) *organization {
	t.Helper()
	o := &organization{t: t, store: s, email: rand.Text() + "@example.com"}
	in, err := s.Register(t.Context(), store.Scope{}, store.Registration{
		OrganizationName: "Analytical Engines", Name: "Ada Lovelace", Email: o.email,
		Password: "a long and good pass phrase", Local: true, // so the address counts as confirmed
	})
	o.must(err)
	o.scope, err = s.UnscopedLogin(t.Context(), store.Origin{}, in.Login.ID)
	o.must(err)
	o.publish("Arithmetic")
	return o
}

func (o *organization) must(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

func ptr[T any](v T) *T { return &v }

// publish publishes an assessment. All further invites are for it.
func (o *organization) publish(title string) {
	o.t.Helper()
	question := rules.Question{Type: rules.Numeric, Prompt: "1 + 1", Points: 2, Answer: ptr(2.0)}
	created, err := o.store.CreateAssessment(o.t.Context(), o.scope, store.NewAssessment{
		Title:      title,
		Definition: rules.Definition{Stages: []rules.Stage{{Title: "Sums", Questions: []rules.Question{question}}}},
	})
	o.must(err)
	_, err = o.store.PublishAssessment(o.t.Context(), o.scope, created.ID)
	o.must(err)
	o.assessmentID = created.ID
}

// invite invites a candidate by email and returns the session.
func (o *organization) invite(change ...func(*store.Invite)) store.CandidateSession {
	o.t.Helper()
	in := o.newInvite()
	for _, f := range change {
		f(&in)
	}
	invited, err := o.store.CreateCandidateSession(o.t.Context(), o.scope, in)
	o.must(err)
	return invited.Session
}

func (o *organization) newInvite() store.Invite {
	return store.Invite{
		AssessmentID: o.assessmentID, CandidateName: "Grace Hopper", CandidateEmail: rand.Text() + "@example.com",
		OnExisting: store.NewAttempt, SendEmail: ptr(true),
	}
}

// inviteMany invites n candidates by email.
func (o *organization) inviteMany(n int) {
	o.t.Helper()
	const most = 500 // rows of a request
	for n > 0 {
		var in store.BulkInvite
		for range min(n, most) {
			in.Invites = append(in.Invites, ptr(o.newInvite()))
		}
		n -= len(in.Invites)
		rows, err := o.store.BulkCreateCandidateSessions(o.t.Context(), o.scope, in)
		o.must(err)
		for _, row := range rows {
			if row.Session == nil {
				o.t.Fatalf("a row was refused: %+v", row)
			}
		}
	}
}

// session returns the present state of a session.
func (o *organization) session(id string) store.CandidateSession {
	o.t.Helper()
	session, err := o.store.RetrieveCandidateSession(o.t.Context(), o.scope, id)
	o.must(err)
	return session
}

var sender = mail.Address{Name: "Assay", Address: "no-reply@assay.test"}

// client is a client of the world's mail server, at a name that is not of this machine, so
// that TLS is required.
func (w *world) remote(t testing.TB, trusted bool) *mailer.Client {
	t.Helper()
	server, err := mailer.ParseServer(w.server.URL(), "")
	w.must(err)
	server.Host = remoteHost
	opts := mailer.ClientOptions{Server: server, Dial: w.dial}
	if trusted {
		opts.Roots = w.server.Roots()
	}
	client := mailer.NewClient(opts)
	t.Cleanup(client.Close)
	return client
}

const remoteHost = "mail.example.test"

func (w *world) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, network, w.server.Addr())
}

// client is a client of the world's mail server, on this machine.
func (w *world) client(t testing.TB) *mailer.Client {
	t.Helper()
	server, err := mailer.ParseServer(w.server.URL(), "")
	w.must(err)
	client := mailer.NewClient(mailer.ClientOptions{Server: server, Roots: w.server.Roots()})
	t.Cleanup(client.Close)
	return client
}

// worker is a worker on a store of its own.
func (w *world) worker(t testing.TB, change ...func(*mailer.Options)) *mailer.Worker {
	t.Helper()
	opts := mailer.Options{
		Store: w.openStore(t), Sender: w.client(t), From: sender, Rate: 1e6,
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	for _, f := range change {
		f(&opts)
	}
	worker, err := mailer.New(opts)
	w.must(err)
	worker.SetTimes(5*time.Millisecond, time.Millisecond)
	return worker
}

// run runs a worker until the test ends or stop is called.
func run(t testing.TB, worker *mailer.Worker) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = worker.Run(ctx)
	}()
	stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return stop
}

// arrived waits for n messages.
func (w *world) arrived(n int) []mailtest.Message {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	messages, err := w.server.Wait(ctx, n)
	w.must(err)
	return messages
}

// waitFor waits until something has happened.
func waitFor(t testing.TB, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !happened(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, patience)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// column returns a column of the table of emails.
func (w *world) column(name string) []string {
	w.t.Helper()
	return storetest.Column(w.t, w.database, "emails", name)
}

// queued is the number of emails that are queued.
func (w *world) queued() int { return w.count("status", "QUEUED") }

// unsent is the number of invites that are queued.
func (w *world) unsent() int { return w.count("kind || ' ' || status", "INVITE QUEUED") }

// count is the number of emails with a value in a column.
func (w *world) count(column, value string) int {
	w.t.Helper()
	n := 0
	for _, found := range w.column(column) {
		if found == value {
			n++
		}
	}
	return n
}

func messageIDs(t testing.TB, messages []mailtest.Message) []string {
	t.Helper()
	ids := make([]string, len(messages))
	for i, message := range messages {
		parsed, err := message.Parse()
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = parsed.Header.Get("Message-ID")
	}
	return ids
}

func distinct(values []string) int {
	values = slices.Clone(values)
	slices.Sort(values)
	return len(slices.Compact(values))
}
