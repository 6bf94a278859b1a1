package mail_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	mailer "assay/server/mail"
	"assay/server/mail/mailtest"
	"assay/store"
)

const (
	unreachable = "The mail server could not be reached."
	unusable    = "The mail server cannot be used at present."
)

// fault shortens the table.
type fault = mailtest.Fault

// A failure that is about the email is final if the server says so. All others are tried
// again, because they are the operator's fault.
func TestFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stage  mailtest.Stage
		fault  fault
		status store.EmailStatus
		public string
	}{
		"greeting 4xx":     {mailtest.Greeting, fault{Code: 421, Text: "busy"}, store.EmailQueued, unusable},
		"greeting 5xx":     {mailtest.Greeting, fault{Code: 554, Text: "go away"}, store.EmailQueued, unusable},
		"greeting closes":  {mailtest.Greeting, fault{}, store.EmailQueued, unreachable},
		"greeting hangs":   {mailtest.Greeting, fault{Hang: true}, store.EmailQueued, unreachable},
		"hello 5xx":        {mailtest.Hello, fault{Code: 550, Text: "who?"}, store.EmailQueued, unusable},
		"hello hangs":      {mailtest.Hello, fault{Hang: true}, store.EmailQueued, unreachable},
		"auth 5xx":         {mailtest.Auth, fault{Code: 535, Text: "wrong"}, store.EmailQueued, unusable},
		"auth 4xx":         {mailtest.Auth, fault{Code: 454, Text: "later"}, store.EmailQueued, unusable},
		"auth hangs":       {mailtest.Auth, fault{Hang: true}, store.EmailQueued, unusable},
		"sender 5xx":       {mailtest.Sender, fault{Code: 550, Text: "not you"}, store.EmailQueued, unusable},
		"sender 4xx":       {mailtest.Sender, fault{Code: 451, Text: "later"}, store.EmailQueued, unusable},
		"sender closes":    {mailtest.Sender, fault{}, store.EmailQueued, unreachable},
		"sender hangs":     {mailtest.Sender, fault{Hang: true}, store.EmailQueued, unreachable},
		"recipient 4xx":    {mailtest.Recipient, fault{Code: 450, Text: "full"}, store.EmailQueued, "450 full"},
		"recipient 5xx":    {mailtest.Recipient, fault{Code: 550, Text: "5.1.1 none"}, store.EmailFailed, "550 5.1.1 none"},
		"recipient closes": {mailtest.Recipient, fault{}, store.EmailQueued, unreachable},
		"recipient hangs":  {mailtest.Recipient, fault{Hang: true}, store.EmailQueued, unreachable},
		"body 4xx":         {mailtest.Body, fault{Code: 452, Text: "no space"}, store.EmailQueued, "452 no space"},
		"body 5xx":         {mailtest.Body, fault{Code: 554, Text: "spam\tor\x07so"}, store.EmailFailed, "554 spam or so"},
		"body closes":      {mailtest.Body, fault{}, store.EmailQueued, unreachable},
		"body hangs":       {mailtest.Body, fault{Hang: true}, store.EmailQueued, unreachable},
		"accepted 4xx":     {mailtest.Accepted, fault{Code: 451, Text: "later"}, store.EmailQueued, "451 later"},
		"accepted closes":  {mailtest.Accepted, fault{}, store.EmailQueued, unreachable},
		"accepted hangs":   {mailtest.Accepted, fault{Hang: true}, store.EmailQueued, unreachable},
		"a very long reply": {
			mailtest.Recipient, fault{Code: 550, Text: strings.Repeat("é", 400)}, store.EmailFailed,
			"550 " + strings.Repeat("é", 195) + "…",
		},
		"bytes of no text":   {mailtest.Recipient, fault{Code: 550, Text: "a\xff\xfeb"}, store.EmailFailed, "550 a\ufffdb"},
		"relaying denied":    {mailtest.Recipient, fault{Code: 554, Text: "5.7.1 x"}, store.EmailQueued, "554 5.7.1 x"},
		"no sign-in":         {mailtest.Recipient, fault{Code: 530, Text: "5.7.0 auth"}, store.EmailQueued, "530 5.7.0 auth"},
		"several lines":      {mailtest.Recipient, fault{Code: 550, Text: "one\ntwo"}, store.EmailFailed, "550 one two"},
		"marks of direction": {mailtest.Recipient, fault{Code: 550, Text: "a\u202eb"}, store.EmailFailed, "550 ab"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onEach(t, mailtest.Options{User: "assay", Password: "s3cret"}, func(t *testing.T, w *world) {
				session := w.invite()
				w.server.Fail(test.stage, test.fault)
				worker := w.worker(t, func(o *mailer.Options) {
					if test.fault.Hang {
						o.Timeout = 300 * time.Millisecond
					}
				})
				worker.Step(t.Context())
				got := w.session(session.ID)
				failure := w.column("COALESCE(failure, '')")[0]
				if got.EmailStatus != test.status || failure != test.public {
					t.Errorf("%s %q, want %s %q", got.EmailStatus, failure, test.status, test.public)
				}
				if test.status == store.EmailFailed && (got.EmailFailure == nil || *got.EmailFailure != test.public) {
					t.Errorf("the session says %v", got.EmailFailure)
				}
				if paused := worker.Pause() > 0; paused != (test.public == unreachable || test.public == unusable) {
					t.Errorf("the pause after %q is %v", failure, worker.Pause())
				}

				// The server recovers, and the next email arrives at once.
				w.server.Recover()
				next := w.invite()
				worker.Step(t.Context())
				if status := w.session(next.ID).EmailStatus; status != store.EmailSent {
					t.Errorf("afterwards, the next email is %s", status)
				}
				w.clock.Advance(time.Minute)
				worker.Step(t.Context())
				if want := store.EmailSent; test.status == store.EmailQueued && w.session(session.ID).EmailStatus != want {
					t.Errorf("after a minute, the email is %s", w.session(session.ID).EmailStatus)
				}
				if ids := messageIDs(t, w.server.Messages()); test.stage == mailtest.Accepted && distinct(ids) != 2 {
					t.Errorf("a message that arrives twice has two ids: %q", ids)
				}
			})
		})
	}
}

