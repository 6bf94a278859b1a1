package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/oklog/ulid/v2"

	"assay/store"
	"assay/store/rules"
)

// gcPercent is the GOGC of assay serve. The bare handler and the load have the
// same one, so that the ratio does not depend on it.
const gcPercent = 200

// bare is the baseline: the least that can answer the same requests from the
// same database. For each request it reads the columns or writes the rows of the
// store's operation, with prepared statements, on pools of the store's sizes.
// It scans rows into structs and encodes them with encoding/json. It does
// nothing else: no credentials, checks, idempotency, log, metrics or timeouts.
type bare struct {
	organizationID string
	assessment     store.Assessment // without answer keys
	postgres       bool
	writer, reader *sql.DB

	selectAssessment, selectSessions, selectSession, selectResult, upsertAnswer *sql.Stmt
	// invite has one statement on PostgreSQL, and four on SQLite.
	invite []*sql.Stmt
}

// Bare is `lab bare`, which `lab bench api` starts.
type Bare struct {
	Addr         string `required:""`
	Organization string `required:""`
	Assessment   string `required:""`
	DatabaseURL  string `required:"" env:"LAB_DATABASE_URL"`
}

// Run serves until ctx ends.
func (c *Bare) Run(ctx context.Context, out io.Writer) error {
	debug.SetGCPercent(gcPercent)
	b, err := newBare(ctx, c.DatabaseURL, c.Organization, c.Assessment)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(out, "ready")
	server := &http.Server{Handler: b.routes(), ReadHeaderTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func newBare(ctx context.Context, databaseURL, organizationID, assessmentID string) (*bare, error) {
	b := &bare{organizationID: organizationID}
	if err := b.open(databaseURL); err != nil {
		return nil, err
	}
	if err := b.prepare(ctx); err != nil {
		return nil, err
	}
	var encoded string
	err := b.reader.QueryRowContext(ctx, `SELECT definition FROM assessments WHERE id = $1`, assessmentID).Scan(&encoded)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(encoded), &b.assessment.Definition); err != nil {
		return nil, err
	}
	for _, stage := range b.assessment.Definition.Stages {
		for i, q := range stage.Questions {
			stage.Questions[i] = rules.Question{ID: q.ID, Type: q.Type, Prompt: q.Prompt, Points: q.Points, Options: q.Options}
		}
	}
	return b, nil
}

// open opens pools like the store's: one for PostgreSQL; for SQLite one
// connection that writes and four that read.
func (b *bare) open(databaseURL string) (err error) {
	file, isSQLite := strings.CutPrefix(databaseURL, "sqlite:")
	if b.postgres = !isSQLite; b.postgres {
		b.writer, err = sql.Open("postgres", databaseURL)
		if err != nil {
			return err
		}
		b.writer.SetMaxOpenConns(20)
		b.writer.SetMaxIdleConns(20)
		b.reader = b.writer
		return nil
	}
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + sqlitePragmas
	if b.writer, err = sql.Open("sqlite", dsn); err != nil {
		return err
	}
	b.writer.SetMaxOpenConns(1)
	if b.reader, err = sql.Open("sqlite", dsn+"&_pragma=query_only(1)"); err != nil {
		return err
	}
	b.reader.SetMaxOpenConns(4)
	b.reader.SetMaxIdleConns(4)
	return nil
}

func (b *bare) close() error {
	if b.postgres {
		return b.writer.Close()
	}
	return errors.Join(b.writer.Close(), b.reader.Close())
}

// prepare prepares each statement. database/sql repeats that on each connection.
func (b *bare) prepare(ctx context.Context) error {
	type one struct {
		stmt **sql.Stmt
		pool *sql.DB
		text string
	}
	all := []one{
		{&b.selectAssessment, b.reader, selectAssessment},
		{&b.selectSessions, b.reader, selectSessions},
		{&b.selectSession, b.reader, selectSession},
		{&b.selectResult, b.reader, selectResult},
		{&b.upsertAnswer, b.writer, upsertAnswer},
	}
	bind, invite := sqlx.QUESTION, []string{insertSession, insertEntry, insertEvent, queueDeliveries}
	if b.postgres {
		bind, invite = sqlx.DOLLAR, []string{insertInvite}
	}
	b.invite = make([]*sql.Stmt, len(invite))
	for i, text := range invite {
		all = append(all, one{&b.invite[i], b.writer, text})
	}
	for _, s := range all {
		if !b.postgres { // as the store does, so that SQLite does not plan the statement each time
			s.text = strings.ReplaceAll(s.text, "LIMIT ?", "LIMIT ? + 0")
		}
		var err error
		//nolint:sqlclosecheck // close closes them with their pool
		if *s.stmt, err = s.pool.PrepareContext(ctx, sqlx.Rebind(bind, s.text)); err != nil {
			return err
		}
	}
	return nil
}

func (b *bare) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /assessments/{id}", answering(b.readAssessment))
	mux.HandleFunc("GET /sessions", answering(b.listSessions))
	mux.HandleFunc("GET /sessions/{id}", answering(b.readSession))
	mux.HandleFunc("GET /results/{id}", answering(b.readResult))
	mux.HandleFunc("PUT /answers/{session}/{question}", answering(b.saveAnswer))
	mux.HandleFunc("POST /sessions", answering(b.createSession))
	return mux
}

// answering encodes what handle returns.
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
		_, _ = w.Write(body) // the client may have disconnected
	}
}

