package contract

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// Each limit refuses with a page and Retry-After, before an email is queued.
func TestCandidateRegistrationRateLimits(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		first, second := o.open(o.publish(oneQuestion()), object{}), o.open(o.publish(oneQuestion()), object{})
		enter := func(at *api, ip, link, email string, status int) {
			t.Helper()
			page := at.visit(ip, link, person("Mei", email)).want(status)
			if status == 429 && (page.says("try again later").header.Get("Retry-After") == "") {
				t.Errorf("no Retry-After: %v", page.header)
			}
		}
		known := newEmail()
		enter(a, "192.0.2.1", first, known, 202)
		enter(b, "192.0.2.2", second, known, 202)
		enter(a, "192.0.2.3", first, known, 429) // 2 for the address
		enter(a, "2001:db8::1", first, newEmail(), 202)
		enter(b, "2001:db8::2", first, newEmail(), 202)
		enter(b, "2001:db8::2", first, newEmail(), 202)
		enter(a, "2001:db8::ffff", second, newEmail(), 429) // 3 for the network and hour
		a.clock.Advance(time.Hour)
		enter(a, "2001:db8::1", second, newEmail(), 202)
		enter(b, "2001:db8::1", second, newEmail(), 429) // 4 for the network and day
		enter(b, "192.0.2.9", first, newEmail(), 202)
		enter(b, "192.0.2.10", first, newEmail(), 429) // 6 for the assessment, with the refused ones
		enter(b, "192.0.2.10", second, newEmail(), 202)
		a.clock.Advance(24 * time.Hour)
		enter(b, "192.0.2.10", first, known, 202)
	}, sendsEmail, func(opts *store.Options) {
		opts.SignInLimits = store.SignInLimits{
			CandidateIP:         store.RateLimit{Name: "candidate-ip", Requests: 3, Window: time.Hour},
			CandidateIPDaily:    store.RateLimit{Name: "candidate-ip-daily", Requests: 4, Window: 24 * time.Hour},
			CandidateAddress:    store.RateLimit{Name: "candidate-address", Requests: 2, Window: 24 * time.Hour},
			CandidateAssessment: store.RateLimit{Name: "candidate-assessment", Requests: 5, Window: 24 * time.Hour},
		}
	})
}

// Members of each role open and close registration. Another organization's assessment is one that does not exist.
func TestCandidateRegistrationTenancy(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		assessment := o.publish(oneQuestion())
		member := o.member("MEMBER")
		path := "/v1/assessments/" + assessment + "/registration"
		a.do("PUT", path, member.who, object{"limit": 1}).want(200)
		a.do("DELETE", path, member.who, nil).want(204)
		for _, id := range []string{assessment, "asm_01hzzzzzzzzzzzzzzzzzzzzzzz"} {
			foreign := "/v1/assessments/" + id + "/registration"
			a.do("GET", foreign, other.owner, nil).want(404, "not_found")
			a.do("PUT", foreign, other.owner, object{}).want(404, "not_found")
			a.do("DELETE", foreign, other.owner, nil).want(404, "not_found")
		}
		a.do("PUT", path, o.owner, object{"limit": 0}).want(400, "invalid_request")
		draft := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		a.do("PUT", "/v1/assessments/"+draft+"/registration", o.owner, object{}).want(409, "assessment_not_published")
		for _, link := range []string{
			"/registration", "/registration?token=", "/registration?token=A", "/registration/confirm",
			"/registration?token=%00", "/registration?token=%ff%fe", "/registration?token=" + strings.Repeat("A", 5000),
			"/registration/confirm?token=cnf_%00", "/registration/confirm?token=%ff",
			"/registration/confirm?token=cnf_reg_01hzzzzzzzzzzzzzzzzzzzzzzz_" + strings.Repeat("A", 43),
		} {
			a.visit("192.0.2.1", link, nil).want(404).says("This link does not work")
			a.visit("192.0.2.1", link, person("Mei", newEmail())).want(404)
		}
	}, sendsEmail)
}

// Without a mail server, nobody can prove an address.
func TestCandidateRegistrationWithoutMailServer(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		path := "/v1/assessments/" + o.publish(oneQuestion()) + "/registration"
		a.do("PUT", path, o.owner, object{}).want(409, "email_not_configured")
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.url": nil})
	})
}

// An erasure removes the registrations of the person in all assessments of the organization, with the queued email.
func TestCandidateRegistrationErasure(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		assessment, email := o.publish(oneQuestion()), newEmail()
		erased := o.invite(assessment, object{"candidateEmail": strings.ToUpper(email)}).text("data.id")
		for _, link := range []string{
			o.open(assessment, object{}), o.open(o.publish(oneQuestion()), object{}),
			other.open(other.publish(oneQuestion()), object{}),
		} {
			a.visit("192.0.2.1", link, person("Mei", email)).want(202)
			a.visit("192.0.2.1", link, person("Ada", newEmail())).want(202)
		}
		a.do("DELETE", "/v1/candidate-sessions/"+erased+"/candidate-data", o.owner, nil).want(204)
		if rows := storetest.Count(t, a.database, "registrations"); rows != 4 {
			t.Errorf("%d registrations remain, want 4", rows)
		}
		mine := 0
		for _, sent := range a.outbox().send() {
			if sent.ToAddress == email {
				mine++
			}
		}
		if mine != 1 { // of the other organization
			t.Errorf("%d emails to the erased address, want 1", mine)
		}
	}, sendsEmail)
}

// The pages have all languages of candidates. The language in the address comes first, then the language of the
// assessment, then the browser's languages.
func TestCandidateRegistrationLanguages(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		plain := o.open(o.publish(oneQuestion()), object{})
		polish := o.open(o.publish(oneQuestion(object{"locale": "pl"})), object{})
		for _, locale := range enumOf(t, "EmailTextLocaleInput") {
			for _, page := range []response{
				a.visit("192.0.2.1", plain+"&lang="+locale, nil), a.visit("192.0.2.1", polish+"&lang="+locale, nil),
				a.visit("192.0.2.1", plain, nil, "Accept-Language", locale+",en;q=0.5"),
			} {
				direction := "ltr"
				if locale == "ar" {
					direction = "rtl"
				}
				page.want(200).says(`<html lang="` + locale + `" dir="` + direction + `">`)
			}
		}
		a.visit("192.0.2.1", polish, nil, "Accept-Language", "ja").says(`<html lang="pl"`)
		a.visit("192.0.2.1", plain+"&lang=de", person("Mei", newEmail())).want(202).says("Sehen Sie in Ihre E-Mails")
		email := a.outbox().sendOne()
		if email.Locale != "de" {
			t.Errorf("the email has the language %q", email.Locale)
		}
		a.visit("192.0.2.1", email.Registration.Link, nil).want(200).says("Bestätigen Sie Ihre E-Mail-Adresse")
		to := a.visit("192.0.2.1", email.Registration.Link, url.Values{}).want(303).header.Get("Location")
		if !strings.HasPrefix(to, "https://assay.test/take?lang=de#") {
			t.Errorf("the confirmation leads to %s", to)
		}
	}, sendsEmail)
}
