package server

import (
	"bytes"
	"context"
	"net/http"

	"assay/gen"
	"assay/server/pages"
	"assay/store"
	"assay/store/encode"
)

// RetrieveCandidateData implements POST /v1/candidate-data.
func (s *Server) RetrieveCandidateData(
	ctx context.Context, request gen.RetrieveCandidateDataRequestObject,
) (gen.RetrieveCandidateDataResponseObject, error) {
	data, err := s.store.RetrieveCandidateData(ctx, scopeOf(ctx), candidateDataQuery(*request.Body))
	if err != nil {
		return nil, err
	}
	return gen.RetrieveCandidateData200JSONResponse{Body: gen.CandidateDataData{Data: apiCandidateData(data)}}, nil
}

// RetrievePublicCandidateData implements POST /v1/public/candidate-data.
func (s *Server) RetrievePublicCandidateData(
	ctx context.Context, request gen.RetrievePublicCandidateDataRequestObject,
) (gen.RetrievePublicCandidateDataResponseObject, error) {
	data, err := s.store.RetrievePublicCandidateData(ctx, scopeOf(ctx), candidateDataQuery(*request.Body))
	if err != nil {
		return nil, err
	}
	return gen.RetrievePublicCandidateData200JSONResponse{Body: gen.CandidateDataData{Data: apiCandidateData(data)}}, nil
}

func candidateDataQuery(in gen.CandidateDataRequest) store.CandidateDataQuery {
	return store.CandidateDataQuery{Email: in.Email, After: orZero(given(in.After))}
}

// RenderCandidateDataPage implements POST /v1/candidate-data/page.
func (s *Server) RenderCandidateDataPage(
	ctx context.Context, request gen.RenderCandidateDataPageRequestObject,
) (gen.RenderCandidateDataPageResponseObject, error) {
	data, err := s.store.RenderCandidateDataPage(ctx, scopeOf(ctx), request.Body.Email)
	if err != nil {
		return nil, err
	}
	page, err := pages.CandidateData(data, s.store.NoticeHTML)
	if err != nil {
		return nil, err
	}
	return candidateDataFile(page), nil
}

// candidateDataFile is a page that is saved as a file.
type candidateDataFile []byte

// VisitRenderCandidateDataPageResponse implements gen.RenderCandidateDataPageResponseObject. The name of the file does
// not contain the address: downloads stay in lists.
func (f candidateDataFile) VisitRenderCandidateDataPageResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", pages.CandidateDataPolicy)
	w.Header().Set("Content-Disposition", encode.Attachment("candidate-data.html"))
	w.WriteHeader(http.StatusOK)
	_, err := bytes.NewReader(f).WriteTo(w)
	return err
}

// EraseCandidateDataByEmail implements POST /v1/candidate-data/erase.
func (s *Server) EraseCandidateDataByEmail(
	ctx context.Context, request gen.EraseCandidateDataByEmailRequestObject,
) (gen.EraseCandidateDataByEmailResponseObject, error) {
	done, err := s.store.EraseCandidateDataByEmail(ctx, scopeOf(ctx), request.Body.Email)
	if err != nil {
		return nil, err
	}
	return gen.EraseCandidateDataByEmail200JSONResponse{Body: apiErasure(done)}, nil
}

// ErasePublicCandidateDataByEmail implements POST /v1/public/candidate-data/erase.
func (s *Server) ErasePublicCandidateDataByEmail(
	ctx context.Context, request gen.ErasePublicCandidateDataByEmailRequestObject,
) (gen.ErasePublicCandidateDataByEmailResponseObject, error) {
	done, err := s.store.ErasePublicCandidateDataByEmail(ctx, scopeOf(ctx), request.Body.Email)
	if err != nil {
		return nil, err
	}
	return gen.ErasePublicCandidateDataByEmail200JSONResponse{Body: apiErasure(done)}, nil
}

func apiErasure(done store.DataErasure) gen.CandidateDataErasureData {
	return gen.CandidateDataErasureData{Data: gen.CandidateDataErasure{
		Erased: done.Erased, Held: done.Held, Remaining: done.Remaining,
	}}
}
