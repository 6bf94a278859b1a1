package mail

import (
	"slices"
	"strings"
	"testing"

	"assay/store"
	"assay/store/rules"
)

// Each kind has default words in each language. An organization that saves them unchanged sends the same email.
func TestDefaultTexts(t *testing.T) {
	t.Parallel()
	texts, err := DefaultTexts()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, text := range texts {
		found = append(found, string(text.Kind)+" "+text.Locale)
		i := slices.IndexFunc(candidateSamples(text.Locale), func(s sample) bool { return s.content.Kind == text.Kind })
		c := candidateSamples(text.Locale)[i].content
		if c.Own = nil; c.Invite != nil { // default subjects shorten a long title
			c.Invite.AssessmentTitle = "Test"
		} else {
			c.Decision.AssessmentTitle = "Test"
		}
		usual, err := Render(&c)
		if err != nil {
			t.Fatal(err)
		}
		c.Own = []store.EmailText{text}
		own, err := Render(&c)
		if err != nil {
			t.Fatal(err)
		}
		// A space of its own kind, as before a colon in French, becomes a usual one.
		spaces := strings.NewReplacer("\u00a0", " ", "\u202f", " ")
		if spaces.Replace(own.Subject+own.Text) != spaces.Replace(usual.Subject+usual.Text) {
			t.Errorf("%s in %s says\n%q\n%s\nand not\n%q\n%s", text.Kind, text.Locale, own.Subject, own.Text, usual.Subject,
				usual.Text)
		}
		if !strings.Contains(text.Text, "{{organizationName}}") || !strings.Contains(text.Subject, "{{assessmentTitle}}") {
			t.Errorf("%s in %s has no placeholders: %+v", text.Kind, text.Locale, text)
		}
	}
	var want []string
	for _, kind := range store.EmailTextKinds() {
		for _, lang := range candidateLanguages {
			want = append(want, string(kind)+" "+lang)
		}
	}
	if !slices.Equal(found, want) {
		t.Errorf("the texts are %v, want %v", found, want)
	}
}

// The words for another language or kind change nothing, and the words of the assessment come first.
func TestOwnWordsApply(t *testing.T) {
	t.Parallel()
	c := candidateSamples("de")[1].content
	usual, err := Render(&c)
	if err != nil {
		t.Fatal(err)
	}
	words := func(kind store.EmailKind, locale, text string) store.EmailText {
		return store.EmailText{Kind: kind, Locale: locale, Subject: text, Text: text}
	}
	c.Own = []store.EmailText{words(store.EmailInvite, "en", "English"), words(store.EmailReminder, "de", "Erinnerung")}
	if m, err := Render(&c); err != nil || m != usual {
		t.Errorf("words for other emails made the email %+v, %v", m, err)
	}
	c.Locale = "de-AT"
	c.Own = append(c.Own, words(store.EmailInvite, "de", "Assessment"), words(store.EmailInvite, "de", "Organisation"))
	if m, err := Render(&c); err != nil || m.Subject != "Assessment" || !strings.Contains(m.Text, "\n\nAssessment\n\n") {
		t.Errorf("the email is %+v, %v", m, err)
	}
}

// A name is never searched for placeholders, and never begins a line. Words are neither HTML nor links.
func TestHostileOwnWords(t *testing.T) {
	t.Parallel()
	c := candidateSamples("en")[1].content
	c.ToName, c.Organization.Name = "{{assessmentTitle}}\n\nhttps://evil.example", "{{candidateName}} <b>"
	c.Own = []store.EmailText{{
		Kind: store.EmailInvite, Locale: "en", Subject: "{{candidateName}}\r\nBcc: all@victim.example",
		Text: "Dear {{candidateName}},\n<script>alert(1)</script>\n\n[link](https://evil.example) {{organizationName}}",
	}}
	m, err := Render(&c)
	if err != nil {
		t.Fatal(err)
	}
	if m.Subject != "{{assessmentTitle}} https://evil.example Bcc: all@victim.example" {
		t.Errorf("the subject is %q", m.Subject)
	}
	want := "\n\nDear {{assessmentTitle}} https://evil.example,\n<script>alert(1)</script>\n\n" +
		"[link](https://evil.example) {{candidateName}} <b>\n\n"
	if !strings.Contains(m.Text, want) {
		t.Errorf("the text is\n%s", m.Text)
	}
	_, body, _ := strings.Cut(m.HTML, "<body")
	for _, part := range []string{"<script", "<b>", `href="https://evil.example`} {
		if strings.Contains(body, part) {
			t.Errorf("the HTML has %q", part)
		}
	}
}

// What is no placeholder of a text makes it unknown, and a value is not searched.
func TestFilled(t *testing.T) {
	t.Parallel()
	values := map[string]string{"a": "1", "b": "{{a}}"}
	for _, one := range []struct {
		text, want string
		unknown    bool
	}{
		{"", "", false}, {"{a} }} {", "{a} }} {", false}, {"{{a}}{{ a }}x{{b}}", "11x{{a}}", false},
		{"{{c}}", "", true}, {"{{a", "1", true}, {"{{{a}}}", "}", true}, {"{{a\n}}", "", true}, {"{{}}", "", true},
		{"{{A}}", "", true}, {"{{a}}{{a b}}.", "1.", true},
	} {
		if got, unknown := rules.Filled(one.text, values); got != one.want || unknown != one.unknown {
			t.Errorf("Filled(%q) = %q, %v, want %q, %v", one.text, got, unknown, one.want, one.unknown)
		}
	}
}
