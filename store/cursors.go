package store

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// A cursor is the id of the last item of a page or, in the order of another value, the order, the value, and the id. No
// cursor is stored, so an item can be erased while a client reads a list.

// cursorOf is what the cursors of a list contain.
type cursorOf struct {
	prefix string // of the ids
	// value returns a pointer to a value of the order, or nil for an order of ids. It is nil if all orders are of ids.
	value func(order string) any
	order string // of all cursors, if the client cannot choose it
}

// cursorsOf has each list with cursors, by operation.
var cursorsOf = map[string]cursorOf{
	"listSignIns":                       {prefix: "lgn"},
	"listMembers":                       {prefix: "usr"},
	"listMemberships":                   {prefix: "usr"},
	"listAuditLog":                      {prefix: "aud"},
	"listPublicAuditLog":                {prefix: "aud"},
	"listPublicAuditLogChanges":         {"aud", changeCursorValue, changeOrder},
	"listApiKeys":                       {prefix: "key"},
	"listMedia":                         {prefix: "med"},
	"listLegalHolds":                    {prefix: "hld"},
	"listWebhooks":                      {prefix: "whk"},
	"listDeliveries":                    {prefix: "dlv"},
	"listAllDeliveries":                 {prefix: "dlv"},
	"listPublicWebhooks":                {prefix: "whk"},
	"listPublicDeliveries":              {prefix: "dlv"},
	"listAllPublicDeliveries":           {prefix: "dlv"},
	"listEvents":                        {prefix: "evt"},
	"listPublicEvents":                  {prefix: "evt"},
	"listQuestions":                     {prefix: "qbk"},
	"listAssessments":                   {prefix: "asm", value: assessmentCursorValue},
	"listPublicAssessments":             {prefix: "asm"},
	"listCandidateSessions":             {prefix: "ses", value: sessionCursorValue},
	"listPublicCandidateSessions":       {prefix: "ses"},
	"listAssessmentChanges":             {"asm", changeCursorValue, changeOrder},
	"listPublicAssessmentChanges":       {"asm", changeCursorValue, changeOrder},
	"listCandidateSessionChanges":       {"ses", changeCursorValue, changeOrder},
	"listPublicCandidateSessionChanges": {"ses", changeCursorValue, changeOrder},
}

func assessmentCursorValue(order string) any {
	switch AssessmentSort(order) {
	case AssessmentsByUpdated, AssessmentsByUpdatedDesc:
		return new(time.Time)
	case AssessmentsByTitle, AssessmentsByTitleDesc:
		return new(string)
	}
	return nil
}

func sessionCursorValue(order string) any {
	switch sorted := orderOf(SessionSort(order)); {
	case sorted.column == "":
		return nil
	case sorted.isNumber():
		return new(float64)
	}
	return new(time.Time)
}

func changeCursorValue(string) any { return new(time.Time) }

// Cursor is a cursor that a client has sent.
type Cursor struct {
	Operation string // the operationId of the list
	Name      string // of the parameter
	Text      string
	Order     string // the parameter sort or order, or ""
}

// CheckCursor refuses a cursor that the list has never returned. A cursor stays valid when its item has been erased.
// Refusals: cursor_invalid, cursor_expired.
func (s *Store) CheckCursor(cursor Cursor) error {
	of, known := cursorsOf[cursor.Operation]
	if !known {
		return fmt.Errorf("store: the cursors of %s are unknown", cursor.Operation)
	}
	invalid := errCursorInvalid.with(fault(cursor.Name, "invalid_value", "is not a cursor of this list"))
	id, order := cursor.Text, cmp.Or(of.order, cursor.Order)
	if of.value != nil {
		if value := of.value(order); value != nil {
			id = decodeCursor(cursor.Text, order, value)
		}
	}
	if order == changeOrder && id == of.prefix { // the cursor of a client that has seen nothing
		return nil
	}
	switch made, ok := timeOfID(of.prefix, id); {
	case !ok, made.Before(firstID), made.After(s.Now().Add(maxCursorSkew)):
		return invalid
	case of.prefix == keptEvents.prefix && order == oldestFirst && s.opts.EventRetention > 0 &&
		made.Before(s.Now().Add(-s.opts.EventRetention)):
		// Newest first, such a cursor is the end of the list.
		return errCursorExpired.with(fault(cursor.Name, "invalid_value", "is older than the events that are kept"))
	}
	return nil
}

const (
	changeOrder = "changes"
	oldestFirst = "asc" // of listEvents

	// maxCursorSkew is how far the clock that made an id can be ahead. A clock that was wrong for a while has made ids
	// that stay valid.
	maxCursorSkew = time.Minute
)

// firstID is before Assay existed, so each id is newer.
var firstID = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// timeOfID returns the time at which an id was made. ok is false for a text that is no id with the prefix.
func timeOfID(prefix, id string) (made time.Time, ok bool) {
	encoded, ok := strings.CutPrefix(id, prefix+"_")
	if !ok || encoded != strings.ToLower(encoded) {
		return time.Time{}, false
	}
	parsed, err := ulid.ParseStrict(encoded)
	return ulid.Time(parsed.Time()), err == nil
}

// encodeCursor returns a cursor for an order of values, which are numbers, times, or texts.
func encodeCursor(order string, value any, id string) string {
	content, _ := json.Marshal([]any{order, value, id})
	sum := fmt.Sprintf(`,"%08x"]`, crc32.ChecksumIEEE(content))
	return base64.RawURLEncoding.EncodeToString(append(content[:len(content)-1], sum...))
}

// decodeCursor returns the id in a cursor of the order, and sets the value, to which the argument points. It returns ""
// for any text that encodeCursor has not returned. The checksum finds mistakes, and protects nothing: each statement
// names the organization.
func decodeCursor(cursor, order string, value any) (id string) {
	encoded, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return ""
	}
	var sum string
	var of string
	if json.Unmarshal(encoded, &[]any{&of, value, &id, &sum}) != nil || of != order {
		return ""
	}
	if text, is := value.(*string); is && strings.ContainsRune(*text, 0) { // PostgreSQL rejects NUL
		return ""
	}
	// Release 1.0 made cursors without the checksum, so a client can have one from a replica of that release. This can go
	// with release 2.0.
	if content, _ := json.Marshal([]any{order, value, id}); cursor == base64.RawURLEncoding.EncodeToString(content) {
		return id
	}
	if cursor != encodeCursor(order, value, id) {
		return ""
	}
	return id
}
