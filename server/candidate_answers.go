package server

import (
	"context"
	"strconv"

	"assay/gen"
	"assay/server/request"
	"assay/store"
	"assay/store/rules"
)

// SaveAnswers implements PUT /v1/candidate/session/answers.
func (s *Server) SaveAnswers(
	ctx context.Context, request gen.SaveAnswersRequestObject,
) (gen.SaveAnswersResponseObject, error) {
	body := request.Body
	changes := storeChanges(ctx, body.ClientID, body.Answers)
	saved, err := s.store.SaveAnswers(ctx, scopeOf(ctx), store.StageAnswers{
		StageID: body.StageID, ClientID: body.ClientID, Changes: changes,
	})
	if err != nil {
		return nil, err
	}
	return gen.SaveAnswers200JSONResponse{Body: gen.SavedAnswersData{Data: gen.SavedAnswers{
		ServerTime: store.WireTime(saved.Now), DeadlineAt: wireTimeOrNull(saved.DeadlineAt),
		Answers: apiAnswerResults(ctx, changes, saved.Answers),
	}}}, nil
}

// SaveAnswer implements PUT /v1/candidate/session/answers/{questionId}.
func (s *Server) SaveAnswer(
	ctx context.Context, request gen.SaveAnswerRequestObject,
) (gen.SaveAnswerResponseObject, error) {
	saved, err := s.store.SaveAnswer(ctx, scopeOf(ctx), request.QuestionID, storeAnswer(*request.Body))
	if err != nil {
		return nil, err
	}
	return gen.SaveAnswer200JSONResponse{Body: savedAnswerData(request.QuestionID, saved)}, nil
}

// ClearAnswer implements DELETE /v1/candidate/session/answers/{questionId}.
func (s *Server) ClearAnswer(
	ctx context.Context, request gen.ClearAnswerRequestObject,
) (gen.ClearAnswerResponseObject, error) {
	saved, err := s.store.ClearAnswer(ctx, scopeOf(ctx), request.QuestionID)
	if err != nil {
		return nil, err
	}
	return gen.ClearAnswer200JSONResponse{Body: savedAnswerData(request.QuestionID, saved)}, nil
}

func savedAnswerData(questionID string, saved rules.SavedAnswer) gen.SavedAnswerData {
	return gen.SavedAnswerData{Data: gen.SavedAnswer{
		QuestionID: questionID, Revision: saved.Revision, SavedAt: store.WireTime(saved.SavedAt),
	}}
}

// storeChanges maps the rows of a request. An invalid row becomes nil.
func storeChanges(ctx context.Context, clientID string, rows []gen.AnswerChange) []*rules.AnswerChange {
	changes := make([]*rules.AnswerChange, len(rows))
	for i, row := range rows {
		if request.WrongItem(ctx, i) != nil {
			continue
		}
		changes[i] = &rules.AnswerChange{
			QuestionID: row.QuestionID, ClientID: clientID, Revision: row.Revision, SeenRevision: row.SeenRevision,
		}
		if answer := row.Answer; answer != nil {
			changes[i].Answer = rules.Answer{
				OptionID: answer.OptionID, OptionIDs: answer.OptionIds, Number: answer.Number, Text: answer.Text,
			}
		}
	}
	return changes
}

// apiAnswerResults maps the outcomes of the rows. changes has nil for invalid rows.
func apiAnswerResults(
	ctx context.Context, changes []*rules.AnswerChange, outcomes []store.AnswerOutcome,
) []gen.AnswerResult {
	results := make([]gen.AnswerResult, 0, len(outcomes))
	for i, outcome := range outcomes {
		result := gen.AnswerResult{
			Outcome: gen.AnswerOutcome(outcome.Outcome), Answer: apiSavedAnswer(outcome.Saved),
			Revision: outcome.Saved.Revision,
		}
		if outcome.Saved.Revision > 0 {
			result.SavedAt = new(store.WireTime(outcome.Saved.SavedAt))
		}
		if changes[i] == nil {
			result.QuestionID, result.Error = questionIDOf(request.Item(ctx, i)), request.WrongItem(ctx, i)
		} else {
			result.QuestionID = new(changes[i].QuestionID)
		}
		if outcome.Refusal != nil {
			result.Error = new(request.RefusedItem(outcome.Refusal, "/answers/"+strconv.Itoa(i)))
		}
		results = append(results, result)
	}
	return results
}

// questionIDOf returns the question's id of a row that may be anything.
func questionIDOf(row any) *string {
	object, _ := row.(map[string]any)
	if id, ok := object["questionId"].(string); ok {
		return new(id)
	}
	return nil
}

// apiSavedAnswer is null for an answer that was cleared or never saved.
func apiSavedAnswer(saved rules.SavedAnswer) *gen.Answer {
	if saved.Answer.Cleared() {
		return nil
	}
	return apiAnswer(&saved.Answer)
}
