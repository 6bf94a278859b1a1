package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/internal/db"
	"assay/store/queue"
)

// newQueue makes the delivery queue with what it needs of events and endpoints.
func (s *Store) newQueue() *queue.Queue {
	return queue.New(queue.Options{
		DB: s.db, Now: s.Now, Pause: s.pause,
		Write: func(ctx context.Context, fn func(db.Conn) error) error {
			return s.write(ctx, func(c conn) error { return fn(c.Conn) })
		},
		NewID:   s.ids.next,
		FirstID: func(prefix string, at time.Time) string { return keptTable{prefix: prefix}.boundary(at) },
		MadeAt:  madeAt,
		Events:  s.queuedEvents, Targets: s.targets, NoteHealth: s.UnscopedNoteHealth, Ping: s.ping,
	})
}

// Queue returns the delivery queue.
func (s *Store) Queue() *queue.Queue { return s.queue }

// queuedEvents reads events as they are sent.
func (s *Store) queuedEvents(ctx context.Context, c db.Conn, ids []string) ([]queue.Event, error) {
	encoded, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	var events []Event
	if err := c.List(ctx, &events,
		`SELECT id, body, traceparent FROM events WHERE id IN (SELECT value `+s.db.TextOf+` FROM `+s.db.JSONRows+`)`,
		string(encoded)); err != nil {
		return nil, err
	}
	s.signInvites(events)
	sent := make([]queue.Event, len(events))
	for i, event := range events {
		sent[i] = queue.Event{ID: event.ID, Body: event.Body, Trace: event.Trace}
	}
	return sent, nil
}

// targets implements queue.Options.Targets.
func (s *Store) targets(ctx context.Context, c db.Conn, webhookIDs []string) (map[string]Target, error) {
	ids, err := json.Marshal(webhookIDs)
	if err != nil {
		return nil, err
	}
	var endpoints []WebhookEndpoint
	if err := c.List(ctx, &endpoints, webhookColumns+
		` WHERE enabled AND id IN (SELECT value `+s.db.TextOf+` FROM `+s.db.JSONRows+`)`, string(ids)); err != nil {
		return nil, err
	}
	targets := make(map[string]Target, len(endpoints))
	for _, endpoint := range endpoints {
		target, err := s.target(endpoint)
		if err != nil {
			s.opts.Log.ErrorContext(ctx, "deliveries of an endpoint wait", "webhook", endpoint.ID, "error", err)
			continue
		}
		targets[endpoint.ID] = target
	}
	return targets, nil
}

// ping makes a test event. It has a type of its own, and is not stored.
func (s *Store) ping(organizationID, webhookID string) (queue.Event, error) {
	const kind = "ping"
	id := s.NewID("evt")
	body, err := envelope{
		ID: id, Type: kind, Timestamp: wireTime(s.Now()), OrganizationID: organizationID,
		Data: map[string]string{"webhookId": webhookID},
	}.render()
	return queue.Event{ID: id, Type: kind, Body: body}, err
}
