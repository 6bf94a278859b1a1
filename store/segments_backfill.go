package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"assay/store/rules"
)

const (
	// backfillBatch bounds the sessions of one step, for the same reason as FoldBatch.
	backfillBatch = 100

	// withoutVersion finds the documents to which an earlier version has added a session. They lack sums.
	withoutVersion = `substr(document, 1, 11) <> '{"version":'`

	// rebuilding is the version of a document that a rebuild will replace. If an earlier version adds a session to the
	// document meanwhile, it drops this version, and the rebuild begins anew.
	rebuilding = -1
)

// UnscopedBackfillSegments adds sessions that have finished before to one segment, or to the new document of an
// assessment whose document lacks sums. more reports that it has done something. Organizations take turns. Any number
// of replicas can call it: one works, and the others do nothing.
//
// A step holds the lock of UnscopedFoldStatistics, and adds each session as the document of the assessment contains it
// at this time. A fold changes the sessions up to the position of a part in the part, too. So a part contains each of
// these sessions once.
func (s *Store) UnscopedBackfillSegments(ctx context.Context) (more bool, err error) {
	organizationID, err := s.nextToBackfill(ctx)
	if err != nil || organizationID == "" {
		return false, err
	}
	s.backfilled.Store(&organizationID) // also if the step fails, so that it delays no other organization
	err = s.write(ctx, func(c conn) error {
		more = false
		locked, err := s.db.TryLock(ctx, c.Conn, foldLock)
		if err != nil || !locked {
			return err
		}
		scope := Scope{OrganizationID: organizationID}
		if err := c.startRebuild(ctx, scope); err != nil {
			return err
		}
		more, err = c.backfill(ctx, scope)
		return err
	})
	return more && err == nil, err
}

// nextToBackfill returns the organization after that of the previous step, in the order of the ids, or "".
func (s *Store) nextToBackfill(ctx context.Context) (id string, err error) {
	after := ""
	if previous := s.backfilled.Load(); previous != nil {
		after = *previous
	}
	next := func(after string) error {
		return s.read().Get(ctx, &id, `
			SELECT COALESCE(MIN(organization_id), '') FROM (
				SELECT MIN(organization_id) AS organization_id FROM segments`+s.db.IndexedBy("segments_incomplete")+`
				WHERE NOT complete AND organization_id > ?
				UNION ALL
				SELECT MIN(organization_id) FROM assessment_statistics`+s.db.IndexedBy("assessment_statistics_earlier")+`
				WHERE `+withoutVersion+` AND organization_id > ?) AS next`, after, after)
	}
	if err := next(after); err != nil || id != "" || after == "" {
		return id, err
	}
	return id, next("")
}

// startRebuild begins to replace one document of the organization that lacks sums. The segments of its assessment may
// lack sessions, too, because an earlier version does not know them. So they are counted anew.
func (c conn) startRebuild(ctx context.Context, scope Scope) error {
	var found struct {
		AssessmentID string `db:"assessment_id"`
		Document     string `db:"document"`
	}
	err := c.Get(ctx, &found, `
		SELECT assessment_id, document FROM assessment_statistics`+c.store.db.IndexedBy("assessment_statistics_earlier")+`
		WHERE organization_id = ? AND `+withoutVersion+` LIMIT 1`, scope.OrganizationID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	var statistics rules.Statistics
	if err := json.Unmarshal([]byte(found.Document), &statistics); err != nil {
		return err
	}
	statistics.Version = rebuilding
	if err := c.replaceStatistics(ctx, scope, found.AssessmentID, statistics); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `
		UPDATE segments SET document = ?, completed = 0, disqualified = 0, position = '', complete = FALSE
		WHERE organization_id = ? AND assessment_id = ?`, emptyPart, scope.OrganizationID, found.AssessmentID); err != nil {
		return err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO segments (id, organization_id, assessment_id, name, filter, document, completed, disqualified, position,
			complete, created_at)
		VALUES (?, ?, ?, '', NULL, ?, 0, 0, '', FALSE, ?) ON CONFLICT (id) DO NOTHING`,
		found.AssessmentID, scope.OrganizationID, found.AssessmentID, emptyPart, c.store.Now())
	return err
}

func (c conn) replaceStatistics(ctx context.Context, scope Scope, assessmentID string, with rules.Statistics) error {
	encoded, err := json.Marshal(with)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `
		UPDATE assessment_statistics SET document = ? WHERE organization_id = ? AND assessment_id = ?`,
		string(encoded), scope.OrganizationID, assessmentID)
	return err
}

// backfill adds a batch of sessions to the oldest incomplete part of the organization.
func (c conn) backfill(ctx context.Context, scope Scope) (more bool, err error) {
	p := &part{}
	err = c.Get(ctx, p, partColumns+c.store.db.IndexedBy("segments_incomplete")+`
		WHERE organization_id = ? AND NOT complete ORDER BY id LIMIT 1`, scope.OrganizationID)
	if errors.Is(err, sql.ErrNoRows) { // it was deleted
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := p.parseFilter(); err != nil {
		return false, err
	}
	ids, err := c.toBackfill(ctx, scope, p)
	if err != nil {
		return false, err
	}
	assessment, err := c.foldedAssessment(ctx, p.AssessmentID)
	if err != nil {
		return false, err
	}
	if err := p.parse(); err != nil {
		return false, err
	}
	encoded, err := encodedIDs(ids)
	if err != nil {
		return false, err
	}
	if err := c.eachCounted(ctx, encoded, func(s countedSession) error {
		contained := s.contained()
		if contained == nil {
			return nil
		}
		result, err := s.decode(*contained)
		if err != nil {
			return err
		}
		return p.count(assessment.definition, result, 1)
	}); err != nil {
		return false, err
	}
	if len(ids) > 0 {
		p.Position = ids[len(ids)-1]
	}
	p.Complete = len(ids) < backfillBatch
	if p.Complete && p.FilterJSON == nil {
		return true, c.endRebuild(ctx, scope, p, assessment)
	}
	return true, c.savePart(ctx, p)
}

// toBackfill returns the ids of the next sessions that the document of the assessment can contain. Only a fold changes
// which these are.
func (c conn) toBackfill(ctx context.Context, scope Scope, p *part) (ids []string, err error) {
	err = c.List(ctx, &ids, `
		SELECT s.id FROM candidate_sessions s`+c.store.db.IndexedBy("sessions_by_assessment")+`
		WHERE s.organization_id = ? AND s.assessment_id = ? AND s.id > ? AND NOT s.test
			AND (s.status IN ('COMPLETED', 'DISQUALIFIED') OR EXISTS (SELECT 1 FROM statistics_queue q
				WHERE q.session_id = s.id AND q.counted IN ('COMPLETED', 'DISQUALIFIED')))
		ORDER BY s.id LIMIT ?`, scope.OrganizationID, p.AssessmentID, p.Position, backfillBatch)
	return ids, err
}

// endRebuild replaces the document of the assessment.
func (c conn) endRebuild(ctx context.Context, scope Scope, p *part, assessment *foldedAssessment) error {
	if err := c.replaceStatistics(ctx, scope, p.AssessmentID, p.document.Statistics); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `DELETE FROM segments WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, p.ID); err != nil {
		return err
	}
	assessment.statistics = p.document.Statistics
	assessment.statistics.Fit(assessment.definition)
	return c.noteSuspicions(ctx, p.AssessmentID, assessment)
}
