package contract

import (
	"fmt"
	"net"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"assay/store"
	"assay/store/keys"
	"assay/store/storetest"
)

// open opens registration, and returns the link.
func (o *tenant) open(assessmentID string, settings object) string {
	o.api.t.Helper()
	path := "/v1/assessments/" + assessmentID + "/registration"
	return o.api.do("PUT", path, o.owner, settings).want(200).text("data.url")
}

// visit sends a request of a browser to the page of a link. form is nil for a GET.
func (a *api) visit(ip, link string, form url.Values, headers ...string) response {
	a.t.Helper()
	method := "GET"
	if form != nil {
		method = "POST"
	}
	r := httptest.NewRequestWithContext(a.t.Context(), method, strings.TrimPrefix(link, "https://assay.test"),
		strings.NewReader(form.Encode()))
	r.RemoteAddr = net.JoinHostPort(ip, "4711")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	a.server.ServeHTTP(recorder, r)
	return response{
		t: a.t, name: method + " " + r.URL.Path, status: recorder.Code, header: recorder.Header(),
		body: recorder.Body.Bytes(),
	}
}

// says fails the test unless the response is a page with the text.
func (r response) says(text string) response {
	r.t.Helper()
	page := html.UnescapeString(string(r.body))
	if !strings.Contains(page, text) || strings.Contains(page, "<script") || r.header.Get("Set-Cookie") != "" ||
		r.header.Get("Content-Type") != "text/html; charset=UTF-8" || r.header.Get("Cache-Control") != "no-store" ||
		!strings.Contains(r.header.Get("Content-Security-Policy"), "default-src 'none'") {
		r.t.Errorf("%s: no %q in %v\n%s", r.name, text, r.header, page)
	}
	return r
}

func person(name, email string) url.Values { return url.Values{"name": {name}, "email": {email}} }

// enter registers a person, and returns the link in the email.
func (a *api) enter(link, name, email string) string {
	a.t.Helper()
	a.visit("192.0.2.1", link, person(name, email)).want(202).says("Check your email")
	sent := a.outbox().sendOne()
	if sent.Email.Kind != store.EmailRegistration || sent.ToAddress != email || sent.Registration.Link == "" {
		a.t.Fatalf("the email is %+v", sent)
	}
	return sent.Registration.Link
}

// confirm opens the link in the email, presses the button, and returns the credential of the candidate.
func (a *api) confirm(link string) credential {
	a.t.Helper()
	a.visit("192.0.2.1", link, nil).want(200).says("Confirm your email address")
	to := a.visit("192.0.2.1", link, url.Values{}).want(303).header.Get("Location")
	token, found := strings.CutPrefix(to, "https://assay.test/take?lang=en#")
	if !found {
		a.t.Fatalf("the confirmation leads to %q", to)
	}
	return bearer(token)
}

// A person registers, proves the address, and is a candidate like any other. Opening a link changes nothing.
func TestCandidateRegistration(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessment, email := o.publish(oneQuestion()), newEmail()
		path := "/v1/assessments/" + assessment + "/registration"
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{
			"data.open": false, "data.url": nil, "data.used": 0.0, "data.limit": nil, "data.nameRequired": true,
		})
		link := o.open(assessment, object{"limit": 2, "introduction": "Two <cooks>\nfor the harbour"})
		a.visit("192.0.2.1", link, nil).want(200).says("One question").says("Two <cooks>\nfor the harbour")
		confirmation := a.enter(link, "Mei Lindqvist", email)
		for range 2 {
			a.visit("192.0.2.1", confirmation, nil).want(200).says(email)
		}
		if rows := storetest.Count(t, a.database, "candidate_sessions"); rows != 0 {
			t.Fatalf("%d sessions before the confirmation", rows)
		}
		who := a.confirm(confirmation)
		if again := a.confirm(confirmation); again != who { // a used link leads to the same session
			t.Errorf("the second confirmation leads to %v, want %v", again, who)
		}
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.open": true, "data.used": 1.0, "data.limit": 2.0})
		sessions := a.do("GET", "/v1/candidate-sessions", o.owner, nil).want(200)
		sessions.wantFields(object{
			"data.0.candidateName": "Mei Lindqvist", "data.0.candidateEmail": email, "data.0.status": "INVITED",
			"data.0.attempt": 1.0, "data.0.metadata.source": "registration",
		})
		if events := o.eventsOf("candidate.invited", sessions.text("data.0.id")); len(events) != 1 {
			t.Errorf("%d events, want 1", len(events))
		}
		if invite := a.outbox().sendOne(); invite.Email.Kind != store.EmailInvite {
			t.Errorf("the second email is %s", invite.Email.Kind)
		}
		a.complete(who)
		if strings.Contains(a.log.String(), confirmation[len(confirmation)-43:]) {
			t.Error("the log contains the token of the confirmation")
		}
	}, sendsEmail)
}

