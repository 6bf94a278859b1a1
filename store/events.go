package store

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Event is one row of the event log.
type Event struct {
	ID   string `db:"id"`
	Body string `db:"body"` // the envelope, exactly as it is delivered once it is signed

	Deliveries []Delivery `db:"-"` // newest first
}

// EventFilter narrows ListEvents; zero fields do not.
type EventFilter struct {
	Type  EventType
	Since *time.Time
}

// ListEvents returns a page of events and whether there are more.
func (s *Store) ListEvents(ctx context.Context, scope Scope, in EventFilter, page Page) ([]Event, bool, error) {
	where := filterOf(scope, page)
	if in.Type != "" {
		where.and("type = ?", in.Type)
	}
	if in.Since != nil {
		where.and("created_at >= ?", in.Since.UTC())
	}
	query, args := where.newestFirst(`SELECT id, body FROM events`, page)
	var events []Event
	if err := s.read().list(ctx, &events, query, args...); err != nil {
		return nil, false, err
	}
	events, more := cut(events, page.Limit)
	s.opts.Keys.signInvites(events)
	return events, more, s.read().withDeliveries(ctx, scope, events)
}

// RetrieveEvent returns one event.
func (s *Store) RetrieveEvent(ctx context.Context, scope Scope, id string) (Event, error) {
	found := make([]Event, 1)
	err := s.read().get(ctx, &found[0], `SELECT id, body FROM events WHERE organization_id = ? AND id = ?`, scope.OrganizationID, id)
	if err != nil {
		return Event{}, notFound(err, "event")
	}
	s.opts.Keys.signInvites(found)
	err = s.read().withDeliveries(ctx, scope, found)
	return found[0], err
}

func (c conn) withDeliveries(ctx context.Context, scope Scope, events []Event) error {
	ids := make([]string, len(events))
	for i, event := range events {
		ids[i] = event.ID
	}
	deliveries, err := c.deliveriesOf(ctx, scope, ids)
	for i := range events {
		events[i].Deliveries = deliveries[events[i].ID]
	}
	return err
}

// signInvites puts the signatures of invite tokens into events: the database
// holds none, so that whoever reads it, or a copy, cannot pass for a candidate.
func (k *Keys) signInvites(events []Event) {
	for i := range events {
		events[i].Body = k.signInvite(events[i].Body)
	}
}

// signInvite completes the link of a stored candidate.invited. What a client
// wrote stands between the session's id and the link, so the first of the one
// and the last of the other are ours, and no other session's link is signed.
func (k *Keys) signInvite(body string) string {
	_, data, invited := strings.Cut(body, `,"type":"`+string(EventCandidateInvited)+`",`)
	_, data, found := strings.Cut(data, `"data":{"sessionId":"`)
	if !invited || !found || len(data) < len(sessionIDPrefix)+ulidLength {
		return body
	}
	sessionID := data[:len(sessionIDPrefix)+ulidLength]
	const field = `"inviteUrl":"`
	start := strings.LastIndex(body, field) + len(field)
	end := start + max(0, strings.IndexByte(body[start:], '"'))
	_, token, _ := strings.Cut(body[start:end], "/take#")
	number, own := strings.CutPrefix(token, strings.TrimSuffix(unsignedInvite(sessionID, 0), "0_"))
	generation, err := strconv.Atoi(strings.TrimSuffix(number, "_"))
	if !own || err != nil || generation < 0 || token != unsignedInvite(sessionID, generation) {
		return body // of another form, such as one that an earlier version signed
	}
	return body[:end] + strings.TrimPrefix(k.InviteToken(sessionID, generation), token) + body[end:]
}
