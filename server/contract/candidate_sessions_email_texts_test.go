package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/server/mail"
	"assay/store"
	"assay/store/storetest"
)

const emailTexts = "/v1/email-texts"

// wordsFor are words with each placeholder that the kind has.
func wordsFor(kind, locale, by string) object {
	text := by + ": {{candidateName}}\n{{assessmentTitle}}\n\n{{organizationName}}"
	if kind == "INVITE" || kind == "REMINDER" {
		text += " {{lastDay}}"
	}
	return object{"kind": kind, "locale": locale, "subject": by + ": {{assessmentTitle}}", "text": text}
}

// withField returns a copy of an object with another field.
func withField(from object, name string, value any) object {
	copied := maps.Clone(from)
	copied[name] = value
	return copied
}

// emailText is what an email of a kind says in a language. "" is the organization.
func (o *tenant) emailText(who credential, assessmentID, kind, locale string) object {
	o.api.t.Helper()
	path := emailTexts
	if assessmentID != "" {
		path += "?assessmentId=" + assessmentID
	}
	for _, text := range o.api.do("GET", path, who, nil).want(200).list("data") {
		if text := text.(object); text["kind"] == kind && text["locale"] == locale {
			return text
		}
	}
	o.api.t.Fatalf("no text of %s in %s", kind, locale)
	return nil
}

// render writes the email as the worker does.
func (s sent) render(t *testing.T) mail.Message {
	t.Helper()
	message, err := mail.Render(s.EmailContent)
	if err != nil {
		t.Fatal(err)
	}
	return message
}

// The list has each kind in each language, with the words that apply: of the assessment, of the organization, or of
// Assay. Only those of one kind, language, and assessment change.
func TestEmailTextsList(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		first, second := o.publish(oneQuestion()), o.publish(oneQuestion())
		kinds, locales := enumOf(t, "EmailTextKindInput"), enumOf(t, "EmailTextLocaleInput")
		all := a.do("GET", emailTexts, o.owner, nil).want(200)
		var found, want []string
		for _, text := range all.list("data") {
			text := text.(object)
			found = append(found, fmt.Sprint(text["kind"], text["locale"], text["source"], text["subject"] != ""))
		}
		for _, kind := range kinds {
			for _, locale := range locales {
				want = append(want, fmt.Sprint(kind, locale, "DEFAULT", true))
			}
		}
		slices.Sort(found)
		slices.Sort(want)
		if !slices.Equal(found, want) {
			t.Errorf("the list is %v, want %v", found, want)
		}

		for i, kind := range kinds {
			locale := locales[2*i]
			ours, theirs := wordsFor(kind, locale, "Ours"), withField(wordsFor(kind, locale, "Theirs"), "assessmentId", first)
			usual := o.emailText(o.owner, "", kind, locale)
			a.do("PUT", emailTexts, o.owner, theirs).want(200).wantFields(object{"data.source": "ASSESSMENT"})
			a.do("PUT", emailTexts, o.owner, wordsFor(kind, locale, "Before")).want(200)
			a.do("PUT", emailTexts, o.owner, ours).want(200).wantFields(object{
				"data.source": "ORGANIZATION", "data.kind": kind, "data.locale": locale,
				"data.subject": ours["subject"], "data.text": ours["text"],
			})
			check := func(assessmentID, source string, subject any) {
				t.Helper()
				got := o.emailText(o.owner, assessmentID, kind, locale)
				if got["source"] != source || got["subject"] != subject {
					t.Errorf("%s in %s of %q is %v, want %s %s", kind, locale, assessmentID, got, source, subject)
				}
			}
			check("", "ORGANIZATION", ours["subject"])
			check(first, "ASSESSMENT", theirs["subject"])
			check(second, "ORGANIZATION", ours["subject"])
			if other := o.emailText(o.owner, first, kind, locales[2*i+1]); other["source"] != "DEFAULT" {
				t.Errorf("another language has %v", other)
			}

			name := object{"kind": kind, "locale": locale, "assessmentId": first}
			a.do("POST", emailTexts+"/reset", o.owner, name).want(204)
			check(first, "ORGANIZATION", ours["subject"])
			a.do("POST", emailTexts+"/reset", o.owner, withField(name, "assessmentId", nil)).want(204)
			a.do("POST", emailTexts+"/reset", o.owner, object{"kind": kind, "locale": locale}).want(204) // nothing is left
			check(first, "DEFAULT", usual["subject"])
		}
		changed := a.do("GET", "/v1/audit-log?action=ASSESSMENT_UPDATED", o.owner, nil).want(200)
		changed.wantFields(object{
			"data.0.resource.id": first, "data.0.changes.0.field": "emailTexts", "data.0.changes.0.to": nil,
		})
		if entries := len(changed.list("data")); entries != 2*len(kinds) {
			t.Errorf("the audit log has %d entries, want one for each change", entries)
		}
		if own := stranger.emailText(stranger.owner, "", "INVITE", "en"); own["source"] != "DEFAULT" {
			t.Errorf("another organization has %v", own)
		}
	})
}

