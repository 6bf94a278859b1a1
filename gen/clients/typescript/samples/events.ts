import { type Assay, ok } from "../client.js";

export async function events(assay: Assay): Promise<void> {
  // sample: listEventTypes
  const eventTypes = await ok(assay.GET("/v1/event-types"));
  for (const { type, description } of eventTypes) console.log(`${type}: ${description}`);
  // end sample

  // sample: listEvents
  const events = await ok(
    assay.GET("/v1/events", { params: { query: { type: "candidate.completed" } } }),
  );
  for (const { id, deliveries } of events) console.log(id, `${deliveries.length} deliveries`);
  // end sample

  const eventId = events[0]?.id ?? "";
  // sample: retrieveEvent
  const event = await ok(assay.GET("/v1/events/{id}", { params: { path: { id: eventId } } }));
  if (event.type === "candidate.completed") {
    console.log(`${event.data.candidateName}: ${event.data.score}`);
  }
  // end sample
}

export async function follow(integration: Assay, began: Date): Promise<void> {
  // sample: listPublicEvents
  // Pass the id of the last event as `after` in the next run.
  const happened = await ok(
    integration.GET("/v1/public/events", {
      params: { query: { order: "asc", since: began.toISOString() } },
    }),
  );
  for (const { timestamp, type, id } of happened) console.log(timestamp, type, id);
  // end sample

  const [completed] = await ok(
    integration.GET("/v1/public/events", { params: { query: { type: "candidate.completed" } } }),
  );
  const eventId = completed?.id ?? "";
  // sample: retrievePublicEvent
  const event = await ok(
    integration.GET("/v1/public/events/{id}", { params: { path: { id: eventId } } }),
  );
  console.log(event.type, event.timestamp);
  // end sample
}
