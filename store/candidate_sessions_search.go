package store

import (
	"cmp"
	"context"
	"time"
)

// seenBy narrows the filter to what the caller sees. none reports that this is nothing.
func (f SessionFilter) seenBy(scope Scope) (_ SessionFilter, none bool) {
	switch seen := scope.LimitedTo; {
	case !scope.IsLimited():
	case f.AssessmentID != "":
		none = !scope.SeesAssessment(f.AssessmentID)
	case len(seen) == 1:
		f.AssessmentID = seen[0]
	default:
		f.among, none = seen, len(seen) == 0
	}
	return f, none
}

// TimeSpan begins at Since and ends before Until. Nil is open.
type TimeSpan struct{ Since, Until *time.Time }

func (s TimeSpan) isOpen() bool { return s.Since == nil && s.Until == nil }

func (s TimeSpan) contains(t time.Time) bool {
	return (s.Since == nil || !t.Before(*s.Since)) && (s.Until == nil || t.Before(*s.Until))
}

// SessionSort is the order of a list of sessions. Sessions with the same value are
// in the order of their ids, which is the order in which they were created.
type SessionSort string

// The orders. A leading minus is descending. A session without the value is not in
// the list.
const (
	SortCreated       SessionSort = "createdAt"
	SortCreatedDesc   SessionSort = "-createdAt" // the zero value means this one
	SortScore         SessionSort = "score"
	SortScoreDesc     SessionSort = "-score"
	SortCompleted     SessionSort = "completedAt"
	SortCompletedDesc SessionSort = "-completedAt"
	SortUpdated       SessionSort = "updatedAt"
	SortUpdatedDesc   SessionSort = "-updatedAt"
	SortRating        SessionSort = "rating"
	SortRatingDesc    SessionSort = "-rating"
)

// SessionPage selects one page of a list of sessions.
type SessionPage struct {
	Limit int
	After string // Next of the previous page; "" for the first one
	Sort  SessionSort
}

// SessionList is one page.
type SessionList struct {
	Sessions []CandidateSession
	Next     string // "" on the last page
}

// maxRead is how many sessions a walk reads at a time to check their words.
const maxRead = 500

// ListCandidateSessions returns a page of the sessions that the filter selects. A
// page that is not full can have a Next, too: see maxExamined. Refusal:
// cursor_invalid.
func (s *Store) ListCandidateSessions(
	ctx context.Context, scope Scope, in SessionFilter, page SessionPage,
) (SessionList, error) {
	in, none := in.reviewedBy(scope, page.Sort)
	if none {
		return SessionList{}, nil
	}
	return s.read().listSessions(ctx, scope, in, page)
}

func (c conn) listSessions(
	ctx context.Context, scope Scope, in SessionFilter, page SessionPage,
) (SessionList, error) {
	walk, err := c.newSessionWalk(ctx, scope, in, page)
	if err != nil {
		return SessionList{}, err
	}
	var list SessionList
	var keys []sessionKey
	for len(list.Sessions) <= page.Limit && walk.mayContinue() {
		size := page.Limit + 1 - len(list.Sessions)
		if walk.readWords && walk.begun { // few of them have the words
			size = max(size, maxRead)
		}
		positions, found, err := walk.next(ctx, size)
		if err != nil {
			return SessionList{}, err
		}
		keys, list.Sessions = append(keys, positions...), append(list.Sessions, found...)
	}
	switch {
	case len(list.Sessions) > page.Limit:
		list.Sessions = list.Sessions[:page.Limit]
		list.Next = walk.order.cursor(keys[page.Limit-1])
	case !walk.ended:
		list.Next = walk.order.cursor(*walk.last)
	}
	return list, nil
}

// sessionOrder is a SessionSort as the queries and cursors need it.
type sessionOrder struct {
	sort       SessionSort
	column     string // "" for the id alone
	descending bool
	value      func(*CandidateSession) any // of the column; nil when the session has none
	target     func(*CandidateSession) any // scans the column
}

func orderOf(sort SessionSort) sessionOrder {
	order := sessionOrder{sort: sort, descending: true}
	switch sort {
	case SortCreated, SortScore, SortCompleted, SortUpdated, SortRating:
		order.descending = false
	}
	switch sort {
	case SortScore, SortScoreDesc:
		order.column, order.value = "score", func(session *CandidateSession) any { return numberOrNil(session.Score) }
		order.target = func(session *CandidateSession) any { return &session.Score }
	case SortRating, SortRatingDesc:
		order.column, order.value = "rating", func(session *CandidateSession) any { return numberOrNil(session.Rating) }
		order.target = func(session *CandidateSession) any { return &session.Rating }
	case SortCompleted, SortCompletedDesc:
		order.column, order.value = "completed_at", func(session *CandidateSession) any {
			if session.CompletedAt == nil {
				return nil
			}
			return session.CompletedAt.Time
		}
		order.target = func(session *CandidateSession) any { return &session.CompletedAt }
	case SortUpdated, SortUpdatedDesc:
		order.column, order.value = "updated_at", func(session *CandidateSession) any { return session.UpdatedAt.Time }
		order.target = func(session *CandidateSession) any { return &session.UpdatedAt }
	}
	return order
}

func numberOrNil(number *float64) any {
	if number == nil {
		return nil
	}
	return *number
}

// isNumber reports whether the order has a number and not a time.
func (o sessionOrder) isNumber() bool { return o.column == "score" || o.column == "rating" }

// sessionKey is the position of a session in an order.
type sessionKey struct {
	value any // float64 or time.Time; nil when the order has no column
	id    string
}

func (o sessionOrder) key(session *CandidateSession) sessionKey {
	if o.column == "" {
		return sessionKey{id: session.ID}
	}
	return sessionKey{o.value(session), session.ID}
}

// compare is negative when a comes before b.
func (o sessionOrder) compare(a, b sessionKey) int {
	result := 0
	switch value := a.value.(type) {
	case float64:
		other, _ := b.value.(float64)
		result = cmp.Compare(value, other)
	case time.Time:
		other, _ := b.value.(time.Time)
		result = value.Compare(other)
	}
	if result == 0 {
		result = cmp.Compare(a.id, b.id)
	}
	if o.descending {
		return -result
	}
	return result
}

// cursor is the cursor of a session: see cursorOf.
func (o sessionOrder) cursor(key sessionKey) string {
	if o.column == "" {
		return key.id
	}
	return encodeCursor(string(o.sort), key.value, key.id)
}

func (o sessionOrder) parseCursor(cursor string) (*sessionKey, error) {
	if cursor == "" || o.column == "" {
		return &sessionKey{id: cursor}, nil
	}
	value := sessionCursorValue(string(o.sort))
	key := &sessionKey{id: decodeCursor(cursor, string(o.sort), value)}
	if key.id == "" {
		return nil, errCursorInvalid
	}
	switch value := value.(type) {
	case *float64:
		key.value = *value
	case *time.Time:
		key.value = value.UTC()
	}
	return key, nil
}
