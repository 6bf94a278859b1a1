package mail_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	mailer "assay/server/mail"
	"assay/server/mail/mailtest"
	"assay/store"
	"assay/store/storetest"
)

// defaults are the limits of assay serve, with another number for one of them.
func defaults(change ...func(*store.Options)) func(*store.Options) {
	return func(o *store.Options) {
		day := func(name string, requests int) store.RateLimit {
			return store.RateLimit{Name: name, Requests: requests, Window: 24 * time.Hour}
		}
		o.SendsEmail = true
		o.SignInLimits = store.SignInLimits{
			EmailRecipient: day("email-recipient", 10), EmailAddress: day("email-address", 20),
			EmailMember: day("email-member", 50), EmailReset: day("email-reset", 24),
		}
		o.Quotas = store.Quotas{Emails: 50_000, NewEmails: 200}
		o.Registration = store.RegistrationFirst
		for _, f := range change {
			f(o)
		}
	}
}

func open(o *store.Options) { o.Registration = store.RegistrationOpen }

// limited is a worker with limits.
func (w *world) limited(t testing.TB, options func(*store.Options)) *mailer.Worker {
	t.Helper()
	return w.worker(t, func(o *mailer.Options) { o.Store = storetest.OpenURL(t, w.database, w.clock.Now, options) })
}

// drain sends everything that is due.
func drain(t testing.TB, worker *mailer.Worker) {
	t.Helper()
	for worker.Step(t.Context()) {
	}
}

// received is the number of messages to an address.
func (w *world) received(address string) (n int) {
	for _, message := range w.server.Messages() {
		if strings.EqualFold(message.To[0], address) {
			n++
		}
	}
	return n
}

func toAddress(address string) func(*store.Invite) {
	return func(in *store.Invite) { in.CandidateEmail = address }
}

// inviteAndCancel is the attack of a key that can write candidates: each round is an email.
func (w *world) inviteAndCancel(t testing.TB, o *organization, worker *mailer.Worker, rounds int, address string) {
	t.Helper()
	for range rounds {
		session := o.invite(toAddress(address))
		drain(t, worker)
		_, err := o.store.CancelCandidateSession(t.Context(), o.scope, session.ID)
		w.must(err)
	}
}

// bulk is the attack with one request.
func (w *world) bulk(t testing.TB, o *organization, rows int, address string) []string {
	t.Helper()
	var in store.BulkInvite
	for range rows {
		invite := o.newInvite()
		invite.CandidateEmail = address
		in.Invites = append(in.Invites, &invite)
	}
	out, err := o.store.BulkCreateCandidateSessions(t.Context(), o.scope, in)
	w.must(err)
	var ids []string
	for _, row := range out {
		if row.Session == nil {
			t.Fatalf("a row was refused: %+v", row)
		}
		ids = append(ids, row.Session.ID)
	}
	return ids
}

// reasons counts the sessions by the status and the reason of their email.
func (w *world) reasons() map[string]int {
	w.t.Helper()
	counts := map[string]int{}
	for _, row := range storetest.Column(w.t, w.database, "candidate_sessions",
		"email_status || ' ' || COALESCE(email_reason, '-')") {
		counts[row]++
	}
	return counts
}

