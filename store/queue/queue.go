// Package queue is the delivery queue of webhooks: deliveries are queued with their event, claimed under a lease by a
// dispatcher, and settled with the outcome of each attempt. Only this package writes the tables of deliveries; package
// store reads them for its lists. Endpoints, their secrets and health, and events belong to package store, which passes
// in what the queue needs of them (Options).
//
// Every method works for all organizations, unless it has the id of one.
package queue

import (
	"context"
	"time"

	"assay/store/internal/db"
)

// Options are what a queue needs of the rooms around it.
type Options struct {
	DB *db.DB
	// Now is the clock.
	Now func() time.Time
	// Write runs fn in one transaction; see db.DB.Write for what fn must observe.
	Write func(ctx context.Context, fn func(db.Conn) error) error
	// Pause waits after a batch in the background that began at a time.
	Pause func(ctx context.Context, began time.Time) error

	// NewID makes an id for a time. FirstID is the lowest one that can be made then, and MadeAt is the time of an id.
	NewID   func(prefix string, at time.Time) string
	FirstID func(prefix string, at time.Time) string
	MadeAt  func(id string) time.Time

	// Events reads events by their ids.
	Events func(ctx context.Context, c db.Conn, ids []string) ([]Event, error)
	// Targets returns the targets of endpoints, by their ids. It leaves out endpoints that are disabled or deleted, and
	// endpoints whose secret cannot be decrypted. Deliveries of the latter wait, and delay no other endpoint.
	Targets func(ctx context.Context, c db.Conn, webhookIDs []string) (map[string]Target, error)
	// NoteHealth adds a report to an endpoint's health and statistics, and disables an endpoint that is gone or has failed
	// for too long.
	NoteHealth func(ctx context.Context, seen Health) error
	// Ping makes a test event.
	Ping func(organizationID, webhookID string) (Event, error)
}

// Queue is the delivery queue of one database. It is safe for concurrent use.
type Queue struct {
	Options
	wake *wake
}

// New returns a queue. Close ends its work in the background.
func New(opts Options) *Queue { return &Queue{opts, newWake(opts.DB)} }

// Close ends the wake-ups.
func (q *Queue) Close() { q.wake.close() }

// Event is an event as it is sent.
type Event struct {
	ID    string
	Type  string
	Body  string // the envelope
	Trace string // of the request that caused it, as the header traceparent; "" for none
}

// Target is the address and the secrets of an attempt.
type Target struct {
	WebhookID       string
	URL             string
	Secret          string // in clear; must not be logged
	NextSecret      string // in clear; signs from NextSecretAt on; "" when there is none
	NextSecretAt    time.Time
	CancelledBefore int64 // what was created before is not sent; microseconds since 1970, or 0
}

// Cancels reports whether a delivery must not be sent, because the endpoint was disabled after it was created, and then
// enabled again.
func (t Target) Cancels(job Job) bool { return job.CreatedAt < t.CancelledBefore }

// SecretAt returns the secret that signs at now. next is the one that replaces it during a rotation, or "". An attempt
// can begin some time after its target was read.
func (t Target) SecretAt(now time.Time) (secret, next string) {
	if t.NextSecret != "" && !now.Before(t.NextSecretAt) {
		return t.NextSecret, ""
	}
	return t.Secret, t.NextSecret
}

// The tables whose rows are removed by age, or with their organization. Package store knows how.
const (
	Queued     = "webhook_queue"
	Deliveries = "webhook_deliveries"
	Attempts   = "webhook_attempts"
	Replays    = "webhook_replays"
)
