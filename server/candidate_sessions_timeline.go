package server

import (
	"context"
	"time"

	"github.com/oapi-codegen/nullable"

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
	return gen.TimelineEntry{
		At: store.WireTime(entry.At), Type: string(entry.Type), StageID: orNull(entry.StageID),
		Minutes: orNull(entry.Minutes), Reason: orNull(entry.Reason),
		Email: textOrNull(entry.Email), Failure: orNull(entry.Failure),
		Actor: gen.TimelineActor{
			Type: string(entry.Actor), ID: orNull(entry.ActorID), Name: orNull(entry.ActorName),
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
		DeadlineAt: timeOrNull(session.DeadlineAt), CurrentStageID: orNull(session.CurrentStageID),
		QuestionCount: progress.Questions, AnsweredCount: progress.Answered, LastSavedAt: timeOrNull(progress.LastSavedAt),
		Stages: each(progress.Stages, apiStageProgress),
	}}}, nil
}

func apiStageProgress(stage store.ProgressStage) gen.StageProgress {
	return gen.StageProgress{
		ID: stage.StageID, Order: stage.Order, Title: stage.Title, Status: gen.TakingStageStatus(stage.Status),
		StartedAt: instantOrNull(stage.StartedAt), DeadlineAt: instantOrNull(stage.DeadlineAt),
		EndedAt: instantOrNull(stage.ClosedAt), QuestionCount: stage.Questions, AnsweredCount: stage.Answered,
		LastSavedAt: timeOrNull(stage.LastSavedAt),
	}
}

func instantOrNull(t *time.Time) nullable.Nullable[string] {
	if t == nil {
		return nullText
	}
	return timeOrNull(&store.Time{Time: *t})
}
