package mail

import (
	"bytes"
	"cmp"
	"errors"
	"net/mail"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"assay/store"
	"assay/store/encode"
)

// Envelope is an email that is ready to be sent.
type Envelope struct {
	ID       string // of the row; a retry has the same one, and so the same Message-ID
	Kind     store.EmailKind
	From, To mail.Address // domains in ASCII
	ReplyTo  *mail.Address
	Message
	// UnsubscribeURL accepts a one-click request (RFC 8058); "" for none.
	UnsubscribeURL string
	Date           time.Time
}

var errAddress = errors.New("the address is not valid")

// newEnvelope addresses an email. Every address is parsed here, once, and nothing but a
// parsed address gets into a header or a command.
func newEnvelope(sender mail.Address, content *store.EmailContent, message Message, now time.Time) (Envelope, error) {
	to, err := parseAddress(content.ToName, content.ToAddress)
	if err != nil {
		return Envelope{}, err
	}
	e := Envelope{
		ID: content.ID, Kind: content.Kind, From: sender, To: to, Message: message,
		UnsubscribeURL: content.UnsubscribeURL, Date: now,
	}
	e.Subject = oneLine(message.Subject)
	switch {
	case content.Account != nil, content.Finished != nil, content.Waiting != nil, content.Webhook != nil: // to a member
		return e, nil
	}

	organization := content.Organization
	e.From.Name = oneLine(organization.Name)
	if organization.MailFromName != nil {
		e.From.Name = cmp.Or(oneLine(*organization.MailFromName), e.From.Name)
	}
	replyTo := organization.MailReplyTo
	if replyTo == nil {
		replyTo = organization.SupportEmail
	}
	if replyTo != nil {
		// Without a valid address, the email is sent without the header. An international one must not make an email
		// need a server that supports it.
		if address, err := parseAddress("", *replyTo); err == nil && (!isInternational(address) || e.needsUTF8()) {
			e.ReplyTo = &address
		}
	}
	return e, nil
}

// parseAddress parses an address without a name, and makes its domain ASCII (RFC 5890). What is
// before the @ is composed (RFC 6532, section 3.1).
func parseAddress(name, address string) (mail.Address, error) {
	parsed, err := mail.ParseAddress("<" + address + ">")
	if err != nil || parsed.Name != "" || strings.ContainsFunc(parsed.Address, unicode.IsControl) {
		return mail.Address{}, errAddress
	}
	at := strings.LastIndexByte(parsed.Address, '@')
	domain, err := idna.Lookup.ToASCII(parsed.Address[at+1:])
	if err != nil || domain == "" {
		return mail.Address{}, errAddress
	}
	return mail.Address{Name: oneLine(name), Address: norm.NFC.String(parsed.Address[:at+1]) + domain}, nil
}

// oneLine makes a text fit for a header. It removes control characters and characters that
// change the direction of the text around them. It also removes repeated spaces, because a
// header could be folded there into an empty line.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	return strings.Join(strings.Fields(text), " ")
}

// needsUTF8 reports whether the server must support SMTPUTF8 (RFC 6531): for characters
// before the @ that are not ASCII.
func (e Envelope) needsUTF8() bool { return isInternational(e.To) }

func isInternational(address mail.Address) bool {
	return strings.ContainsFunc(address.Address, func(r rune) bool { return r > unicode.MaxASCII })
}

// Bytes is the message as it is sent (RFC 5322).
func (e Envelope) Bytes() ([]byte, error) {
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	m.FromMailAddress(named(e.From))
	m.ToMailAddress(named(e.To))
	if e.ReplyTo != nil {
		m.ReplyToMailAddress(named(*e.ReplyTo))
	}
	m.Subject(encode.HeaderText(e.Subject))
	m.SetDateWithValue(e.Date)
	m.SetMessageIDWithValue(e.ID + "@" + domainOf(e.From))
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834
	if e.UnsubscribeURL != "" {
		m.SetListUnsubscribe(e.UnsubscribeURL)
		if strings.HasPrefix(e.UnsubscribeURL, "https://") { // as RFC 8058 requires
			m.SetListUnsubscribePost()
		}
	}
	m.SetBodyString(gomail.TypeTextPlain, e.Text)
	m.AddAlternativeString(gomail.TypeTextHTML, e.HTML)
	var out bytes.Buffer
	if _, err := m.WriteTo(&out); err != nil {
		return nil, err
	}
	return refold(out.Bytes()), nil
}

// commandPath is an address in a command (RFC 5321, section 4.1.2). The part before the @ is quoted
// again if it must be: the parser removes the quotes, and could leave a > in it.
func commandPath(address mail.Address) string {
	address.Name = ""
	return address.String()
}

func domainOf(address mail.Address) string {
	return address.Address[strings.LastIndexByte(address.Address, '@')+1:]
}

// named is an address for a header. People choose the names: of an organization, of a candidate, of a member.
func named(address mail.Address) *mail.Address {
	address.Name = encode.HeaderText(address.Name)
	return &address
}
