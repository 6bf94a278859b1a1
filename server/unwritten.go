package server

import (
	"context"

	"assay/gen"
)

func (s *Server) RetrieveSelfIdentification(ctx context.Context, request gen.RetrieveSelfIdentificationRequestObject) (gen.RetrieveSelfIdentificationResponseObject, error) {
	panic("not written")
}

func (s *Server) ReplaceSelfIdentification(ctx context.Context, request gen.ReplaceSelfIdentificationRequestObject) (gen.ReplaceSelfIdentificationResponseObject, error) {
	panic("not written")
}

func (s *Server) RetrieveGroupStatistics(ctx context.Context, request gen.RetrieveGroupStatisticsRequestObject) (gen.RetrieveGroupStatisticsResponseObject, error) {
	panic("not written")
}

func (s *Server) RecordActivity(ctx context.Context, request gen.RecordActivityRequestObject) (gen.RecordActivityResponseObject, error) {
	panic("not written")
}

func (s *Server) RetrieveOwnSelfIdentification(ctx context.Context, request gen.RetrieveOwnSelfIdentificationRequestObject) (gen.RetrieveOwnSelfIdentificationResponseObject, error) {
	panic("not written")
}

func (s *Server) SaveOwnSelfIdentification(ctx context.Context, request gen.SaveOwnSelfIdentificationRequestObject) (gen.SaveOwnSelfIdentificationResponseObject, error) {
	panic("not written")
}
