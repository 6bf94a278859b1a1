package server

import (
	"context"

	"github.com/oapi-codegen/nullable"

	"assay/gen"
	"assay/store"
)

// ListMembers implements GET /v1/members.
func (s *Server) ListMembers(
	ctx context.Context, request gen.ListMembersRequestObject,
) (gen.ListMembersResponseObject, error) {
	people, more, err := s.store.ListMembers(ctx, scopeOf(ctx), page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, people, more, func(person store.Person) string { return person.ID })
	return gen.ListMembers200JSONResponse{
		Headers: gen.ListMembers200ResponseHeaders{Link: next}, Body: gen.MemberList{Data: each(people, apiMember)},
	}, nil
}

// CreateMember implements POST /v1/members.
func (s *Server) CreateMember(
	ctx context.Context, request gen.CreateMemberRequestObject,
) (gen.CreateMemberResponseObject, error) {
	added, err := s.store.CreateMember(ctx, scopeOf(ctx), store.NewMember{
		Name: request.Body.Name, Email: request.Body.Email, Role: store.Role(request.Body.Role),
		LimitedTo: orZero(limitChange(request.Body.AssessmentIds).Value),
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateMember201JSONResponse{
		Headers: gen.CreateMember201ResponseHeaders{Location: "/v1/members/" + added.ID},
		Body:    gen.InvitedMemberData{Data: apiInvitedMember(added)},
	}, nil
}

// RetrieveMember implements GET /v1/members/{id}.
func (s *Server) RetrieveMember(
	ctx context.Context, request gen.RetrieveMemberRequestObject,
) (gen.RetrieveMemberResponseObject, error) {
	person, err := s.store.RetrieveMember(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveMember200JSONResponse{Body: gen.MemberData{Data: apiMember(person)}}, nil
}

// UpdateMember implements PATCH /v1/members/{id}.
func (s *Server) UpdateMember(
	ctx context.Context, request gen.UpdateMemberRequestObject,
) (gen.UpdateMemberResponseObject, error) {
	person, err := s.store.UpdateMember(ctx, scopeOf(ctx), request.ID, store.MemberChange{
		Role:  store.Role(request.Body.Role),
		Limit: limitChange(request.Body.AssessmentIds),
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateMember200JSONResponse{Body: gen.MemberData{Data: apiMember(person)}}, nil
}

// RemoveMember implements DELETE /v1/members/{id}.
func (s *Server) RemoveMember(
	ctx context.Context, request gen.RemoveMemberRequestObject,
) (gen.RemoveMemberResponseObject, error) {
	if err := s.store.RemoveMember(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.RemoveMember204Response{}, nil
}

// ResendMemberInvitation implements POST /v1/members/{id}/resend.
func (s *Server) ResendMemberInvitation(
	ctx context.Context, request gen.ResendMemberInvitationRequestObject,
) (gen.ResendMemberInvitationResponseObject, error) {
	renewed, err := s.store.ResendMemberInvitation(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.ResendMemberInvitation200JSONResponse{Body: gen.InvitedMemberData{Data: apiInvitedMember(renewed)}}, nil
}

func apiMember(person store.Person) gen.Member {
	status := gen.MemberStatusACTIVE
	switch {
	case person.DeactivatedAt != nil:
		status = gen.MemberStatusDEACTIVATED
	case person.Invited:
		status = gen.MemberStatusINVITED
	}
	return gen.Member{
		ID: person.ID, Name: person.Name, Email: person.Email, Role: gen.Role(person.Role), Status: status,
		AssessmentIds:       seenAssessments(person.LimitedTo),
		InvitationExpiresAt: timeOrNull(person.InvitationExpiresAt), HasSecondFactor: person.HasFactor,
		CreatedAt: timestamp(person.CreatedAt), UpdatedAt: timestamp(person.UpdatedAt),
	}
}

func apiInvitedMember(invited store.InvitedPerson) gen.InvitedMember {
	shown := apiMember(invited.Person)
	return gen.InvitedMember{
		InvitationURL: invited.InvitationURL,
		ID:            shown.ID, Name: shown.Name, Email: shown.Email, Role: shown.Role, Status: shown.Status,
		AssessmentIds:       shown.AssessmentIds,
		InvitationExpiresAt: shown.InvitationExpiresAt, CreatedAt: shown.CreatedAt, UpdatedAt: shown.UpdatedAt,
	}
}

// seenAssessments is null for a person who sees all.
func seenAssessments(limit store.LimitedTo) *gen.SeenAssessments {
	if limit == nil {
		return nil
	}
	ids := gen.SeenAssessments(limit)
	return &ids
}

func limitChange(ids nullable.Nullable[gen.SeenAssessmentsInput]) store.Change[store.LimitedTo] {
	change := store.Change[store.LimitedTo]{Set: ids.IsSpecified()}
	if given := given(ids); given != nil {
		limit := store.LimitedTo(*given)
		change.Value = &limit
	}
	return change
}