// Fields that are wrong are named, keep what was entered, and send nothing.
func TestCandidateRegistrationForm(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		link := o.open(o.publish(oneQuestion()), object{})
		for _, wrong := range []struct {
			form        url.Values
			name, email bool
		}{
			{url.Values{}, true, true},
			{person("\u200b", "mei@candidate.example"), true, false},
			{person("Mei\u202e", "mei@candidate.example"), true, false},
			{person("Mei\xff", "mei@candidate.example"), true, false},
			{person(strings.Repeat("é", 201), "mei@candidate.example"), true, false},
			{person("Mei", "mei@candidate"), false, true},
			{person("Mei", "Mei <mei@candidate.example>"), false, true},
			{person("Mei", "mei@candidate.example\xff"), false, true},
			{person("Mei", strings.Repeat("m", 20000)+"@candidate.example"), true, true}, // the body is too large
		} {
			page := a.visit("192.0.2.1", link, wrong.form).want(400).says("One question")
			body := string(page.body)
			if strings.Contains(body, `id="name-error"`) != wrong.name ||
				strings.Contains(body, `id="email-error"`) != wrong.email {
				t.Errorf("%.80q: %s", wrong.form, body)
			}
		}
		a.visit("192.0.2.1", link, person(`"><b>`, "mei@")).want(400).says(`value="">`)
		if page := a.visit("192.0.2.1", link, person(`"><b>`, "mei@")); strings.Contains(string(page.body), "<b>") {
			t.Errorf("the name is not escaped: %s", page.body)
		}
		a.outbox().sendNone()

		optional := o.open(o.publish(oneQuestion()), object{"nameRequired": false})
		a.visit("192.0.2.1", optional, nil).want(200).says("Name (optional)")
		email := newEmail()
		a.confirm(a.enter(optional, " ", email))
		a.do("GET", "/v1/candidate-sessions", o.owner, nil).want(200).wantFields(object{"data.0.candidateName": email})
	}, sendsEmail)
}

// A newer registration of an address replaces the previous one. Its link ends after a day, with a new registration
// link, and when registration is closed.
func TestCandidateRegistrationEnds(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessment, email := o.publish(oneQuestion()), newEmail()
		path := "/v1/assessments/" + assessment + "/registration"
		link := o.open(assessment, object{})
		first := a.enter(link, "Mei", email)
		second := a.enter(link, "Mei", strings.ToUpper(email[:1])+email[1:])
		a.visit("192.0.2.1", first, nil).want(404).says("This link does not work")
		a.visit("192.0.2.1", first, url.Values{}).want(404)
		a.visit("192.0.2.1", second, nil).want(200)
		if rows := storetest.Count(t, a.database, "registrations"); rows != 1 {
			t.Errorf("%d registrations of one person, want 1", rows)
		}

		a.clock.Advance(24 * time.Hour)
		a.visit("192.0.2.1", second, nil).want(404)
		a.visit("192.0.2.1", second, url.Values{}).want(404)
		if err := storetest.Purge(t.Context(), a.store, 30*24*time.Hour); err != nil {
			t.Fatal(err)
		}
		if rows := storetest.Count(t, a.database, "registrations"); rows != 1 {
			t.Errorf("the registration was removed at its end, want after it")
		}
		a.clock.Advance(time.Second)
		if err := storetest.Purge(t.Context(), a.store, 30*24*time.Hour); err != nil {
			t.Fatal(err)
		}
		if rows := storetest.Count(t, a.database, "registrations"); rows != 0 {
			t.Errorf("%d expired registrations remain", rows)
		}

		o.signIn()
		replaced := a.enter(link, "Mei", email)
		renewed := o.open(assessment, object{"newLink": true})
		if renewed == link || o.open(assessment, object{"limit": 9}) != renewed {
			t.Errorf("the links are %s and %s", link, renewed)
		}
		a.visit("192.0.2.1", link, nil).want(404).says("This link does not work")
		a.visit("192.0.2.1", link, person("Mei", email)).want(404)
		a.visit("192.0.2.1", replaced, url.Values{}).want(410).says("Registration has ended")

		open := a.enter(renewed, "Mei", email)
		for range 2 {
			a.do("DELETE", path, o.owner, nil).want(204)
		}
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.open": false, "data.url": renewed})
		a.visit("192.0.2.1", renewed, nil).want(200).says("Registration has ended")
		a.visit("192.0.2.1", renewed, person("Mei", email)).want(410).says("Registration has ended")
		a.visit("192.0.2.1", open, url.Values{}).want(410)

		end := a.clock.Now().Add(time.Hour)
		o.open(assessment, object{"endsAt": end.Format(time.RFC3339Nano)})
		late := a.enter(renewed, "Mei", email)
		a.clock.Advance(time.Hour)
		o.signIn()
		a.visit("192.0.2.1", renewed, nil).want(200).says("Registration has ended")
		a.visit("192.0.2.1", late, url.Values{}).want(410)
		a.do("PUT", path, o.owner, object{"endsAt": a.clock.Now().Format(time.RFC3339Nano)}).want(400, "invalid_request").
			blames("body /endsAt too_small")

		o.open(assessment, object{})
		last := a.enter(renewed, "Mei", email)
		a.do("POST", "/v1/assessments/"+assessment+"/archive", o.owner, nil).want(200)
		a.visit("192.0.2.1", renewed, nil).want(200).says("Registration has ended")
		a.visit("192.0.2.1", last, url.Values{}).want(410)
		a.do("PUT", path, o.owner, object{}).want(409, "assessment_not_published")
		a.outbox().sendNone()
		if rows := storetest.Count(t, a.database, "candidate_sessions"); rows != 0 {
			t.Errorf("%d sessions, want none", rows)
		}
	}, sendsEmail)
}

