import { type Assay, ok } from "../client.js";

export async function retention(assay: Assay, assessmentId: string, sessionId: string): Promise<void> {
  const path = { id: assessmentId };
  // sample: retrieveRetention
  const current = await ok(assay.GET("/v1/retention"));
  console.log(current.months === null ? "without a limit" : `${current.months} months`);
  // end sample

  // sample: previewRetention
  const preview = await ok(assay.POST("/v1/retention/preview", { body: { months: 12 } }));
  console.log(`${preview.now} sessions now, and ${preview.soon} within 30 days`);
  // end sample

  // sample: replaceRetention
  const replaced = await ok(
    assay.PUT("/v1/retention", {
      body: { months: 12, notStartedMonths: 1, states: [{ stateId: "rejected", months: 6 }] },
    }),
  );
  console.log(`erases from ${replaced.appliesFrom}`);
  // end sample

  // sample: replaceAssessmentRetention
  await ok(assay.PUT("/v1/assessments/{id}/retention", { params: { path }, body: { months: 24 } }));
  // end sample

  // sample: retrieveAssessmentRetention
  const own = await ok(assay.GET("/v1/assessments/{id}/retention", { params: { path } }));
  console.log(own.months, own.inherited);
  // end sample

  // sample: deleteAssessmentRetention
  await ok(assay.DELETE("/v1/assessments/{id}/retention", { params: { path } }));
  // end sample

  // sample: createLegalHold
  const hold = await ok(
    assay.POST("/v1/legal-holds", {
      body: { sessionId, reason: "Claim 14-220 before the labour court" },
    }),
  );
  // end sample

  // sample: listLegalHolds
  for (const each of await ok(assay.GET("/v1/legal-holds", { params: { query: { sessionId } } }))) {
    console.log(each.id, each.reason, each.createdBy.name);
  }
  // end sample

  // sample: retrieveLegalHold
  const found = await ok(
    assay.GET("/v1/legal-holds/{id}", { params: { path: { id: hold.id } } }),
  );
  console.log(`set on ${found.createdAt}`);
  // end sample

  // sample: deleteLegalHold
  await ok(assay.DELETE("/v1/legal-holds/{id}", { params: { path: { id: hold.id } } }));
  // end sample
}
