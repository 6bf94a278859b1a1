package webhooks

import (
	"context"
	"encoding/json"
	"fmt"

	"assay/store"
)

// EventPing is the type of a test: it is sent by hand and kept nowhere.
const EventPing store.EventType = "ping"

// Pinger sends test events, with the same client as the dispatcher's: the same
// checks of the address, the same timeout, the same signatures.
type Pinger struct {
	store  *store.Store
	client *client
}

// NewPinger makes a pinger of the dispatcher's options.
func NewPinger(opts Options) *Pinger {
	if opts.Timeout == 0 {
		opts.Timeout = defaultTimeout
	}
	return &Pinger{store: opts.Store, client: newClient(opts)}
}

// Ping sends a signed ping of the organization to the target and returns what came back.
func (p *Pinger) Ping(ctx context.Context, organizationID string, target store.Target) (store.Attempt, error) {
	eventID := p.store.NewID("evt")
	body, err := json.Marshal(struct {
		ID             string            `json:"id"`
		Type           store.EventType   `json:"type"`
		Timestamp      string            `json:"timestamp"`
		OrganizationID string            `json:"organizationId"`
		Data           map[string]string `json:"data"`
	}{eventID, EventPing, store.WireTime(p.store.Now()), organizationID, map[string]string{"webhookId": target.WebhookID}})
	if err != nil {
		return store.Attempt{}, fmt.Errorf("render a ping: %w", err)
	}
	attempt, _ := p.client.attempt(ctx, target, message{
		deliveryID: p.store.NewID("dlv"), eventID: eventID, eventType: EventPing, body: body,
	}, 1)
	return attempt, nil
}
