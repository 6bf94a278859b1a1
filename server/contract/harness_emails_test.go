package contract

import (
	"context"
	"strings"
	"testing"
	"time"

	"assay/store"
)

// outbox plays the worker that sends email.
type outbox struct {
	*api
	lane string // of the latest email
}

// sent is a claimed email with its content, which is nil if the email is no longer needed.
type sent struct {
	store.Email
	*store.EmailContent
}

func (a *api) outbox() *outbox { return &outbox{api: a} }

// claim leases the next email that is due, or returns nil.
func (o *outbox) claim() *store.Email {
	o.t.Helper()
	ctx := context.Background()
	if err := o.store.UnscopedQueueFinishedEmails(ctx); err != nil {
		o.t.Fatal(err)
	}
	if _, err := o.store.UnscopedReadyEmails(ctx); err != nil {
		o.t.Fatal(err)
	}
	email, err := o.store.UnscopedClaimEmail(ctx, o.lane, o.store.NewID("lse"), o.store.Now().Add(time.Minute))
	if err != nil {
		o.t.Fatal(err)
	}
	if email != nil {
		o.lane = email.Lane
	}
	return email
}

// content reads what a claimed email says.
func (o *outbox) content(email store.Email) *store.EmailContent {
	o.t.Helper()
	content, err := o.store.UnscopedEmailContent(context.Background(), email)
	if err != nil {
		o.t.Fatal(err)
	}
	return content
}

// settle writes the outcome of an attempt, and reports whether the lease still held.
func (o *outbox) settle(email store.Email, status store.EmailStatus, failure string) bool {
	o.t.Helper()
	settled, err := o.store.UnscopedSettleEmail(context.Background(), store.EmailOutcome{
		Email: email, Status: status, Failure: failure, RetryAt: o.store.Now().Add(time.Minute),
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return settled
}

// withhold ends an email that may not be sent.
func (o *outbox) withhold(email store.Email, reason store.EmailReason) {
	o.t.Helper()
	if _, err := o.store.UnscopedSettleEmail(context.Background(), store.EmailOutcome{
		Email: email, Status: store.EmailFailed, Failure: reason.Sentence(), Reason: reason,
	}); err != nil {
		o.t.Fatal(err)
	}
}

// send sends all emails that are due, and returns what they say. It cancels those that are
// no longer needed, and ends those that may not be sent.
func (o *outbox) send() []sent {
	o.t.Helper()
	var all []sent
	for email := o.claim(); email != nil; email = o.claim() {
		content := o.content(*email)
		if content == nil {
			o.settle(*email, store.EmailCancelled, "")
			continue
		}
		reason, err := o.store.UnscopedAdmitEmail(context.Background(), *email, content)
		if err != nil {
			o.t.Fatal(err)
		}
		if reason != "" {
			o.withhold(*email, reason)
			continue
		}
		o.settle(*email, store.EmailSent, "")
		all = append(all, sent{*email, content})
	}
	return all
}

// sendOne is send when exactly one email is due.
func (o *outbox) sendOne() sent {
	o.t.Helper()
	all := o.send()
	if len(all) != 1 {
		o.t.Fatalf("%d emails are due, want 1: %v", len(all), all)
	}
	return all[0]
}

// sendNone fails the test if an email is sent.
func (o *outbox) sendNone() {
	o.t.Helper()
	if all := o.send(); len(all) > 0 {
		o.t.Fatalf("an email of the kind %s is due, want none", all[0].Email.Kind)
	}
}

// token returns the token in the link of an email of this kind.
func (s sent) token(t testing.TB, kind store.EmailKind) string {
	t.Helper()
	pages := map[store.EmailKind]string{
		store.EmailPasswordReset: "/reset-password#", store.EmailInvitation: "/accept-invitation#",
		store.EmailConfirmation: "/confirm-email#",
	}
	token, found := strings.CutPrefix(s.Account.Link, "https://assay.test"+pages[kind])
	if s.Email.Kind != kind || !found {
		t.Fatalf("%s has the link %s", s.Email.Kind, s.Account.Link)
	}
	return token
}

// withoutProof returns the token that the response with an invitation also has.
func withoutProof(token string) string {
	token, _, _ = strings.Cut(token, ".")
	return token
}
