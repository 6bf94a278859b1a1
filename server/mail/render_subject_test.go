package mail

import (
	"strings"
	"testing"
	"unicode"

	"assay/store"
)

func TestSubjectsFit(t *testing.T) {
	t.Parallel()
	titles := map[string]string{
		"words":   strings.Repeat("Assistant pastry chef, ", 20)[:200],
		"no gaps": strings.Repeat("Lebensmittelsicherheitsbeauftragter", 10)[:200],
		"wide":    strings.Repeat("調理補助食品安全", 25),
		"emoji":   strings.Repeat("👩🏽‍🍳🇩🇪é", 60),
		"arabic":  strings.Repeat("سلامة الغذاء ", 20),
	}
	for _, lang := range candidateLanguages {
		for _, s := range append(candidateSamples(lang), memberSamplesIn(lang)...) {
			m, err := Render(&s.content)
			if err != nil {
				t.Fatal(err)
			}
			if got := columns(m.Subject); got > maxSubject || s.content.Kind == store.EmailInvite && got > 60 {
				t.Errorf("%s.%s: %d columns: %s", s.name, lang, got, m.Subject)
			}
			if first, _, found := strings.Cut(m.Subject, ": "); found && columns(first) > 40 {
				t.Errorf("%s.%s: a phone does not show where the title begins: %s", s.name, lang, m.Subject)
			}
			for name, title := range titles {
				c := longer(s.content, title)
				m, err := Render(&c)
				if err != nil {
					t.Fatal(err)
				}
				if got := columns(m.Subject); got > 78 {
					t.Errorf("%s.%s, %s: %d columns: %s", s.name, lang, name, got, m.Subject)
				}
				if hasHalf(m.Subject) {
					t.Errorf("%s.%s, %s: is cut inside a character: %+q", s.name, lang, name, m.Subject)
				}
			}
		}
	}
}

func memberSamplesIn(lang string) []sample {
	if lang == "de" || lang == "en" {
		return memberSamples(lang)
	}
	return nil
}

// longer has the same text as every name and title.
func longer(c store.EmailContent, text string) store.EmailContent {
	c.ToName, c.Organization.Name = text, text
	if c.Invite != nil {
		invite := *c.Invite
		invite.AssessmentTitle = text
		c.Invite = &invite
	}
	if c.Finished != nil {
		c.Finished = &store.FinishedContent{Sessions: []store.FinishedSession{{
			CandidateName: text, AssessmentTitle: text, FinishedAt: c.Finished.Sessions[0].FinishedAt,
		}}}
	}
	if c.Webhook != nil {
		webhook := *c.Webhook
		webhook.Host = strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return '-'
			}
			return r
		}, text)
		c.Webhook = &webhook
	}
	if c.Account != nil {
		account := *c.Account
		account.ByName = text
		c.Account = &account
	}
	return c
}

// hasHalf reports whether the ellipsis follows a part of a character of the titles above.
func hasHalf(subject string) bool {
	before, _, found := strings.Cut(subject, "…")
	if !found {
		return false
	}
	runes := []rune(strings.TrimRight(before, "\u2069"))
	last := runes[len(runes)-1]
	regional := 0
	for i := len(runes) - 1; i >= 0 && isRegional(runes[i]); i-- {
		regional++
	}
	return last == joiner || last == '👩' || last == '🏽' || regional%2 == 1
}

func TestShorten(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		text string
		room int
		want string
	}{
		{"short", 5, "short"},
		{"a longer title", 10, "a longer…"},
		{"a longer, title", 10, "a longer…"},
		{"Lebensmittelsicherheit", 10, "Lebensmit…"},
		{"調理補助食品安全", 9, "調理補助…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"🇩🇪🇫🇷🇯🇵", 5, "🇩🇪🇫🇷…"}, {"🇩🇪🇫🇷🇯🇵", 4, "🇩🇪…"},
		{"👩🏽‍🍳👩🏽‍🍳", 6, "…"},
	} {
		if got := shorten(one.text, one.room); got != one.want {
			t.Errorf("shorten(%q, %d) = %q, not %q", one.text, one.room, got, one.want)
		}
	}
}
