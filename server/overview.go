package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// RetrieveOverview implements GET /v1/overview.
func (s *Server) RetrieveOverview(
	ctx context.Context, _ gen.RetrieveOverviewRequestObject,
) (gen.RetrieveOverviewResponseObject, error) {
	o, err := s.store.RetrieveOverview(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	session := func(session store.CandidateSession) gen.CandidateSession { return s.apiSession(ctx, session) }
	return gen.RetrieveOverview200JSONResponse{Body: gen.OverviewData{Data: gen.Overview{
		Waiting: gen.OverviewWaiting{
			Count: o.Waiting.Count, HasMore: o.Waiting.HasMore, OverdueCount: o.Waiting.Overdue,
			OldestSince: wireOrNull(o.Waiting.OldestSince), Items: each(o.Waiting.Items, session),
		},
		ExpiringInvites: gen.OverviewSessions{
			Count: o.ExpiringInvites.Count, HasMore: o.ExpiringInvites.HasMore, Items: each(o.ExpiringInvites.Items, session),
		},
		FailingWebhooks: gen.OverviewWebhooks{
			Count: o.FailingWebhooks.Count, HasMore: o.FailingWebhooks.HasMore,
			Items: each(o.FailingWebhooks.Items, s.apiWebhook),
		},
		Drafts: gen.OverviewAssessments{
			Count: o.Drafts.Count, HasMore: o.Drafts.HasMore, Items: each(o.Drafts.Items, apiAssessment),
		},
		LatestResults: gen.OverviewSessions{
			Count: o.LatestResults.Count, HasMore: o.LatestResults.HasMore, Items: each(o.LatestResults.Items, session),
		},
		SuspectedKeys: gen.OverviewKeys{
			Count: o.SuspectedKeys.Count, HasMore: o.SuspectedKeys.HasMore, Items: each(o.SuspectedKeys.Items, apiSuspectedKey),
		},
	}}}, nil
}

func apiSuspectedKey(key store.SuspectedKey) gen.SuspectedKey {
	return gen.SuspectedKey{
		AssessmentID: key.AssessmentID, AssessmentTitle: key.AssessmentTitle, QuestionID: key.QuestionID,
		Prompt: key.Prompt, Suspicion: string(key.Suspicion),
	}
}
