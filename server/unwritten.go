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

func (s *Server) ExportPublicCodeBook(ctx context.Context, request gen.ExportPublicCodeBookRequestObject) (gen.ExportPublicCodeBookResponseObject, error) {
	panic("not written")
}

func (s *Server) ExportPublicResponses(ctx context.Context, request gen.ExportPublicResponsesRequestObject) (gen.ExportPublicResponsesResponseObject, error) {
	panic("not written")
}
