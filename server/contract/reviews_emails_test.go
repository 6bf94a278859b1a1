package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// rejection is an email with each placeholder.
var rejection = object{
	"subject": "{{assessmentTitle}} at {{organizationName}}",
	"text":    "Dear {{candidateName}},\n\nwe have chosen somebody else.",
}

// candidatesOf invites n candidates, and returns their sessions.
func (o *tenant) candidatesOf(assessmentID string, n int) (sessions []string) {
	for range n {
		sessions = append(sessions, o.invite(assessmentID).text("data.id"))
	}
	return sessions
}

// reject puts candidates into the state rejected with an email.
func (o *tenant) reject(sessions []string, email object) response {
	o.api.t.Helper()
	return o.api.do("PUT", bulkStates, o.owner, bulkRejection(sessions, email)).want(200)
}

func bulkRejection(sessions []string, email object) object {
	var rows []any
	for _, id := range sessions {
		rows = append(rows, object{"sessionId": id})
	}
	return object{"stateId": "rejected", "rows": rows, "email": email}
}

func withDelay(minutes int) object {
	return object{"subject": "S", "text": "T", "delayMinutes": minutes}
}

func cancelled(cancelled, sent, failed int) object {
	return object{"data.cancelledCount": cancelled, "data.sentCount": sent, "data.failedCount": failed}
}

// Each candidate whose state a request has changed gets one email after the delay. A repeated request sends nothing.
func TestReviewEmailIsSentAfterItsDelay(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		box, now := a.outbox(), a.clock.Now()
		sessions := o.candidatesOf(o.publish(oneQuestion(object{"title": "Knives"})), 30)
		a.do("PUT", "/v1/candidate-sessions/"+sessions[0]+"/review/state", o.owner, object{"stateId": "rejected"}).want(200)
		a.clock.Advance(time.Second)
		first := o.reject(sessions, rejection)
		first.wantStates(append([]string{"UNCHANGED"}, slices.Repeat([]string{"CHANGED"}, 29)...)...).wantFields(object{
			"data.rows.0.email.status": "QUEUED", "data.rows.1.email.status": "QUEUED", "data.rows.1.email.endedAt": nil,
			"data.rows.1.email.batchId": first.text("data.emailBatchId"),
			"data.rows.29.email.sendAt": wire(now.Add(30*time.Minute + time.Second)),
		})
		again := o.reject(sessions, rejection).wantFields(object{"data.emailBatchId": nil, "data.changedCount": 0,
			"data.rows.29.email.id": first.text("data.rows.29.email.id")})
		if first.text("data.rows.1.email.id") != again.text("data.rows.1.email.id") {
			t.Error("a repeated request planned another email")
		}

		a.clock.Advance(30*time.Minute - time.Second)
		box.sendNone()
		a.clock.Advance(2 * time.Second)
		all := box.send()
		if len(all) != 30 {
			t.Fatalf("%d emails were sent, want 30", len(all))
		}
		o.owner = bearer(a.login(o.email).access)
		organization := a.do("GET", "/v1/organization", o.owner, nil).want(200).text("data.name")
		for _, email := range all {
			if email.Email.Kind != store.EmailDecision || email.Written.Subject != "Knives at "+organization ||
				email.Written.Text != "Dear Grace Hopper,\n\nwe have chosen somebody else." {
				t.Errorf("the email is %s %+v", email.Email.Kind, email.Written)
			}
		}
		box.sendNone()
		path := "/v1/candidate-sessions/" + sessions[1] + "/review"
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{
			"data.changes.0.email.status": "SENT", "data.changes.0.email.endedAt": wire(a.clock.Now()),
		})
		a.do("POST", path+"/email/cancel", o.owner, nil).want(200).wantFields(cancelled(0, 1, 0))
	}, sendsEmail)
}

