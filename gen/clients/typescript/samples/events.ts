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
