package server

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"assay/gen"
	"assay/server/pages"
	"assay/store"
	"assay/store/rules"
)

// RetrieveTaking implements GET /v1/candidate/session.
func (s *Server) RetrieveTaking(
	ctx context.Context, request gen.RetrieveTakingRequestObject,
) (gen.RetrieveTakingResponseObject, error) {
	taking, err := s.store.RetrieveTaking(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	body := s.takingData(taking)
	etag, err := takingTag(body)
	if err != nil {
		return nil, err
	}
	if isUnchanged(request.Params.IfNoneMatch, etag) {
		return gen.RetrieveTaking304Response{Headers: gen.NotModifiedResponseHeaders{ETag: etag}}, nil
	}
	return gen.RetrieveTaking200JSONResponse{
		Body: body, Headers: gen.RetrieveTaking200ResponseHeaders{ETag: etag},
	}, nil
}

// takingTag is the entity tag of a session. The time of the server is not part of it,
// because each open page asks every few seconds whether something else has changed.
func takingTag(body gen.TakingData) (string, error) {
	body.Data.ServerTime = ""
	encoded, err := json.Marshal(body)
	if err != nil {
		return "", err
	}
	return store.NewDocument(string(encoded)).ETag, nil
}

// StartTaking implements POST /v1/candidate/session/start.
func (s *Server) StartTaking(
	ctx context.Context, request gen.StartTakingRequestObject,
) (gen.StartTakingResponseObject, error) {
	body := orZero(request.Body)
	taking, err := s.store.StartTaking(ctx, scopeOf(ctx), orZero(body.Acknowledged), orZero(body.ClientID))
	if err != nil {
		return nil, err
	}
	return gen.StartTaking200JSONResponse{Body: s.takingData(taking)}, nil
}

func (s *Server) takingData(taking store.Taking) gen.TakingData {
	session, assessment := taking.Session, taking.Assessment
	span := session.Span()
	shown := s.takingAssessment(assessment)
	if session.Test { // it can start at any time
		shown.OpensAt, shown.ClosesAt = nil, nil
	}
	return gen.TakingData{Data: gen.Taking{
		ID: session.ID, Status: gen.SessionStatus(session.Status),
		Organization: s.takingOrganization(taking), Assessment: shown,
		Candidate:        gen.Candidate{Name: session.CandidateName, Email: session.CandidateEmail},
		TimeLimitMinutes: assessment.TimeLimitMinutes, ExtraTimePercent: session.ExtraTimePercent,
		ExpiresAt: timestamp(session.ExpiresAt), StartedAt: timeOrNull(session.StartedAt),
		StartFrom: wireOrNull(span.From), StartUntil: wireOrNull(span.Until),
		DeadlineAt: timeOrNull(session.DeadlineAt), InReviewSince: timeOrNull(session.InReviewSince),
		CompletedAt: timeOrNull(session.CompletedAt), DisqualifiedAt: timeOrNull(session.DisqualifiedAt),
		CloseReason: closeReason(taking), AcknowledgedAt: timeOrNull(taking.AcknowledgedAt),
		ServerTime: store.WireTime(taking.Now), CurrentStageID: session.CurrentStageID,
		Stages: takingStages(taking), RedirectURL: s.redirectURL(taking),
		CorrectedAt: wireTimeOrNull(taking.CorrectedAt), SelfIdentification: taking.SelfIdentification,
	}}
}

// closeReason is why nothing is left for the candidate to do. In a review that the candidate cannot go on after, the
// page says so with this reason, although the session ends later.
func closeReason(taking store.Taking) *string {
	if review := taking.Progress.Review; review != nil {
		return (*string)(review.End)
	}
	return (*string)(taking.Session.CloseReason)
}

func (s *Server) takingOrganization(taking store.Taking) gen.TakingOrganization {
	organization := taking.Organization
	return gen.TakingOrganization{
		Name: organization.Name, SupportEmail: organization.SupportEmail,
		PrivacyURL: organization.PrivacyURL, PrivacyNotice: organization.PrivacyNotice,
		PrivacyNoticeHTML: s.noticeHTML(organization), AcknowledgementRequired: organization.AcknowledgementRequired,
		AccentColor: organization.AccentColor, LogoURL: pages.LogoURL(s.opts.BaseURL, organization),
		Locale: organization.Locale, TimeZone: organization.TimeZone, RetentionMonths: taking.RetentionMonths,
	}
}

func (s *Server) takingAssessment(a *store.Assessment) gen.TakingAssessment {
	t := s.textsOf(a)
	return gen.TakingAssessment{
		ID: a.ID, Title: a.Title, Description: a.Description, DescriptionHTML: t.htmlOrNull(a.Description),
		Instructions: a.Instructions, InstructionsHTML: t.htmlOrNull(a.Instructions),
		ClosingMessage: a.ClosingMessage, ClosingMessageHTML: t.htmlOrNull(a.ClosingMessage),
		Locale: a.Locale, ShuffleQuestions: a.ShuffleQuestions, ShuffleOptions: a.ShuffleOptions,
		OpensAt: timeOrNull(a.OpensAt), ClosesAt: timeOrNull(a.ClosesAt),
		QuestionCount: a.QuestionCount, MaxPoints: a.MaxPoints,
	}
}

func takingStages(taking store.Taking) []gen.TakingStage {
	stages := make([]gen.TakingStage, 0, len(taking.Assessment.Definition.Stages))
	for i, stage := range taking.Assessment.Definition.Stages {
		status, deadlineAt := rules.StageNotReached, (*time.Time)(nil)
		if i < len(taking.Progress.Stages) {
			status, deadlineAt = taking.Progress.Stages[i].Status, taking.Progress.Stages[i].DeadlineAt
		}
		stages = append(stages, gen.TakingStage{
			ID: stage.ID, Order: i + 1, Title: stage.Title, TimeLimitMinutes: stage.TimeLimitMinutes,
			QuestionCount: len(stage.Questions), Status: gen.TakingStageStatus(status), Gate: apiTakingGate(stage.Gate),
			DeadlineAt: wireTimeOrNull(deadlineAt),
		})
	}
	return stages
}

func apiTakingGate(gate *rules.Gate) *gen.TakingGate {
	if gate == nil {
		return nil
	}
	return new(gen.TakingGate{Required: gate.Required, OnFail: gen.OnFail(gate.WhenFailed())})
}

// sameTokenFor is how long after completion the redirect carries the same token.
// A client that loses the response and submits again gets the same bytes.
const sameTokenFor = time.Minute

// redirectURL is the address that a candidate goes to after completion, with a
// result token in its query. It is null before completion, and if no redirect is
// configured. A review that the candidate cannot go on after is a completion.
func (s *Server) redirectURL(taking store.Taking) *string {
	completedAt := taking.Session.CompletedAt
	if review := taking.Progress.Review; review != nil && review.End != nil {
		completedAt = taking.Session.InReviewSince
	}
	if completedAt == nil || taking.RedirectURL == nil {
		return nil
	}

	issuedAt := taking.Now
	if issuedAt.Sub(completedAt.Time) < sameTokenFor {
		issuedAt = completedAt.Time
	}

	target, err := url.Parse(*taking.RedirectURL)
	if err != nil {
		return nil // unreachable: it was parsed when it was saved
	}
	// The token is appended, because encoding the query again would change the
	// organization's own parameters.
	if target.RawQuery != "" {
		target.RawQuery += "&"
	}
	signed, _ := s.path.ResultToken(store.ResultToken{
		OrganizationID: taking.Session.OrganizationID, SessionID: taking.Session.ID, IssuedAt: issuedAt,
	})
	target.RawQuery += "result=" + signed
	return new(target.String())
}
