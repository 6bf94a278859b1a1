package mail

import (
	"bytes"
	"fmt"
	"mime"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/store"
	"assay/store/encode"
)

// In every language, with names and titles of every kind, each header begins on the line of
// its name, no line is too long, and the receiver reads what was written.
func TestHeadersBeginOnTheirLine(t *testing.T) {
	t.Parallel()
	emptyFirst := regexp.MustCompile(`(?m)^[!-9;-~]+:[ \t]*\r?$`)
	texts := map[string]string{
		"short": "Ada", "words": strings.Repeat("Assistant pastry chef, ", 9), "a word": strings.Repeat("Lebensmittel", 16),
		"umlauts": strings.Repeat("Küchenprüfung", 15), "wide": strings.Repeat("調理補助食品安全", 25),
		"emoji": strings.Repeat("👩🏽‍🍳🇩🇪é", 20), "arabic": strings.Repeat("سلامة الغذاء ", 15),
		"an umlaut at the end": strings.Repeat("a", 59) + "é", "equals": strings.Repeat("=?a?= ", 12),
	}
	for length := 40; length <= 72; length++ { // the lengths at which a line is full
		texts[fmt.Sprint("a word of ", length)] = strings.Repeat("a", length)
		texts[fmt.Sprint("umlauts of ", length)] = strings.Repeat("a", length-1) + "ü"
		texts[fmt.Sprint("wide of ", length)] = strings.Repeat("味", length/2)
	}
	for _, lang := range candidateLanguages {
		for _, s := range append(candidateSamples(lang), memberSamplesIn(lang)...) {
			for name, text := range texts {
				c := longer(s.content, text)
				m, err := Render(&c)
				if err != nil {
					t.Fatal(err)
				}
				e, err := newEnvelope(mail.Address{Name: text, Address: "assay@assay.example"}, &c, m,
					time.Unix(1_800_000_000, 0))
				if err != nil {
					t.Fatal(err)
				}
				e.UnsubscribeURL = "https://assay.example/unsubscribe?token=" + strings.Repeat("x", 90)
				checkHeaders(t, fmt.Sprintf("%s.%s, %s", s.name, lang, name), e, emptyFirst)
			}
		}
	}
}

// Each email to a candidate is from the organization, which also gets the answers. Emails to members are from Assay.
func TestSenderAndReply(t *testing.T) {
	t.Parallel()
	sender := mail.Address{Name: "Assay", Address: "assay@assay.example"}
	of := func(s sample) (from, reply string) {
		s.content.Organization.MailFromName = ptr("Harbor Jobs")
		s.content.Organization.MailReplyTo = ptr("answers@harbor.example")
		m, err := Render(&s.content)
		if err != nil {
			t.Fatal(err)
		}
		e, err := newEnvelope(sender, &s.content, m, time.Unix(1_800_000_000, 0))
		if err != nil {
			t.Fatal(err)
		}
		if e.ReplyTo != nil {
			reply = e.ReplyTo.Address
		}
		return e.From.Name, reply
	}
	for _, s := range candidateSamples("en") {
		if from, reply := of(s); from != "Harbor Jobs" || reply != "answers@harbor.example" {
			t.Errorf("%s is from %q, and answers go to %q", s.name, from, reply)
		}
	}
	for _, s := range memberSamples("en") {
		if from, reply := of(s); from != "Assay" || reply != "" {
			t.Errorf("%s is from %q, and answers go to %q", s.name, from, reply)
		}
	}
}

func checkHeaders(t *testing.T, name string, e Envelope, emptyFirst *regexp.Regexp) {
	t.Helper()
	sent, err := e.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := bytes.Cut(sent, []byte("\r\n\r\n"))
	if found := emptyFirst.Find(head); found != nil {
		t.Errorf("%s: a header begins with an empty line: %q\n%s", name, found, head)
	}
	for line := range strings.SplitSeq(string(head), "\r\n") {
		if strings.TrimSpace(line) == "" || len(line) > 78 && strings.Contains(line, "=?UTF-8?") || len(line) > 900 {
			t.Errorf("%s: a line of %d bytes: %q", name, len(line), line)
		}
	}
	parsed, err := mail.ReadMessage(bytes.NewReader(sent))
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, head)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
	if err != nil || subject != encode.HeaderText(e.Subject) {
		t.Errorf("%s: the subject is %q, want %q: %v", name, subject, e.Subject, err)
	}
	for header, want := range map[string]mail.Address{"From": e.From, "To": e.To} {
		if got, err := parsed.Header.AddressList(header); err != nil || len(got) != 1 || *got[0] != *named(want) {
			t.Errorf("%s: %s is %v, want %v: %v", name, header, got, want, err)
		}
	}
	if got := parsed.Header.Get("List-Unsubscribe"); got != "<"+e.UnsubscribeURL+">" {
		t.Errorf("%s: List-Unsubscribe is %q", name, got)
	}
}

// Any subject and name arrives.
func TestHeadersArrive(t *testing.T) {
	t.Parallel()
	emptyFirst := regexp.MustCompile(`(?m)^[!-9;-~]+:[ \t]*\r?$`)
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab =?_\"<@>,ü味🍳")), 1, 90, -1)
		e := Envelope{
			ID: "eml_1", Kind: store.EmailInvite, From: mail.Address{Name: oneLine(text.Draw(r, "from")),
				Address: "a@b.example"},
			To:             mail.Address{Name: oneLine(text.Draw(r, "to")), Address: "c@d.example"},
			Message:        Message{Subject: oneLine("x" + text.Draw(r, "subject")), Text: "x", HTML: "x"},
			UnsubscribeURL: "https://x.example",
		}
		checkHeaders(t, "drawn", e, emptyFirst)
		if t.Failed() {
			r.FailNow()
		}
	})
}
