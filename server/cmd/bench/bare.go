package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"assay/store/rules"

	"github.com/jmoiron/sqlx"
	"github.com/oklog/ulid/v2"

	"assay/store"
)

// gcPercent is the GOGC that assay serve sets for itself. The baseline and the
// load have the same, so that the ratio does not tell of the garbage collector's setting.
const gcPercent = 200

// bareServer is the baseline: the least that can answer from the same database.
//
// Each request runs exactly one prepared statement, alone, without a
// transaction around it, through database/sql on pools of the sizes that the
// server has, with the same SQLite pragmas.
//
//   - assessment: the SELECT that the server runs for a published assessment
//     whose content it has in memory. The baseline has the content in memory
//     too, without its answer keys, and encodes it each time.
//   - list: the server's SELECT of 21 sessions, with all columns, of which 20
//     are written.
//   - result: the server's SELECT with its sums for the percentile; the
//     stored document is written as it is stored.
//   - answer: a plain upsert into answers. The server's own statement also reads
//     and locks the session that the answer belongs to.
//   - invite: a plain INSERT into candidate_sessions, with all its indexes and
//     foreign keys. The server also looks for a live session, writes an event
//     and queues its deliveries, all in one transaction.
//
// Rows are scanned into structs and written with encoding/json; bodies are read
// with encoding/json (invite) or taken as they are (answer). What the server does
// besides is not done: no credential, no check of path, query or body, no
// request id, log, metrics, timeouts or headers but Content-Type, no invite
// links, and an error is a 500 with its text.
type bareServer struct {
	organizationID string
	stages         []rules.Stage

	selectAssessment, listSessions, selectResult, upsertAnswer, insertSession *sql.Stmt
}

// bareCommand serves the baseline until it is told to end.
type bareCommand struct {
	Addr         string `required:""`
	Organization string `required:""`
	Assessment   string `required:""`
	DatabaseURL  string `required:"" env:"BENCH_DATABASE_URL"`
}

// Run serves.
func (c *bareCommand) Run(ctx context.Context) error {
	debug.SetGCPercent(gcPercent)
	writer, reader, err := openPools(c.DatabaseURL)
	if err != nil {
		return err
	}
	b := &bareServer{organizationID: c.Organization}
	if err := b.prepare(ctx, writer, reader, c.DatabaseURL); err != nil {
		return err
	}
	if err := b.readStages(ctx, reader, c.Assessment); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: b.routes(), ReadHeaderTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// The texts are those of store/assessments.go, store/candidate_sessions.go and
// store/results.go.
const (
	selectAssessment = `SELECT id, organization_id, title, description, status, passing_score, time_limit_minutes,
		invite_expiry_days, redirect_url, stage_count, question_count, max_points, created_at, updated_at,
		published_at, archived_at FROM assessments WHERE organization_id = ? AND id = ? AND status = 'PUBLISHED'`

	listSessionRows = `SELECT id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
		external_id, metadata, status, attempt, invite_generation, redirect_url, extra_time_percent, invited_at, expires_at,
		started_at, deadline_at, due_at, completed_at, disqualified_at, cancelled_at, close_reason, current_stage_id, score,
		passed, created_at, updated_at FROM candidate_sessions WHERE organization_id = ? ORDER BY id DESC LIMIT ?`

	selectResult = `
		SELECT s.status, s.result, COALESCE(SUM(c.completions), 0) AS completions,
			COALESCE(SUM(c.completions) FILTER (WHERE c.score < s.score), 0) AS below,
			COALESCE(SUM(c.completions) FILTER (WHERE c.score = s.score), 0) AS same
		FROM candidate_sessions s LEFT JOIN score_counts c ON c.assessment_id = s.assessment_id
		WHERE s.organization_id = ? AND s.id = ? GROUP BY s.id`

	upsertAnswer = `
		INSERT INTO answers (organization_id, session_id, question_id, answer, saved_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (session_id, question_id) DO UPDATE SET answer = excluded.answer, saved_at = excluded.saved_at`

	insertSession = `
		INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
			candidate_email_key, external_id, metadata, status, attempt, invite_generation, redirect_url, extra_time_percent,
			invited_at, expires_at, due_at, progress, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'INVITED', 1, 1, NULL, 0, ?, ?, ?, '{}', ?, ?)`
)

// prepare prepares each statement once; database/sql does so again on each of
// the pool's connections.
func (b *bareServer) prepare(ctx context.Context, writer, reader *sql.DB, databaseURL string) error {
	bind := sqlx.QUESTION
	if strings.HasPrefix(databaseURL, "postgres") {
		bind = sqlx.DOLLAR
	}
	for _, s := range []struct {
		stmt **sql.Stmt
		pool *sql.DB
		text string
	}{
		{&b.selectAssessment, reader, selectAssessment},
		{&b.listSessions, reader, listSessionRows},
		{&b.selectResult, reader, selectResult},
		{&b.upsertAnswer, writer, upsertAnswer},
		{&b.insertSession, writer, insertSession},
	} {
		var err error
		//nolint:sqlclosecheck // they stay prepared for the life of the process
		if *s.stmt, err = s.pool.PrepareContext(ctx, sqlx.Rebind(bind, s.text)); err != nil {
			return err
		}
	}
	return nil
}

// readStages keeps the assessment's content, without what candidates may not see.
func (b *bareServer) readStages(ctx context.Context, reader *sql.DB, assessmentID string) error {
	var encoded string
	if err := reader.QueryRowContext(ctx, `SELECT definition FROM assessments WHERE id = $1`, assessmentID).Scan(&encoded); err != nil {
		return err
	}
	var definition rules.Definition
	if err := json.Unmarshal([]byte(encoded), &definition); err != nil {
		return err
	}
	for _, stage := range definition.Stages {
		for i, q := range stage.Questions {
			stage.Questions[i] = rules.Question{ID: q.ID, Type: q.Type, Prompt: q.Prompt, Points: q.Points, Options: q.Options}
		}
	}
	b.stages = definition.Stages
	return nil
}

func (b *bareServer) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ready", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /assessments/{id}", answering(b.assessment))
	mux.HandleFunc("GET /sessions", answering(b.list))
	mux.HandleFunc("GET /results/{id}", answering(b.result))
	mux.HandleFunc("PUT /answers/{session}/{question}", answering(b.answer))
	mux.HandleFunc("POST /sessions", answering(b.invite))
	return mux
}

