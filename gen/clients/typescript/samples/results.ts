import { type Assay, ok } from "../client.js";

export async function results(
  assay: Assay,
  integration: Assay,
  sessionId: string,
  requestUrl: string,
): Promise<void> {
  // sample: exchangeResultToken
  const token = new URL(requestUrl).searchParams.get("result") ?? "";
  const result = await ok(
    integration.GET("/v1/public/results/{token}", { params: { path: { token } } }),
  );
  console.log(result.candidate.name, result.score, result.passed ? "passed" : "not passed");
  // end sample

  // sample: createResultToken
  const resultToken = await ok(
    integration.POST("/v1/public/candidate-sessions/{id}/result-token", {
      params: { path: { id: sessionId } },
    }),
  );
  console.log(`a new result token works until ${resultToken.expiresAt}`);
  // end sample

  await linksByKey(integration, sessionId);
  await links(assay, sessionId);
  await byKey(integration, sessionId);
  await byPerson(assay, sessionId);
}

async function linksByKey(integration: Assay, sessionId: string): Promise<void> {
  // sample: createPublicResultLink
  const link = await ok(
    integration.POST("/v1/public/candidate-sessions/{id}/result-links", {
      params: { path: { id: sessionId } },
      body: { label: "Application 4711" },
    }),
  );
  console.log(`the result is at ${link.url}`);
  // end sample

  // sample: listPublicResultLinks
  const links = await ok(
    integration.GET("/v1/public/candidate-sessions/{id}/result-links", {
      params: { path: { id: sessionId } },
    }),
  );
  for (const { label, openCount } of links) console.log(label, "was opened", openCount, "times");
  // end sample

  const linkId = link.id;
  // sample: revokePublicResultLink
  await integration.DELETE("/v1/public/candidate-sessions/{id}/result-links/{linkId}", {
    params: { path: { id: sessionId, linkId } },
  });
  // end sample
}

async function links(assay: Assay, sessionId: string): Promise<void> {
  // sample: createResultLink
  const link = await ok(
    assay.POST("/v1/candidate-sessions/{id}/result-links", {
      params: { path: { id: sessionId } },
      body: { label: "Ana Ruiz, head of kitchen", withAnswers: true },
    }),
  );
  console.log(`send this address to Ana: ${link.url}`);
  // end sample

  // sample: listResultLinks
  const all = await ok(
    assay.GET("/v1/candidate-sessions/{id}/result-links", { params: { path: { id: sessionId } } }),
  );
  console.log(all.length, "links");
  // end sample

  const linkId = link.id;
  // sample: revokeResultLink
  await assay.DELETE("/v1/candidate-sessions/{id}/result-links/{linkId}", {
    params: { path: { id: sessionId, linkId } },
  });
  // end sample
}

async function byKey(integration: Assay, sessionId: string): Promise<void> {
  // sample: retrievePublicCandidateSessionResult
  const result = await ok(
    integration.GET("/v1/public/candidate-sessions/{id}/result", {
      params: { path: { id: sessionId } },
    }),
  );
  for (const { title, score, status } of result.stages) console.log(title, score, status);
  // end sample
}

async function byPerson(assay: Assay, sessionId: string): Promise<void> {
  // sample: retrieveCandidateSessionResult
  const result = await ok(
    assay.GET("/v1/candidate-sessions/{id}/result", { params: { path: { id: sessionId } } }),
  );
  console.log(`${result.points} of ${result.maxPoints} points`);
  // end sample
}
