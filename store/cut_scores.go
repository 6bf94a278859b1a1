package store

import (
	"context"
	"encoding/json"
	"math"

	"assay/store/rules"
)

// maxJudges bounds the judges of an assessment that a cut score has.
const maxJudges = 200

// CutScore is the cut score that the judges of an assessment suggest (modified Angoff method), with figures to compare
// it with. Value is in percent. If the assessment has pools, judges rate each question that can be drawn, and the cut
// score is that of the average candidate: see rules.Judge.CutScore.
type CutScore struct {
	rules.CutScore

	Judges         []CutScoreJudge
	Questions      []CutScoreQuestion // of the definition, in its order
	PassingScore   *float64
	AtCutScore     *ClassificationConsistency
	AtPassingScore *ClassificationConsistency
}

// CutScoreJudge is a member with ratings, also after the removal of the member: the cut score must not change then.
type CutScoreJudge struct {
	UserID     string
	Name       *string // nil if the person was removed
	RatedCount int
	CutScore   *float64 // nil until every question with points is rated
	UpdatedAt  Time
}

// CutScoreQuestion is what the judges think of a question, in percent of its points.
type CutScoreQuestion struct {
	QuestionID        string
	Count             int      // ratings
	Mean              *float64 // nil without ratings
	StandardDeviation *float64 // with n - 1; nil below two ratings
	Difficulty        *float64 // what candidates get; nil without sessions
}

// ClassificationConsistency is how consistent decisions at a score are.
type ClassificationConsistency struct {
	rules.Consistency

	Score    float64 // percent
	PassRate float64 // percent of completed sessions
}

// RetrieveCutScore returns the cut score that the judges of an assessment suggest. Refusal: not_found.
func (s *Store) RetrieveCutScore(ctx context.Context, scope Scope, id string) (CutScore, error) {
	statistics, err := s.RetrieveAssessmentStatistics(ctx, scope, id, nil)
	if err != nil {
		return CutScore{}, err
	}
	rows, err := s.read().cutScoreRatings(ctx, scope, id)
	if err != nil {
		return CutScore{}, err
	}
	return newCutScore(statistics, rows), nil
}

// cutScoreRow is the ratings of one person.
type cutScoreRow struct {
	UserID    string  `db:"user_id"`
	Name      *string `db:"name"`
	Ratings   string  `db:"ratings"` // JSON of a rules.Judge
	UpdatedAt Time    `db:"updated_at"`
}

// judge returns the ratings of the questions that the definition has. A draft can have lost some since.
func (r cutScoreRow) judge(d rules.Definition) rules.Judge {
	var stored rules.Judge
	_ = json.Unmarshal([]byte(r.Ratings), &stored) // the store wrote it
	judge := rules.Judge{}
	for _, stage := range d.Stages {
		for _, question := range stage.Questions {
			if percent, rated := stored[question.ID]; rated {
				judge[question.ID] = percent
			}
		}
	}
	return judge
}

func (c conn) cutScoreRatings(ctx context.Context, scope Scope, assessmentID string) (rows []cutScoreRow, err error) {
	err = c.List(ctx, &rows, `
		SELECT r.user_id, r.ratings, r.updated_at, (SELECT u.name FROM users u WHERE u.organization_id = r.organization_id
			AND u.id = r.user_id AND u.removed_at IS NULL) AS name
		FROM cut_score_ratings r WHERE r.organization_id = ? AND r.assessment_id = ? ORDER BY r.user_id LIMIT ?`,
		scope.OrganizationID, assessmentID, maxJudges)
	return rows, err
}

func newCutScore(statistics AssessmentStatistics, rows []cutScoreRow) CutScore {
	definition := statistics.Assessment.Definition
	cut := CutScore{PassingScore: statistics.Assessment.PassingScore}
	var judges []rules.Judge
	for _, row := range rows {
		judge := row.judge(definition)
		if len(judge) == 0 {
			continue
		}
		judges = append(judges, judge)
		cut.Judges = append(cut.Judges, CutScoreJudge{
			UserID: row.UserID, Name: row.Name, RatedCount: len(judge), CutScore: roundedPercent(judge.CutScore(definition)),
			UpdatedAt: row.UpdatedAt,
		})
	}
	cut.CutScore = rules.NewCutScore(definition, judges)
	cut.Value = roundedPercent(cut.Value) // so that decisions at it are those at the number that people read
	for i, stage := range definition.Stages {
		for j, question := range stage.Questions {
			rated := newCutScoreQuestion(question.ID, judges)
			tally := statistics.Finished.Stages[i]
			if difficulty := tally.Questions[j].Difficulty(question, tally.QuestionReached(stage, j)); difficulty != nil {
				rated.Difficulty = new(*difficulty * 100)
			}
			cut.Questions = append(cut.Questions, rated)
		}
	}
	cut.AtCutScore, cut.AtPassingScore = statistics.consistencyAt(cut.Value), statistics.consistencyAt(cut.PassingScore)
	return cut
}

// roundedPercent rounds a percentage as scores are rounded.
func roundedPercent(percent *float64) *float64 {
	if percent == nil {
		return nil
	}
	return new(rules.RoundPoints(*percent))
}

func newCutScoreQuestion(id string, judges []rules.Judge) CutScoreQuestion {
	question := CutScoreQuestion{QuestionID: id}
	sum := 0.0
	for _, judge := range judges {
		if percent, rated := judge[id]; rated {
			question.Count++
			sum += percent
		}
	}
	if question.Count == 0 {
		return question
	}
	mean, squares := sum/float64(question.Count), 0.0
	question.Mean = &mean
	for _, judge := range judges {
		if percent, rated := judge[id]; rated {
			squares += (percent - mean) * (percent - mean)
		}
	}
	if question.Count > 1 {
		question.StandardDeviation = new(math.Sqrt(squares / float64(question.Count-1)))
	}
	return question
}

// consistencyAt is nil without a score, and without a reliability of the scores.
func (s AssessmentStatistics) consistencyAt(score *float64) *ClassificationConsistency {
	alpha, scores := s.Reliability().Alpha, s.Finished.Percents // from 0 to 1
	deviation := scores.StandardDeviation()
	if score == nil || alpha == nil || deviation == nil {
		return nil
	}
	var passed int64
	for _, at := range s.scores {
		if at.Score >= *score {
			passed += at.Count
		}
	}
	return &ClassificationConsistency{
		Consistency: rules.NewConsistency(*score/100, scores.Mean, *deviation, *alpha),
		Score:       *score, PassRate: rules.Percent(float64(passed), float64(s.Scores.Count)),
	}
}
