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
	sessions    string                          // JSON array of ids
	counted     map[string]*rules.SessionStatus // by session: the status that the statistics contain
	assessments map[string]*foldedAssessment
}

type foldedAssessment struct {
	OrganizationID string        `db:"organization_id"`
	Counts         SessionCounts `db:"session_counts"`
	Document       string        `db:"document"`

	definition rules.Definition
	statistics rules.Statistics // of Document, once a session was added
	finished   int              // sessions that were added to statistics
	scores     map[float64]int  // completed sessions that were added, by score
}

// newFold locks rows of the queue, and reads the statistics to which they belong.
func (c conn) newFold(ctx context.Context) (*fold, error) {
	var queued []struct {
		SessionID    string               `db:"session_id"`
		AssessmentID string               `db:"assessment_id"`
		Counted      *rules.SessionStatus `db:"counted"`
	}
	if err := c.List(ctx, &queued, `
		SELECT session_id, assessment_id, counted FROM statistics_queue ORDER BY session_id DESC LIMIT ?`+
		c.store.db.SkipLocked, foldBatch); err != nil {
		return nil, err
	}
	f := &fold{conn: c, counted: map[string]*rules.SessionStatus{}, assessments: map[string]*foldedAssessment{}}
	for _, row := range queued {
		f.counted[row.SessionID] = row.Counted
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

// finish adds the result of a finished session. Only then is the document parsed: it can
// be large, and most changes are invites and starts.
func (a *foldedAssessment) finish(result rules.Finished) error {
	if a.finished == 0 {
		if err := json.Unmarshal([]byte(a.Document), &a.statistics); err != nil {
			return err
		}
	}
	a.finished++
	a.statistics.Add(a.definition, result)
	return nil
}

// add counts the sessions. It reads one result at a time, because results can be large.
func (f *fold) add(ctx context.Context) (err error) {
	rows, err := f.Rows(ctx, `
		SELECT id, assessment_id, status, score, result FROM candidate_sessions
		WHERE `+f.store.db.IsOneOf("id"), f.sessions)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id, assessmentID string
		var status rules.SessionStatus
		var score *float64
		var result *string
		if err := rows.Scan(&id, &assessmentID, &status, &score, &result); err != nil {
			return err
		}
		a := f.assessments[assessmentID]
		if counted := f.counted[id]; counted != nil {
			a.Counts[*counted]--
		}
		a.Counts[status]++
		if result == nil { // the session has not finished
			continue
		}
		var finished rules.Finished
		if err := json.Unmarshal([]byte(*result), &finished); err != nil {
			// Without this session the statistics are incomplete. Stopping would leave those of all organizations behind.
			f.store.opts.Log.ErrorContext(ctx, "statistics lack an unreadable result", "session", id, "error", err)
			continue
		}
		if err := a.finish(finished); err != nil {
			return err
		}
		if status == rules.SessionCompleted {
			a.scores[*score]++
		}
	}
	return rows.Err()
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
			INSERT INTO assessment_statistics (assessment_id, organization_id, session_counts, document, computed_at)
			VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (assessment_id) DO UPDATE SET session_counts = excluded.session_counts,
				document = CASE WHEN ? THEN excluded.document ELSE assessment_statistics.document END,
				computed_at = excluded.computed_at`,
			id, a.OrganizationID, string(counts), string(document), f.store.Now(), a.finished > 0); err != nil {
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
	}
	_, err := f.Exec(ctx, `DELETE FROM statistics_queue WHERE `+f.store.db.IsOneOf("session_id"), f.sessions)
	return err
}
