package encode_test

import (
	"mime"
	"net/mail"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"assay/store/encode"
)

// hostile are addresses that the contract accepts or could accept, and each would change a link that is not
// encoded.
var hostile = map[string]string{
	"jobs@harbour.example":               "mailto:jobs@harbour.example",
	"jobs+it@harbour.example":            "mailto:jobs%2Bit@harbour.example",
	"o'neil@harbour.example":             "mailto:o'neil@harbour.example",
	"ada?bcc=eve%40x.example@h.example":  "mailto:ada%3Fbcc%3Deve%2540x.example@h.example",
	"ada&subject=paid@h.example":         "mailto:ada%26subject%3Dpaid@h.example",
	"ada#top@h.example":                  "mailto:ada%23top@h.example",
	"ada%0Abcc:eve@h.example":            "mailto:ada%250Abcc%3Aeve@h.example",
	`"ada,eve@x.example"@h.example`:      "mailto:%22ada%2Ceve%40x.example%22@h.example",
	`"<script>"@h.example`:               "mailto:%22%3Cscript%3E%22@h.example",
	"älter@straße.example":               "mailto:%C3%A4lter@stra%C3%9Fe.example",
	"no address":                         "mailto:no%20address",
	"ada/../../x@h.example?body=a&cc=\n": "mailto:ada%2F..%2F..%2Fx@h.example%3Fbody%3Da%26cc%3D%0A",
}

func TestMailto(t *testing.T) {
	t.Parallel()
	for address, want := range hostile {
		if got := encode.Mailto(address); got != want {
			t.Errorf("%q becomes %q, want %q", address, got, want)
		}
	}
}

// An independent parser finds one recipient, and no header.
func TestMailtoIsOneRecipient(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		address := rapid.StringOfN(rapid.RuneFrom([]rune("ab@.,;:?&=#%/\\\"'<>[] \r\n+äß")), 0, 20, -1).Draw(t, "address")
		link, err := url.Parse(encode.Mailto(address))
		if err != nil || link.Scheme != "mailto" || link.RawQuery != "" || link.Fragment != "" || link.Host != "" {
			t.Fatalf("%q becomes %+v, %v", address, link, err)
		}
		if got, err := url.PathUnescape(link.Opaque); err != nil || got != address || strings.Contains(link.Opaque, ",") {
			t.Fatalf("%q is read as %q, %v", address, got, err)
		}
	})
}

func TestAttachment(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"candidates.csv":     `attachment; filename="candidates.csv"`,
		"Bewerber März.xlsx": `attachment; filename="Bewerber M_rz.xlsx"; filename*=UTF-8''Bewerber%20M%C3%A4rz.xlsx`,
		`a"; filename=b.exe`: `attachment; filename="a_; filename=b.exe"; filename*=UTF-8''a%22%3B%20filename%3Db.exe`,
		"../../etc/passwd":   `attachment; filename=".._.._etc_passwd"; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`,
		"a\r\nSet-Cookie: b": `attachment; filename="a__Set-Cookie: b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b`,
	} {
		if got := encode.Attachment(name); got != want {
			t.Errorf("%q becomes %s, want %s", name, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(rapid.RuneFrom([]rune("ab.\"\\/;=%'*() \r\n\x00äß💡")), 1, 20, -1).Draw(t, "name")
		value := encode.Attachment(name)
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Fatalf("%q becomes %q", name, value)
		}
		kind, parameters, err := mime.ParseMediaType(value)
		if err != nil || kind != "attachment" || len(parameters) != 1 || parameters["filename"] != name {
			t.Fatalf("%q becomes %s, which is read as %q, %v", name, value, parameters, err)
		}
	})
}

// A mail program shows what a person has typed, also if it decodes encoded words within quotes.
func TestHeaderText(t *testing.T) {
	t.Parallel()
	decoder := new(mime.WordDecoder)
	for _, typed := range []string{
		"=?utf-8?q?CEO?=", "=?UTF-8?B?Q0VP?= <ceo@x.example>", "a =?utf-8?q?=0D=0ABcc:?= b", "=?=?utf-8?q?x?=?=",
		"Ünder =?utf-8?q?x?=", "1=?2",
	} {
		name := encode.HeaderText(typed)
		header := (&mail.Address{Name: name, Address: "ada@x.example"}).String()
		parsed, err := mail.ParseAddress(header)
		if err != nil || !utf8.ValidString(parsed.Name) {
			t.Fatalf("%q: %v", header, err)
		}
		shown, err := decoder.DecodeHeader(parsed.Name) // a second time
		if err != nil || strings.ReplaceAll(shown, "\u200b", "") != typed {
			t.Errorf("%q is shown as %q, %v", typed, shown, err)
		}
	}
}
