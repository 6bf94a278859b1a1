package mail

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// Server is the address of a mail server, and the account there. It prints and logs
// without the account.
type Server struct {
	Host        string
	Port        int
	ImplicitTLS bool // smtps: TLS from the first byte
	// account is nil without authentication. It is a function, because fmt prints the address of
	// a function and never its result, also within another struct.
	account func() account
}

type account struct{ user, password string }

// The ports of submission (RFC 6409 and RFC 8314).
const (
	submissionPort  = 587
	submissionsPort = 465
)

// Errors of ParseServer never repeat the value, which can contain a password.
var (
	errServerForm     = errors.New("is not like smtp://user@mail.example.com:587 or smtps://…")
	errServerPassword = errors.New("has a user without a password: set ASSAY_SMTP_PASSWORD")
	errServerUser     = errors.New("has no user, but a password is set")
	errServerTwice    = errors.New("has a password, and ASSAY_SMTP_PASSWORD is set, too")
)

// ParseServer parses ASSAY_SMTP_URL: smtp://[user[:password]@]host[:port], or smtps://.
// The password can also be given separately.
func ParseServer(text, password string) (Server, error) {
	parsed, err := url.Parse(text)
	if err != nil || (parsed.Scheme != "smtp" && parsed.Scheme != "smtps") || parsed.Hostname() == "" ||
		strings.Trim(parsed.Path, "/") != "" || parsed.RawQuery != "" || parsed.ForceQuery || parsed.Fragment != "" {
		return Server{}, errServerForm
	}
	out := Server{Host: parsed.Hostname(), Port: submissionPort, ImplicitTLS: parsed.Scheme == "smtps"}
	if out.ImplicitTLS {
		out.Port = submissionsPort
	}
	if port := parsed.Port(); port != "" {
		if out.Port, err = strconv.Atoi(port); err != nil || out.Port < 1 || out.Port > 65535 {
			return Server{}, errServerForm
		}
	}

	user := parsed.User.Username()
	secret, inURL := parsed.User.Password()
	if password != "" {
		if inURL {
			return Server{}, errServerTwice
		}
		secret = password
	}
	switch {
	case strings.ContainsFunc(out.Host+user+secret, unicode.IsControl):
		return Server{}, errServerForm
	case user == "" && secret != "":
		return Server{}, errServerUser
	case user != "" && secret == "":
		return Server{}, errServerPassword
	case user != "":
		out.account = func() account { return account{user, secret} }
	}
	return out, nil
}

// Addr is the host and the port.
func (s Server) Addr() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

// String implements fmt.Stringer.
func (s Server) String() string {
	scheme := "smtp"
	if s.ImplicitTLS {
		scheme = "smtps"
	}
	return scheme + "://" + s.Addr()
}

// GoString implements fmt.GoStringer.
func (s Server) GoString() string { return s.String() }

// LogValue implements slog.LogValuer.
func (s Server) LogValue() slog.Value { return slog.StringValue(s.String()) }

// isLoopback reports whether the server is on this machine, by its name alone: a name
// server must not decide whether a connection is encrypted.
func (s Server) isLoopback() bool {
	if strings.EqualFold(s.Host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(s.Host)
	return err == nil && ip.Unmap().IsLoopback()
}

// ParseSender parses ASSAY_MAIL_FROM: an address, or Name <address>.
func ParseSender(text string) (mail.Address, error) {
	parsed, err := mail.ParseAddress(text)
	if err != nil {
		return mail.Address{}, fmt.Errorf("is not like Assay <no-reply@example.com>: %q", text)
	}
	address, err := parseAddress(parsed.Name, parsed.Address)
	if err != nil || (Envelope{To: address}).needsUTF8() {
		return mail.Address{}, fmt.Errorf("is not an address that every mail server accepts: %q", text)
	}
	return address, nil
}
