import { type Assay, ok } from "../client.js";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export async function keyEndpoint(
  integration: Assay,
  receiverUrl: string,
  began: Date,
): Promise<string> {
  const pixel = new Blob([Buffer.from(PIXEL, "base64")], { type: "image/png" });
  // sample: createPublicMedia
  const picture = await ok(
    integration.POST("/v1/public/media", {
      body: "",
      bodySerializer: () => pixel,
      headers: { "Content-Type": "image/png" },
    }),
  );
  console.log(`![A square](media:${picture.id})`);
  // end sample

  // sample: createPublicWebhook
  // The secret is in this answer only: keep it to verify signatures with.
  const { id: webhookId, secret } = await ok(
    integration.POST("/v1/public/webhooks", {
      body: { url: receiverUrl, events: ["candidate.completed"] },
    }),
  );
  // end sample
  if (!secret) throw new Error("a webhook endpoint without a secret");
  const params = { path: { id: webhookId } };

  // sample: testPublicWebhook
  const attempt = await ok(integration.POST("/v1/public/webhooks/{id}/test", { params }));
  console.log(attempt.statusCode ?? attempt.failureReason, `after ${attempt.durationMs} ms`);
  // end sample

  // sample: listPublicWebhooks
  const webhooks = await ok(integration.GET("/v1/public/webhooks"));
  for (const { url, events, enabled } of webhooks) console.log(url, events, enabled);
  // end sample

  // sample: updatePublicWebhook
  await ok(
    integration.PATCH("/v1/public/webhooks/{id}", {
      params,
      body: { description: "Nightly import" },
    }),
  );
  // end sample

  // sample: retrievePublicWebhook
  const webhook = await ok(integration.GET("/v1/public/webhooks/{id}", { params }));
  console.log(`${webhook.url} failed ${webhook.consecutiveFailures} times in a row`);
  // end sample

  // sample: rotatePublicWebhookSecret
  // The old secret signs for another day: accept both meanwhile.
  const rotated = await ok(
    integration.POST("/v1/public/webhooks/{id}/rotate-secret", {
      params,
      body: { activateAfterSeconds: 24 * 60 * 60 },
    }),
  );
  console.log(`…${rotated.secretHint} signs from ${rotated.activatesAt}`);
  // end sample

  // sample: replayPublicWebhook
  const replayed = await ok(
    integration.POST("/v1/public/webhooks/{id}/replay", {
      params,
      body: { since: began.toISOString(), until: new Date().toISOString(), dryRun: true },
    }),
  );
  console.log(`${replayed.count} events would be delivered again`);
  // end sample

  // sample: retrievePublicWebhookStatistics
  const week = await ok(integration.GET("/v1/public/webhooks/{id}/statistics", { params }));
  console.log(`${week.succeeded} attempts succeeded, ${week.failed} failed`);
  // end sample

  // sample: listPublicEventTypes
  const eventTypes = await ok(integration.GET("/v1/public/event-types"));
  for (const { type, description } of eventTypes) console.log(`${type}: ${description}`);
  // end sample

  return webhookId;
}

export async function keyDeliveries(integration: Assay, webhookId: string): Promise<void> {
  // sample: listPublicDeliveries
  const deliveries = await ok(
    integration.GET("/v1/public/webhooks/{id}/deliveries", {
      params: { path: { id: webhookId }, query: { eventType: "candidate.completed" } },
    }),
  );
  for (const delivery of deliveries) console.log(`${delivery.eventId} is ${delivery.status}`);
  // end sample

  const deliveryId = deliveries[0]?.id ?? "";
  // sample: retrievePublicDelivery
  const delivery = await ok(
    integration.GET("/v1/public/webhooks/{id}/deliveries/{deliveryId}", {
      params: { path: { id: webhookId, deliveryId } },
    }),
  );
  for (const { number, statusCode } of delivery.attempts) console.log(number, statusCode);
  // end sample

  // sample: redeliverPublicDelivery
  const redelivery = await ok(
    integration.POST("/v1/public/webhooks/{id}/deliveries/{deliveryId}/redeliver", {
      params: { path: { id: webhookId, deliveryId } },
    }),
  );
  console.log(`${redelivery.id} is ${redelivery.status}`);
  // end sample

  // sample: listAllPublicDeliveries
  const failed = await ok(
    integration.GET("/v1/public/deliveries", { params: { query: { status: "FAILED" } } }),
  );
  console.log(`${failed.length} deliveries have failed`);
  // end sample

  // sample: deletePublicWebhook
  await ok(
    integration.DELETE("/v1/public/webhooks/{id}", { params: { path: { id: webhookId } } }),
  );
  // end sample
}