// One call undoes all emails of a request that are not sent, also with an API key. The states stay.
func TestReviewEmailsAreCancelled(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		box, assessmentID := a.outbox(), o.publish(oneQuestion())
		sessions := o.candidatesOf(assessmentID, 4)
		batch := o.reject(sessions, withDelay(0)).text("data.emailBatchId")
		sent, refused, sending := box.claim(), box.claim(), box.claim()
		box.settle(*sent, store.EmailSent, "")
		box.settle(*refused, store.EmailFailed, "550 5.1.1 The mailbox does not exist.")
		cancel := "/review-emails/" + batch + "/cancel"
		a.do("POST", "/v1"+cancel, stranger.owner, nil).want(404, "not_found")
		a.do("POST", "/v1/public"+cancel, o.key("reviews:read"), nil).want(403, "insufficient_scope")
		a.do("POST", "/v1/public"+cancel, stranger.key("reviews:write"), nil).want(404, "not_found")
		key, strange := o.key("reviews:write"), stranger.key("reviews:write")
		a.do("POST", "/v1/public"+cancel, key, nil).want(200).wantFields(cancelled(1, 2, 1))
		a.do("POST", "/v1"+cancel, o.owner, nil).want(200).wantFields(cancelled(1, 2, 1))
		box.settle(*sending, store.EmailSent, "")
		a.clock.Advance(time.Hour)
		o.owner = bearer(a.login(o.email).access)
		box.sendNone()
		last := slices.IndexFunc(sessions, func(id string) bool {
			return !slices.Contains([]string{*sent.SessionID, *refused.SessionID, *sending.SessionID}, id)
		})
		a.do("GET", "/v1/candidate-sessions/"+sessions[last]+"/review", o.owner, nil).want(200).wantFields(object{
			"data.state.id": "rejected", "data.changes.0.email.status": "CANCELLED",
		})
		entry := o.emailEntry(sessions[last])
		if entry["type"] != "EMAIL_CANCELLED" || entry["actor"].(object)["type"] != "API_KEY" || entry["sendAt"] != nil {
			t.Errorf("the timeline has %v, want an email that the key has cancelled", entry)
		}
		if failed := o.emailEntry(*refused.SessionID); failed["failure"] != "550 5.1.1 The mailbox does not exist." {
			t.Errorf("the timeline has %v, want the failure", failed)
		}

		one, path := o.candidatesOf(assessmentID, 1)[0], ""
		path = "/v1/candidate-sessions/" + one + "/review"
		a.do("POST", path+"/email/cancel", o.owner, nil).want(200).wantFields(cancelled(0, 0, 0))
		a.do("PUT", path+"/state", o.owner, object{"stateId": "rejected", "email": withDelay(1440)}).want(200).
			wantFields(object{"data.changes.0.email.sendAt": wire(a.clock.Now().Add(24 * time.Hour))})
		if planned := o.emailEntry(one); planned["type"] != "EMAIL_QUEUED" || planned["email"] != "DECISION" ||
			planned["sendAt"] != wire(a.clock.Now().Add(24*time.Hour)) || planned["actor"].(object)["id"] != a.userID(o.owner) {
			t.Errorf("the timeline has %v, want a planned email", planned)
		}
		public := "/v1/public/candidate-sessions/" + one + "/review/email/cancel"
		a.do("POST", public, strange, nil).want(404, "not_found")
		a.do("POST", public, key, nil).want(200).wantFields(cancelled(1, 0, 0))
		a.clock.Advance(25 * time.Hour)
		box.sendNone()
	}, sendsEmail)
}

