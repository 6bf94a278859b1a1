import { type Assay, ok } from "../client.js";

export async function people(assay: Assay, integration: Assay, sessionId: string): Promise<void> {
  // sample: retrieveCandidateData
  const known = await ok(assay.POST("/v1/candidate-data", { body: { email: "ada@candidates.example" } }));
  for (const session of known.sessions) console.log(`${session.assessmentTitle}: ${session.answers.length} answers`);
  // end sample

  // sample: renderCandidateDataPage
  const { data: page = "" } = await assay.POST("/v1/candidate-data/page", {
    body: { email: "ada@candidates.example" },
    parseAs: "text",
  });
  console.log(`${page.length} characters of HTML`);
  // end sample

  // sample: retrievePublicCandidateData
  // The key needs candidates:read, results:read, and reviews:read.
  const found = await ok(
    integration.POST("/v1/public/candidate-data", { body: { email: "ada@candidates.example" } }),
  );
  console.log(`${found.sessions.length} sessions`);
  // end sample

  // sample: erasePublicCandidateData
  // The key needs candidates:erase.
  await ok(
    integration.DELETE("/v1/public/candidate-sessions/{id}/candidate-data", {
      params: { path: { id: sessionId } },
    }),
  );
  // end sample

  // sample: eraseCandidateDataByEmail
  for (let remaining = 1; remaining > 0; ) {
    const body = { email: "ada@candidates.example" };
    ({ remaining } = await ok(assay.POST("/v1/candidate-data/erase", { body })));
  }
  // end sample

  // sample: erasePublicCandidateDataByEmail
  const done = await ok(
    integration.POST("/v1/public/candidate-data/erase", { body: { email: "grace@candidates.example" } }),
  );
  console.log(`${done.erased} erased, ${done.held} held`);
  // end sample
}

export async function deletion(assay: Assay): Promise<void> {
  const { name } = await ok(assay.GET("/v1/organization"));
  // sample: scheduleOrganizationDeletion
  // The name confirms it.
  const scheduled = await ok(assay.POST("/v1/organization/deletion", { body: { name } }));
  console.log(`will be deleted at ${scheduled.deletion?.deleteAt}`);
  // end sample

  // sample: cancelOrganizationDeletion
  await ok(assay.DELETE("/v1/organization/deletion"));
  // end sample
}
