package rig

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"

	"github.com/emersion/go-smtp"
)

// Mail is a message that a mail server has received.
type Mail struct {
	To   string // of the envelope
	Data []byte // header and body (RFC 5322)
}

// ListenMail runs a mail server on a loopback address until stop is called. It accepts
// every message, and calls accept with it before it replies. It needs neither TLS nor a
// password, which the service permits on loopback.
func ListenMail(ctx context.Context, accept func(Mail)) (addr string, stop func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &mailSession{accept: accept}, nil
	}))
	server.Domain = "mail.lab.example"
	server.EnableSMTPUTF8 = true
	server.ErrorLog = log.New(io.Discard, "", 0) // a killed service breaks its connections
	go func() { _ = server.Serve(listener) }()   // until stop
	return listener.Addr().String(), func() { _ = server.Close() }, nil
}

// mailSession is a connection's present message.
type mailSession struct {
	accept func(Mail)
	to     []string
}

// Mail implements smtp.Session.
func (s *mailSession) Mail(string, *smtp.MailOptions) error { return nil }

// Rcpt implements smtp.Session.
func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

// Data implements smtp.Session. A message of which only a part arrives is not accepted.
func (s *mailSession) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.accept(Mail{To: strings.Join(s.to, ", "), Data: data})
	return nil
}

// Reset implements smtp.Session.
func (s *mailSession) Reset() { s.to = nil }

// Logout implements smtp.Session.
func (s *mailSession) Logout() error { return nil }

// Parse returns the id of the email, which is the local part of its Message-ID, and the
// plain text.
func (m Mail) Parse() (id, text string, err error) {
	message, err := mail.ReadMessage(bytes.NewReader(m.Data))
	if err != nil {
		return "", "", err
	}
	id, _, found := strings.Cut(strings.TrimPrefix(message.Header.Get("Message-Id"), "<"), "@")
	if !found {
		return "", "", errors.New("the message has no Message-ID")
	}
	kind, parameters, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil {
		return "", "", err
	}
	if !strings.HasPrefix(kind, "multipart/") {
		text, err = plain(kind, message.Header.Get("Content-Transfer-Encoding"), message.Body)
		return id, text, err
	}

	parts := multipart.NewReader(message.Body, parameters["boundary"])
	for {
		part, err := parts.NextPart() // it decodes quoted-printable
		if err != nil {
			return "", "", err
		}
		if kind, _, err = mime.ParseMediaType(part.Header.Get("Content-Type")); err != nil {
			return "", "", err
		}
		if kind == "text/plain" {
			text, err = plain(kind, part.Header.Get("Content-Transfer-Encoding"), part)
			return id, text, err
		}
	}
}

// plain decodes a body in plain text.
func plain(kind, encoding string, body io.Reader) (string, error) {
	if kind != "text/plain" {
		return "", errors.New("the message has no plain text")
	}
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "", "7bit", "8bit":
	default:
		return "", errors.New("the message has the encoding " + encoding)
	}
	text, err := io.ReadAll(body)
	return string(text), err
}
