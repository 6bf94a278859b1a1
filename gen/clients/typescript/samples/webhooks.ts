import { type Assay, ok } from "../client.js";

export async function endpoint(assay: Assay, receiverUrl: string): Promise<string> {
  // sample: createWebhook
  // The secret is in this answer only: keep it to verify signatures with.
  const { id: webhookId, secret } = await ok(
    assay.POST("/v1/webhooks", { body: { url: receiverUrl, events: ["candidate.completed"] } }),
  );
  // end sample
  if (!secret) throw new Error("a webhook endpoint without a secret");

  // sample: testWebhook
  const attempt = await ok(
    assay.POST("/v1/webhooks/{id}/test", { params: { path: { id: webhookId } } }),
  );
  console.log(attempt.statusCode ?? attempt.failureReason, `after ${attempt.durationMs} ms`);
  // end sample

  // sample: listWebhooks
  const webhooks = await ok(assay.GET("/v1/webhooks"));
  for (const { url, events, enabled } of webhooks) console.log(url, events, enabled);
  // end sample

  // sample: updateWebhook
  await ok(
    assay.PATCH("/v1/webhooks/{id}", {
      params: { path: { id: webhookId } },
      body: { events: ["candidate.completed", "candidate.disqualified"], enabled: true },
    }),
  );
  // end sample

  // sample: retrieveWebhook
  const webhook = await ok(assay.GET("/v1/webhooks/{id}", { params: { path: { id: webhookId } } }));
  console.log(`${webhook.url} failed ${webhook.consecutiveFailures} times in a row`);
  // end sample

  return webhookId;
}

export async function deliveries(assay: Assay, webhookId: string): Promise<void> {
  // sample: listDeliveries
  const deliveries = await ok(
    assay.GET("/v1/webhooks/{id}/deliveries", {
      params: { path: { id: webhookId }, query: { eventType: "candidate.completed" } },
    }),
  );
  for (const delivery of deliveries) console.log(`${delivery.eventId} is ${delivery.status}`);
  // end sample

  const deliveryId = deliveries[0]?.id ?? "";
  // sample: retrieveDelivery
  const delivery = await ok(
    assay.GET("/v1/webhooks/{id}/deliveries/{deliveryId}", {
      params: { path: { id: webhookId, deliveryId } },
    }),
  );
  for (const { number, statusCode } of delivery.attempts) console.log(number, statusCode);
  // end sample

  // sample: redeliverDelivery
  const redelivery = await ok(
    assay.POST("/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver", {
      params: { path: { id: webhookId, deliveryId } },
    }),
  );
  console.log(`${redelivery.id} is ${redelivery.status}`);
  // end sample
}

export async function afterAnOutage(
  assay: Assay,
  webhookId: string,
  outageBegan: Date,
): Promise<void> {
  // sample: replayWebhook
  const replayed = await ok(
    assay.POST("/v1/webhooks/{id}/replay", {
      params: { path: { id: webhookId } },
      body: {
        since: outageBegan.toISOString(),
        until: new Date().toISOString(),
        eventType: "candidate.completed",
      },
    }),
  );
  console.log(`${replayed.count} events are delivered again`);
  // end sample
}

export async function end(assay: Assay, webhookId: string): Promise<void> {
  // sample: rotateWebhookSecret
  // The old secret signs for another day: accept both meanwhile.
  const rotated = await ok(
    assay.POST("/v1/webhooks/{id}/rotate-secret", {
      params: { path: { id: webhookId } },
      body: { activateAfterSeconds: 24 * 60 * 60 },
    }),
  );
  console.log(`…${rotated.secretHint} signs from ${rotated.activatesAt}`);
  // end sample

  // sample: deleteWebhook
  await ok(assay.DELETE("/v1/webhooks/{id}", { params: { path: { id: webhookId } } }));
  // end sample
}
