package server

import (
	"context"
	"encoding/json"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// ListAssessments implements GET /v1/assessments.
func (s *Server) ListAssessments(
	ctx context.Context, request gen.ListAssessmentsRequestObject,
) (gen.ListAssessmentsResponseObject, error) {
	assessments, more, err := s.store.ListAssessments(ctx, scopeOf(ctx), store.AssessmentFilter{
		Status: rules.AssessmentStatus(orZero(request.Params.Status)), TitleContains: orZero(request.Params.Q),
		UpdatedSince: instant(request.Params.UpdatedSince),
	}, page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, assessments, more, assessmentID)
	return gen.ListAssessments200JSONResponse{
		Headers: gen.ListAssessments200ResponseHeaders{Link: next},
		Body:    gen.AssessmentList{Data: each(assessments, apiAssessment)},
	}, nil
}

// CreateAssessment implements POST /v1/assessments.
func (s *Server) CreateAssessment(
	ctx context.Context, request gen.CreateAssessmentRequestObject,
) (gen.CreateAssessmentResponseObject, error) {
	definition, err := storeDefinition(request.Body.Stages)
	if err != nil {
		return nil, err
	}
	assessment, err := s.store.CreateAssessment(ctx, scopeOf(ctx), store.NewAssessment{
		Title: request.Body.Title, Description: given(request.Body.Description),
		PassingScore: given(request.Body.PassingScore), TimeLimitMinutes: given(request.Body.TimeLimitMinutes),
		InviteExpiryDays: request.Body.InviteExpiryDays,
		RedirectURL:      given(request.Body.RedirectURL), Definition: definition,
	})
	if err != nil {
		return nil, err
	}
	body, err := apiAssessmentDetail(assessment)
	return gen.CreateAssessment201JSONResponse{
		Headers: gen.CreateAssessment201ResponseHeaders{Location: "/v1/assessments/" + assessment.ID}, Body: body,
	}, err
}

// RetrieveAssessment implements GET /v1/assessments/{id}.
func (s *Server) RetrieveAssessment(
	ctx context.Context, request gen.RetrieveAssessmentRequestObject,
) (gen.RetrieveAssessmentResponseObject, error) {
	assessment, err := s.store.RetrieveAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	body, err := apiAssessmentDetail(assessment)
	return gen.RetrieveAssessment200JSONResponse{Body: body}, err
}

// UpdateAssessment implements PATCH /v1/assessments/{id}.
func (s *Server) UpdateAssessment(
	ctx context.Context, request gen.UpdateAssessmentRequestObject,
) (gen.UpdateAssessmentResponseObject, error) {
	in := store.AssessmentChange{
		Title: request.Body.Title, Description: change(request.Body.Description),
		PassingScore: change(request.Body.PassingScore), TimeLimitMinutes: change(request.Body.TimeLimitMinutes),
		InviteExpiryDays: request.Body.InviteExpiryDays,
		RedirectURL:      change(request.Body.RedirectURL),
	}
	if request.Body.Stages != nil {
		definition, err := storeDefinition(request.Body.Stages)
		if err != nil {
			return nil, err
		}
		in.Definition = &definition
	}

	assessment, err := s.store.UpdateAssessment(ctx, scopeOf(ctx), request.ID, in)
	if err != nil {
		return nil, err
	}
	body, err := apiAssessmentDetail(assessment)
	return gen.UpdateAssessment200JSONResponse{Body: body}, err
}

// DeleteAssessment implements DELETE /v1/assessments/{id}.
func (s *Server) DeleteAssessment(
	ctx context.Context, request gen.DeleteAssessmentRequestObject,
) (gen.DeleteAssessmentResponseObject, error) {
	if err := s.store.DeleteAssessment(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeleteAssessment204Response{}, nil
}

// PublishAssessment implements POST /v1/assessments/{id}/publish.
func (s *Server) PublishAssessment(
	ctx context.Context, request gen.PublishAssessmentRequestObject,
) (gen.PublishAssessmentResponseObject, error) {
	assessment, err := s.store.PublishAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	body, err := apiAssessmentDetail(assessment)
	return gen.PublishAssessment200JSONResponse{Body: body}, err
}

// ArchiveAssessment implements POST /v1/assessments/{id}/archive.
func (s *Server) ArchiveAssessment(
	ctx context.Context, request gen.ArchiveAssessmentRequestObject,
) (gen.ArchiveAssessmentResponseObject, error) {
	assessment, err := s.store.ArchiveAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	body, err := apiAssessmentDetail(assessment)
	return gen.ArchiveAssessment200JSONResponse{Body: body}, err
}

// DuplicateAssessment implements POST /v1/assessments/{id}/duplicate.
func (s *Server) DuplicateAssessment(
	ctx context.Context, request gen.DuplicateAssessmentRequestObject,
) (gen.DuplicateAssessmentResponseObject, error) {
	assessment, err := s.store.DuplicateAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	body, err := apiAssessmentDetail(assessment)
	return gen.DuplicateAssessment201JSONResponse{
		Headers: gen.DuplicateAssessment201ResponseHeaders{Location: "/v1/assessments/" + assessment.ID}, Body: body,
	}, err
}

// ListPublicAssessments implements GET /v1/public/assessments.
func (s *Server) ListPublicAssessments(
	ctx context.Context, request gen.ListPublicAssessmentsRequestObject,
) (gen.ListPublicAssessmentsResponseObject, error) {
	params := request.Params
	assessments, more, err := s.store.ListPublicAssessments(ctx, scopeOf(ctx), page(params.Limit, params.After))
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, assessments, more, assessmentID)
	return gen.ListPublicAssessments200JSONResponse{
		Headers: gen.ListPublicAssessments200ResponseHeaders{Link: next},
		Body:    gen.AssessmentList{Data: each(assessments, apiAssessment)},
	}, nil
}

// RetrievePublicAssessment implements GET /v1/public/assessments/{id}.
func (s *Server) RetrievePublicAssessment(
	ctx context.Context, request gen.RetrievePublicAssessmentRequestObject,
) (gen.RetrievePublicAssessmentResponseObject, error) {
	assessment, err := s.store.RetrievePublicAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	body, err := s.apiPublicAssessmentDetail(assessment)
	return gen.RetrievePublicAssessment200JSONResponse{Body: body}, err
}

func assessmentID(a store.Assessment) string { return a.ID }

func apiAssessment(a store.Assessment) gen.Assessment {
	return gen.Assessment{
		ID: a.ID, Title: a.Title, Description: orNull(a.Description), Status: gen.AssessmentStatus(a.Status),
		PassingScore: orNull(a.PassingScore), TimeLimitMinutes: orNull(a.TimeLimitMinutes),
		InviteExpiryDays: a.InviteExpiryDays, RedirectURL: orNull(a.RedirectURL),
		StageCount: a.StageCount, QuestionCount: a.QuestionCount, MaxPoints: a.MaxPoints,
		CreatedAt: timestamp(a.CreatedAt), UpdatedAt: timestamp(a.UpdatedAt),
		PublishedAt: timeOrNull(a.PublishedAt), ArchivedAt: timeOrNull(a.ArchivedAt),
	}
}

func apiAssessmentDetail(a *store.Assessment) (gen.AssessmentDetailData, error) {
	stages, err := apiStages(a.Definition)
	summary := apiAssessment(*a)
	return gen.AssessmentDetailData{Data: gen.AssessmentDetail{
		ID: summary.ID, Title: summary.Title, Description: summary.Description, Status: summary.Status,
		PassingScore: summary.PassingScore, TimeLimitMinutes: summary.TimeLimitMinutes,
		InviteExpiryDays: summary.InviteExpiryDays, RedirectURL: summary.RedirectURL,
		StageCount: summary.StageCount, QuestionCount: summary.QuestionCount, MaxPoints: summary.MaxPoints,
		CreatedAt: summary.CreatedAt, UpdatedAt: summary.UpdatedAt,
		PublishedAt: summary.PublishedAt, ArchivedAt: summary.ArchivedAt,
		Stages: stages,
	}}, err
}

// publicStagesCacheSize is how many assessments have their encoded stages cached.
// Stages are typically 20 KiB, so the cache takes about 5 MiB.
const publicStagesCacheSize = 256

// publicStages encodes the stages of a published assessment once. They never
// change, and encoding them is most of the work of the response.
func (s *Server) publicStages(a *store.Assessment) (json.RawMessage, error) {
	if encoded, isCached := s.stages.Get(a.ID); isCached {
		return encoded, nil
	}
	encoded, err := json.Marshal(apiPublicStages(a.Definition))
	if err == nil {
		s.stages.Add(a.ID, encoded)
	}
	return encoded, err
}

func (s *Server) apiPublicAssessmentDetail(a *store.Assessment) (gen.PublicAssessmentDetailData, error) {
	summary := apiAssessment(*a)
	stages, err := s.publicStages(a)
	return gen.PublicAssessmentDetailData{Data: gen.PublicAssessmentDetail{
		ID: summary.ID, Title: summary.Title, Description: summary.Description, Status: summary.Status,
		PassingScore: summary.PassingScore, TimeLimitMinutes: summary.TimeLimitMinutes,
		InviteExpiryDays: summary.InviteExpiryDays, RedirectURL: summary.RedirectURL,
		StageCount: summary.StageCount, QuestionCount: summary.QuestionCount, MaxPoints: summary.MaxPoints,
		CreatedAt: summary.CreatedAt, UpdatedAt: summary.UpdatedAt,
		PublishedAt: summary.PublishedAt, ArchivedAt: summary.ArchivedAt,
		Stages: stages,
	}}, err
}
