package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/server/mail/mailtest"
)

// startMail starts a mail server, and sets the variables of the program to use it.
func startMail(t *testing.T, opts mailtest.Options) *mailtest.Server {
	t.Helper()
	server, err := mailtest.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	t.Setenv("ASSAY_SMTP_URL", server.URL())
	t.Setenv("ASSAY_MAIL_FROM", "Assay <no-reply@assay.test>")
	return server
}

// mail-test names the step that fails and what to change, and never prints the password.
func TestMailTest(t *testing.T) {
	const password = "smtp-pass-phrase"
	for name, test := range map[string]struct {
		server mailtest.Options
		change func(t *testing.T, server *mailtest.Server)
		status int
		output string // a regular expression
	}{
		"sent": {mailtest.Options{StartTLS: true}, nil, 0,
			`(?s)ok +Connection +connected to 127.*ok +Greeting.*ok +TLS +TLS 1.3; the certificate is not verified.*` +
				`ok +Authentication +signed in as assay.*ok +Sender.*` +
				`ok +Recipient +ada@example.com.*ok +Message +accepted.*has accepted`},
		"unknown name": {mailtest.Options{}, func(t *testing.T, _ *mailtest.Server) {
			t.Setenv("ASSAY_SMTP_URL", "smtp://assay:"+password+"@mail.invalid")
		}, 1, `FAILED +Name .*mail.invalid(?s:.*)No name server knows this name`},
		"connection refused": {mailtest.Options{}, func(_ *testing.T, server *mailtest.Server) { server.Close() }, 1,
			`FAILED +Connection .*refused(?s:.*)Check host and port`},
		"greeting refused": {mailtest.Options{}, func(_ *testing.T, server *mailtest.Server) {
			server.Fail(mailtest.Greeting, mailtest.Fault{Code: 554, Text: "not from there"})
		}, 1, `FAILED +Greeting +554 not from there(?s:.*)does not accept connections from this machine`},
		"hangs": {mailtest.Options{}, func(_ *testing.T, server *mailtest.Server) {
			server.Fail(mailtest.Greeting, mailtest.Fault{Hang: true})
		}, 1, `FAILED +Greeting (?s:.*)use smtps://`},
		"no STARTTLS": {mailtest.Options{}, func(t *testing.T, server *mailtest.Server) {
			t.Setenv("ASSAY_SMTP_URL", strings.Replace(server.URL(), "127.0.0.1", outward(t, server), 1))
		}, 1, `FAILED +TLS +the server does not offer STARTTLS(?s:.*)port 465`},
		"unknown authority": {mailtest.Options{ImplicitTLS: true}, nil, 1,
			`FAILED +TLS .*unknown authority(?s:.*)SSL_CERT_FILE`},
		"plain port": {mailtest.Options{}, func(t *testing.T, server *mailtest.Server) {
			t.Setenv("ASSAY_SMTP_URL", strings.Replace(server.URL(), "smtp://", "smtps://", 1))
		}, 1, `FAILED +TLS (?s:.*)Use smtp://`},
		"wrong password": {mailtest.Options{}, func(t *testing.T, server *mailtest.Server) {
			t.Setenv("ASSAY_SMTP_URL", strings.Replace(server.URL(), password, "wrong-pass-phrase", 1))
		}, 1, `FAILED +Authentication +535 (?s:.*)Check user and password`},
		"no mechanism": {mailtest.Options{Mechanisms: []string{"XOAUTH2"}}, nil, 1,
			`FAILED +Authentication .*XOAUTH2(?s:.*)Permit PLAIN or LOGIN`},
		"sender refused": {mailtest.Options{}, func(_ *testing.T, server *mailtest.Server) {
			server.Fail(mailtest.Sender, mailtest.Fault{Code: 553, Text: "not yours"})
		}, 1, `FAILED +Sender +553 not yours(?s:.*)does not accept no-reply@assay.test as a sender`},
		"recipient refused": {mailtest.Options{}, func(_ *testing.T, server *mailtest.Server) {
			server.Fail(mailtest.Recipient, mailtest.Fault{Code: 554, Text: "Relay access denied\x1b[2J"})
		}, 1, `FAILED +Recipient +554 Relay access denied \[2J\n(?s:.*)does not accept this recipient`},
		"message refused": {mailtest.Options{}, func(_ *testing.T, server *mailtest.Server) {
			server.Fail(mailtest.Body, mailtest.Fault{Code: 554, Text: "spam"})
		}, 1, `FAILED +Message +554 spam(?s:.*)refuses the message`},
		"not configured": {mailtest.Options{}, func(t *testing.T, _ *mailtest.Server) {
			t.Setenv("ASSAY_SMTP_URL", "") // as compose.yaml does
			_ = os.Unsetenv("ASSAY_SMTP_URL")
		}, 1, `ASSAY_SMTP_URL is not set`},
	} {
		t.Run(name, func(t *testing.T) {
			test.server.User, test.server.Password = "assay", password
			server := startMail(t, test.server)
			if test.change != nil {
				test.change(t, server)
			}
			var output bytes.Buffer
			status := run([]string{"mail-test", "--timeout", "3s", "ada@example.com"}, &output, &output)
			if status != test.status || !regexp.MustCompile(test.output).Match(output.Bytes()) {
				t.Errorf("it ends with %d and prints\n%s", status, &output)
			}
			if strings.Contains(output.String(), "pass-phrase") {
				t.Errorf("it prints the password:\n%s", &output)
			}
			if want := 1 - test.status; len(server.Messages()) != want {
				t.Errorf("%d messages arrived", len(server.Messages()))
			}
		})
	}
}

