package server

import (
	"context"

	"assay/gen"
	"assay/server/mail"
	"assay/store"
)

// ListEmailTexts implements GET /v1/email-texts.
func (s *Server) ListEmailTexts(
	ctx context.Context, request gen.ListEmailTextsRequestObject,
) (gen.ListEmailTextsResponseObject, error) {
	place := orZero(request.Params.AssessmentID)
	own, err := s.store.ListEmailTexts(ctx, scopeOf(ctx), place)
	if err != nil {
		return nil, err
	}
	texts, err := mail.DefaultTexts()
	if err != nil {
		return nil, err
	}
	list := gen.EmailTextCatalogue{Data: make([]gen.EmailText, len(texts))}
	for i, text := range texts {
		source := gen.EmailTextSourceDEFAULT
		for _, words := range own { // the words of the assessment come first
			if words.Kind == text.Kind && words.Locale == text.Locale {
				text, source = words, sourceOf(words)
				if text.AssessmentID != place { // the assessment has no words of its own
					text.Version = 0
				}
				break
			}
		}
		list.Data[i] = apiEmailText(text, source)
	}
	return gen.ListEmailTexts200JSONResponse{Body: list}, nil
}

// ReplaceEmailText implements PUT /v1/email-texts.
func (s *Server) ReplaceEmailText(
	ctx context.Context, request gen.ReplaceEmailTextRequestObject,
) (gen.ReplaceEmailTextResponseObject, error) {
	text, err := s.store.ReplaceEmailText(ctx, scopeOf(ctx), storeEmailText(request.Body), request.Body.Version)
	if err != nil {
		return nil, err
	}
	return gen.ReplaceEmailText200JSONResponse{Body: gen.EmailTextData{Data: apiEmailText(text, sourceOf(text))}}, nil
}

// ResetEmailText implements POST /v1/email-texts/reset.
func (s *Server) ResetEmailText(
	ctx context.Context, request gen.ResetEmailTextRequestObject,
) (gen.ResetEmailTextResponseObject, error) {
	err := s.store.ResetEmailText(ctx, scopeOf(ctx), storeEmailTextName(request.Body), request.Body.Version)
	if err != nil {
		return nil, err
	}
	return gen.ResetEmailText204Response{}, nil
}

// PreviewEmailText implements POST /v1/email-texts/preview.
func (s *Server) PreviewEmailText(
	ctx context.Context, request gen.PreviewEmailTextRequestObject,
) (gen.PreviewEmailTextResponseObject, error) {
	content, err := s.store.PreviewEmailText(ctx, scopeOf(ctx), storeEmailText(request.Body))
	if err != nil {
		return nil, err
	}
	message, err := mail.Render(content)
	if err != nil {
		return nil, err
	}
	return gen.PreviewEmailText200JSONResponse{Body: gen.EmailTextPreviewData{Data: gen.EmailTextPreview{
		Subject: message.Subject, Text: message.Text, HTML: message.HTML,
	}}}, nil
}

// TestEmailText implements POST /v1/email-texts/test.
func (s *Server) TestEmailText(
	ctx context.Context, request gen.TestEmailTextRequestObject,
) (gen.TestEmailTextResponseObject, error) {
	if err := s.store.TestEmailText(ctx, scopeOf(ctx), storeEmailTextName(request.Body)); err != nil {
		return nil, err
	}
	return gen.TestEmailText202Response{}, nil
}

func storeEmailText(body *gen.EmailTextInput) store.EmailText {
	return store.EmailText{
		Kind: store.EmailKind(body.Kind), Locale: string(body.Locale), AssessmentID: orZero(given(body.AssessmentID)),
		Subject: body.Subject, Text: body.Text,
	}
}

func storeEmailTextName(body *gen.EmailTextName) store.EmailText {
	return store.EmailText{
		Kind: store.EmailKind(body.Kind), Locale: string(body.Locale), AssessmentID: orZero(given(body.AssessmentID)),
	}
}

func sourceOf(text store.EmailText) gen.EmailTextSource {
	if text.AssessmentID != "" {
		return gen.EmailTextSourceASSESSMENT
	}
	return gen.EmailTextSourceORGANIZATION
}

func apiEmailText(text store.EmailText, source gen.EmailTextSource) gen.EmailText {
	var updatedBy *gen.EmailTextAuthor
	if text.UpdatedBy != nil {
		updatedBy = &gen.EmailTextAuthor{ID: *text.UpdatedBy, Name: text.UserName}
	}
	return gen.EmailText{
		Kind: gen.EmailTextKind(text.Kind), Locale: text.Locale, Source: source,
		Subject: text.Subject, Text: text.Text,
		Version: text.Version, UpdatedAt: timeOrNull(text.UpdatedAt), UpdatedBy: updatedBy,
	}
}
