package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"strings"
	"time"
)

// Step is one step of Check: what succeeded, or what failed and what to change.
type Step struct {
	Name   string
	Detail string
	Err    error
	Advice string
}

var stepNames = map[Stage]string{
	StageResolve: "Name", StageConnect: "Connection", StageGreeting: "Greeting", StageTLS: "TLS",
	StageAuth: "Authentication", StageSender: "Sender", StageRecipient: "Recipient", StageMessage: "Message",
}

// Test is what Check sends.
type Test struct {
	From mail.Address
	To   string
	ID   string // of the message
	Date time.Time
}

// Check sends one email and reports each step when it has ended. It returns the error of
// the step that failed.
func Check(ctx context.Context, opts ClientOptions, test Test, report func(Step)) error {
	failed := func(stage Stage, err error, advice string) error {
		report(Step{Name: stepNames[stage], Err: err, Advice: advice})
		return err
	}
	to, err := parseAddress("", test.To)
	if err != nil {
		return failed(StageRecipient, err, "Give an address such as ada@example.com.")
	}
	e := Envelope{ID: test.ID, From: test.From, To: to, Message: testMessage, Date: test.Date}
	content, err := e.Bytes()
	if err != nil {
		return failed(StageMessage, err, "")
	}
	server := opts.Server
	if _, err := netip.ParseAddr(server.Host); err != nil && opts.Dial == nil {
		addresses, err := net.DefaultResolver.LookupHost(ctx, server.Host)
		if err != nil {
			return failed(StageResolve, err, advise(server, test.From, fail(StageResolve, err)))
		}
		report(Step{Name: stepNames[StageResolve], Detail: server.Host + " is " + strings.Join(addresses, ", ")})
	}

	client := NewClient(opts)
	defer client.Close()
	client.mu.Lock()
	err = client.send(ctx, e, content, func(stage Stage, detail string) {
		report(Step{Name: stepNames[stage], Detail: describe(server, stage, detail)})
	})
	client.mu.Unlock()
	var failure *Failure
	if errors.As(err, &failure) {
		cause := failure.Err
		if failure.Code > 0 {
			cause = errors.New(publicText(fmt.Sprintf("%d %s", failure.Code, failure.Reply)))
		}
		return failed(failure.Stage, cause, advise(server, test.From, failure))
	}
	return err
}

var testMessage = Message{
	Subject: "Assay can send email",
	Text:    "This is a test of the mail settings of Assay. Assay can send email.\n",
	HTML: `<!doctype html><html lang="en"><body><p>This is a test of the mail settings of Assay. ` +
		"Assay can send email.</p></body></html>\n",
}

// describe is the detail of a step that succeeded.
func describe(server Server, stage Stage, detail string) string {
	switch stage {
	case StageConnect:
		return "connected to " + detail
	case StageGreeting:
		return "the server answers"
	case StageTLS:
		switch {
		case detail == "":
			return "none: the server is on this machine, and does not offer STARTTLS"
		case server.isLoopback() && !server.ImplicitTLS:
			return detail + "; the certificate is not verified, because the server is on this machine"
		}
		return detail + ", with a valid certificate for " + server.Host
	case StageAuth:
		return "signed in as " + detail
	case StageSender, StageRecipient:
		return detail + " is accepted"
	case StageMessage:
		return "accepted: " + publicText(detail)
	case StageResolve:
	}
	return detail
}

// advise says what an operator can change.
func advise(server Server, from mail.Address, f *Failure) string {
	var timeout net.Error
	late := errors.As(f.Err, &timeout) && timeout.Timeout() || errors.Is(f.Err, context.DeadlineExceeded)
	switch f.Stage {
	case StageResolve:
		return "No name server knows this name. Check the host in ASSAY_SMTP_URL, and the name servers of this machine."
	case StageConnect:
		if late {
			return "Nothing answers. Check the port in ASSAY_SMTP_URL and the firewall. " +
				"Many networks block port 25; mail servers accept email at port 587 or 465."
		}
		return "No mail server listens there. Check host and port in ASSAY_SMTP_URL."
	case StageGreeting:
		if late || f.Code == 0 {
			return "Something listens there, but does not speak SMTP. If the port is for TLS from the start, " +
				"such as 465, use smtps:// in ASSAY_SMTP_URL."
		}
		return "The server does not accept connections from this machine. Ask the people who run it."
	case StageTLS:
		return adviseTLS(server, f.Err)
	case StageAuth:
		return adviseAuth(f)
	case StageSender:
		if f.Code == 530 || f.Code == 502 || f.Code == 503 {
			return "The server wants a user and a password. Add them to ASSAY_SMTP_URL."
		}
		return fmt.Sprintf("The server does not accept %s as a sender. "+
			"Change ASSAY_MAIL_FROM, or permit the address or its domain at the mail server.", from.Address)
	case StageRecipient:
		return "The server does not accept this recipient. If it refuses to relay, it wants a user and a password, " +
			"or must permit this machine."
	case StageMessage:
		if late || f.Code == 0 {
			return "The server has not confirmed the message. It may arrive nevertheless."
		}
		return "The server refuses the message. Its reply says why."
	}
	return ""
}

func adviseTLS(server Server, err error) string {
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	var notTLS tls.RecordHeaderError
	switch {
	case errors.Is(err, errNoStartTLS):
		return "Passwords and email would be readable on the network. Use a port with STARTTLS, such as 587, " +
			"or smtps:// with port 465."
	case errors.As(err, &authority):
		return "No authority that this machine trusts has signed the certificate. " +
			"Install the certificate of the authority, or set SSL_CERT_FILE to a file with it."
	case errors.As(err, &hostname):
		return fmt.Sprintf("The certificate is for %s, and not for %s. Use one of its names in ASSAY_SMTP_URL.",
			certificateNames(hostname.Certificate), server.Host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "The certificate has expired, or is not valid yet. Renew it, and check the clock of this machine."
	case errors.As(err, &notTLS):
		return "The port does not speak TLS from the start. Use smtp:// in ASSAY_SMTP_URL, or another port."
	case isCertificateError(err):
		return "The certificate of the server is not accepted."
	}
	return "The connection could not be encrypted. The server must support TLS 1.2 or 1.3."
}

func certificateNames(certificate *x509.Certificate) string {
	names := certificate.DNSNames
	for _, ip := range certificate.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return "no name"
	}
	return strings.Join(names, ", ")
}

func adviseAuth(f *Failure) string {
	switch {
	case errors.Is(f.Err, errNoAuth):
		return "Remove user and password from ASSAY_SMTP_URL, or use the port for submission, usually 587 or 465."
	case errors.Is(f.Err, errNoKnownMethod):
		return "Permit PLAIN or LOGIN at the mail server."
	}
	return "Check user and password in ASSAY_SMTP_URL and ASSAY_SMTP_PASSWORD. " +
		"Characters such as @ and / in the URL must be percent-encoded. Some providers need a separate password for programs."
}
