package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// wantEmail compares the email of the session in the response.
func (r response) wantEmail(status store.EmailStatus) response {
	r.t.Helper()
	return r.wantFields(object{"data.email.status": string(status)})
}

// sendsInvites sets whether invites are sent by email if the request does not say it.
func (o *tenant) sendsInvites(sends bool) {
	o.api.t.Helper()
	o.api.do("PATCH", "/v1/organization", o.owner, object{"sendInviteEmail": sends}).want(200)
}

// The request decides whether an invite is sent by email, or else the organization.
func TestInvitesByEmail(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		id := o.publish(oneQuestion())
		for _, byDefault := range []bool{false, true} {
			o.sendsInvites(byDefault)
			for prefix, who := range o.callers() {
				path := prefix + "/candidate-sessions"
				for given, want := range map[any]bool{nil: byDefault, false: false, true: true} {
					name := fmt.Sprint(path, " default ", byDefault, " given ", given)
					status, count := store.EmailNone, 0
					if want {
						status, count = store.EmailQueued, 1
					}
					body := object{"assessmentId": id, "candidateName": "Grace Hopper",
						"candidateEmail": fmt.Sprintf("email%d@example.com", invited.Add(1))}
					again := object{}
					if given != nil {
						body["sendEmail"], again["sendEmail"] = given, given
					}

					created := a.do("POST", path, who, body).want(201).wantEmail(status)
					wantSent(t, name, box, count, created)
					resent := a.do("POST", path+"/"+created.text("data.id")+"/resend", who, again).want(200).wantEmail(status)
					wantSent(t, name+" resend", box, count, resent)

					body["candidateEmail"] = fmt.Sprintf("email%d@example.com", invited.Add(1))
					bulk := a.do("POST", path+"/bulk", who, object{"rows": []any{body}}).want(200)
					bulk.wantFields(object{"data.rows.0.session.email.status": string(status)})
					if all := box.send(); len(all) != count {
						t.Errorf("%s: the bulk request sends %d emails, want %d", name, len(all), count)
					}
				}
			}
		}
	}, sendsEmail)
}

// wantSent sends the emails that are due, and compares their number and their link.
func wantSent(t *testing.T, name string, box *outbox, count int, session response) {
	t.Helper()
	all := box.send()
	if len(all) != count {
		t.Errorf("%s: %d emails, want %d", name, len(all), count)
	}
	for _, email := range all {
		if link := email.Invite.InviteURL; link != session.text("data.inviteUrl") {
			t.Errorf("%s: the email has the link %s, want %s", name, link, session.text("data.inviteUrl"))
		}
	}
}

// Without a mail server, only a request that asks for an email is refused.
func TestNoMailServer(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		id := o.publish(oneQuestion())
		o.sendsInvites(true)
		session := o.invite(id).wantEmail(store.EmailNone)
		for prefix, who := range o.callers() {
			path := prefix + "/candidate-sessions"
			again := path + "/" + session.text("data.id") + "/resend"
			body := object{"assessmentId": id, "candidateName": "x", "candidateEmail": "x@example.com", "sendEmail": true}
			a.do("POST", path, who, body).want(409, "email_not_configured")
			a.do("POST", path+"/bulk", who, object{"rows": []any{body}}).want(200).
				wantFields(object{"data.rows.0.outcome": "FAILED", "data.rows.0.error.code": "email_not_configured"})
			a.do("POST", again, who, object{"sendEmail": true}).want(409, "email_not_configured")
			a.do("GET", path+"/"+session.text("data.id"), who, nil).want(200).
				wantFields(object{"data.inviteUrl": session.text("data.inviteUrl")})
			a.do("POST", again, who, object{"sendEmail": false}).want(200).wantEmail(store.EmailNone)
			session = a.do("POST", again, who, nil).want(200).wantEmail(store.EmailNone)
		}
		box.sendNone()
		if rows := storetest.Count(t, a.database, "emails"); rows != 0 {
			t.Errorf("%d emails are queued", rows)
		}
	})
}