// A candidate who is in the state already gets the email if there was none, or if it was cancelled. The state has not
// changed, so there is no event.
func TestReviewEmailAfterTheState(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		box := a.outbox()
		session := o.candidatesOf(o.publish(oneQuestion()), 1)[0]
		path := "/v1/candidate-sessions/" + session + "/review"
		a.do("PUT", path+"/state", o.owner, object{"stateId": "rejected"}).want(200)
		first := o.reject([]string{session}, withDelay(10))
		first.wantStates("UNCHANGED").wantFields(object{"data.rows.0.email.status": "QUEUED", "data.unchangedCount": 1,
			"data.rows.0.email.batchId": first.text("data.emailBatchId")})
		a.do("POST", "/v1/review-emails/"+first.text("data.emailBatchId")+"/cancel", o.owner, nil).want(200).
			wantFields(cancelled(1, 0, 0))
		single := object{"stateId": "rejected", "email": withDelay(0)}
		for range 2 {
			a.do("PUT", path+"/state", o.owner, single).want(200).wantFields(object{"data.state.id": "rejected",
				"data.changes.0.email.status": "QUEUED", "data.changes.1.email.status": "CANCELLED",
				"data.changes.2.email": nil})
		}
		if all := box.send(); len(all) != 1 {
			t.Errorf("%d emails were sent, want 1", len(all))
		}
		o.reject([]string{session}, withDelay(0)).wantFields(object{"data.rows.0.email.status": "SENT",
			"data.emailBatchId": nil})
		box.sendNone()
		if events := a.do("GET", "/v1/events?type=candidate.state_changed", o.owner, nil).want(200); events.items() != 1 {
			t.Errorf("there are %d events, want 1: %s", events.items(), events.body)
		}
	}, sendsEmail)
}

// emailEntry is the entry of the email about a decision in the timeline of a session.
func (o *tenant) emailEntry(sessionID string) object {
	o.api.t.Helper()
	timeline := o.api.do("GET", "/v1/candidate-sessions/"+sessionID+"/timeline", o.owner, nil).want(200)
	var found []object
	for _, entry := range timeline.list("data") {
		if entry := entry.(object); entry["email"] == "DECISION" {
			found = append(found, entry)
		}
	}
	if len(found) != 1 {
		o.api.t.Fatalf("the timeline has %d entries, want 1: %v", len(found), found)
	}
	return found[0]
}

// A candidate who was shortlisted again or erased receives no rejection, nor does a preview of the assessment.
func TestReviewEmailIsNotSent(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		box, assessmentID := a.outbox(), o.publish(oneQuestion())
		sessions := o.candidatesOf(assessmentID, 4)
		again, late, erased := sessions[0], sessions[1], sessions[2]
		o.reject(sessions[:3], withDelay(30))
		state := func(id, to string, email any) {
			a.do("PUT", "/v1/candidate-sessions/"+id+"/review/state", o.owner, object{"stateId": to, "email": email}).want(200)
		}
		a.do("PUT", "/v1/candidate-sessions/"+again+"/review/state", o.member("MEMBER").who,
			object{"stateId": "shortlisted"}).want(200).wantFields(object{
			"data.changes.0.email": nil, "data.changes.1.email.status": "CANCELLED",
		})
		a.clock.Advance(time.Second)
		state(again, "rejected", withDelay(60))
		a.erase(o.owner, erased).want(204)
		preview := a.do("POST", "/v1/assessments/"+assessmentID+"/preview", o.owner, nil).want(201).text("data.id")
		state(preview, "rejected", withDelay(0))
		a.clock.Advance(31 * time.Minute)
		o.owner = bearer(a.login(o.email).access)
		claimed := box.claim() // a worker has claimed it, but not read what it says
		if claimed == nil || *claimed.SessionID != late {
			t.Fatalf("the email %v is due, want that to %s", claimed, late)
		}
		a.do("PUT", "/v1/candidate-sessions/"+late+"/review/state", o.owner, object{"stateId": "hired"}).want(200)
		if content := box.content(*claimed); content != nil {
			t.Errorf("the email says %+v after another change of the state", content.Written)
		}
		box.settle(*claimed, store.EmailCancelled, "")
		box.sendNone()
		a.clock.Advance(time.Hour)
		o.owner = bearer(a.login(o.email).access)
		if sent := box.sendOne(); *sent.SessionID != again {
			t.Errorf("the email to %s was sent, want that to %s", *sent.SessionID, again)
		}
		a.do("GET", "/v1/candidate-sessions/"+erased+"/review", o.owner, nil).want(200).wantFields(object{
			"data.changes.0.email.status": "CANCELLED", "data.changes.0.email.endedAt": nil,
			"data.changes.0.email.subject": "S",
		})
		batch := a.do("GET", "/v1/candidate-sessions/"+erased+"/review", o.owner, nil).text("data.changes.0.email.batchId")
		a.do("POST", "/v1/review-emails/"+batch+"/cancel", o.owner, nil).want(200).wantFields(cancelled(3, 0, 0))

		// The words are erased with their last candidate.
		for _, id := range sessions[:2] {
			a.erase(o.owner, id).want(204)
		}
		for _, column := range []string{"subject", "text"} {
			if words := storetest.Column(t, a.database, "review_email_batches", column); strings.Join(words, "") != "" {
				t.Errorf("after the erasure of all candidates, the batches have the %s %q", column, words)
			}
		}
	}, sendsEmail)
}

