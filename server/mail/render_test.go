package mail

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"assay/store"
)

// rendered calls a function with each kind of email in each of its languages.
func rendered(t *testing.T, check func(t *testing.T, name string, c *store.EmailContent, m Message)) {
	t.Helper()
	each := func(lang string, samples []sample) {
		for _, s := range samples {
			t.Run(s.name+"."+lang, func(t *testing.T) {
				t.Parallel()
				m, err := Render(&s.content)
				if err != nil {
					t.Fatal(err)
				}
				check(t, s.name+"."+lang, &s.content, m)
			})
		}
	}
	for _, lang := range candidateLanguages {
		each(lang, candidateSamples(lang))
	}
	for _, lang := range memberLanguages {
		each(lang, memberSamples(lang))
	}
}

// Both forms are made from one letter, but each by its own code.
func TestTextAndHTMLSayTheSame(t *testing.T) {
	t.Parallel()
	rendered(t, func(t *testing.T, _ string, _ *store.EmailContent, m Message) {
		text := strings.Join(strings.Fields(strings.ReplaceAll(m.Text, "\n- ", "\n")), " ")
		page := readHTML(t, m.HTML)
		if text != page.words {
			t.Errorf("the text is\n%s\nand the HTML says\n%s", text, page.words)
		}
		if page.hidden == "" || !strings.Contains(m.Text, page.hidden) {
			t.Errorf("the preheader %q is not in the email", page.hidden)
		}
		if page.title != m.Subject {
			t.Errorf("the title is %q, and the subject %q", page.title, m.Subject)
		}
	})
}

func TestHTMLLoadsNothing(t *testing.T) {
	t.Parallel()
	rendered(t, func(t *testing.T, _ string, c *store.EmailContent, m Message) {
		page := readHTML(t, m.HTML)
		expected := map[string]bool{"mailto:jobs@harbor.example": true, "https://harbor.example/jobs?a=1&b=2": true}
		for _, address := range []string{c.UnsubscribeURL, sampleLink} {
			expected[address] = true
		}
		if c.Account != nil {
			expected[c.Account.Link], expected[c.Account.ResetURL] = true, true
		}
		for _, link := range page.links {
			if !expected[link] {
				t.Errorf("has the link %q", link)
			}
		}
		for _, element := range page.elements {
			if !strings.Contains(" html head meta title style body div table tbody tr td p h1 a span strong ul li ", " "+element+" ") {
				t.Errorf("has the element %q", element)
			}
		}
		lower := strings.ToLower(m.HTML)
		for _, loads := range []string{"src=", "url(", "@import", "@font-face", "background=\"", "srcset", "http-equiv", "<!--", "zgotmpl"} {
			if strings.Contains(lower, loads) {
				t.Errorf("contains %q", loads)
			}
		}
		if len(m.HTML) > 20_000 {
			t.Errorf("is %d bytes long", len(m.HTML))
		}
	})
}

// page is what a reader of HTML sees.
type page struct {
	words    string // with the addresses of links
	hidden   string
	title    string
	links    []string
	elements []string
}

func readHTML(t *testing.T, source string) page {
	t.Helper()
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	var p page
	var words strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			words.WriteString(n.Data)
			return
		case n.Type != html.ElementNode:
		case n.Data == "style":
			p.elements = append(p.elements, n.Data)
			return
		case n.Data == "title":
			p.title = inner(n)
			return
		case strings.Contains(attribute(n, "style"), "display:none"):
			p.hidden = strings.TrimSpace(inner(n))
			return
		default:
			p.elements = append(p.elements, n.Data)
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child)
		}
		switch n.Data {
		case "a":
			href := attribute(n, "href")
			p.links = append(p.links, href)
			switch label := inner(n); {
			case label == href, "mailto:"+label == href:
			case attribute(n, "class") == "button": // the address stands below it
			case strings.Contains(href, "uns_"):
				words.WriteString("\n" + href)
			default: // a link of the organization
				words.WriteString(" (" + href + ")")
			}
		case "p", "td", "li", "h1", "div":
			words.WriteString("\n")
		}
	}
	walk(root)
	p.words = strings.Join(strings.Fields(words.String()), " ")
	return p
}

func inner(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var all strings.Builder
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		all.WriteString(inner(child))
	}
	return all.String()
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func TestLanguageAndDirection(t *testing.T) {
	t.Parallel()
	rendered(t, func(t *testing.T, name string, _ *store.EmailContent, m Message) {
		_, lang, _ := strings.Cut(name, ".")
		dir := "ltr"
		if lang == "ar" {
			dir = "rtl"
		}
		if !strings.Contains(m.HTML, `<html lang="`+lang+`" dir="`+dir+`">`) {
			t.Errorf("is not in %s, %s", lang, dir)
		}
	})
}

