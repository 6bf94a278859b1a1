package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"assay/store/queue"
)

// Event is one row of the event log.
type Event struct {
	ID   string    `db:"id"`
	Type EventType `db:"type"`
	Body string    `db:"body"` // the envelope as JSON; signInvite completes its invite link

	SubjectID string `db:"subject_id"` // the session or the assessment, as RetrieveEvent needs it

	Trace string `db:"traceparent"` // of the request that caused it; only the dispatcher reads it

	Deliveries []Delivery `db:"-"` // newest first
}

// EventFilter narrows and orders ListEvents. A zero field does not narrow it.
type EventFilter struct {
	Type        EventType
	ResourceID  string // of the session or the assessment that an event is about
	Since       *time.Time
	Until       *time.Time // exclusive
	OldestFirst bool

	types []EventType // nil for all; see ListPublicEvents
}

// ListEvents returns a page of events with their deliveries, and the id after which the next page begins: "" on the
// last page. A page of a limited caller can be short, or empty, and not be the last: see maxExamined.
//
// OldestFirst leaves out the events that are not older than MaxWriteTime and the oldest open transaction, and what the
// clocks of replicas can differ by. An event becomes visible at its commit, and its id is made at most MaxWriteTime
// before its transaction begins. So nothing is inserted before an event that has been listed, and a caller that
// continues after it misses nothing.
func (s *Store) ListEvents(ctx context.Context, scope Scope, in EventFilter, page Page) ([]Event, string, error) {
	where, order := filterOf(scope, page), " ORDER BY id DESC LIMIT ?"
	if in.OldestFirst {
		now := s.Now()
		settled, err := s.db.Settled(ctx)
		if err != nil {
			return nil, "", err
		}
		where, order = filterOf(scope, Page{}), " ORDER BY id LIMIT ?"
		where.and("id > ?", page.After)
		where.and("id < ?", keptEvents.boundary(now.Add(-settled.Age-queue.Latest)))
	}
	if in.Type != "" {
		where.and("type = ?", in.Type)
	}
	if in.ResourceID != "" {
		where.and("subject_id = ?", in.ResourceID)
	}
	where.created(keptEvents, in.Since, in.Until, storedInstant)
	c, examined := s.read(), ""
	from := ` FROM events` + where.sql.String() + order
	if scope.IsLimited() {
		sees, err := c.narrowEvents(ctx, scope, in, where, order, &examined)
		if err != nil || !sees {
			return nil, "", err
		}
		from = ` FROM events e` + where.sql.String() + order
	}
	args := slices.Concat(where.args, []any{page.Limit + 1})
	if in.types != nil {
		var err error
		if from, args, err = c.eventsOfTypes(ctx, in, where, order, page.Limit+1, &examined); err != nil {
			return nil, "", err
		}
	}
	var events []Event
	if err := c.List(ctx, &events, `SELECT id, type, body`+from, args...); err != nil {
		return nil, "", err
	}
	events, next := pageEnd(events, page.Limit, examined, func(event Event) string { return event.ID })
	s.signInvites(events)
	return events, next, c.withDeliveries(ctx, scope, events)
}

// narrowEvents narrows a list to the events that a limited caller sees, and sets the id of the last event that the page
// may examine, if there is one. sees is false if the caller does not see the resource of the filter.
func (c conn) narrowEvents(
	ctx context.Context, scope Scope, in EventFilter, where *filter, order string, examined *string,
) (sees bool, err error) {
	if in.ResourceID != "" {
		return c.seesSubject(ctx, scope, in.ResourceID)
	}
	if err := c.examineEvents(ctx, in, where, order, examined); err != nil {
		return false, err
	}
	where.and(`(`+c.store.db.IsOneOf("subject_id")+` OR `+c.store.db.IsOneOf(`(SELECT s.assessment_id
		FROM candidate_sessions s WHERE s.organization_id = e.organization_id AND s.id = e.subject_id)`)+`)`,
		scope.seen(), scope.seen())
	return true, nil
}

// examineEvents narrows a list to the events that the page may examine, and sets the id of the last of them, if there
// are more.
func (c conn) examineEvents(ctx context.Context, in EventFilter, where *filter, order string, examined *string) error {
	err := c.Get(ctx, examined, `SELECT id FROM events`+where.sql.String()+order+` OFFSET ?`,
		append(slices.Clone(where.args), 1, c.store.maxExamined-1)...)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		*examined = ""
	case err != nil:
		return err
	case in.OldestFirst:
		where.and("id <= ?", *examined)
	default:
		where.and("id >= ?", *examined)
	}
	return nil
}

// RetrieveEvent returns one event with its deliveries. Refusal: not_found.
func (s *Store) RetrieveEvent(ctx context.Context, scope Scope, id string) (Event, error) {
	found := make([]Event, 1)
	err := s.read().Get(ctx, &found[0], `
		SELECT id, type, body, subject_id FROM events WHERE organization_id = ? AND id = ?`, scope.OrganizationID, id)
	if err != nil {
		return Event{}, orRefuse(err, errNoEvent)
	}
	if scope.IsLimited() {
		if sees, err := s.read().seesSubject(ctx, scope, found[0].SubjectID); err != nil {
			return Event{}, err
		} else if !sees {
			return Event{}, errNoEvent
		}
	}
	s.signInvites(found)
	err = s.read().withDeliveries(ctx, scope, found)
	return found[0], err
}

// withDeliveries adds the deliveries, if the caller sees them.
func (c conn) withDeliveries(ctx context.Context, scope Scope, events []Event) error {
	if !scope.SeesDeliveries() {
		return nil
	}
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
