import { type Assay, ok, type Schemas } from "../client.js";

export async function assessment(assay: Assay): Promise<string> {
  // sample: createAssessment
  const question: Schemas["QuestionInput"] = {
    type: "SINGLE_CHOICE",
    prompt: "How long may a compounded syringe be kept at room temperature?",
    points: 2,
    options: [{ id: "a", text: "Nine hours" }, { id: "b", text: "Two days" }],
    correctOptionId: "a",
  };
  const draft = await ok(
    assay.POST("/v1/assessments", {
      body: { title: "Night-shift pharmacist", stages: [{ title: "Storage", questions: [question] }] },
    }),
  );
  // end sample

  const { id: assessmentId } = draft;
  // sample: updateAssessment
  await ok(
    assay.PATCH("/v1/assessments/{id}", {
      params: { path: { id: assessmentId } },
      body: {
        passingScore: 60,
        timeLimitMinutes: 45,
        redirectUrl: "https://jobs.example/thanks?source=assay",
      },
    }),
  );
  // end sample

  // sample: publishAssessment
  const published = await ok(
    assay.POST("/v1/assessments/{id}/publish", { params: { path: { id: assessmentId } } }),
  );
  console.log(`${published.title} is ${published.status}`);
  // end sample

  // sample: retrieveAssessment
  const assessment = await ok(
    assay.GET("/v1/assessments/{id}", { params: { path: { id: assessmentId } } }),
  );
  for (const { title, questions } of assessment.stages) console.log(title, questions.length);
  // end sample

  // sample: listAssessments
  const assessments = await ok(
    assay.GET("/v1/assessments", { params: { query: { status: "PUBLISHED", q: "pharmacist" } } }),
  );
  for (const { title, maxPoints } of assessments) console.log(`${title}, ${maxPoints} points`);
  // end sample

  return assessmentId;
}

export async function publicAssessment(integration: Assay, assessmentId: string): Promise<void> {
  // sample: listPublicAssessments
  const assessments = await ok(integration.GET("/v1/public/assessments"));
  for (const { id, title } of assessments) console.log(`${title} (${id}) takes invites`);
  // end sample

  // sample: listPublicAssessmentChanges
  let cursor: string | undefined;
  for (let more = true; more; ) {
    const query = { ...(cursor ? { cursor } : {}), limit: 100 };
    const page = await ok(integration.GET("/v1/public/assessments/changes", { params: { query } }));
    for (const { id, status } of page.items) console.log(id, status);
    // The next run continues from this cursor. Store it with the items of the page.
    cursor = page.cursor;
    more = page.hasMore;
  }
  // end sample

  // sample: retrievePublicAssessment
  const assessment = await ok(
    integration.GET("/v1/public/assessments/{id}", { params: { path: { id: assessmentId } } }),
  );
  console.log(`${assessment.questionCount} questions in ${assessment.timeLimitMinutes} minutes`);
  // end sample

  // sample: exportPublicAssessment
  const { data: backup = "" } = await integration.GET("/v1/public/assessments/{id}/export", {
    params: { path: { id: assessmentId } },
    parseAs: "text",
  });
  console.log(`${backup.length} characters of JSON`);
  // end sample

  // sample: importPublicAssessment
  const preview = await ok(
    integration.POST("/v1/public/assessments/import", {
      params: { query: { dryRun: true } },
      body: backup,
      bodySerializer: (text) => text,
      headers: { "Content-Type": "application/octet-stream" },
    }),
  );
  console.log(`${preview.stages.length} stages can be imported`);
  // end sample
}

export async function nextVersion(assay: Assay, assessmentId: string): Promise<void> {
  // sample: duplicateAssessment
  const copy = await ok(
    assay.POST("/v1/assessments/{id}/duplicate", { params: { path: { id: assessmentId } } }),
  );
  console.log(`${copy.title} is ${copy.status}, and may be changed`);
  // end sample

  const { id: draftId } = copy;
  // sample: exportAssessment
  const { data: file } = await assay.GET("/v1/assessments/{id}/export", {
    params: { path: { id: assessmentId }, query: { format: "GIFT" } },
    parseAs: "arrayBuffer",
  });
  console.log(`${file?.byteLength ?? 0} bytes of GIFT`);
  // end sample

  // sample: importAssessment
  const gift = "Which gas do plants take up? {=Carbon dioxide ~Oxygen}";
  const imported = await ok(
    assay.POST("/v1/assessments/import", {
      params: { query: { format: "GIFT", fileName: "biology.gift" } },
      body: gift,
      bodySerializer: (text) => text,
      headers: { "Content-Type": "application/octet-stream" },
    }),
  );
  for (const { excerpt, notes } of imported.report.questions) {
    for (const { severity, detail } of notes) console.log(excerpt, severity, detail);
  }
  // end sample

  // sample: deleteAssessment
  await ok(assay.DELETE("/v1/assessments/{id}", { params: { path: { id: draftId } } }));
  // end sample

  // sample: archiveAssessment
  const archived = await ok(
    assay.POST("/v1/assessments/{id}/archive", { params: { path: { id: assessmentId } } }),
  );
  console.log(`${archived.title} takes no more invites`);
  // end sample
}
