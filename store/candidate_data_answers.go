package store

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"assay/store/rules"
)

// savedAnswer is a row of answers or late_answers.
type savedAnswer struct {
	SessionID  string `db:"session_id"`
	QuestionID string `db:"question_id"`
	Answer     string `db:"answer"` // JSON; "null" for a cleared one
	Late       bool   `db:"late"`
}

// shownQuestion is a question that the candidate has seen.
type shownQuestion struct {
	rules.Question

	stageTitle string
	scored     *rules.Answer // nil without a result
	points     *float64
	maxPoints  float64
}

// addDataAnswers adds the stages and the answers of the sessions.
func (c conn) addDataAnswers(ctx context.Context, scope Scope, of dataOf) error {
	var results []struct {
		ID     string  `db:"id"`
		Result *string `db:"result"`
	}
	if err := c.List(ctx, &results, `SELECT id, result FROM `+
		c.store.db.RowsByID("candidate_sessions", "sessions_by_id"), of.encoded, scope.OrganizationID); err != nil {
		return err
	}
	stored := map[string]string{}
	for _, row := range results {
		stored[row.ID] = value(row.Result)
	}
	saved, err := c.dataSaved(ctx, scope, of)
	if err != nil {
		return err
	}
	feedback, err := c.dataFeedback(ctx, scope, of)
	if err != nil {
		return err
	}
	for _, session := range of.sessions {
		if session.StartedAt == nil {
			continue
		}
		questions, err := c.dataQuestions(ctx, scope, session, stored[session.ID])
		if err != nil {
			return err
		}
		if err := session.addAnswers(questions, saved[session.ID], feedback[session.ID]); err != nil {
			return err
		}
	}
	return nil
}

// dataSaved returns what the candidates have saved, by session.
func (c conn) dataSaved(ctx context.Context, scope Scope, of dataOf) (map[string][]savedAnswer, error) {
	var rows []savedAnswer
	ofSession := c.store.db.IsOneOf("session_id")
	if err := c.List(ctx, &rows, `
		SELECT session_id, question_id, answer, 1 = 0 AS late FROM answers
		WHERE organization_id = ? AND `+ofSession+` AND answer IS NOT NULL
		UNION ALL SELECT session_id, question_id, answer, 1 = 1 FROM late_answers
		WHERE organization_id = ? AND `+ofSession+` LIMIT ?`,
		scope.OrganizationID, of.encoded, scope.OrganizationID, of.encoded, dataRows); err != nil {
		return nil, err
	}
	saved := map[string][]savedAnswer{}
	for _, row := range rows {
		saved[row.SessionID] = append(saved[row.SessionID], row)
	}
	return saved, nil
}

// dataFeedback returns what graders have written with the grades that count, by session and question.
func (c conn) dataFeedback(ctx context.Context, scope Scope, of dataOf) (map[string]map[string]string, error) {
	var rows []struct {
		SessionID  string  `db:"session_id"`
		QuestionID string  `db:"question_id"`
		Comment    *string `db:"comment"`
		Reason     string  `db:"reason"`
	}
	if err := c.List(ctx, &rows, `
		SELECT session_id, question_id, comment, reason FROM grades
		WHERE organization_id = ? AND `+c.store.db.IsOneOf("session_id")+`
		ORDER BY session_id, question_id, version LIMIT ?`,
		scope.OrganizationID, of.encoded, dataRows); err != nil {
		return nil, err
	}
	written := map[string]map[string]string{}
	for _, row := range rows { // the last version of each answer counts
		if written[row.SessionID] == nil {
			written[row.SessionID] = map[string]string{}
		}
		written[row.SessionID][row.QuestionID] = strings.Trim(value(row.Comment)+"\n\n"+row.Reason, "\n")
	}
	return written, nil
}