// An email about a decision is not a reminder, and does not end or delay one.
func TestReviewEmailAndReminders(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		box := a.outbox()
		id := o.invite(o.publish(oneQuestion(object{"remindAfterHours": []any{24}})), object{"sendEmail": true}).
			text("data.id")
		path := "/v1/candidate-sessions/" + id
		a.do("PUT", path+"/review/state", o.owner, object{"stateId": "shortlisted", "email": withDelay(60)}).want(200)
		if sent := box.sendOne(); sent.Email.Kind != store.EmailInvite {
			t.Fatalf("the first email is %s", sent.Email.Kind)
		}
		a.do("POST", path+"/resend", o.owner, object{"sendEmail": true}).want(200)
		box.sendOne()
		a.clock.Advance(2 * time.Hour)
		if sent := box.sendOne(); sent.Email.Kind != store.EmailDecision {
			t.Fatalf("the second email is %s", sent.Email.Kind)
		}
		a.clock.Advance(23 * time.Hour)
		if sent := box.sendOne(); sent.Email.Kind != store.EmailReminder {
			t.Fatalf("the third email is %s", sent.Email.Kind)
		}
	}, sendsEmail)
}

// What is wrong with an email refuses the whole request, and nothing changes.
func TestReviewEmailRefused(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		sessions := o.candidatesOf(o.publish(oneQuestion()), 1)
		path := "/v1/candidate-sessions/" + sessions[0] + "/review"
		for pointer, email := range map[string]object{
			"/subject":      {"subject": "Dear {{name}}", "text": "T"},
			"/text":         {"subject": "S", "text": "Dear {{candidateName}} {{candidateEmail}}"},
			"/text ":        {"subject": "S", "text": "Dear {{candidateName"},
			"/text  ":       {"subject": "S", "text": strings.Repeat("x", 5001)},
			"/subject ":     {"subject": "S\r\nBcc: all@example.com", "text": "T"},
			"/delayMinutes": {"subject": "S", "text": "T", "delayMinutes": 1441},
		} {
			pointer = strings.TrimSpace(pointer)
			a.do("PUT", bulkStates, o.owner, bulkRejection(sessions, email)).want(400, "invalid_request").
				wantFields(object{"errors.0.pointer": "/email" + pointer})
			a.do("PUT", path+"/state", o.owner, object{"stateId": "rejected", "email": email}).want(400, "invalid_request").
				wantFields(object{"errors.0.pointer": "/email" + pointer})
			if pointer != "/delayMinutes" {
				a.do("POST", path+"/email/preview", o.owner, email).want(400, "invalid_request").
					wantFields(object{"errors.0.pointer": pointer})
			}
		}
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.state.id": "new"})
		a.erase(o.owner, sessions[0]).want(204)
		a.do("POST", path+"/email/preview", o.owner, object{"subject": "S", "text": "T"}).want(409, "session_erased")
	}, sendsEmail)
}

// A service without a mail server refuses the change, which would otherwise happen without its email.
func TestReviewEmailWithoutMailServer(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		path, sessionID := o.reviewOf(o.publish(oneQuestion()))
		key, public := o.key("reviews:read", "reviews:write"), "/v1/public/candidate-sessions/"
		one := object{"stateId": "rejected", "email": withDelay(0)}
		a.do("PUT", bulkStates, o.owner, bulkRejection([]string{sessionID}, rejection)).want(409, "email_not_configured")
		a.do("PUT", public+"review-states", key, bulkRejection([]string{sessionID}, rejection)).
			want(409, "email_not_configured")
		a.do("PUT", path+"/state", o.owner, one).want(409, "email_not_configured")
		a.do("PUT", public+sessionID+"/review/state", key, one).want(409, "email_not_configured")
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.state.id": "new"})
		a.do("POST", path+"/email/preview", o.owner, object{"subject": "S", "text": "T"}).want(200)
	})
}

