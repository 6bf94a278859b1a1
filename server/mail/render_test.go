package mail

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"assay/store"
	"assay/store/markdown"
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
		for _, address := range []string{c.UnsubscribeURL, c.StopURL, sampleLink} {
			expected[address] = true
		}
		if c.Registration != nil {
			expected[c.Registration.Link] = true
		}
		if c.Account != nil {
			expected[c.Account.Link], expected[c.Account.ResetURL] = true, true
		}
		if c.Waiting != nil {
			expected[c.Waiting.AllURL] = true
		}
		if c.Finished != nil {
			expected[c.Finished.AllURL] = true
			for _, session := range c.Finished.Sessions {
				expected[session.URL] = true
			}
		}
		if c.Webhook != nil {
			expected[c.Webhook.URL] = true
		}
		for _, link := range page.links {
			if !expected[link] {
				t.Errorf("has the link %q", link)
			}
		}
		known := strings.Fields("html head meta style body div table tbody tr td p h1 a span strong ul li br")
		for _, element := range page.elements {
			if !slices.Contains(known, element) {
				t.Errorf("has the element %q", element)
			}
		}
		lower := strings.ToLower(m.HTML)
		for _, loads := range []string{
			"src=", "url(", "@import", "@font-face", `background="`, "srcset", "http-equiv", "<!--", "zgotmpl",
		} {
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
			href, label := strings.TrimPrefix(href, "mailto:"), inner(n)
			switch {
			case label == href:
			case attribute(n, "class") == "button": // the address stands below it
			case strings.Contains(href, "uns_"), strings.Contains(href, "/app/"):
				words.WriteString("\n" + href)
			default: // a link of the organization
				words.WriteString(" (" + href + ")")
			}
		case "p", "td", "th", "li", "h1", "div", "br":
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

func TestHostileNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Eve\r\nBcc: all@victim.example", "Eve\n\nSet a new password\nhttps://evil.example",
		"Eve\x00\x1b[31m\u0085\u2028\u2029x", `"><script>alert(1)</script>`, "{organization} {{.Title}}", "\u202egpj.exe",
		"Eve\u2069\u2069 or \u2066not", "\xff\xfeEve", "&lt;b&gt;", `</style><img src="https://evil.example/x">`,
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
			if strings.ContainsFunc(m.Subject, unicode.IsControl) || strings.ContainsAny(m.Subject, "\u2028\u2029") {
				t.Errorf("%s, %q: the subject is %q", s.name, name, m.Subject)
			}
			if got, want := readHTML(t, m.HTML).elements, readHTML(t, plain.HTML).elements; !slices.Equal(got, want) {
				t.Errorf("%s, %q: other elements: %v", s.name, name, got)
			}
			if strings.ContainsAny(m.Text, "\u202e\u2066") {
				t.Errorf("%s, %q: changes the direction", s.name, name)
			}
		}
	}
}

// The store makes both forms of the paragraph of an assessment. What Markdown marks, the
// text marks in its own way.
func TestMessageSaysTheSame(t *testing.T) {
	t.Parallel()
	made := markdown.New()
	marks := regexp.MustCompile(`(?m)^ *(- |\d+\. |> )|\||^---$`)
	for _, source := range []string{
		sampleMessage,
		"# Welcome\n\nRead `this` & <that>:\n\n3. one\n4. two\n   - inner\n\n> quoted *words*",
		"| day | hour |\n|---|---|\n| Monday | 9 |\n\n---\n\n```\nif a < b {}\n```",
		"Write to <jobs@harbor.example> or see https://harbor.example/a_b, or [us](mailto:jobs@harbor.example).",
		"two  \nlines\nand *a* [link *here*](https://harbor.example/x?y=\"z\")",
	} {
		text := marks.ReplaceAllString(made.Text(source), " ")
		page := readHTML(t, string(styled(made.HTML(source), colors{Accent: "#112233"})))
		if words := strings.Join(strings.Fields(text), " "); words != page.words {
			t.Errorf("the text is\n%s\nand the HTML says\n%s", words, page.words)
		}
	}
}

func TestMessageKeepsOnlyKnownElements(t *testing.T) {
	t.Parallel()
	got := string(styled(`<h2>Hi</h2><p onclick="x()">a &amp; <img src="https://evil.example">`+
		`<a href="https://x.example/?a=1&amp;b=2" ping="https://evil.example">b</a></p>`+
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
	for _, color := range strings.Split(" #000000 #ffffff #ffff00 #0b7a5d #B3261E #808080 red #12345", " ") {
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
		{Kind: store.EmailInvite}, {Kind: store.EmailFinished, Finished: &store.FinishedContent{}},
		{Kind: store.EmailPasswordReset}, {Kind: "NEW", Account: &store.AccountContent{}}, {},
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
	write := func(t *testing.T, name string, m Message) {
		t.Helper()
		for suffix, content := range map[string]string{".html": m.HTML, ".txt": m.Subject + "\n\n" + m.Text} {
			if err := os.WriteFile(filepath.Join(folder, name+suffix), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	rendered(t, func(t *testing.T, name string, _ *store.EmailContent, m Message) { write(t, name, m) })
	hostile := hostileSample()
	m, err := Render(&hostile.content)
	if err != nil {
		t.Fatal(err)
	}
	write(t, hostile.name, m)
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
