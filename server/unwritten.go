package server

import (
	"context"

	"assay/gen"
)

func (s *Server) RetrieveCutScore(ctx context.Context, request gen.RetrieveCutScoreRequestObject) (gen.RetrieveCutScoreResponseObject, error) {
	panic("not written")
}

func (s *Server) DeleteCutScoreRatings(ctx context.Context, request gen.DeleteCutScoreRatingsRequestObject) (gen.DeleteCutScoreRatingsResponseObject, error) {
	panic("not written")
}

func (s *Server) RetrieveCutScoreRatings(ctx context.Context, request gen.RetrieveCutScoreRatingsRequestObject) (gen.RetrieveCutScoreRatingsResponseObject, error) {
	panic("not written")
}

func (s *Server) ReplaceCutScoreRatings(ctx context.Context, request gen.ReplaceCutScoreRatingsRequestObject) (gen.ReplaceCutScoreRatingsResponseObject, error) {
	panic("not written")
}

func (s *Server) ExportCodeBook(ctx context.Context, request gen.ExportCodeBookRequestObject) (gen.ExportCodeBookResponseObject, error) {
	panic("not written")
}

func (s *Server) ExportResponses(ctx context.Context, request gen.ExportResponsesRequestObject) (gen.ExportResponsesResponseObject, error) {
	panic("not written")
}

func (s *Server) ListSegments(ctx context.Context, request gen.ListSegmentsRequestObject) (gen.ListSegmentsResponseObject, error) {
	panic("not written")
}

func (s *Server) CreateSegment(ctx context.Context, request gen.CreateSegmentRequestObject) (gen.CreateSegmentResponseObject, error) {
	panic("not written")
}

func (s *Server) DeleteSegment(ctx context.Context, request gen.DeleteSegmentRequestObject) (gen.DeleteSegmentResponseObject, error) {
	panic("not written")
}

func (s *Server) RetrieveSegmentComparison(ctx context.Context, request gen.RetrieveSegmentComparisonRequestObject) (gen.RetrieveSegmentComparisonResponseObject, error) {
	panic("not written")
}

func (s *Server) ExportPublicCodeBook(ctx context.Context, request gen.ExportPublicCodeBookRequestObject) (gen.ExportPublicCodeBookResponseObject, error) {
	panic("not written")
}

func (s *Server) ExportPublicResponses(ctx context.Context, request gen.ExportPublicResponsesRequestObject) (gen.ExportPublicResponsesResponseObject, error) {
	panic("not written")
}