// The preview is the email of one candidate. Neither the words nor the names in them become HTML.
func TestReviewEmailPreview(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.invite(o.publish(oneQuestion(object{"title": "Tom & Jerry", "locale": "de"})), object{
			"candidateName": `<img src=x onerror=alert(1)> {{organizationName}}`, "candidateEmail": "x@example.com",
		}).text("data.id")
		preview := a.do("POST", "/v1/candidate-sessions/"+id+"/review/email/preview", o.owner, object{
			"subject": "{{assessmentTitle}} <b>", "text": "Hello {{candidateName}}\nsecond line\n\n" +
				"**bold** [link](https://evil.example) <script>alert(1)</script>\r\n\r\nhttps://evil.example\u0007",
		}).want(200).wantFields(object{"data.to": "x@example.com", "data.subject": "Tom & Jerry <b>"})
		html, text := preview.text("data.html"), preview.text("data.text")
		for _, part := range []string{
			"Hello &lt;img src=x onerror=alert(1)&gt; {{organizationName}}<br>second line</p>",
			"**bold** [link](https://evil.example) &lt;script&gt;alert(1)&lt;/script&gt;</p>", ">https://evil.example</p>",
			"Eine Nachricht für Sie, &lt;img", "<strong", "Tom &amp; Jerry",
		} {
			if !strings.Contains(html, part) {
				t.Errorf("the HTML lacks %q:\n%s", part, html)
			}
		}
		_, body, _ := strings.Cut(html, "<body")
		body = strings.Replace(body, `<a class="link" href="https://assay.test/unsubscribe"`, "", 1) // leads nowhere
		for _, part := range []string{"<img", "<script", "<b>", "<a ", "\u0007"} {
			if strings.Contains(body, part) {
				t.Errorf("the HTML has %q:\n%s", part, body)
			}
		}
		want := "Hello <img src=x onerror=alert(1)> {{organizationName}}\nsecond line\n\n" +
			"**bold** [link](https://evil.example) <script>alert(1)</script>\n\nhttps://evil.example\n\nTest: Tom & Jerry\n"
		if !strings.Contains(text, want) {
			t.Errorf("the text is\n%s\nwant\n%s", text, want)
		}
		if states := o.reviewStateOf(id); states != "new" {
			t.Errorf("the preview put the candidate into %s", states)
		}
	}, sendsEmail)
}

// Two workers on two replicas send each email once, while people cancel: what is counted as cancelled is never sent.
func TestReviewEmailsOnTwoReplicas(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		sessions := o.candidatesOf(o.publish(oneQuestion()), 20)
		batch := o.reject(sessions, withDelay(0)).text("data.emailBatchId")
		sent := map[string]int{}
		answers := atOnce(4, func(i int) any {
			server := []*api{a, b}[i%2]
			if i < 2 {
				var ids []string
				for _, email := range server.outbox().send() {
					ids = append(ids, *email.SessionID)
				}
				return ids
			}
			return server.do("POST", fmt.Sprintf("/v1/review-emails/%s/cancel", batch), o.owner, nil)
		})
		for _, answer := range answers {
			if ids, ok := answer.([]string); ok {
				for _, id := range ids {
					sent[id]++
				}
			}
		}
		for id, times := range sent {
			if times != 1 {
				t.Errorf("the email to %s was sent %d times", id, times)
			}
		}
		for _, answer := range answers[2:] {
			answer.(response).want(200)
		}
		a.do("POST", "/v1/review-emails/"+batch+"/cancel", o.owner, nil).want(200).
			wantFields(cancelled(20-len(sent), len(sent), 0))
	}, sendsEmail)
}
