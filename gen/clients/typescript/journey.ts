// Performs a complete integration, from signing in to a verified webhook.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import { next, ok, type Schemas } from "./client.js";
import type { paths } from "./generated/assay.js";
import { listen } from "./receiver.js";
import { verifyServiceSignature, verifyStandardWebhook } from "./verify.js";

const { ASSAY_URL: baseUrl = "", ASSAY_EMAIL: email = "", ASSAY_PASSWORD: password = "" } = process.env;

const login = await ok(createClient<paths>({ baseUrl }).POST("/v1/auth/login", { body: { email, password } }));
const assay = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${login.accessToken}` } });
console.log(`signed in as ${login.user.name}`);

const receiver = await listen();
const endpoint = await ok(assay.POST("/v1/webhooks", { body: { url: receiver.url, events: ["candidate.completed"] } }));
console.log(`registered the webhook endpoint ${endpoint.id}`);

const draft = await ok(
  assay.POST("/v1/assessments", {
    body: {
      title: "Night-shift pharmacist",
      passingScore: 60,
      redirectUrl: "https://jobs.example/thanks?source=assay",
      stages: [
        {
          title: "Storage",
          questions: [
            {
              type: "SINGLE_CHOICE",
              prompt: "How long may a compounded syringe be kept at room temperature?",
              points: 2,
              options: [
                { id: "a", text: "Nine hours" },
                { id: "b", text: "Two days" },
              ],
              correctOptionId: "a",
            },
            {
              type: "NUMERIC",
              prompt: "How many millilitres are in a teaspoon?",
              points: 1,
              answer: 4.93,
              tolerance: 0.1,
            },
          ],
        },
      ],
    },
  }),
);
const assessment = await ok(assay.POST("/v1/assessments/{id}/publish", { params: { path: { id: draft.id } } }));
console.log(`published ${assessment.title}, ${assessment.maxPoints} points`);

const apiKey = await ok(
  assay.POST("/v1/api-keys", {
    body: { name: "Careers site", scopes: ["assessments:read", "candidates:read", "candidates:write", "results:read"] },
  }),
);
const integration = createClient<paths>({ baseUrl, headers: { "X-API-Key": apiKey.key } });
console.log(`made the API key ${apiKey.prefix}…${apiKey.last4}`);

// With an Idempotency-Key a request can be repeated safely, as after a lost response.
const invite = (candidateName: string, idempotencyKey: string = randomUUID()) =>
  integration.POST("/v1/public/candidate-sessions", {
    params: { header: { "Idempotency-Key": idempotencyKey } },
    body: {
      assessmentId: assessment.id,
      candidateName,
      candidateEmail: `${candidateName.toLowerCase()}@candidates.example`,
    },
  });
const idempotencyKey = randomUUID();
const session = await ok(invite("Ada", idempotencyKey));
const again = await ok(invite("Ada", idempotencyKey));
assert.equal(again.id, session.id);
console.log(`invited ${session.candidateName} once, though asked twice`);

const inviteToken = new URL(session.inviteUrl!).hash.slice(1);
const candidate = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${inviteToken}` } });
const invited = await ok(candidate.GET("/v1/candidate/session"));
console.log(`it has ${invited.stages.length} stages and is ${invited.status}`);
await ok(candidate.POST("/v1/candidate/session/start"));
const stage = await ok(candidate.GET("/v1/candidate/session/stage"));
const answers: Record<string, Schemas["AnswerInput"]> = { SINGLE_CHOICE: { optionId: "a" }, NUMERIC: { number: 5 } };
for (const { id: questionId, type } of stage.questions) {
  const body = answers[type];
  if (!body) continue; // a type that the service had later than this program
  await ok(candidate.PUT("/v1/candidate/session/answers/{questionId}", { params: { path: { questionId } }, body }));
}
const outcome = await ok(candidate.POST("/v1/candidate/session/stage/submit", { body: { stageId: stage.id } }));
const redirect = new URL(outcome.redirectUrl!);
console.log(`the session is ${outcome.status}, and the candidate sent back to ${redirect.host}`);

const token = redirect.searchParams.get("result")!;
const result = await ok(integration.GET("/v1/public/results/{token}", { params: { path: { token } } }));
assert.deepEqual([result.sessionId, result.score, result.passed], [session.id, 100, true]);
console.log(`exchanged the result token for a score of ${result.score}`);

const expected = [session.id, (await ok(invite("Grace"))).id, (await ok(invite("Edsger"))).id].reverse();
const listed: string[] = [];
let after: string | undefined;
do {
  const query = { assessmentId: assessment.id, limit: 1, ...(after && { after }) };
  const page = integration.GET("/v1/public/candidate-sessions", { params: { query } });
  listed.push(...(await ok(page)).map(({ id }) => id));
  after = next((await page).response);
} while (after);
assert.deepEqual(listed, expected);
console.log(`paged through ${listed.length} sessions, newest first`);

const unknown = await integration.POST("/v1/public/candidate-sessions", {
  body: {
    assessmentId: "asm_00000000000000000000000000",
    candidateName: "Ada",
    candidateEmail: "ada@candidates.example",
  },
});
assert.equal(unknown.response.status, 404);
assert(unknown.error);
console.log(`was refused an unknown assessment: ${unknown.error.code}, ${unknown.error.requestId}`);

const malformed = await integration.POST("/v1/public/candidate-sessions", {
  body: { assessmentId: assessment.id, candidateName: "   ", candidateEmail: "nobody" },
});
assert.equal(malformed.response.status, 400);
assert(malformed.error);
const pointers = malformed.error.errors.map(({ pointer }) => pointer);
assert.deepEqual(pointers.sort(), ["/candidateEmail", "/candidateName"]);
console.log(`was refused ${pointers.join(" and ")}: ${malformed.error.code}, ${malformed.error.requestId}`);

const events = await ok(assay.GET("/v1/events"));
console.log(`read ${events.length} events`);

let event: Schemas["EventEnvelope"];
do {
  // An event of another type may be there before candidate.completed.
  const { headers, body } = await receiver.next();
  assert(verifyServiceSignature(endpoint.secret, body, headers.get("X-Service-Signature")));
  assert(verifyStandardWebhook(endpoint.secret, headers, body));
  event = JSON.parse(body.toString());
} while (event.type !== "candidate.completed");
const { data: completed } = event as Schemas["EventEnvelope"] & Schemas["CandidateCompletedEvent"];
assert.equal(completed.sessionId, session.id);
console.log(`received and verified ${event.type} with ${completed.score}`);
receiver.close();

console.log("journey complete");
