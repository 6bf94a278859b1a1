package server

import (
	"context"
	"encoding/json"

	"assay/gen"
	"assay/store"
)

// Most operations exist twice: for people, and under /v1/public for API keys. Each
// pair shares its parameters and its mappings, and has the same effect.

// CreateCandidateSession implements POST /v1/candidate-sessions.
func (s *Server) CreateCandidateSession(
	ctx context.Context, request gen.CreateCandidateSessionRequestObject,
) (gen.CreateCandidateSessionResponseObject, error) {
	invited, err := s.store.CreateCandidateSession(ctx, scopeOf(ctx), storeInvite(request.Body))
	if err != nil {
		return nil, err
	}
	body := s.sessionData(ctx, invited.Session)
	if !invited.Created {
		return gen.CreateCandidateSession200JSONResponse{Body: body}, nil
	}
	return gen.CreateCandidateSession201JSONResponse{
		Headers: gen.CreateCandidateSession201ResponseHeaders{Location: "/v1/candidate-sessions/" + invited.Session.ID},
		Body:    body,
	}, nil
}

// CreatePublicCandidateSession implements POST /v1/public/candidate-sessions.
func (s *Server) CreatePublicCandidateSession(
	ctx context.Context, request gen.CreatePublicCandidateSessionRequestObject,
) (gen.CreatePublicCandidateSessionResponseObject, error) {
	invited, err := s.store.CreatePublicCandidateSession(ctx, scopeOf(ctx), storeInvite(request.Body))
	if err != nil {
		return nil, err
	}
	body := s.sessionData(ctx, invited.Session)
	if !invited.Created {
		return gen.CreatePublicCandidateSession200JSONResponse{Body: body}, nil
	}
	location := "/v1/public/candidate-sessions/" + invited.Session.ID
	return gen.CreatePublicCandidateSession201JSONResponse{
		Headers: gen.CreatePublicCandidateSession201ResponseHeaders{Location: location}, Body: body,
	}, nil
}

