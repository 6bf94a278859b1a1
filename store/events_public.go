package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// readsEvents reports whether the API key may read events of the type.
func (s Scope) readsEvents(kind EventType) bool {
	needed := kind.row().scopes
	lacks := func(scope string) bool { return !slices.Contains(s.Scopes, scope) }
	return needed != nil && !slices.ContainsFunc(needed, lacks)
}

// ListPublicEvents is ListEvents for an API key, without what its scopes do not permit. Refusal: insufficient_scope for
// a type that the key may not read.
func (s *Store) ListPublicEvents(ctx context.Context, scope Scope, in EventFilter, page Page) ([]Event, string, error) {
	hidden := func(kind EventType) bool { return !scope.readsEvents(kind) }
	switch all := s.ListEventTypes(); {
	case in.Type != "" && hidden(in.Type):
		return nil, "", errEventsNotReadable
	case in.Type != "":
		in.types, in.Type = []EventType{in.Type}, ""
	case slices.ContainsFunc(all, hidden):
		in.types = slices.DeleteFunc(all, hidden)
	}
	events, next, err := s.ListEvents(ctx, scope, in, page)
	if err != nil {
		return nil, "", err
	}
	return events, next, scope.hide(events)
}

// RetrievePublicEvent is RetrieveEvent for an API key. Refusal: not_found, also for an event that the scopes of the key
// do not permit.
func (s *Store) RetrievePublicEvent(ctx context.Context, scope Scope, id string) (Event, error) {
	found, err := s.RetrieveEvent(ctx, scope, id)
	if err != nil {
		return Event{}, err
	}
	if !scope.readsEvents(found.Type) {
		return Event{}, errNoEvent
	}
	shown := []Event{found}
	err = scope.hide(shown)
	return shown[0], err
}

// ListPublicEventTypes is ListEventTypes.
func (s *Store) ListPublicEventTypes() []EventType { return s.ListEventTypes() }

// eventsOfTypes returns the FROM clause of a list of some types, and its arguments. Each type is a range of the index
// by type. A page reads at most limit rows of each range, so it is full although most events can have other types. A
// page of the events of one resource examines at most maxExamined of them.
func (c conn) eventsOfTypes(
	ctx context.Context, in EventFilter, where *filter, order string, limit int, examined *string,
) (from string, args []any, err error) {
	if in.ResourceID != "" {
		if err := c.examineEvents(ctx, in, where, order, examined); err != nil {
			return "", nil, err
		}
		encoded, err := json.Marshal(in.types)
		where.and(c.store.db.IsOneOf("type || ''"), string(encoded))
		return ` FROM events` + where.sql.String() + order, append(where.args, limit), err
	}
	ranges := make([]string, len(in.types))
	for i, kind := range in.types {
		ranges[i] = c.store.eventsOfType(where.sql.String(), order)
		args = append(append(args, where.args...), kind, limit)
	}
	return ` FROM (` + strings.Join(ranges, ` UNION ALL `) + `) AS found` + order, append(args, limit), nil
}

// eventsOfType is the beginning of the range of one type. With a range of ids, SQLite would choose another index.
func (s *Store) eventsOfType(where, order string) string {
	return `SELECT id, type, body FROM (SELECT id, type, body FROM events` + s.db.IndexedBy("events_type") + where +
		` AND type = ?` + order + `) AS ofType`
}

// hide sets to null what the scopes of the key do not permit, as other operations do: the link of an invite, the link
// to a result, and the gate that ended a session, which is part of its result.
func (s Scope) hide(events []Event) error {
	for i := range events {
		event, hidden := &events[i], []string(nil)
		switch {
		case event.Type == EventCandidateInvited && !s.MayInvite():
			hidden = []string{"inviteUrl"}
		case slices.Contains(s.Scopes, "results:read"):
			continue
		case event.Type == EventCandidateDisqualified:
			hidden = []string{"stageId", "stageTitle", "stageScore", "minScore", "resultUrl"}
		case event.Type == EventCandidateCompleted:
			hidden = []string{"resultUrl"}
		default:
			continue
		}
		var err error
		if event.Body, err = withoutData(event.Body, hidden); err != nil {
			return err
		}
	}
	return nil
}

// withoutData sets fields of the data of an envelope to null, and changes nothing else. The envelope has no white
// space, as render makes it.
func withoutData(body string, fields []string) (string, error) {
	decoder := json.NewDecoder(strings.NewReader(body))
	var shown strings.Builder
	copied, inData := 0, false
	for {
		token, err := decoder.Token()
		if err != nil {
			return "", err
		}
		name, isName := token.(string)
		switch {
		case token == json.Delim('{'):
			continue
		case !isName: // the end of the data
			return shown.String() + body[copied:], nil
		case name == "data" && !inData:
			inData = true
			continue
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return "", err
		}
		if end := int(decoder.InputOffset()); inData && slices.Contains(fields, name) {
			shown.WriteString(body[copied:end-len(value)] + "null")
			copied = end
		}
	}
}