// dataQuestions returns the questions that the candidate of a session has seen, and adds the stages. Other questions
// are not data about the person.
func (c conn) dataQuestions(
	ctx context.Context, scope Scope, session *DataSession, stored string,
) ([]shownQuestion, error) {
	if stored != "" {
		var result Result
		if err := json.Unmarshal([]byte(stored), &result); err != nil {
			return nil, err
		}
		return session.questionsOfResult(result), nil
	}
	assessment, err := c.contentFor(ctx, scope, session.contentID(), session.ID)
	if err != nil {
		return nil, err
	}
	var questions []shownQuestion
	for i, stage := range assessment.Definition.Stages {
		if !session.addStage(i, stage.Title) {
			continue
		}
		for _, question := range stage.Questions {
			questions = append(questions, shownQuestion{
				Question: question, stageTitle: stage.Title, maxPoints: question.Points,
			})
		}
	}
	return questions, nil
}

func (session *DataSession) questionsOfResult(result Result) []shownQuestion {
	var questions []shownQuestion
	for i, stage := range result.Stages {
		if !session.addStage(i, stage.Title) {
			continue
		}
		for _, of := range stage.Questions {
			question := shownQuestion{
				Question:   rules.Question{ID: of.ID, Type: of.Type, Prompt: of.Prompt, Options: of.Options},
				stageTitle: stage.Title, scored: of.Answer, maxPoints: of.MaxPoints,
			}
			if of.Correct != nil {
				question.points = &of.Points
			}
			questions = append(questions, question)
		}
	}
	return questions
}

// addStage adds a stage if the candidate has started it, and reports whether they have.
func (session *DataSession) addStage(i int, title string) bool {
	if i >= len(session.progress.Stages) || session.progress.Stages[i].StartedAt == nil {
		return false
	}
	stage := session.progress.Stages[i]
	shown := DataStage{Title: title, StartedAt: *stage.StartedAt, EndedAt: stage.ClosedAt}
	if session.Score != nil {
		shown.Score = stage.Score
	}
	session.Stages = append(session.Stages, shown)
	return true
}

// addAnswers adds an answer for each question, and then those that arrived too late.
func (session *DataSession) addAnswers(
	questions []shownQuestion, saved []savedAnswer, feedback map[string]string,
) error {
	var late []DataAnswer
	for _, question := range questions {
		answer := question.scored
		for _, row := range saved {
			if row.QuestionID != question.ID {
				continue
			}
			var given rules.Answer
			if err := json.Unmarshal([]byte(row.Answer), &given); err != nil {
				return err
			}
			switch {
			case row.Late:
				late = append(late, DataAnswer{
					StageTitle: question.stageTitle, Prompt: question.Prompt, Answer: question.textOf(&given), Late: true,
					MaxPoints: question.maxPoints,
				})
			case answer == nil:
				answer = &given
			}
		}
		shown := DataAnswer{
			StageTitle: question.stageTitle, Prompt: question.Prompt, Answer: question.textOf(answer),
			Points: question.points, MaxPoints: question.maxPoints,
		}
		if question.points != nil {
			shown.Feedback = orNil(feedback[question.ID])
		}
		session.Answers = append(session.Answers, shown)
	}
	session.Answers = append(session.Answers, late...)
	return nil
}

// textOf is an answer as text: options by their texts, on a line each. It is nil without an answer.
func (q shownQuestion) textOf(answer *rules.Answer) *string {
	switch {
	case answer == nil || answer.Cleared():
		return nil
	case answer.OptionID != nil:
		return new(q.optionTexts([]string{*answer.OptionID}))
	case answer.OptionIDs != nil:
		return new(q.optionTexts(answer.OptionIDs))
	case answer.Number != nil:
		return new(strconv.FormatFloat(*answer.Number, 'f', -1, 64))
	}
	return answer.Text
}

// optionTexts are the texts of the chosen options, in the order of the question.
func (q shownQuestion) optionTexts(chosen []string) string {
	var texts []string
	for _, option := range q.Options {
		if slices.Contains(chosen, option.ID) {
			texts = append(texts, option.Text)
		}
	}
	return strings.Join(texts, "\n")
}
