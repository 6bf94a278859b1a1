// Corrects a wrong key through the API: previews the effect, reads the new results, and reopens a session.
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import createClient from "openapi-fetch";
import { ok, type Schemas } from "./client.js";
import type { paths } from "./generated/assay.js";

const { ASSAY_URL: baseUrl = "", ASSAY_EMAIL: email = "", ASSAY_PASSWORD: password = "" } = process.env;
const connect = (token: string) => createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

const login = await ok(createClient<paths>({ baseUrl }).POST("/v1/auth/login", { body: { email, password } }));
const assay = connect(login.accessToken);

// The first key is wrong: nine hours are right.
const choice = (prompt: string, correctOptionId: string): Schemas["QuestionInput"] => ({
  type: "SINGLE_CHOICE",
  prompt,
  points: 2,
  options: [
    { id: "a", text: "Nine hours" },
    { id: "b", text: "Two days" },
  ],
  correctOptionId,
});
const draft = await ok(
  assay.POST("/v1/assessments", {
    body: {
      title: "Night-shift pharmacist",
      passingScore: 60,
      stages: [
        {
          title: "Storage",
          gate: { required: true, minScore: 50 },
          questions: [
            choice("How long may a compounded syringe be kept at room temperature?", "b"),
            {
              type: "NUMERIC",
              prompt: "How many millilitres are in a teaspoon?",
              points: 2,
              answer: 4.93,
              tolerance: 0.1,
            },
          ],
        },
        { title: "Delivery", questions: [choice("How long may it be on its way?", "a")] },
      ],
    },
  }),
);
const path = { id: draft.id };
const questionId = draft.stages[0]!.questions[0]!.id;
await ok(assay.POST("/v1/assessments/{id}/publish", { params: { path } }));

type Answers = Record<string, Schemas["AnswerInput"]>; // by the type of the question

const invite = (name: string) =>
  ok(
    assay.POST("/v1/candidate-sessions", {
      body: { assessmentId: draft.id, candidateName: name, candidateEmail: `${name.toLowerCase()}@candidates.example` },
    }),
  );

async function take(session: Schemas["CandidateSession"], stages: Answers[], start = true): Promise<void> {
  const candidate = connect(new URL(session.inviteUrl!).hash.slice(1));
  if (start) await ok(candidate.POST("/v1/candidate/session/start"));
  for (const answers of stages) {
    const stage = await ok(candidate.GET("/v1/candidate/session/stage"));
    for (const { id: questionId, type } of stage.questions) {
      const body = answers[type];
      if (!body) continue;
      await ok(candidate.PUT("/v1/candidate/session/answers/{questionId}", { params: { path: { questionId } }, body }));
    }
    const outcome = await ok(candidate.POST("/v1/candidate/session/stage/submit", { body: { stageId: stage.id } }));
    if (!outcome.nextStageId) console.log(`${session.candidateName} is ${outcome.status}`);
  }
}

// Ada and Grace choose the right answer, which the key calls wrong. Edsger passes by the wrong key.
const [nineHours, twoDays] = [{ optionId: "a" }, { optionId: "b" }];
const [teaspoon, wrong] = [{ number: 4.93 }, { number: 15 }];
const ada = await invite("Ada");
await take(ada, [{ SINGLE_CHOICE: nineHours, NUMERIC: wrong }]);
const grace = await invite("Grace");
await take(grace, [{ SINGLE_CHOICE: nineHours, NUMERIC: teaspoon }, { SINGLE_CHOICE: twoDays }]);
const edsger = await invite("Edsger");
await take(edsger, [{ SINGLE_CHOICE: twoDays, NUMERIC: teaspoon }, { SINGLE_CHOICE: twoDays }]);

const { answers: given } = await ok(
  assay.GET("/v1/assessments/{id}/questions/{questionId}/answers", { params: { path: { id: draft.id, questionId } } }),
);
assert.deepEqual(
  given.map(({ answer, count, points }) => [answer.optionId, count, points]),
  [
    ["a", 2, 0],
    ["b", 1, 2],
  ],
);
console.log("two of three candidates chose a, which the key calls wrong");

const correction = (policy: Schemas["CorrectionPolicyInput"]): Schemas["AssessmentCorrectionCreate"] => ({
  questionId,
  action: "REPLACE_KEY",
  key: { correctOptionId: "a" },
  reason: "The key was that of the old edition",
  policy,
});
const preview = (policy: Schemas["CorrectionPolicyInput"]) =>
  ok(assay.POST("/v1/assessments/{id}/correction-preview", { params: { path }, body: correction(policy) }));
assert.deepEqual((await preview("EXACT")).noLongerPass.sessionIds, [edsger.id]);
const effect = await preview("NEVER_LOWER");
assert.deepEqual([effect.changed, effect.noLongerPass.count], [2, 0]);
assert.deepEqual([effect.nowPass.sessionIds, effect.gatePasses.sessionIds], [[grace.id], [ada.id]]);
console.log("a correction that lowers nobody changes two results: Grace passes, and so does Ada's gate");

let applied = await ok(
  assay.POST("/v1/assessments/{id}/corrections", { params: { path }, body: correction("NEVER_LOWER") }),
);
while (!applied.appliedAt) {
  await setTimeout(100);
  const created = { id: draft.id, correctionId: applied.id };
  applied = await ok(assay.GET("/v1/assessments/{id}/corrections/{correctionId}", { params: { path: created } }));
}
console.log(`applied to ${applied.done} sessions, ${applied.changed} of them have another result`);
const revisions = assay.GET("/v1/candidate-sessions/{id}/result/revisions", { params: { path: { id: grace.id } } });
for (const { revision, score, decidedBy } of await ok(revisions)) {
  console.log(`Grace, revision ${revision}: ${score}, decided by ${decidedBy}`);
}

// A correction never changes a status. A person decides that Ada goes on, after the gate that she passes now.
const reopened = await ok(
  assay.POST("/v1/candidate-sessions/{id}/reopen", {
    params: { path: { id: ada.id } },
    body: { minutes: 15, reason: "A wrong key stopped the candidate" },
  }),
);
console.log(`Ada is ${reopened.status}`);
await take(ada, [{ SINGLE_CHOICE: nineHours }], false);

const events = await ok(assay.GET("/v1/events", { params: { query: { resourceId: ada.id } } })); // the newest first
const history = events
  .reverse()
  .filter(({ data }) => "revision" in data)
  .map(({ type, data }) => [type, data["revision"], data["score"]]);
assert.deepEqual(history, [
  ["candidate.disqualified", 1, 0],
  ["candidate.result_corrected", 2, 33.33],
  ["candidate.reopened", 3, undefined],
  ["candidate.completed", 3, 66.67],
]);
for (const [type, revision, score] of history) console.log(`${type}, revision ${revision}, score ${score ?? "open"}`);
console.log("correction complete");