// Requests that make no invite send no email.
func TestNoEmailWithoutAnInvite(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		id := o.publish(oneQuestion())
		o.sendsInvites(true)
		body := object{"assessmentId": id, "candidateName": "Ada", "candidateEmail": "ada@example.com", "sendEmail": true}
		a.do("POST", "/v1/candidate-sessions", o.owner, body).want(201)
		box.sendOne()

		a.do("POST", "/v1/candidate-sessions", o.owner, body).want(200).wantEmail(store.EmailSent)
		body["onExisting"], body["candidateName"] = "UPDATE", "Ada Lovelace"
		a.do("POST", "/v1/candidate-sessions", o.owner, body).want(200).wantEmail(store.EmailSent)
		row := object{"assessmentId": id, "candidateName": "Eve", "candidateEmail": "eve@example.com", "sendEmail": true}
		a.do("POST", "/v1/candidate-sessions/bulk", o.owner, object{"rows": []any{row}, "dryRun": true}).want(200)
		preview := a.do("POST", "/v1/assessments/"+id+"/preview", o.owner, nil).want(201).wantEmail(store.EmailNone)
		a.do("POST", "/v1/candidate-sessions/"+preview.text("data.id")+"/resend", o.owner, object{"sendEmail": true}).
			want(200).wantEmail(store.EmailNone)
		box.sendNone()

		repeated := func(path string, body object) {
			t.Helper()
			key := fmt.Sprint("key-", invited.Add(1))
			first := a.from("192.0.2.1", "POST", path, o.owner, body, "Idempotency-Key", key)
			box.sendOne()
			again := a.from("192.0.2.1", "POST", path, o.owner, body, "Idempotency-Key", key)
			if string(again.body) != string(first.body) {
				t.Errorf("the repetition is\n%s\nwant\n%s", again.body, first.body)
			}
			box.sendNone()
		}
		repeated("/v1/candidate-sessions", row)
		session := o.invite(id, object{"sendEmail": false})
		repeated("/v1/candidate-sessions/"+session.text("data.id")+"/resend", object{"sendEmail": true})
	}, sendsEmail)
}

// A session gets at most three emails with an invite in 24 hours. A refused request changes nothing.
func TestInviteEmailLimit(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		key := o.key()
		id := o.publish(oneQuestion())
		session := o.invite(id, object{"sendEmail": true})
		path := "/v1/public/candidate-sessions/" + session.text("data.id")
		box.sendOne()
		a.clock.Advance(time.Hour)
		a.do("POST", path+"/resend", key, object{"sendEmail": true}).want(200)
		a.clock.Advance(time.Hour)
		before := a.do("POST", path+"/resend", key, object{"sendEmail": true}).want(200) // also if the second was not sent
		box.sendOne()

		refused := a.do("POST", path+"/resend", key, object{"sendEmail": true}).want(429, "rate_limited")
		if after := refused.header.Get("Retry-After"); after != "79200" {
			t.Errorf("Retry-After is %s, want 22 hours", after)
		}
		a.do("GET", path, key, nil).want(200).wantEmail(store.EmailSent).wantFields(object{
			"data.inviteUrl": before.text("data.inviteUrl"), "data.expiresAt": before.text("data.expiresAt"),
		})
		box.sendNone()
		a.do("POST", path+"/resend", key, object{"sendEmail": false}).want(200).wantEmail(store.EmailNone)
		o.signIn()
		other := o.invite(id, object{"sendEmail": true}) // the limit is of the session
		box.sendOne()
		a.clock.Advance(22*time.Hour - time.Millisecond)
		a.do("POST", path+"/resend", key, object{"sendEmail": true}).want(429)
		a.clock.Advance(time.Millisecond)
		a.do("POST", path+"/resend", key, object{"sendEmail": true}).want(200).wantEmail(store.EmailQueued)
		a.do("POST", path+"/resend", key, object{"sendEmail": true}).want(429)
		a.do("GET", "/v1/public/candidate-sessions/"+other.text("data.id"), key, nil).want(200).wantEmail(store.EmailSent)
	}, sendsEmail)
}