// An email is tried six times, with the waits of the design.
func TestRetries(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		session := w.invite()
		worker := w.worker(t)
		w.server.Fail(mailtest.Recipient, fault{Code: 451, Text: "greylisted"})
		for attempt, wait := range []time.Duration{
			time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 12 * time.Hour,
		} {
			if !worker.Step(t.Context()) {
				t.Fatalf("attempt %d was not made", attempt+1)
			}
			w.clock.Advance(wait - time.Second)
			if worker.Step(t.Context()) {
				t.Fatalf("attempt %d came early", attempt+2)
			}
			w.clock.Advance(time.Second)
		}
		if status := w.session(session.ID).EmailStatus; status != store.EmailQueued {
			t.Errorf("after five attempts, the email is %s", status)
		}
		worker.Step(t.Context())
		if got := w.session(session.ID); got.EmailStatus != store.EmailFailed || *got.EmailFailure != "451 greylisted" {
			t.Errorf("after six attempts, the email is %s", got.EmailStatus)
		}
	})
}

// Nobody waits for a new password longer than half an hour.
func TestPasswordResetIsNotLate(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		worker := w.worker(t)
		w.must(w.store.ForgotPassword(t.Context(), store.Scope{}, w.email))
		w.server.Fail(mailtest.Recipient, fault{Code: 451, Text: "later"})
		for _, wait := range []time.Duration{0, time.Minute, 5 * time.Minute} {
			w.clock.Advance(wait)
			if !worker.Step(t.Context()) {
				t.Fatal("no attempt was made")
			}
		}
		if status := w.column("status"); !slices.Equal(status, []string{"FAILED"}) { // the next one would be after 36 minutes
			t.Errorf("after three attempts, the email is %s", status)
		}

		w.server.Recover()
		w.clock.Advance(24 * time.Hour)
		w.must(w.store.ForgotPassword(t.Context(), store.Scope{}, w.email))
		w.clock.Advance(31 * time.Minute)
		worker.Step(t.Context())
		if n := len(w.server.Messages()); n != 0 {
			t.Errorf("%d emails arrived after half an hour", n)
		}
	})
}

// A mail server that cannot be reached costs one email an attempt, and then the worker
// waits, longer each time.
func TestPauseGrows(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sqlite", mailtest.Options{})
	w.server.Close()
	w.inviteMany(50)
	worker := w.worker(t)
	worker.SetTimes(time.Millisecond, 40*time.Millisecond)
	stop := run(t, worker)
	waitFor(t, "attempts", func() bool { return w.attempts() >= 3 })
	stop()
	if n := w.attempts(); n > 4 { // after 40, 80, and 160 ms
		t.Errorf("%d attempts", n)
	}
}

