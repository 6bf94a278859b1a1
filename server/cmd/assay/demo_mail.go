package main

import (
	"bytes"
	"context"
	"net/mail"
	"slices"
	"sync"

	"assay/server"
	mailer "assay/server/mail"
)

// maxDemoEmails is how many emails the demo keeps.
const maxDemoEmails = 200

// demoMailbox is the demo's mail server: it keeps the newest emails, to be shown at /demo/mail.
type demoMailbox struct {
	mu     sync.Mutex
	emails []server.DemoEmail // newest first
}

var _ mailer.Sender = (*demoMailbox)(nil)

// Send implements mailer.Sender.
func (m *demoMailbox) Send(_ context.Context, e mailer.Envelope) error {
	message, err := e.Bytes()
	if err != nil {
		return err
	}
	header, _, _ := bytes.Cut(message, []byte("\r\n\r\n"))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.emails = slices.Insert(m.emails, 0, server.DemoEmail{
		ID: e.ID, At: e.Date, From: readable(e.From), To: readable(e.To), Subject: e.Subject, Header: string(header),
		Text: e.Text, HTML: e.HTML,
	})
	m.emails = m.emails[:min(len(m.emails), maxDemoEmails)]
	return nil
}

// Close implements mailer.Sender.
func (m *demoMailbox) Close() {}

func (m *demoMailbox) list() []server.DemoEmail {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.emails)
}

// readable is an address without the encoding of a header.
func readable(address mail.Address) string {
	if address.Name == "" {
		return address.Address
	}
	return address.Name + " <" + address.Address + ">"
}
