// Reads an organization with the types of the last release of the contract, while the server is newer.
// Prints each value of the sets that can grow.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import createClient from "openapi-fetch";
import { ok } from "./client.js";
import type { components, paths } from "./generated/released.js";

type Schemas = components["schemas"];

const { ASSAY_URL: baseUrl = "", ASSAY_EMAIL: email = "", ASSAY_PASSWORD: password = "" } = process.env;
const { ASSAY_API_KEY: key = "", ASSAY_INVITES: invites = "", ASSAY_WEBHOOKS: webhooks = "" } = process.env;

const connect = (headers: Record<string, string>) => createClient<paths>({ baseUrl, headers });
const login = await ok(connect({}).POST("/v1/auth/login", { body: { email, password } }));
const person = connect({ Authorization: `Bearer ${login.accessToken}` });
const integration = connect({ "X-API-Key": key });

await ok(person.GET("/v1/me"));
await ok(person.GET("/v1/organization"));
await ok(person.GET("/v1/overview"));
const hundred = { query: { limit: 100 } };
for (const { action } of await ok(person.GET("/v1/audit-log", { params: hundred }))) console.log(`action ${action}`);
for (const { scopes } of await ok(person.GET("/v1/api-keys"))) for (const scope of scopes) console.log(`scope ${scope}`);

await ok(person.GET("/v1/event-types"));
for (const { id } of await ok(person.GET("/v1/events", { params: hundred }))) {
  const event = await ok(person.GET("/v1/events/{id}", { params: { path: { id } } }));
  console.log(`event ${event.type}`);
}
for (const { id } of await ok(person.GET("/v1/webhooks"))) {
  const deliveries = await ok(person.GET("/v1/webhooks/{id}/deliveries", { params: { path: { id }, ...hundred } }));
  for (const { id: deliveryId } of deliveries) {
    await ok(person.GET("/v1/webhooks/{id}/deliveries/{deliveryId}", { params: { path: { id, deliveryId } } }));
  }
}

for (const { id, title } of await ok(person.GET("/v1/assessments"))) {
  const params = { path: { id } };
  await ok(person.GET("/v1/assessments/{id}", { params }));
  await ok(person.GET("/v1/assessments/{id}/statistics", { params }));
  await ok(person.GET("/v1/assessments/{id}/statistics/questions", { params }));
  if (title !== "Once") continue;
  const mary = { assessmentId: id, candidateName: "Mary", candidateEmail: "mary@candidates.example" };
  const { error } = await person.POST("/v1/candidate-sessions", { body: mary });
  console.log(`refused ${error?.code}`);
}

// The webhooks that an endpoint has received, one per line.
for (const line of (await readFile(webhooks, "utf8")).trim().split("\n")) {
  const event = JSON.parse(line) as Schemas["EventEnvelope"];
  if (event.type === "candidate.completed" || event.type === "candidate.disqualified") {
    const { data } = event as Schemas["EventEnvelope"] & Schemas["CandidateCompletedEvent"];
    assert.equal(typeof data.score, "number");
    assert.equal(typeof data.sessionId, "string");
  }
  console.log(`webhook ${event.type}`);
}

// The first session was reopened, and the redirect at its end has a result token.
let redirectUrl: string | null = null;
for (const [i, invite] of invites.split(" ").entries()) {
  const candidate = connect({ Authorization: `Bearer ${invite}` });
  const taking = await ok(candidate.GET("/v1/candidate/session"));
  const stage = await ok(candidate.GET("/v1/candidate/session/stage"));
  console.log(`continues ${taking.status} ${stage.title}`);
  if (i > 0) continue;
  for (const { id: questionId } of stage.questions) {
    const params = { path: { questionId } };
    await ok(candidate.PUT("/v1/candidate/session/answers/{questionId}", { params, body: { number: 3 } }));
  }
  ({ redirectUrl } = await ok(candidate.POST("/v1/candidate/session/stage/submit", { body: { stageId: stage.id } })));
}

await ok(person.GET("/v1/candidate-sessions/summary"));
await ok(integration.GET("/v1/public/candidate-sessions"));
for (const { id, status } of await ok(person.GET("/v1/candidate-sessions"))) {
  const params = { path: { id } };
  for (const entry of await ok(person.GET("/v1/candidate-sessions/{id}/timeline", { params }))) {
    console.log(`entry ${entry.type}`);
    if (entry.email) console.log(`email ${entry.email}`);
  }
  if (status === "IN_PROGRESS") await ok(person.GET("/v1/candidate-sessions/{id}/progress", { params }));
  if (status !== "COMPLETED" && status !== "DISQUALIFIED") continue;
  const result = await ok(person.GET("/v1/candidate-sessions/{id}/result", { params }));
  console.log(`result ${result.score}`);
  await ok(integration.GET("/v1/public/candidate-sessions/{id}/result", { params }));
}

const token = new URL(redirectUrl!).searchParams.get("result")!;
const result = await ok(integration.GET("/v1/public/results/{token}", { params: { path: { token } } }));
console.log(`token ${result.score}`);

console.log("reading complete");