// attempts is the number of emails that have been tried.
func (w *world) attempts() (n int) {
	w.t.Helper()
	for _, attempt := range w.column("attempt") {
		if attempt != "0" {
			n++
		}
	}
	return n
}

// The log of the operator has the cause, and neither an address of a person nor a link nor
// the password.
func TestLogHasNoSecrets(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{User: "assay", Password: "s3cret-pass-phrase"}, func(t *testing.T, w *world) {
		var log bytes.Buffer
		worker := w.worker(t, func(o *mailer.Options) { o.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
		session := w.invite()
		for _, stage := range []mailtest.Stage{
			mailtest.Greeting, mailtest.Hello, mailtest.Auth, mailtest.Sender, mailtest.Recipient, mailtest.Body,
		} {
			w.server.Recover()
			w.server.Fail(stage, fault{Code: 451, Text: "no " + session.CandidateEmail})
			if stage < mailtest.Recipient {
				w.server.Fail(stage, fault{Code: 451, Text: "cause"})
			}
			if !worker.Step(t.Context()) {
				t.Fatal("no attempt was made")
			}
			w.clock.Advance(13 * time.Hour)
		}
		text := log.String()
		if strings.Count(text, "cause") < 4 || strings.Count(text, `"code":451`) != 6 {
			t.Errorf("the log does not name the causes:\n%s", text)
		}
		for _, secret := range []string{session.CandidateEmail, "s3cret", "/take", "inv_"} {
			if strings.Contains(text, secret) {
				t.Errorf("the log contains %q:\n%s", secret, text)
			}
		}
	})
}

// A connection that is not safe is not used: neither the password nor the email is sent.
func TestTLS(t *testing.T) {
	t.Parallel()
	const otherHost = "other.example.test"
	for name, test := range map[string]struct {
		server  mailtest.Options
		trusted bool
		sent    bool
	}{
		"STARTTLS":               {mailtest.Options{StartTLS: true, Names: []string{remoteHost}}, true, true},
		"implicit TLS":           {mailtest.Options{ImplicitTLS: true, Names: []string{remoteHost}}, true, true},
		"no STARTTLS":            {mailtest.Options{}, true, false},
		"unknown authority":      {mailtest.Options{StartTLS: true, Names: []string{remoteHost}}, false, false},
		"unknown, implicit":      {mailtest.Options{ImplicitTLS: true, Names: []string{remoteHost}}, false, false},
		"another name":           {mailtest.Options{StartTLS: true, Names: []string{otherHost}}, true, false},
		"another name, implicit": {mailtest.Options{ImplicitTLS: true, Names: []string{otherHost}}, true, false},
		"expired certificate":    {mailtest.Options{StartTLS: true, Names: []string{remoteHost}, Expired: true}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.server.User, test.server.Password = "assay", "s3cret"
			onEach(t, test.server, func(t *testing.T, w *world) {
				session := w.invite()
				worker := w.worker(t, func(o *mailer.Options) { o.Sender = w.remote(t, test.trusted) })
				worker.Step(t.Context())
				messages := w.server.Messages()
				status := w.session(session.ID).EmailStatus
				switch {
				case test.sent && (len(messages) != 1 || !messages[0].TLS || messages[0].User != "assay"):
					t.Errorf("%s, messages %+v", status, messages)
				case !test.sent && (len(messages) != 0 || status != store.EmailQueued):
					t.Errorf("%s, messages %+v", status, messages)
				case !test.sent && w.server.Reached(mailtest.Auth)+w.server.Reached(mailtest.Sender) > 0:
					t.Error("the client signed in, or named the sender")
				}
			})
		})
	}
}

