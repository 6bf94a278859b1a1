package contract

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"assay/server"
	"assay/store/keys"
)

// unsubscribe sends a request to the page of a link. form is the body of a POST.
func (a *api) unsubscribe(method, link, form string) response {
	a.t.Helper()
	r, err := http.NewRequest(method, a.url+strings.TrimPrefix(link, "https://assay.test"), strings.NewReader(form))
	if err != nil {
		a.t.Fatal(err)
	}
	if form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return a.send(r)
}

func (a *api) unsubscribeLink(id string) string {
	return "https://assay.test/unsubscribe?token=" + a.store.Keys().LinkToken(keys.PurposeUnsubscribe, id)
}

// shows fails the test unless the response is the page with the text, in the language, and
// with or without a form.
func (r response) shows(locale, text string, form bool) {
	r.t.Helper()
	page := string(r.body)
	if !strings.Contains(page, `<html lang="`+locale+`"`) || !strings.Contains(html.UnescapeString(page), text) ||
		strings.Contains(page, `<form method="post"><button>`) != form || strings.Contains(page, "<script") ||
		r.header.Get("Set-Cookie") != "" || r.header.Get("Content-Type") != "text/html; charset=UTF-8" ||
		r.header.Get("Content-Security-Policy") != unsubscribePolicy {
		r.t.Errorf("%s: %v\n%s", r.name, r.header, page)
	}
}

// The link in an email about finished candidates asks, and ends nothing. The button ends the
// emails about all assessments, also a queued one.
func TestUnsubscribeFromFinishedEmails(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		first, second := o.publish(oneQuestion()), o.publish(oneQuestion())
		a.subscribe(o.owner, first, true)
		a.subscribe(o.owner, second, true)
		a.complete(o.invite(first).candidate())
		link := a.outbox().sendOne().UnsubscribeURL
		if link != a.unsubscribeLink(a.userID(o.owner)) {
			t.Errorf("the link is %s", link)
		}
		a.complete(o.invite(second).candidate())
		a.outbox().sendNone() // it is due in an hour

		for range 2 {
			a.unsubscribe("GET", link, "").want(200).shows("en", "stop the emails about candidates", true)
			a.unsubscribe("HEAD", link, "").want(200)
		}
		a.do("GET", "/v1/assessments/"+first+"/notifications", o.owner, nil).want(200).
			wantFields(object{"data.finishedEmail": true})
		for range 2 {
			a.unsubscribe("POST", link, "List-Unsubscribe=One-Click").want(200).shows("en", "no more emails", false)
		}
		for _, id := range []string{first, second} {
			a.do("GET", "/v1/assessments/"+id+"/notifications", o.owner, nil).want(200).
				wantFields(object{"data.finishedEmail": false})
		}
		a.clock.Advance(time.Hour)
		a.outbox().sendNone()
		if strings.Contains(a.log.String(), link[len(link)-43:]) {
			t.Error("the log contains the token")
		}
	}, sendsEmail)
}

// The link in a reminder ends the reminders of its session and of no other one.
func TestUnsubscribeFromReminders(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessment := o.publish(oneQuestion(object{"remindAfterHours": []int{24, 48}}))
		invite := func() response { return o.invite(assessment, object{"sendEmail": true}) }
		ended, other := invite(), invite()
		a.outbox().send()
		a.clock.Advance(24 * time.Hour)
		reminders := a.outbox().send()
		if len(reminders) != 2 {
			t.Fatalf("%d reminders, want 2", len(reminders))
		}
		link := a.unsubscribeLink(ended.text("data.id"))
		if reminders[0].UnsubscribeURL != link && reminders[1].UnsubscribeURL != link {
			t.Errorf("no reminder has the link %s", link)
		}
		a.unsubscribe("GET", link, "").want(200).shows("en", "stop the reminders", true)
		a.unsubscribe("POST", link, "").want(200).shows("en", "no more reminders", false)
		a.clock.Advance(24 * time.Hour)
		left := a.outbox().send()
		if len(left) != 1 || *left[0].SessionID != other.text("data.id") {
			t.Errorf("%d reminders after the end of one, want 1", len(left))
		}
	}, sendsEmail)
}

// The page has the language of the email: that of the assessment, or else that of the
// organization, or else English.
func TestUnsubscribeLanguages(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		wanted := map[string]string{
			"de-CH": "de", "en-GB": "en", "es-MX": "es", "pt-PT": "pt-BR",
			"zh": "zh-Hans", "zh-CN": "zh-Hans", "zh-TW": "en", "ko": "en",
		}
		for _, locale := range enumOf(t, "EmailTextLocaleInput") {
			wanted[locale] = locale
		}
		for locale, want := range wanted {
			session := o.invite(o.publish(oneQuestion(object{"locale": locale}))).text("data.id")
			page := a.unsubscribe("GET", a.unsubscribeLink(session), "").want(200)
			page.shows(want, "", true)
			if rightToLeft := strings.Contains(string(page.body), `dir="rtl"`); rightToLeft != (want == "ar") {
				t.Errorf("%s: the direction is wrong\n%s", locale, page.body)
			}
		}
		session := o.invite(o.publish(oneQuestion())).text("data.id")
		for _, locale := range []string{"pl", "de"} {
			a.do("PATCH", "/v1/organization", o.owner, object{"locale": locale}).want(200)
			a.unsubscribe("GET", a.unsubscribeLink(session), "").want(200).shows(locale, "", true)
		}
		member := a.unsubscribeLink(a.userID(o.owner))
		a.unsubscribe("GET", member, "").want(200).shows("de", "über abgeschlossene Tests", true)
		a.do("PATCH", "/v1/organization", o.owner, object{"locale": "pl"}).want(200)
		a.unsubscribe("GET", member, "").want(200).shows("en", "about candidates", true)
	})
}

// Any text that is no token gets a page with 404, also tokens of other links and of removed
// members.
func TestUnsubscribeWrongTokens(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		removed := o.member("MEMBER")
		a.remove(o.owner, removed.id).want(204)
		valid := a.unsubscribeLink(a.userID(o.owner))
		for _, link := range []string{
			"/unsubscribe", "/unsubscribe?token=", "/unsubscribe?token=uns_", "/unsubscribe?token=%00", "/unsubscribe?token=%ff",
			"/unsubscribe?token=" + strings.Repeat("A", 5000), valid + "0", valid[:len(valid)-1], valid + "%0a",
			strings.Replace(valid, "token", "Token", 1),
			"/unsubscribe?token=" + a.store.Keys().LinkToken(keys.PurposePasswordReset, a.userID(o.owner)),
			a.unsubscribeLink(removed.id), a.unsubscribeLink(o.organizationID),
			a.unsubscribeLink("ses_" + strings.Repeat("0", 26)),
		} {
			for _, method := range []string{"GET", "POST"} {
				a.unsubscribe(method, link, "").want(404).shows("en", "This link is not valid.", false)
			}
		}
		a.unsubscribe("PUT", valid, "").want(405)
	})
}

// The page counts for the limit of public pages.
func TestUnsubscribeLimit(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		link := a.unsubscribeLink(a.userID(a.register().owner))
		limited := serve(t, a.store, a.clock, func(opts *server.Options) {
			opts.RateLimits = server.RateLimits{Pages: server.RateLimit{Requests: 2, Window: time.Minute, Burst: 2}}
		})
		limited.unsubscribe("GET", link, "").want(200)
		limited.unsubscribe("POST", link, "").want(200)
		limited.unsubscribe("POST", link, "").want(429, "rate_limited")
	})
}