// outward is an address of this machine, other than 127.0.0.1, at which the port of the
// server passes connections on to it.
func outward(t *testing.T, server *mailtest.Server) string {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(server.Addr())
	for _, address := range addresses {
		network, ok := address.(*net.IPNet)
		if !ok || network.IP.IsLoopback() || network.IP.To4() == nil {
			continue
		}
		listener, err := net.Listen("tcp", net.JoinHostPort(network.IP.String(), port))
		if err != nil {
			continue
		}
		t.Cleanup(func() { _ = listener.Close() })
		go relay(listener, server.Addr())
		return network.IP.String()
	}
	t.Fatal("this machine has only a loopback address")
	return ""
}

func relay(listener net.Listener, to string) {
	for {
		from, err := listener.Accept()
		if err != nil {
			return
		}
		target, err := net.Dial("tcp", to)
		if err != nil {
			_ = from.Close()
			continue
		}
		pass := func(a, b net.Conn) {
			_, _ = a.(*net.TCPConn).ReadFrom(b)
			_ = a.Close()
		}
		go pass(target, from)
		go pass(from, target)
	}
}

// The help and the commands never show the password, whatever is wrong.
func TestMailPasswordIsNotPrinted(t *testing.T) {
	const password = "smtp-pass-phrase"
	dir := filepath.Join(t.TempDir(), "data")
	for _, address := range []string{
		"smtp://u:" + password + "@", "smtp://u:" + password + "@host:x", "smtp://u:" + password + "%zz@host",
		"http://u:" + password + "@host", "smtp://:" + password + "@host", "smtp://u:" + password + "@host?x",
		"smtp://u:" + password + "%0d%0a@host", "smtp://u:" + password + "@host:0", "://" + password,
	} {
		t.Setenv("ASSAY_SMTP_URL", address)
		t.Setenv("ASSAY_MAIL_FROM", "a@b.example")
		for _, command := range [][]string{
			{"serve", "--data-dir", dir}, {"dispatch", "--data-dir", dir}, {"mail-test", "ada@example.com"},
			{"mail-test", "--help"}, {"serve", "--help"},
		} {
			var output bytes.Buffer
			status := run(command, &output, &output)
			if strings.Contains(output.String(), "pass-phrase") {
				t.Errorf("%q with %q prints\n%s", command, address, &output)
			}
			if help := command[1] == "--help"; (status == 0) != help {
				t.Errorf("%q with %q ends with %d", command, address, status)
			}
		}
	}
}
