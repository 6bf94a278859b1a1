package mail_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	mailer "assay/server/mail"
	"assay/server/mail/mailtest"
	"assay/store"
	"assay/store/storetest"
)

func TestInviteIsSentOnce(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		session := w.invite()
		id := w.column("id")[0] // before a reminder follows
		worker := w.worker(t)
		if !worker.Step(t.Context()) || worker.Step(t.Context()) {
			t.Error("a worker does not send one email, and then none")
		}
		message := w.arrived(1)[0]
		if message.From != sender.Address || !slices.Equal(message.To, []string{session.CandidateEmail}) {
			t.Errorf("from %q to %q", message.From, message.To)
		}
		parsed, err := message.Parse()
		w.must(err)
		for name, want := range map[string]string{
			"From":                  `"Analytical Engines" <no-reply@assay.test>`,
			"To":                    `"Grace Hopper" <` + session.CandidateEmail + `>`,
			"Auto-Submitted":        "auto-generated",
			"Message-Id":            "<" + id + "@assay.test>",
			"Mime-Version":          "1.0",
			"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
			"Date":                  w.clock.Now().Format(time.RFC1123Z),
		} {
			if got := parsed.Header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		stop := parsed.Header.Get("List-Unsubscribe")
		if stop == "" || !strings.Contains(parsed.Text, strings.Trim(stop, "<>")) {
			t.Errorf("List-Unsubscribe is %q, and the text is\n%s", stop, parsed.Text)
		}
		link := w.session(session.ID)
		if !strings.Contains(parsed.Text, "https://assay.test/take") || link.EmailStatus != store.EmailSent {
			t.Errorf("the session says %s, and the text is\n%s", link.EmailStatus, parsed.Text)
		}
	})
}

// A reminder can be ended with one click, by a program that reads the header.
func TestReminderCanBeEnded(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		session := w.invite()
		worker := w.worker(t)
		for worker.Step(t.Context()) { // the invite
		}
		w.clock.Advance(session.ExpiresAt.Sub(w.clock.Now()) - 24*time.Hour)
		for worker.Step(t.Context()) {
		}
		parsed, err := w.arrived(2)[1].Parse()
		w.must(err)
		const prefix = "<https://assay.test/unsubscribe?token=uns_"
		if link := parsed.Header.Get("List-Unsubscribe"); !strings.HasPrefix(link, prefix) {
			t.Errorf("List-Unsubscribe is %q", link)
		}
		if post := parsed.Header.Get("List-Unsubscribe-Post"); post != "List-Unsubscribe=One-Click" {
			t.Errorf("List-Unsubscribe-Post is %q", post)
		}
	})
}

// The connection stays open for the next email, and a server can close it in between.
func TestConnectionIsReused(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{
		StartTLS: true, Names: []string{remoteHost}, User: "assay", Password: "s3cret",
	}, func(t *testing.T, w *world) {
		worker := w.worker(t, func(o *mailer.Options) { o.Sender = w.remote(t, true) })
		w.inviteMany(5)
		for worker.Step(t.Context()) {
		}
		if n := w.server.Connections(); n != 1 || len(w.arrived(5)) != 5 {
			t.Errorf("%d connections", n)
		}
		w.inviteMany(2)
		w.server.Fail(mailtest.Sender, mailtest.Fault{Times: 1}) // closes
		for worker.Step(t.Context()) {
		}
		w.arrived(7)
		if n := w.server.Connections(); n != 2 {
			t.Errorf("%d connections after one was closed", n)
		}
		invites := slices.DeleteFunc(w.column("kind || ' ' || status || ' ' || attempt"), func(email string) bool {
			return strings.HasPrefix(email, "REMINDER")
		})
		if distinct(invites) != 1 || invites[0] != "INVITE SENT 1" {
			t.Errorf("%q: a connection that was closed between two emails counts", invites)
		}
	})
}

