package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/rules"
)

const (
	// FoldBatch bounds the sessions of one fold, whose transaction is the only one that
	// writes on SQLite.
	FoldBatch = 100

	// foldLock is the lock of the process that folds, so that no two write the same document.
	foldLock = 0x666f6c64 // "fold"
)

// UnscopedFoldStatistics adds changes of sessions to the statistics of their
// assessments: up to FoldBatch sessions, the newest ones first. It returns their
// number. Any number of replicas can fold: one does it, and the others return 0.
//
// Triggers queue each session whose status changes, in the transaction of the change
// (migration 00007). So no change waits for the counters of its assessment, and each
// is counted once: a fold removes the queue's rows in the transaction in which it
// writes what they contribute.
func (s *Store) UnscopedFoldStatistics(ctx context.Context) (int, error) {
	var waiting bool
	err := s.read().Get(ctx, &waiting, `SELECT EXISTS (SELECT 1 FROM statistics_queue)`)
	if err != nil || !waiting { // an idle service writes nothing
		return 0, err
	}
	var folded int
	err = s.write(ctx, func(c conn) error {
		folded = 0
		locked, err := s.db.TryLock(ctx, c.Conn, foldLock)
		if err != nil || !locked {
			return err
		}
		var queued []queuedSession
		if err := c.List(ctx, &queued, `
			SELECT session_id, assessment_id, counted FROM statistics_queue ORDER BY session_id DESC LIMIT ?`+
			s.db.SkipLocked, FoldBatch); err != nil {
			return err
		}
		folded = len(queued)
		return c.fold(ctx, queued)
	})
	return folded, err
}

// fold adds changes of sessions to the statistics. It needs the lock foldLock, and the rows of the queue.
func (c conn) fold(ctx context.Context, queued []queuedSession) error {
	if len(queued) == 0 {
		return nil
	}
	f, err := c.newFold(ctx, queued)
	if err != nil {
		return err
	}
	if err := f.add(ctx); err != nil {
		return err
	}
	return f.save(ctx)
}

// foldBeforeErasure folds a session that an erasure changes, if it has a result. A later fold could not remove from the
// statistics what they contain, because it would not find it.
func (c conn) foldBeforeErasure(ctx context.Context, scope Scope, id string, _ time.Time) error {
	find := func() (queued []queuedSession, err error) {
		err = c.List(ctx, &queued, `
			SELECT q.session_id, q.assessment_id, q.counted
			FROM candidate_sessions s JOIN statistics_queue q ON q.session_id = s.id
			WHERE s.organization_id = ? AND s.id = ? AND (s.result IS NOT NULL OR q.counted IN ('COMPLETED', 'DISQUALIFIED'))`,
			scope.OrganizationID, id)
		return queued, err
	}
	if queued, err := find(); err != nil || len(queued) == 0 {
		return err
	}
	if err := c.store.db.Lock(ctx, c.Conn, foldLock); err != nil {
		return err
	}
	queued, err := find() // another process may have folded it
	if err != nil {
		return err
	}
	return c.fold(ctx, queued)
}

// queuedSession is a session whose change the statistics lack. Counted is the status with which they contain it, if
// they do.
type queuedSession struct {
	SessionID    string               `db:"session_id"`
	AssessmentID string               `db:"assessment_id"`
	Counted      *rules.SessionStatus `db:"counted"`
}

// fold is one transaction of UnscopedFoldStatistics.
type fold struct {
	conn
	sessions    string // JSON array of ids
	assessments map[string]*foldedAssessment
}

type foldedAssessment struct {
	OrganizationID string        `db:"organization_id"`
	Counts         SessionCounts `db:"session_counts"`
	Document       *string       `db:"document"` // nil if the assessment has no statistics yet

	definition rules.Definition
	statistics rules.Statistics // of Document, once a session was added
	finished   int              // results that were added to statistics, or removed
	removed    int              // of them
	scores     map[float64]int  // completed sessions that were added, less those that were removed, by score
	parts      []*part          // of the assessment; none if no session of the fold has a result

	copies map[string]string     // the question of the bank, by question; nil until a session was added
	bank   map[string]*bankTally // by question of the bank
}

// newFold reads the statistics to which the sessions belong.
func (c conn) newFold(ctx context.Context, queued []queuedSession) (*fold, error) {
	f := &fold{conn: c, assessments: map[string]*foldedAssessment{}}
	ids := make([]string, 0, len(queued))
	for _, row := range queued {
		ids = append(ids, row.SessionID)
		f.assessments[row.AssessmentID] = nil
	}
	var err error
	if f.sessions, err = encodedIDs(ids); err != nil {
		return nil, err
	}
	for id := range f.assessments {
		if f.assessments[id], err = c.foldedAssessment(ctx, id); err != nil {
			return nil, err
		}
	}
	return f, f.readParts(ctx, queued)
}

func encodedIDs(ids []string) (string, error) {
	encoded, err := json.Marshal(ids)
	return string(encoded), err
}

func (c conn) foldedAssessment(ctx context.Context, id string) (*foldedAssessment, error) {
	a := &foldedAssessment{scores: map[float64]int{}}
	if err := c.Get(ctx, a, `
		SELECT a.organization_id, s.session_counts, s.document
		FROM assessments a LEFT JOIN assessment_statistics s ON s.assessment_id = a.id WHERE a.id = ?`, id); err != nil {
		return nil, err
	}
	content, err := c.content(ctx, Scope{OrganizationID: a.OrganizationID}, id)
	if err != nil {
		return nil, err
	}
	a.definition = content.Definition
	if a.Document == nil {
		a.statistics.Version = rules.StatisticsVersion
	}
	return a, nil
}

