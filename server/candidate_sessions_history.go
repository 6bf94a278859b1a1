package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// RetrieveCandidateHistory implements POST /v1/candidate-sessions/history.
func (s *Server) RetrieveCandidateHistory(
	ctx context.Context, request gen.RetrieveCandidateHistoryRequestObject,
) (gen.RetrieveCandidateHistoryResponseObject, error) {
	histories, err := s.store.RetrieveCandidateHistory(ctx, scopeOf(ctx), store.HistoryQuery{
		AssessmentID: request.Body.AssessmentID, Emails: request.Body.CandidateEmails,
	})
	if err != nil {
		return nil, err
	}
	data := make([]gen.CandidateHistory, len(histories))
	for i, history := range histories {
		data[i] = gen.CandidateHistory{
			CandidateEmail: request.Body.CandidateEmails[i], AttemptCount: history.Attempts, Repeat: string(history.Repeat),
			RepeatPossibleAt: wireOrNull(history.PossibleAt), Latest: candidateAttempt(history.Latest),
		}
	}
	return gen.RetrieveCandidateHistory200JSONResponse{Body: gen.CandidateHistoryCatalogue{Data: data}}, nil
}

func candidateAttempt(attempt *store.PastAttempt) *gen.CandidateAttempt {
	if attempt == nil {
		return nil
	}
	return &gen.CandidateAttempt{
		SessionID: attempt.SessionID, AssessmentID: attempt.AssessmentID, AssessmentTitle: attempt.AssessmentTitle,
		Status: gen.SessionStatus(attempt.Status), InvitedAt: timestamp(attempt.InvitedAt),
		StartedAt: timeOrNull(attempt.StartedAt), EndedAt: timeOrNull(attempt.EndedAt), Score: attempt.Score,
		Passed: attempt.Passed, StageNumber: attempt.StageNumber(), StateID: attempt.StateID,
	}
}
