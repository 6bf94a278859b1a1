package store

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"slices"

	"assay/store/rules"
)

// decisions are what people have decided about a session, apart from its answers.
type decisions struct {
	corrections []rules.Correction // of the assessment, without withdrawn corrections
	grades      map[string]rules.Grade
	rulings     []rules.Ruling
	graded      []ResultCause
	ruled       []ResultCause
	reopenings  []ResultCause
}

// decisionLock is the lock of the corrections of an assessment. A transaction that scores a session
// holds it shared, and one that adds a correction holds it alone. So a session is either scored
// with the correction, or visible as finished to the job that applies it.
func decisionLock(assessmentID string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte("corrections:" + assessmentID)) // never fails
	return int64(h.Sum64())
}

type decisionRow struct {
	Kind       CauseType               `db:"kind"`
	ID         *string                 `db:"id"`
	QuestionID *string                 `db:"question_id"`
	Action     *rules.CorrectionAction `db:"action"`
	Policy     *rules.CorrectionPolicy `db:"policy"`
	Withdraws  *string                 `db:"withdraws"`
	Content    *string                 `db:"content"` // JSON: a key, or an answer
	Points     *float64                `db:"points"`
	StageID    *string                 `db:"stage_id"`
	Pass       *bool                   `db:"pass"`
	CreatedAt  Time                    `db:"created_at"`
}

// decisions reads the decisions about a session. A transaction that scores the session holds
// decisionLock. A test session has no decisions: its assessment is a copy.
func (c conn) decisions(ctx context.Context, session CandidateSession) (decisions, error) {
	if session.Test {
		return decisions{}, nil
	}
	if c.InTransaction() {
		if err := c.store.db.LockShared(ctx, c.Conn, decisionLock(session.AssessmentID)); err != nil {
			return decisions{}, err
		}
	}
	var rows []decisionRow
	if err := c.List(ctx, &rows, `
		SELECT 'CORRECTION' AS kind, id, question_id, action, policy, withdraws, answer_key AS content,
			CAST(NULL AS DOUBLE PRECISION) AS points, NULL AS stage_id, CAST(NULL AS BOOLEAN) AS pass, created_at
		FROM corrections WHERE organization_id = ? AND assessment_id = ?
		UNION ALL
		SELECT 'GRADE', NULL, question_id, NULL, NULL, NULL, answer, points, NULL, NULL, created_at FROM grades g
		WHERE session_id = ? AND version = (SELECT MAX(n.version) FROM grades n
			WHERE n.session_id = g.session_id AND n.question_id = g.question_id)
		UNION ALL
		SELECT 'RULING', id, NULL, NULL, NULL, NULL, NULL, NULL, stage_id, pass, created_at FROM rulings
		WHERE organization_id = ? AND session_id = ? AND withdrawn_by IS NULL
		UNION ALL
		SELECT 'REOPENING', id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, created_at FROM reopenings
		WHERE organization_id = ? AND session_id = ?
		ORDER BY 11, 2`,
		session.OrganizationID, session.AssessmentID, session.ID, session.OrganizationID, session.ID,
		session.OrganizationID, session.ID); err != nil {
		return decisions{}, err
	}
	return newDecisions(rows)
}

func newDecisions(rows []decisionRow) (decisions, error) {
	d := decisions{grades: map[string]rules.Grade{}}
	withdrawn := map[string]bool{}
	for _, row := range rows {
		if row.Withdraws != nil {
			withdrawn[*row.Withdraws] = true
		}
	}
	for i := range rows {
		row := &rows[i]
		cause := ResultCause{Cause: row.Kind, ID: row.ID, QuestionID: row.QuestionID, At: wireTime(row.CreatedAt.Time)}
		switch row.Kind {
		case CauseReopening:
			d.reopenings = append(d.reopenings, cause)
		case CauseRuling:
			d.rulings = append(d.rulings, rules.Ruling{StageID: *row.StageID, Pass: *row.Pass, At: row.CreatedAt.Time})
			d.ruled = append(d.ruled, cause)
		case CauseGrade:
			grade := rules.Grade{Points: row.Points}
			if row.Content != nil {
				if err := json.Unmarshal([]byte(*row.Content), &grade.Answer); err != nil {
					return decisions{}, err
				}
			}
			if grade.Points != nil || grade.Answer != nil { // otherwise the grade was withdrawn
				d.grades[*row.QuestionID] = grade
				d.graded = append(d.graded, cause)
			}
		case CauseCorrection:
			if row.Withdraws != nil || withdrawn[*row.ID] {
				continue
			}
			correction := rules.Correction{
				ID: *row.ID, QuestionID: *row.QuestionID, Action: *row.Action, Policy: *row.Policy, At: row.CreatedAt.Time,
			}
			if row.Content != nil {
				if err := json.Unmarshal([]byte(*row.Content), &correction.Key); err != nil {
					return decisions{}, err
				}
			}
			d.corrections = append(d.corrections, correction)
		}
	}
	return d, nil
}

// causes are all decisions, those about the assessment first.
func (d decisions) causes() []ResultCause {
	var causes []ResultCause
	for i := range d.corrections {
		correction := &d.corrections[i]
		causes = append(causes, ResultCause{Cause: CauseCorrection, ID: &correction.ID, QuestionID: &correction.QuestionID,
			At: wireTime(correction.At)})
	}
	return slices.Concat(causes, d.graded, d.ruled, d.reopenings)
}