func TestAuthentication(t *testing.T) {
	t.Parallel()
	for name, mechanisms := range map[string][]string{
		"PLAIN": {"PLAIN"}, "LOGIN": {"LOGIN"}, "both": {"LOGIN", "PLAIN"}, "unknown": {"XOAUTH2"}, "none": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "sqlite", mailtest.Options{User: "a user", Password: "p@ss/ w:rd", Mechanisms: mechanisms})
			session := w.invite()
			w.worker(t).Step(t.Context())
			want := store.EmailSent
			if name == "unknown" || name == "none" {
				want = store.EmailQueued
			}
			if got := w.session(session.ID).EmailStatus; got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// An address with characters that the server does not support is final, and says why.
func TestUTF8Addresses(t *testing.T) {
	t.Parallel()
	for _, supported := range []bool{true, false} {
		w := newWorld(t, "sqlite", mailtest.Options{UTF8: supported})
		plain, err := mailer.ParseAddress("", "grace@bücher.example") // only the domain
		w.must(err)
		unicode, err := mailer.ParseAddress("", "gräce@example.com")
		w.must(err)
		client := w.client(t)
		e := mailer.Envelope{ID: "eml_1", From: sender, To: plain, Date: time.Now()}
		w.must(client.Send(t.Context(), e))
		e.To = unicode
		err = client.Send(t.Context(), e)
		var failure *mailer.Failure
		if supported != (err == nil) || !supported && (!errors.As(err, &failure) || !failure.Final) {
			t.Errorf("supported %v: %v", supported, err)
		}
		w.must(client.Send(t.Context(), mailer.Envelope{ID: "eml_2", From: sender, To: plain, Date: time.Now()}))
		for _, message := range w.server.Messages() {
			if ascii := message.To[0] == "grace@xn--bcher-kva.example"; ascii == message.UTF8 {
				t.Errorf("to %q with SMTPUTF8 %v", message.To, message.UTF8)
			}
		}
	}
}

// An international address reaches a server that supports it, as do all other addresses any
// server. Otherwise the failure says why, and the next email is sent.
func TestInternationalInvites(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		address, envelope string
		needsUTF8         bool
	}{
		{"x@bücher.example", "x@xn--bcher-kva.example", false},
		{"x@例子。测试", "x@xn--fsqu00a.xn--0zwm56d", false},
		{"用户@example.com", "用户@example.com", true},
		{"gra\u0308ce@BÜCHER.example", "gräce@xn--bcher-kva.example", true},
		{"उपयोगकर्ता@उदाहरण.example", "उपयोगकर्ता@xn--p1b6ci4b4b3a.example", true},
	} {
		for _, supported := range []bool{true, false} {
			onEach(t, mailtest.Options{UTF8: supported}, func(t *testing.T, w *world) {
				_, err := w.store.UpdateOrganization(t.Context(), w.scope, store.OrganizationChange{
					MailReplyTo: store.Change[string]{Set: true, Value: ptr("返信@例子.example")},
				})
				w.must(err)
				worker := w.worker(t)
				session := w.invite(func(in *store.Invite) { in.CandidateEmail = row.address })
				worker.Step(t.Context())
				w.invite()
				worker.Step(t.Context())

				messages := w.server.Messages()
				if row.needsUTF8 && !supported {
					if got := w.session(session.ID).EmailStatus; got != store.EmailFailed || len(messages) != 1 {
						t.Errorf("%s: %s, %d messages", row.address, got, len(messages))
					}
					if reason := strings.Join(w.column("COALESCE(failure, '')"), ""); !strings.Contains(reason, "SMTPUTF8") {
						t.Errorf("%s: the failure is %q", row.address, reason)
					}
					return
				}
				if len(messages) != 2 || messages[0].To[0] != row.envelope ||
					messages[0].UTF8 != row.needsUTF8 || messages[1].UTF8 {
					t.Fatalf("%s: %d messages: %+v", row.address, len(messages), messages)
				}
				parsed, err := messages[0].Parse()
				w.must(err)
				to, err := parsed.Header.AddressList("To")
				if w.must(err); to[0].Address != row.envelope || parsed.Header.Get("Reply-To") != "" != row.needsUTF8 {
					t.Errorf("%s: to %q, answers to %q", row.address, to[0].Address, parsed.Header.Get("Reply-To"))
				}
			})
		}
	}
}

// A server that does not listen.
func TestConnectionRefused(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	server, err := mailer.ParseServer("smtp://"+listener.Addr().String(), "")
	if err != nil {
		t.Fatal(err)
	}
	err = mailer.NewClient(mailer.ClientOptions{Server: server}).Send(t.Context(), mailer.Envelope{
		ID: "eml_1", From: sender, To: sender, Date: time.Now(),
	})
	var failure *mailer.Failure
	if !errors.As(err, &failure) || failure.Stage != mailer.StageConnect || failure.Final ||
		failure.Public() != unreachable {
		t.Errorf("%v", err)
	}
}
