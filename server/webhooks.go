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
	endpoint, err := s.store.CreateWebhook(ctx, scopeOf(ctx), store.NewWebhook{
		URL: request.Body.URL, Events: each(request.Body.Events, eventTypeName),
		Secret: request.Body.Secret, Description: given(request.Body.Description),
	})
	if err != nil {
		return nil, err
	}

	shown := s.apiWebhook(endpoint.WebhookEndpoint)
	return gen.CreateWebhook201JSONResponse{
		Headers: gen.CreateWebhook201ResponseHeaders{Location: "/v1/webhooks/" + endpoint.ID},
		Body: gen.CreatedWebhookEndpointData{Data: gen.CreatedWebhookEndpoint{
			Secret: endpoint.ShownSecret, ID: shown.ID, URL: shown.URL, Events: shown.Events, Description: shown.Description,
			Enabled: shown.Enabled, DisabledReason: shown.DisabledReason, SecretHint: shown.SecretHint,
			ConsecutiveFailures: shown.ConsecutiveFailures,
			LastSuccessAt:       shown.LastSuccessAt, LastFailureAt: shown.LastFailureAt,
			CreatedAt: shown.CreatedAt, UpdatedAt: shown.UpdatedAt,
		}},
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
	in := store.WebhookChange{
		URL: request.Body.URL, Description: change(request.Body.Description), Enabled: request.Body.Enabled,
	}
	if request.Body.Events != nil {
		in.Events = each(*request.Body.Events, eventTypeName)
	}

	endpoint, err := s.store.UpdateWebhook(ctx, scopeOf(ctx), request.ID, in)
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
	delay := time.Duration(orZero(request.Body.ActivateAfterSeconds)) * time.Second
	rotated, err := s.store.RotateWebhookSecret(ctx, scopeOf(ctx), request.ID, request.Body.Secret, delay)
	if err != nil {
		return nil, err
	}
	return gen.RotateWebhookSecret200JSONResponse{Body: gen.RotatedWebhookSecretData{Data: gen.RotatedWebhookSecret{
		ID: request.ID, Secret: rotated.Secret, SecretHint: rotated.Secret[len(rotated.Secret)-4:],
		ActivatesAt: store.WireTime(rotated.ActivatesAt),
	}}}, nil
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
	replayed, err := s.store.ReplayWebhook(ctx, scopeOf(ctx), request.ID, store.Replay{
		Since: orZero(instant(&request.Body.Since)), Until: orZero(instant(&request.Body.Until)),
		EventType: store.EventType(orZero(request.Body.EventType)), Status: store.DeliveryStatus(orZero(request.Body.Status)),
		DryRun: orZero(request.Body.DryRun),
	})
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
	return gen.RetrieveWebhookStatistics200JSONResponse{Body: gen.WebhookStatisticsData{Data: gen.WebhookStatistics{
		WebhookID: request.ID, Since: store.WireTime(statistics.StartsAt),
		Succeeded: statistics.Succeeded, Failed: statistics.Failed,
		P50Ms: milliseconds(statistics.P50), P95Ms: milliseconds(statistics.P95),
		Hours: each(statistics.Hours, func(hour store.WebhookHour) gen.WebhookHour {
			return gen.WebhookHour{
				StartsAt: store.WireTime(hour.StartsAt), Succeeded: hour.Succeeded, Failed: hour.Failed,
				P50Ms: milliseconds(hour.P50), P95Ms: milliseconds(hour.P95),
			}
		}),
	}}}, nil
}

func milliseconds(duration *int64) *int {
	if duration == nil {
		return nil
	}
	return new(int(*duration))
}

func webhookID(endpoint store.WebhookEndpoint) string { return endpoint.ID }

func eventTypeName(eventType gen.EventTypeInput) string { return string(eventType) }

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
