package contract

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// inviteTo invites a candidate by email.
func (o *tenant) inviteTo(assessment, address string) response {
	o.api.t.Helper()
	return o.invite(assessment, object{"candidateEmail": address, "sendEmail": true, "onExisting": "NEW_ATTEMPT"})
}

// A candidate ends all emails of an organization with the request of a mail program (RFC 8058), or with the button.
// What a mail scanner does ends nothing. Invites succeed as before, say why there is no email, and have their link.
func TestUnsubscribeFromAnOrganization(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		const address = "mei@candidate.example"
		o, other, box := a.register(), a.register(), a.outbox()
		assessment := o.publish(oneQuestion())
		o.inviteTo(assessment, address)
		link := box.sendOne().UnsubscribeURL

		for _, scanned := range []string{http.MethodGet, http.MethodHead, http.MethodGet} {
			page := a.unsubscribe(scanned, link, "").want(200)
			if scanned == http.MethodGet {
				page.shows("en", "receive no more emails from this organization?", true)
				page.shows("en", "<strong>Analytical Engines</strong>", true)
			}
		}
		a.unsubscribe(http.MethodOptions, link, "")
		if rows := storetest.Count(t, a.database, "email_suppressions"); rows != 0 {
			t.Fatal("a request that is no POST ends the emails")
		}
		o.inviteTo(assessment, address)
		box.sendOne()

		for range 2 {
			a.unsubscribe("POST", link, "List-Unsubscribe=One-Click").want(200).
				shows("en", "You will receive no more emails from this organization.", false)
		}
		session := o.inviteTo(assessment, "MEI@candidate.example").wantEmail(store.EmailQueued)
		box.sendNone()
		why := object{
			"data.email.status": "FAILED", "data.email.failureCode": "suppressed",
			"data.email.failure": "This person has asked for no more emails from your organization.",
		}
		path := "/v1/candidate-sessions/" + session.text("data.id")
		shown := a.do("GET", path, o.owner, nil).want(200).wantFields(why)
		if !strings.HasPrefix(shown.text("data.inviteUrl"), "https://assay.test/take#") {
			t.Error("the link is not shown")
		}
		a.do("POST", path+"/resend", o.owner, object{"sendEmail": true}).want(200).wantEmail(store.EmailQueued).
			wantFields(object{"data.email.failure": nil, "data.email.failureCode": nil})
		box.sendNone()
		a.do("GET", path, o.owner, nil).want(200).wantFields(why)
		a.do("GET", "/v1/public"+strings.TrimPrefix(path, "/v1"), o.key(), nil).want(200).wantFields(why)
		timeline := a.do("GET", path+"/timeline", o.owner, nil).want(200)
		if body := string(timeline.body); strings.Count(body, `"failureCode":"suppressed"`) != 2 ||
			strings.Count(body, `"type":"EMAIL_FAILED"`) != 2 {
			t.Errorf("the timeline is %s", body)
		}

		other.inviteTo(other.publish(oneQuestion()), address) // has a list of its own
		box.sendOne()

		a.unsubscribe("POST", link, "resume=1").want(200).
			shows("en", "You will receive emails from this organization again.", false)
		o.inviteTo(assessment, address)
		box.sendOne()
		if strings.Contains(a.log.String(), link[len(link)-43:]) {
			t.Error("the log contains the token")
		}
	}, sendsEmail)
}

// Each email to a candidate has the link, also in its text. Emails to members have none, and a member who is also a
// candidate gets the link to reset the password after having ended all emails.
func TestWhichEmailsCanBeEnded(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		assessment := o.publish(oneQuestion(object{"remindAfterHours": []int{24}}))
		member := o.member("MEMBER")
		box.send()
		session := o.inviteTo(assessment, member.email)
		stop := box.sendOne().StopURL
		a.clock.Advance(24 * time.Hour)
		reminder := box.sendOne()
		if reminder.StopURL != stop || reminder.UnsubscribeURL != a.unsubscribeLink(session.text("data.id")) {
			t.Errorf("the reminder has %s and %s", reminder.StopURL, reminder.UnsubscribeURL)
		}
		page := a.unsubscribe("GET", reminder.UnsubscribeURL, "").want(200)
		page.shows("en", "Stop all emails from this organization", true)
		if !strings.Contains(string(page.body), `href="`+strings.ReplaceAll(stop, "&", "&amp;")+`"`) {
			t.Errorf("the page about reminders has no link to %s:\n%s", stop, page.body)
		}
		a.unsubscribe("POST", stop, "").want(200)
		a.do("POST", "/v1/auth/forgot-password", anonymous, object{"email": member.email}).want(202)
		if email := box.sendOne(); email.Email.Kind != store.EmailPasswordReset || email.StopURL+email.UnsubscribeURL != "" {
			t.Errorf("%s has %q", email.Email.Kind, email.StopURL)
		}

		owner := bearer(a.login(o.email).access)
		a.do("DELETE", "/v1/candidate-sessions/"+session.text("data.id")+"/candidate-data", owner, nil).want(204)
		if rows := storetest.Column(t, a.database, "email_suppressions", "reason || address_hash"); len(rows) != 1 ||
			strings.Contains(rows[0], "@") {
			t.Errorf("after the erasure the list has %q", rows)
		}
		if page := a.unsubscribe("GET", reminder.UnsubscribeURL, ""); strings.Contains(string(page.body), "<a ") {
			t.Errorf("the page of an erased candidate has a link:\n%s", page.body)
		}
	}, sendsEmail)
}

// The page has the language of the email.
func TestUnsubscribeAllLanguages(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		for locale, want := range map[string]string{"ar": "ar", "de-CH": "de", "pl": "pl", "ja": "ja", "ko": "en"} {
			o.inviteTo(o.publish(oneQuestion(object{"locale": locale})), "mei@candidate.example")
			link := box.sendOne().StopURL
			a.unsubscribe("GET", link, "").want(200).shows(want, "", true)
			a.unsubscribe("POST", link, "").want(200).shows(want, "", false)
			a.unsubscribe("POST", link, "resume=1").want(200).shows(want, "", false)
		}
	}, sendsEmail)
}
