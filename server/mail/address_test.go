package mail_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	mailer "assay/server/mail"
)

func TestParseServer(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"smtp://mail.example":               "smtp://mail.example:587",
		"smtps://mail.example/":             "smtps://mail.example:465",
		"smtp://u:p%40%2F@mail.example:25":  "smtp://mail.example:25",
		"smtp://[::1]:2525":                 "smtp://[::1]:2525",
		"SMTP://mail.example":               "smtp://mail.example:587",
		"mail.example:587":                  "",
		"http://mail.example":               "",
		"smtp://":                           "",
		"smtp://mail.example/x":             "",
		"smtp://mail.example?tls=off":       "",
		"smtp://mail.example#x":             "",
		"smtp://mail.example:0":             "",
		"smtp://mail.example:65536":         "",
		"smtp://u@mail.example":             "",
		"smtp://:p@mail.example":            "",
		"smtp://u:pass%0d%0aword@m.example": "",
	} {
		server, err := mailer.ParseServer(text, "")
		if (err == nil) != (want != "") || err == nil && server.String() != want {
			t.Errorf("%q is %q, want %q: %v", text, server, want, err)
		}
	}
	for text, ok := range map[string]bool{"smtp://u@m.example": true, "smtp://u:p@m.example": false, "smtp://m.example": false} {
		if _, err := mailer.ParseServer(text, "secret"); (err == nil) != ok {
			t.Errorf("%q with a password: %v", text, err)
		}
	}
}

// No form of printing or logging shows the password.
func TestServerPrintsNoPassword(t *testing.T) {
	t.Parallel()
	server, err := mailer.ParseServer("smtp://user-name:pass-phrase@mail.example", "")
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "server", server, "in", struct{ inner mailer.Server }{server})
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "server", server, "in", struct{ inner mailer.Server }{server})
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		fmt.Fprintf(&log, format, server)
		fmt.Fprintf(&log, format, struct{ inner mailer.Server }{server})
		fmt.Fprintf(&log, format, &server)
	}
	if text := log.String(); strings.Contains(text, "pass-phrase") || strings.Contains(text, "user-name") {
		t.Error(text)
	}
}

func TestParseSender(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"no-reply@example.com":         "<no-reply@example.com>",
		"Assay <no-reply@bücher.test>": `"Assay" <no-reply@xn--bcher-kva.test>`,
		"nobody":                       "",
		"a@b.test, c@d.test":           "",
		"gräce@example.com":            "",
		"Assay\r\n <a@b.test>\r\nX: y": "",
		"":                             "",
	} {
		sender, err := mailer.ParseSender(text)
		if (err == nil) != (want != "") || err == nil && sender.String() != want {
			t.Errorf("%q is %q, want %q: %v", text, sender.String(), want, err)
		}
	}
}