// Of several people who confirm at the same moment, as many as the limit permits become candidates.
func TestCandidateRegistrationLimit(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		assessment := o.publish(oneQuestion())
		link := o.open(assessment, object{"limit": 2})
		var links []string
		for range 6 {
			links = append(links, a.enter(link, "Mei", newEmail()))
		}
		statuses := make([]int, len(links))
		var all sync.WaitGroup
		for i := range links {
			all.Go(func() { statuses[i] = []*api{a, b}[i%2].visit("192.0.2.1", links[i], url.Values{}).status })
		}
		all.Wait()
		slices.Sort(statuses)
		if want := []int{303, 303, 410, 410, 410, 410}; !slices.Equal(statuses, want) {
			t.Errorf("the responses are %v, want %v", statuses, want)
		}
		if rows := storetest.Count(t, a.database, "candidate_sessions"); rows != 2 {
			t.Errorf("%d sessions, want 2", rows)
		}
		a.visit("192.0.2.1", link, nil).want(200).says("Registration has ended")
		a.do("GET", "/v1/assessments/"+assessment+"/registration", o.owner, nil).want(200).
			wantFields(object{"data.used": 2.0, "data.open": true})
		o.open(assessment, object{"limit": 3})
		a.visit("192.0.2.1", link, nil).want(200).says("Continue")
	}, sendsEmail)
}

// The pages respond in the same way whatever is known about an address. Only its owner learns from the email that the
// rule permits no other attempt. Somebody whose session is live gets to it again.
func TestCandidateRegistrationRule(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for _, rule := range []object{
			{"repeatRule": "NEVER"}, {"repeatRule": "ASK"}, {"repeatRule": "AFTER_DAYS", "repeatAfterDays": 10},
		} {
			assessment := o.publish(oneQuestion())
			o.setRule(assessment, rule)
			link := o.open(assessment, object{"limit": 1})
			o.open(assessment, object{"limit": 50})
			emails := map[string]string{"unknown": newEmail(), "live": newEmail(), "finished": newEmail()}
			live := o.invite(assessment, object{"candidateEmail": emails["live"], "candidateName": "Ada"})
			a.complete(o.invite(assessment, object{"candidateEmail": emails["finished"]}).candidate())
			pages := map[string]string{}
			sent := map[string]sent{}
			for name, email := range emails {
				page := a.visit("192.0.2.1", link, person("Mei", email)).want(202)
				header := page.header.Clone()
				header.Del("X-Request-Id")
				header.Del("RateLimit")
				pages[name] = strings.ReplaceAll(fmt.Sprint(header, string(page.body)), email, "EMAIL")
				pages[name] = strings.ReplaceAll(pages[name], fmt.Sprint(len(page.body)), "LENGTH")
				sent[name] = a.outbox().sendOne()
			}
			if pages["unknown"] != pages["live"] || pages["unknown"] != pages["finished"] {
				t.Errorf("the pages differ: %v", pages)
			}
			if who := a.confirm(sent["live"].Registration.Link); who != live.candidate() {
				t.Errorf("%v leads to %v, want the live session", rule, who)
			}
			a.confirm(sent["unknown"].Registration.Link)
			a.outbox().send()
			refused := sent["finished"].Registration
			if refused.Link != "" || (refused.PossibleAt != nil) != (rule["repeatRule"] == "AFTER_DAYS") {
				t.Errorf("%v: the email has %+v", rule, refused)
			}
			forced := "https://assay.test/registration/confirm?token=" +
				a.store.Keys().LinkToken(keys.PurposeConfirmation, *sent["finished"].SubjectID)
			a.visit("192.0.2.1", forced, url.Values{}).want(409).says("You have already taken part")
			a.do("GET", "/v1/assessments/"+assessment+"/registration", o.owner, nil).want(200).
				wantFields(object{"data.used": 1.0})
		}
	}, sendsEmail)
}
