import { randomUUID } from "node:crypto";
import { type Assay, ok, type Schemas } from "../client.js";

type Session = Schemas["CandidateSession"];

export async function invite(integration: Assay, assessmentId: string): Promise<Session> {
  const applicationId = randomUUID();
  // sample: createPublicCandidateSession
  // Under one Idempotency-Key the candidate is invited once, however often this is sent.
  const session = await ok(
    integration.POST("/v1/public/candidate-sessions", {
      params: { header: { "Idempotency-Key": `invite-${applicationId}` } },
      body: {
        assessmentId,
        candidateName: "Ada Lovelace",
        candidateEmail: "ada@candidates.example",
        externalId: applicationId,
      },
    }),
  );
  // end sample
  return session;
}

export async function people(assay: Assay, assessmentId: string): Promise<void> {
  // sample: createCandidateSession
  const session = await ok(
    assay.POST("/v1/candidate-sessions", {
      body: {
        assessmentId,
        candidateName: "Grace Hopper",
        candidateEmail: "grace@candidates.example",
        extraTimePercent: 25,
      },
    }),
  );
  console.log(`${session.candidateName} may start until ${session.expiresAt}`);
  // end sample

  const { id: sessionId } = session;
  // sample: resendCandidateSession
  const resent = await ok(
    assay.POST("/v1/candidate-sessions/{id}/resend", { params: { path: { id: sessionId } } }),
  );
  console.log(`the new link for ${resent.candidateEmail} works until ${resent.expiresAt}`);
  // end sample

  // sample: cancelCandidateSession
  const cancelled = await ok(
    assay.POST("/v1/candidate-sessions/{id}/cancel", { params: { path: { id: sessionId } } }),
  );
  console.log(`${cancelled.candidateName} is ${cancelled.status}`);
  // end sample
}

export async function integrations(integration: Assay, assessmentId: string): Promise<void> {
  // sample: bulkCreatePublicCandidateSessions
  const rows = ["edsger", "barbara"].map((name) => ({
    assessmentId,
    candidateName: name,
    candidateEmail: `${name}@candidates.example`,
  }));
  const bulk = await ok(integration.POST("/v1/public/candidate-sessions/bulk", { body: { rows } }));
  for (const { index, error } of bulk.rows.filter(({ outcome }) => outcome === "FAILED")) {
    console.error(`row ${index}: ${error?.detail}`);
  }
  console.log(`${bulk.createdCount} invited, ${bulk.failedCount} failed`);
  // end sample

  const sessionId = bulk.rows[0]?.session?.id ?? "";
  // sample: retrievePublicCandidateSession
  const session = await ok(
    integration.GET("/v1/public/candidate-sessions/{id}", { params: { path: { id: sessionId } } }),
  );
  console.log(`${session.candidateName} is ${session.status}`);
  // end sample

  // sample: resendPublicCandidateSession
  const resent = await ok(
    integration.POST("/v1/public/candidate-sessions/{id}/resend", {
      params: { path: { id: sessionId } },
      body: { sendEmail: true },
    }),
  );
  console.log(`the email to ${resent.candidateEmail} is ${resent.email.status}`);
  // end sample

  // sample: cancelPublicCandidateSession
  const cancelled = await ok(
    integration.POST("/v1/public/candidate-sessions/{id}/cancel", {
      params: { path: { id: sessionId } },
    }),
  );
  console.log(`${cancelled.candidateName} is ${cancelled.status}`);
  // end sample
}

export async function lists(assay: Assay, integration: Assay, assessmentId: string): Promise<void> {
  // sample: listCandidateSessions
  const sessions: Schemas["CandidateSession"][] = [];
  let after: string | undefined;
  do {
    const query = { assessmentId, limit: 100, ...(after && { after }) };
    const page = await ok(assay.GET("/v1/candidate-sessions", { params: { query } }));
    sessions.push(...page);
    after = page.at(-1)?.id;
  } while (after);
  console.log(`${sessions.length} sessions`);
  // end sample

  const lastRun = sessions.at(-1)?.createdAt ?? "";
  // sample: listPublicCandidateSessions
  const query = { updatedSince: lastRun, limit: 100 };
  const request = integration.GET("/v1/public/candidate-sessions", { params: { query } });
  for (const { externalId, status, score } of await ok(request)) {
    console.log(externalId, status, score);
  }
  // From where the next run continues, once all pages are read. The largest updatedAt would miss changes.
  const { response } = await request;
  const nextRun = new Date(Date.parse(response.headers.get("Date")!) - 60_000).toISOString();
  // end sample
  console.log("the next run continues from", nextRun);

  // sample: listPublicCandidateSessionChanges
  let cursor: string | undefined;
  for (let more = true; more; ) {
    const query = { ...(cursor ? { cursor } : {}), limit: 100 };
    const page = await ok(integration.GET("/v1/public/candidate-sessions/changes", { params: { query } }));
    for (const { id, status, score } of page.items) console.log(id, status, score);
    // The next run continues from this cursor. Store it with the items of the page.
    cursor = page.cursor;
    more = page.hasMore;
  }
  // end sample
}

export async function erasure(assay: Assay, sessionId: string): Promise<void> {
  // sample: eraseCandidateData
  await ok(
    assay.DELETE("/v1/candidate-sessions/{id}/candidate-data", {
      params: { path: { id: sessionId } },
    }),
  );
  // end sample

  // sample: retrieveCandidateSession
  const session = await ok(
    assay.GET("/v1/candidate-sessions/{id}", { params: { path: { id: sessionId } } }),
  );
  console.log(`${session.status} with ${session.score}, erased at ${session.erasedAt}`);
  // end sample
}
