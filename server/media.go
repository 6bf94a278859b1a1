package server

import (
	"context"
	"io"

	"assay/gen"
	"assay/store"
)

// CreateMedia implements POST /v1/media.
func (s *Server) CreateMedia(
	ctx context.Context, request gen.CreateMediaRequestObject,
) (gen.CreateMediaResponseObject, error) {
	content, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	created, err := s.store.CreateMedia(ctx, scopeOf(ctx), content)
	if err != nil {
		return nil, err
	}
	return gen.CreateMedia201JSONResponse{
		Headers: gen.CreateMedia201ResponseHeaders{Location: "/v1/media/" + created.ID},
		Body:    gen.MediaData{Data: s.apiMedia(created)},
	}, nil
}

// ListMedia implements GET /v1/media.
func (s *Server) ListMedia(
	ctx context.Context, request gen.ListMediaRequestObject,
) (gen.ListMediaResponseObject, error) {
	found, more, err := s.store.ListMedia(ctx, scopeOf(ctx), page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, found, more, func(m store.Media) string { return m.ID })
	return gen.ListMedia200JSONResponse{
		Headers: gen.ListMedia200ResponseHeaders{Link: next},
		Body:    gen.MediaList{Data: each(found, s.apiMedia)},
	}, nil
}

// RetrieveMedia implements GET /v1/media/{id}.
func (s *Server) RetrieveMedia(
	ctx context.Context, request gen.RetrieveMediaRequestObject,
) (gen.RetrieveMediaResponseObject, error) {
	found, err := s.store.RetrieveMedia(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	media := s.apiMedia(found)
	return gen.RetrieveMedia200JSONResponse{Body: gen.MediaDetailData{Data: gen.MediaDetail{
		ID: media.ID, ContentType: media.ContentType, Width: media.Width, Height: media.Height, Bytes: media.Bytes,
		URL: media.URL, Used: media.Used, CreatedAt: media.CreatedAt,
		UsedIn: each(found.UsedIn, func(id string) string { return id }),
	}}}, nil
}

// DeleteMedia implements DELETE /v1/media/{id}.
func (s *Server) DeleteMedia(
	ctx context.Context, request gen.DeleteMediaRequestObject,
) (gen.DeleteMediaResponseObject, error) {
	if err := s.store.DeleteMedia(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeleteMedia204Response{}, nil
}

func (s *Server) apiMedia(m store.Media) gen.Media {
	return gen.Media{
		ID: m.ID, ContentType: m.ContentType, Width: m.Width, Height: m.Height, Bytes: int(m.Bytes),
		URL: s.store.MediaURL(m.Address), Used: m.Used, CreatedAt: timestamp(m.CreatedAt),
	}
}

// CreatePublicMedia implements POST /v1/public/media.
func (s *Server) CreatePublicMedia(
	ctx context.Context, request gen.CreatePublicMediaRequestObject,
) (gen.CreatePublicMediaResponseObject, error) {
	content, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	created, err := s.store.CreatePublicMedia(ctx, scopeOf(ctx), content)
	if err != nil {
		return nil, err
	}
	return gen.CreatePublicMedia201JSONResponse{
		Headers: gen.CreatePublicMedia201ResponseHeaders{Location: "/v1/media/" + created.ID},
		Body:    gen.MediaData{Data: s.apiMedia(created)},
	}, nil
}
