import { type Assay, ok } from "../client.js";

export async function grading(assay: Assay, assessmentId: string) {
  // sample: retrieveGradingQueue
  const queue = await ok(assay.GET("/v1/grading"));
  for (const { assessmentTitle, prompt, waiting, dueAt } of queue.questions)
    console.log(assessmentTitle, prompt, waiting, dueAt);
  // end sample

  // sample: claimAnswer
  const { claim } = await ok(assay.POST("/v1/grading/claims", { body: { assessmentId } }));
  if (!claim) return;
  console.log(claim.question.prompt, claim.text);
  // end sample

  const path = { id: claim.id };
  // sample: saveClaimDraft
  const draft = { points: null, rubric: [], comment: "The cause is missing" };
  await ok(assay.PUT("/v1/grading/claims/{id}/draft", { params: { path }, body: draft }));
  // end sample

  // sample: gradeClaim
  const next = await ok(
    assay.POST("/v1/grading/claims/{id}/grade", {
      params: { path },
      body: { points: 3, comment: "The cause is missing" },
    }),
  );
  console.log(next.claim?.text ?? "nothing else waits");
  // end sample

  // sample: undoClaim
  const again = await ok(assay.POST("/v1/grading/claims/{id}/undo", { params: { path } }));
  console.log("graded before as", again.claim?.draft?.points);
  // end sample

  // sample: releaseClaim
  await assay.POST("/v1/grading/claims/{id}/release", { params: { path } });
  // end sample

  // sample: retrieveGradingAgreement
  const agreement = await ok(
    assay.GET("/v1/assessments/{id}/grading-agreement", { params: { path: { id: assessmentId } } }),
  );
  for (const { questionId, answers, kappa } of agreement.questions) console.log(questionId, answers, kappa);
  // end sample
}
