package store

import (
	"context"
	"time"
)

// Event is one row of the event log.
type Event struct {
	ID   string `db:"id"`
	Body string `db:"body"` // the envelope, exactly as it is delivered
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
	return events, more, nil
}

// RetrieveEvent returns one event.
func (s *Store) RetrieveEvent(ctx context.Context, scope Scope, id string) (Event, error) {
	var found Event
	err := s.read().get(ctx, &found, `SELECT id, body FROM events WHERE organization_id = ? AND id = ?`, scope.OrganizationID, id)
	return found, notFound(err, "event")
}