// An email says what the candidate needs, in the state of the session when it is sent.
func TestInviteEmailContent(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		a.do("PATCH", "/v1/organization", o.owner, object{"locale": "fr", "timeZone": "Europe/Paris"}).want(200)
		closes := a.store.Now().Add(10 * 24 * time.Hour)
		definition := timed(60, 10, 20)
		definition["title"] = "Pharmacist"
		definition["inviteMessage"] = "We **look** forward.\n\n![x](https://x.example/y.png) [us](https://x.example)"
		id := o.publish(definition)
		session := o.invite(id, object{"sendEmail": true, "extraTimePercent": 25, "candidateName": "Mei"})
		a.do("PATCH", "/v1/candidate-sessions/"+session.text("data.id"), o.owner, object{"extraTimePercent": 50}).want(200)

		email := box.sendOne()
		invite := *email.Invite
		got := fmt.Sprint(email.ToName, " ", email.ToAddress, " ", email.Organization.ID == o.organizationID,
			" ", email.Locale, " ", email.TimeZone, " ", email.UnsubscribeURL == email.StopURL, " ",
			strings.HasSuffix(email.StopURL, "&lang=fr"), " ", invite.AssessmentTitle, " ",
			invite.TimeLimit.Minutes(), " ", invite.StageCount, " ", invite.QuestionCount, " ",
			store.WireTime(invite.ExpiresAt) == session.text("data.expiresAt"))
		want := fmt.Sprint("Mei ", session.text("data.candidateEmail"),
			" true fr Europe/Paris true true Pharmacist 45 2 2 true")
		if got != want {
			t.Errorf("the email has %s, want %s", got, want)
		}
		if invite.InviteURL != session.text("data.inviteUrl") {
			t.Errorf("the email has the link %s", invite.InviteURL)
		}
		const address = `<a href="https://x.example" rel="noopener noreferrer nofollow" target="_blank">us</a>`
		if want := "<p>We <strong>look</strong> forward.</p>\n<p>x " + address + "</p>"; invite.MessageHTML != want {
			t.Errorf("the message is %s", invite.MessageHTML)
		}
		if invite.MessageText != "We look forward.\n\nx us (https://x.example)" {
			t.Errorf("the text of the message is %q", invite.MessageText)
		}

		opens := a.store.Now().Add(24 * time.Hour)
		a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"locale": "pt-BR", "inviteMessage": nil,
			"opensAt": store.WireTime(opens), "closesAt": store.WireTime(closes)}).want(200)
		a.clock.Advance(2 * time.Second)
		o.invite(id, object{"sendEmail": true})
		email = box.sendOne()
		invite = *email.Invite
		if email.Locale != "pt-BR" || invite.MessageHTML+invite.MessageText != "" || *invite.TimeLimit != 30*time.Minute ||
			invite.Unlimited || !invite.ExpiresAt.Equal(closes) || invite.OpensAt == nil || !invite.OpensAt.Equal(opens) {
			t.Errorf("the email is in %s and has %+v", email.Locale, invite)
		}

		o.invite(o.publish(oneQuestion()), object{"sendEmail": true})
		if invite = *box.sendOne().Invite; invite.TimeLimit != nil || !invite.Unlimited || invite.OpensAt != nil {
			t.Errorf("the email has %+v, want no limits", invite)
		}

		// Some stages have a time limit, so there is no total, but a limit.
		opened := o.publish(timed(0, 10, 0))
		a.do("PATCH", "/v1/assessments/"+opened, o.owner, object{
			"opensAt": store.WireTime(a.store.Now().Add(time.Minute)),
		}).want(200)
		a.clock.Advance(2 * time.Minute)
		o.invite(opened, object{"sendEmail": true})
		if invite = *box.sendOne().Invite; invite.TimeLimit != nil || invite.Unlimited || invite.OpensAt != nil {
			t.Errorf("the email has %+v, want no total, and no time in the past", invite)
		}
	}, sendsEmail)
}

// An email that is no longer needed when its turn comes is not sent.
func TestInviteEmailNotNeeded(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		id := o.publish(oneQuestion())
		for name, end := range map[string]func(session response, path string){
			"started": func(session response, _ string) {
				a.do("POST", "/v1/candidate/session/start", session.candidate(), nil).want(200)
			},
			"cancelled": func(_ response, path string) { a.do("POST", path+"/cancel", o.owner, nil).want(200) },
			"expired": func(_ response, path string) {
				soon := a.store.Now().Add(time.Second)
				a.do("PATCH", path, o.owner, object{"expiresAt": store.WireTime(soon)}).want(200)
				a.setClock(soon)
			},
			"erased": func(_ response, path string) { a.do("DELETE", path+"/candidate-data", o.owner, nil).want(204) },
			"closed": func(response, string) {
				a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"closesAt": store.WireTime(a.store.Now())}).want(200)
			},
		} {
			session := o.invite(id, object{"sendEmail": true})
			path := "/v1/candidate-sessions/" + session.text("data.id")
			end(session, path)
			if all := box.send(); len(all) != 0 {
				t.Errorf("a %s session gets the email %+v", name, all[0].Invite)
			}
			a.do("GET", path, o.owner, nil).want(200).wantEmail(store.EmailNone)
			if shown := a.emailEntries(o, path); shown != "" {
				t.Errorf("the timeline of a %s session has %s", name, shown)
			}
			if name == "closed" {
				a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"closesAt": nil}).want(200)
			}
		}
	}, sendsEmail)
}
