package store

import (
	"context"
	"time"
)

// The operations of integrations with webhooks. They differ from those of people in the credential only, which the
// server checks, and in the actor of the audit log.

// ListPublicWebhooks is ListWebhooks.
func (s *Store) ListPublicWebhooks(ctx context.Context, scope Scope, page Page) ([]WebhookEndpoint, bool, error) {
	return s.ListWebhooks(ctx, scope, page)
}

// CreatePublicWebhook is CreateWebhook.
func (s *Store) CreatePublicWebhook(ctx context.Context, scope Scope, in NewWebhook) (CreatedWebhook, error) {
	return s.CreateWebhook(ctx, scope, in)
}

// RetrievePublicWebhook is RetrieveWebhook.
func (s *Store) RetrievePublicWebhook(ctx context.Context, scope Scope, id string) (WebhookEndpoint, error) {
	return s.RetrieveWebhook(ctx, scope, id)
}

// UpdatePublicWebhook is UpdateWebhook.
func (s *Store) UpdatePublicWebhook(
	ctx context.Context, scope Scope, id string, change WebhookChange,
) (WebhookEndpoint, error) {
	return s.UpdateWebhook(ctx, scope, id, change)
}

// DeletePublicWebhook is DeleteWebhook.
func (s *Store) DeletePublicWebhook(ctx context.Context, scope Scope, id string) error {
	return s.DeleteWebhook(ctx, scope, id)
}

// RotatePublicWebhookSecret is RotateWebhookSecret.
func (s *Store) RotatePublicWebhookSecret(
	ctx context.Context, scope Scope, id string, given *string, delay time.Duration,
) (RotatedSecret, error) {
	return s.RotateWebhookSecret(ctx, scope, id, given, delay)
}

// TestPublicWebhook is TestWebhook.
func (s *Store) TestPublicWebhook(ctx context.Context, scope Scope, id string) (Target, error) {
	return s.TestWebhook(ctx, scope, id)
}

// ReplayPublicWebhook is ReplayWebhook.
func (s *Store) ReplayPublicWebhook(ctx context.Context, scope Scope, id string, in Replay) (Replayed, error) {
	return s.ReplayWebhook(ctx, scope, id, in)
}

// RetrievePublicWebhookStatistics is RetrieveWebhookStatistics.
func (s *Store) RetrievePublicWebhookStatistics(
	ctx context.Context, scope Scope, id string,
) (WebhookStatistics, error) {
	return s.RetrieveWebhookStatistics(ctx, scope, id)
}

// ListPublicDeliveries is ListDeliveries.
func (s *Store) ListPublicDeliveries(
	ctx context.Context, scope Scope, id string, in DeliveryFilter, page Page,
) ([]Delivery, string, error) {
	return s.ListDeliveries(ctx, scope, id, in, page)
}

// ListAllPublicDeliveries is ListAllDeliveries.
func (s *Store) ListAllPublicDeliveries(
	ctx context.Context, scope Scope, in DeliveryFilter, page Page,
) ([]Delivery, string, error) {
	return s.ListAllDeliveries(ctx, scope, in, page)
}

// RetrievePublicDelivery is RetrieveDelivery.
func (s *Store) RetrievePublicDelivery(
	ctx context.Context, scope Scope, id, deliveryID string,
) (DeliveryDetail, error) {
	return s.RetrieveDelivery(ctx, scope, id, deliveryID)
}

// RedeliverPublicDelivery is RedeliverDelivery.
func (s *Store) RedeliverPublicDelivery(ctx context.Context, scope Scope, id, deliveryID string) (Delivery, error) {
	return s.RedeliverDelivery(ctx, scope, id, deliveryID)
}
