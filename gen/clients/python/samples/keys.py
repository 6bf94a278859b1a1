from base64 import b64decode
from datetime import UTC, datetime

from assay import AuthenticatedClient, models
from assay.api.events import list_public_event_types
from assay.api.webhooks import (
    create_public_webhook,
    delete_public_webhook,
    list_all_public_deliveries,
    list_public_deliveries,
    list_public_webhooks,
    redeliver_public_delivery,
    replay_public_webhook,
    retrieve_public_delivery,
    retrieve_public_webhook,
    retrieve_public_webhook_statistics,
    rotate_public_webhook_secret,
    test_public_webhook,
    update_public_webhook,
)
from client import ok

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def endpoint(integration: AuthenticatedClient, receiver_url: str, began: datetime) -> str:
    picture = b64decode(PIXEL)
    # sample: createPublicMedia
    # The generated client has no function for an image.
    http = integration.get_httpx_client()
    uploaded = http.post("/v1/public/media", content=picture, headers={"Content-Type": "image/png"}).raise_for_status()
    print(f"![A square](media:{uploaded.json()['data']['id']})")
    # end sample

    # sample: createPublicWebhook
    subscription = models.WebhookEndpointCreate(
        url=receiver_url, events=[models.EventTypeInput.CANDIDATE_COMPLETED]
    )
    # The secret is in this answer only: keep it to verify signatures with.
    created = ok(create_public_webhook.sync(client=integration, body=subscription))
    webhook_id, secret = created.id, created.secret
    # end sample
    assert secret

    # sample: testPublicWebhook
    attempt = ok(test_public_webhook.sync(webhook_id, client=integration))
    print(attempt.status_code or attempt.failure_reason, "after", attempt.duration_ms, "ms")
    # end sample

    # sample: listPublicWebhooks
    for item in ok(list_public_webhooks.sync(client=integration)):
        print(item.url, *item.events, "enabled" if item.enabled else "disabled")
    # end sample

    # sample: updatePublicWebhook
    change = models.WebhookEndpointUpdate(description="Nightly import")
    ok(update_public_webhook.sync(webhook_id, client=integration, body=change))
    # end sample

    # sample: retrievePublicWebhook
    webhook = ok(retrieve_public_webhook.sync(webhook_id, client=integration))
    print(webhook.url, "failed", webhook.consecutive_failures, "times in a row")
    # end sample

    # sample: rotatePublicWebhookSecret
    # The old secret signs for another day: accept both meanwhile.
    tomorrow = models.WebhookSecretRotation(activate_after_seconds=24 * 60 * 60)
    rotated = ok(rotate_public_webhook_secret.sync(webhook_id, client=integration, body=tomorrow))
    print(f"…{rotated.secret_hint} signs from", rotated.activates_at)
    # end sample

    # sample: replayPublicWebhook
    outage = models.WebhookReplay(since=began, until=datetime.now(UTC), dry_run=True)
    replayed = ok(replay_public_webhook.sync(webhook_id, client=integration, body=outage))
    print(replayed.count, "events would be delivered again")
    # end sample

    # sample: retrievePublicWebhookStatistics
    week = ok(retrieve_public_webhook_statistics.sync(webhook_id, client=integration))
    print(week.succeeded, "attempts succeeded,", week.failed, "failed")
    # end sample

    # sample: listPublicEventTypes
    for event_type in ok(list_public_event_types.sync(client=integration)):
        print(f"{event_type.type_}: {event_type.description}")
    # end sample

    return webhook_id


def deliveries(integration: AuthenticatedClient, webhook_id: str) -> None:
    # sample: listPublicDeliveries
    deliveries = ok(list_public_deliveries.sync(webhook_id, client=integration))
    for item in deliveries:
        print(item.event_id, "is", item.status)
    # end sample

    delivery_id = deliveries[0].id
    # sample: retrievePublicDelivery
    delivery = ok(retrieve_public_delivery.sync(webhook_id, delivery_id, client=integration))
    for attempt in delivery.attempts:
        print(attempt.number, attempt.status_code, attempt.duration_ms, "ms")
    # end sample

    # sample: redeliverPublicDelivery
    redelivery = ok(redeliver_public_delivery.sync(webhook_id, delivery_id, client=integration))
    print(redelivery.id, "is", redelivery.status)
    # end sample

    # sample: listAllPublicDeliveries
    failed = models.DeliveryStatusInput.FAILED
    print(len(ok(list_all_public_deliveries.sync(client=integration, status=failed))), "have failed")
    # end sample

    # sample: deletePublicWebhook
    ok(delete_public_webhook.sync(webhook_id, client=integration))
    # end sample
