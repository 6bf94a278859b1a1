package store

import (
	"context"

	"assay/store/rules"
)

// BankUse is how the candidates of one assessment, or of all, answered a question of the bank.
type BankUse struct {
	AssessmentID    string  `db:"assessment_id"`
	AssessmentTitle string  `db:"title"`
	Exposures       int64   `db:"exposures"`
	Answers         int64   `db:"answers"`
	Correct         int64   `db:"correct"`
	Points          float64 `db:"points"`
	MaxPoints       float64 `db:"max_points"`
}

// BankStatistics are those of a question of the bank.
type BankStatistics struct {
	BankUse     // over all assessments
	Assessments []BankUse
}

const maxBankUses = 100 // that are listed

// RetrieveQuestionStatistics returns how candidates answered a question of the bank. Refusal: not_found.
func (s *Store) RetrieveQuestionStatistics(ctx context.Context, scope Scope, id string) (BankStatistics, error) {
	var statistics BankStatistics
	if err := s.read().requireBankQuestion(ctx, scope, id); err != nil {
		return statistics, err
	}
	c := s.stale()
	if err := c.Get(ctx, &statistics.BankUse, `
		SELECT '' AS assessment_id, '' AS title, CAST(COALESCE(SUM(exposures), 0) AS BIGINT) AS exposures,
			CAST(COALESCE(SUM(answers), 0) AS BIGINT) AS answers, CAST(COALESCE(SUM(correct), 0) AS BIGINT) AS correct,
			COALESCE(SUM(points), 0.0) AS points, COALESCE(SUM(max_points), 0.0) AS max_points
		FROM question_statistics WHERE organization_id = ? AND question_id = ?`, scope.OrganizationID, id); err != nil {
		return statistics, err
	}
	err := c.List(ctx, &statistics.Assessments, `
		SELECT s.assessment_id, a.title, s.exposures, s.answers, s.correct, s.points, s.max_points
		FROM question_statistics s JOIN assessments a ON a.id = s.assessment_id
		WHERE s.organization_id = ? AND s.question_id = ? AND s.exposures > 0 ORDER BY s.assessment_id DESC LIMIT ?`,
		scope.OrganizationID, id, maxBankUses)
	return statistics, err
}

// bankTally are the changes of a row of question_statistics that a fold makes.
type bankTally struct {
	exposures, answers, correct int64
	points, maxPoints           float64
}

// tallyBank counts the questions of the bank in a finished session n times. n is 1 or -1.
func (a *foldedAssessment) tallyBank(finished rules.Finished, n int64) {
	if a.copies == nil {
		a.copies, a.bank = a.definition.CopiesByQuestion(), map[string]*bankTally{}
	}
	if len(a.copies) == 0 {
		return
	}
	for _, stage := range finished.Stages {
		if stage.Score == nil { // not reached
			continue
		}
		for _, question := range stage.Questions {
			id, is := a.copies[question.ID]
			if !is {
				continue
			}
			tally := a.bank[id]
			if tally == nil {
				tally = &bankTally{}
				a.bank[id] = tally
			}
			tally.exposures += n
			if question.IsAnswered() {
				tally.answers += n
			}
			if question.Correct != nil && *question.Correct {
				tally.correct += n
			}
			tally.points += float64(n) * question.Points
			tally.maxPoints += float64(n) * question.MaxPoints
		}
	}
}

// saveBank adds what the fold has counted. Only the process that folds writes these rows.
func (f *fold) saveBank(ctx context.Context, assessmentID string, a *foldedAssessment) error {
	for id, tally := range a.bank {
		if _, err := f.Exec(ctx, `
			INSERT INTO question_statistics
				(question_id, assessment_id, organization_id, exposures, answers, correct, points, max_points)
			SELECT id, ?, organization_id, ?, ?, ?, ?, ? FROM questions WHERE organization_id = ? AND id = ?
			ON CONFLICT (question_id, assessment_id) DO UPDATE SET
				exposures = question_statistics.exposures + excluded.exposures,
				answers = question_statistics.answers + excluded.answers,
				correct = question_statistics.correct + excluded.correct,
				points = question_statistics.points + excluded.points,
				max_points = question_statistics.max_points + excluded.max_points`,
			assessmentID, tally.exposures, tally.answers, tally.correct, tally.points, tally.maxPoints,
			a.OrganizationID, id); err != nil {
			return err
		}
	}
	return nil
}