// Each email says the words of its assessment, or else those of the organization, at the time when it is sent.
func TestEmailsSayOwnWords(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		a.do("PATCH", "/v1/organization", o.owner, object{"locale": "de", "notifyCorrected": true}).want(200)
		definition := wrongKey()
		definition["remindAfterHours"] = []any{24}
		id := o.publish(definition)
		for _, kind := range enumOf(t, "EmailTextKindInput") {
			a.do("PUT", emailTexts, o.owner, wordsFor(kind, "de", "Wir")).want(200)
			a.do("PUT", emailTexts, o.owner, wordsFor(kind, "en", "We")).want(200)
		}
		organization := a.do("GET", "/v1/organization", o.owner, nil).want(200).text("data.name")
		said := func(email sent, kind store.EmailKind, by, rest string) {
			t.Helper()
			message := email.render(t)
			want := by + ": Grace Hopper\nWrong key\n\n" + organization + rest
			if email.Email.Kind != kind || message.Subject != by+": Wrong key" || !strings.Contains(message.Text, want) {
				t.Errorf("the %s says %q\n%s\nwant\n%s", email.Email.Kind, message.Subject, message.Text, want)
			}
		}

		session := o.invite(id, object{"sendEmail": true})
		a.do("PUT", emailTexts, o.owner, withField(wordsFor("INVITE", "de", "Hier"), "assessmentId", id)).want(200)
		last := a.clock.Now().AddDate(0, 0, 14).Add(-time.Minute).UTC()
		months := []string{"", "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
			"November", "Dezember"}
		day := fmt.Sprintf(" %d. %s", last.Day(), months[last.Month()])
		said(box.sendOne(), store.EmailInvite, "Hier", day) // changed while the email waited
		a.clock.Advance(25 * time.Hour)
		o.signIn()
		said(box.sendOne(), store.EmailReminder, "Wir", day)
		a.answerKeys(session.candidate(), "b", "", "")
		a.do("POST", "/v1/candidate-sessions/"+session.text("data.id")+"/reopen", o.owner,
			object{"minutes": 20, "reason": "A fire alarm"}).want(200)
		said(box.sendOne(), store.EmailReopened, "Wir", "\n")

		finished := o.invite(id, object{"sendEmail": false})
		a.answerKeys(finished.candidate(), "a", "a", "sesam")
		question := a.do("GET", "/v1/assessments/"+id, o.owner, nil).text("data.stages.1.questions.1.id")
		a.do("PUT", "/v1/candidate-sessions/"+finished.text("data.id")+"/grades/"+question, o.owner,
			object{"points": 3, "reason": "Close enough", "version": 0}).want(200)
		a.clock.Advance(11 * time.Minute)
		o.signIn()
		said(box.sendOne(), store.EmailResultCorrected, "Wir", "\n")

		// The default words return, also for an email that waits.
		o.invite(id, object{"sendEmail": true})
		for _, assessment := range []any{id, nil} {
			a.do("POST", emailTexts+"/reset", o.owner,
				object{"kind": "INVITE", "locale": "de", "assessmentId": assessment}).want(204)
		}
		if message := box.sendOne().render(t); message.Subject != "Einladung: Wrong key" {
			t.Errorf("the email has the subject %q", message.Subject)
		}
	}, sendsEmail)
}

