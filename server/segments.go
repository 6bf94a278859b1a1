package server

import (
	"context"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// ListSegments implements GET /v1/assessments/{id}/segments.
func (s *Server) ListSegments(
	ctx context.Context, request gen.ListSegmentsRequestObject,
) (gen.ListSegmentsResponseObject, error) {
	found, err := s.store.ListSegments(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.ListSegments200JSONResponse{Body: gen.SegmentCatalogue{Data: each(found, apiSegment)}}, nil
}

// CreateSegment implements POST /v1/assessments/{id}/segments.
func (s *Server) CreateSegment(
	ctx context.Context, request gen.CreateSegmentRequestObject,
) (gen.CreateSegmentResponseObject, error) {
	filter := request.Body.Filter
	created, err := s.store.CreateSegment(ctx, scopeOf(ctx), request.ID, store.NewSegment{
		Name: request.Body.Name,
		Filter: store.SegmentFilter{
			CompletedSince: instant(given(filter.CompletedSince)), CompletedUntil: instant(given(filter.CompletedUntil)),
			Metadata: filter.Metadata, Language: given(filter.Language), Attempt: given(filter.Attempt),
		},
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateSegment201JSONResponse{
		Headers: gen.CreateSegment201ResponseHeaders{
			Location: "/v1/assessments/" + request.ID + "/segments/" + created.ID,
		},
		Body: gen.SegmentData{Data: apiSegment(created)},
	}, nil
}

// DeleteSegment implements DELETE /v1/assessments/{id}/segments/{segmentId}.
func (s *Server) DeleteSegment(
	ctx context.Context, request gen.DeleteSegmentRequestObject,
) (gen.DeleteSegmentResponseObject, error) {
	if err := s.store.DeleteSegment(ctx, scopeOf(ctx), request.ID, request.SegmentID); err != nil {
		return nil, err
	}
	return gen.DeleteSegment204Response{}, nil
}

// RetrieveSegmentComparison implements GET /v1/assessments/{id}/segments/{segmentId}/comparison.
func (s *Server) RetrieveSegmentComparison(
	ctx context.Context, request gen.RetrieveSegmentComparisonRequestObject,
) (gen.RetrieveSegmentComparisonResponseObject, error) {
	compared, err := s.store.RetrieveSegmentComparison(ctx, scopeOf(ctx), request.ID, request.SegmentID,
		request.Params.With)
	if err != nil {
		return nil, err
	}
	hasPassingScore := compared.Assessment.PassingScore != nil
	return gen.RetrieveSegmentComparison200JSONResponse{
		Body: gen.SegmentComparisonData{Data: gen.SegmentComparison{
			ComputedAt: store.WireTime(compared.ComputedAt), Complete: compared.Complete,
			First:  apiComparedSessions(compared.First, hasPassingScore),
			Second: apiComparedSessions(compared.Second, hasPassingScore), PassRateRatio: apiImpactRatio(compared.PassRateRatio),
			ScoreDifference: apiScoreDifference(compared.ScoreDifference),
		}},
	}, nil
}

func apiSegment(s store.Segment) gen.Segment {
	return gen.Segment{
		ID: s.ID, Name: s.Name, Count: s.Count, Complete: s.Complete, CreatedAt: store.WireTime(s.CreatedAt),
		Filter: gen.SegmentFilter{
			CompletedSince: wireOrNull(s.Filter.CompletedSince), CompletedUntil: wireOrNull(s.Filter.CompletedUntil),
			Metadata: s.Filter.MetadataJSON(), Language: s.Filter.Language, Attempt: s.Filter.Attempt,
		},
	}
}

func apiComparedSessions(s store.ComparedSessions, hasPassingScore bool) gen.ComparedSessions {
	mapped := gen.ComparedSessions{
		SegmentID: s.SegmentID, Name: s.Name, Count: s.Pass.Count, ScoreCount: s.Scores.Count, Mean: s.Scores.Mean,
		StandardDeviation: decimals(s.Scores.StandardDeviation, 2),
	}
	if hasPassingScore {
		mapped.Passed, mapped.PassRate = &s.Pass.Passed, decimals(s.Pass.Rate(), 2)
		mapped.PassRateInterval = apiInterval(s.Pass.Interval(), 2)
	}
	return mapped
}

func apiImpactRatio(ratio *rules.ImpactRatio) *gen.ImpactRatio {
	if ratio == nil {
		return nil
	}
	return &gen.ImpactRatio{
		Value: decimals(ratio.Value, 4), Interval: apiInterval(ratio.Interval, 4), Finding: string(ratio.Finding),
	}
}

func apiScoreDifference(difference *rules.ScoreDifference) *gen.ScoreDifference {
	if difference == nil {
		return nil
	}
	return &gen.ScoreDifference{
		Value: *decimals(&difference.Value, 2), Interval: apiInterval(difference.Interval, 2),
		EffectSize: decimals(difference.EffectSize, 4),
	}
}
