package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"assay/store/rules"
)

// withdraw is the action of a row that withdraws another correction.
const withdraw rules.CorrectionAction = "WITHDRAW"

// maxCorrections bounds the corrections of an assessment, because every score reads them.
const maxCorrections = 200

// Correction is a correction of a published assessment, with the progress of its application.
type Correction struct {
	ID           string                 `db:"id"`
	AssessmentID string                 `db:"assessment_id"`
	QuestionID   string                 `db:"question_id"`
	Action       rules.CorrectionAction `db:"action"`
	KeyJSON      *string                `db:"answer_key"`
	Policy       rules.CorrectionPolicy `db:"policy"`
	Withdraws    *string                `db:"withdraws"` // the correction that this one withdraws
	WithdrawnBy  *string                `db:"withdrawn_by"`
	Reason       string                 `db:"reason"`
	UserID       string                 `db:"user_id"`
	UserName     *string                `db:"user_name"`
	CreatedAt    Time                   `db:"created_at"`
	Total        int                    `db:"total"` // sessions that have finished or are in review; an estimate until it is applied
	Done         int                    `db:"done"`
	Changed      int                    `db:"changed"` // sessions with another result
	AppliedAt    *Time                  `db:"applied_at"`
}

// Key returns the key of the correction, or nil.
func (c Correction) Key() *rules.AnswerKey {
	if c.KeyJSON == nil {
		return nil
	}
	var key rules.AnswerKey
	_ = json.Unmarshal([]byte(*c.KeyJSON), &key) // the store wrote it
	return &key
}

// CorrectionInput is the input of CreateAssessmentCorrection.
type CorrectionInput struct {
	QuestionID string
	Action     rules.CorrectionAction
	Key        *rules.AnswerKey
	Policy     rules.CorrectionPolicy
	Reason     string
}

func (in CorrectionInput) correction(id string, now time.Time) rules.Correction {
	return rules.Correction{
		ID: id, QuestionID: in.QuestionID, Action: in.Action, Key: in.Key, Policy: in.Policy, At: now,
	}
}

// correctable returns a published or archived assessment with its corrections, and checks
// a further one.
func (c conn) correctable(
	ctx context.Context, scope Scope, id string, in CorrectionInput,
) (rules.Scoring, error) {
	assessment, err := c.content(ctx, scope, id)
	if err != nil {
		return rules.Scoring{}, err
	}
	question, _, known := assessment.Definition.QuestionByID(in.QuestionID)
	if !known {
		return rules.Scoring{}, errUnknownQuestion
	}
	if assessment.Status == rules.AssessmentDraft {
		return rules.Scoring{}, errAssessmentNotPublished
	}
	if faults := rules.CorrectionFaults(question, in.correction("", time.Time{})); len(faults) > 0 {
		return rules.Scoring{}, errInvalid.with(faults...)
	}
	decided, err := c.corrections(ctx, scope, id)
	if err != nil {
		return rules.Scoring{}, err
	}
	scoring := rules.Scoring{
		Definition: assessment.Definition, PassingScore: assessment.PassingScore, Corrections: decided,
	}
	after := scoring
	after.Corrections = slices.Concat(decided, []rules.Correction{in.correction("", time.Time{})})
	if faults := after.RemainingFaults(); len(faults) > 0 {
		return rules.Scoring{}, errInvalid.with(faults...)
	}
	return scoring, nil
}

// corrections are the corrections of an assessment that were not withdrawn.
func (c conn) corrections(ctx context.Context, scope Scope, id string) ([]rules.Correction, error) {
	var rows []decisionRow
	if err := c.List(ctx, &rows, `
		SELECT 'CORRECTION' AS kind, id, question_id, action, policy, withdraws, answer_key AS content, created_at
		FROM corrections WHERE organization_id = ? AND assessment_id = ? ORDER BY created_at, id`,
		scope.OrganizationID, id); err != nil {
		return nil, err
	}
	decided, err := newDecisions(rows)
	return decided.corrections, err
}

// CreateAssessmentCorrection adds a correction, which UnscopedApplyCorrections applies to the
// sessions that have finished or are in review. Sessions that finish later are scored with it. Refusals:
// not_found, assessment_not_published, invalid_request, too_many_corrections.
func (s *Store) CreateAssessmentCorrection(
	ctx context.Context, scope Scope, id string, in CorrectionInput,
) (Correction, error) {
	var created struct{ Correction Correction }
	err := once(ctx, s, scope, &created, func(c conn) error {
		if err := s.db.Lock(ctx, c.Conn, decisionLock(id)); err != nil {
			return err
		}
		if _, err := c.correctable(ctx, scope, id, in); err != nil {
			return err
		}
		var err error
		created.Correction, err = c.insertCorrection(ctx, scope, id, in, nil)
		return err
	})
	return created.Correction, err
}