// An organization with a long queue does not delay another one's email.
func TestLanesTakeTurns(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		worker := w.worker(t)
		w.inviteMany(1000)
		worker.Step(t.Context())
		other := newOrganization(t, w.store)
		before := len(w.server.Messages())
		w.must(w.store.ForgotPassword(t.Context(), store.Scope{}, other.email))
		w.must(w.store.ForgotPassword(t.Context(), store.Scope{}, w.email)) // the first one's own members wait no longer
		for range 3 {
			worker.Step(t.Context())
		}
		var to []string
		for _, message := range w.server.Messages()[before:] {
			to = append(to, message.To...)
		}
		if !slices.Contains(to, other.email) || !slices.Contains(to, w.email) {
			t.Errorf("after 1,000 invites, the next three emails go to %q", to)
		}
	})
}

// Two workers send each email once.
func TestTwoWorkers(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		const emails = 300
		w.inviteMany(emails)
		first, second := w.worker(t), w.worker(t)
		run(t, first)
		run(t, second)
		waitFor(t, "end of the queue", func() bool { return w.unsent() == 0 })
		messages := w.server.Messages()
		if n := distinct(messageIDs(t, messages)); n != emails || len(messages) != emails {
			t.Errorf("%d emails arrived %d times", n, len(messages))
		}
		if n := w.server.Connections(); n != 2 {
			t.Errorf("%d connections of two workers", n)
		}
	})
}

// A worker sends what another process queues, and what becomes due, without a wake-up.
func TestPolling(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		run(t, w.worker(t))
		session := w.invite()
		w.arrived(1)
		waitFor(t, "reminder", func() bool { return len(w.column("id")) == 2 })
		w.clock.Advance(session.ExpiresAt.Sub(w.clock.Now()) - 24*time.Hour)
		w.arrived(2)
	})
}

// The email in flight is finished and settled when the program ends.
func TestShutdownFinishes(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := newWorld(t, database, mailtest.Options{OnMessage: func(mailtest.Message) { cancel() }})
		first, second := w.invite(), w.invite()
		if err := w.worker(t).Run(ctx); err != nil {
			t.Fatal(err)
		}
		if n := len(w.server.Messages()); n != 1 {
			t.Errorf("%d messages arrived", n)
		}
		if a, b := w.session(first.ID).EmailStatus, w.session(second.ID).EmailStatus; a != "SENT" || b != "QUEUED" {
			t.Errorf("the first email is %s, the second one %s", a, b)
		}
	})
}

// A mail server that hangs delays the end of the program by the grace only. The email is
// sent again, because nobody knows whether it arrived.
func TestShutdownIsBounded(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		session := w.invite()
		w.server.Fail(mailtest.Accepted, mailtest.Fault{Hang: true})
		worker := w.worker(t)
		worker.SetGrace(50 * time.Millisecond)
		stop := run(t, worker)
		w.arrived(1)
		stop()
		w.server.Recover()
		if status := w.session(session.ID).EmailStatus; status != store.EmailQueued {
			t.Errorf("the email is %s", status)
		}
	})
}

// A worker that is killed keeps its email until the lease ends. Then another one sends it,
// as the same message.
func TestKilledWorker(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		session := w.invite()
		killed, err := w.store.UnscopedClaimEmail(t.Context(), "", "killed", w.clock.Now().Add(time.Minute))
		w.must(err)
		worker := w.worker(t)
		if killed == nil || worker.Step(t.Context()) {
			t.Fatal("the email was not claimed once")
		}
		w.clock.Advance(time.Minute + time.Second)
		if !worker.Step(t.Context()) || w.session(session.ID).EmailStatus != store.EmailSent {
			t.Error("the email was not sent after the end of the lease")
		}
		late := store.EmailOutcome{Email: *killed, Status: store.EmailFailed}
		settled, err := w.store.UnscopedSettleEmail(t.Context(), late)
		if settled || err != nil || w.session(session.ID).EmailStatus != store.EmailSent {
			t.Errorf("the killed worker settled: %v %v", settled, err)
		}
	})
}

