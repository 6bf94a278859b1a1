package server

import (
	"context"
	"encoding/json"
	"time"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// ReopenCandidateSession implements POST /v1/candidate-sessions/{id}/reopen.
func (s *Server) ReopenCandidateSession(
	ctx context.Context, request gen.ReopenCandidateSessionRequestObject,
) (gen.ReopenCandidateSessionResponseObject, error) {
	session, err := s.store.ReopenCandidateSession(ctx, scopeOf(ctx), request.ID, store.Reopening{
		Minutes: request.Body.Minutes, StageID: request.Body.StageID, Reason: request.Body.Reason,
	})
	if err != nil {
		return nil, err
	}
	return gen.ReopenCandidateSession200JSONResponse{Body: s.sessionData(ctx, session)}, nil
}

// ListCandidateSessionGrades implements GET /v1/candidate-sessions/{id}/grades.
func (s *Server) ListCandidateSessionGrades(
	ctx context.Context, request gen.ListCandidateSessionGradesRequestObject,
) (gen.ListCandidateSessionGradesResponseObject, error) {
	grades, err := s.store.ListCandidateSessionGrades(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.ListCandidateSessionGrades200JSONResponse{Body: gen.AnswerGradeCatalogue{Data: each(grades, apiGrade)}}, nil
}

// GradeCandidateSessionAnswer implements PUT /v1/candidate-sessions/{id}/grades/{questionId}.
func (s *Server) GradeCandidateSessionAnswer(
	ctx context.Context, request gen.GradeCandidateSessionAnswerRequestObject,
) (gen.GradeCandidateSessionAnswerResponseObject, error) {
	body := request.Body
	grade, err := s.store.GradeCandidateSessionAnswer(ctx, scopeOf(ctx), request.ID, request.QuestionID,
		store.GradeInput{
			Points: body.Points, Reason: orZero(body.Reason), Version: body.Version, Comment: given(body.Comment),
			Rubric: each(body.Rubric, func(c gen.CriterionPointsInput) store.CriterionPoints {
				return store.CriterionPoints{ID: c.ID, Points: c.Points}
			}),
		})
	if err != nil {
		return nil, err
	}
	return gen.GradeCandidateSessionAnswer200JSONResponse{Body: gen.AnswerGradeData{Data: apiGrade(grade)}}, nil
}

func apiGrade(g store.AnswerGrade) gen.AnswerGrade {
	shown := gen.AnswerGrade{
		QuestionID: g.QuestionID, Version: g.Version, Points: g.Points, Reason: g.Reason, Comment: g.Comment,
		CreatedBy: gen.DecisionAuthor{ID: g.UserID, Name: g.UserName}, CreatedAt: timestamp(g.CreatedAt),
	}
	if g.RubricJSON != nil {
		shown.Rubric = new(each(g.Rubric(), func(c store.CriterionPoints) gen.CriterionPoints {
			return gen.CriterionPoints{ID: c.ID, Points: c.Points}
		}))
	}
	if g.AnswerJSON != nil {
		var answer rules.Answer
		_ = json.Unmarshal([]byte(*g.AnswerJSON), &answer) // the store wrote it
		shown.Answer = apiAnswer(&answer)
	}
	return shown
}

// ListLateAnswers implements GET /v1/candidate-sessions/{id}/late-answers.
func (s *Server) ListLateAnswers(
	ctx context.Context, request gen.ListLateAnswersRequestObject,
) (gen.ListLateAnswersResponseObject, error) {
	late, err := s.store.ListLateAnswers(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.ListLateAnswers200JSONResponse{Body: gen.LateAnswerCatalogue{
		Data: each(late, func(answer store.LateAnswer) gen.LateAnswer {
			return gen.LateAnswer{
				QuestionID: answer.QuestionID, Answer: gen.GivenAnswer(*apiAnswer(&answer.Answer)),
				ArrivedAt:   store.WireTime(answer.ArrivedAt),
				SecondsLate: int(answer.Late / time.Second), Points: answer.Points, Counted: answer.Counted,
			}
		}),
	}}, nil
}

// CountLateAnswers implements POST /v1/candidate-sessions/{id}/late-answers/count.
func (s *Server) CountLateAnswers(
	ctx context.Context, request gen.CountLateAnswersRequestObject,
) (gen.CountLateAnswersResponseObject, error) {
	session, err := s.store.CountLateAnswers(ctx, scopeOf(ctx), request.ID, request.Body.Reason)
	if err != nil {
		return nil, err
	}
	return gen.CountLateAnswers200JSONResponse{Body: s.sessionData(ctx, session)}, nil
}
