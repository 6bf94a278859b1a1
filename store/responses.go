package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// Responses is the response matrix of an assessment: a row for each finished session. Test sessions have none.
type Responses struct {
	Definition rules.Definition

	// Next returns the rows in batches, oldest session first, and none at the end.
	Next func() ([]ResponseRow, error)
}

// ResponseRow is a session that is COMPLETED or DISQUALIFIED. It has nothing that names the candidate.
type ResponseRow struct {
	SessionID       string
	Attempt         int
	Status          rules.SessionStatus
	EndedAt         time.Time
	Language        *string  // of the page (BCP 47); nil if the page has not reported it
	Score           *float64 // percent
	Passed          *bool
	DurationSeconds int
	Responses       []Response // to the questions of Responses.Definition, in their order
}

// Response is the outcome of one question, with all corrections. Points is nil if the candidate did not get or reach
// the question. Answer is the scored answer. It is nil if there is none, if it was erased, and for FREE_TEXT, because
// people write about themselves there.
type Response struct {
	Points *float64
	Answer *rules.Answer
}

// CodeBook is what explains the columns of the response matrix.
type CodeBook struct {
	Definition  rules.Definition
	Corrections []rules.Correction
	WithKeys    bool // whether the reader may see the answer keys
}

// ExportResponses returns the response matrix of the sessions that ended in the period. It writes an audit entry
// first. Refusal: not_found.
func (s *Store) ExportResponses(ctx context.Context, scope Scope, id string, ended TimeSpan) (Responses, error) {
	assessment, err := s.read().content(ctx, scope, id)
	if err != nil {
		return Responses{}, err
	}
	matrix := newResponseMatrix(scope, assessment, ended)
	err = s.write(ctx, func(c conn) error { return c.audit(ctx, scope, AuditResponsesExported, id) })
	return Responses{assessment.Definition, func() ([]ResponseRow, error) { return matrix.next(ctx, s.stale()) }}, err
}

// ExportPublicResponses is ExportResponses for an API key, which sees no draft.
func (s *Store) ExportPublicResponses(ctx context.Context, scope Scope, id string, ended TimeSpan) (Responses, error) {
	if _, err := s.RetrievePublicAssessment(ctx, scope, id); err != nil {
		return Responses{}, err
	}
	return s.ExportResponses(ctx, scope, id, ended)
}

// ExportCodeBook returns what explains the columns of the response matrix. Refusal: not_found.
func (s *Store) ExportCodeBook(ctx context.Context, scope Scope, id string) (CodeBook, error) {
	assessment, err := s.read().content(ctx, scope, id)
	if err != nil {
		return CodeBook{}, err
	}
	corrections, err := s.read().corrections(ctx, scope, id)
	return CodeBook{Definition: assessment.Definition, Corrections: corrections, WithKeys: scope.UserID != ""}, err
}

// ExportPublicCodeBook is ExportCodeBook for an API key, which sees no draft and no answer key.
func (s *Store) ExportPublicCodeBook(ctx context.Context, scope Scope, id string) (CodeBook, error) {
	if _, err := s.RetrievePublicAssessment(ctx, scope, id); err != nil {
		return CodeBook{}, err
	}
	return s.ExportCodeBook(ctx, scope, id)
}