// The attacks of issue 36: 40 emails to one mailbox by inviting and cancelling, and 57 by one request. A change itself
// succeeds, and the session says why there is no email.
func TestFloodOfOneMailbox(t *testing.T) {
	t.Parallel()
	const victim = "victim@example.com"
	for name, test := range map[string]struct {
		options            func(*store.Options)
		cancelling, inBulk int
	}{
		"before": {func(o *store.Options) { o.SendsEmail = true }, 40, 57},
		"after":  {defaults(), 10, 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
				worker := w.limited(t, test.options)
				w.inviteAndCancel(t, w.organization, worker, 40, victim)
				if n := w.received(victim); n != test.cancelling {
					t.Errorf("%d emails by inviting and cancelling, want %d", n, test.cancelling)
				}
				w.clock.Advance(24 * time.Hour)
				ids := w.bulk(t, w.organization, 57, strings.ToUpper(victim))
				drain(t, worker)
				if n := w.received(victim) - test.cancelling; n != test.inBulk {
					t.Errorf("%d emails by one request, want %d", n, test.inBulk)
				}
				refused := 40 - test.cancelling + 57 - test.inBulk
				if got := w.reasons()["FAILED recipient_limit"]; got != refused {
					t.Errorf("%v: want %d for the limit", w.reasons(), refused)
				}
				last := w.session(ids[len(ids)-1])
				withheld := last.EmailReason != nil && *last.EmailFailure == store.EmailRecipientLimit.Sentence()
				if withheld != (refused > 0) || w.store.InviteURL(last) == nil {
					t.Errorf("the last session has %+v", last)
				}
				for address, want := range map[string]int{"v.ictim@example.com": 1, "victim+1@example.com": 1} { // other mailboxes
					w.invite(toAddress(address))
					drain(t, worker)
					if n := w.received(address); n != want {
						t.Errorf("%s received %d emails", address, n)
					}
				}
			})
		})
	}
}

// A mailbox gets emails again when its day ends, which begins with the first email. Refused emails do not extend it.
func TestDayTurns(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		const address = "mei@example.com"
		worker := w.limited(t, defaults())
		sent := func(want int) {
			t.Helper()
			w.invite(toAddress(address))
			drain(t, worker)
			if n := w.received(address); n != want {
				t.Errorf("%d emails, want %d", n, want)
			}
		}
		for n := range 10 {
			sent(n + 1)
		}
		w.clock.Advance(23*time.Hour + 59*time.Minute)
		sent(10)
		w.clock.Advance(time.Minute)
		sent(11)
		w.must(w.store.UnscopedPurgeExpired(t.Context()))
		if rows := storetest.Count(t, w.database, "rate_windows"); rows > 4 {
			t.Errorf("%d counts are stored", rows)
		}
		w.clock.Advance(24*time.Hour + time.Minute)
		w.must(w.store.UnscopedPurgeExpired(t.Context()))
		if rows := storetest.Count(t, w.database, "rate_windows"); rows != 0 {
			t.Errorf("%d counts are stored after the day", rows)
		}
	})
}

// Workers that claim at once exceed no limit together.
func TestWorkersShareTheLimit(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		const address = "mei@example.com"
		w.bulk(t, w.organization, 57, address)
		var workers sync.WaitGroup
		for range 6 {
			worker := w.limited(t, defaults())
			workers.Go(func() {
				for worker.Step(t.Context()) {
				}
			})
		}
		workers.Wait()
		drain(t, w.limited(t, defaults()))
		if n := w.received(address); n != 10 {
			t.Errorf("%d emails, want 10", n)
		}
		if rows := storetest.Column(t, w.database, "rate_windows", "bucket || ' ' || requests"); len(rows) != 2 ||
			!strings.HasSuffix(rows[0], " 10") || !strings.HasSuffix(rows[1], " 10") {
			t.Errorf("the counts are %q", rows)
		}
	})
}

// An email that is tried again is counted once.
func TestRetriesCountOnce(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		worker := w.limited(t, defaults(func(o *store.Options) { o.SignInLimits.EmailRecipient.Requests = 1 }))
		session := w.invite()
		w.server.Fail(mailtest.Recipient, fault{Code: 451, Times: 3})
		for range 4 {
			worker.Step(t.Context())
			w.clock.Advance(time.Hour)
		}
		if sent := w.session(session.ID); sent.EmailStatus != store.EmailSent {
			t.Errorf("the email is %s: %v", sent.EmailStatus, sent.EmailFailure)
		}
	})
}

