from datetime import UTC, datetime

from assay import AuthenticatedClient, models
from assay.api.webhooks import (
    create_webhook,
    delete_webhook,
    list_deliveries,
    list_webhooks,
    redeliver_delivery,
    replay_webhook,
    retrieve_delivery,
    retrieve_webhook,
    rotate_webhook_secret,
    test_webhook,
    update_webhook,
)
from client import ok


def create(assay: AuthenticatedClient, receiver_url: str) -> str:
    # sample: createWebhook
    subscription = models.WebhookEndpointCreate(
        url=receiver_url, events=[models.EventTypeInput.CANDIDATE_COMPLETED]
    )
    # The secret is in this answer only: keep it to verify signatures with.
    created = ok(create_webhook.sync(client=assay, body=subscription))
    webhook_id, secret = created.id, created.secret
    # end sample
    assert secret

    # sample: testWebhook
    attempt = ok(test_webhook.sync(webhook_id, client=assay))
    print(attempt.status_code or attempt.failure_reason, "after", attempt.duration_ms, "ms")
    # end sample

    # sample: listWebhooks
    for endpoint in ok(list_webhooks.sync(client=assay)):
        print(endpoint.url, *endpoint.events, "enabled" if endpoint.enabled else "disabled")
    # end sample

    # sample: updateWebhook
    change = models.WebhookEndpointUpdate(events=list(models.EventTypeInput), enabled=True)
    ok(update_webhook.sync(webhook_id, client=assay, body=change))
    # end sample

    # sample: retrieveWebhook
    webhook = ok(retrieve_webhook.sync(webhook_id, client=assay))
    print(webhook.url, "failed", webhook.consecutive_failures, "times in a row")
    # end sample

    return webhook_id


def deliveries(assay: AuthenticatedClient, webhook_id: str) -> None:
    # sample: listDeliveries
    completed = models.EventTypeInput.CANDIDATE_COMPLETED
    deliveries = ok(list_deliveries.sync(webhook_id, client=assay, event_type=completed))
    for item in deliveries:
        print(item.event_id, "is", item.status)
    # end sample

    delivery_id = deliveries[0].id
    # sample: retrieveDelivery
    delivery = ok(retrieve_delivery.sync(webhook_id, delivery_id, client=assay))
    for attempt in delivery.attempts:
        print(attempt.number, attempt.status_code, attempt.duration_ms, "ms")
    # end sample

    # sample: redeliverDelivery
    redelivery = ok(redeliver_delivery.sync(webhook_id, delivery_id, client=assay))
    print(redelivery.id, "is", redelivery.status)
    # end sample


def replay(assay: AuthenticatedClient, webhook_id: str, outage_began: datetime) -> None:
    # sample: replayWebhook
    outage = models.WebhookReplay(since=outage_began, until=datetime.now(UTC))
    replayed = ok(replay_webhook.sync(webhook_id, client=assay, body=outage))
    print(replayed.count, "events are delivered again")
    # end sample


def delete(assay: AuthenticatedClient, webhook_id: str) -> None:
    # sample: rotateWebhookSecret
    # The old secret signs for another day: accept both meanwhile.
    tomorrow = models.WebhookSecretRotation(activate_after_seconds=24 * 60 * 60)
    rotated = ok(rotate_webhook_secret.sync(webhook_id, client=assay, body=tomorrow))
    print(f"…{rotated.secret_hint} signs from", rotated.activates_at)
    # end sample

    # sample: deleteWebhook
    ok(delete_webhook.sync(webhook_id, client=assay))
    # end sample
