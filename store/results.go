package store

import (
	"context"
	"errors"
	"strconv"
	"time"

	"assay/store/rules"
)

// percentileFrom is the number of completions below which a percentile means nothing.
const percentileFrom = 20

// keptResult is a result in memory. Apart from its percentile, the result of a session changes by
// a new revision and by an erasure.
type keptResult struct {
	resultRow

	organizationID string
	percentile     string // JSON
	document       *Document
	checkedAt      time.Time
}

type resultRow struct {
	AssessmentID string              `db:"assessment_id"`
	Test         bool                `db:"test"`
	Status       rules.SessionStatus `db:"status"`
	Result       *string             `db:"result"` // nil in memory
	Score        *float64            `db:"score"`
	Counts       SessionCounts       `db:"session_counts"`
	ErasedAt     *Time               `db:"erased_at"`
	InReview     *Time               `db:"in_review_since"`
	Revision     int                 `db:"revision"`
	Removed      int64               `db:"removed"`
}

// resultCacheBytes bounds the memory for results: about 1,500 of 45 questions.
const resultCacheBytes = 64 << 20

// result returns the Result of a finished session: the stored document with
// its texts as HTML, and with the percentile as its last member. The percentile follows
// the statistics, and therefore a completion within seconds. A change on another replica
// can be missing for documentLifetime. Refusals: not_found, result_not_ready, result_in_review.
func (c conn) result(ctx context.Context, scope Scope, sessionID string) (*Document, error) {
	now, cache := c.store.Now(), c.store.results
	kept, isKept := cache.Get(sessionID)
	isKept = isKept && kept.organizationID == scope.OrganizationID && (!kept.Test || scope.APIKeyID == "") &&
		scope.SeesAssessment(kept.AssessmentID)
	if isKept && isRecent(kept.checkedAt, now) {
		return kept.document, nil
	}
	removals := cache.Removals()
	row, err := c.resultRow(ctx, scope, sessionID, !isKept)
	if isKept && err == nil && ((row.ErasedAt == nil) != (kept.ErasedAt == nil) || row.Revision != kept.Revision) {
		isKept = false
		row, err = c.resultRow(ctx, scope, sessionID, true)
	}
	if err != nil {
		return nil, err
	}
	if !isKept && row.Result == nil {
		return nil, resultRefusal(row.Status, row.InReview)
	}
	percentile, err := c.percentile(ctx, scope, row)
	if err != nil {
		return nil, err
	}
	switch {
	case !isKept:
		assessment, err := c.contentFor(ctx, scope, contentID(row.Test, row.AssessmentID, sessionID), sessionID)
		if err != nil {
			return nil, err
		}
		stored, err := c.store.withHTML(assessment, *row.Result)
		if err != nil {
			return nil, err
		}
		kept.document = withPercentile(stored, percentile)
	case kept.percentile != percentile:
		data := kept.document.Data()
		stored := string(data[:len(data)-len(percentileMember)-len(kept.percentile)-1]) + "}"
		kept.document = withPercentile(stored, percentile)
	}
	row.Result = nil
	kept = keptResult{row, scope.OrganizationID, percentile, kept.document, now}
	cache.AddSince(removals, sessionID, kept, kept.document.Memory())
	return kept.document, nil
}

// resultRow reads what a result is made of, with the stored document or without it.
func (c conn) resultRow(ctx context.Context, scope Scope, sessionID string, stored bool) (row resultRow, err error) {
	result := ""
	if stored {
		result = ", s.result"
	}
	err = c.Get(ctx, &row, `
		SELECT s.assessment_id, s.test, s.status, s.score, s.erased_at, s.revision, s.in_review_since, c.session_counts,
			COALESCE(c.removals, 0) AS removed`+result+`
		FROM candidate_sessions s LEFT JOIN assessment_statistics c ON c.assessment_id = s.assessment_id
		WHERE s.organization_id = ? AND s.id = ? AND (NOT s.test OR ?)`,
		scope.OrganizationID, sessionID, scope.APIKeyID == "")
	if err == nil && !scope.SeesAssessment(row.AssessmentID) {
		return resultRow{}, errNoSession
	}
	return row, orRefuse(err, errNoSession)
}

