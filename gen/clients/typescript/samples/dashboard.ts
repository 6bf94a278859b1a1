import { Buffer } from "node:buffer";
import createClient from "openapi-fetch";
import { type Assay, ok } from "../client.js";
import type { paths } from "../generated/assay.js";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export async function screens(assay: Assay): Promise<void> {
  const logo = new Blob([Buffer.from(PIXEL, "base64")], { type: "image/png" });
  // sample: replaceOrganizationLogo
  const branded = await ok(
    assay.PUT("/v1/organization/logo", {
      body: "",
      bodySerializer: () => logo,
      headers: { "Content-Type": "image/png" },
    }),
  );
  console.log(`${branded.name} has a logo`);
  // end sample

  // sample: deleteOrganizationLogo
  await ok(assay.DELETE("/v1/organization/logo"));
  // end sample

  // sample: createMedia
  const picture = await ok(
    assay.POST("/v1/media", {
      body: "",
      bodySerializer: () => logo,
      headers: { "Content-Type": "image/png" },
    }),
  );
  console.log(`![A square](media:${picture.id})`);
  // end sample

  // sample: listMedia
  for (const { id, width, height, used } of await ok(assay.GET("/v1/media"))) {
    console.log(id, width, height, used);
  }
  // end sample

  // sample: retrieveMedia
  const { url, usedIn } = await ok(assay.GET("/v1/media/{id}", { params: { path: { id: picture.id } } }));
  console.log(url, usedIn);
  // end sample

  // sample: deleteMedia
  await ok(assay.DELETE("/v1/media/{id}", { params: { path: { id: picture.id } } }));
  // end sample

  // sample: retrieveOverview
  const { expiringInvites } = await ok(assay.GET("/v1/overview"));
  console.log(`${expiringInvites.count} invites expire soon`);
  // end sample

  // sample: listSignIns
  for (const { createdAt, current } of await ok(assay.GET("/v1/me/sign-ins"))) {
    console.log(createdAt, current ? "here" : "elsewhere");
  }
  // end sample

  // sample: exportAuditLog
  const { data: entries = "" } = await assay.GET("/v1/audit-log/export", {
    params: { query: { action: "API_KEY_CREATED" } },
    parseAs: "text",
  });
  console.log(`${entries.length} characters of CSV`);
  // end sample
}

export async function leaving(assay: Assay): Promise<void> {
  const [signIn] = await ok(assay.GET("/v1/me/sign-ins"));
  if (!signIn) throw new Error("there is no sign-in");
  // sample: endSignIn
  await ok(assay.DELETE("/v1/me/sign-ins/{id}", { params: { path: { id: signIn.id } } }));
  // end sample
}

export async function supervision(assay: Assay, baseUrl: string, assessmentId: string): Promise<void> {
  // sample: bulkCreateCandidateSessions
  const bulk = await ok(
    assay.POST("/v1/candidate-sessions/bulk", {
      body: {
        rows: [{ assessmentId, candidateName: "Alan Turing", candidateEmail: "alan@candidates.example" }],
      },
    }),
  );
  console.log(`${bulk.createdCount} invited`);
  // end sample

  const session = bulk.rows[0]!.session!;
  const path = { id: session.id };
  // sample: updateCandidateSession
  const updated = await ok(
    assay.PATCH("/v1/candidate-sessions/{id}", {
      params: { path },
      body: { extraTimePercent: 25, note: "Agreed by phone" },
    }),
  );
  console.log(`${updated.extraTimePercent} percent more time`);
  // end sample

  await answer(baseUrl, session.inviteUrl!);
  // sample: extendCandidateSession
  const extended = await ok(
    assay.POST("/v1/candidate-sessions/{id}/extend", {
      params: { path },
      body: { minutes: 10, reason: "A power cut" },
    }),
  );
  console.log(`the time is up at ${extended.deadlineAt}`);
  // end sample

  // sample: retrieveCandidateSessionProgress
  const progress = await ok(assay.GET("/v1/candidate-sessions/{id}/progress", { params: { path } }));
  console.log(`${progress.answeredCount} of ${progress.questionCount} answered`);
  // end sample

  // sample: retrieveCandidateSessionTimeline
  const timeline = await ok(assay.GET("/v1/candidate-sessions/{id}/timeline", { params: { path } }));
  for (const { at, type } of timeline) console.log(at, type);
  // end sample
}

async function answer(baseUrl: string, inviteUrl: string): Promise<void> {
  const token = new URL(inviteUrl).hash.slice(1);
  const candidate = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
  await ok(candidate.POST("/v1/candidate/session/start"));
  const { id: stageId } = await ok(candidate.GET("/v1/candidate/session/stage"));
  // sample: startStage
  const stage = await ok(candidate.POST("/v1/candidate/session/stage/start", { body: { stageId } }));
  console.log(`${stage.title} has ${stage.questions?.length} questions`);
  // end sample

  const questionId = stage.questions![0]!.id;
  // sample: saveAnswers
  const saved = await ok(
    candidate.PUT("/v1/candidate/session/answers", {
      body: {
        stageId,
        clientId: "page-1",
        answers: [{ questionId, answer: { optionId: "a" }, revision: 1, seenRevision: 0 }],
      },
    }),
  );
  for (const { questionId, outcome } of saved.answers) console.log(questionId, outcome);
  // end sample

  // sample: clearAnswer
  await ok(
    candidate.DELETE("/v1/candidate/session/answers/{questionId}", { params: { path: { questionId } } }),
  );
  // end sample
}

