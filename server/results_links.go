package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListResultLinks implements GET /v1/candidate-sessions/{id}/result-links.
func (s *Server) ListResultLinks(
	ctx context.Context, request gen.ListResultLinksRequestObject,
) (gen.ListResultLinksResponseObject, error) {
	links, err := s.store.ListResultLinks(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.ListResultLinks200JSONResponse{Body: gen.ResultLinkCatalogue{Data: each(links, s.apiResultLink)}}, nil
}

// ListPublicResultLinks implements GET /v1/public/candidate-sessions/{id}/result-links.
func (s *Server) ListPublicResultLinks(
	ctx context.Context, request gen.ListPublicResultLinksRequestObject,
) (gen.ListPublicResultLinksResponseObject, error) {
	links, err := s.store.ListPublicResultLinks(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.ListPublicResultLinks200JSONResponse{
		Body: gen.ResultLinkCatalogue{Data: each(links, s.apiResultLink)},
	}, nil
}

// CreateResultLink implements POST /v1/candidate-sessions/{id}/result-links.
func (s *Server) CreateResultLink(
	ctx context.Context, request gen.CreateResultLinkRequestObject,
) (gen.CreateResultLinkResponseObject, error) {
	link, err := s.store.CreateResultLink(ctx, scopeOf(ctx), request.ID, resultLinkInput(*request.Body))
	if err != nil {
		return nil, err
	}
	return gen.CreateResultLink201JSONResponse{
		Headers: gen.CreateResultLink201ResponseHeaders{Location: resultLinkPath(request.ID, link)},
		Body:    gen.ResultLinkData{Data: s.apiResultLink(link)},
	}, nil
}

// CreatePublicResultLink implements POST /v1/public/candidate-sessions/{id}/result-links.
func (s *Server) CreatePublicResultLink(
	ctx context.Context, request gen.CreatePublicResultLinkRequestObject,
) (gen.CreatePublicResultLinkResponseObject, error) {
	link, err := s.store.CreatePublicResultLink(ctx, scopeOf(ctx), request.ID, resultLinkInput(*request.Body))
	if err != nil {
		return nil, err
	}
	return gen.CreatePublicResultLink201JSONResponse{
		Headers: gen.CreatePublicResultLink201ResponseHeaders{Location: resultLinkPath(request.ID, link)},
		Body:    gen.ResultLinkData{Data: s.apiResultLink(link)},
	}, nil
}

// RevokeResultLink implements DELETE /v1/candidate-sessions/{id}/result-links/{linkId}.
func (s *Server) RevokeResultLink(
	ctx context.Context, request gen.RevokeResultLinkRequestObject,
) (gen.RevokeResultLinkResponseObject, error) {
	if err := s.store.RevokeResultLink(ctx, scopeOf(ctx), request.ID, request.LinkID); err != nil {
		return nil, err
	}
	return gen.RevokeResultLink204Response{}, nil
}

// RevokePublicResultLink implements DELETE /v1/public/candidate-sessions/{id}/result-links/{linkId}.
func (s *Server) RevokePublicResultLink(
	ctx context.Context, request gen.RevokePublicResultLinkRequestObject,
) (gen.RevokePublicResultLinkResponseObject, error) {
	if err := s.store.RevokePublicResultLink(ctx, scopeOf(ctx), request.ID, request.LinkID); err != nil {
		return nil, err
	}
	return gen.RevokePublicResultLink204Response{}, nil
}

func resultLinkPath(sessionID string, link store.ResultLink) string {
	return "/v1/candidate-sessions/" + sessionID + "/result-links/" + link.ID
}

func resultLinkInput(body gen.ResultLinkCreate) store.ResultLinkInput {
	return store.ResultLinkInput{
		Label: given(body.Label), ExpiresAt: instant(body.ExpiresAt), WithAnswers: orZero(body.WithAnswers),
	}
}

func (s *Server) apiResultLink(link store.ResultLink) gen.ResultLink {
	shown := gen.ResultLink{
		ID: link.ID, URL: s.store.ResultURL(link), Label: link.Label, WithAnswers: link.WithAnswers,
		CreatedAt: timestamp(link.CreatedAt), ExpiresAt: timestamp(link.ExpiresAt),
		RevokedAt: timeOrNull(link.RevokedAt), OpenCount: link.OpenCount, LastOpenedAt: timeOrNull(link.LastOpenedAt),
	}
	if author := link.Author(); author != nil {
		shown.CreatedBy = &gen.ResultLinkAuthor{Type: string(author.Type), ID: author.ActorID, Name: author.Name}
	}
	return shown
}
