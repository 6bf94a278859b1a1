import createClient from "openapi-fetch";
import { ok } from "../client.js";
import type { paths } from "../generated/assay.js";

export async function take(baseUrl: string, inviteUrl: string): Promise<string> {
  // sample: retrieveTaking
  const token = new URL(inviteUrl).hash.slice(1);
  const candidate = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
  const taking = await ok(candidate.GET("/v1/candidate/session"));
  console.log(`${taking.assessment.title}, ${taking.timeLimitMinutes} minutes`);
  // end sample

  // sample: startTaking
  const started = await ok(candidate.POST("/v1/candidate/session/start"));
  console.log(`the time is up at ${started.deadlineAt}`);
  // end sample

  // sample: retrieveCurrentStage
  const stage = await ok(candidate.GET("/v1/candidate/session/stage"));
  for (const { prompt, options } of stage.questions) console.log(prompt, options);
  // end sample

  for (const { id: questionId } of stage.questions) {
    // sample: saveAnswer
    await ok(
      candidate.PUT("/v1/candidate/session/answers/{questionId}", {
        params: { path: { questionId } },
        body: { optionId: "a" },
      }),
    );
    // end sample
  }

  const questionId = stage.questions[0]?.id ?? "";
  // sample: recordActivity
  const report = { language: "en", questions: [{ questionId, seconds: 24 }] };
  await ok(candidate.POST("/v1/candidate/session/activity", { body: report }));
  // end sample

  // sample: submitStage
  const outcome = await ok(
    candidate.POST("/v1/candidate/session/stage/submit", { body: { stageId: stage.id } }),
  );
  console.log(outcome.nextStageId ? "on to the next stage" : `the session is ${outcome.status}`);
  // end sample

  // sample: retrieveOwnSelfIdentification
  const voluntary = await ok(candidate.GET("/v1/candidate/session/self-identification"));
  for (const { text, options } of voluntary.questions) console.log(text, options);
  // end sample

  // sample: saveOwnSelfIdentification
  await ok(
    candidate.PUT("/v1/candidate/session/self-identification", {
      body: { answers: [{ questionId: "sex", optionId: "female" }] },
    }),
  );
  // end sample

  return outcome.redirectUrl ?? "";
}
