package server

import (
	"context"
	"time"

	"assay/gen"
	"assay/server/request"
	"assay/store"
	"assay/store/rules"
)

// RetrieveCurrentStage implements GET /v1/candidate/session/stage.
func (s *Server) RetrieveCurrentStage(
	ctx context.Context, _ gen.RetrieveCurrentStageRequestObject,
) (gen.RetrieveCurrentStageResponseObject, error) {
	current, err := s.store.RetrieveCurrentStage(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.RetrieveCurrentStage200JSONResponse{Body: gen.CurrentStageData{Data: s.currentStage(current)}}, nil
}

// StartStage implements POST /v1/candidate/session/stage/start.
func (s *Server) StartStage(
	ctx context.Context, request gen.StartStageRequestObject,
) (gen.StartStageResponseObject, error) {
	current, err := s.store.StartStage(ctx, scopeOf(ctx), request.Body.StageID)
	if err != nil {
		return nil, err
	}
	return gen.StartStage200JSONResponse{Body: gen.CurrentStageData{Data: s.currentStage(current)}}, nil
}

var errNoClientID = request.Invalid("/clientId", gen.FieldErrorCodeRequired, "is required with answers")

// SubmitStage implements POST /v1/candidate/session/stage/submit.
func (s *Server) SubmitStage(
	ctx context.Context, request gen.SubmitStageRequestObject,
) (gen.SubmitStageResponseObject, error) {
	body := request.Body
	if len(body.Answers) > 0 && body.ClientID == nil {
		return nil, errNoClientID
	}
	changes := storeChanges(ctx, orZero(body.ClientID), body.Answers)
	outcome, err := s.store.SubmitStage(ctx, scopeOf(ctx), store.StageAnswers{
		StageID: body.StageID, ClientID: orZero(body.ClientID), Changes: changes, Undelivered: body.Undelivered,
	})
	if err != nil {
		return nil, err
	}
	session := outcome.Taking.Session
	return gen.SubmitStage200JSONResponse{Body: gen.StageOutcomeData{Data: gen.StageOutcome{
		Status: gen.SessionStatus(session.Status), NextStageID: session.CurrentStageID,
		RedirectURL: s.redirectURL(outcome.Taking), CloseReason: (*string)(session.CloseReason),
		ServerTime: store.WireTime(outcome.Taking.Now), Answers: apiAnswerResults(ctx, changes, outcome.Answers),
	}}}, nil
}

// currentStage maps a stage. While it is ready, the candidate does not see its questions.
func (s *Server) currentStage(current store.CurrentStage) gen.CurrentStage {
	t := s.textsOf(current.Assessment)
	questions := make([]gen.CandidateQuestion, 0, len(current.Stage.Questions))
	for i, q := range current.Stage.Questions {
		if current.Status == rules.StageReady {
			break
		}
		saved := current.Answers[q.ID]
		questions = append(questions, gen.CandidateQuestion{
			ID: q.ID, Order: i + 1, Type: gen.QuestionType(q.Type), Prompt: q.Prompt, PromptHTML: t.html(q.Prompt),
			Points: q.Points, Options: t.options(q), TextMatching: textMatching(q), MaxWords: q.MaxWords,
			Answer: apiSavedAnswer(saved), Revision: saved.Revision,
		})
	}
	return gen.CurrentStage{
		ID: current.Stage.ID, Order: current.Order, Status: gen.TakingStageStatus(current.Status),
		Title: current.Stage.Title, Description: current.Stage.Description,
		DescriptionHTML:  t.htmlOrNull(current.Stage.Description),
		TimeLimitMinutes: current.Stage.TimeLimitMinutes, QuestionCount: len(current.Stage.Questions),
		DeadlineAt: wireTimeOrNull(current.DeadlineAt), ServerTime: store.WireTime(current.Now), Questions: questions,
	}
}

func textMatching(q rules.Question) *string {
	if q.Type != rules.ShortText {
		return nil
	}
	return new(string(q.TextMatching()))
}

func wireTimeOrNull(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return new(store.WireTime(*t))
}