// answering writes what handle returns as JSON.
func answering(handle func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, err := handle(r)
		var body []byte
		if err == nil {
			body, err = json.Marshal(struct {
				Data any `json:"data"`
			}{data})
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body) // the client may be gone
	}
}

type bareAssessmentBody struct {
	ID               string        `json:"id"`
	OrganizationID   string        `json:"-"`
	Title            string        `json:"title"`
	Description      *string       `json:"description"`
	Status           string        `json:"status"`
	PassingScore     *float64      `json:"passingScore"`
	TimeLimitMinutes *int          `json:"timeLimitMinutes"`
	InviteExpiryDays int           `json:"inviteExpiryDays"`
	RedirectURL      *string       `json:"redirectUrl"`
	StageCount       int           `json:"stageCount"`
	QuestionCount    int           `json:"questionCount"`
	MaxPoints        float64       `json:"maxPoints"`
	CreatedAt        store.Time    `json:"createdAt"`
	UpdatedAt        store.Time    `json:"updatedAt"`
	PublishedAt      *store.Time   `json:"publishedAt"`
	ArchivedAt       *store.Time   `json:"archivedAt"`
	Stages           []rules.Stage `json:"stages"`
}

func (b *bareServer) assessment(r *http.Request) (any, error) {
	a := bareAssessmentBody{Stages: b.stages}
	err := b.selectAssessment.QueryRowContext(r.Context(), b.organizationID, r.PathValue("id")).Scan(
		&a.ID, &a.OrganizationID, &a.Title, &a.Description, &a.Status, &a.PassingScore, &a.TimeLimitMinutes, &a.InviteExpiryDays,
		&a.RedirectURL, &a.StageCount, &a.QuestionCount, &a.MaxPoints, &a.CreatedAt, &a.UpdatedAt, &a.PublishedAt, &a.ArchivedAt)
	return a, err
}

type bareSession struct {
	ID               string      `json:"id"`
	OrganizationID   string      `json:"organizationId"`
	AssessmentID     string      `json:"assessmentId"`
	AssessmentTitle  string      `json:"assessmentTitle"`
	CandidateName    string      `json:"candidateName"`
	CandidateEmail   string      `json:"candidateEmail"`
	ExternalID       *string     `json:"externalId"`
	Metadata         rawJSON     `json:"metadata"`
	Status           string      `json:"status"`
	Attempt          int         `json:"attempt"`
	InviteGeneration int         `json:"inviteGeneration"`
	RedirectURL      *string     `json:"redirectUrl"`
	ExtraTimePercent int         `json:"extraTimePercent"`
	InvitedAt        store.Time  `json:"invitedAt"`
	ExpiresAt        store.Time  `json:"expiresAt"`
	StartedAt        *store.Time `json:"startedAt"`
	DeadlineAt       *store.Time `json:"deadlineAt"`
	DueAt            *store.Time `json:"dueAt"`
	CompletedAt      *store.Time `json:"completedAt"`
	DisqualifiedAt   *store.Time `json:"disqualifiedAt"`
	CancelledAt      *store.Time `json:"cancelledAt"`
	CloseReason      *string     `json:"closeReason"`
	CurrentStageID   *string     `json:"currentStageId"`
	Score            *float64    `json:"score"`
	Passed           *bool       `json:"passed"`
	CreatedAt        store.Time  `json:"createdAt"`
	UpdatedAt        store.Time  `json:"updatedAt"`
}

