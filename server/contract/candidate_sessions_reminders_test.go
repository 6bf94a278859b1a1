package contract

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
)

// reminders sends each email of the organization when it is due, until the time is over,
// and returns the hours from now at which reminders were sent.
func (o *outbox) reminders(hours int) []int {
	o.t.Helper()
	sentAt := []int{}
	for hour := range hours {
		for _, email := range o.send() {
			if email.EmailContent.Kind == store.EmailReminder {
				sentAt = append(sentAt, hour)
			}
		}
		o.clock.Advance(time.Hour)
	}
	return sentAt
}

// Reminders follow the invite as the assessment says, and one is sent a day before the
// expiry. None follows another email within 12 hours.
func TestReminders(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		for _, tt := range []struct {
			name       string
			remind     []int
			expiryDays int
			sendEmail  bool
			want       []int
		}{
			{"only before the expiry", []int{}, 5, true, []int{96}},
			{"some hours", []int{24, 72}, 6, true, []int{24, 72, 120}},
			{"soon after the invite", []int{11, 12}, 3, true, []int{12, 48}},
			{"soon after each other", []int{20, 30, 32}, 9, true, []int{20, 32, 192}},
			{"together with the last one", []int{96, 100}, 5, true, []int{96}},
			{"after the expiry", []int{120, 121, 200}, 5, true, []int{96}},
			{"an invite of one day", []int{}, 1, true, []int{}},
			{"without an email", []int{24}, 5, false, []int{}},
		} {
			o, box := a.register(), a.outbox()
			id := o.publish(oneQuestion(object{"remindAfterHours": tt.remind, "inviteExpiryDays": tt.expiryDays}))
			session := o.invite(id, object{"sendEmail": tt.sendEmail})
			path := "/v1/candidate-sessions/" + session.text("data.id")
			box.send()
			if shown := a.emailEntries(o, path); strings.Contains(shown, "REMINDER") {
				t.Errorf("%s: the timeline has a scheduled reminder: %s", tt.name, shown)
			}
			if got := box.reminders(24*tt.expiryDays + 1); !slices.Equal(got, tt.want) {
				t.Errorf("%s: reminders after %v hours, want %v", tt.name, got, tt.want)
			}
			o.signIn()
			if got := strings.Count(a.emailEntries(o, path), "EMAIL_SENT REMINDER"); got != len(tt.want) {
				t.Errorf("%s: the timeline has %d reminders", tt.name, got)
			}
			if tt.sendEmail { // reminders do not change what the session says about its invite
				a.do("GET", path, o.owner, nil).want(200).wantEmail(store.EmailSent).
					wantFields(object{"data.email.sentAt": session.text("data.invitedAt")})
			}
		}
	}, sendsEmail)
}

// What happens to a session changes its reminders.
func TestRemindersFollowTheSession(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		const hour = time.Hour
		in := func(wait time.Duration) string { return store.WireTime(a.store.Now().Add(wait)) }
		for _, tt := range []struct {
			name   string
			change func(o *tenant, session response, path string) // 2 hours after the invite
			want   []int                                          // hours after the change
		}{
			{"nothing", func(*tenant, response, string) {}, []int{22, 94}},
			{"the candidate starts", func(_ *tenant, session response, _ string) {
				a.do("POST", "/v1/candidate/session/start", session.candidate(), nil).want(200)
			}, []int{}},
			{"cancelled", func(o *tenant, _ response, path string) {
				a.do("POST", path+"/cancel", o.owner, nil).want(200)
			}, []int{}},
			{"erased", func(o *tenant, _ response, path string) {
				a.do("DELETE", path+"/candidate-data", o.owner, nil).want(204)
			}, []int{}},
			{"a later expiry", func(o *tenant, _ response, path string) {
				a.do("PATCH", path, o.owner, object{"expiresAt": in(130 * hour)}).want(200)
			}, []int{22, 106}},
			{"an earlier expiry", func(o *tenant, _ response, path string) {
				a.do("PATCH", path, o.owner, object{"expiresAt": in(40 * hour)}).want(200)
			}, []int{16}},
			{"an expiry too soon for a reminder", func(o *tenant, _ response, path string) {
				a.do("PATCH", path, o.owner, object{"expiresAt": in(20 * hour)}).want(200)
			}, []int{}},
			{"the invite with another expiry", func(o *tenant, session response, _ string) {
				a.do("POST", "/v1/candidate-sessions", o.owner, object{"assessmentId": session.text("data.assessmentId"),
					"candidateName":  session.text("data.candidateName"),
					"candidateEmail": session.text("data.candidateEmail"), "onExisting": "UPDATE",
					"expiresAt": in(40 * hour)}).want(200)
			}, []int{16}},
			{"a note", func(o *tenant, _ response, path string) {
				a.do("PATCH", path, o.owner, object{"note": "x"}).want(200)
			}, []int{22, 94}},
			{"resent by email", func(o *tenant, _ response, path string) {
				a.do("POST", path+"/resend", o.owner, object{"sendEmail": true}).want(200)
			}, []int{24, 96}},
			{"resent without an email", func(o *tenant, _ response, path string) {
				a.do("POST", path+"/resend", o.owner, nil).want(200)
			}, []int{}},
			{"the assessment has closed", func(o *tenant, session response, _ string) {
				a.do("PATCH", "/v1/assessments/"+session.text("data.assessmentId"), o.owner,
					object{"closesAt": in(22 * hour)}).want(200)
			}, []int{}},
		} {
			o, box := a.register(), a.outbox()
			session := o.invite(o.publish(oneQuestion(object{"remindAfterHours": []int{24}, "inviteExpiryDays": 5})),
				object{"sendEmail": true})
			box.sendOne()
			a.clock.Advance(2 * hour)
			o.signIn()
			tt.change(o, session, "/v1/candidate-sessions/"+session.text("data.id"))
			if got := box.reminders(150); !slices.Equal(got, tt.want) {
				t.Errorf("%s: reminders after %v hours, want %v", tt.name, got, tt.want)
			}
		}
	}, sendsEmail)
}

