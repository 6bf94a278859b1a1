package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assay/store/internal/db"
	"assay/store/rules"
)

// GroupStatistics are the figures about the groups of the candidates of an assessment.
type GroupStatistics struct {
	ComputedAt *time.Time // nil if there were never enough answers
	Questions  []GroupQuestion
	HasPassing bool // the assessment has a passing score
}

// GroupQuestion are the groups of a voluntary question.
type GroupQuestion struct {
	SelfIdentificationQuestion

	Groups map[string]rules.GroupTally  // the groups that are shown, by option
	Ratios map[string]rules.ImpactRatio // of Groups; nil without a passing score
}

// groupDocument is what was published, by question and option.
type groupDocument map[string]map[string]rules.GroupTally

// RetrieveGroupStatistics returns the figures as they were last published: see UnscopedPublishGroups. A question or an
// option that was removed is not shown. Refusal: not_found.
func (s *Store) RetrieveGroupStatistics(ctx context.Context, scope Scope, id string) (GroupStatistics, error) {
	c := s.read()
	assessment, err := c.content(ctx, scope, id)
	if err != nil {
		return GroupStatistics{}, err
	}
	asked, err := c.selfIdentification(ctx, scope, id)
	if err != nil {
		return GroupStatistics{}, err
	}
	found := GroupStatistics{HasPassing: assessment.PassingScore != nil}
	published, err := c.publishedGroups(ctx, scope, id)
	if err != nil {
		return found, err
	}
	if published.Publication > 0 {
		found.ComputedAt = &published.ComputedAt.Time
	}
	for _, question := range asked.Questions {
		shown := GroupQuestion{SelfIdentificationQuestion: question, Groups: map[string]rules.GroupTally{}}
		for _, option := range question.Options {
			if group, known := published.document[question.ID][option.ID]; known {
				shown.Groups[option.ID] = group
			}
		}
		if found.HasPassing {
			shown.Ratios = rules.ImpactRatios(shown.Groups)
		}
		found.Questions = append(found.Questions, shown)
	}
	return found, nil
}

// publishedGroups is a row of group_statistics. Publication is 0 without one.
type publishedGroups struct {
	Document    string `db:"document"`
	Publication int    `db:"publication"`
	ComputedAt  Time   `db:"computed_at"`

	document groupDocument
}

func (c conn) publishedGroups(ctx context.Context, scope Scope, assessmentID string) (publishedGroups, error) {
	var published publishedGroups
	err := c.Get(ctx, &published, `
		SELECT document, publication, computed_at FROM group_statistics WHERE organization_id = ? AND assessment_id = ?`,
		scope.OrganizationID, assessmentID)
	if errors.Is(err, sql.ErrNoRows) {
		return published, nil
	}
	if err != nil {
		return published, err
	}
	return published, json.Unmarshal([]byte(published.Document), &published.document)
}

// UnscopedPublishGroups publishes the figures about groups of each assessment for which enough has changed: at least
// rules.MinGroup sessions that the present or the last figures contain. A publication decrypts all answers of the
// assessment. It reads one snapshot of the database, in which nobody waits for it.
func (s *Store) UnscopedPublishGroups(ctx context.Context) error {
	var next struct {
		OrganizationID string `db:"organization_id"`
		AssessmentID   string `db:"assessment_id"`
	}
	var failures error
	for {
		err := s.read().Get(ctx, &next, `
			SELECT MIN(organization_id) AS organization_id, assessment_id FROM group_changes WHERE assessment_id > ?
			GROUP BY assessment_id HAVING COUNT(*) >= ? ORDER BY assessment_id LIMIT 1`, next.AssessmentID, rules.MinGroup)
		if errors.Is(err, sql.ErrNoRows) {
			return failures
		}
		if err != nil {
			return errors.Join(failures, err)
		}
		// One assessment must not stop the others.
		if err := s.publishGroups(ctx, Scope{OrganizationID: next.OrganizationID}, next.AssessmentID); err != nil {
			failures = errors.Join(failures, fmt.Errorf("publish the groups of %s: %w", next.AssessmentID, err))
		}
	}
}

func (s *Store) publishGroups(ctx context.Context, scope Scope, assessmentID string) error {
	if enough, err := s.read().enoughGroupChanges(ctx, scope, assessmentID); err != nil || !enough {
		return err
	}
	var counted countedGroups
	enough := false
	err := s.db.Snapshot(ctx, func(base db.Conn) (err error) {
		c := conn{base, s}
		if enough, err = c.enoughGroupChanges(ctx, scope, assessmentID); err != nil || !enough {
			return err
		}
		counted, err = c.countGroups(ctx, scope, assessmentID)
		return err
	})
	if err != nil || !enough {
		return err
	}
	return s.write(ctx, func(c conn) error { return c.savePublished(ctx, scope, assessmentID, counted) })
}

// enoughGroupChanges reports whether new figures would differ from the published ones in enough sessions.
func (c conn) enoughGroupChanges(ctx context.Context, scope Scope, assessmentID string) (enough bool, err error) {
	var changes int
	err = c.Get(ctx, &changes, `
		SELECT COUNT(*) FROM (
			SELECT 1 FROM group_changes q
			WHERE q.organization_id = ? AND q.assessment_id = ? AND (q.counted OR EXISTS (
				SELECT 1 FROM group_answers g JOIN candidate_sessions s ON s.id = g.session_id
				WHERE g.session_id = q.session_id AND s.status IN ('COMPLETED', 'DISQUALIFIED')))
			LIMIT ?) bounded`, scope.OrganizationID, assessmentID, rules.MinGroup)
	return changes >= rules.MinGroup, err
}

