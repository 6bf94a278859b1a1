package store

import (
	"cmp"
	"context"
	"slices"

	"assay/store/rules"
)

// GradingAgreement says how well the graders of an assessment agree.
type GradingAgreement struct {
	Questions []QuestionAgreement // in the order of the assessment
	Pairs     []PairAgreement     // the most answers first
}

// QuestionAgreement compares the first with the second grade of each answer to a question.
type QuestionAgreement struct {
	QuestionID string
	rules.Agreement
}

// PairAgreement compares the grades of two people, over all questions.
type PairAgreement struct {
	Graders [2]Grader
	rules.Agreement
}

// Grader is the author of grades.
type Grader struct {
	ID   string
	Name *string // nil if the person is not known
}

// The limits of openapi.yaml.
const (
	maxAgreementQuestions = 500
	maxAgreementPairs     = 100
	// maxComparisons bounds the rows of one assessment: questions times pairs of graders in both orders.
	maxComparisons = 50_000
)

// comparison sums up the answers to one question that one person has graded first, and another second.
type comparison struct {
	QuestionID   string  `db:"question_id"`
	FirstID      string  `db:"first_id"`
	SecondID     string  `db:"second_id"`
	Answers      int     `db:"answers"`
	Equal        int     `db:"equal"`
	Difference   float64 `db:"difference"`
	Square       float64 `db:"square"`
	First        float64 `db:"first"`
	Second       float64 `db:"second"`
	FirstSquare  float64 `db:"first_square"`
	SecondSquare float64 `db:"second_square"`
}

func (c comparison) agreement() rules.Agreement {
	return rules.Agreement{
		Answers: c.Answers, Equal: c.Equal, Difference: c.Difference, Square: c.Square, First: c.First, Second: c.Second,
		FirstSquare: c.FirstSquare, SecondSquare: c.SecondSquare,
	}
}

// RetrieveGradingAgreement compares the first two grades of each answer of an assessment. Refusal: not_found.
func (s *Store) RetrieveGradingAgreement(
	ctx context.Context, scope Scope, assessmentID string,
) (GradingAgreement, error) {
	c := s.read()
	assessment, err := c.current(ctx, scope, assessmentID)
	if err != nil {
		return GradingAgreement{}, err
	}
	var rows []comparison
	if err := c.List(ctx, &rows, `
		WITH marks AS (
			SELECT session_id, question_id, user_id, points,
				ROW_NUMBER() OVER (PARTITION BY session_id, question_id ORDER BY graded_at, id) AS position
			FROM grading_claims WHERE organization_id = ? AND assessment_id = ? AND graded_at IS NOT NULL)
		SELECT a.question_id, a.user_id AS first_id, b.user_id AS second_id, COUNT(*) AS answers,
			COUNT(CASE WHEN a.points = b.points THEN 1 END) AS equal,
			SUM(ABS(a.points - b.points)) AS difference, SUM((a.points - b.points) * (a.points - b.points)) AS square,
			SUM(a.points) AS first, SUM(b.points) AS second,
			SUM(a.points * a.points) AS first_square, SUM(b.points * b.points) AS second_square
		FROM marks a JOIN marks b ON b.session_id = a.session_id AND b.question_id = a.question_id AND b.position = 2
		WHERE a.position = 1
		GROUP BY a.question_id, a.user_id, b.user_id
		ORDER BY a.question_id, a.user_id, b.user_id LIMIT ?`,
		scope.OrganizationID, assessmentID, maxComparisons); err != nil {
		return GradingAgreement{}, err
	}
	agreement := agreementOf(assessment.Definition, rows)
	return agreement, c.nameGraders(ctx, scope, agreement.Pairs)
}

func agreementOf(definition rules.Definition, rows []comparison) GradingAgreement {
	byQuestion := map[string]rules.Agreement{}
	byPair := map[[2]string]rules.Agreement{}
	for _, row := range rows {
		question, _, _ := definition.QuestionByID(row.QuestionID)
		shares := row.agreement().Shares(question.Points)
		byQuestion[row.QuestionID] = byQuestion[row.QuestionID].Plus(shares)
		pair := [2]string{row.FirstID, row.SecondID}
		if row.FirstID > row.SecondID { // of a pair, the same person is always the first
			pair, shares = [2]string{row.SecondID, row.FirstID}, shares.Swapped()
		}
		byPair[pair] = byPair[pair].Plus(shares)
	}
	var agreement GradingAgreement
	for _, stage := range definition.Stages {
		for _, question := range stage.Questions {
			if compared, found := byQuestion[question.ID]; found && len(agreement.Questions) < maxAgreementQuestions {
				agreement.Questions = append(agreement.Questions, QuestionAgreement{question.ID, compared})
			}
		}
	}
	for pair, compared := range byPair {
		agreement.Pairs = append(agreement.Pairs, PairAgreement{
			Graders: [2]Grader{{ID: pair[0]}, {ID: pair[1]}}, Agreement: compared,
		})
	}
	slices.SortFunc(agreement.Pairs, func(a, b PairAgreement) int {
		return cmp.Or(cmp.Compare(b.Answers, a.Answers), cmp.Compare(a.Graders[0].ID, b.Graders[0].ID),
			cmp.Compare(a.Graders[1].ID, b.Graders[1].ID))
	})
	agreement.Pairs, _ = cut(agreement.Pairs, maxAgreementPairs)
	return agreement
}

// nameGraders adds the names of people, also of people who have left.
func (c conn) nameGraders(ctx context.Context, scope Scope, pairs []PairAgreement) error {
	if len(pairs) == 0 {
		return nil
	}
	var people []struct {
		ID   string `db:"id"`
		Name string `db:"name"`
	}
	if err := c.List(ctx, &people, `SELECT id, name FROM users WHERE organization_id = ?`,
		scope.OrganizationID); err != nil {
		return err
	}
	names := make(map[string]*string, len(people))
	for i := range people {
		names[people[i].ID] = &people[i].Name
	}
	for i := range pairs {
		for j := range pairs[i].Graders {
			pairs[i].Graders[j].Name = names[pairs[i].Graders[j].ID]
		}
	}
	return nil
}
