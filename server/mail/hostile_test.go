package mail_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	mailer "assay/server/mail"
	"assay/server/mail/mailtest"
	"assay/store"
	"assay/store/encode"
)

// texts are names of people, organizations, and assessments that want to be more than a
// name. The API rejects some of them; the worker must not depend on that.
var hostileTexts = map[string]string{
	"CRLF and a header":           "Ada\r\nBcc: thief@evil.test",
	"LF and a header":             "Ada\nBcc: thief@evil.test",
	"CR and a header":             "Ada\rBcc: thief@evil.test",
	"end of the headers":          "Ada\r\n\r\n<h1>owned</h1>",
	"end of the message":          "Ada\r\n.\r\nMAIL FROM:<thief@evil.test>\r\nRCPT TO:<thief@evil.test>\r\nDATA\r\n",
	"end with bare LF":            "Ada\n.\nMAIL FROM:<thief@evil.test>",
	"end with bare CR":            "Ada\r.\rMAIL FROM:<thief@evil.test>",
	"end, CRLF and LF mixed":      "Ada\r\n.\nQUIT\n.\r\n",
	"a line of one dot":           ".",
	"dots":                        "..\r\n...\r\n....",
	"folded header":               "Ada\r\n Bcc: thief@evil.test",
	"line separator":              "Ada\u2028Bcc: thief@evil.test",
	"next line":                   "Ada\u0085Bcc: thief@evil.test",
	"vertical tab, form feed":     "Ada\v\fBcc: thief@evil.test",
	"NUL":                         "Ada\x00Bcc: thief@evil.test",
	"escape sequence":             "\x1b[2J\x1b[31mAda\x07",
	"encoded word, Q":             "=?utf-8?q?Ada=0D=0ABcc:_thief@evil.test?=",
	"encoded word, B":             "=?utf-8?b?QWRhDQpCY2M6IHRoaWVmQGV2aWwudGVzdA==?=",
	"encoded word, unfinished":    "=?utf-8?q?Ada",
	"closing quote":               `Ada" <thief@evil.test>, "`,
	"quotes and backslashes":      `"\"\\`,
	"only a backslash":            `Ada\`,
	"angle brackets":              "<thief@evil.test>",
	"comma":                       "Lovelace, Ada, thief@evil.test",
	"semicolon and colon":         "group: thief@evil.test;",
	"comment":                     "Ada (thief@evil.test)",
	"unfinished comment":          "Ada (((",
	"address as a name":           "security@bank.example",
	"two hundred characters":      strings.Repeat("Wolfeschlegelsteinhausen ", 8),
	"a word without spaces":       strings.Repeat("x", 200),
	"long and not ASCII":          strings.Repeat("ß漢🙂", 66),
	"spaces":                      "Ada" + strings.Repeat(" ", 150) + "Bcc: thief@evil.test",
	"only spaces and tabs":        " \t \t ",
	"right to left":               "עדה לאבלייס",
	"override of the direction":   "Ada\u202emoc.elpmaxe@ada",
	"isolates of the direction":   "\u2066Ada\u2069",
	"invisible characters":        "A\u200bd\u200da\ufeff",
	"combining characters":        "A" + strings.Repeat("\u0301", 60),
	"boundary":                    "--boundary\r\nContent-Type: text/html\r\n\r\n<script>",
	"HTML":                        `<img src=x onerror=alert(1)>&amp;`,
	"template":                    "{{.Organization}} %s %00 ${x}",
	"quoted-printable":            "=\r\n=3D=0D=0A",
	"replacement and private use": "\ufffd\ue000\U0010ffff",
}

// hostileAddresses are addresses of candidates, and whether an email is sent there.
var hostileAddresses = map[string]struct {
	address, envelope string // "" if it is not sent
}{
	"CRLF and a recipient":   {"ada@example.com>\r\nRCPT TO:<thief@evil.test", ""},
	"LF and a header":        {"ada@example.com\nBcc: thief@evil.test", ""},
	"quoted CRLF":            {"\"ada\r\nbcc\"@example.com", ""},
	"two addresses":          {"ada@example.com, thief@evil.test", ""},
	"a name":                 {"Ada <ada@example.com>", ""},
	"angle brackets":         {"<ada@example.com>", ""},
	"a group":                {"all: ada@example.com, thief@evil.test;", ""},
	"parameters of RCPT":     {"ada@example.com> NOTIFY=NEVER ORCPT=rfc822;x", ""},
	"a comment":              {"ada@example.com (thief@evil.test)", ""},
	"a comment in the local": {"ada(comment)@example.com", ""},
	"no domain":              {"ada", ""},
	"empty":                  {"@", ""},
	"a source route":         {"@evil.test:ada@example.com", ""},
	"percent":                {"ada%example.com@relay.test", "ada%example.com@relay.test"},
	"exclamation mark":       {"example.com!ada@relay.test", "example.com!ada@relay.test"},
	"quoted local part":      {`"ada lovelace"@example.com`, `ada lovelace@example.com`},
	"quoted at":              {`"a@b"@example.com`, `a@b@example.com`},
	"quoted parameters":      {`"ada> NOTIFY=NEVER x"@example.com`, `ada> NOTIFY=NEVER x@example.com`},
	"quoted recipient":       {`"ada@evil.test>,<x"@example.com`, `ada@evil.test>,<x@example.com`},
	"IDN":                    {"ada@bücher.example", "ada@xn--bcher-kva.example"},
	"IDN that looks like it": {"ada@exаmple.com", "ada@xn--exmple-4nf.com"}, // a Cyrillic а
	"local part in UTF-8":    {"адa@example.com", "адa@example.com"},
	"address literal":        {"ada@[127.0.0.1]", ""},
	"a leading dash":         {"-oQ/tmp@example.com", "-oQ/tmp@example.com"},
	"a very long local part": {strings.Repeat("a", 300) + "@example.com", strings.Repeat("a", 300) + "@example.com"},
}

// A hostile name, title, or address gets into an email as text, or the email is not sent.
func TestHostile(t *testing.T) {
	t.Parallel()
	onEach(t, mailtest.Options{UTF8: true}, func(t *testing.T, w *world) {
		h := hostile{world: w, worker: w.worker(t)}
		h.table = tabwriter.NewWriter(&h.text, 0, 0, 2, ' ', 0)
		for _, name := range slices.Sorted(maps.Keys(hostileTexts)) {
			h.checkText(t, name, hostileTexts[name])
		}
		w.publish("Arithmetic")
		for _, name := range slices.Sorted(maps.Keys(hostileAddresses)) {
			test := hostileAddresses[name]
			h.checkAddress(t, name, test.address, test.envelope)
		}
		w.must(h.table.Flush())
		t.Logf("\n%s", &h.text)
		if n := len(hostileTexts) + len(hostileAddresses); n < 40 {
			t.Errorf("only %d forms", n)
		}
	})
}

type hostile struct {
	*world
	worker   *mailer.Worker
	received int
	text     bytes.Buffer
	table    *tabwriter.Writer
}

func (h *hostile) row(name, outcome, from, to, subject string) {
	_, _ = fmt.Fprintf(h.table, "%s\t%s\t%.40s\t%.60s\t%.60s\n", name, outcome, from, to, subject)
}

// checkText uses a text as name of the candidate, the organization, and the assessment,
// and as the paragraph of the assessment.
func (h *hostile) checkText(t *testing.T, name, text string) {
	t.Helper()
	_, err := h.store.UpdateOrganization(t.Context(), h.scope, store.OrganizationChange{
		MailFromName: store.Change[string]{Set: true, Value: &text},
	})
	if err != nil { // PostgreSQL stores no NUL
		h.row(name, "not stored", "", "", "")
		return
	}
	if strings.TrimSpace(text) != "" {
		h.publish(text)
	}
	_, err = h.store.UpdateAssessment(t.Context(), h.scope, h.assessmentID, store.AssessmentChange{
		InviteMessage: store.Change[string]{Set: true, Value: &text},
	})
	h.must(err)
	session := h.invite(func(in *store.Invite) { in.CandidateName = text })
	parsed := h.send(t, name, session.CandidateEmail)
	if parsed == nil {
		t.Errorf("%s: not sent: %q", name, h.column("COALESCE(failure, '')"))
		return
	}
	from, to := h.one(t, name, parsed, "From"), h.one(t, name, parsed, "To")
	want := encode.HeaderText(mailer.OneLine(text))
	if to.Name != want || from.Name != cmp.Or(want, "Analytical Engines") || from.Address != sender.Address {
		t.Errorf("%s: from %q to %q, want the name %q", name, from, to, want)
	}
	h.row(name, "sent as text", from.String(), to.String(), parsed.Subject)
}

func (h *hostile) checkAddress(t *testing.T, name, address, envelope string) {
	t.Helper()
	session := h.invite(func(in *store.Invite) { in.CandidateEmail = address })
	parsed := h.send(t, name, envelope)
	status := h.session(session.ID).EmailStatus
	want := store.EmailFailed
	if envelope != "" {
		want = store.EmailSent
	}
	if status != want || (parsed != nil) != (envelope != "") {
		t.Errorf("%s: the email to %q is %s", name, address, status)
	}
	if parsed == nil {
		h.row(name, "not sent", "", fmt.Sprintf("%q", address), "")
		return
	}
	if to := h.one(t, name, parsed, "To"); to.Address != envelope {
		t.Errorf("%s: to %q", name, to.Address)
	}
	h.row(name, "sent to it", "", parsed.Header.Get("To"), "")
}

// send sends the next email. It checks that nobody else receives one, and that it has the
// expected headers and no others. It returns nil if none was sent.
func (h *hostile) send(t *testing.T, name, recipient string) *mailtest.Parsed {
	t.Helper()
	if !h.worker.Step(t.Context()) {
		t.Fatalf("%s: no email was queued", name)
	}
	messages := h.server.Messages()[h.received:]
	h.received += len(messages)
	if len(messages) == 0 {
		return nil
	}
	message := messages[0]
	if len(messages) != 1 || len(message.To) != 1 || message.From != sender.Address {
		t.Errorf("%s: %d messages, the first from %q to %q", name, len(messages), message.From, message.To)
	}
	if message.To[0] != recipient {
		t.Errorf("%s: sent to %q, want %q", name, message.To[0], recipient)
	}
	parsed, err := message.Parse()
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, message.Data)
		return nil
	}

	expected := []string{
		"Auto-Submitted", "Content-Type", "Date", "From", "List-Unsubscribe", "List-Unsubscribe-Post", "Message-Id",
		"Mime-Version", "Subject", "To",
	}
	if got := slices.Sorted(maps.Keys(parsed.Header)); !slices.Equal(got, expected) {
		t.Errorf("%s: the headers are %q", name, got)
	}
	for key, values := range parsed.Header {
		if len(values) != 1 {
			t.Errorf("%s: %d headers %s", name, len(values), key)
		}
	}
	if parsed.Subject != mailer.OneLine(parsed.Subject) {
		t.Errorf("%s: the subject is %q", name, parsed.Subject)
	}
	if !strings.Contains(parsed.Text, "https://assay.test/take") ||
		!strings.HasSuffix(strings.TrimSpace(parsed.HTML), "</html>") {
		t.Errorf("%s: the parts are not complete:\n%s\n%s", name, parsed.Text, parsed.HTML)
	}
	h.checkLines(t, name, message)
	return &parsed
}

// checkLines checks what a mail server sees: lines that end with CRLF, and are neither
// longer than RFC 5322 permits nor, in the headers, blank.
func (h *hostile) checkLines(t *testing.T, name string, message mailtest.Message) {
	t.Helper()
	if bare := bytes.ReplaceAll(message.Data, []byte("\r\n"), nil); bytes.ContainsAny(bare, "\r\n\x00") {
		t.Errorf("%s: the message contains a bare CR or LF, or a NUL", name)
	}
	headers, _, _ := bytes.Cut(message.Data, []byte("\r\n\r\n"))
	for line := range bytes.SplitSeq(message.Data, []byte("\r\n")) {
		if len(line) > 998 {
			t.Errorf("%s: a line of %d bytes", name, len(line))
		}
	}
	for line := range bytes.SplitSeq(headers, []byte("\r\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			t.Errorf("%s: a blank line in the headers", name)
		}
		if !message.UTF8 && bytes.ContainsFunc(line, func(r rune) bool { return r > 126 }) {
			t.Errorf("%s: a header that is not ASCII: %q", name, line)
		}
	}
}

// one is the only address in a header.
func (h *hostile) one(t *testing.T, name string, parsed *mailtest.Parsed, header string) *mail.Address {
	t.Helper()
	addresses, err := parsed.Header.AddressList(header)
	if err != nil || len(addresses) != 1 {
		t.Errorf("%s: %s is %q: %v", name, header, parsed.Header.Get(header), err)
		return &mail.Address{}
	}
	return addresses[0]
}
