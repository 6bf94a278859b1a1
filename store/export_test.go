package store

import (
	"context"
	"errors"
	"slices"
	"testing"

	"assay/store/archive"
)

// OldestErasures is the statement that finds the erasures that wait for the journal.
const OldestErasures = oldestErasures

// ToEraseAgain are the statements that find what a restored database has not erased.
func (s *Store) ToEraseAgain() []string {
	return []string{s.organizationsToErase(), s.sessionsToErase()}
}

// SetMaxExamined changes the number of sessions that one page of a list examines.
func (s *Store) SetMaxExamined(sessions int) { s.maxExamined = sessions }

// SetMaxBackfilled changes the number of sessions that one step adds to a segment.
func (s *Store) SetMaxBackfilled(sessions int) { s.maxBackfilled = sessions }

// NextToBackfill is the statement that finds the organization of the next step of UnscopedBackfillSegments.
func (s *Store) NextToBackfill() string { return s.nextOrganization() }

// SetMaxWalked changes the number of deliveries that a replay of one status reads.
func (s *Store) SetMaxWalked(deliveries int) { s.maxWalked = deliveries }

// OfEvents returns the condition by which an erasure finds the deliveries of a session's events.
func (s *Store) OfEvents() string { return s.queue.OfEvents() }

// Batches are the statements that choose a batch of queued deliveries to cancel, or delete a batch of audit entries.
func (s *Store) Batches() []string {
	return append(s.queue.Batches(), deleteBefore("audit_log", "id"))
}

// EventsOfType is the part of a list of events that finds those of one type.
func (s *Store) EventsOfType(where, order string) string { return s.eventsOfType(where, order) }

// OfPeople is the statement that finds what people have done before.
func (s *Store) OfPeople() string { return s.read().ofPeople() }

// DeleteWords is the statement with which an erasure deletes the words of a session.
const DeleteWords = deleteWords

// WalkedIndexes are the indexes in whose order a replay of one status reads deliveries, and the statement for each.
func (s *Store) WalkedIndexes() map[string]string {
	statements := map[string]string{}
	for _, index := range []deliveryIndex{notSucceeded, succeededAgain, allDeliveries} {
		statements[index.name] = index.query(s.db.Dialect, largestPart)
	}
	return statements
}

// Changes are the statements that read the lists of changes.
func (s *Store) Changes() []string {
	return []string{s.read().sessionChanges(), s.read().assessmentChanges(), s.read().auditChanges()}
}

// IsOneOf is the condition of db.Dialect.
func (s *Store) IsOneOf(column string) string { return s.db.IsOneOf(column) }

// SessionFilterRows is the number of rows of sessionFilters for a field.
func SessionFilterRows(field string) int {
	n := 0
	for _, row := range sessionFilters {
		if slices.Contains(row.fields, field) {
			n++
		}
	}
	return n
}

// SetSessionFilters returns the fields of each condition that is set.
func SetSessionFilters(f *SessionFilter) (fields [][]string) {
	for _, row := range f.set() {
		fields = append(fields, row.fields)
	}
	return fields
}

// CandidateSave is an answer for SaveAnswersTogether.
type CandidateSave struct {
	Scope               Scope
	StageID, QuestionID string
}

// SaveAnswersTogether saves the answers in one statement, which has them in the given order. It fails if one of them
// is not saved.
func (s *Store) SaveAnswersTogether(ctx context.Context, saves ...CandidateSave) error {
	rows := make([]*answerSave, len(saves))
	for i, save := range saves {
		rows[i] = &answerSave{answerRow: &answerRow{
			OrganizationID: save.Scope.OrganizationID, SessionID: save.Scope.SessionID, Generation: save.Scope.generation,
			StageID: save.StageID, QuestionID: save.QuestionID, Answer: `{"number":2}`,
		}}
	}
	s.saveTogether(ctx, rows)
	if slices.ContainsFunc(rows, func(row *answerSave) bool { return row.revision == 0 }) {
		return errors.New("an answer was not saved")
	}
	return nil
}

// RetentionStatements are the statements that find what a retention erases, and the index of each.
func (s *Store) RetentionStatements() map[string]string {
	c := s.read()
	return map[string]string{
		c.endedQuery(): "sessions_by_end", c.endedPreview(): "sessions_by_end",
		c.inStateQuery(): "reviews_by_since", c.inStatePreview(): "reviews_by_since", completeReviews: "reviews_incomplete",
	}
}

// ErasedSessions are the ids of the erased sessions of an organization.
func (s *Store) ErasedSessions(t testing.TB, scope Scope) map[string]bool {
	t.Helper()
	var ids []string
	if err := s.read().List(t.Context(), &ids, `SELECT id FROM candidate_sessions
		WHERE organization_id = ? AND erased_at IS NOT NULL`, scope.OrganizationID); err != nil {
		t.Fatal(err)
	}
	erased := map[string]bool{}
	for _, id := range ids {
		erased[id] = true
	}
	return erased
}

// ArchivedTables are the tables in archives.
func ArchivedTables() []archive.Table { return archived }

// NotArchived is the reason why a table or a column is not in archives, or "".
func NotArchived(name string) string { return notArchived[name] }
