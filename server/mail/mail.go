// Package mail sends the emails that store has queued. A Worker claims one email at a
// time, reads what it says, renders it, sends it, and settles it. README.md describes the
// path of an email and the decisions made here.
package mail

import (
	"context"
	"log/slog"
	"net/mail"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
)

// Sender sends emails: a Client through a mail server, or the program's demo, which shows
// them instead.
type Sender interface {
	// Send returns nil once the email is accepted. An error that is not a *Failure is temporary.
	Send(ctx context.Context, e Envelope) error
	// Close ends the connection, if any. Another Send opens a new one.
	Close()
}

// Options configure a Worker. Store, Sender, and From are required.
type Options struct {
	Store  *store.Store // also the clock of leases and retries
	Sender Sender
	// From is the address of every email's sender, and its name in emails to members.
	From mail.Address
	// Rate is the number of emails per second that this process sends at most; DefaultRate by default.
	Rate float64
	// Timeout limits the sending of one email; 90 s by default.
	Timeout time.Duration
	// Log receives failures, without addresses, links, and secrets; nil discards them.
	Log *slog.Logger
	// Registry receives the metrics; nil for none.
	Registry prometheus.Registerer
}

// DefaultRate is the default of ASSAY_MAIL_RATE.
const DefaultRate = 10

const defaultTimeout = 90 * time.Second

// withDefaults replaces zero values.
func (o Options) withDefaults() Options {
	if o.Rate == 0 {
		o.Rate = DefaultRate
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.From.Name == "" {
		o.From.Name = "Assay"
	}
	return o
}
