package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// RetrieveCandidateSessionTimeline implements GET /v1/candidate-sessions/{id}/timeline.
func (s *Server) RetrieveCandidateSessionTimeline(
	ctx context.Context, request gen.RetrieveCandidateSessionTimelineRequestObject,
) (gen.RetrieveCandidateSessionTimelineResponseObject, error) {
	entries, err := s.store.RetrieveCandidateSessionTimeline(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveCandidateSessionTimeline200JSONResponse{
		Body: gen.TimelineCatalogue{Data: each(entries, apiTimelineEntry)},
	}, nil
}

func apiTimelineEntry(entry store.TimelineEntry) gen.TimelineEntry {
	var questionIDs *[]string
	if entry.QuestionIDs != nil {
		questionIDs = &entry.QuestionIDs
	}
	return gen.TimelineEntry{
		At: store.WireTime(entry.At), Type: string(entry.Type), StageID: entry.StageID,
		Minutes: entry.Minutes, Reason: entry.Reason,
		Email: (*string)(entry.Email), SendAt: wireTimeOrNull(entry.SendAt), Failure: entry.Failure,
		FailureCode: entry.FailureCode,
		State:       entry.State, Tag: entry.Tag, ResultLink: entry.ResultLink, QuestionIds: questionIDs,
		Browser: entry.Browser, System: entry.System, IP: entry.IP,
		Actor: gen.TimelineActor{
			Type: string(entry.Actor), ID: entry.ActorID, Name: entry.ActorName,
		},
	}
}

// RetrieveCandidateSessionProgress implements GET /v1/candidate-sessions/{id}/progress.
func (s *Server) RetrieveCandidateSessionProgress(
	ctx context.Context, request gen.RetrieveCandidateSessionProgressRequestObject,
) (gen.RetrieveCandidateSessionProgressResponseObject, error) {
	progress, err := s.store.RetrieveCandidateSessionProgress(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	session := progress.Session
	return gen.RetrieveCandidateSessionProgress200JSONResponse{Body: gen.SessionProgressData{Data: gen.SessionProgress{
		Status: gen.SessionStatus(session.Status), StartedAt: timeOrNull(session.StartedAt),
		DeadlineAt: timeOrNull(session.DeadlineAt), CurrentStageID: session.CurrentStageID,
		QuestionCount: progress.Questions, AnsweredCount: progress.Answered, LastSavedAt: timeOrNull(progress.LastSavedAt),
		Stages: each(progress.Stages, apiStageProgress),
	}}}, nil
}

func apiStageProgress(stage store.ProgressStage) gen.StageProgress {
	return gen.StageProgress{
		ID: stage.StageID, Order: stage.Order, Title: stage.Title, Status: gen.TakingStageStatus(stage.Status),
		StartedAt: wireTimeOrNull(stage.StartedAt), DeadlineAt: wireTimeOrNull(stage.DeadlineAt),
		EndedAt: wireTimeOrNull(stage.ClosedAt), QuestionCount: stage.Questions, AnsweredCount: stage.Answered,
		LastSavedAt: timeOrNull(stage.LastSavedAt),
	}
}
