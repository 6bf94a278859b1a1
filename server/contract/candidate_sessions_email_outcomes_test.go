package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// emailEntries are the emails in the timeline of a session.
func (a *api) emailEntries(o *tenant, path string) string {
	a.t.Helper()
	var lines []string
	for _, entry := range a.do("GET", path+"/timeline", o.owner, nil).want(200).list("data") {
		entry := entry.(object)
		if entry["email"] != nil {
			line := fmt.Sprint(entry["type"], " ", entry["email"], " ", entry["at"])
			if entry["failure"] != nil {
				line += " " + entry["failure"].(string)
			}
			lines = append(lines, line)
			if actor := entry["actor"].(object)["type"]; actor != "SERVICE" {
				a.t.Errorf("the actor of %s is %s", line, actor)
			}
		}
	}
	return strings.Join(lines, ", ")
}

// The session and its timeline show what became of the email.
func TestInviteEmailOutcomes(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		id := o.publish(oneQuestion())
		session := o.invite(id, object{"sendEmail": true}).
			wantFields(object{"data.email.sentAt": nil, "data.email.failure": nil})
		path := "/v1/candidate-sessions/" + session.text("data.id")
		queuedAt := store.WireTime(a.store.Now())
		shows := func(status store.EmailStatus, sentAt, failure any, timeline string) {
			t.Helper()
			shown := a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.email.status": string(status),
				"data.email.sentAt": sentAt, "data.email.failure": failure})
			listed := a.do("GET", "/v1/candidate-sessions?limit=1", o.owner, nil).want(200)
			if got, want := fmt.Sprint(listed.at("data.0.email")), fmt.Sprint(shown.at("data.email")); got != want {
				t.Errorf("the list has the email %s, want %s", got, want)
			}
			if got := a.emailEntries(o, path); got != timeline {
				t.Errorf("the timeline has\n%s\nwant\n%s", got, timeline)
			}
		}
		shows("QUEUED", nil, nil, "EMAIL_QUEUED INVITE "+queuedAt)

		a.clock.Advance(time.Second)
		const busy, gone = "450 Try again later", "550 5.1.1 The mailbox does not exist."
		box.settle(*box.claim(), store.EmailQueued, busy)
		shows("QUEUED", nil, busy, "EMAIL_QUEUED INVITE "+queuedAt+" "+busy)
		box.sendNone() // too early
		a.clock.Advance(time.Minute)
		failedAt := store.WireTime(a.store.Now())
		box.settle(*box.claim(), store.EmailFailed, gone)
		first := "EMAIL_FAILED INVITE " + failedAt + " " + gone
		shows("FAILED", nil, gone, first)

		a.clock.Advance(time.Second)
		queuedAt = store.WireTime(a.store.Now())
		a.do("POST", path+"/resend", o.owner, object{"sendEmail": true}).want(200).
			wantFields(object{"data.email.status": "QUEUED", "data.email.failure": nil})
		shows("QUEUED", nil, nil, first+", EMAIL_QUEUED INVITE "+queuedAt)
		a.clock.Advance(time.Second)
		sentAt := store.WireTime(a.store.Now())
		box.sendOne()
		sent := first + ", EMAIL_SENT INVITE " + sentAt
		shows("SENT", sentAt, nil, sent)
		if got := a.do("GET", path, o.owner, nil).want(200).text("data.updatedAt"); got != sentAt {
			t.Errorf("the session changed at %s, want %s", got, sentAt)
		}
		a.do("POST", path+"/resend", o.owner, object{"sendEmail": false}).want(200)
		shows("NONE", nil, nil, sent)
	}, sendsEmail)
}

// A renewed invite cancels the email with the old link, also one that a worker has claimed.
func TestResendCancelsEmails(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		id := o.publish(oneQuestion())
		session := o.invite(id, object{"sendEmail": true})
		path := "/v1/candidate-sessions/" + session.text("data.id")
		claimed := *box.claim()
		renewed := a.do("POST", path+"/resend", o.owner, object{"sendEmail": true}).want(200)
		if content := box.content(claimed); content != nil {
			t.Errorf("the old email has the content %+v", content.Invite)
		}
		if box.settle(claimed, store.EmailSent, "") {
			t.Error("the outcome of the old email was recorded")
		}
		a.do("GET", path, o.owner, nil).want(200).wantEmail(store.EmailQueued)
		if email := box.sendOne(); email.Invite.InviteURL != renewed.text("data.inviteUrl") {
			t.Errorf("the new email has the link %s", email.Invite.InviteURL)
		}
		a.clock.Advance(time.Hour)
		box.sendNone()
	}, sendsEmail)
}

// An erasure removes the queued email, and what failures say. The outcome of an attempt in
// progress is not recorded.
func TestErasureOfEmails(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		id := o.publish(oneQuestion())
		const address = "marked-mailbox@example.com"
		session := o.invite(id, object{"sendEmail": true, "candidateEmail": address})
		path := "/v1/candidate-sessions/" + session.text("data.id")
		box.settle(*box.claim(), store.EmailFailed, "550 <"+address+"> is unknown")
		a.do("POST", path+"/resend", o.owner, object{"sendEmail": true}).want(200)
		box.settle(*box.claim(), store.EmailQueued, "450 <"+address+"> is full")
		a.clock.Advance(time.Minute)
		claimed := *box.claim()
		if content := box.content(claimed); content == nil || content.ToAddress != address {
			t.Fatalf("the email has %+v", content)
		}

		a.do("DELETE", path+"/candidate-data", o.owner, nil).want(204)
		if content := box.content(claimed); content != nil {
			t.Errorf("the claimed email has %+v", content)
		}
		if box.settle(claimed, store.EmailFailed, "550 <"+address+"> is unknown") {
			t.Error("the outcome of the claimed email was recorded")
		}
		a.do("GET", path, o.owner, nil).want(200).
			wantFields(object{"data.email.status": "NONE", "data.email.failure": nil})
		shown := a.emailEntries(o, path)
		if !strings.HasPrefix(shown, "EMAIL_FAILED INVITE") || strings.ContainsAny(shown, ",@") {
			t.Errorf("the timeline has %s", shown)
		}
		if strings.Contains(storetest.Contents(t, a.database, "emails", "candidate_sessions"), address) {
			t.Error("the address remains in the database")
		}
		box.sendNone()
	}, sendsEmail)
}
