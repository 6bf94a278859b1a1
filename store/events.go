package store

import (
	"context"
	"time"

	"assay/store/internal/db"
)

// Event is one row of the event log.
type Event struct {
	ID   string `db:"id"`
	Body string `db:"body"` // the envelope as JSON; signInvite completes its invite link

	Deliveries []Delivery `db:"-"` // newest first
}

// EventFilter narrows and orders ListEvents. A zero field does not narrow it.
type EventFilter struct {
	Type        EventType
	ResourceID  string // of the session or the assessment that an event is about
	Since       *time.Time
	Until       *time.Time // exclusive
	OldestFirst bool
}

// ListEvents returns a page of events with their deliveries, and whether there are more.
//
// OldestFirst leaves out the events of the last MaxWriteTime. An event becomes visible at
// its commit, at most that long after its id was made, so that nothing is inserted before
// an event that has been listed, and a caller that continues after it misses nothing.
func (s *Store) ListEvents(ctx context.Context, scope Scope, in EventFilter, page Page) ([]Event, bool, error) {
	where, order := filterOf(scope, page), " ORDER BY id DESC LIMIT ?"
	if in.OldestFirst {
		where, order = filterOf(scope, Page{}), " ORDER BY id LIMIT ?"
		where.and("id > ?", page.After)
		where.and("id < ?", keptEvents.boundary(s.Now().Add(-db.MaxWriteTime)))
	}
	if in.Type != "" {
		where.and("type = ?", in.Type)
	}
	if in.ResourceID != "" {
		where.and("subject_id = ?", in.ResourceID)
	}
	where.created(keptEvents, in.Since, in.Until, storedInstant)
	var events []Event
	if err := s.read().List(ctx, &events, `SELECT id, body FROM events`+where.sql.String()+order,
		append(where.args, page.Limit+1)...); err != nil {
		return nil, false, err
	}
	events, more := cut(events, page.Limit)
	s.signInvites(events)
	return events, more, s.read().withDeliveries(ctx, scope, events)
}

// RetrieveEvent returns one event with its deliveries. Refusal: not_found.
func (s *Store) RetrieveEvent(ctx context.Context, scope Scope, id string) (Event, error) {
	found := make([]Event, 1)
	err := s.read().Get(ctx, &found[0], `SELECT id, body FROM events WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, id)
	if err != nil {
		return Event{}, orRefuse(err, errNoEvent)
	}
	s.signInvites(found)
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