// The preview and the test say the same as the email, for a person of the organization, and reach no session.
func TestEmailTextPreviewIsTheTest(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		o.publish(oneQuestion(object{"title": "Old"}))
		assessment := o.publish(oneQuestion(object{"title": "Tom & <b>Jerry</b>"}))
		draft := a.do("POST", "/v1/assessments", o.owner, object{"title": "Draft {{candidateName}}"}).want(201).
			text("data.id")
		editor := o.member("EDITOR")
		for _, kind := range enumOf(t, "EmailTextKindInput") {
			for i, locale := range []string{"en", "ar"} {
				words := wordsFor(kind, locale, "Test")
				test := object{"kind": kind, "locale": locale}
				if i == 1 {
					words["assessmentId"], test["assessmentId"] = draft, draft
				}
				preview := a.do("POST", emailTexts+"/preview", editor.who, words).want(200)
				a.do("PUT", emailTexts, editor.who, words).want(200)
				a.do("POST", emailTexts+"/test", editor.who, test).want(202)
				email := box.sendOne()
				message := email.render(t)
				preview.wantFields(object{
					"data.subject": message.Subject, "data.text": message.Text, "data.html": message.HTML,
				})
				if email.ToAddress != editor.email || email.Email.Kind != store.EmailTextTest || email.SessionID != nil {
					t.Errorf("the test is %+v", email.Email)
				}
				if !strings.Contains(message.Text, "Katherine Johnson") || strings.Contains(message.Text, "#inv_") {
					t.Errorf("the email says\n%s", message.Text)
				}
				if i == 0 && message.Subject != "Test: Tom & <b>Jerry</b>" || strings.Contains(message.HTML, "<b>") ||
					i == 1 && !strings.Contains(message.Text, "Draft {{candidateName}}") {
					t.Errorf("%s in %s says %q\n%s", kind, locale, message.Subject, message.HTML)
				}
			}
		}
		box.sendNone()

		// An email to a person who has left, or about an assessment that was deleted, is not sent.
		a.do("POST", emailTexts+"/test", editor.who, object{"kind": "INVITE", "locale": "en"}).want(202)
		a.do("POST", emailTexts+"/test", o.owner, object{"kind": "INVITE", "locale": "en", "assessmentId": draft}).want(202)
		a.do("DELETE", "/v1/members/"+editor.id, o.owner, nil).want(204)
		a.do("DELETE", "/v1/assessments/"+draft, o.owner, nil).want(204)
		box.sendNone()
		if assessment == draft {
			t.Fatal("two assessments have the same id")
		}
	}, sendsEmail)
}

// A preview works without any assessment, a mail server, and stored words.
func TestEmailTextPreviewOfNothing(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		for _, kind := range enumOf(t, "EmailTextKindInput") {
			preview := a.do("POST", emailTexts+"/preview", o.owner, object{
				"kind": kind, "locale": "de", "subject": "S", "text": "<script>alert(1)</script>\n{{candidateName}}",
			}).want(200).wantFields(object{"data.subject": "S"})
			if strings.Contains(preview.text("data.text"), "0 Minuten") ||
				!strings.Contains(preview.text("data.text"), "<script>alert(1)</script>\nAda Lovelace") ||
				!strings.Contains(preview.text("data.html"), "&lt;script&gt;alert(1)&lt;/script&gt;<br>Ada Lovelace") {
				t.Errorf("the preview is %s", preview.body)
			}
			if got := o.emailText(o.owner, "", kind, "de"); got["source"] != "DEFAULT" {
				t.Errorf("a preview has stored %v", got)
			}
		}
		a.do("POST", emailTexts+"/test", o.owner, object{"kind": "INVITE", "locale": "en"}).want(409, "email_not_configured")
	})
}

// A person gets at most ten tests in an hour. Another person has tests of their own.
func TestEmailTextTestsAreLimited(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, box := a.register(), a.outbox()
		admin, test := o.member("ADMIN"), object{"kind": "REMINDER", "locale": "ja"}
		box.send()
		outcomes := atOnce(12, func(int) response { return a.do("POST", emailTexts+"/test", o.owner, test) })
		accepted := 0
		for _, outcome := range outcomes {
			if outcome.status == 202 {
				accepted++
				continue
			}
			outcome.want(429, "rate_limited")
		}
		if sent := len(box.send()); accepted != 10 || sent != 10 {
			t.Errorf("%d tests were accepted, and %d sent, want 10", accepted, sent)
		}
		a.do("POST", emailTexts+"/test", admin.who, test).want(202)
		box.sendOne()
		a.clock.Advance(time.Hour + time.Second)
		o.signIn()
		a.do("POST", emailTexts+"/test", o.owner, test).want(202)
		box.sendOne()
	}, sendsEmail)
}

