package server

import (
	"context"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// RetrieveSelfIdentification implements GET /v1/assessments/{id}/self-identification.
func (s *Server) RetrieveSelfIdentification(
	ctx context.Context, request gen.RetrieveSelfIdentificationRequestObject,
) (gen.RetrieveSelfIdentificationResponseObject, error) {
	found, err := s.store.RetrieveSelfIdentification(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveSelfIdentification200JSONResponse{Body: selfIdentificationData(found)}, nil
}

// ReplaceSelfIdentification implements PUT /v1/assessments/{id}/self-identification.
func (s *Server) ReplaceSelfIdentification(
	ctx context.Context, request gen.ReplaceSelfIdentificationRequestObject,
) (gen.ReplaceSelfIdentificationResponseObject, error) {
	questions := each(request.Body.Questions,
		func(in gen.SelfIdentificationQuestionInput) store.SelfIdentificationQuestion {
			return store.SelfIdentificationQuestion{ID: in.ID, Text: in.Text, Options: each(in.Options,
				func(in gen.SelfIdentificationOptionInput) store.SelfIdentificationOption {
					return store.SelfIdentificationOption{ID: in.ID, Text: in.Text}
				})}
		})
	replaced, err := s.store.ReplaceSelfIdentification(ctx, scopeOf(ctx), request.ID, questions)
	if err != nil {
		return nil, err
	}
	return gen.ReplaceSelfIdentification200JSONResponse{Body: selfIdentificationData(replaced)}, nil
}

func selfIdentificationData(in store.SelfIdentification) gen.SelfIdentificationData {
	return gen.SelfIdentificationData{Data: gen.SelfIdentification{
		Questions: each(in.Questions, apiSelfIdentificationQuestion), UpdatedAt: wireOrNull(in.UpdatedAt),
	}}
}

func apiSelfIdentificationQuestion(q store.SelfIdentificationQuestion) gen.SelfIdentificationQuestion {
	return gen.SelfIdentificationQuestion{ID: q.ID, Text: q.Text, Options: each(q.Options,
		func(o store.SelfIdentificationOption) gen.SelfIdentificationOption {
			return gen.SelfIdentificationOption{ID: o.ID, Text: o.Text}
		})}
}

// RetrieveGroupStatistics implements GET /v1/assessments/{id}/statistics/groups.
func (s *Server) RetrieveGroupStatistics(
	ctx context.Context, request gen.RetrieveGroupStatisticsRequestObject,
) (gen.RetrieveGroupStatisticsResponseObject, error) {
	found, err := s.store.RetrieveGroupStatistics(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveGroupStatistics200JSONResponse{Body: gen.GroupStatisticsData{Data: gen.GroupStatistics{
		ComputedAt: wireOrNull(found.ComputedAt), Questions: each(found.Questions, apiGroupQuestion),
	}}}, nil
}

// apiGroupQuestion counts answers that nobody has chosen among the hidden groups. Otherwise the number would show that
// a few candidates have chosen one.
func apiGroupQuestion(q store.GroupQuestion) gen.GroupQuestion {
	groups := make([]gen.CandidateGroup, 0, len(q.Groups))
	for _, option := range q.Options {
		if group, isShown := q.Groups[option.ID]; isShown {
			groups = append(groups, apiCandidateGroup(option, group, q.Ratios))
		}
	}
	return gen.GroupQuestion{ID: q.ID, Text: q.Text, HiddenGroups: len(q.Options) - len(groups), Groups: groups}
}

// apiCandidateGroup maps a group. ratios is nil without a passing score.
func apiCandidateGroup(
	option store.SelfIdentificationOption, group rules.GroupTally, ratios map[string]rules.ImpactRatio,
) gen.CandidateGroup {
	shown := gen.CandidateGroup{
		ID: option.ID, Text: option.Text, Count: group.Count, Mean: decimals(group.Mean(), 2),
	}
	if ratios != nil {
		outcome := group.Outcome()
		shown.Passed, shown.PassRate = &group.Passed, decimals(outcome.Rate(), 2)
		shown.PassRateInterval = apiInterval(outcome.Interval(), 2)
		shown.ImpactRatio = apiImpactRatio(new(ratios[option.ID]))
	}
	return shown
}