func (b *bare) readAssessment(r *http.Request) (any, error) {
	a := b.assessment
	err := b.selectAssessment.QueryRowContext(r.Context(), b.organizationID, r.PathValue("id")).Scan(
		&a.ID, &a.OrganizationID, &a.Title, &a.Description, &a.Status, &a.PassingScore, &a.TimeLimitMinutes,
		&a.InviteExpiryDays, &a.RedirectURL, &a.Locale, &a.ShuffleQuestions, &a.ShuffleOptions, &a.OpensAt, &a.ClosesAt,
		&a.StageCount, &a.QuestionCount, &a.MaxPoints, &a.CreatedAt, &a.UpdatedAt, &a.PublishedAt, &a.ArchivedAt, &a.Version,
		&a.RepeatRule, &a.RepeatAfterDays, &a.OriginID)
	return a, err
}

const pageSize = 20

// listSessions reads one session more than it returns, as the store does to know
// whether there is a next page.
func (b *bare) listSessions(r *http.Request) (any, error) {
	rows, err := b.selectSessions.QueryContext(r.Context(), b.organizationID, pageSize+1)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	sessions := make([]store.CandidateSession, 0, pageSize+1)
	for rows.Next() {
		s, err := scanSession(rows)
		if err != nil {
			return nil, err
		}
		sessions = append(sessions, s)
	}
	return sessions[:min(pageSize, len(sessions))], rows.Err()
}

func (b *bare) readSession(r *http.Request) (any, error) {
	return scanSession(b.selectSession.QueryRowContext(r.Context(), b.organizationID, r.PathValue("id")))
}

func scanSession(row interface{ Scan(into ...any) error }) (store.CandidateSession, error) {
	var s store.CandidateSession
	err := row.Scan(
		&s.ID, &s.OrganizationID, &s.AssessmentID, &s.AssessmentTitle, &s.CandidateName, &s.CandidateEmail,
		&s.ExternalID, &s.MetadataJSON, &s.Status, &s.Attempt, &s.InviteGeneration, &s.RedirectURL, &s.ExtraTimePercent,
		&s.InvitedAt, &s.ExpiresAt, &s.StartedAt, &s.DeadlineAt, &s.DueAt, &s.CompletedAt, &s.DisqualifiedAt,
		&s.CancelledAt, &s.CloseReason, &s.CurrentStageID, &s.Score, &s.Passed, &s.CreatedAt, &s.UpdatedAt, &s.ErasedAt,
		&s.Test, &s.Note, &s.EmailStatus, &s.EmailSentAt, &s.EmailFailure, &s.EmailReason, &s.OpensAt,
		&s.ClosesAt, &s.Revision, &s.ReviewStateID, &s.ReviewTags, &s.Rating, &s.InReviewSince,
	)
	return s, err
}

func (b *bare) readResult(r *http.Request) (any, error) {
	var assessmentID, status, result string
	var test bool
	var score *float64
	var counts *string
	err := b.selectResult.QueryRowContext(r.Context(), b.organizationID, r.PathValue("id"), false).Scan(
		&assessmentID, &test, &status, &result, &score, &counts)
	return struct {
		AssessmentID, Status string
		Test                 bool
		Result               json.RawMessage
		Score                *float64
		Counts               *string
	}{assessmentID, status, test, json.RawMessage(result), score, counts}, err
}

func (b *bare) saveAnswer(r *http.Request) (any, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	session, question := r.PathValue("session"), r.PathValue("question")
	var revision int64
	err = b.upsertAnswer.QueryRowContext(r.Context(), b.organizationID, session, question, string(body), now).
		Scan(&revision)
	return struct {
		QuestionID string
		Revision   int64
		SavedAt    time.Time
	}{question, revision, now}, err
}

func (b *bare) createSession(r *http.Request) (any, error) {
	var in struct {
		AssessmentID, CandidateName, CandidateEmail string
		ExternalID                                  *string
		Metadata                                    json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, err
	}
	now := store.Time{Time: time.Now().UTC().Truncate(time.Millisecond)}
	expires := store.Time{Time: now.AddDate(0, 0, 14)}
	s := store.CandidateSession{
		ID: newID("ses"), OrganizationID: b.organizationID, AssessmentID: in.AssessmentID,
		AssessmentTitle: "Line cook: food safety", CandidateName: in.CandidateName, CandidateEmail: in.CandidateEmail,
		ExternalID: in.ExternalID, MetadataJSON: string(in.Metadata),
		Status: "INVITED", Attempt: 1, InviteGeneration: 1,
		InvitedAt: now, ExpiresAt: expires, DueAt: &expires, CreatedAt: now, UpdatedAt: now,
	}
	event := newID("evt")
	body, err := json.Marshal(map[string]any{
		"id": event, "type": "candidate.invited", "timestamp": now, "organizationId": b.organizationID, "data": s,
	})
	if err != nil {
		return nil, err
	}
	return s, b.write(r.Context(), [][]any{
		{
			s.ID, s.OrganizationID, s.AssessmentID, s.AssessmentTitle, s.CandidateName, s.CandidateEmail,
			strings.ToLower(s.CandidateEmail), s.ExternalID, s.MetadataJSON,
			now.Time, expires.Time, expires.Time, now.Time, now.Time,
		},
		{newID("aud"), b.organizationID, newID("key"), s.ID, newID("req"), now.Time},
		{event, b.organizationID, s.ID, string(body), now.Time},
		{newID("dlv"), event, now.UnixMicro(), now.UnixMicro(), b.organizationID},
	})
}

// write runs the statements of an invite with the arguments of each.
func (b *bare) write(ctx context.Context, args [][]any) error {
	if b.postgres {
		_, err := b.invite[0].ExecContext(ctx, slices.Concat(args...)...)
		return err
	}
	tx, err := b.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	for i, stmt := range b.invite {
		//nolint:sqlclosecheck // the transaction closes it
		if _, err := tx.StmtContext(ctx, stmt).ExecContext(ctx, args[i]...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func newID(prefix string) string { return prefix + "_" + strings.ToLower(ulid.Make().String()) }
