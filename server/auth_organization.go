package server

import (
	"context"

	"assay/gen"
	"assay/server/pages"
	"assay/store"
)

// RetrieveOrganization implements GET /v1/organization.
func (s *Server) RetrieveOrganization(
	ctx context.Context, _ gen.RetrieveOrganizationRequestObject,
) (gen.RetrieveOrganizationResponseObject, error) {
	organization, err := s.store.RetrieveOrganization(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.RetrieveOrganization200JSONResponse{Body: gen.OrganizationData{Data: s.apiOrganization(organization)}}, nil
}

// UpdateOrganization implements PATCH /v1/organization.
func (s *Server) UpdateOrganization(
	ctx context.Context, request gen.UpdateOrganizationRequestObject,
) (gen.UpdateOrganizationResponseObject, error) {
	organization, err := s.store.UpdateOrganization(ctx, scopeOf(ctx), store.OrganizationChange{
		Name: request.Body.Name, RedirectURL: change(request.Body.RedirectURL),
		InviteExpiryDays: request.Body.InviteExpiryDays,
		SupportEmail:     change(request.Body.SupportEmail), PrivacyURL: change(request.Body.PrivacyURL),
		PrivacyNotice: change(request.Body.PrivacyNotice), AcknowledgementRequired: request.Body.AcknowledgementRequired,
		AccentColor: change(request.Body.AccentColor), Locale: change(request.Body.Locale),
		TimeZone: change(request.Body.TimeZone), MailFromName: change(request.Body.MailFromName),
		MailReplyTo: change(request.Body.MailReplyTo), SendInviteEmail: request.Body.SendInviteEmail,
		NotifyReopened: request.Body.NotifyReopened, NotifyCorrected: request.Body.NotifyCorrected,
		ResultLinkDays: request.Body.ResultLinkDays, ResultLinkInEvents: request.Body.ResultLinkInEvents,
		SecondFactorRequired: request.Body.SecondFactorRequired,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateOrganization200JSONResponse{Body: gen.OrganizationData{Data: s.apiOrganization(organization)}}, nil
}

func (s *Server) apiOrganization(organization store.Organization) gen.Organization {
	return gen.Organization{
		ID: organization.ID, Name: organization.Name, RedirectURL: organization.RedirectURL,
		InviteExpiryDays: organization.InviteExpiryDays,
		SupportEmail:     organization.SupportEmail, PrivacyURL: organization.PrivacyURL,
		PrivacyNotice: organization.PrivacyNotice, PrivacyNoticeHTML: s.noticeHTML(organization),
		AcknowledgementRequired: organization.AcknowledgementRequired,
		AccentColor:             organization.AccentColor, LogoURL: pages.LogoURL(s.opts.BaseURL, organization),
		Locale: organization.Locale, TimeZone: organization.TimeZone,
		MailFromName: organization.MailFromName, MailReplyTo: organization.MailReplyTo,
		SendInviteEmail: organization.SendInviteEmail, NotifyReopened: organization.NotifyReopened,
		NotifyCorrected: organization.NotifyCorrected, ResultLinkDays: organization.ResultLinkDays,
		ResultLinkInEvents: organization.ResultLinkInEvents, EmailEnabled: s.store.SendsEmail(),
		SecondFactorRequired: organization.SecondFactorRequired,
		Deletion:             apiDeletion(organization.Deletion()),
		Usage:                s.apiUsage(organization),
		CreatedAt:            timestamp(organization.CreatedAt), UpdatedAt: timestamp(organization.UpdatedAt),
	}
}

func (s *Server) apiUsage(organization store.Organization) gen.OrganizationUsage {
	usage, limits := organization.Usage, s.store.Quotas()
	return gen.OrganizationUsage{
		Webhooks: quotaUsage(usage.Webhooks, limits.Webhooks), APIKeys: quotaUsage(usage.APIKeys, limits.APIKeys),
		Members:          quotaUsage(usage.Members, limits.Members),
		Assessments:      quotaUsage(usage.Assessments, limits.Assessments),
		DefinitionBytes:  quotaUsage(usage.DefinitionBytes, limits.DefinitionBytes),
		MediaBytes:       quotaUsage(usage.MediaBytes, limits.MediaBytes),
		LiveSessions:     quotaUsage(usage.LiveSessions, limits.LiveSessions),
		QueuedDeliveries: quotaUsage(usage.QueuedDeliveries, limits.QueuedDeliveries),
		Emails:           quotaUsage(usage.Emails, s.store.EmailQuota(organization)),
		Questions:        quotaUsage(usage.Questions, limits.Questions),
	}
}

func quotaUsage(used, limit int64) gen.QuotaUsage {
	shown := gen.QuotaUsage{Used: used}
	if limit > 0 {
		shown.Limit = &limit
	}
	return shown
}

func (s *Server) noticeHTML(organization store.Organization) *string {
	if organization.PrivacyNotice == nil {
		return nil
	}
	return new(s.store.NoticeHTML(*organization.PrivacyNotice))
}

// DeleteOrganization implements DELETE /v1/organization.
func (s *Server) DeleteOrganization(
	ctx context.Context, _ gen.DeleteOrganizationRequestObject,
) (gen.DeleteOrganizationResponseObject, error) {
	if err := s.store.DeleteOrganization(ctx, scopeOf(ctx)); err != nil {
		return nil, err
	}
	return gen.DeleteOrganization204Response{}, nil
}

// ScheduleOrganizationDeletion implements POST /v1/organization/deletion.
func (s *Server) ScheduleOrganizationDeletion(
	ctx context.Context, request gen.ScheduleOrganizationDeletionRequestObject,
) (gen.ScheduleOrganizationDeletionResponseObject, error) {
	organization, err := s.store.ScheduleOrganizationDeletion(ctx, scopeOf(ctx), request.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.ScheduleOrganizationDeletion200JSONResponse{
		Body: gen.OrganizationData{Data: s.apiOrganization(organization)},
	}, nil
}

// CancelOrganizationDeletion implements DELETE /v1/organization/deletion.
func (s *Server) CancelOrganizationDeletion(
	ctx context.Context, _ gen.CancelOrganizationDeletionRequestObject,
) (gen.CancelOrganizationDeletionResponseObject, error) {
	organization, err := s.store.CancelOrganizationDeletion(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.CancelOrganizationDeletion200JSONResponse{
		Body: gen.OrganizationData{Data: s.apiOrganization(organization)},
	}, nil
}

func apiDeletion(deletion *store.Deletion) *gen.OrganizationDeletion {
	if deletion == nil {
		return nil
	}
	return &gen.OrganizationDeletion{
		RequestedAt: timestamp(deletion.RequestedAt), RequestedByName: deletion.RequestedByName,
		DeleteAt: timestamp(deletion.DeleteAt),
	}
}
