package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// RetrieveOwnSelfIdentification implements GET /v1/candidate/session/self-identification.
func (s *Server) RetrieveOwnSelfIdentification(
	ctx context.Context, _ gen.RetrieveOwnSelfIdentificationRequestObject,
) (gen.RetrieveOwnSelfIdentificationResponseObject, error) {
	own, err := s.store.RetrieveOwnSelfIdentification(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.RetrieveOwnSelfIdentification200JSONResponse{Body: ownSelfIdentificationData(own)}, nil
}

// SaveOwnSelfIdentification implements PUT /v1/candidate/session/self-identification.
func (s *Server) SaveOwnSelfIdentification(
	ctx context.Context, request gen.SaveOwnSelfIdentificationRequestObject,
) (gen.SaveOwnSelfIdentificationResponseObject, error) {
	answers := each(request.Body.Answers, func(in gen.OwnSelfIdentificationAnswerInput) store.SelfIdentificationAnswer {
		return store.SelfIdentificationAnswer{QuestionID: in.QuestionID, OptionID: in.OptionID}
	})
	own, err := s.store.SaveOwnSelfIdentification(ctx, scopeOf(ctx), answers)
	if err != nil {
		return nil, err
	}
	return gen.SaveOwnSelfIdentification200JSONResponse{Body: ownSelfIdentificationData(own)}, nil
}

func ownSelfIdentificationData(own store.OwnSelfIdentification) gen.OwnSelfIdentificationData {
	return gen.OwnSelfIdentificationData{Data: gen.OwnSelfIdentification{
		Questions: each(own.Questions, apiSelfIdentificationQuestion),
		Answers: each(own.Answers, func(answer store.SelfIdentificationAnswer) gen.OwnSelfIdentificationAnswer {
			return gen.OwnSelfIdentificationAnswer{QuestionID: answer.QuestionID, OptionID: answer.OptionID}
		}),
	}}
}
