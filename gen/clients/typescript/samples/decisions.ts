import { type Assay, ok, type Schemas } from "../client.js";

export async function corrections(assay: Assay, assessmentId: string): Promise<string> {
  const path = { id: assessmentId };
  const assessment = await ok(assay.GET("/v1/assessments/{id}", { params: { path } }));
  const questionId = assessment.stages[0]!.questions[0]!.id;
  // sample: listAssessmentQuestionAnswers
  const given = await ok(
    assay.GET("/v1/assessments/{id}/questions/{questionId}/answers", {
      params: { path: { id: assessmentId, questionId } },
    }),
  );
  for (const { answer, count, points } of given.answers) console.log(answer, count, points);
  // end sample

  // sample: previewAssessmentCorrection
  const body: Schemas["AssessmentCorrectionCreate"] = {
    questionId,
    action: "ACCEPT_ALSO",
    key: { correctOptionId: "b" },
    policy: "NEVER_LOWER",
    reason: "Two days are right in a refrigerator",
  };
  const effect = await ok(
    assay.POST("/v1/assessments/{id}/correction-preview", { params: { path }, body }),
  );
  console.log(`${effect.changed} results would change, and ${effect.nowPass.count} more pass`);
  // end sample

  // sample: createAssessmentCorrection
  const { id: correctionId } = await ok(
    assay.POST("/v1/assessments/{id}/corrections", { params: { path }, body }),
  );
  // end sample

  // sample: retrieveAssessmentCorrection
  const progress = await ok(
    assay.GET("/v1/assessments/{id}/corrections/{correctionId}", {
      params: { path: { id: assessmentId, correctionId } },
    }),
  );
  console.log(`${progress.done} of ${progress.total} sessions are done`);
  // end sample

  // sample: listAssessmentCorrections
  const list = await ok(assay.GET("/v1/assessments/{id}/corrections", { params: { path } }));
  for (const { createdAt, createdBy, reason } of list) console.log(createdAt, createdBy.name, reason);
  // end sample

  // sample: withdrawAssessmentCorrection
  const withdrawal = await ok(
    assay.POST("/v1/assessments/{id}/corrections/{correctionId}/withdraw", {
      params: { path: { id: assessmentId, correctionId } },
      body: { reason: "The question says room temperature" },
    }),
  );
  console.log(`${withdrawal.id} withdraws ${withdrawal.withdraws}`);
  // end sample

  return questionId;
}

export async function grades(assay: Assay, sessionId: string, questionId: string): Promise<void> {
  const path = { id: sessionId };
  // sample: gradeCandidateSessionAnswer
  const graded = await ok(
    assay.PUT("/v1/candidate-sessions/{id}/grades/{questionId}", {
      params: { path: { id: sessionId, questionId } },
      // Version 0: nobody has graded the answer yet.
      body: { points: 1.5, reason: "Right, but only by the old edition", version: 0 },
    }),
  );
  console.log(`version ${graded.version}`);
  // end sample

  // sample: listCandidateSessionGrades
  const list = await ok(assay.GET("/v1/candidate-sessions/{id}/grades", { params: { path } }));
  for (const { questionId, points, reason } of list) console.log(questionId, points, reason);
  // end sample

  // sample: listResultRevisions
  const revisions = await ok(
    assay.GET("/v1/candidate-sessions/{id}/result/revisions", { params: { path } }),
  );
  for (const { revision, score, decidedBy } of revisions) console.log(revision, score, decidedBy);
  // end sample

  // sample: retrieveResultRevision
  const first = await ok(
    assay.GET("/v1/candidate-sessions/{id}/result/revisions/{revision}", {
      params: { path: { id: sessionId, revision: "1" } },
    }),
  );
  console.log(`at first ${first.points} points`);
  // end sample
}

export async function rulings(assay: Assay, sessionId: string): Promise<void> {
  const path = { id: sessionId };
  // sample: retrieveOpenDecision
  const open = await ok(assay.GET("/v1/candidate-sessions/{id}/open-decision", { params: { path } }));
  console.log(`${open.waitsFor} since ${open.since}`);
  // end sample

  // sample: ruleCandidateSession
  const ruled = await ok(
    assay.POST("/v1/candidate-sessions/{id}/rulings", {
      params: { path },
      body: {
        stageId: open.stageId!,
        decision: "PASS",
        reason: "The wrong answer concerns equipment that we do not use",
      },
    }),
  );
  console.log(`the session is ${ruled.status}`);
  // end sample
}

export async function forgiveness(assay: Assay, sessionId: string): Promise<void> {
  const path = { id: sessionId };
  // sample: listLateAnswers
  const late = await ok(assay.GET("/v1/candidate-sessions/{id}/late-answers", { params: { path } }));
  for (const { secondsLate, points } of late) console.log(`${secondsLate} s late, worth ${points} points`);
  // end sample

  // sample: countLateAnswers
  const counted = await ok(
    assay.POST("/v1/candidate-sessions/{id}/late-answers/count", {
      params: { path },
      body: { reason: "The network of the test room failed" },
    }),
  );
  console.log(`the score is now ${counted.score}`);
  // end sample

  // sample: reopenCandidateSession
  const reopened = await ok(
    assay.POST("/v1/candidate-sessions/{id}/reopen", {
      params: { path },
      body: { minutes: 10, reason: "The network of the test room failed" },
    }),
  );
  console.log(`the candidate may go on until ${reopened.deadlineAt}`);
  // end sample
}
