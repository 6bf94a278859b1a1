package server

import (
	"context"
	"net/url"
	"time"

	"github.com/oapi-codegen/nullable"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// RetrieveTaking implements GET /v1/candidate/session.
func (s *Server) RetrieveTaking(
	ctx context.Context, _ gen.RetrieveTakingRequestObject,
) (gen.RetrieveTakingResponseObject, error) {
	taking, err := s.store.RetrieveTaking(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.RetrieveTaking200JSONResponse{Body: s.takingData(taking)}, nil
}

// StartTaking implements POST /v1/candidate/session/start.
func (s *Server) StartTaking(
	ctx context.Context, _ gen.StartTakingRequestObject,
) (gen.StartTakingResponseObject, error) {
	taking, err := s.store.StartTaking(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.StartTaking200JSONResponse{Body: s.takingData(taking)}, nil
}

// RetrieveCurrentStage implements GET /v1/candidate/session/stage.
func (s *Server) RetrieveCurrentStage(
	ctx context.Context, _ gen.RetrieveCurrentStageRequestObject,
) (gen.RetrieveCurrentStageResponseObject, error) {
	current, err := s.store.RetrieveCurrentStage(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.RetrieveCurrentStage200JSONResponse{Body: gen.CurrentStageData{Data: apiCurrentStage(current)}}, nil
}

// SaveAnswer implements PUT /v1/candidate/session/answers/{questionId}.
func (s *Server) SaveAnswer(
	ctx context.Context, request gen.SaveAnswerRequestObject,
) (gen.SaveAnswerResponseObject, error) {
	savedAt, err := s.store.SaveAnswer(ctx, scopeOf(ctx), request.QuestionID, storeAnswer(*request.Body))
	if err != nil {
		return nil, err
	}
	return gen.SaveAnswer200JSONResponse{Body: gen.SavedAnswerData{Data: gen.SavedAnswer{
		QuestionID: request.QuestionID, SavedAt: store.WireTime(savedAt),
	}}}, nil
}

// SubmitStage implements POST /v1/candidate/session/stage/submit.
func (s *Server) SubmitStage(
	ctx context.Context, request gen.SubmitStageRequestObject,
) (gen.SubmitStageResponseObject, error) {
	outcome, err := s.store.SubmitStage(ctx, scopeOf(ctx), request.Body.StageID)
	if err != nil {
		return nil, err
	}

	redirectURL := nullable.NewNullNullable[string]()
	if outcome.Status == rules.SessionCompleted {
		redirectURL = s.redirectURL(outcome.Taking)
	}
	return gen.SubmitStage200JSONResponse{Body: gen.StageOutcomeData{Data: gen.StageOutcome{
		Status: gen.SessionStatus(outcome.Status), NextStageID: orNull(outcome.NextStageID), RedirectURL: redirectURL,
	}}}, nil
}

func (s *Server) takingData(taking store.Taking) gen.TakingData {
	session, assessment := taking.Session, taking.Assessment
	return gen.TakingData{Data: gen.Taking{
		ID: session.ID, Status: gen.SessionStatus(session.Status),
		Organization: gen.TakingOrganization{Name: taking.OrganizationName},
		Assessment: gen.TakingAssessment{
			ID: assessment.ID, Title: assessment.Title, Description: orNull(assessment.Description),
			QuestionCount: assessment.QuestionCount, MaxPoints: assessment.MaxPoints,
		},
		Candidate:        gen.Candidate{Name: session.CandidateName, Email: session.CandidateEmail},
		TimeLimitMinutes: orNull(assessment.TimeLimitMinutes), ExtraTimePercent: session.ExtraTimePercent,
		ExpiresAt: timestamp(session.ExpiresAt), StartedAt: timeOrNull(session.StartedAt),
		DeadlineAt:  timeOrNull(session.DeadlineAt),
		CompletedAt: timeOrNull(session.CompletedAt), DisqualifiedAt: timeOrNull(session.DisqualifiedAt),
		ServerTime: store.WireTime(taking.Now), CurrentStageID: orNull(session.CurrentStageID),
		Stages: takingStages(taking), RedirectURL: s.redirectURL(taking),
	}}
}

func takingStages(taking store.Taking) []gen.TakingStage {
	stages := make([]gen.TakingStage, 0, len(taking.Assessment.Definition.Stages))
	for i, stage := range taking.Assessment.Definition.Stages {
		status := rules.StageNotReached
		if i < len(taking.Progress.Stages) {
			status = taking.Progress.Stages[i].Status
		}
		stages = append(stages, gen.TakingStage{
			ID: stage.ID, Order: i + 1, Title: stage.Title, TimeLimitMinutes: orNull(stage.TimeLimitMinutes),
			QuestionCount: len(stage.Questions), Status: gen.TakingStageStatus(status),
		})
	}
	return stages
}

func apiCurrentStage(current store.CurrentStage) gen.CurrentStage {
	questions := make([]gen.CandidateQuestion, 0, len(current.Stage.Questions))
	for i, q := range current.Stage.Questions {
		var saved *rules.Answer
		if answer, ok := current.Answers[q.ID]; ok {
			saved = &answer
		}
		questions = append(questions, gen.CandidateQuestion{
			ID: q.ID, Order: i + 1, Type: gen.QuestionType(q.Type), Prompt: q.Prompt, Points: q.Points,
			Options: apiOptions(q), Answer: apiAnswer(saved),
		})
	}

	deadline := nullable.NewNullNullable[string]()
	if current.DeadlineAt != nil {
		deadline = nullable.NewNullableWithValue(store.WireTime(*current.DeadlineAt))
	}
	return gen.CurrentStage{
		ID: current.Stage.ID, Order: current.Order, Title: current.Stage.Title,
		Description: orNull(current.Stage.Description),
		DeadlineAt:  deadline, ServerTime: store.WireTime(current.Now), Questions: questions,
	}
}

// sameTokenFor is how long after completion the redirect carries the same token.
// A client that loses the response and submits again gets the same bytes.
const sameTokenFor = time.Minute

// redirectURL is the address that a candidate goes to after completion, with a
// result token in its query. It is null before completion, and if no redirect is
// configured.
func (s *Server) redirectURL(taking store.Taking) nullable.Nullable[string] {
	completedAt := taking.Session.CompletedAt
	if completedAt == nil || taking.RedirectURL == nil {
		return nullable.NewNullNullable[string]()
	}

	issuedAt := taking.Now
	if issuedAt.Sub(completedAt.Time) < sameTokenFor {
		issuedAt = completedAt.Time
	}

	target, err := url.Parse(*taking.RedirectURL)
	if err != nil {
		return nullable.NewNullNullable[string]() // unreachable: it was parsed when it was saved
	}
	// The token is appended, because encoding the query again would change the
	// organization's own parameters.
	if target.RawQuery != "" {
		target.RawQuery += "&"
	}
	target.RawQuery += "result=" + s.resultToken(store.ResultToken{
		OrganizationID: taking.Session.OrganizationID, SessionID: taking.Session.ID, IssuedAt: issuedAt,
	})
	return nullable.NewNullableWithValue(target.String())
}
