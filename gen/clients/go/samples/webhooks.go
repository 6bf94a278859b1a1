package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay.example/integration/generated/assay"

	"github.com/oapi-codegen/nullable"
)

func (t *tour) webhooks(ctx context.Context) error {
	person, url := t.person, t.hooks
	// sample: createWebhook
	created, err := person.CreateWebhookWithResponse(ctx, nil, assay.WebhookEndpointCreate{
		URL:    url,
		Events: assay.WebhookEvents{assay.EventTypeInputCandidateCompleted, assay.EventTypeInputCandidateDisqualified},
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
	t.webhookID = webhookID

	// sample: testWebhook
	ping, err := person.TestWebhookWithResponse(ctx, webhookID)
	if err != nil {
		return err
	}
	if status, err := ping.JSON200.Data.StatusCode.Get(); err == nil { // null without an answer
		fmt.Println("answered", status, "after", ping.JSON200.Data.DurationMs, "ms")
	}
	// end sample

	// sample: listWebhooks
	endpoints, err := person.ListWebhooksWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	for _, endpoint := range endpoints.JSON200.Data {
		fmt.Println(endpoint.URL, endpoint.Events, "enabled:", endpoint.Enabled)
	}
	// end sample

	// sample: updateWebhook
	updated, err := person.UpdateWebhookWithResponse(ctx, webhookID, assay.WebhookEndpointUpdate{
		Description: nullable.NewNullableWithValue("Applicant tracking"),
	})
	if err != nil {
		return err
	}
	fmt.Println("changed at", updated.JSON200.Data.UpdatedAt)
	// end sample

	// sample: retrieveWebhook
	endpoint, err := person.RetrieveWebhookWithResponse(ctx, webhookID)
	if err != nil {
		return err
	}
	fmt.Println("failed", endpoint.JSON200.Data.ConsecutiveFailures, "times since the last success")
	// end sample

	// sample: rotateWebhookSecret
	rotated, err := person.RotateWebhookSecretWithResponse(ctx, webhookID, nil, assay.WebhookSecretRotation{
		ActivateAfterSeconds: new(3600), // accept both secrets for an hour, then drop the old one
	})
	if err != nil {
		return err
	}
	fmt.Println("signs with the new secret from", rotated.JSON200.Data.ActivatesAt)
	// end sample
	return nil
}

func (t *tour) deliveries(ctx context.Context) error {
	person, webhookID := t.person, t.webhookID
	var deliveryID string
	for deliveryID == "" { // it comes a moment after the session is completed
		// sample: listDeliveries
		list, err := person.ListDeliveriesWithResponse(ctx, webhookID, &assay.ListDeliveriesParams{
			Status: new(assay.DeliveryStatusInputSUCCEEDED),
		})
		if err != nil {
			return err
		}
		for _, delivery := range list.JSON200.Data {
			fmt.Println(delivery.EventType, "after", delivery.AttemptCount, "attempts")
		}
		// end sample
		if len(list.JSON200.Data) > 0 {
			deliveryID = list.JSON200.Data[0].ID
		} else if err := ctx.Err(); err != nil {
			return err
		}
	}

	// sample: retrieveDelivery
	delivery, err := person.RetrieveDeliveryWithResponse(ctx, webhookID, deliveryID)
	if err != nil {
		return err
	}
	for _, attempt := range delivery.JSON200.Data.Attempts {
		if reason, err := attempt.FailureReason.Get(); err == nil { // null when it was taken
			fmt.Println("attempt", attempt.Number, "failed:", reason)
		}
	}
	// end sample

	// sample: redeliverDelivery
	again, err := person.RedeliverDeliveryWithResponse(ctx, webhookID, deliveryID, nil)
	if err != nil {
		return err
	}
	fmt.Println(again.JSON201.Data.EventID, "is delivered again")
	// end sample

	// sample: replayWebhook
	replayed, err := person.ReplayWebhookWithResponse(ctx, webhookID, nil, assay.WebhookReplay{
		Since:     time.Now().Add(-24 * time.Hour),
		Until:     time.Now(),
		EventType: new(assay.EventTypeInputCandidateCompleted),
	})
	if err != nil {
		return err
	}
	fmt.Println(replayed.JSON200.Data.Count, "events are delivered again")
	// end sample
	return nil
}

func (t *tour) events(ctx context.Context) error {
	person, integration := t.person, t.integration
	// sample: listEventTypes
	catalogue, err := person.ListEventTypesWithResponse(ctx)
	if err != nil {
		return err
	}
	for _, eventType := range catalogue.JSON200.Data {
		fmt.Println(eventType.Type, eventType.Description)
	}
	// end sample

	// sample: listEvents
	completed, err := person.ListEventsWithResponse(ctx, &assay.ListEventsParams{
		Type: new(assay.EventTypeInputCandidateCompleted),
	})
	if err != nil {
		return err
	}
	for _, event := range completed.JSON200.Data {
		fmt.Println(event.ID, event.Data["candidateName"], event.Data["score"])
	}
	// end sample
	eventID := completed.JSON200.Data[0].ID

	// sample: retrieveEvent
	event, err := person.RetrieveEventWithResponse(ctx, eventID)
	if err != nil {
		return err
	}
	fmt.Println(event.JSON200.Data.Type, event.JSON200.Data.Timestamp)
	// end sample

	// sample: listPublicEvents
	followed, err := integration.ListPublicEventsWithResponse(ctx, &assay.ListPublicEventsParams{
		Order: new(assay.ListPublicEventsParamsOrderAsc), // pass the last id as After in the next run
		Since: new(time.Now().Add(-24 * time.Hour)),
	})
	if err != nil {
		return err
	}
	for _, event := range followed.JSON200.Data {
		fmt.Println(event.Timestamp, event.Type, event.Data["sessionId"])
	}
	// end sample

	// sample: retrievePublicEvent
	found, err := integration.RetrievePublicEventWithResponse(ctx, eventID)
	if err != nil {
		return err
	}
	fmt.Println(found.JSON200.Data.Type, found.JSON200.Data.Timestamp)
	// end sample
	return nil
}

func (t *tour) ends(ctx context.Context) error {
	person, sessionID, assessmentID, webhookID := t.person, t.sessionID, t.assessmentID, t.webhookID
	// sample: eraseCandidateData
	if _, err := person.EraseCandidateDataWithResponse(ctx, sessionID); err != nil {
		return err
	}
	// end sample

	// sample: archiveAssessment
	archived, err := person.ArchiveAssessmentWithResponse(ctx, assessmentID)
	if err != nil {
		return err
	}
	fmt.Println(archived.JSON200.Data.Title, "takes no more invites")
	// end sample

	// sample: deleteWebhook
	if _, err := person.DeleteWebhookWithResponse(ctx, webhookID); err != nil {
		return err
	}
	// end sample

	signIns, err := person.ListSignInsWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	signIn := signIns.JSON200.Data[0]
	// sample: endSignIn
	if _, err := person.EndSignInWithResponse(ctx, signIn.ID); err != nil {
		return err
	}
	// end sample
	return nil
}
