// Performs a complete integration, from signing in to a verified webhook, with the client of @hey-api/openapi-ts.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createClient } from "../generated/hey-api/client/index.js";
import * as api from "../generated/hey-api/index.js";
import { listen } from "../receiver.js";
import { verifyServiceSignature, verifyStandardWebhook } from "../verify.js";

const { ASSAY_URL: baseUrl = "", ASSAY_EMAIL: email = "", ASSAY_PASSWORD: password = "" } = process.env;

// A client with a credential. It throws the problem of a rejected request.
const connect = (credential?: string) => ({
  client: createClient({ baseUrl, auth: () => credential }),
  throwOnError: true as const,
});

const { data: signedIn } = await api.login({ ...connect(), body: { email, password } });
const assay = connect(signedIn.data.accessToken);
console.log(`signed in as ${signedIn.data.user.name}`);

const receiver = await listen();
const { data: endpoint } = await api.createWebhook({
  ...assay,
  body: { url: receiver.url, events: ["candidate.completed"] },
});
console.log(`registered the webhook endpoint ${endpoint.data.id}`);

const { data: draft } = await api.createAssessment({
  ...assay,
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
});
const { data: assessment } = await api.publishAssessment({ ...assay, path: { id: draft.data.id } });
console.log(`published ${assessment.data.title}, ${assessment.data.maxPoints} points`);

const { data: apiKey } = await api.createApiKey({
  ...assay,
  body: { name: "Careers site", scopes: ["assessments:read", "candidates:read", "candidates:write", "results:read"] },
});
const integration = connect(apiKey.data.key);
console.log(`made the API key ${apiKey.data.prefix}…${apiKey.data.last4}`);

// With an Idempotency-Key a request can be repeated safely, as after a lost response.
const invite = async (candidateName: string, idempotencyKey: string = randomUUID()) => {
  const candidateEmail = `${candidateName.toLowerCase()}@candidates.example`;
  const { data } = await api.createPublicCandidateSession({
    ...integration,
    headers: { "Idempotency-Key": idempotencyKey },
    body: { assessmentId: assessment.data.id, candidateName, candidateEmail },
  });
  return data.data;
};
const idempotencyKey = randomUUID();
const session = await invite("Ada", idempotencyKey);
const again = await invite("Ada", idempotencyKey);
assert.equal(again.id, session.id);
console.log(`invited ${session.candidateName} once, though asked twice`);

const candidate = connect(new URL(session.inviteUrl!).hash.slice(1));
const { data: invited } = await api.retrieveTaking(candidate);
console.log(`it has ${invited.data.stages.length} stages and is ${invited.data.status}`);
await api.startTaking(candidate);
const { data: stage } = await api.retrieveCurrentStage(candidate);
const answers: Record<string, api.AnswerInput> = { SINGLE_CHOICE: { optionId: "a" }, NUMERIC: { number: 5 } };
for (const { id: questionId, type } of stage.data.questions) {
  const body = answers[type];
  // A type without an answer here is one that the service had later than this program.
  if (body) await api.saveAnswer({ ...candidate, path: { questionId }, body });
}
const { data: outcome } = await api.submitStage({ ...candidate, body: { stageId: stage.data.id } });
const redirect = new URL(outcome.data.redirectUrl!);
console.log(`the session is ${outcome.data.status}, and the candidate sent back to ${redirect.host}`);

const token = redirect.searchParams.get("result")!;
const { data: result } = await api.exchangeResultToken({ ...integration, path: { token } });
assert.deepEqual([result.data.sessionId, result.data.score, result.data.passed], [session.id, 100, true]);
console.log(`exchanged the result token for a score of ${result.data.score}`);

const expected = [session.id, (await invite("Grace")).id, (await invite("Edsger")).id].reverse();
const listed: string[] = [];
let after: string | undefined;
do {
  const query = { assessmentId: assessment.data.id, limit: 1, after };
  const { data: page, response } = await api.listPublicCandidateSessions({ ...integration, query });
  listed.push(...page.data.map(({ id }) => id));
  after = response.headers.get("Link")?.includes('rel="next"') ? listed.at(-1) : undefined;
} while (after);
assert.deepEqual(listed, expected);
console.log(`paged through ${listed.length} sessions, newest first`);

const unknown = await api.createPublicCandidateSession({
  client: integration.client,
  body: {
    assessmentId: "asm_00000000000000000000000000",
    candidateName: "Ada",
    candidateEmail: "ada@candidates.example",
  },
});
assert.equal(unknown.response?.status, 404);
assert(unknown.error);
console.log(`was refused an unknown assessment: ${unknown.error.code}, ${unknown.error.requestId}`);

const malformed = await api.createPublicCandidateSession({
  client: integration.client,
  body: { assessmentId: assessment.data.id, candidateName: "   ", candidateEmail: "nobody" },
});
assert.equal(malformed.response?.status, 400);
assert(malformed.error);
const pointers = malformed.error.errors.map(({ pointer }) => pointer);
assert.deepEqual(pointers.sort(), ["/candidateEmail", "/candidateName"]);
console.log(`was refused ${pointers.join(" and ")}: ${malformed.error.code}, ${malformed.error.requestId}`);

const { data: events } = await api.listEvents(assay);
console.log(`read ${events.data.length} events`);

let event: api.EventEnvelope;
do {
  // An event of another type may be there before candidate.completed.
  const { headers, body } = await receiver.next();
  assert(verifyServiceSignature(endpoint.data.secret, body, headers.get("X-Service-Signature")));
  assert(verifyStandardWebhook(endpoint.data.secret, headers, body));
  event = JSON.parse(body.toString());
} while (event.type !== "candidate.completed");
const { data: completed } = event as api.EventEnvelope & api.CandidateCompletedEvent;
assert.equal(completed.sessionId, session.id);
console.log(`received and verified ${event.type} with ${completed.score}`);
receiver.close();

console.log("journey complete");