// countedGroups are the figures in a snapshot of the database.
type countedGroups struct {
	document    groupDocument
	publication int            // the last one
	changes     map[string]int // the version by session that had changed since the last one
	contains    map[string]bool
}

// countGroups counts what may be shown of the groups of an assessment.
func (c conn) countGroups(ctx context.Context, scope Scope, assessmentID string) (countedGroups, error) {
	counted := countedGroups{changes: map[string]int{}, contains: map[string]bool{}, document: groupDocument{}}
	published, err := c.publishedGroups(ctx, scope, assessmentID)
	if err != nil {
		return counted, err
	}
	counted.publication = published.Publication
	var changes []struct {
		SessionID string `db:"session_id"`
		Version   int    `db:"version"`
	}
	if err := c.List(ctx, &changes, `
		SELECT session_id, version FROM group_changes WHERE organization_id = ? AND assessment_id = ?`,
		scope.OrganizationID, assessmentID); err != nil {
		return counted, err
	}
	for _, change := range changes {
		counted.changes[change.SessionID] = change.Version
	}
	finished, err := c.finishedSessions(ctx, scope, assessmentID)
	if err != nil {
		return counted, err
	}
	tallies, err := c.tallyGroups(ctx, scope, assessmentID, counted)
	for questionID, groups := range tallies {
		counted.document[questionID] = rules.ShownGroups(groups, finished)
	}
	return counted, err
}

// finishedSessions is the number of finished sessions that the statistics of the assessment show.
func (c conn) finishedSessions(ctx context.Context, scope Scope, assessmentID string) (int64, error) {
	var counts SessionCounts
	err := c.Get(ctx, &counts, `
		SELECT session_counts FROM assessment_statistics WHERE organization_id = ? AND assessment_id = ?`,
		scope.OrganizationID, assessmentID)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return counts[rules.SessionCompleted] + counts[rules.SessionDisqualified], err
}

// tallyGroups counts all groups, also those of removed questions and options: otherwise the organization could remove
// options one by one, and subtract the figures. It notes which changed sessions the groups contain.
func (c conn) tallyGroups(
	ctx context.Context, scope Scope, assessmentID string, counted countedGroups,
) (tallies groupDocument, err error) {
	tallies = groupDocument{}
	rows, err := c.Rows(ctx, `
		SELECT g.session_id, g.answers, s.status, s.passed, s.score
		FROM group_answers g JOIN candidate_sessions s ON s.id = g.session_id
		WHERE g.organization_id = ? AND g.assessment_id = ?`, scope.OrganizationID, assessmentID)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var sessionID string
		var sealed []byte
		var status rules.SessionStatus
		var passed *bool
		var score *float64
		if err := rows.Scan(&sessionID, &sealed, &status, &passed, &score); err != nil {
			return nil, err
		}
		if status != rules.SessionCompleted && status != rules.SessionDisqualified {
			continue
		}
		chosen, err := c.store.openChosen(ctx, sessionID, sealed)
		if err != nil {
			return nil, err
		}
		if _, changed := counted.changes[sessionID]; changed {
			counted.contains[sessionID] = true
		}
		for questionID, optionID := range chosen {
			tallies.count(questionID, optionID, status, passed, score)
		}
	}
	return tallies, rows.Err()
}

func (d groupDocument) count(questionID, optionID string, status rules.SessionStatus, passed *bool, score *float64) {
	if d[questionID] == nil {
		d[questionID] = map[string]rules.GroupTally{}
	}
	group := d[questionID][optionID]
	group.Add(status, passed, score)
	d[questionID][optionID] = group
}

// savePublished publishes the figures, unless another replica has published meanwhile. It removes the changes that they
// contain. A session that has changed since the snapshot stays changed.
func (c conn) savePublished(ctx context.Context, scope Scope, assessmentID string, counted countedGroups) error {
	document, err := json.Marshal(counted.document)
	if err != nil {
		return err
	}
	saved, err := c.Exec(ctx, `
		INSERT INTO group_statistics (assessment_id, organization_id, document, publication, computed_at)
		VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (assessment_id) DO UPDATE SET document = excluded.document, publication = excluded.publication,
			computed_at = excluded.computed_at
		WHERE group_statistics.publication = excluded.publication - 1`,
		assessmentID, scope.OrganizationID, string(document), counted.publication+1, c.store.Now())
	if err != nil || saved == 0 {
		return err
	}
	versions := make([]string, 0, len(counted.changes))
	for sessionID, version := range counted.changes {
		versions = append(versions, fmt.Sprintf("%s %d", sessionID, version))
	}
	encoded, err := json.Marshal(versions)
	if err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `
		DELETE FROM group_changes WHERE organization_id = ? AND assessment_id = ?
			AND `+c.store.db.IsOneOf(`(session_id || ' ' || version)`),
		scope.OrganizationID, assessmentID, string(encoded)); err != nil {
		return err
	}
	var later []string
	if err := c.List(ctx, &later, `
		SELECT session_id FROM group_changes WHERE organization_id = ? AND assessment_id = ? ORDER BY session_id`,
		scope.OrganizationID, assessmentID); err != nil {
		return err
	}
	for _, sessionID := range later {
		if _, seen := counted.changes[sessionID]; !seen { // its first change was after the snapshot
			continue
		}
		if _, err := c.Exec(ctx, `UPDATE group_changes SET counted = ? WHERE organization_id = ? AND session_id = ?`,
			counted.contains[sessionID], scope.OrganizationID, sessionID); err != nil {
			return err
		}
	}
	return nil
}
