package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"assay/store/rules"
)

// CandidateData is what the organization has about the person with an address.
type CandidateData struct {
	Email         string
	Sessions      []*DataSession // newest first
	Registrations []DataRegistration
	Suppression   *DataSuppression // nil if the organization writes to the address
	Next          string           // see CandidateDataQuery.After; "" on the last page
}

// DataSession is one session of CandidateData. Test sessions and erased sessions are not among them.
type DataSession struct {
	CandidateSession

	Locale       *string // of the assessment
	EndedAt      *time.Time
	Held         bool
	KeptUntil    *time.Time // nil without a limit
	StateName    *string    // nil if the organization has given no state
	StateChanges []ReviewChange
	Ratings      []ReviewRating
	Comments     []ReviewComment
	Stages       []DataStage
	Answers      []DataAnswer
	Decisions    []DataDecision
	Emails       []DataEmail
	Devices      []DataDevice
	Recipients   []DataRecipient

	SelfIdentification []DataSelfIdentification

	progress rules.Progress
}

// DataStage is a stage that the candidate has started.
type DataStage struct {
	Title     string
	StartedAt time.Time
	EndedAt   *time.Time
	Score     *float64 // percent
}

// DataAnswer is an answer with its question.
type DataAnswer struct {
	StageTitle string
	Prompt     string // Markdown
	Answer     *string
	Late       bool     // it arrived after the end, and was not counted
	Points     *float64 // nil until the result is there
	MaxPoints  float64
	Feedback   *string
}

// DataSelfIdentification is the answer to a voluntary question.
type DataSelfIdentification struct {
	Question string
	Answer   string
}

// DataDecision is a decision of a person about a session.
type DataDecision struct {
	Kind   string  `db:"kind"`
	Reason string  `db:"reason"`
	ByName *string `db:"by_name"`
	At     Time    `db:"created_at"`
}

// DataEmail is an email to the candidate.
type DataEmail struct {
	Kind   EmailKind   `db:"kind"`
	Status EmailStatus `db:"status"`
	At     Time        `db:"created_at"`
}

// DataDevice is a browser in which the candidate worked.
type DataDevice struct {
	Browser, System *string
	Network         string // see Origin.Network
	At              Time
}

// RecipientKind is the kind of a DataRecipient.
type RecipientKind string

// The kinds of recipient.
const (
	RecipientWebhook     RecipientKind = "WEBHOOK"
	RecipientIntegration RecipientKind = "INTEGRATION"
	RecipientResultLink  RecipientKind = "RESULT_LINK"
)

// DataRecipient received data of a session.
type DataRecipient struct {
	Kind RecipientKind
	Name string
	At   time.Time // the first time
}

// DataRegistration is a registration that waits for its confirmation.
type DataRegistration struct {
	AssessmentID    string `db:"assessment_id"`
	AssessmentTitle string `db:"assessment_title"`
	Name            string `db:"name"` // "" for none
	Email           string `db:"email"`
	Locale          string `db:"locale"`
	ExpiresAt       Time   `db:"expires_at"`
}

// DataSuppression says why the organization does not write to an address.
type DataSuppression struct {
	Reason    SuppressionReason `db:"reason"`
	CreatedAt Time              `db:"created_at"`
	ExpiresAt *Time             `db:"expires_at"` // nil for never
}

// dataOrder is the order of the cursors. A cursor in a body is not a plain id, because it names no resource.
const dataOrder = "candidate_data"

const (
	dataSessions     = 20  // of a page
	dataPageSessions = 100 // of RenderCandidateDataPage

	// dataBytes is the size of the results of a page. The first session is on its page whatever its size.
	dataBytes = 8 << 20

	// dataRows bounds the rows of one kind of a page, and dataSessionRows those of a session. Only a program that changes
	// a session again and again reaches them.
	dataRows        = 10_000
	dataSessionRows = dataRows / dataSessions
)

