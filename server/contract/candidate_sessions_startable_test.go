package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// startWindow is a window of an assessment and an expiry, in hours from now. Zero is none.
type startWindow struct {
	name                   string
	opens, closes, expires int
	refusal                string // "" if a session can be started at some time
	from, until            int    // otherwise, in hours from now; from 0 is none
}

// The expiry of the assessment is 5 days. Closed assessments get their window after the invite.
var startWindows = []startWindow{
	{"no window", 0, 0, 0, "", 0, 120},
	{"an expiry", 0, 0, 50, "", 0, 50},
	{"opens later", 48, 0, 0, "", 48, 120},
	{"closes earlier", 0, 30, 0, "", 0, 30},
	{"closes later", 0, 130, 0, "", 0, 120},
	{"opens and closes", 48, 60, 0, "", 48, 60},
	{"opens just before the expiry", 49, 0, 50, "", 49, 50},
	{"opens with the expiry", 50, 0, 50, "409 assessment_not_open", 0, 0},
	{"opens after the usual expiry", 121, 0, 0, "409 assessment_not_open", 0, 0},
	{"opens after the expiry", 60, 90, 50, "409 assessment_not_open", 0, 0},
	{"has closed", 0, -1, 0, "410 assessment_closed", 0, 0},
	{"has closed, and the invite would not expire soon", -50, -1, 400, "410 assessment_closed", 0, 0},
}

func (w startWindow) at(now time.Time, hours int) any {
	if hours == 0 {
		return nil
	}
	return wire(now.Add(time.Duration(hours) * time.Hour))
}

// wantSpan checks startFrom and startUntil of a session.
func (w startWindow) wantSpan(r response, now time.Time, at string) {
	r.t.Helper()
	want := object{at + ".startFrom": w.at(now, w.from), at + ".startUntil": w.at(now, w.until)}
	if w.opens < 0 {
		want[at+".startFrom"] = w.at(now, w.opens)
	}
	r.wantFields(want)
}

// Each operation that promises a start refuses one that can never happen, with the same
// reason, and otherwise names the same times.
func TestInvitesThatCanBeStarted(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		for _, w := range startWindows {
			o, now := a.register(), a.store.Now()
			id := o.publish(oneQuestion(object{
				"inviteExpiryDays": 5, "opensAt": w.at(now, w.opens), "closesAt": w.at(now, w.closes),
			}))
			expiry := object{}
			if w.expires != 0 {
				expiry["expiresAt"] = w.at(now, w.expires)
			}
			status, code, _ := strings.Cut(w.refusal, " ")
			fields := []string(nil)
			if code == "assessment_not_open" {
				fields = []string{"body /expiresAt too_small"}
			}
			for prefix, caller := range o.callers() {
				name := w.name + ", " + prefix
				path := prefix + "/candidate-sessions"
				one := a.do("POST", path, caller, row(id, newEmail(), expiry, object{"onExisting": "NEW_ATTEMPT"}))
				if code == "" {
					w.wantSpan(one.want(201), now, "data")
				} else if got := fmt.Sprint(one.status); got != status || one.code() != code ||
					!slices.Equal(one.faults(), fields) {
					t.Errorf("%s: %s", name, one.body)
				}
				for _, dryRun := range []bool{true, false} {
					body := bulkOf(id, newEmails(2), expiry)
					body["dryRun"] = dryRun
					many := a.do("POST", path+"/bulk", caller, body).want(200)
					for i, shown := range many.list("data.rows") {
						if code == "" {
							if shown.(object)["outcome"] != "CREATED" {
								t.Errorf("%s, bulk: %s", name, many.body)
							} else if !dryRun {
								w.wantSpan(many, now, fmt.Sprintf("data.rows.%d.session", i))
							}
						} else if shown.(object)["error"].(object)["code"] != code {
							t.Errorf("%s, bulk, dry run %t: %s", name, dryRun, many.body)
						}
					}
				}
			}
			if left := a.do("GET", "/v1/candidate-sessions", o.owner, nil).list("data"); code != "" && len(left) > 0 {
				t.Errorf("%s: there are %d sessions", w.name, len(left))
			}
		}
	})
}

