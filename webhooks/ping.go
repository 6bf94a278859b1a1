package webhooks

import (
	"context"
	"errors"
	"fmt"

	"assay/store/queue"
)

// Pinger sends test events with a client like the dispatcher's, so that address
// checks, timeout and signatures are the same.
type Pinger struct {
	queue   *queue.Queue
	client  *client
	sending chan struct{} // one element for each test event in flight
}

// maxPings bounds the test events in flight. A slow endpoint holds a connection of
// the caller and one of its own until the timeout.
const maxPings = 32

// ErrTooManyPings means that maxPings test events are in flight.
var ErrTooManyPings = errors.New("webhooks: too many test events are in flight")

// NewPinger creates a pinger from the dispatcher's options.
func NewPinger(opts Options) *Pinger {
	return &Pinger{queue: opts.Queue, client: newClient(opts.withDefaults()), sending: make(chan struct{}, maxPings)}
}

// Ping sends a signed test event to the target and returns the result. It is
// never retried. It returns ErrTooManyPings if too many are in flight.
func (p *Pinger) Ping(ctx context.Context, organizationID string, target queue.Target) (queue.Attempt, error) {
	select {
	case p.sending <- struct{}{}:
		defer func() { <-p.sending }()
	default:
		return queue.Attempt{}, ErrTooManyPings
	}

	event, err := p.queue.Ping(organizationID, target.WebhookID)
	if err != nil {
		return queue.Attempt{}, fmt.Errorf("render a ping: %w", err)
	}

	attempt, _ := p.client.attempt(ctx, target, message{
		deliveryID: p.queue.NewID("dlv", p.queue.Now()), eventID: event.ID, eventType: event.Type, body: []byte(event.Body),
	}, 1)
	return attempt, nil
}
