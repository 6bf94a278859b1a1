package store

import (
	"encoding/json"
	"slices"
)

// EventType is the kind of an event.
type EventType string

// The event types: four are in the interface ("Events"), and ten are not.
const (
	EventCandidateInvited      EventType = "candidate.invited"
	EventCandidateStarted      EventType = "candidate.started"
	EventCandidateCompleted    EventType = "candidate.completed"
	EventCandidateDisqualified EventType = "candidate.disqualified"
	EventCandidateExpired      EventType = "candidate.expired"
	EventCandidateCancelled    EventType = "candidate.cancelled"
	EventCandidateReopened     EventType = "candidate.reopened"
	EventResultCorrected       EventType = "candidate.result_corrected"
	EventStateChanged          EventType = "candidate.state_changed"
	EventCandidateErased       EventType = "candidate.erased"
	EventAssessmentPublished   EventType = "assessment.published"
	EventAssessmentArchived    EventType = "assessment.archived"
	EventCandidateSubmitted    EventType = "candidate.submitted"
	EventReviewRequested       EventType = "candidate.review_requested"
)

// eventTypes is the table of event types, in the order of the contract. Their data are in events_outbox.go.
var eventTypes = []eventRow{
	{EventCandidateInvited, readsCandidates, false, anonymous[candidateInvitedData]},
	{EventCandidateStarted, readsCandidates, true, anonymous[candidateStartedData]},
	{EventCandidateCompleted, readsCandidates, true, anonymous[candidateFinishedData]},
	{EventCandidateDisqualified, readsCandidates, true, anonymousDisqualified},
	{EventCandidateExpired, readsCandidates, true, anonymous[candidateExpiredData]},
	{EventCandidateCancelled, readsCandidates, true, anonymous[candidateCancelledData]},
	{EventAssessmentPublished, readsAssessments, false, nil},
	{EventCandidateReopened, readsCandidates, true, anonymous[candidateReopenedData]},
	{EventResultCorrected, readsCandidates, true, anonymous[resultCorrectedData]},
	{EventStateChanged, readsReviews, false, anonymous[stateChangedData]},
	{EventCandidateErased, readsCandidates, false, nil},
	{EventAssessmentArchived, readsAssessments, false, nil},
	{EventCandidateSubmitted, readsCandidates, false, anonymous[candidateSubmittedData]},
	{EventReviewRequested, readsCandidates, false, anonymous[reviewRequestedData]},
}

type eventRow struct {
	kind   EventType
	scopes []string // that an API key needs to read the event
	// tellsPartner says that a system that has ordered the session hears of the event.
	tellsPartner bool
	// anonymous returns the data without the data of an erased candidate. It is nil if there are none.
	anonymous func(data json.RawMessage, sessionID string) (any, error)
}

var (
	readsCandidates  = []string{"candidates:read"}
	readsReviews     = []string{"candidates:read", "reviews:read"}
	readsAssessments = []string{"assessments:read"}
)

// row returns the row of the type. It is empty for an unknown type.
func (t EventType) row() eventRow {
	i := slices.IndexFunc(eventTypes, func(row eventRow) bool { return row.kind == t })
	if i < 0 {
		return eventRow{}
	}
	return eventTypes[i]
}

// ListEventTypes returns the event types, in the order of the contract.
func (s *Store) ListEventTypes() []EventType {
	kinds := make([]EventType, len(eventTypes))
	for i, row := range eventTypes {
		kinds[i] = row.kind
	}
	return kinds
}

// anonymous decodes data and erases the candidate in them.
func anonymous[T any, P interface {
	*T
	erase(sessionID string)
}](data json.RawMessage, sessionID string) (any, error) {
	var decoded T
	err := json.Unmarshal(data, &decoded)
	P(&decoded).erase(sessionID)
	return decoded, err
}

func anonymousDisqualified(data json.RawMessage, sessionID string) (any, error) {
	decoded := candidateFinishedData{failedGateData: &failedGateData{}} // JSON does not make a struct without a name
	err := json.Unmarshal(data, &decoded)
	decoded.erase(sessionID)
	return decoded, err
}

func (d *candidateInvitedData) erase(sessionID string) {
	d.CandidateName, d.CandidateEmail = erasedName, erasedEmail(sessionID)
	d.ExternalID, d.Metadata = nil, map[string]string{}
}

func (d *candidateFinishedData) erase(sessionID string) {
	d.CandidateName, d.CandidateEmail = erasedName, erasedEmail(sessionID)
	d.ExternalID, d.Metadata, d.ResultURL = nil, map[string]string{}, nil
}

func (d *candidateData) erase(sessionID string) {
	d.CandidateName, d.CandidateEmail = erasedName, erasedEmail(sessionID)
	d.ExternalID, d.Metadata = nil, map[string]string{}
}
