package mail_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/server/mail/mailtest"
	"assay/store"
	"assay/store/storetest"
)

// A mailbox that a server refuses for good is not tried again for 90 days. Links to reset a password are tried
// nevertheless.
func TestRefusedRecipient(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		const reply = "5.1.1 no such user"
		worker := w.limited(t, defaults())
		w.server.Fail(mailtest.Recipient, fault{Code: 550, Text: reply})
		first := w.invite(toAddress(w.email))
		drain(t, worker)
		w.server.Recover()
		w.wantFailed(first.ID, store.EmailRecipientRefused, "550 "+reply)

		again := w.invite(toAddress(strings.ToUpper(w.email)))
		drain(t, worker)
		w.wantFailed(again.ID, store.EmailRecipientRefused, store.EmailRecipientRefused.Sentence())
		w.must(w.store.ForgotPassword(t.Context(), store.Scope{}, w.email))
		drain(t, worker)
		if n := w.received(w.email); n != 1 {
			t.Errorf("%d emails, want the link to reset the password", n)
		}
		newOrganization(t, w.store).invite(toAddress(w.email)) // has a list of its own
		drain(t, worker)
		if n := w.received(w.email); n != 2 {
			t.Error("another organization does not try the address")
		}

		w.clock.Advance(90*24*time.Hour + time.Minute)
		w.must(w.store.UnscopedPurgeExpired(t.Context()))
		if rows := storetest.Count(t, w.database, "email_suppressions"); rows != 0 {
			t.Errorf("%d addresses are kept after 90 days", rows)
		}
		before := w.received(w.email)
		w.invite(toAddress(w.email))
		drain(t, worker)
		if w.received(w.email) == before {
			t.Error("the address was not tried after 90 days")
		}
	})
}

// Other refusals are final only for their email.
func TestWhichRefusalsAreOfTheMailbox(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{}, func(t *testing.T, w *world) {
		worker := w.limited(t, defaults())
		for reply, refused := range map[string]bool{
			"550 no such user": true, "551 5.1.6 moved": true, "553 5.1.3 bad syntax": true, "556 5.1.10 null MX": true,
			"550 5.4.1 access denied": true, "550 5.2.1 disabled": true, "550 5.0.0 unknown": true,
			"552 5.2.2 mailbox full": false, "552 full": false, "554 5.7.9 spam": false, "550 5.7.606 your network": false,
			"554 no": false, "550 5.1.8 bad sender": false,
		} {
			code, text, _ := strings.Cut(reply, " ")
			number, err := strconv.Atoi(code)
			w.must(err)
			w.server.Fail(mailtest.Recipient, fault{Code: number, Text: text})
			session := w.invite()
			drain(t, worker)
			w.server.Recover()
			reason := store.EmailReason("")
			if refused {
				reason = store.EmailRecipientRefused
			}
			w.wantFailed(session.ID, reason, reply)
			before := storetest.Count(t, w.database, "email_suppressions")
			w.server.Fail(mailtest.Body, fault{Code: number, Text: text}) // of the message, not of the mailbox
			session = w.invite()
			drain(t, worker)
			w.server.Recover()
			w.wantFailed(session.ID, "", reply)
			if storetest.Count(t, w.database, "email_suppressions") != before {
				t.Errorf("%s: the refusal of a message suppresses its address", reply)
			}
		}
	})
}

// wantFailed compares why the email of a session was not sent.
func (w *world) wantFailed(id string, reason store.EmailReason, failure string) {
	w.t.Helper()
	session := w.session(id)
	if session.EmailStatus != store.EmailFailed || value(session.EmailReason) != string(reason) ||
		value(session.EmailFailure) != failure {
		w.t.Errorf("the email is %s for %q: %q", session.EmailStatus, value(session.EmailReason), value(session.EmailFailure))
	}
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
