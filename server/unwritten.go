package server

import (
	"context"

	"assay/gen"
)

// ListMemberships is not written yet.
func (s *Server) ListMemberships(
	context.Context, gen.ListMembershipsRequestObject,
) (gen.ListMembershipsResponseObject, error) {
	panic("not written")
}

// SwitchOrganization is not written yet.
func (s *Server) SwitchOrganization(
	context.Context, gen.SwitchOrganizationRequestObject,
) (gen.SwitchOrganizationResponseObject, error) {
	panic("not written")
}