const pageSize = 20

func (b *bareServer) list(r *http.Request) (any, error) {
	rows, err := b.listSessions.QueryContext(r.Context(), b.organizationID, pageSize+1)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	sessions := make([]bareSession, 0, pageSize+1)
	for rows.Next() {
		var s bareSession
		if err := rows.Scan(&s.ID, &s.OrganizationID, &s.AssessmentID, &s.AssessmentTitle, &s.CandidateName, &s.CandidateEmail,
			&s.ExternalID, &s.Metadata, &s.Status, &s.Attempt, &s.InviteGeneration, &s.RedirectURL, &s.ExtraTimePercent,
			&s.InvitedAt, &s.ExpiresAt, &s.StartedAt, &s.DeadlineAt, &s.DueAt, &s.CompletedAt, &s.DisqualifiedAt, &s.CancelledAt,
			&s.CloseReason, &s.CurrentStageID, &s.Score, &s.Passed, &s.CreatedAt, &s.UpdatedAt); err != nil {
			return nil, err
		}
		sessions = append(sessions, s)
	}
	return sessions[:min(pageSize, len(sessions))], rows.Err()
}

func (b *bareServer) result(r *http.Request) (any, error) {
	var result struct {
		Status      string  `json:"status"`
		Result      rawJSON `json:"result"`
		Completions int     `json:"completions"`
		Below       int     `json:"below"`
		Same        int     `json:"same"`
	}
	err := b.selectResult.QueryRowContext(r.Context(), b.organizationID, r.PathValue("id")).Scan(
		&result.Status, &result.Result, &result.Completions, &result.Below, &result.Same)
	return result, err
}

func (b *bareServer) answer(r *http.Request) (any, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	_, err = b.upsertAnswer.ExecContext(r.Context(), b.organizationID, r.PathValue("session"), r.PathValue("question"), string(body), now)
	return struct {
		QuestionID string    `json:"questionId"`
		SavedAt    time.Time `json:"savedAt"`
	}{r.PathValue("question"), now}, err
}

func (b *bareServer) invite(r *http.Request) (any, error) {
	var in struct {
		AssessmentID   string          `json:"assessmentId"`
		CandidateName  string          `json:"candidateName"`
		CandidateEmail string          `json:"candidateEmail"`
		ExternalID     string          `json:"externalId"`
		Metadata       json.RawMessage `json:"metadata"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, err
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	const title = "Line cook: food safety"
	s := bareSession{
		ID: "ses_" + strings.ToLower(ulid.Make().String()), OrganizationID: b.organizationID, AssessmentID: in.AssessmentID,
		AssessmentTitle: title, CandidateName: in.CandidateName, CandidateEmail: in.CandidateEmail, ExternalID: &in.ExternalID,
		Metadata: rawJSON(in.Metadata), Status: "INVITED", Attempt: 1, InviteGeneration: 1,
		InvitedAt: store.Time{Time: now}, ExpiresAt: store.Time{Time: now.AddDate(0, 0, 14)},
		CreatedAt: store.Time{Time: now}, UpdatedAt: store.Time{Time: now},
	}
	_, err := b.insertSession.ExecContext(r.Context(), s.ID, s.OrganizationID, s.AssessmentID, title, s.CandidateName, s.CandidateEmail,
		strings.ToLower(s.CandidateEmail), s.ExternalID, string(in.Metadata), now, s.ExpiresAt.Time, s.ExpiresAt.Time, now, now)
	return s, err
}

// rawJSON is a column of JSON text, written as it is.
type rawJSON json.RawMessage

// Scan implements sql.Scanner.
func (j *rawJSON) Scan(value any) error {
	switch v := value.(type) {
	case string:
		*j = rawJSON(v)
	case []byte:
		*j = append(rawJSON{}, v...)
	default:
		return errors.New("a column of JSON holds no text")
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (j rawJSON) MarshalJSON() ([]byte, error) { return j, nil }
