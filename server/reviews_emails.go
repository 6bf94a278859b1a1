package server

import (
	"context"
	"time"

	"assay/gen"
	"assay/server/mail"
	"assay/store"
)

// CancelReviewEmails implements POST /v1/review-emails/{id}/cancel.
func (s *Server) CancelReviewEmails(
	ctx context.Context, request gen.CancelReviewEmailsRequestObject,
) (gen.CancelReviewEmailsResponseObject, error) {
	outcome, err := s.store.CancelReviewEmails(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.CancelReviewEmails200JSONResponse{Body: apiEmailsCancelled(outcome)}, nil
}

// CancelPublicReviewEmails implements POST /v1/public/review-emails/{id}/cancel.
func (s *Server) CancelPublicReviewEmails(
	ctx context.Context, request gen.CancelPublicReviewEmailsRequestObject,
) (gen.CancelPublicReviewEmailsResponseObject, error) {
	outcome, err := s.store.CancelPublicReviewEmails(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.CancelPublicReviewEmails200JSONResponse{Body: apiEmailsCancelled(outcome)}, nil
}

// CancelReviewEmail implements POST /v1/candidate-sessions/{id}/review/email/cancel.
func (s *Server) CancelReviewEmail(
	ctx context.Context, request gen.CancelReviewEmailRequestObject,
) (gen.CancelReviewEmailResponseObject, error) {
	outcome, err := s.store.CancelReviewEmail(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.CancelReviewEmail200JSONResponse{Body: apiEmailsCancelled(outcome)}, nil
}

// CancelPublicReviewEmail implements POST /v1/public/candidate-sessions/{id}/review/email/cancel.
func (s *Server) CancelPublicReviewEmail(
	ctx context.Context, request gen.CancelPublicReviewEmailRequestObject,
) (gen.CancelPublicReviewEmailResponseObject, error) {
	outcome, err := s.store.CancelPublicReviewEmail(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.CancelPublicReviewEmail200JSONResponse{Body: apiEmailsCancelled(outcome)}, nil
}

// PreviewReviewEmail implements POST /v1/candidate-sessions/{id}/review/email/preview.
func (s *Server) PreviewReviewEmail(
	ctx context.Context, request gen.PreviewReviewEmailRequestObject,
) (gen.PreviewReviewEmailResponseObject, error) {
	content, err := s.store.PreviewReviewEmail(ctx, scopeOf(ctx), request.ID, store.ReviewEmailWords{
		Subject: request.Body.Subject, Text: request.Body.Text,
	})
	if err != nil {
		return nil, err
	}
	message, err := mail.Render(content)
	if err != nil {
		return nil, err
	}
	return gen.PreviewReviewEmail200JSONResponse{Body: gen.ReviewEmailContentData{Data: gen.ReviewEmailContent{
		To: content.ToAddress, Subject: message.Subject, Text: message.Text, HTML: message.HTML,
	}}}, nil
}

// defaultReviewEmailDelay is the time to cancel an email if the request does not say it.
const defaultReviewEmailDelay = 30 * time.Minute

func storeReviewEmail(body *gen.ReviewEmailInput) *store.ReviewEmailInput {
	if body == nil {
		return nil
	}
	email := &store.ReviewEmailInput{
		ReviewEmailWords: store.ReviewEmailWords{Subject: body.Subject, Text: body.Text}, Delay: defaultReviewEmailDelay,
	}
	if body.DelayMinutes != nil {
		email.Delay = time.Duration(*body.DelayMinutes) * time.Minute
	}
	return email
}

func apiReviewEmail(email *store.ReviewEmail) *gen.ReviewEmail {
	if email == nil {
		return nil
	}
	return &gen.ReviewEmail{
		ID: email.ID, BatchID: email.BatchID, Status: string(email.Status), Subject: email.Subject,
		SendAt: timestamp(email.SendAt), EndedAt: timeOrNull(email.EndedAt),
	}
}

func apiEmailsCancelled(outcome store.EmailsCancelled) gen.ReviewEmailsCancelledData {
	return gen.ReviewEmailsCancelledData{Data: gen.ReviewEmailsCancelled{
		CancelledCount: outcome.Cancelled, SentCount: outcome.Sent, FailedCount: outcome.Failed,
	}}
}