// An email whose attempts all end without an outcome, because each of them ends the
// process, is not sent for ever.
func TestClaimsAreLimited(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		session := w.invite()
		for range 6 {
			email, err := w.store.UnscopedClaimEmail(t.Context(), "", "killed", w.clock.Now().Add(time.Minute))
			w.must(err)
			if email == nil {
				t.Fatal("there is no email")
			}
			w.clock.Advance(time.Minute + time.Second)
			_, err = w.store.UnscopedReadyEmails(t.Context())
			w.must(err)
		}
		w.worker(t).Step(t.Context())
		if got := w.session(session.ID).EmailStatus; got != store.EmailFailed || len(w.server.Messages()) != 0 {
			t.Errorf("the email is %s", got)
		}
	})
}

// While an email is on its way, its candidate is erased. Nothing about the email remains.
func TestErasureWhileClaimed(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		var w *world
		var session store.CandidateSession
		w = newWorld(t, database, mailtest.Options{OnMessage: func(mailtest.Message) {
			if err := w.store.EraseCandidateData(context.Background(), w.scope, session.ID); err != nil {
				t.Error(err)
			}
		}})
		session = w.invite()
		w.server.Fail(mailtest.Accepted, mailtest.Fault{Code: 550, Text: "no mailbox for " + session.CandidateEmail})
		w.worker(t).Step(t.Context())
		w.arrived(1)
		if n := w.queued(); n != 0 {
			t.Errorf("%d emails are queued", n)
		}
		stored := storetest.Contents(t, w.database, "emails", "candidate_sessions")
		if strings.Contains(stored, session.CandidateEmail) {
			t.Error("the address remains after the erasure")
		}
	})
}

// An email that is no longer needed is not sent.
func TestCancelledInvite(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		session := w.invite()
		_, err := w.store.CancelCandidateSession(t.Context(), w.scope, session.ID)
		w.must(err)
		for w.worker(t).Step(t.Context()) {
		}
		if n := len(w.server.Messages()); n != 0 || w.queued() != 0 {
			t.Errorf("%d emails arrived, %d are queued", n, w.queued())
		}
	})
}

// The database is unavailable when an email has just been accepted. The outcome is written
// when it is back, and the email is not sent again.
func TestDatabaseAwayAfterSending(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		var w *world
		var release func()
		w = newWorld(t, database, mailtest.Options{OnMessage: func(mailtest.Message) {
			release = storetest.RefuseSettling(t, w.database)
		}})
		session := w.invite()
		stop := run(t, w.worker(t))
		w.arrived(1)
		waitFor(t, "failed write", func() bool { return release != nil })
		time.AfterFunc(300*time.Millisecond, func() { release() })
		waitFor(t, "outcome", func() bool { return w.session(session.ID).EmailStatus == store.EmailSent })
		stop()
		if n := len(w.server.Messages()); n != 1 {
			t.Errorf("the email arrived %d times", n)
		}
	})
}

func TestRate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sqlite", mailtest.Options{})
	w.inviteMany(20)
	began := time.Now()
	run(t, w.worker(t, func(o *mailer.Options) { o.Rate = 50 }))
	w.arrived(20)
	if took := time.Since(began); took < 19*time.Second/50 {
		t.Errorf("20 emails took %v at 50 a second", took)
	}
}

func BenchmarkWorker(b *testing.B) {
	for _, database := range storetest.Databases {
		for _, secured := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/tls=%v", database, secured), func(b *testing.B) {
				w := newWorld(b, database, mailtest.Options{StartTLS: secured})
				for n := b.N; n > 0; n -= 2000 {
					w.inviteMany(min(n, 2000))
				}
				worker := w.worker(b)
				b.ResetTimer()
				for range b.N {
					if !worker.Step(b.Context()) {
						b.Fatal("the queue is empty")
					}
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "emails/s")
			})
		}
	}
}