// What is wrong with words refuses them, and nothing changes.
func TestEmailTextRefused(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		theirs := stranger.publish(oneQuestion())
		words := wordsFor("INVITE", "en", "Ours")
		for _, one := range []struct {
			pointer, name string
			value         any
		}{
			{"/subject", "subject", "Dear {{name}}"},
			{"/subject", "subject", "S\r\nBcc: all@example.com"},
			{"/subject", "subject", strings.Repeat("x", 201)},
			{"/subject", "subject", " "},
			{"/text", "text", "Dear {{candidateName}} {{candidateEmail}}"},
			{"/text", "text", "Dear {{candidateName"},
			{"/text", "text", "Dear {{candidateName\n}}"},
			{"/text", "text", strings.Repeat("x", 5001)},
			{"/text", "text", "\n \n"},
			{"/kind", "kind", "DECISION"},
			{"/kind", "kind", "TEXT_TEST"},
			{"/locale", "locale", "de-AT"},
			{"/locale", "locale", "tlh"},
		} {
			for method, path := range map[string]string{"PUT": emailTexts, "POST": emailTexts + "/preview"} {
				a.do(method, path, o.owner, withField(words, one.name, one.value)).want(400, "invalid_request").
					wantFields(object{"errors.0.pointer": one.pointer})
			}
		}
		// Only emails with a time to start have its last day.
		for _, kind := range []string{"REOPENED", "RESULT_CORRECTED"} {
			body := withField(wordsFor(kind, "en", "Ours"), "text", "Until {{lastDay}}")
			a.do("PUT", emailTexts, o.owner, body).want(400, "invalid_request").
				wantFields(object{"errors.0.pointer": "/text"})
		}
		for _, id := range []string{theirs, a.unknownID("assessments")} {
			body := withField(words, "assessmentId", id)
			a.do("PUT", emailTexts, o.owner, body).want(404, "not_found")
			a.do("POST", emailTexts+"/preview", o.owner, body).want(404, "not_found")
			name := object{"kind": "INVITE", "locale": "en", "assessmentId": id}
			a.do("POST", emailTexts+"/test", o.owner, name).want(404, "not_found")
			a.do("POST", emailTexts+"/reset", o.owner, name).want(404, "not_found")
			a.do("GET", emailTexts+"?assessmentId="+id, o.owner, nil).want(404, "not_found")
		}
		if got := o.emailText(o.owner, "", "INVITE", "en"); got["source"] != "DEFAULT" {
			t.Errorf("a refused request has stored %v", got)
		}
	}, sendsEmail)
}

// Members read the words. Those who are limited read them for the assessments that they see. Only others change them.
func TestEmailTextsByRole(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		seen, hidden := o.publish(oneQuestion()), o.publish(oneQuestion())
		for _, id := range []string{seen, hidden} {
			a.do("PUT", emailTexts, o.owner, withField(wordsFor("INVITE", "en", "Ours"), "assessmentId", id)).want(200)
		}
		for _, role := range []string{"ADMIN", "EDITOR", "MEMBER"} {
			who, status := o.member(role).who, map[bool]int{true: 403, false: 200}[role == "MEMBER"]
			if got := o.emailText(who, hidden, "INVITE", "en"); got["source"] != "ASSESSMENT" {
				t.Errorf("%s reads %v", role, got)
			}
			words := wordsFor("INVITE", "fr", role)
			a.do("PUT", emailTexts, who, words).want(status)
			a.do("POST", emailTexts+"/preview", who, words).want(status)
			name := object{"kind": "INVITE", "locale": "fr"}
			a.do("POST", emailTexts+"/test", who, name).want(max(status, 202))
			a.do("POST", emailTexts+"/reset", who, name).want(max(status, 204))
		}
		limited := o.member("MEMBER")
		a.do("PATCH", "/v1/members/"+limited.id, o.owner, object{"role": "MEMBER", "assessmentIds": []any{seen}}).want(200)
		if got := o.emailText(limited.who, seen, "INVITE", "en"); got["source"] != "ASSESSMENT" {
			t.Errorf("the limited member reads %v", got)
		}
		o.emailText(limited.who, "", "INVITE", "en")
		a.do("GET", emailTexts+"?assessmentId="+hidden, limited.who, nil).want(404, "not_found")
	}, sendsEmail)
}

// A copy has the words of its original, and each of the two keeps its own. They are deleted with their assessment.
func TestEmailTextsOfACopy(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		original := o.publish(oneQuestion())
		words := func(id, by string) object { return withField(wordsFor("INVITE", "en", by), "assessmentId", id) }
		a.do("PUT", emailTexts, o.owner, words(original, "Original")).want(200)
		other := o.publish(oneQuestion())
		copied := a.do("POST", "/v1/assessments/"+original+"/duplicate", o.owner, nil).want(201).text("data.id")
		if got := o.emailText(o.owner, copied, "INVITE", "en"); got["subject"] != "Original: {{assessmentTitle}}" {
			t.Errorf("the copy says %v", got)
		}
		a.do("PUT", emailTexts, o.owner, words(copied, "Copy")).want(200)
		a.do("DELETE", "/v1/assessments/"+copied, o.owner, nil).want(204)
		a.do("GET", emailTexts+"?assessmentId="+copied, o.owner, nil).want(404, "not_found")
		if got := o.emailText(o.owner, original, "INVITE", "en"); got["subject"] != "Original: {{assessmentTitle}}" {
			t.Errorf("the original says %v", got)
		}
		if got := o.emailText(o.owner, other, "INVITE", "en"); got["source"] != "DEFAULT" {
			t.Errorf("another assessment says %v", got)
		}
		left := storetest.Column(t, a.database, "email_texts", "assessment_id")
		if slices.Contains(left, copied) || !slices.Contains(left, original) {
			t.Errorf("words of %v are left", left)
		}
	})
}