// CandidateDataQuery is the input of RetrieveCandidateData.
type CandidateDataQuery struct {
	Email string
	After string // the cursor of the page before; "" for the first page
}

// RetrieveCandidateData returns a page of what the organization has about a person, and records that in the audit log,
// without the address. Refusal: invalid_request for an unknown cursor.
func (s *Store) RetrieveCandidateData(ctx context.Context, scope Scope, in CandidateDataQuery) (CandidateData, error) {
	if in.After != "" {
		if in.After = decodeCursor(in.After, dataOrder, new(string)); in.After == "" {
			return CandidateData{}, errNotADataCursor
		}
	}
	if err := s.auditDataExport(ctx, scope); err != nil {
		return CandidateData{}, err
	}
	data, err := s.read().candidateData(ctx, scope, in)
	if data.Next != "" {
		data.Next = encodeCursor(dataOrder, "", data.Next)
	}
	return data, err
}

// RetrievePublicCandidateData is RetrieveCandidateData.
func (s *Store) RetrievePublicCandidateData(
	ctx context.Context, scope Scope, in CandidateDataQuery,
) (CandidateData, error) {
	return s.RetrieveCandidateData(ctx, scope, in)
}

// CandidateDataPage is what the page about a person shows.
type CandidateDataPage struct {
	Organization Organization
	Zone         *time.Location
	Data         CandidateData // Next is "" unless there are more than dataPageSessions
}

// RenderCandidateDataPage returns what the organization has about a person in up to dataPageSessions sessions, and
// records that in the audit log.
func (s *Store) RenderCandidateDataPage(ctx context.Context, scope Scope, email string) (CandidateDataPage, error) {
	page := CandidateDataPage{Zone: time.UTC}
	err := s.auditDataExport(ctx, scope)
	if err != nil {
		return page, err
	}
	c := s.read()
	if page.Organization, err = c.organization(ctx, scope); err != nil {
		return page, err
	}
	if zone, err := time.LoadLocation(value(page.Organization.TimeZone)); err == nil {
		page.Zone = zone
	}
	var sessions []*DataSession
	for more := true; more; more = page.Data.Next != "" && len(sessions) < dataPageSessions {
		page.Data, err = c.candidateData(ctx, scope, CandidateDataQuery{Email: email, After: page.Data.Next})
		if err != nil {
			return page, err
		}
		sessions = append(sessions, page.Data.Sessions...)
	}
	page.Data.Sessions = sessions
	return page, nil
}

func (s *Store) auditDataExport(ctx context.Context, scope Scope) error {
	return s.write(ctx, func(c conn) error {
		return c.audit(ctx, scope, AuditCandidateDataExported, scope.OrganizationID)
	})
}

func (c conn) candidateData(ctx context.Context, scope Scope, in CandidateDataQuery) (CandidateData, error) {
	data, key := CandidateData{Email: in.Email}, emailKey(in.Email)
	if err := c.List(ctx, &data.Registrations, `
		SELECT r.assessment_id, (SELECT a.title FROM assessments a WHERE a.id = r.assessment_id) AS assessment_title,
			r.name, r.email, r.locale, r.expires_at
		FROM registrations r WHERE r.organization_id = ? AND r.email_key = ? ORDER BY r.id LIMIT ?`,
		scope.OrganizationID, key, dataRows); err != nil {
		return data, err
	}
	var suppressed []DataSuppression
	if err := c.List(ctx, &suppressed, `
		SELECT reason, created_at, expires_at FROM email_suppressions
		WHERE organization_id = ? AND address_hash = ? AND (expires_at IS NULL OR expires_at > ?)`,
		scope.OrganizationID, hashAccount(in.Email), c.store.Now()); err != nil {
		return data, err
	}
	if len(suppressed) > 0 {
		data.Suppression = &suppressed[0]
	}
	sessions, err := c.dataSessions(ctx, scope, key, in.After)
	if err != nil || len(sessions) == 0 {
		return data, err
	}
	all, err := c.addDataFacts(ctx, scope, sessions[:min(len(sessions), dataSessions)])
	if err != nil {
		return data, err
	}
	data.Sessions = all.sessions
	if len(all.sessions) < len(sessions) {
		data.Next = all.sessions[len(all.sessions)-1].ID
	}
	for _, read := range []func(context.Context, Scope, dataOf) error{
		c.addDataReviews, c.addDataRetention, c.addDataAnswers, c.addDataDecisions, c.addDataEmails, c.addDataDevices,
		c.addDataRecipients, c.addDataSelfIdentification,
	} {
		if err := read(ctx, scope, all); err != nil {
			return data, err
		}
	}
	return data, nil
}