// An organization has a quota, which is lower for its first 30 days if any client can register one. Links to reset a
// password, and notices about an account, are sent nevertheless.
func TestDailyQuota(t *testing.T) {
	t.Parallel()
	quotas := func(o *store.Options) { o.Quotas = store.Quotas{Emails: 6, NewEmails: 3} }
	for name, test := range map[string]struct {
		options    func(*store.Options)
		first, old int
	}{
		"open":     {defaults(quotas, open), 3, 6},
		"not open": {defaults(quotas), 6, 6},
		"off":      {defaults(func(o *store.Options) { o.Quotas = store.Quotas{} }), 9, 9},
		"only new": {defaults(func(o *store.Options) { o.Quotas = store.Quotas{NewEmails: 3} }, open), 3, 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
				worker := w.limited(t, test.options)
				limited := storetest.OpenURL(t, w.database, w.clock.Now, test.options)
				sent := func(want int) {
					t.Helper()
					before, withheld := len(w.server.Messages()), w.reasons()["FAILED daily_quota"]
					w.inviteMany(9)
					drain(t, worker)
					if n := len(w.server.Messages()) - before; n != want {
						t.Errorf("%d emails, want %d", n, want)
					}
					o, err := limited.RetrieveOrganization(t.Context(), w.scope)
					w.must(err)
					if quota := limited.EmailQuota(o); want < 9 && (quota != int64(want) || o.Usage.Emails != quota) {
						t.Errorf("the usage is %d of %d", o.Usage.Emails, quota)
					}
					if got := w.reasons()["FAILED daily_quota"] - withheld; got != 9-want {
						t.Errorf("%d invites have the reason, want %d", got, 9-want)
					}
					w.must(w.store.ForgotPassword(t.Context(), store.Scope{}, w.email))
					drain(t, worker)
					if got := w.count("kind || ' ' || status", "PASSWORD_RESET SENT"); got == 0 {
						t.Error("no link to reset the password was sent")
					}
				}
				sent(test.first)
				w.clock.Advance(30*24*time.Hour + time.Minute) // the reminders are withheld or sent on the way
				drain(t, worker)
				w.clock.Advance(24 * time.Hour)
				sent(test.old)
			})
		})
	}
}

// A person gets the link to reset the password while one organization, or all of them together, flood the mailbox.
func TestResetDuringAFlood(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		worker := w.limited(t, defaults(open))
		var floods []*organization
		for range 3 {
			floods = append(floods, newOrganization(t, w.store))
		}
		for _, o := range append(floods, w.organization) {
			w.bulk(t, o, 30, w.email)
		}
		drain(t, worker)
		if n := w.received(w.email); n != 20 {
			t.Errorf("%d emails of four new organizations, want 20", n)
		}
		for range 3 {
			w.must(w.store.ForgotPassword(t.Context(), store.Scope{}, w.email))
		}
		drain(t, worker)
		if n := w.count("kind || ' ' || status", "PASSWORD_RESET SENT"); n != 3 || w.received(w.email) != 23 {
			t.Errorf("%d links arrived", n)
		}
		for range 30 {
			w.must(w.store.ForgotPassword(t.Context(), store.Scope{}, w.email))
		}
		drain(t, worker)
		if n := w.count("kind || ' ' || status", "PASSWORD_RESET SENT"); n != 24 {
			t.Errorf("%d links arrived, want 24", n)
		}
		if n := w.count("COALESCE(reason, '')", "recipient_limit"); n != 4*30-20+33-24 {
			t.Errorf("%d emails have the reason", n)
		}
	})
}

// Organizations that strangers have just registered cannot use up what known organizations may send to a mailbox.
func TestStrangersHaveTheirShare(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		const address = "mei@example.com"
		worker := w.limited(t, defaults(open))
		w.clock.Advance(31 * 24 * time.Hour)
		for range 3 {
			w.bulk(t, newOrganization(t, w.store), 10, address)
		}
		drain(t, worker)
		if n := w.received(address); n != 20 {
			t.Errorf("%d emails of three new organizations, want 20", n)
		}
		w.invite(toAddress(address))
		drain(t, worker)
		if n := w.received(address); n != 21 {
			t.Error("the email of the known organization was not sent")
		}
	})
}