// RetrieveCandidateSession implements GET /v1/candidate-sessions/{id}.
func (s *Server) RetrieveCandidateSession(
	ctx context.Context, request gen.RetrieveCandidateSessionRequestObject,
) (gen.RetrieveCandidateSessionResponseObject, error) {
	session, err := s.store.RetrieveCandidateSession(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveCandidateSession200JSONResponse{Body: s.sessionData(ctx, session)}, nil
}

// RetrievePublicCandidateSession implements GET /v1/public/candidate-sessions/{id}.
func (s *Server) RetrievePublicCandidateSession(
	ctx context.Context, request gen.RetrievePublicCandidateSessionRequestObject,
) (gen.RetrievePublicCandidateSessionResponseObject, error) {
	session, err := s.store.RetrievePublicCandidateSession(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrievePublicCandidateSession200JSONResponse{Body: s.sessionData(ctx, session)}, nil
}

// CancelCandidateSession implements POST /v1/candidate-sessions/{id}/cancel.
func (s *Server) CancelCandidateSession(
	ctx context.Context, request gen.CancelCandidateSessionRequestObject,
) (gen.CancelCandidateSessionResponseObject, error) {
	session, err := s.store.CancelCandidateSession(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.CancelCandidateSession200JSONResponse{Body: s.sessionData(ctx, session)}, nil
}

// CancelPublicCandidateSession implements POST /v1/public/candidate-sessions/{id}/cancel.
func (s *Server) CancelPublicCandidateSession(
	ctx context.Context, request gen.CancelPublicCandidateSessionRequestObject,
) (gen.CancelPublicCandidateSessionResponseObject, error) {
	session, err := s.store.CancelPublicCandidateSession(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.CancelPublicCandidateSession200JSONResponse{Body: s.sessionData(ctx, session)}, nil
}

// ResendCandidateSession implements POST /v1/candidate-sessions/{id}/resend.
func (s *Server) ResendCandidateSession(
	ctx context.Context, request gen.ResendCandidateSessionRequestObject,
) (gen.ResendCandidateSessionResponseObject, error) {
	session, err := s.store.ResendCandidateSession(ctx, scopeOf(ctx), request.ID, storeResend(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.ResendCandidateSession200JSONResponse{Body: s.sessionData(ctx, session)}, nil
}

// ResendPublicCandidateSession implements POST /v1/public/candidate-sessions/{id}/resend.
func (s *Server) ResendPublicCandidateSession(
	ctx context.Context, request gen.ResendPublicCandidateSessionRequestObject,
) (gen.ResendPublicCandidateSessionResponseObject, error) {
	session, err := s.store.ResendPublicCandidateSession(ctx, scopeOf(ctx), request.ID, storeResend(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.ResendPublicCandidateSession200JSONResponse{Body: s.sessionData(ctx, session)}, nil
}

// RetrieveCandidateSessionResult implements GET /v1/candidate-sessions/{id}/result.
func (s *Server) RetrieveCandidateSessionResult(
	ctx context.Context, request gen.RetrieveCandidateSessionResultRequestObject,
) (gen.RetrieveCandidateSessionResultResponseObject, error) {
	result, err := s.store.RetrieveCandidateSessionResult(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return storedDocument{result, request.Params.IfNoneMatch}, nil
}

// EraseCandidateData implements DELETE /v1/candidate-sessions/{id}/candidate-data.
func (s *Server) EraseCandidateData(
	ctx context.Context, request gen.EraseCandidateDataRequestObject,
) (gen.EraseCandidateDataResponseObject, error) {
	if err := s.store.EraseCandidateData(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.EraseCandidateData204Response{}, nil
}

func storeInvite(body *gen.CandidateSessionCreate) store.Invite {
	return store.Invite{
		AssessmentID: body.AssessmentID, CandidateName: body.CandidateName, CandidateEmail: body.CandidateEmail,
		ExternalID: given(body.ExternalID), Metadata: orZero(body.Metadata), ExpiresAt: instant(given(body.ExpiresAt)),
		RedirectURL: given(body.RedirectURL), ExtraTimePercent: body.ExtraTimePercent,
		OnExisting: store.OnExisting(orZero(body.OnExisting)), SendEmail: body.SendEmail,
		AllowRepeat: orZero(body.AllowRepeat),
	}
}

func storeResend(body *gen.CandidateSessionResend) store.Resend {
	if body == nil {
		return store.Resend{}
	}
	return store.Resend{SendEmail: body.SendEmail, AllowRepeat: orZero(body.AllowRepeat)}
}

func (s *Server) sessionData(ctx context.Context, session store.CandidateSession) gen.CandidateSessionData {
	return gen.CandidateSessionData{Data: s.apiSession(ctx, session)}
}

func (s *Server) apiSession(ctx context.Context, session store.CandidateSession) gen.CandidateSession {
	session = scopeOf(ctx).Shown(session)
	span := session.Span()
	var inviteURL *string
	if scopeOf(ctx).MayInvite() { // the link contains the candidate's credential
		inviteURL = s.store.InviteURL(session)
	}
	var stateID *string
	var tags *[]string
	var rating *float64
	if scopeOf(ctx).MayReadReviews() {
		stateID, tags, rating = new(session.ReviewState()), new(session.Tags()), session.Rating
	}
	return gen.CandidateSession{
		ID: session.ID, AssessmentID: session.AssessmentID, AssessmentTitle: session.AssessmentTitle,
		CandidateName: session.CandidateName, CandidateEmail: session.CandidateEmail,
		ExternalID: session.ExternalID, Metadata: json.RawMessage(session.MetadataJSON),
		Status: gen.SessionStatus(session.Status), Attempt: session.Attempt, InviteURL: inviteURL,
		RedirectURL: session.RedirectURL, ExtraTimePercent: session.ExtraTimePercent,
		InvitedAt: timestamp(session.InvitedAt), ExpiresAt: timestamp(session.ExpiresAt),
		StartFrom: wireOrNull(span.From), StartUntil: wireOrNull(span.Until),
		StartedAt: timeOrNull(session.StartedAt), DeadlineAt: timeOrNull(session.DeadlineAt),
		InReviewSince: timeOrNull(session.InReviewSince),
		CompletedAt:   timeOrNull(session.CompletedAt), DisqualifiedAt: timeOrNull(session.DisqualifiedAt),
		CancelledAt: timeOrNull(session.CancelledAt), CloseReason: (*string)(session.CloseReason),
		CurrentStageID: session.CurrentStageID, Score: session.Score, Passed: session.Passed,
		CreatedAt: timestamp(session.CreatedAt), UpdatedAt: timestamp(session.UpdatedAt),
		ErasedAt: timeOrNull(session.ErasedAt), Test: session.Test, Note: session.Note,
		StateID: stateID, Tags: tags, Rating: rating,
		Email: gen.InviteEmail{
			Status: string(session.EmailStatus), SentAt: timeOrNull(session.EmailSentAt),
			Failure: session.EmailFailure, FailureCode: failureCode(session),
		},
	}
}

// failureCode is why the email with the invite was not sent. The release before 1.1 renews invites without the
// column, so it counts only beside a failure.
func failureCode(session store.CandidateSession) *string {
	if session.EmailFailure == nil {
		return nil
	}
	return session.EmailReason
}

// ErasePublicCandidateData implements DELETE /v1/public/candidate-sessions/{id}/candidate-data.
func (s *Server) ErasePublicCandidateData(
	ctx context.Context, request gen.ErasePublicCandidateDataRequestObject,
) (gen.ErasePublicCandidateDataResponseObject, error) {
	if err := s.store.ErasePublicCandidateData(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.ErasePublicCandidateData204Response{}, nil
}