// The same holds for a session that exists when the window moves: it cannot be promised
// anew, but nothing else about it is refused, and its start follows its times.
func TestSessionsThatCanBeStarted(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		for _, w := range startWindows {
			o, box, now := a.register(), a.outbox(), a.store.Now()
			id := o.publish(oneQuestion(object{"inviteExpiryDays": 5}))
			session := o.invite(id, object{"sendEmail": true})
			path, email := "/v1/candidate-sessions/"+session.text("data.id"), session.text("data.candidateEmail")
			expiry := object{"expiresAt": w.at(now, 120)}
			if w.expires != 0 {
				expiry["expiresAt"] = w.at(now, w.expires)
				a.do("PATCH", path, o.owner, expiry).want(200)
			}
			a.do("PATCH", "/v1/assessments/"+id, o.owner, object{
				"opensAt": w.at(now, w.opens), "closesAt": w.at(now, w.closes),
			}).want(200)

			// the email that waits
			if sent := box.send(); (len(sent) == 0) != (w.refusal != "") {
				t.Errorf("%s: %d emails were sent", w.name, len(sent))
			} else if len(sent) == 1 && (!sent[0].Invite.ExpiresAt.Equal(now.Add(time.Duration(w.until)*time.Hour)) ||
				(sent[0].Invite.OpensAt != nil) != (w.from > 0)) {
				t.Errorf("%s: the email says %v to %v", w.name, sent[0].Invite.OpensAt, sent[0].Invite.ExpiresAt)
			}

			refused := func(what string, r response, success int) {
				t.Helper()
				if got := strings.TrimSpace(fmt.Sprint(r.status, " ", r.code())); w.refusal != "" && got != w.refusal ||
					w.refusal == "" && r.status != success {
					t.Errorf("%s, %s: %s", w.name, what, r.body)
				}
			}
			a.do("PATCH", path, o.owner, object{"note": "x", "extraTimePercent": 10}).want(200)
			a.do("PATCH", path, o.owner, expiry).want(200) // does not change it
			refused("the same invite", a.do("POST", "/v1/candidate-sessions", o.owner, object{
				"assessmentId": id, "candidateName": session.text("data.candidateName"), "candidateEmail": email,
			}), 200)
			refused("an update", a.do("POST", "/v1/candidate-sessions", o.owner, object{
				"assessmentId": id, "candidateName": "Other", "candidateEmail": email, "onExisting": "UPDATE",
			}), 200)

			who := session.candidate()
			for hour := range 121 {
				if hour == 0 || hour == w.from-1 || hour == w.from || hour == w.until-1 || hour == w.until {
					a.setClock(now.Add(time.Duration(hour) * time.Hour))
					start := a.do("POST", "/v1/candidate/session/start", who, nil)
					can := w.refusal == "" && hour >= w.from && hour < w.until
					if can {
						start.want(200)
						break
					}
					if start.status == 200 {
						t.Errorf("%s: it was started after %d hours", w.name, hour)
					}
				}
			}
		}
	}, sendsEmail)
}

// Renewing an invite and moving its expiry are refused like a new invite.
func TestRenewalsThatCanBeStarted(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		for _, w := range startWindows {
			o, now := a.register(), a.store.Now()
			id := o.publish(oneQuestion(object{"inviteExpiryDays": 5}))
			session := o.invite(id, object{"expiresAt": w.at(now, 2)})
			path := "/v1/candidate-sessions/" + session.text("data.id")
			a.do("PATCH", "/v1/assessments/"+id, o.owner, object{
				"opensAt": w.at(now, w.opens), "closesAt": w.at(now, w.closes),
			}).want(200)
			changed := a.do("PATCH", path, o.owner, object{"expiresAt": w.at(now, max(w.expires, 120*(1-min(1, w.expires))))})
			if w.refusal == "" {
				w.wantSpan(changed.want(200), now, "data")
			} else if got := fmt.Sprint(changed.status, " ", changed.code()); got != w.refusal {
				t.Errorf("%s: %s", w.name, changed.body)
			}
			if w.expires != 0 {
				continue // the renewal has the usual expiry
			}
			if public := "/v1/public" + strings.TrimPrefix(path, "/v1") + "/resend"; w.refusal != "" {
				if r := a.do("POST", public, o.key(), nil); fmt.Sprint(r.status, " ", r.code()) != w.refusal {
					t.Errorf("%s, renewed with a key: %s", w.name, r.body)
				}
			}
			if renewed := a.do("POST", path+"/resend", o.owner, nil); w.refusal == "" {
				w.wantSpan(renewed.want(200), now, "data")
			} else if got := fmt.Sprint(renewed.status, " ", renewed.code()); got != w.refusal {
				t.Errorf("%s, renewed: %s", w.name, renewed.body)
			} else {
				a.do("GET", "/v1/candidate/session", session.candidate(), nil).want(200) // the old link still works
			}
		}
	})
}