// The first locale with a language of the service decides.
func TestLanguageOfTheReader(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ assessment, organization, candidate, member string }{
		{"", "", "en", "en"},
		{"de", "fr", "de", "de"},
		{"de-AT", "", "de", "de"},
		{"pt-PT", "en", "pt-BR", "en"},
		{"zh-CN", "de", "zh-Hans", "de"},
		{"zh-TW", "de", "de", "de"},
		{"nl", "ar-EG", "ar", "en"},
		{"klingon!", "ja", "ja", "en"},
		{"sr-Latn", "", "en", "en"},
	} {
		all, err := catalogs()
		if err != nil {
			t.Fatal(err)
		}
		if got := textsFor(all.candidates, one.assessment, one.organization).tag; got != one.candidate {
			t.Errorf("%+v: candidates read %s", one, got)
		}
		if got := textsFor(all.members, one.assessment, one.organization).tag; got != one.member {
			t.Errorf("%+v: members read %s", one, got)
		}
	}
}

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

func TestHostileNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Eve\r\nBcc: all@victim.example", "Eve\n\nSet a new password\nhttps://evil.example", "Eve\x00\x1b[31m\u0085\u2028\u2029x",
		`"><script>alert(1)</script>`, "{organization} {{.Title}}", "\u202egpj.exe", "Eve\u2069\u2069 or \u2066not", "\xff\xfe", "&lt;b&gt;",
		`</style><img src="https://evil.example/x">`,
	} {
		for _, s := range append(candidateSamples("en"), memberSamples("en")...) {
			c := longer(s.content, name)
			plain, err := Render(ptr(longer(s.content, "Eve")))
			if err != nil {
				t.Fatal(err)
			}
			m, err := Render(&c)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(m.Text, "\n") != strings.Count(plain.Text, "\n") {
				t.Errorf("%s, %q: other lines:\n%s", s.name, name, m.Text)
			}
			if strings.ContainsFunc(m.Subject, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\ufffe' }) {
				t.Errorf("%s, %q: the subject is %q", s.name, name, m.Subject)
			}
			if got, want := readHTML(t, m.HTML).elements, readHTML(t, plain.HTML).elements; strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s, %q: other elements: %v", s.name, name, got)
			}
			if strings.ContainsAny(m.Text, "\u202e\u2066") {
				t.Errorf("%s, %q: changes the direction", s.name, name)
			}
		}
	}
}

func TestMessageKeepsOnlyKnownElements(t *testing.T) {
	t.Parallel()
	got := string(styled(`<h2>Hi</h2><p onclick="x()">a &amp; <img src="https://evil.example"><a href="https://x.example/?a=1&amp;b=2" ping="https://evil.example">b</a></p>`+
		`<ol start="3" style="background:url(x)"><li>c</li></ol><script>alert(1)</script><hr>`, colors{Accent: "#112233"}))
	want := `<p style="margin:0 0 8px;font-weight:600">Hi</p><p style="margin:0 0 12px">a &amp; ` +
		`<a href="https://x.example/?a=1&amp;b=2" class="link" style="overflow-wrap:anywhere;color:#112233">b</a></p>` +
		`<ol start="3" style="margin:0 0 12px;padding:0 24px"><li style="margin:0 0 4px">c</li></ol>alert(1)` +
		`<hr class="line" style="margin:12px 0;border:0;border-top:1px solid #dfe3e8">`
	if got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
}

func TestAccentsAreLegible(t *testing.T) {
	t.Parallel()
	for _, color := range []string{"", "#000000", "#ffffff", "#ffff00", "#0b7a5d", "#B3261E", "#808080", "red", "#12345"} {
		for _, s := range []scheme{lightScheme, darkScheme} {
			made := accentFor(color, s)
			for _, ground := range append([]string{made.Ink}, s.grounds...) {
				if got := contrast(parseColor(made.Accent), parseColor(ground)); got < enough {
					t.Errorf("%s becomes %s, whose contrast to %s is %.2f", color, made.Accent, ground, got)
				}
			}
		}
	}
}

// A kind without its content, or without a template, is an error and not an empty email.
func TestNoContent(t *testing.T) {
	t.Parallel()
	for _, c := range []store.EmailContent{
		{Kind: store.EmailInvite}, {Kind: store.EmailFinished, Finished: &store.FinishedContent{}}, {Kind: store.EmailPasswordReset},
		{Kind: "NEW", Account: &store.AccountContent{}}, {},
	} {
		if m, err := Render(&c); err == nil {
			t.Errorf("%s becomes %q", c.Kind, m.Text)
		}
	}
}

// TestWriteSamples writes the emails for `make mail-screenshots`.
func TestWriteSamples(t *testing.T) {
	folder := os.Getenv("MAIL_SAMPLES")
	if folder == "" {
		folder = t.TempDir()
	}
	rendered(t, func(t *testing.T, name string, _ *store.EmailContent, m Message) {
		for suffix, content := range map[string]string{".html": m.HTML, ".txt": m.Subject + "\n\n" + m.Text} {
			if err := os.WriteFile(filepath.Join(folder, name+suffix), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkRender(b *testing.B) {
	for _, s := range append(candidateSamples("ar")[:1], memberSamples("de")[0]) {
		b.Run(s.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Render(&s.content); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
