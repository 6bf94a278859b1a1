package server

import (
	"context"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// ListCandidateSessions implements GET /v1/candidate-sessions.
func (s *Server) ListCandidateSessions(
	ctx context.Context, request gen.ListCandidateSessionsRequestObject,
) (gen.ListCandidateSessionsResponseObject, error) {
	p := request.Params
	list, err := s.store.ListCandidateSessions(ctx, scopeOf(ctx), sessionFilter(gen.SummarizeCandidateSessionsParams{
		Q: p.Q, AssessmentID: p.AssessmentID, Status: p.Status, CandidateEmail: p.CandidateEmail, ExternalID: p.ExternalID,
		MinScore: p.MinScore, MaxScore: p.MaxScore, Passed: p.Passed, CreatedSince: p.CreatedSince,
		CreatedUntil: p.CreatedUntil, CompletedSince: p.CompletedSince, CompletedUntil: p.CompletedUntil,
		UpdatedSince: p.UpdatedSince, Test: p.Test, State: p.State, Tag: p.Tag, MinRating: p.MinRating,
	}), sessionPage(p.Limit, p.After, store.SessionSort(orZero(p.Sort))))
	if err != nil {
		return nil, err
	}
	return gen.ListCandidateSessions200JSONResponse{
		Headers: gen.ListCandidateSessions200ResponseHeaders{Link: s.nextSessions(ctx, list)},
		Body:    s.apiSessions(ctx, list),
	}, nil
}

// ListPublicCandidateSessions implements GET /v1/public/candidate-sessions.
func (s *Server) ListPublicCandidateSessions(
	ctx context.Context, request gen.ListPublicCandidateSessionsRequestObject,
) (gen.ListPublicCandidateSessionsResponseObject, error) {
	p := request.Params
	filter := store.SessionFilter{
		AssessmentID: orZero(p.AssessmentID), CandidateEmail: orZero(p.CandidateEmail), ExternalID: orZero(p.ExternalID),
		UpdatedSince: instant(p.UpdatedSince), States: p.State, Tags: each(p.Tag, store.TagKey), MinRating: p.MinRating,
	}
	if p.Status != nil {
		filter.Statuses = []rules.SessionStatus{rules.SessionStatus(*p.Status)}
	}
	list, err := s.store.ListPublicCandidateSessions(ctx, scopeOf(ctx), filter, sessionPage(p.Limit, p.After, ""))
	if err != nil {
		return nil, err
	}
	return gen.ListPublicCandidateSessions200JSONResponse{
		Headers: gen.ListPublicCandidateSessions200ResponseHeaders{Link: s.nextSessions(ctx, list)},
		Body:    s.apiSessions(ctx, list),
	}, nil
}

// SummarizeCandidateSessions implements GET /v1/candidate-sessions/summary.
func (s *Server) SummarizeCandidateSessions(
	ctx context.Context, request gen.SummarizeCandidateSessionsRequestObject,
) (gen.SummarizeCandidateSessionsResponseObject, error) {
	summary, err := s.store.SummarizeCandidateSessions(ctx, scopeOf(ctx), sessionFilter(request.Params))
	if err != nil {
		return nil, err
	}
	counts := each(summary.Statuses, func(count store.StatusCount) gen.StatusCount {
		return gen.StatusCount{Status: gen.SessionStatus(count.Status), Count: int64(count.Count), Exact: count.Exact}
	})
	return gen.SummarizeCandidateSessions200JSONResponse{Body: gen.CandidateSessionSummaryData{
		Data: gen.CandidateSessionSummary{Total: int64(summary.Total), Exact: summary.Exact, Statuses: counts},
	}}, nil
}

// sessionFilter maps the filters that the list, the summary, and the export share.
func sessionFilter(p gen.SummarizeCandidateSessionsParams) store.SessionFilter {
	return store.SessionFilter{
		Search: orZero(p.Q), AssessmentID: orZero(p.AssessmentID), CandidateEmail: orZero(p.CandidateEmail),
		ExternalID: orZero(p.ExternalID), MinScore: p.MinScore, MaxScore: p.MaxScore, Passed: p.Passed,
		Statuses: each(p.Status, func(status gen.SessionStatusInput) rules.SessionStatus {
			return rules.SessionStatus(status)
		}),
		Created:      store.TimeSpan{Since: instant(p.CreatedSince), Until: instant(p.CreatedUntil)},
		Completed:    store.TimeSpan{Since: instant(p.CompletedSince), Until: instant(p.CompletedUntil)},
		UpdatedSince: instant(p.UpdatedSince), Test: orZero(p.Test),
		States: p.State, Tags: each(p.Tag, store.TagKey), MinRating: p.MinRating,
	}
}

func sessionPage(limit *int, after *string, sort store.SessionSort) store.SessionPage {
	p := page(limit, after)
	return store.SessionPage{Limit: p.Limit, After: p.After, Sort: sort}
}

func (s *Server) apiSessions(ctx context.Context, list store.SessionList) gen.CandidateSessionList {
	return gen.CandidateSessionList{Data: each(list.Sessions, func(session store.CandidateSession) gen.CandidateSession {
		return s.apiSession(ctx, session)
	})}
}

// nextSessions is nextLink for a list with cursors of its own.
func (s *Server) nextSessions(ctx context.Context, list store.SessionList) *string {
	return nextLink(ctx, s.opts.BaseURL, []string{list.Next}, list.Next != "",
		func(cursor string) string { return cursor })
}
