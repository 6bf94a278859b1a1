package server

import (
	"context"

	"assay/gen"
)

func (s *Server) RetrieveCandidateData(
	context.Context, gen.RetrieveCandidateDataRequestObject,
) (gen.RetrieveCandidateDataResponseObject, error) {
	panic("unwritten")
}

func (s *Server) RenderCandidateDataPage(
	context.Context, gen.RenderCandidateDataPageRequestObject,
) (gen.RenderCandidateDataPageResponseObject, error) {
	panic("unwritten")
}

func (s *Server) EraseCandidateDataByEmail(
	context.Context, gen.EraseCandidateDataByEmailRequestObject,
) (gen.EraseCandidateDataByEmailResponseObject, error) {
	panic("unwritten")
}

func (s *Server) RetrievePublicCandidateData(
	context.Context, gen.RetrievePublicCandidateDataRequestObject,
) (gen.RetrievePublicCandidateDataResponseObject, error) {
	panic("unwritten")
}

func (s *Server) ErasePublicCandidateDataByEmail(
	context.Context, gen.ErasePublicCandidateDataByEmailRequestObject,
) (gen.ErasePublicCandidateDataByEmailResponseObject, error) {
	panic("unwritten")
}

func (s *Server) ErasePublicCandidateData(
	context.Context, gen.ErasePublicCandidateDataRequestObject,
) (gen.ErasePublicCandidateDataResponseObject, error) {
	panic("unwritten")
}

func (s *Server) ScheduleOrganizationDeletion(
	context.Context, gen.ScheduleOrganizationDeletionRequestObject,
) (gen.ScheduleOrganizationDeletionResponseObject, error) {
	panic("unwritten")
}

func (s *Server) CancelOrganizationDeletion(
	context.Context, gen.CancelOrganizationDeletionRequestObject,
) (gen.CancelOrganizationDeletionResponseObject, error) {
	panic("unwritten")
}
