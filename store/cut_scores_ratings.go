package store

import (
	"context"
	"encoding/json"
	"strconv"

	"assay/store/rules"
)

// CutScoreRating is an estimate: how many percent of the points of a question a barely good candidate gets.
type CutScoreRating struct {
	QuestionID string
	Percent    float64 // from 0 to 100
}

// CutScoreRatings are the ratings of one person.
type CutScoreRatings struct {
	Ratings   []CutScoreRating // in the order of the definition
	CutScore  *float64         // see CutScoreJudge
	UpdatedAt *Time            // nil without ratings
}

func newCutScoreRatings(d rules.Definition, row cutScoreRow) CutScoreRatings {
	judge := row.judge(d)
	if len(judge) == 0 {
		return CutScoreRatings{}
	}
	own := CutScoreRatings{CutScore: roundedPercent(judge.CutScore(d)), UpdatedAt: &row.UpdatedAt}
	for _, stage := range d.Stages {
		for _, question := range stage.Questions {
			if percent, rated := judge[question.ID]; rated {
				own.Ratings = append(own.Ratings, CutScoreRating{question.ID, percent})
			}
		}
	}
	return own
}

// RetrieveCutScoreRatings returns the ratings of the person of the scope. Refusal: not_found.
func (s *Store) RetrieveCutScoreRatings(ctx context.Context, scope Scope, id string) (CutScoreRatings, error) {
	assessment, err := s.read().content(ctx, scope, id)
	if err != nil {
		return CutScoreRatings{}, err
	}
	var rows []cutScoreRow
	if err := s.read().List(ctx, &rows, `
		SELECT user_id, ratings, updated_at FROM cut_score_ratings
		WHERE organization_id = ? AND assessment_id = ? AND user_id = ?`,
		scope.OrganizationID, id, scope.UserID); err != nil || len(rows) == 0 {
		return CutScoreRatings{}, err
	}
	return newCutScoreRatings(assessment.Definition, rows[0]), nil
}

// ReplaceCutScoreRatings sets the ratings of the person of the scope. Refusals: not_found, invalid_request.
func (s *Store) ReplaceCutScoreRatings(
	ctx context.Context, scope Scope, id string, in []CutScoreRating,
) (CutScoreRatings, error) {
	assessment, err := s.read().content(ctx, scope, id)
	if err != nil {
		return CutScoreRatings{}, err
	}
	judge, faults := rules.Judge{}, []rules.Fault(nil)
	for i, rating := range in {
		at := "/ratings/" + strconv.Itoa(i) + "/questionId"
		if _, repeated := judge[rating.QuestionID]; repeated {
			faults = append(faults, fault(at, "duplicate", "is rated already"))
		} else if _, _, known := assessment.Definition.QuestionByID(rating.QuestionID); !known {
			faults = append(faults, fault(at, "unknown_id", "is not a question of the assessment"))
		}
		judge[rating.QuestionID] = rating.Percent
	}
	if len(faults) > 0 {
		return CutScoreRatings{}, errInvalid.with(faults...)
	}
	encoded, err := json.Marshal(judge)
	if err != nil {
		return CutScoreRatings{}, err
	}
	row := cutScoreRow{UserID: scope.UserID, Ratings: string(encoded), UpdatedAt: Time{s.Now()}}
	return newCutScoreRatings(assessment.Definition, row), s.write(ctx, func(c conn) error {
		var found string // which a concurrent request can delete
		if err := c.Get(ctx, &found, `SELECT id FROM assessments WHERE organization_id = ? AND id = ?`+s.db.ForShare,
			scope.OrganizationID, id); err != nil {
			return orRefuse(err, errNoAssessment)
		}
		_, err := c.Exec(ctx, `
			INSERT INTO cut_score_ratings (assessment_id, user_id, organization_id, ratings, updated_at)
			VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (assessment_id, user_id)
			DO UPDATE SET ratings = excluded.ratings, updated_at = excluded.updated_at`,
			id, scope.UserID, scope.OrganizationID, row.Ratings, row.UpdatedAt.Time)
		return err
	})
}

// DeleteCutScoreRatings removes the ratings of the person of the scope, if there are any. Refusal: not_found.
func (s *Store) DeleteCutScoreRatings(ctx context.Context, scope Scope, id string) error {
	if _, err := s.read().content(ctx, scope, id); err != nil {
		return err
	}
	_, err := s.autocommit().Exec(ctx, `
		DELETE FROM cut_score_ratings WHERE organization_id = ? AND assessment_id = ? AND user_id = ?`,
		scope.OrganizationID, id, scope.UserID)
	return err
}
