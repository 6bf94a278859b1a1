package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"assay/store/rules"
)

// rescore computes the result of a locked session that has finished again. If its numbers
// differ, the new result becomes the next revision, and candidate.result_corrected is emitted.
// The status does not change.
func (c conn) rescore(
	ctx context.Context, session CandidateSession, cause ResultCause, now time.Time,
) (changed bool, err error) {
	m, err := c.material(ctx, session)
	if err != nil {
		return false, err
	}
	stored, err := c.storedResult(ctx, session)
	if err != nil {
		return false, err
	}
	var before Result
	if err := json.Unmarshal([]byte(stored), &before); err != nil {
		return false, err
	}
	m.progress.Rescore(m.scoring)
	previous := session
	session.Revision++
	after := newResult(session, m)
	if !after.differs(before) {
		return false, nil
	}
	if err := c.keepRevision(ctx, previous, stored, now); err != nil {
		return false, err
	}
	encoded, err := json.Marshal(after)
	if err != nil {
		return false, err
	}
	progress, err := json.Marshal(m.progress)
	if err != nil {
		return false, err
	}
	if _, err := c.Exec(ctx, `
		UPDATE candidate_sessions SET revision = ?, result = ?, progress = ?, score = ?, passed = ?, updated_at = ?
		WHERE organization_id = ? AND id = ?`, session.Revision, string(encoded), string(progress), m.progress.Score,
		m.progress.Passed, now, session.OrganizationID, session.ID); err != nil {
		return false, err
	}
	c.AfterCommit(func() { c.store.results.Remove(session.ID) })
	if session.Test {
		return true, nil
	}
	if after.Score != before.Score || differ(after.Passed, before.Passed) {
		if err := c.tellCorrected(ctx, session, now); err != nil {
			return false, err
		}
	}
	return true, c.emit(ctx, event{
		organizationID: session.OrganizationID, kind: EventResultCorrected, subjectID: session.ID, at: now,
		data: resultCorrectedData{
			candidateData: session.eventData(), PreviousScore: before.Score, Score: after.Score,
			PreviousPassed: before.Passed, Passed: after.Passed, Revision: session.Revision,
			Cause: cause.Cause, CauseID: cause.ID,
		},
	})
}

func (c conn) storedResult(ctx context.Context, session CandidateSession) (stored string, err error) {
	err = c.Get(ctx, &stored, `SELECT result FROM candidate_sessions WHERE organization_id = ? AND id = ?`,
		session.OrganizationID, session.ID)
	return stored, err
}

// keepRevision keeps the present result of a session, which another one replaces.
func (c conn) keepRevision(ctx context.Context, session CandidateSession, stored string, now time.Time) error {
	_, err := c.Exec(ctx, `
		INSERT INTO result_revisions (organization_id, session_id, revision, result, replaced_at) VALUES (?, ?, ?, ?, ?)`,
		session.OrganizationID, session.ID, session.Revision, stored, now)
	return err
}

// differs reports whether a result says something else about points, or about who decided.
func (r Result) differs(before Result) bool {
	if r.Score != before.Score || r.Points != before.Points || r.MaxPoints != before.MaxPoints ||
		differ(r.Passed, before.Passed) || len(r.Stages) != len(before.Stages) {
		return true
	}
	for i, stage := range r.Stages {
		if stage.Status != before.Stages[i].Status || len(stage.Questions) != len(before.Stages[i].Questions) {
			return true
		}
		for j, question := range stage.Questions {
			earlier := before.Stages[i].Questions[j]
			if question.Points != earlier.Points || question.MaxPoints != earlier.MaxPoints ||
				differ(question.Correct, earlier.Correct) ||
				(question.ScoredBy == rules.ByPerson) != (earlier.ScoredBy == rules.ByPerson) {
				return true
			}
		}
	}
	return false
}

// ResultRevision is one revision of a result. ReplacedAt is nil for the current one.
type ResultRevision struct {
	Revision   int
	Result     Result
	ReplacedAt *time.Time
}

// ListResultRevisions returns the revisions of a session's result, the newest first. A session
// that was reopened has earlier revisions only. Refusal: not_found.
func (s *Store) ListResultRevisions(ctx context.Context, scope Scope, sessionID string) ([]ResultRevision, error) {
	c := s.read()
	session, err := c.session(ctx, scope, sessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		Revision   int     `db:"revision"`
		Result     *string `db:"result"`
		ReplacedAt *Time   `db:"replaced_at"`
	}
	if err := c.List(ctx, &rows, `
		SELECT revision, result, NULL AS replaced_at FROM candidate_sessions WHERE organization_id = ? AND id = ?
		UNION ALL
		SELECT revision, result, replaced_at FROM result_revisions WHERE organization_id = ? AND session_id = ?
		ORDER BY 1 DESC LIMIT ?`,
		scope.OrganizationID, session.ID, scope.OrganizationID, session.ID, maxRevisions); err != nil {
		return nil, err
	}
	revisions := []ResultRevision{}
	for _, row := range rows {
		if row.Result == nil {
			continue
		}
		revision := ResultRevision{Revision: row.Revision, ReplacedAt: timePtr(row.ReplacedAt)}
		if err := json.Unmarshal([]byte(*row.Result), &revision.Result); err != nil {
			return nil, err
		}
		revisions = append(revisions, revision)
	}
	if len(revisions) == 0 {
		return revisions, nil
	}
	return revisions, s.auditReads(ctx, scope, AuditResultRead, sessionID)
}

// maxRevisions bounds the revisions of one result.
const maxRevisions = 100

// RetrieveResultRevision returns one revision of a session's result, as RetrieveResults returns
// the current one but without the percentile. Refusal: not_found.
func (s *Store) RetrieveResultRevision(
	ctx context.Context, scope Scope, sessionID string, revision int,
) (*Document, error) {
	c := s.read()
	session, err := c.session(ctx, scope, sessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	if err != nil {
		return nil, err
	}
	var stored *string
	err = c.Get(ctx, &stored, `
		SELECT result FROM candidate_sessions WHERE organization_id = ? AND id = ? AND revision = ?
		UNION ALL
		SELECT result FROM result_revisions WHERE organization_id = ? AND session_id = ? AND revision = ?`,
		scope.OrganizationID, sessionID, revision, scope.OrganizationID, sessionID, revision)
	if errors.Is(err, sql.ErrNoRows) || err == nil && stored == nil {
		return nil, errNoRevision
	}
	if err != nil {
		return nil, err
	}
	assessment, err := c.contentFor(ctx, scope, session.contentID(), session.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.withHTML(assessment, *stored)
	if err != nil {
		return nil, err
	}
	return withPercentile(shown, "null"), s.auditReads(ctx, scope, AuditResultRead, sessionID)
}

// eraseRevisions erases the candidate's data from earlier revisions.
func (c conn) eraseRevisions(ctx context.Context, scope Scope, id string, _ time.Time) error {
	var rows []struct {
		Revision int    `db:"revision"`
		Result   string `db:"result"`
	}
	if err := c.List(ctx, &rows, `SELECT revision, result FROM result_revisions
		WHERE organization_id = ? AND session_id = ? ORDER BY revision`, scope.OrganizationID, id); err != nil {
		return err
	}
	for _, row := range rows {
		anonymous, err := anonymousResult(row.Result)
		if err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `
			UPDATE result_revisions SET result = ? WHERE organization_id = ? AND session_id = ? AND revision = ?`,
			anonymous, scope.OrganizationID, id, row.Revision); err != nil {
			return err
		}
	}
	return nil
}
