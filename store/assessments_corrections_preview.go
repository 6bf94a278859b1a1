package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"assay/store/rules"
)

const (
	maxPreviewed = 10_000          // sessions, the newest ones
	previewTime  = 3 * time.Second // after which a preview is not exact
	previewBatch = 100
	maxCrossing  = 100 // ids of each list
)

// CorrectionEffect is what a correction would change.
type CorrectionEffect struct {
	Examined     int
	Exact        bool // every finished session was examined
	Changed      int
	Before       [rules.ScoreBins]int64 // completed sessions by score
	After        [rules.ScoreBins]int64
	NowPass      Crossing // the passing score
	NoLongerPass Crossing
	GatePasses   Crossing // stopped by a gate that they would pass
	GateFails    Crossing // went on after a gate that they would not pass
}

// Crossing counts the sessions that cross a border, and has the ids of the first maxCrossing.
type Crossing struct {
	Count int
	IDs   []string
}

func (x *Crossing) note(id string) {
	if x.Count++; len(x.IDs) < maxCrossing {
		x.IDs = append(x.IDs, id)
	}
}

// PreviewAssessmentCorrection returns what a correction would change, and changes nothing. It
// examines the newest sessions, and ends early rather than use much time. Refusals: those of
// CreateAssessmentCorrection.
func (s *Store) PreviewAssessmentCorrection(
	ctx context.Context, scope Scope, id string, in CorrectionInput,
) (CorrectionEffect, error) {
	c := s.read()
	scoring, err := c.correctable(ctx, scope, id, in)
	if err != nil {
		return CorrectionEffect{}, err
	}
	corrected := scoring
	corrected.Corrections = slices.Concat(scoring.Corrections, []rules.Correction{in.correction("", s.Now())})
	effect, last, until := CorrectionEffect{Exact: true}, "~", s.opts.Now().Add(previewTime)
	for {
		sessions, err := c.previewed(ctx, scope, id, last)
		if err != nil {
			return CorrectionEffect{}, err
		}
		for _, session := range sessions {
			last = session.ID
			effect.include(session, scoring, corrected)
		}
		if len(sessions) < previewBatch {
			return effect, nil
		}
		if effect.Examined >= maxPreviewed || s.opts.Now().After(until) {
			effect.Exact = false
			return effect, nil
		}
	}
}

// previewedSession is a finished session of a preview.
type previewedSession struct {
	ID       string `db:"id"`
	Encoded  string `db:"progress"`
	progress rules.Progress
	answers  map[string]rules.Answer
	grades   map[string]rules.Grade
}

// previewed returns the finished sessions before the id, the newest first.
func (c conn) previewed(ctx context.Context, scope Scope, assessmentID, before string) ([]*previewedSession, error) {
	var sessions []*previewedSession
	if err := c.List(ctx, &sessions, `
		SELECT id, progress FROM candidate_sessions`+c.store.db.IndexedBy("sessions_by_assessment")+`
		WHERE organization_id = ? AND assessment_id = ? AND id < ? AND status IN ('COMPLETED', 'DISQUALIFIED') AND NOT test
			AND erased_at IS NULL
		ORDER BY id DESC LIMIT ?`, scope.OrganizationID, assessmentID, before, previewBatch); err != nil {
		return nil, err
	}
	byID, ids := map[string]*previewedSession{}, make([]string, 0, len(sessions))
	for _, session := range sessions {
		session.answers, session.grades = map[string]rules.Answer{}, map[string]rules.Grade{}
		if err := json.Unmarshal([]byte(session.Encoded), &session.progress); err != nil {
			return nil, err
		}
		byID[session.ID] = session
		ids = append(ids, session.ID)
	}
	encoded, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		SessionID  string   `db:"session_id"`
		QuestionID string   `db:"question_id"`
		Answer     *string  `db:"answer"`
		Points     *float64 `db:"points"`
		Graded     bool     `db:"graded"`
	}
	if err := c.List(ctx, &rows, `
		SELECT session_id, question_id, answer, CAST(NULL AS DOUBLE PRECISION) AS points, FALSE AS graded FROM answers
		WHERE `+c.store.db.IsOneOf("session_id")+`
		UNION ALL
		SELECT session_id, question_id, answer, points, TRUE FROM grades g
		WHERE `+c.store.db.IsOneOf("session_id")+` AND version = (SELECT MAX(n.version) FROM grades n
			WHERE n.session_id = g.session_id AND n.question_id = g.question_id)`,
		string(encoded), string(encoded)); err != nil {
		return nil, err
	}
	for _, row := range rows {
		session, answer := byID[row.SessionID], (*rules.Answer)(nil)
		if row.Answer != nil {
			if err := json.Unmarshal([]byte(*row.Answer), &answer); err != nil {
				return nil, err
			}
		}
		switch {
		case row.Graded && (row.Points != nil || answer != nil):
			session.grades[row.QuestionID] = rules.Grade{Points: row.Points, Answer: answer}
		case !row.Graded && answer != nil && !answer.Cleared():
			session.answers[row.QuestionID] = *answer
		}
	}
	return sessions, nil
}

func (e *CorrectionEffect) include(session *previewedSession, scoring, corrected rules.Scoring) {
	e.Examined++
	scoring.Definition = scoring.Definition.For(session.ID)
	corrected.Definition = scoring.Definition
	scoring.Answers, scoring.Grades = session.answers, session.grades
	corrected.Answers, corrected.Grades = session.answers, session.grades
	before, after := session.progress, session.progress
	before.Rescore(scoring)
	after.Rescore(corrected)
	if before.Status == rules.SessionCompleted {
		e.Before[rules.ScoreBin(*before.Score)]++
		e.After[rules.ScoreBin(*after.Score)]++
	}
	if *before.Score != *after.Score || *before.Points != *after.Points {
		e.Changed++
	}
	if before.Passed != nil && *before.Passed != *after.Passed {
		if *after.Passed {
			e.NowPass.note(session.ID)
		} else {
			e.NoLongerPass.note(session.ID)
		}
	}
	for i, stage := range corrected.Definition.Stages {
		was, is := before.Stages[i].GatePassed, after.Stages[i].GatePassed
		if stage.Gate == nil || !stage.Gate.Required || was == nil || is == nil || *was == *is {
			continue
		}
		if *is {
			e.GatePasses.note(session.ID)
		} else {
			e.GateFails.note(session.ID)
		}
	}
}
