package store

import (
	"context"
	"encoding/json"
	"slices"

	"assay/store/rules"
)

const (
	maxAnswersExamined = 5000 // sessions, the newest ones
	maxAnswersListed   = 100
)

// GivenAnswers are the answers that candidates have given to a question.
type GivenAnswers struct {
	Question rules.Question
	Examined int
	Exact    bool // every finished session was examined
	Answers  []GivenAnswer
}

// GivenAnswer is an answer with the number of candidates who gave it, and its points with all
// corrections.
type GivenAnswer struct {
	Answer  rules.Answer
	Count   int
	Points  float64
	Correct bool
}

// ListAssessmentQuestionAnswers returns the answers to a question in the newest finished
// sessions, the most frequent first. Refusal: not_found.
func (s *Store) ListAssessmentQuestionAnswers(
	ctx context.Context, scope Scope, assessmentID, questionID string,
) (GivenAnswers, error) {
	c := s.read()
	assessment, err := c.content(ctx, scope, assessmentID)
	if err != nil {
		return GivenAnswers{}, err
	}
	question, _, known := assessment.Definition.QuestionByID(questionID)
	if !known {
		return GivenAnswers{}, errNoQuestion
	}
	corrections, err := c.corrections(ctx, scope, assessmentID)
	if err != nil {
		return GivenAnswers{}, err
	}
	var rows []struct {
		Answer *string `db:"answer"`
	}
	if err := s.stale().List(ctx, &rows, `
		SELECT a.answer FROM (SELECT id FROM candidate_sessions`+s.db.IndexedBy("sessions_by_assessment")+`
			WHERE organization_id = ? AND assessment_id = ? AND status IN ('COMPLETED', 'DISQUALIFIED') AND NOT test
			ORDER BY id DESC`+atMost(maxAnswersExamined+1)+`) f
		LEFT JOIN answers a ON a.session_id = f.id AND a.question_id = ?`,
		scope.OrganizationID, assessmentID, questionID); err != nil {
		return GivenAnswers{}, err
	}
	given := GivenAnswers{Question: question, Exact: len(rows) <= maxAnswersExamined}
	given.Examined = min(len(rows), maxAnswersExamined)
	byForm := map[string]int{} // position in given.Answers
	for _, row := range rows[:given.Examined] {
		if row.Answer == nil {
			continue
		}
		var answer rules.Answer
		if err := json.Unmarshal([]byte(*row.Answer), &answer); err != nil {
			return GivenAnswers{}, err
		}
		if answer.Cleared() {
			continue
		}
		form := rules.AnswerForm(question, answer)
		at, known := byForm[form]
		if !known {
			at = len(given.Answers)
			byForm[form] = at
			score := rules.GradeAnswer(question, answer, corrections)
			given.Answers = append(given.Answers, GivenAnswer{
				Answer: answer, Points: rules.RoundPoints(score.Points), Correct: score.Correct,
			})
		}
		given.Answers[at].Count++
	}
	slices.SortStableFunc(given.Answers, func(a, b GivenAnswer) int { return b.Count - a.Count })
	given.Answers = given.Answers[:min(len(given.Answers), maxAnswersListed)]
	return given, nil
}
