package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"assay.example/integration/generated/assay"

	"github.com/oapi-codegen/nullable"
)

// keyAuditLog reads the audit log with an API key.
func (t *tour) keyAuditLog(ctx context.Context) error {
	integration := t.integration
	// sample: listPublicAuditLog
	entries, err := integration.ListPublicAuditLogWithResponse(ctx,
		&assay.ListPublicAuditLogParams{Action: new(assay.AuditActionInputAPIKEYCREATED)})
	if err != nil {
		return err
	}
	for _, entry := range entries.JSON200.Data {
		fmt.Println(entry.CreatedAt, entry.Action, entry.Resource.ID, "from", entry.IP)
	}
	// end sample

	// sample: listPublicAuditLogChanges
	var cursor *string
	for more := true; more; {
		page, err := integration.ListPublicAuditLogChangesWithResponse(ctx,
			&assay.ListPublicAuditLogChangesParams{Cursor: cursor, Limit: new(100)})
		if err != nil {
			return err
		}
		for _, entry := range page.JSON200.Data.Items {
			fmt.Println(entry.ID, entry.Action)
		}
		// The next run continues from this cursor. Store it with the items of the page.
		cursor, more = &page.JSON200.Data.Cursor, page.JSON200.Data.HasMore
	}
	// end sample

	// sample: exportPublicAuditLog
	file, err := integration.ExportPublicAuditLogWithResponse(ctx,
		&assay.ExportPublicAuditLogParams{Action: new(assay.AuditActionInputAPIKEYCREATED)})
	if err != nil {
		return err
	}
	fmt.Println(len(file.Body), "bytes of CSV")
	// end sample
	return nil
}

// keyWebhooks manages an endpoint with an API key.
func (t *tour) keyWebhooks(ctx context.Context) error {
	integration, url := t.integration, t.hooks
	picture, err := base64.StdEncoding.DecodeString(pixel)
	if err != nil {
		return err
	}
	// sample: createPublicMedia
	uploaded, err := integration.CreatePublicMediaWithBodyWithResponse(ctx, "image/png", bytes.NewReader(picture))
	if err != nil {
		return err
	}
	fmt.Printf("![A square](media:%s)\n", uploaded.JSON201.Data.ID)
	// end sample

	// sample: createPublicWebhook
	created, err := integration.CreatePublicWebhookWithResponse(ctx, nil, assay.WebhookEndpointCreate{
		URL:    url,
		Events: assay.WebhookEvents{assay.EventTypeInputCandidateCompleted, assay.EventTypeInputAssessmentPublished},
	})
	if err != nil {
		return err
	}
	secret := created.JSON201.Data.Secret // shown this once: keep it as a secret
	// end sample
	if secret == "" {
		return errors.New("the endpoint has no secret")
	}
	webhookID := created.JSON201.Data.ID

	// sample: testPublicWebhook
	ping, err := integration.TestPublicWebhookWithResponse(ctx, webhookID)
	if err != nil {
		return err
	}
	fmt.Println("answered after", ping.JSON200.Data.DurationMs, "ms")
	// end sample

	// sample: listPublicWebhooks
	endpoints, err := integration.ListPublicWebhooksWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	for _, endpoint := range endpoints.JSON200.Data {
		fmt.Println(endpoint.URL, endpoint.Events, "enabled:", endpoint.Enabled)
	}
	// end sample

	// sample: updatePublicWebhook
	updated, err := integration.UpdatePublicWebhookWithResponse(ctx, webhookID, assay.WebhookEndpointUpdate{
		Description: nullable.NewNullableWithValue("Nightly import"),
	})
	if err != nil {
		return err
	}
	fmt.Println("changed at", updated.JSON200.Data.UpdatedAt)
	// end sample

	// sample: retrievePublicWebhook
	endpoint, err := integration.RetrievePublicWebhookWithResponse(ctx, webhookID)
	if err != nil {
		return err
	}
	fmt.Println("failed", endpoint.JSON200.Data.ConsecutiveFailures, "times since the last success")
	// end sample

	// sample: rotatePublicWebhookSecret
	rotated, err := integration.RotatePublicWebhookSecretWithResponse(ctx, webhookID, nil, assay.WebhookSecretRotation{
		ActivateAfterSeconds: new(3600), // accept both secrets for an hour, then drop the old one
	})
	if err != nil {
		return err
	}
	fmt.Println("signs with the new secret from", rotated.JSON200.Data.ActivatesAt)
	// end sample

	// sample: replayPublicWebhook
	replayed, err := integration.ReplayPublicWebhookWithResponse(ctx, webhookID, nil, assay.WebhookReplay{
		Since: time.Now().Add(-24 * time.Hour), Until: time.Now(), DryRun: new(true),
	})
	if err != nil {
		return err
	}
	fmt.Println(replayed.JSON200.Data.Count, "events would be delivered again")
	// end sample

	// sample: retrievePublicWebhookStatistics
	statistics, err := integration.RetrievePublicWebhookStatisticsWithResponse(ctx, webhookID)
	if err != nil {
		return err
	}
	fmt.Println(statistics.JSON200.Data.Succeeded, "attempts succeeded,", statistics.JSON200.Data.Failed, "failed")
	// end sample

	// sample: deletePublicWebhook
	if _, err := integration.DeletePublicWebhookWithResponse(ctx, webhookID); err != nil {
		return err
	}
	// end sample
	return nil
}

// keyDeliveries finds and repeats deliveries with an API key.
func (t *tour) keyDeliveries(ctx context.Context) error {
	integration, webhookID := t.integration, t.webhookID
	// sample: listPublicDeliveries
	list, err := integration.ListPublicDeliveriesWithResponse(ctx, webhookID, &assay.ListPublicDeliveriesParams{
		Status: new(assay.DeliveryStatusInputSUCCEEDED),
	})
	if err != nil {
		return err
	}
	for _, delivery := range list.JSON200.Data {
		fmt.Println(delivery.EventType, "after", delivery.AttemptCount, "attempts")
	}
	// end sample
	deliveryID := list.JSON200.Data[0].ID

	// sample: retrievePublicDelivery
	delivery, err := integration.RetrievePublicDeliveryWithResponse(ctx, webhookID, deliveryID)
	if err != nil {
		return err
	}
	fmt.Println(len(delivery.JSON200.Data.Attempts), "attempts")
	// end sample

	// sample: redeliverPublicDelivery
	again, err := integration.RedeliverPublicDeliveryWithResponse(ctx, webhookID, deliveryID, nil)
	if err != nil {
		return err
	}
	fmt.Println(again.JSON201.Data.EventID, "is delivered again")
	// end sample

	// sample: listAllPublicDeliveries
	failed, err := integration.ListAllPublicDeliveriesWithResponse(ctx, &assay.ListAllPublicDeliveriesParams{
		Status: new(assay.DeliveryStatusInputFAILED),
	})
	if err != nil {
		return err
	}
	fmt.Println(len(failed.JSON200.Data), "deliveries have failed")
	// end sample

	// sample: listPublicEventTypes
	catalogue, err := integration.ListPublicEventTypesWithResponse(ctx)
	if err != nil {
		return err
	}
	for _, eventType := range catalogue.JSON200.Data {
		fmt.Println(eventType.Type, eventType.Description)
	}
	// end sample
	return nil
}
