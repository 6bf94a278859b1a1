package server

import (
	"context"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// ListAssessments implements GET /v1/assessments.
func (s *Server) ListAssessments(
	ctx context.Context, request gen.ListAssessmentsRequestObject,
) (gen.ListAssessmentsResponseObject, error) {
	params, sort := request.Params, store.AssessmentSort(orZero(request.Params.Sort))
	selected := page(params.Limit, params.After)
	assessments, more, err := s.store.ListAssessments(ctx, scopeOf(ctx), store.AssessmentFilter{
		Status: rules.AssessmentStatus(orZero(params.Status)), TitleContains: orZero(params.Q),
		UpdatedSince: instant(params.UpdatedSince),
	}, store.AssessmentPage{Limit: selected.Limit, After: selected.After, Sort: sort})
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, assessments, more, sort.Cursor)
	return gen.ListAssessments200JSONResponse{
		Headers: gen.ListAssessments200ResponseHeaders{Link: next},
		Body:    gen.AssessmentList{Data: each(assessments, apiCountedAssessment)},
	}, nil
}

// CreateAssessment implements POST /v1/assessments.
func (s *Server) CreateAssessment(
	ctx context.Context, request gen.CreateAssessmentRequestObject,
) (gen.CreateAssessmentResponseObject, error) {
	in, err := newAssessment(*request.Body)
	if err != nil {
		return nil, err
	}
	assessment, err := s.store.CreateAssessment(ctx, scopeOf(ctx), in)
	if err != nil {
		return nil, err
	}
	return gen.CreateAssessment201JSONResponse{
		Headers: gen.CreateAssessment201ResponseHeaders{
			Location: "/v1/assessments/" + assessment.ID, ETag: etag(assessment),
		},
		Body: s.assessmentDetail(assessment),
	}, nil
}

// RetrieveAssessment implements GET /v1/assessments/{id}.
func (s *Server) RetrieveAssessment(
	ctx context.Context, request gen.RetrieveAssessmentRequestObject,
) (gen.RetrieveAssessmentResponseObject, error) {
	assessment, err := s.store.RetrieveAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveAssessment200JSONResponse{
		Headers: gen.RetrieveAssessment200ResponseHeaders{ETag: etag(assessment)}, Body: s.assessmentDetail(assessment),
	}, nil
}

// UpdateAssessment implements PATCH /v1/assessments/{id}.
func (s *Server) UpdateAssessment(
	ctx context.Context, request gen.UpdateAssessmentRequestObject,
) (gen.UpdateAssessmentResponseObject, error) {
	in := store.AssessmentChange{
		Title: request.Body.Title, Description: change(request.Body.Description),
		PassingScore: change(request.Body.PassingScore), TimeLimitMinutes: change(request.Body.TimeLimitMinutes),
		InviteExpiryDays: request.Body.InviteExpiryDays, RedirectURL: change(request.Body.RedirectURL),
		Instructions: change(request.Body.Instructions), ClosingMessage: change(request.Body.ClosingMessage),
		InviteMessage: change(request.Body.InviteMessage), RemindAfterHours: request.Body.RemindAfterHours,
		Locale: change(request.Body.Locale), ShuffleQuestions: request.Body.ShuffleQuestions,
		ShuffleOptions: request.Body.ShuffleOptions, OpensAt: timeChange(request.Body.OpensAt),
		ClosesAt: timeChange(request.Body.ClosesAt), RepeatRule: (*rules.RepeatRule)(request.Body.RepeatRule),
		RepeatAfterDays: request.Body.RepeatAfterDays, Grading: gradingChange(request.Body.Grading),
		IfMatch: revisions(request.Params.IfMatch),
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
	return gen.UpdateAssessment200JSONResponse{
		Headers: gen.UpdateAssessment200ResponseHeaders{ETag: etag(assessment)}, Body: s.assessmentDetail(assessment),
	}, nil
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
	return gen.PublishAssessment200JSONResponse{
		Headers: gen.PublishAssessment200ResponseHeaders{ETag: etag(assessment)}, Body: s.assessmentDetail(assessment),
	}, nil
}

// ArchiveAssessment implements POST /v1/assessments/{id}/archive.
func (s *Server) ArchiveAssessment(
	ctx context.Context, request gen.ArchiveAssessmentRequestObject,
) (gen.ArchiveAssessmentResponseObject, error) {
	assessment, err := s.store.ArchiveAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.ArchiveAssessment200JSONResponse{
		Headers: gen.ArchiveAssessment200ResponseHeaders{ETag: etag(assessment)}, Body: s.assessmentDetail(assessment),
	}, nil
}

// DuplicateAssessment implements POST /v1/assessments/{id}/duplicate.
func (s *Server) DuplicateAssessment(
	ctx context.Context, request gen.DuplicateAssessmentRequestObject,
) (gen.DuplicateAssessmentResponseObject, error) {
	assessment, err := s.store.DuplicateAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.DuplicateAssessment201JSONResponse{
		Headers: gen.DuplicateAssessment201ResponseHeaders{
			Location: "/v1/assessments/" + assessment.ID, ETag: etag(assessment),
		},
		Body: s.assessmentDetail(assessment),
	}, nil
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
		Body:    gen.PublicAssessmentList{Data: each(assessments, apiAssessment)},
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
	document, err := s.publicDocument(assessment)
	if err != nil {
		return nil, err
	}
	return storedDocument{document, request.Params.IfNoneMatch}, nil
}