// percentile returns the percentile of a session's score as JSON. It is null as long as
// few sessions are completed.
func (c conn) percentile(ctx context.Context, scope Scope, row resultRow) (string, error) {
	if row.Status != rules.SessionCompleted || row.Score == nil {
		return "null", nil
	}
	ranks, err := c.ranks(ctx, scope, row.AssessmentID, scoreCount{row.Counts[rules.SessionCompleted], row.Removed})
	if err != nil || ranks.completions() < percentileFrom {
		return "null", err
	}
	return strconv.FormatFloat(ranks.percentile(*row.Score), 'f', -1, 64), nil
}

const percentileMember = `,"percentile":`

// withPercentile makes the document of a result without its percentile.
func withPercentile(stored, percentile string) *Document {
	return NewDocument(stored[:len(stored)-1], percentileMember, percentile, "}")
}

// readResult is result, audited as the action.
func (s *Store) readResult(
	ctx context.Context, scope Scope, action AuditAction, sessionID string,
) (*Document, error) {
	result, err := s.read().result(ctx, scope, sessionID)
	if err == nil {
		err = s.auditReads(ctx, scope, action, sessionID)
	}
	return result, err
}

// RetrievePublicCandidateSessionResult returns the result of a finished session
// in the contract's form. Refusals: not_found, result_not_ready, result_in_review.
func (s *Store) RetrievePublicCandidateSessionResult(
	ctx context.Context, scope Scope, sessionID string,
) (*Document, error) {
	return s.readResult(ctx, scope, AuditResultRead, sessionID)
}

// ResultRow is the result of one of several sessions, or why there is none.
type ResultRow struct {
	SessionID string
	Result    *Document
	Refusal   *Error
}

// RetrieveResults returns the results of several sessions, in the order of the ids.
func (s *Store) RetrieveResults(ctx context.Context, scope Scope, sessionIDs []string) ([]ResultRow, error) {
	rows, read := make([]ResultRow, len(sessionIDs)), []string(nil)
	for i, id := range sessionIDs {
		row := ResultRow{SessionID: id}
		var err error
		if row.Result, err = s.read().result(ctx, scope, id); err != nil && !errors.As(err, &row.Refusal) {
			return nil, err
		}
		if row.Refusal == nil {
			read = append(read, id)
		}
		rows[i] = row
	}
	return rows, s.auditReads(ctx, scope, AuditResultRead, read...)
}

// ExchangeResultToken returns the result that a result token names, as
// RetrievePublicCandidateSessionResult does. Refusals: result_not_found, result_in_review.
func (s *Store) ExchangeResultToken(ctx context.Context, scope Scope, token ResultToken) (*Document, error) {
	if token.OrganizationID != scope.OrganizationID {
		return nil, errResultNotFound
	}
	result, err := s.readResult(ctx, scope, AuditResultTokenExchanged, token.SessionID)
	var refusal *Error
	if errors.As(err, &refusal) && refusal.Code != errResultInReview.Code {
		// For example after a restore from a backup: the same refusal as for a forged token.
		return nil, errResultNotFound
	}
	return result, err
}

// ResultToken is the content of a result token, which the server signs: no
// score and no personal data.
type ResultToken struct {
	OrganizationID string
	SessionID      string
	IssuedAt       time.Time // whole seconds
}

// CreateResultToken returns the content of a new token for a finished session.
// Refusals: not_found, result_not_ready, result_in_review.
func (s *Store) CreateResultToken(ctx context.Context, scope Scope, sessionID string) (ResultToken, error) {
	var row struct {
		Finished bool                `db:"finished"`
		Status   rules.SessionStatus `db:"status"`
		InReview *Time               `db:"in_review_since"`
	}
	err := s.read().Get(ctx, &row, `
		SELECT result IS NOT NULL AS finished, status, in_review_since FROM candidate_sessions
		WHERE organization_id = ? AND id = ? AND (NOT test OR ?)`, scope.OrganizationID, sessionID, scope.APIKeyID == "")
	if err != nil {
		return ResultToken{}, orRefuse(err, errNoSession)
	}
	if !row.Finished {
		return ResultToken{}, resultRefusal(row.Status, row.InReview)
	}
	return ResultToken{OrganizationID: scope.OrganizationID, SessionID: sessionID,
		IssuedAt: s.Now().Truncate(time.Second)}, nil
}
