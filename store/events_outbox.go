package store

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"assay/store/internal/db"
	"assay/store/rules"
	"assay/store/traces"
)

type event struct {
	organizationID string
	kind           EventType
	subjectID      string // the session or assessment
	at             time.Time
	data           any // one of the …Data types below
}

// emit writes an event and its deliveries in the transaction of the change, so that
// neither exists without the other. It renders the envelope once; every delivery
// sends the same bytes.
func (c conn) emit(ctx context.Context, e event) error {
	stored, queued, err := c.store.render(ctx, e)
	if err != nil {
		return err
	}
	stored.End = ` RETURNING id`
	row := db.Row{Insert: stored, Returned: []any{new(string)}}
	if e.kind.row().tellsPartner {
		row.Dependents = append(row.Dependents, callbackOf(e, stored.Args[0].(string)))
	}
	row.Dependents = append(row.Dependents, queued) // the last, because it is counted
	err = c.store.db.InsertRow(ctx, c.Conn, &row)
	c.queued(e.organizationID, row.Dependent)
	return err
}

// render makes the id and the envelope of an event, and returns the statements that
// store the event and queue its deliveries. The event has the trace of the context.
func (s *Store) render(ctx context.Context, e event) (stored, queued db.Insert, err error) {
	id := s.NewID("evt")
	body, err := envelope{
		ID: id, Type: e.kind, Timestamp: wireTime(e.at), OrganizationID: e.organizationID, Data: e.data,
	}.render()
	if err != nil {
		return db.Insert{}, db.Insert{}, err
	}
	stored = db.Insert{
		Into:   `INSERT INTO events (id, organization_id, type, subject_id, body, created_at, traceparent)`,
		Select: `SELECT ?, ?, ?, ?, ?, ?, ?`,
		Args:   []any{id, e.organizationID, e.kind, e.subjectID, body, e.at, traces.Of(ctx)},
	}
	return stored, s.queue.Insert(e.organizationID, id, string(e.kind), e.at), nil
}

// envelope is the interface's "Webhook event envelope".
type envelope struct {
	ID             string    `json:"id"`
	Type           EventType `json:"type"`
	Timestamp      wireTime  `json:"timestamp"`
	OrganizationID string    `json:"organizationId"`
	Data           any       `json:"data"`
}

func (e envelope) render() (string, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(e)
	return string(bytes.TrimSuffix(body.Bytes(), []byte("\n"))), err
}

type candidateInvitedData struct {
	SessionID      string              `json:"sessionId"`
	AssessmentID   string              `json:"assessmentId"`
	CandidateName  string              `json:"candidateName"`
	CandidateEmail string              `json:"candidateEmail"`
	ExternalID     *string             `json:"externalId"`
	Metadata       map[string]string   `json:"metadata"`
	InviteURL      string              `json:"inviteUrl"`
	ExpiresAt      wireTime            `json:"expiresAt"`
	Status         rules.SessionStatus `json:"status"`
}

// candidateFinishedData is the data of candidate.completed, and, with
// failedGateData, of candidate.disqualified.
type candidateFinishedData struct {
	SessionID      string              `json:"sessionId"`
	AssessmentID   string              `json:"assessmentId"`
	CandidateName  string              `json:"candidateName"`
	CandidateEmail string              `json:"candidateEmail"`
	Score          float64             `json:"score"`
	Status         rules.SessionStatus `json:"status"`
	ExternalID     *string             `json:"externalId"`
	Metadata       map[string]string   `json:"metadata"`
	Passed         *bool               `json:"passed"`
	Revision       int                 `json:"revision"`
	ResultURL      *string             `json:"resultUrl"`
	*failedGateData
}

type failedGateData struct {
	StageID    string  `json:"stageId"`
	StageTitle string  `json:"stageTitle"`
	StageScore float64 `json:"stageScore"`
	MinScore   float64 `json:"minScore"`
}

// candidateData is what the data of the events below have in common.
type candidateData struct {
	SessionID      string              `json:"sessionId"`
	AssessmentID   string              `json:"assessmentId"`
	CandidateName  string              `json:"candidateName"`
	CandidateEmail string              `json:"candidateEmail"`
	ExternalID     *string             `json:"externalId"`
	Metadata       map[string]string   `json:"metadata"`
	Status         rules.SessionStatus `json:"status"`
}

type candidateStartedData struct {
	candidateData
	StartedAt  wireTime  `json:"startedAt"`
	DeadlineAt *wireTime `json:"deadlineAt"`
}

type candidateExpiredData struct {
	candidateData
	ExpiresAt wireTime `json:"expiresAt"`
}

type candidateCancelledData struct {
	candidateData
	CancelledAt wireTime `json:"cancelledAt"`
}

