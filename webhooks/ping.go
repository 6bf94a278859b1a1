package webhooks

import (
	"context"
	"encoding/json"
	"fmt"

	"assay/store"
)

// eventPing is the type of a test event. Test events are not stored.
const eventPing store.EventType = "ping"

// Pinger sends test events with a client like the dispatcher's, so that address
// checks, timeout and signatures are the same.
type Pinger struct {
	store   *store.Store
	client  *client
	sending chan struct{} // one element for each test event in flight
}

// maxPings bounds the test events in flight. A slow endpoint holds a connection of
// the caller and one of its own until the timeout.
const maxPings = 32

// NewPinger creates a pinger from the dispatcher's options.
func NewPinger(opts Options) *Pinger {
	return &Pinger{store: opts.Store, client: newClient(opts.withDefaults()), sending: make(chan struct{}, maxPings)}
}

// Ping sends a signed test event to the target and returns the result. It is
// never retried. It returns store.ErrTooManyTests if too many are in flight.
func (p *Pinger) Ping(ctx context.Context, organizationID string, target store.Target) (store.Attempt, error) {
	select {
	case p.sending <- struct{}{}:
		defer func() { <-p.sending }()
	default:
		return store.Attempt{}, store.ErrTooManyTests
	}

	eventID := p.store.NewID("evt")
	body, err := json.Marshal(struct {
		ID             string            `json:"id"`
		Type           store.EventType   `json:"type"`
		Timestamp      string            `json:"timestamp"`
		OrganizationID string            `json:"organizationId"`
		Data           map[string]string `json:"data"`
	}{
		ID: eventID, Type: eventPing, Timestamp: store.WireTime(p.store.Now()), OrganizationID: organizationID,
		Data: map[string]string{"webhookId": target.WebhookID},
	})
	if err != nil {
		return store.Attempt{}, fmt.Errorf("render a ping: %w", err)
	}

	attempt, _ := p.client.attempt(ctx, target, message{
		deliveryID: p.store.NewID("dlv"), eventID: eventID, eventType: eventPing, body: body,
	}, 1)
	return attempt, nil
}