// readParts reads the parts of the assessments in which a session of the fold has a result, or had one. It also keeps
// the times of sessions whose first result the statistics are about to contain: what is added must not change, so that
// it can be removed.
func (f *fold) readParts(ctx context.Context, queued []queuedSession) error {
	var ended []struct {
		ID           string `db:"id"`
		AssessmentID string `db:"assessment_id"`
	}
	if err := f.List(ctx, &ended, `SELECT id, assessment_id FROM candidate_sessions
		WHERE result IS NOT NULL AND `+f.store.db.IsOneOf("id"), f.sessions); err != nil {
		return err
	}
	results, first := map[string]bool{}, []string{}
	for _, row := range queued {
		if hasResult(row.Counted) {
			results[row.AssessmentID] = true
			continue
		}
		for _, session := range ended {
			if session.ID == row.SessionID {
				results[row.AssessmentID], first = true, append(first, row.SessionID)
			}
		}
	}
	for id := range results {
		var err error
		a := f.assessments[id]
		if a.parts, err = f.parts(ctx, Scope{OrganizationID: a.OrganizationID}, id); err != nil {
			return err
		}
	}
	if len(first) == 0 {
		return nil
	}
	encoded, err := encodedIDs(first)
	if err != nil {
		return err
	}
	_, err = f.Exec(ctx, `UPDATE session_activity SET counted = TRUE WHERE NOT counted AND `+
		f.store.db.IsOneOf("session_id"), encoded)
	return err
}

// parsed parses the document. It can be large, and most changes are invites and starts.
func (a *foldedAssessment) parsed() error {
	a.finished++
	if a.finished > 1 || a.Document == nil {
		return nil
	}
	return json.Unmarshal([]byte(*a.Document), &a.statistics)
}

// include adds the result of a session that has finished.
func (a *foldedAssessment) include(result countedResult) error {
	if err := a.parsed(); err != nil {
		return err
	}
	a.statistics.Add(a.definition, result.Finished)
	a.tallyBank(result.Finished, 1)
	if result.Status == rules.SessionCompleted {
		a.scores[result.Score]++
	}
	return a.countInParts(result, 1)
}

// remove removes an earlier result of a session.
func (a *foldedAssessment) remove(result countedResult) error {
	if err := a.parsed(); err != nil {
		return err
	}
	a.removed++
	a.statistics.Remove(a.definition, result.Finished)
	a.tallyBank(result.Finished, -1)
	if result.Status == rules.SessionCompleted {
		a.scores[result.Score]--
	}
	return a.countInParts(result, -1)
}

func (a *foldedAssessment) countInParts(result countedResult, n int64) error {
	for _, p := range a.parts {
		if p.Complete || result.sessionID <= p.Position {
			if err := p.count(a.definition, result, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// add counts the sessions. It reads one result at a time, because results can be large.
func (f *fold) add(ctx context.Context) error {
	return f.eachCounted(ctx, f.sessions, f.count)
}

func (f *fold) count(s countedSession) error {
	a := f.assessments[s.assessmentID]
	if s.counted != nil {
		a.Counts[*s.counted]--
	}
	a.Counts[s.status]++
	contained := s.contained()
	if contained != nil && contained == s.result { // the statistics contain this result
		return nil
	}
	if contained != nil {
		earlier, err := s.decode(*contained)
		if err != nil {
			return err
		}
		if err := a.remove(earlier); err != nil {
			return err
		}
	}
	if s.result == nil { // the session has not finished
		return nil
	}
	result, err := s.decode(*s.result)
	if err != nil {
		return err
	}
	return a.include(result)
}

// save writes the statistics, and removes the sessions from the queue.
func (f *fold) save(ctx context.Context) error {
	for id, a := range f.assessments {
		counts, err := json.Marshal(a.Counts)
		if err != nil {
			return err
		}
		document, err := json.Marshal(a.statistics)
		if err != nil {
			return err
		}
		if _, err := f.Exec(ctx, `
			INSERT INTO assessment_statistics
				(assessment_id, organization_id, session_counts, document, computed_at, removals)
			VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (assessment_id) DO UPDATE SET session_counts = excluded.session_counts,
				document = CASE WHEN ? THEN excluded.document ELSE assessment_statistics.document END,
				computed_at = excluded.computed_at, removals = assessment_statistics.removals + excluded.removals`,
			id, a.OrganizationID, string(counts), string(document), f.store.Now(), a.removed, a.finished > 0); err != nil {
			return err
		}
		for score, n := range a.scores {
			if _, err := f.Exec(ctx, `
				INSERT INTO assessment_scores (organization_id, assessment_id, score, completions) VALUES (?, ?, ?, ?)
				ON CONFLICT (assessment_id, score)
					DO UPDATE SET completions = assessment_scores.completions + excluded.completions`,
				a.OrganizationID, id, score, n); err != nil {
				return err
			}
		}
		if err := f.saveBank(ctx, id, a); err != nil {
			return err
		}
		if a.finished > 0 {
			if err := f.noteSuspicions(ctx, id, a); err != nil {
				return err
			}
		}
		for _, p := range a.parts {
			if err := f.savePart(ctx, p); err != nil {
				return err
			}
		}
		if a.removed > 0 {
			if _, err := f.Exec(ctx, `DELETE FROM assessment_scores WHERE assessment_id = ? AND completions = 0`,
				id); err != nil {
				return err
			}
		}
	}
	_, err := f.Exec(ctx, `DELETE FROM statistics_queue WHERE `+f.store.db.IsOneOf("session_id"), f.sessions)
	return err
}