// The link in a reminder ends the reminders. A reminder has the same content as the invite.
func TestReminderEndsReminders(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		session := o.invite(o.publish(oneQuestion(object{"remindAfterHours": []int{24, 48, 72}})), object{"sendEmail": true})
		box.sendOne()
		a.clock.Advance(24 * time.Hour)
		reminder := box.sendOne()
		if reminder.Invite.InviteURL != session.text("data.inviteUrl") {
			t.Errorf("the reminder has the link %s", reminder.Invite.InviteURL)
		}
		_, token, found := strings.Cut(reminder.UnsubscribeURL, "https://assay.test/unsubscribe?token=")
		if !found {
			t.Fatalf("the address to unsubscribe is %q", reminder.UnsubscribeURL)
		}
		a.clock.Advance(24 * time.Hour)
		claimed := *box.claim() // too late to stop its queueing, but not its sending
		if _, err := a.store.UnscopedUnsubscribe(context.Background(), token); err != nil {
			t.Fatal(err)
		}
		if content := box.content(claimed); content != nil {
			t.Errorf("the claimed reminder has the content %+v", content)
		}
		if got := box.reminders(24 * 20); len(got) > 0 {
			t.Errorf("reminders after %v hours", got)
		}

		o.signIn()
		path := "/v1/candidate-sessions/" + session.text("data.id")
		a.do("POST", path+"/resend", o.owner, object{"sendEmail": true}).want(200)
		box.sendOne() // the invite is sent
		if got := box.reminders(24 * 20); len(got) > 0 {
			t.Errorf("reminders after %v hours", got)
		}
	}, sendsEmail)
}

// A reminder that fails is tried again, and the next one follows it.
func TestReminderFails(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		session := o.invite(o.publish(oneQuestion(object{"remindAfterHours": []int{24, 48}})), object{"sendEmail": true})
		path := "/v1/candidate-sessions/" + session.text("data.id")
		box.sendOne()
		invitedAt := store.WireTime(a.store.Now())
		a.clock.Advance(24 * time.Hour)
		box.settle(*box.claim(), store.EmailQueued, "450 Later")
		o.signIn()
		queued := fmt.Sprintf("EMAIL_SENT INVITE %[1]s, EMAIL_QUEUED REMINDER %[1]s 450 Later", invitedAt)
		if got := a.emailEntries(o, path); got != queued {
			t.Errorf("the timeline has %s, want %s", got, queued)
		}
		// A change of the expiry does not move a reminder that was tried.
		a.do("PATCH", path, o.owner, object{"expiresAt": store.WireTime(a.store.Now().Add(9 * 24 * time.Hour))}).want(200)
		a.clock.Advance(time.Minute)
		box.settle(*box.claim(), store.EmailFailed, "550 Gone")
		if got := a.emailEntries(o, path); !strings.HasSuffix(got, "550 Gone") {
			t.Errorf("the timeline has %s", got)
		}
		a.do("GET", path, o.owner, nil).want(200).wantEmail(store.EmailSent)
		if got := box.reminders(24 * 10); !slices.Equal(got, []int{24, 24 * 8}) {
			t.Errorf("reminders after %v hours, want two", got)
		}
	}, sendsEmail)
}

// A session whose invite was not sent gets no reminder.
func TestNoReminderAfterFailure(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		o.invite(o.publish(oneQuestion(object{"remindAfterHours": []int{24}})), object{"sendEmail": true})
		box.settle(*box.claim(), store.EmailFailed, "550 Gone")
		if got := box.reminders(24 * 20); len(got) > 0 {
			t.Errorf("reminders after %v hours", got)
		}
	}, sendsEmail)
}
