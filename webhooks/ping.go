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
	store  *store.Store
	client *client
}

// NewPinger creates a pinger from the dispatcher's options.
func NewPinger(opts Options) *Pinger {
	return &Pinger{store: opts.Store, client: newClient(opts.withDefaults())}
}

// Ping sends a signed test event to the target and returns the result. It is
// never retried.
func (p *Pinger) Ping(ctx context.Context, organizationID string, target store.Target) (store.Attempt, error) {
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