export async function reports(
  assay: Assay,
  assessmentId: string,
  sessionId: string,
  webhookId: string,
): Promise<void> {
  const path = { id: assessmentId };
  // sample: checkAssessment
  const check = await ok(assay.POST("/v1/assessments/{id}/check", { params: { path } }));
  console.log(check.publishable ? "publishable" : check.faults);
  // end sample

  // sample: previewAssessment
  const preview = await ok(assay.POST("/v1/assessments/{id}/preview", { params: { path } }));
  console.log(`try it at ${preview.inviteUrl}`);
  // end sample

  // sample: replaceAssessmentNotifications
  await ok(
    assay.PUT("/v1/assessments/{id}/notifications", {
      params: { path },
      body: { finishedEmail: true },
    }),
  );
  // end sample

  // sample: retrieveAssessmentNotifications
  const notifications = await ok(
    assay.GET("/v1/assessments/{id}/notifications", { params: { path } }),
  );
  console.log(`an email when candidates finish: ${notifications.finishedEmail}`);
  // end sample

  // sample: replaceAssessmentRegistration
  const { url } = await ok(
    assay.PUT("/v1/assessments/{id}/registration", { params: { path }, body: { limit: 200 } }),
  );
  console.log(`register at ${url}`);
  // end sample

  // sample: retrieveAssessmentRegistration
  const { used } = await ok(
    assay.GET("/v1/assessments/{id}/registration", { params: { path } }),
  );
  console.log(`registered: ${used}`);
  // end sample

  // sample: closeAssessmentRegistration
  await ok(assay.DELETE("/v1/assessments/{id}/registration", { params: { path } }));
  // end sample

  // sample: replaceEmailText
  const words = {
    kind: "INVITE",
    locale: "en",
    subject: "Invitation: {{assessmentTitle}}",
    text: "Dear {{candidateName}},\n\nplease start by {{lastDay}}.",
  } as const;
  const { source } = await ok(assay.PUT("/v1/email-texts", { body: words }));
  console.log(`invites have the words of ${source}`);
  // end sample

  // sample: previewEmailText
  const email = await ok(assay.POST("/v1/email-texts/preview", { body: words }));
  console.log(email.text);
  // end sample

  // sample: testEmailText
  await ok(assay.POST("/v1/email-texts/test", { body: { kind: "INVITE", locale: "en" } }));
  // end sample

  // sample: listEmailTexts
  const texts = await ok(assay.GET("/v1/email-texts", { params: { query: { assessmentId } } }));
  for (const { kind, locale, subject } of texts) console.log(kind, locale, subject);
  // end sample

  // sample: resetEmailText
  await ok(assay.POST("/v1/email-texts/reset", { body: { kind: "INVITE", locale: "en" } }));
  // end sample

  // sample: retrieveAssessmentStatistics
  const statistics = await ok(assay.GET("/v1/assessments/{id}/statistics", { params: { path } }));
  console.log(`pass rate ${statistics.passRate} at ${statistics.computedAt}`);
  // end sample

  // sample: retrieveAssessmentQuestionStatistics
  const { questions } = await ok(
    assay.GET("/v1/assessments/{id}/statistics/questions", { params: { path } }),
  );
  for (const { prompt, answered } of questions) console.log(prompt, answered);
  // end sample

  // sample: summarizeCandidateSessions
  const summary = await ok(
    assay.GET("/v1/candidate-sessions/summary", { params: { query: { assessmentId } } }),
  );
  console.log(`${summary.total} sessions`);
  // end sample

  // sample: listCandidateSessionChanges
  const { items: changedSessions } = await ok(assay.GET("/v1/candidate-sessions/changes"));
  console.log(`${changedSessions.length} sessions on the first page`);
  // end sample

  // sample: listAssessmentChanges
  const { items: changedAssessments } = await ok(assay.GET("/v1/assessments/changes"));
  console.log(`${changedAssessments.length} assessments on the first page`);
  // end sample

  // sample: retrieveCandidateHistory
  const histories = await ok(
    assay.POST("/v1/candidate-sessions/history", {
      body: { assessmentId, candidateEmails: ["ada@example.com"] },
    }),
  );
  for (const { candidateEmail, attemptCount, repeat } of histories) {
    console.log(candidateEmail, attemptCount, repeat);
  }
  // end sample

  // sample: exportCandidateSessions
  const { data: table = "" } = await assay.GET("/v1/candidate-sessions/export", {
    params: { query: { assessmentId } },
    parseAs: "text",
  });
  console.log(`${table.length} characters of CSV`);
  // end sample

  // sample: exportCandidateSpreadsheet
  const { data: sheet } = await assay.GET("/v1/candidate-sessions/spreadsheet", {
    params: { query: { assessmentId, format: "XLSX", language: "de", timeZone: "Europe/Berlin" } },
    parseAs: "arrayBuffer",
  });
  console.log(`${sheet?.byteLength ?? 0} bytes of XLSX`);
  // end sample

  // sample: retrieveResults
  const rows = await ok(assay.POST("/v1/results/batch", { body: { sessionIds: [sessionId] } }));
  for (const { result, error } of rows) console.log(result?.score ?? error);
  // end sample

  // sample: listAllDeliveries
  const failed = await ok(assay.GET("/v1/deliveries", { params: { query: { status: "FAILED" } } }));
  console.log(`${failed.length} failed deliveries`);
  // end sample

  // sample: retrieveWebhookStatistics
  const webhook = await ok(
    assay.GET("/v1/webhooks/{id}/statistics", { params: { path: { id: webhookId } } }),
  );
  console.log(`${webhook.succeeded} deliveries succeeded`);
  // end sample

  // sample: endSignIns
  await ok(assay.DELETE("/v1/me/sign-ins"));
  // end sample
}