// dataSessions returns the sessions of a person after a session, newest first, and one more than a page has.
func (c conn) dataSessions(ctx context.Context, scope Scope, key, after string) ([]CandidateSession, error) {
	const query = sessionColumns + ` WHERE organization_id = ? AND candidate_email_key = ? AND NOT test
		AND (? OR id < ?) ORDER BY id DESC LIMIT ?`
	return c.sessions(ctx, query, scope.OrganizationID, key, after == "", after, dataSessions+1)
}

// dataOf are the sessions of a page, to which the data are added.
type dataOf struct {
	sessions []*DataSession
	byID     map[string]*DataSession
	encoded  string // the ids as a JSON array
}

// addDataFacts makes the page of sessions, as many as fit.
func (c conn) addDataFacts(ctx context.Context, scope Scope, sessions []CandidateSession) (dataOf, error) {
	page := dataOf{byID: map[string]*DataSession{}}
	var ids []string
	for _, session := range sessions {
		ids = append(ids, session.ID)
	}
	encoded, _ := json.Marshal(ids) // texts
	var rows []struct {
		ID       string  `db:"id"`
		Size     int     `db:"size"`
		Progress string  `db:"progress"`
		Locale   *string `db:"locale"`
		Held     bool    `db:"held"`
	}
	if err := c.List(ctx, &rows, `
		SELECT s.id, COALESCE(LENGTH(s.result), 0) AS size, s.progress,
			(SELECT a.locale FROM assessments a WHERE a.id = s.assessment_id) AS locale, `+sessionHeld+` AS held
		FROM (SELECT id, organization_id, assessment_id, progress, result
			FROM `+c.store.db.RowsByID("candidate_sessions", "sessions_by_id")+`) s ORDER BY s.id DESC`,
		string(encoded), scope.OrganizationID); err != nil {
		return page, err
	}
	states, err := c.reviewStates(ctx, scope)
	if err != nil {
		return page, err
	}
	size := 0
	for i, row := range rows {
		if size += row.Size; i > 0 && size > dataBytes || row.ID != sessions[i].ID {
			break
		}
		session := &DataSession{CandidateSession: sessions[i], Locale: row.Locale, Held: row.Held}
		if err := json.Unmarshal([]byte(row.Progress), &session.progress); err != nil {
			return page, err
		}
		session.EndedAt = session.end()
		if state, known := states.byID(session.ReviewState()); known && session.ReviewStateID != nil {
			session.StateName = &state.Name
		}
		page.sessions = append(page.sessions, session)
		page.byID[session.ID] = session
	}
	kept, err := json.Marshal(ids[:len(page.sessions)])
	page.encoded = string(kept)
	if err == nil && len(page.sessions) == 0 {
		err = errDataChanged
	}
	return page, err
}

// errDataChanged means that the sessions were deleted with their organization while they were read.
var errDataChanged = errors.New("store: the sessions of a person have changed meanwhile")

// end is when the session has ended, or nil.
func (cs CandidateSession) end() *time.Time {
	for _, at := range []*Time{cs.CompletedAt, cs.DisqualifiedAt, cs.CancelledAt} {
		if at != nil {
			return &at.Time
		}
	}
	if cs.Status == rules.SessionExpired {
		return &cs.ExpiresAt.Time
	}
	return nil
}
