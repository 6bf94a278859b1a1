package contract

import (
	"testing"
	"time"
)

// A change or a reset with an outdated version changes nothing. Without a version, it applies to whatever is stored.
func TestEmailTextVersions(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		ada, grace := o.member("EDITOR"), o.member("ADMIN")
		words := func(by string, version any) object {
			return withField(wordsFor("INVITE", "en", by), "version", version)
		}
		name := func(version any) object { return object{"kind": "INVITE", "locale": "en", "version": version} }
		put := func(who credential, body object) response { return a.do("PUT", emailTexts, who, body) }
		reset := func(body object) response { return a.do("POST", emailTexts+"/reset", grace.who, body) }
		version := func() any { return o.emailText(o.owner, "", "INVITE", "en")["version"] }
		entries := func() int { return len(a.do("GET", "/v1/audit-log", o.owner, nil).want(200).list("data")) }

		unsaved := o.emailText(o.owner, "", "INVITE", "en")
		if unsaved["version"] != 0.0 || unsaved["updatedAt"] != nil || unsaved["updatedBy"] != nil {
			t.Errorf("the words of Assay are %v", unsaved)
		}
		put(ada.who, words("Ada", 7)).want(412, "email_text_changed") // there are none
		first := put(ada.who, words("Ada", 0)).want(200).wantFields(object{
			"data.updatedBy.id": ada.id, "data.updatedAt": wire(a.clock.Now()),
		})
		if author := first.at("data.updatedBy").(object); author["name"] == nil || version() != first.at("data.version") {
			t.Errorf("the list has version %v after\n%s", version(), first.body)
		}
		put(grace.who, words("Grace", 0)).want(412, "email_text_changed")
		put(grace.who, words("Ada", 0)).want(200).wantFields(object{ // the same words
			"data.version": first.at("data.version"), "data.updatedBy.id": ada.id,
		})
		a.clock.Advance(time.Minute)
		second := put(grace.who, words("Grace", first.at("data.version"))).want(200).wantFields(object{
			"data.updatedBy.id": grace.id, "data.updatedAt": wire(a.clock.Now()), "data.subject": words("Grace", 0)["subject"],
		})
		before := entries()
		put(ada.who, words("Ada", first.at("data.version"))).want(412, "email_text_changed")
		reset(name(first.at("data.version"))).want(412, "email_text_changed")
		reset(name(0)).want(412, "email_text_changed")
		if got := o.emailText(o.owner, "", "INVITE", "en"); got["subject"] != words("Grace", 0)["subject"] ||
			got["version"] != second.at("data.version") || entries() != before {
			t.Errorf("a refused request has changed %v, or the audit log", got)
		}

		// Clients that send no version replace whatever there is, and others notice it.
		put(ada.who, wordsFor("INVITE", "en", "Unseen")).want(200)
		put(grace.who, words("Grace", second.at("data.version"))).want(412, "email_text_changed")
		reset(name(version())).want(204)
		reset(name(second.at("data.version"))).want(204) // another person has done it
		reset(name(0)).want(204)
		put(ada.who, words("Ada", second.at("data.version"))).want(412, "email_text_changed")

		// Words after a return to the default have no version that earlier ones had.
		a.clock.Advance(time.Second)
		put(ada.who, words("Again", 0)).want(200)
		put(grace.who, words("Grace", second.at("data.version"))).want(412, "email_text_changed")
		put(grace.who, words("Grace", first.at("data.version"))).want(412, "email_text_changed")
		put(grace.who, words("Grace", version())).want(200)
		reset(object{"kind": "INVITE", "locale": "en"}).want(204)
		if version() != 0.0 {
			t.Errorf("the default has version %v", version())
		}
	})
}

// The version is that of the place which a change would replace: an assessment without words of its own has none.
func TestEmailTextVersionsOfAnAssessment(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		editor, id := o.member("EDITOR"), o.publish(oneQuestion())
		a.do("PUT", emailTexts, editor.who, wordsFor("REMINDER", "de", "Ours")).want(200)
		inherited := o.emailText(o.owner, id, "REMINDER", "de")
		if inherited["version"] != 0.0 || inherited["updatedBy"].(object)["id"] != editor.id {
			t.Errorf("the assessment inherits %v", inherited)
		}
		own := withField(withField(wordsFor("REMINDER", "de", "Theirs"), "assessmentId", id), "version", 0)
		saved := a.do("PUT", emailTexts, o.owner, own).want(200)
		a.do("PUT", emailTexts, o.owner, withField(own, "subject", "Other")).want(412, "email_text_changed")
		if got := o.emailText(o.owner, id, "REMINDER", "de"); got["version"] != saved.at("data.version") {
			t.Errorf("the assessment has %v", got)
		}
		copied := a.do("POST", "/v1/assessments/"+id+"/duplicate", o.owner, nil).want(201).text("data.id")
		original := o.emailText(o.owner, id, "REMINDER", "de")
		if got := o.emailText(o.owner, copied, "REMINDER", "de"); got["version"] != original["version"] ||
			got["updatedAt"] != original["updatedAt"] {
			t.Errorf("the copy has %v, and the original %v", got, original)
		}

		// The words stay when the person has left.
		a.do("DELETE", "/v1/members/"+editor.id, o.owner, nil).want(204)
		left := o.emailText(o.owner, "", "REMINDER", "de")["updatedBy"].(object)
		if left["id"] != editor.id {
			t.Errorf("the words are by %v", left)
		}
	})
}

// Of several people who save or reset the words that all have seen, at the same moment, one succeeds.
func TestEmailTextOfSeveralEditors(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		for _, seen := range []string{"none", "some"} {
			version := any(0)
			if seen == "some" {
				version = o.emailText(o.owner, "", "INVITE", "en")["version"]
			}
			saved := statuses(atOnce(8, func(i int) response {
				body := withField(wordsFor("INVITE", "en", string(rune('A'+i))), "version", version)
				return []*api{a, b}[i%2].do("PUT", emailTexts, o.owner, body)
			}))
			if saved[200] != 1 || saved[412] != 7 {
				t.Errorf("the statuses are %v, want one 200 and seven 412", saved)
			}
		}
	})
}
