package server

import (
	"context"
	"time"

	"assay/gen"
	"assay/store"
)

// CreateWebhook implements POST /v1/webhooks.
func (s *Server) CreateWebhook(
	ctx context.Context, request gen.CreateWebhookRequestObject,
) (gen.CreateWebhookResponseObject, error) {
	endpoint, err := s.store.CreateWebhook(ctx, scopeOf(ctx), storeWebhook(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.CreateWebhook201JSONResponse{
		Headers: gen.CreateWebhook201ResponseHeaders{Location: "/v1/webhooks/" + endpoint.ID},
		Body:    s.apiCreatedWebhook(endpoint),
	}, nil
}

// ListWebhooks implements GET /v1/webhooks.
func (s *Server) ListWebhooks(
	ctx context.Context, request gen.ListWebhooksRequestObject,
) (gen.ListWebhooksResponseObject, error) {
	endpoints, more, err := s.store.ListWebhooks(ctx, scopeOf(ctx), page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, endpoints, more, webhookID)
	return gen.ListWebhooks200JSONResponse{
		Headers: gen.ListWebhooks200ResponseHeaders{Link: next},
		Body:    gen.WebhookEndpointList{Data: each(endpoints, s.apiWebhook)},
	}, nil
}

// RetrieveWebhook implements GET /v1/webhooks/{id}.
func (s *Server) RetrieveWebhook(
	ctx context.Context, request gen.RetrieveWebhookRequestObject,
) (gen.RetrieveWebhookResponseObject, error) {
	endpoint, err := s.store.RetrieveWebhook(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveWebhook200JSONResponse{Body: gen.WebhookEndpointData{Data: s.apiWebhook(endpoint)}}, nil
}

// UpdateWebhook implements PATCH /v1/webhooks/{id}.
func (s *Server) UpdateWebhook(
	ctx context.Context, request gen.UpdateWebhookRequestObject,
) (gen.UpdateWebhookResponseObject, error) {
	endpoint, err := s.store.UpdateWebhook(ctx, scopeOf(ctx), request.ID, storeWebhookChange(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.UpdateWebhook200JSONResponse{Body: gen.WebhookEndpointData{Data: s.apiWebhook(endpoint)}}, nil
}

// DeleteWebhook implements DELETE /v1/webhooks/{id}.
func (s *Server) DeleteWebhook(
	ctx context.Context, request gen.DeleteWebhookRequestObject,
) (gen.DeleteWebhookResponseObject, error) {
	if err := s.store.DeleteWebhook(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeleteWebhook204Response{}, nil
}

// RotateWebhookSecret implements POST /v1/webhooks/{id}/rotate-secret.
func (s *Server) RotateWebhookSecret(
	ctx context.Context, request gen.RotateWebhookSecretRequestObject,
) (gen.RotateWebhookSecretResponseObject, error) {
	rotated, err := s.store.RotateWebhookSecret(ctx, scopeOf(ctx), request.ID, request.Body.Secret,
		delay(request.Body.ActivateAfterSeconds))
	if err != nil {
		return nil, err
	}
	return gen.RotateWebhookSecret200JSONResponse{Body: apiRotatedSecret(request.ID, rotated)}, nil
}

// TestWebhook implements POST /v1/webhooks/{id}/test.
func (s *Server) TestWebhook(
	ctx context.Context, request gen.TestWebhookRequestObject,
) (gen.TestWebhookResponseObject, error) {
	target, err := s.store.TestWebhook(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	attempt, err := s.opts.Ping(ctx, scopeOf(ctx).OrganizationID, target)
	if err != nil {
		return nil, err
	}
	return gen.TestWebhook200JSONResponse{Body: gen.WebhookAttemptData{Data: apiAttempt(attempt)}}, nil
}

// ReplayWebhook implements POST /v1/webhooks/{id}/replay.
func (s *Server) ReplayWebhook(
	ctx context.Context, request gen.ReplayWebhookRequestObject,
) (gen.ReplayWebhookResponseObject, error) {
	replayed, err := s.store.ReplayWebhook(ctx, scopeOf(ctx), request.ID, storeReplay(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.ReplayWebhook200JSONResponse{Body: gen.WebhookReplayedData{Data: gen.WebhookReplayed{
		Count: replayed.Count, HasMore: replayed.HasMore,
	}}}, nil
}

// RetrieveWebhookStatistics implements GET /v1/webhooks/{id}/statistics.
func (s *Server) RetrieveWebhookStatistics(
	ctx context.Context, request gen.RetrieveWebhookStatisticsRequestObject,
) (gen.RetrieveWebhookStatisticsResponseObject, error) {
	statistics, err := s.store.RetrieveWebhookStatistics(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveWebhookStatistics200JSONResponse{Body: apiWebhookStatistics(request.ID, statistics)}, nil
}

// The mappings of both credentials.

func storeWebhook(body *gen.WebhookEndpointCreate) store.NewWebhook {
	return store.NewWebhook{
		URL: body.URL, Events: each(body.Events, eventTypeName), Secret: body.Secret, Description: given(body.Description),
	}
}

func storeWebhookChange(body *gen.WebhookEndpointUpdate) store.WebhookChange {
	in := store.WebhookChange{URL: body.URL, Description: change(body.Description), Enabled: body.Enabled}
	if body.Events != nil {
		in.Events = each(*body.Events, eventTypeName)
	}
	return in
}

func storeReplay(body *gen.WebhookReplay) store.Replay {
	return store.Replay{
		Since: orZero(instant(&body.Since)), Until: orZero(instant(&body.Until)),
		EventType: store.EventType(orZero(body.EventType)), Status: store.DeliveryStatus(orZero(body.Status)),
		DryRun: orZero(body.DryRun),
	}
}

func delay(seconds *int) time.Duration { return time.Duration(orZero(seconds)) * time.Second }

func apiRotatedSecret(id string, rotated store.RotatedSecret) gen.RotatedWebhookSecretData {
	return gen.RotatedWebhookSecretData{Data: gen.RotatedWebhookSecret{
		ID: id, Secret: rotated.Secret, SecretHint: rotated.Secret[len(rotated.Secret)-4:],
		ActivatesAt: store.WireTime(rotated.ActivatesAt),
	}}
}

func apiWebhookStatistics(id string, statistics store.WebhookStatistics) gen.WebhookStatisticsData {
	return gen.WebhookStatisticsData{Data: gen.WebhookStatistics{
		WebhookID: id, Since: store.WireTime(statistics.StartsAt),
		Succeeded: statistics.Succeeded, Failed: statistics.Failed,
		P50Ms: milliseconds(statistics.P50), P95Ms: milliseconds(statistics.P95),
		Hours: each(statistics.Hours, func(hour store.WebhookHour) gen.WebhookHour {
			return gen.WebhookHour{
				StartsAt: store.WireTime(hour.StartsAt), Succeeded: hour.Succeeded, Failed: hour.Failed,
				P50Ms: milliseconds(hour.P50), P95Ms: milliseconds(hour.P95),
			}
		}),
	}}
}

func milliseconds(duration *int64) *int {
	if duration == nil {
		return nil
	}
	return new(int(*duration))
}

func webhookID(endpoint store.WebhookEndpoint) string { return endpoint.ID }

func eventTypeName(eventType gen.EventTypeInput) string { return string(eventType) }

func (s *Server) apiCreatedWebhook(endpoint store.CreatedWebhook) gen.CreatedWebhookEndpointData {
	shown := s.apiWebhook(endpoint.WebhookEndpoint)
	return gen.CreatedWebhookEndpointData{Data: gen.CreatedWebhookEndpoint{
		Secret: endpoint.ShownSecret, ID: shown.ID, URL: shown.URL, Events: shown.Events, Description: shown.Description,
		Enabled: shown.Enabled, DisabledReason: shown.DisabledReason, SecretHint: shown.SecretHint,
		ConsecutiveFailures: shown.ConsecutiveFailures,
		LastSuccessAt:       shown.LastSuccessAt, LastFailureAt: shown.LastFailureAt,
		CreatedAt: shown.CreatedAt, UpdatedAt: shown.UpdatedAt,
	}}
}

func (s *Server) apiWebhook(endpoint store.WebhookEndpoint) gen.WebhookEndpoint {
	return gen.WebhookEndpoint{
		ID: endpoint.ID, URL: endpoint.URL, Description: endpoint.Description,
		Events:  endpoint.Events(),
		Enabled: endpoint.Enabled, DisabledReason: (*string)(endpoint.DisabledReason),
		SecretHint: endpoint.Hint(s.store.Now()), ConsecutiveFailures: endpoint.ConsecutiveFailures,
		LastSuccessAt: timeOrNull(endpoint.LastSuccessAt), LastFailureAt: timeOrNull(endpoint.LastFailureAt),
		CreatedAt: timestamp(endpoint.CreatedAt), UpdatedAt: timestamp(endpoint.UpdatedAt),
	}
}
