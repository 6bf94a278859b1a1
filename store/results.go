package store

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"assay/store/rules"
)

// percentileFrom is the number of completions below which a percentile means nothing.
const percentileFrom = 20

// result returns the Result of a finished session as JSON: the stored document with
// its texts as HTML, and with the percentile as its last member. The percentile follows
// the statistics, and therefore a completion within seconds. Refusals: not_found,
// result_not_ready.
func (c conn) result(ctx context.Context, scope Scope, sessionID string) (json.RawMessage, error) {
	var row struct {
		AssessmentID string              `db:"assessment_id"`
		Test         bool                `db:"test"`
		Status       rules.SessionStatus `db:"status"`
		Result       *string             `db:"result"`
		Score        *float64            `db:"score"`
		Counts       SessionCounts       `db:"session_counts"`
	}
	err := c.Get(ctx, &row, `
		SELECT s.assessment_id, s.test, s.status, s.result, s.score, c.session_counts
		FROM candidate_sessions s LEFT JOIN assessment_statistics c ON c.assessment_id = s.assessment_id
		WHERE s.organization_id = ? AND s.id = ? AND (NOT s.test OR ?)`,
		scope.OrganizationID, sessionID, scope.APIKeyID == "")
	if err != nil {
		return nil, orRefuse(err, errNoSession)
	}
	if row.Result == nil {
		return nil, errResultNotReady
	}
	percentile := "null"
	if row.Status == rules.SessionCompleted && row.Score != nil {
		ranks, err := c.ranks(ctx, scope, row.AssessmentID, row.Counts[rules.SessionCompleted])
		if err != nil {
			return nil, err
		}
		if ranks.completions() >= percentileFrom {
			percentile = strconv.FormatFloat(ranks.percentile(*row.Score), 'f', -1, 64)
		}
	}
	assessment, err := c.content(ctx, scope, contentID(row.Test, row.AssessmentID, sessionID))
	if err != nil {
		return nil, err
	}
	document, err := c.store.withHTML(assessment, *row.Result)
	if err != nil {
		return nil, err
	}
	return AppendMember(document, "percentile", percentile), nil
}

// readResult is result, audited as the action.
func (s *Store) readResult(
	ctx context.Context, scope Scope, action AuditAction, sessionID string,
) (json.RawMessage, error) {
	result, err := s.read().result(ctx, scope, sessionID)
	if err == nil {
		err = s.auditReads(ctx, scope, action, sessionID)
	}
	return result, err
}

// RetrievePublicCandidateSessionResult returns the result of a finished session
// as JSON in the contract's form. Refusals: not_found, result_not_ready.
func (s *Store) RetrievePublicCandidateSessionResult(
	ctx context.Context, scope Scope, sessionID string,
) (json.RawMessage, error) {
	return s.readResult(ctx, scope, AuditResultRead, sessionID)
}

// ResultRow is the result of one of several sessions, or why there is none.
type ResultRow struct {
	SessionID string
	Result    json.RawMessage
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
// RetrievePublicCandidateSessionResult does. Refusal: result_not_found.
func (s *Store) ExchangeResultToken(ctx context.Context, scope Scope, token ResultToken) (json.RawMessage, error) {
	if token.OrganizationID != scope.OrganizationID {
		return nil, errResultNotFound
	}
	result, err := s.readResult(ctx, scope, AuditResultTokenExchanged, token.SessionID)
	var refusal *Error
	if errors.As(err, &refusal) { // for example after a restore from a backup: the same refusal as for a forged token
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
// Refusals: not_found, result_not_ready.
func (s *Store) CreateResultToken(ctx context.Context, scope Scope, sessionID string) (ResultToken, error) {
	var finished bool
	err := s.read().Get(ctx, &finished,
		`SELECT result IS NOT NULL FROM candidate_sessions WHERE organization_id = ? AND id = ? AND (NOT test OR ?)`,
		scope.OrganizationID, sessionID, scope.APIKeyID == "")
	if err != nil {
		return ResultToken{}, orRefuse(err, errNoSession)
	}
	if !finished {
		return ResultToken{}, errResultNotReady
	}
	return ResultToken{OrganizationID: scope.OrganizationID, SessionID: sessionID,
		IssuedAt: s.Now().Truncate(time.Second)}, nil
}