// Reminders follow a change of the window: none comes before the session can be started,
// and the last one comes a day before the candidate can no longer start.
func TestRemindersFollowTheWindow(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		const days = 24
		for _, tt := range []struct {
			name          string
			opens, closes int   // when the assessment is published, in hours; 0: none
			at            int   // when the window changes, in hours after the invite; 0: never
			opensThen     int   // in hours after the invite
			closesThen    int   // the same
			want          []int // hours after the invite
		}{
			{"no change", 0, 0, 0, 0, 0, []int{30, 9 * days}},
			{"opens later", 3 * days, 0, 0, 0, 0, []int{102, 9 * days}},
			{"closes earlier", 0, 6 * days, 0, 0, 0, []int{30, 5 * days}},
			{"closes too soon for a reminder", 0, 20, 0, 0, 0, []int{}},
			{"will close earlier", 0, 0, 40, 0, 5 * days, []int{30, 4 * days}},
			{"will close much earlier, at the invite", 0, 0, 2, 0, 29, []int{}},
			{"will close within a day: at once", 0, 0, 60, 0, 70, []int{30, 60}},
			{"will close later, after the last reminder", 0, 4 * days, 80, 0, 6 * days, []int{30, 72, 5 * days}},
			{"had no reminder, and will close later", 0, 20, 2, 0, 4 * days, []int{30, 72}},
			{"will open later", 0, 0, 2, 4 * days, 0, []int{4*days + 30, 9 * days}},
			{"will open earlier", 5 * days, 0, 2, 1, 0, []int{31, 9 * days}},
			{"closes at once", 0, 0, 40, 0, 41, []int{30}},
			{"will open after the expiry", 0, 0, 2, 11 * days, 0, []int{}},
		} {
			o, box, now := a.register(), a.outbox(), a.store.Now()
			in := func(hours int) any { return startWindow{}.at(now, hours) }
			id := o.publish(oneQuestion(object{
				"remindAfterHours": []int{30}, "inviteExpiryDays": 10, "opensAt": in(tt.opens), "closesAt": in(tt.closes),
			}))
			o.invite(id, object{"sendEmail": true})
			others := o.invite(id) // without an email, so without reminders
			box.sendOne()
			got := box.reminders(tt.at)
			if tt.at > 0 {
				o.signIn()
				a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"opensAt": in(tt.opensThen), "closesAt": in(tt.closesThen)}).
					want(200)
			}
			for _, hour := range box.reminders(10*days + 1 - tt.at) {
				got = append(got, hour+tt.at)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s: reminders after %v hours, want %v", tt.name, got, tt.want)
			}
			o.signIn()
			if shown := a.emailEntries(o, "/v1/candidate-sessions/"+others.text("data.id")); shown != "" {
				t.Errorf("%s: a session without an email has %s", tt.name, shown)
			}
		}
	}, sendsEmail)
}

// A change of the window does not show in the timeline, and every waiting session gets one email.
func TestWindowChangesQueueNoSecondReminder(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box, now := a.register(), a.outbox(), a.store.Now()
		in := func(hours int) any { return startWindow{}.at(now, hours) }
		id := o.publish(oneQuestion(object{"remindAfterHours": []int{30}, "inviteExpiryDays": 10}))
		var sessions []response
		for range 3 {
			sessions = append(sessions, o.invite(id, object{"sendEmail": true}))
		}
		box.send()
		for hours := 100; hours < 130; hours += 10 {
			a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"closesAt": in(hours)}).want(200)
		}
		for _, session := range sessions {
			if shown := a.emailEntries(o, "/v1/candidate-sessions/"+session.text("data.id")); strings.Contains(shown,
				"REMINDER") {
				t.Errorf("the timeline has %s", shown)
			}
		}
		if got := box.reminders(130); !slices.Equal(got, []int{30, 30, 30, 96, 96, 96}) {
			t.Errorf("reminders after %v hours", got)
		}
		if queue, err := a.store.UnscopedEmailQueue(t.Context()); err != nil || queue.Queued != 0 {
			t.Errorf("%v, %v", queue, err)
		}
	}, sendsEmail)
}
