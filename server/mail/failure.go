package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Stage is a step on the way of an email to the mail server.
type Stage string

// The stages, in their order.
const (
	StageResolve   Stage = "resolve"
	StageConnect   Stage = "connect"
	StageGreeting  Stage = "greeting" // up to the response to EHLO
	StageTLS       Stage = "tls"
	StageAuth      Stage = "auth"
	StageSender    Stage = "sender"
	StageRecipient Stage = "recipient"
	StageMessage   Stage = "message"
)

// Failure says at which stage a mail server did not accept an email, and why.
type Failure struct {
	Stage Stage
	Code  int    // of the server's reply; 0 for none
	Reply string // the text of the reply
	// Final says that another attempt would fail, too.
	Final bool
	Err   error

	refused string // the recipient, if the server refuses it for good
}

// Error implements error. The text contains neither the password nor the email.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %v", f.Stage, f.Err) }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// fail describes an error at a stage. A refusal is final only if it is about the email.
// A refusal at an earlier stage is the operator's fault. If it were final, it would end every
// queued email. Some servers report such a fault only when the recipient is named.
func fail(stage Stage, err error) *Failure {
	f := &Failure{Stage: stage, Err: err}
	var reply *textproto.Error
	if errors.As(err, &reply) {
		f.Code, f.Reply = reply.Code, reply.Msg
		f.Final = reply.Code >= 500 && reply.Code <= 599 &&
			(stage == StageMessage || stage == StageRecipient && !isAboutAccess(reply))
	}
	return f
}

// isAboutAccess reports whether a server that was asked for a recipient refuses the client
// or the sender: authentication is required (RFC 4954, section 6), or delivery is not
// authorized (RFC 3463, section 3.8), for example because the server does not relay.
func isAboutAccess(reply *textproto.Error) bool {
	return reply.Code == 530 || strings.HasPrefix(reply.Msg, "5.7.0") || strings.HasPrefix(reply.Msg, "5.7.1")
}

// aboutMailbox are the enhanced status codes (RFC 3463) that say that there is no such mailbox: bad addresses, a
// disabled mailbox, a domain without mail (RFC 7505), and what Microsoft's servers say of an unknown recipient.
var aboutMailbox = []string{"5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.1.6", "5.1.10", "5.2.1", "5.4.1"}

// enhancedCode is at the beginning of a reply.
var enhancedCode = regexp.MustCompile(`^5\.\d{1,3}\.\d{1,3}\b`)

// RefusesRecipient reports whether the recipient's mailbox does not exist, so that no email to it arrives. A full
// mailbox, and what a server thinks of the sender or the message, are not that.
func (f *Failure) RefusesRecipient() bool {
	if f.Stage != StageRecipient || !f.Final || f.Code == 0 {
		return false
	}
	if enhanced := enhancedCode.FindString(f.Reply); enhanced != "" && enhanced != "5.0.0" {
		return slices.Contains(aboutMailbox, enhanced)
	}
	return slices.Contains([]int{550, 551, 553, 556}, f.Code)
}

// BeforeEmail reports whether the failure has nothing to do with the email, so that the
// next one would fail in the same way.
func (f *Failure) BeforeEmail() bool { return f.Stage != StageRecipient && f.Stage != StageMessage }

// Reason is the failure in a metric.
func (f *Failure) Reason() string {
	var timeout net.Error
	switch {
	case f.Code > 0, f.Final:
		return string(f.Stage)
	case errors.As(f.Err, &timeout) && timeout.Timeout(), errors.Is(f.Err, context.DeadlineExceeded):
		return "timeout"
	}
	return string(f.Stage)
}

// Public is the failure in words for the organization, which reads only replies about its
// own email.
func (f *Failure) Public() string {
	switch {
	case f.Code > 0 && !f.BeforeEmail():
		return publicText(fmt.Sprintf("%d %s", f.Code, f.Reply))
	case f.Final:
		return publicText(f.Err.Error())
	case f.Code > 0, f.Stage == StageTLS, f.Stage == StageAuth:
		return "The mail server cannot be used at present."
	}
	return "The mail server could not be reached."
}

const maxPublicText = 200 // characters

// publicText makes one short line of a text that a mail server has chosen.
func publicText(text string) string {
	text = oneLine(text)
	if utf8.RuneCountInString(text) > maxPublicText {
		text = strings.TrimRightFunc(string([]rune(text)[:maxPublicText-1]), unicode.IsSpace) + "…"
	}
	return text
}

// isCertificateError reports whether the server has a certificate that is not accepted.
func isCertificateError(err error) bool {
	var refused *tls.CertificateVerificationError
	return errors.As(err, &refused)
}