// WithdrawAssessmentCorrection adds a correction that withdraws another one, so that results are
// as if it had never been made. Refusals: not_found, correction_withdrawn,
// too_many_corrections.
func (s *Store) WithdrawAssessmentCorrection(
	ctx context.Context, scope Scope, assessmentID, id, reason string,
) (Correction, error) {
	var created Correction
	err := s.write(ctx, func(c conn) error {
		if err := s.db.Lock(ctx, c.Conn, decisionLock(assessmentID)); err != nil {
			return err
		}
		withdrawn, err := c.correction(ctx, scope, assessmentID, id)
		if err != nil {
			return err
		}
		if withdrawn.WithdrawnBy != nil || withdrawn.Withdraws != nil {
			return errCorrectionWithdrawn
		}
		in := CorrectionInput{
			QuestionID: withdrawn.QuestionID, Action: withdraw, Policy: rules.Exact, Reason: reason,
		}
		created, err = c.insertCorrection(ctx, scope, assessmentID, in, &id)
		return err
	})
	return created, err
}

func (c conn) insertCorrection(
	ctx context.Context, scope Scope, assessmentID string, in CorrectionInput, withdraws *string,
) (Correction, error) {
	var present int
	if err := c.Get(ctx, &present, `SELECT COUNT(*) FROM corrections WHERE organization_id = ? AND assessment_id = ?`,
		scope.OrganizationID, assessmentID); err != nil {
		return Correction{}, err
	}
	if present >= maxCorrections {
		return Correction{}, errTooManyCorrections
	}
	var key *string
	if in.Key != nil {
		encoded, err := json.Marshal(in.Key)
		if err != nil {
			return Correction{}, err
		}
		text := string(encoded)
		key = &text
	}
	var counts SessionCounts
	err := c.Get(ctx, &counts, `SELECT session_counts FROM assessment_statistics
		WHERE organization_id = ? AND assessment_id = ?`, scope.OrganizationID, assessmentID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Correction{}, err
	}
	id := c.store.NewID("cor")
	if _, err := c.Exec(ctx, `
		INSERT INTO corrections (id, organization_id, assessment_id, question_id, action, answer_key, policy, withdraws,
			reason, user_id, created_at, total)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		id, scope.OrganizationID, assessmentID, in.QuestionID, in.Action, key, in.Policy, withdraws, in.Reason,
		scope.UserID, c.store.Now(), 
		counts[rules.SessionCompleted]+counts[rules.SessionDisqualified]+counts[rules.SessionInReview]); err != nil {
		return Correction{}, err
	}
	if err := c.forgetSuspicion(ctx, scope, assessmentID, in.QuestionID); err != nil {
		return Correction{}, err
	}
	if err := c.audit(ctx, scope, AuditAssessmentCorrected, assessmentID, valueOf("action", in.Action)); err != nil {
		return Correction{}, err
	}
	return c.correction(ctx, scope, assessmentID, id)
}

const correctionQuery = `
	SELECT c.id, c.assessment_id, c.question_id, c.action, c.answer_key, c.policy, c.withdraws, c.reason, c.user_id,
		c.created_at, c.total, c.done, c.changed, c.applied_at,
		(SELECT w.id FROM corrections w WHERE w.organization_id = c.organization_id
			AND w.assessment_id = c.assessment_id AND w.withdraws = c.id) AS withdrawn_by,
		(SELECT u.name FROM users u WHERE u.organization_id = c.organization_id AND u.id = c.user_id) AS user_name
	FROM corrections c WHERE c.organization_id = ? AND c.assessment_id = ?`

func (c conn) correction(ctx context.Context, scope Scope, assessmentID, id string) (Correction, error) {
	var correction Correction
	err := c.Get(ctx, &correction, correctionQuery+` AND c.id = ?`, scope.OrganizationID, assessmentID, id)
	return correction, orRefuse(err, errNoCorrection)
}

// RetrieveAssessmentCorrection returns a correction with its progress. Refusal: not_found.
func (s *Store) RetrieveAssessmentCorrection(
	ctx context.Context, scope Scope, assessmentID, id string,
) (Correction, error) {
	return s.read().correction(ctx, scope, assessmentID, id)
}

// ListAssessmentCorrections returns the corrections of an assessment, the newest first. Refusal:
// not_found.
func (s *Store) ListAssessmentCorrections(ctx context.Context, scope Scope, assessmentID string) ([]Correction, error) {
	c := s.read()
	if _, err := c.content(ctx, scope, assessmentID); err != nil {
		return nil, err
	}
	corrections := []Correction{}
	err := c.List(ctx, &corrections, correctionQuery+` ORDER BY c.id DESC LIMIT ?`,
		scope.OrganizationID, assessmentID, maxCorrections)
	return corrections, err
}
