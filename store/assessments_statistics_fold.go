package store

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"assay/store/rules"
)

const (
	// foldBatch bounds the sessions of one fold, whose transaction is the only one that
	// writes on SQLite.
	foldBatch = 100

	// foldLock is the lock of the process that folds, so that no two write the same document.
	foldLock = 0x666f6c64 // "fold"
)

// UnscopedFoldStatistics adds changes of sessions to the statistics of their
// assessments: up to foldBatch sessions, the newest ones first. It returns their
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
		f, err := c.newFold(ctx)
		if err != nil || len(f.counted) == 0 {
			return err
		}
		if err := f.add(ctx); err != nil {
			return err
		}
		folded = len(f.counted)
		return f.save(ctx)
	})
	return folded, err
}

// fold is one transaction of UnscopedFoldStatistics.
type fold struct {
	conn
	sessions    string // JSON array of ids
	counted     map[string]countedSession
	assessments map[string]*foldedAssessment
}

// countedSession is how the statistics contain a session. Status is nil if they do not.
type countedSession struct {
	Status   *rules.SessionStatus
	Revision int // of its result
}

type foldedAssessment struct {
	OrganizationID string        `db:"organization_id"`
	Counts         SessionCounts `db:"session_counts"`
	Document       string        `db:"document"`

	definition rules.Definition
	statistics rules.Statistics // of Document, once a session was added
	finished   int              // results that were added to statistics, or removed
	removed    int              // of them
	scores     map[float64]int  // completed sessions that were added, less those that were removed, by score

	copies map[string]string     // the question of the bank, by question; nil until a session was added
	bank   map[string]*bankTally // by question of the bank
}

// newFold locks rows of the queue, and reads the statistics to which they belong.
func (c conn) newFold(ctx context.Context) (*fold, error) {
	var queued []struct {
		SessionID    string               `db:"session_id"`
		AssessmentID string               `db:"assessment_id"`
		Counted      *rules.SessionStatus `db:"counted"`
		Revision     *int                 `db:"counted_revision"`
	}
	if err := c.List(ctx, &queued, `
		SELECT session_id, assessment_id, counted, counted_revision FROM statistics_queue ORDER BY session_id DESC LIMIT ?`+
		c.store.db.SkipLocked, foldBatch); err != nil {
		return nil, err
	}
	f := &fold{conn: c, counted: map[string]countedSession{}, assessments: map[string]*foldedAssessment{}}
	for _, row := range queued {
		f.counted[row.SessionID] = countedSession{row.Counted, revisionOf(row.Revision)}
		f.assessments[row.AssessmentID] = nil
	}
	encoded, err := json.Marshal(slices.Collect(maps.Keys(f.counted)))
	if err != nil {
		return nil, err
	}
	f.sessions = string(encoded)
	for id := range f.assessments {
		if f.assessments[id], err = c.foldedAssessment(ctx, id); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (c conn) foldedAssessment(ctx context.Context, id string) (*foldedAssessment, error) {
	a := &foldedAssessment{scores: map[float64]int{}}
	if err := c.Get(ctx, a, `
		SELECT a.organization_id, s.session_counts, COALESCE(s.document, '{}') AS document
		FROM assessments a LEFT JOIN assessment_statistics s ON s.assessment_id = a.id WHERE a.id = ?`, id); err != nil {
		return nil, err
	}
	content, err := c.content(ctx, Scope{OrganizationID: a.OrganizationID}, id)
	if err != nil {
		return nil, err
	}
	a.definition = content.Definition
	return a, nil
}

// revisionOf is the revision of a queued session; before there were revisions, none was stored.
func revisionOf(stored *int) int {
	if stored == nil {
		return 1
	}
	return *stored
}

// parsed parses the document. It can be large, and most changes are invites and starts.
func (a *foldedAssessment) parsed() error {
	a.finished++
	if a.finished > 1 {
		return nil
	}
	return json.Unmarshal([]byte(a.Document), &a.statistics)
}

// include adds the result of a session that has finished.
func (a *foldedAssessment) include(result rules.Finished, score *float64) error {
	if err := a.parsed(); err != nil {
		return err
	}
	a.statistics.Add(a.definition, result)
	a.tallyBank(result, 1)
	if result.Status == rules.SessionCompleted && score != nil {
		a.scores[*score]++
	}
	return nil
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
	return nil
}

// countedResult is what the statistics use of an earlier result.
type countedResult struct {
	rules.Finished
	Score float64 `json:"score"`
}

// foldedSession is a session of a fold.
type foldedSession struct {
	id, assessmentID string
	status           rules.SessionStatus
	revision         int
	score            *float64
	result           *string
	earlier          *string // the result that the statistics contain, if another one replaced it
}

// add counts the sessions. It reads one result at a time, because results can be large.
func (f *fold) add(ctx context.Context) (err error) {
	rows, err := f.Rows(ctx, `
		SELECT s.id, s.assessment_id, s.status, s.revision, s.score, s.result, r.result
		FROM candidate_sessions s
		LEFT JOIN statistics_queue q ON q.session_id = s.id AND q.counted IN ('COMPLETED', 'DISQUALIFIED')
		LEFT JOIN result_revisions r ON r.session_id = q.session_id AND r.revision = COALESCE(q.counted_revision, 1)
		WHERE `+f.store.db.IsOneOf("s.id"), f.sessions)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var s foldedSession
		if err := rows.Scan(&s.id, &s.assessmentID, &s.status, &s.revision, &s.score, &s.result, &s.earlier); err != nil {
			return err
		}
		if err := f.count(s); err != nil {
			// Without this session the statistics are incomplete. Stopping would delay the statistics of all organizations.
			f.store.opts.Log.ErrorContext(ctx, "statistics lack an unreadable result", "session", s.id, "error", err)
		}
	}
	return rows.Err()
}

func (f *fold) count(s foldedSession) error {
	a, counted := f.assessments[s.assessmentID], f.counted[s.id]
	if counted.Status != nil {
		a.Counts[*counted.Status]--
	}
	a.Counts[s.status]++
	if counted.hasResult() {
		if counted.Revision == s.revision { // the statistics contain this result
			return nil
		}
		if s.earlier != nil {
			var earlier countedResult
			if err := json.Unmarshal([]byte(*s.earlier), &earlier); err != nil {
				return err
			}
			if err := a.remove(earlier); err != nil {
				return err
			}
		}
	}
	if s.result == nil { // the session has not finished
		return nil
	}
	var finished rules.Finished
	if err := json.Unmarshal([]byte(*s.result), &finished); err != nil {
		return err
	}
	return a.include(finished, s.score)
}

func (c countedSession) hasResult() bool {
	return c.Status != nil && (*c.Status == rules.SessionCompleted || *c.Status == rules.SessionDisqualified)
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