// emitStatus emits the event of a session that has started, expired, or been cancelled.
// A test session emits nothing.
func (c conn) emitStatus(ctx context.Context, session CandidateSession, now time.Time) error {
	if session.Test {
		return nil
	}
	e := event{organizationID: session.OrganizationID, subjectID: session.ID, at: now}
	data := session.eventData()
	switch session.Status {
	case rules.SessionInProgress:
		started := candidateStartedData{candidateData: data, StartedAt: wireTime(session.StartedAt.Time)}
		if session.DeadlineAt != nil {
			deadline := wireTime(session.DeadlineAt.Time)
			started.DeadlineAt = &deadline
		}
		e.kind, e.data = EventCandidateStarted, started
	case rules.SessionExpired:
		e.kind, e.data = EventCandidateExpired, candidateExpiredData{data, wireTime(session.ExpiresAt.Time)}
	case rules.SessionCancelled:
		e.kind, e.data = EventCandidateCancelled, candidateCancelledData{data, wireTime(now)}
	case rules.SessionInvited, rules.SessionInReview, rules.SessionCompleted, rules.SessionDisqualified:
		// these have events of their own
		return nil
	}
	return c.emit(ctx, e)
}

type candidateReopenedData struct {
	candidateData
	StageID    string    `json:"stageId"`
	DeadlineAt *wireTime `json:"deadlineAt"`
	Revision   int       `json:"revision"` // of the result to come
}

type resultCorrectedData struct {
	candidateData
	PreviousScore  float64   `json:"previousScore"`
	Score          float64   `json:"score"`
	PreviousPassed *bool     `json:"previousPassed"`
	Passed         *bool     `json:"passed"`
	Revision       int       `json:"revision"`
	Cause          CauseType `json:"cause"`
	CauseID        *string   `json:"causeId"`
}

type candidateSubmittedData struct {
	candidateData
	InReviewSince  wireTime          `json:"inReviewSince"`
	CloseReason    rules.CloseReason `json:"closeReason"`    // with which the session ends
	PendingAnswers int               `json:"pendingAnswers"` // that people must grade
}

type reviewRequestedData struct {
	candidateData
	failedGateData
	InReviewSince wireTime `json:"inReviewSince"`
}

type stateChangedData struct {
	candidateData
	ChangeID  string     `json:"changeId"`
	From      stateRef   `json:"from"`
	To        stateRef   `json:"to"`
	ChangedBy eventActor `json:"changedBy"`
}

// stateRef is a state with the name that it had at the time.
type stateRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type eventActor struct {
	Type ActorType `json:"type"`
	ID   string    `json:"id"`
}

func (s CandidateSession) eventData() candidateData {
	return candidateData{
		SessionID: s.ID, AssessmentID: s.AssessmentID, CandidateName: s.CandidateName, CandidateEmail: s.CandidateEmail,
		ExternalID: s.ExternalID, Metadata: s.Metadata(), Status: s.Status,
	}
}

type assessmentPublishedData struct {
	AssessmentID string                 `json:"assessmentId"`
	Title        string                 `json:"title"`
	Status       rules.AssessmentStatus `json:"status"`
	PublishedAt  wireTime               `json:"publishedAt"`
}

type assessmentArchivedData struct {
	AssessmentID string                 `json:"assessmentId"`
	Title        string                 `json:"title"`
	Status       rules.AssessmentStatus `json:"status"`
	ArchivedAt   wireTime               `json:"archivedAt"`
}

// candidateErasedData has nothing personal, because the event stays after the erasure. The external id is erased, too:
// another system chooses it, and it can be an email address.
type candidateErasedData struct {
	SessionID    string   `json:"sessionId"`
	AssessmentID string   `json:"assessmentId"`
	ErasedAt     wireTime `json:"erasedAt"`
}

// wireTime is an instant in the contract's form: RFC 3339, UTC, three decimals.
type wireTime time.Time

// WireTime formats an instant in the contract's form.
func WireTime(t time.Time) string {
	t = t.UTC()
	var buffer [len("2006-01-02T15:04:05.000Z")]byte
	text := t.AppendFormat(buffer[:0], time.RFC3339) // which is several times faster than a format with decimals
	text = append(text[:len(text)-len("Z")], '.')
	thousandths := t.Nanosecond() / int(time.Millisecond)
	for unit := 100; unit > 0; unit /= 10 {
		text = append(text, '0'+byte(thousandths/unit%10))
	}
	return string(append(text, 'Z'))
}

// MarshalText implements encoding.TextMarshaler.
func (t wireTime) MarshalText() ([]byte, error) { return []byte(WireTime(time.Time(t))), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *wireTime) UnmarshalText(text []byte) error {
	parsed, err := time.Parse(time.RFC3339, string(text))
	*t = wireTime(parsed.UTC())
	return err
}
