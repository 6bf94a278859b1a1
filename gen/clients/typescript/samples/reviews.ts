import { type Assay, ok, type Schemas } from "../client.js";

export async function reviews(assay: Assay, integration: Assay, sessionId: string): Promise<void> {
  const path = { id: sessionId };
  // sample: listReviewStates
  const known = await ok(assay.GET("/v1/review-states"));
  for (const { id, name } of known.states) console.log(id, name);
  // end sample

  // sample: replaceReviewStates
  const states: Schemas["ReviewStateInput"][] = [...known.states, { name: "Trial shift" }];
  const replaced = await ok(
    assay.PUT("/v1/review-states", { body: { version: known.version, states } }),
  );
  const trial = replaced.states.at(-1)!;
  // end sample

  // sample: changeReviewState
  const review = await ok(
    assay.PUT("/v1/candidate-sessions/{id}/review/state", {
      params: { path },
      body: { stateId: trial.id, from: "new", reason: "Strong in both stages" },
    }),
  );
  console.log(`now in ${review.state.name}`);
  // end sample

  // sample: bulkChangeReviewStates
  const outcome = await ok(
    assay.PUT("/v1/candidate-sessions/review-states", {
      body: {
        stateId: "shortlisted",
        reason: "The trial shifts went well",
        rows: [{ sessionId, from: trial.id }],
        email: {
          subject: "Your application to {{organizationName}}",
          text: "Dear {{candidateName}},\n\nplease come on Thursday.",
          delayMinutes: 30,
        },
      },
    }),
  );
  for (const row of outcome.rows) console.log(row.index, row.outcome);
  // end sample
  const batch = { id: outcome.emailBatchId! };

  // sample: previewReviewEmail
  const preview = await ok(
    assay.POST("/v1/candidate-sessions/{id}/review/email/preview", {
      params: { path },
      body: { subject: "Your application to {{organizationName}}", text: "Dear {{candidateName}}" },
    }),
  );
  console.log(preview.subject);
  // end sample

  // sample: cancelReviewEmail
  const one = await ok(
    assay.POST("/v1/candidate-sessions/{id}/review/email/cancel", { params: { path } }),
  );
  console.log(`${one.cancelledCount} cancelled`);
  // end sample

  // sample: cancelReviewEmails
  const all = await ok(
    assay.POST("/v1/review-emails/{id}/cancel", { params: { path: batch } }),
  );
  console.log(`${all.cancelledCount} cancelled, ${all.sentCount} sent`);
  // end sample

  // sample: changeReviewTags
  const tagged = await ok(
    assay.PATCH("/v1/candidate-sessions/{id}/review/tags", {
      params: { path },
      body: { add: ["night shift", "speaks French"] },
    }),
  );
  console.log(tagged.tags);
  // end sample

  // sample: listReviewTags
  for (const { name, count } of await ok(assay.GET("/v1/review-tags"))) console.log(name, count);
  // end sample

  // sample: replaceReviewRating
  const rated = await ok(
    assay.PUT("/v1/candidate-sessions/{id}/review/rating", { params: { path }, body: { rating: 4 } }),
  );
  console.log(`${rated.rating} on average`);
  // end sample

  // sample: deleteReviewRating
  await assay.DELETE("/v1/candidate-sessions/{id}/review/rating", { params: { path } });
  // end sample

  // sample: createReviewComment
  const comment = await ok(
    assay.POST("/v1/candidate-sessions/{id}/review/comments", {
      params: { path },
      body: { text: "Asked good questions about allergens" },
    }),
  );
  // end sample

  // sample: updateReviewComment
  await ok(
    assay.PATCH("/v1/candidate-sessions/{id}/review/comments/{commentId}", {
      params: { path: { id: sessionId, commentId: comment.id } },
      body: { text: "Asked good questions about allergens. Invited for Thursday." },
    }),
  );
  // end sample

  // sample: retrieveReview
  const { comments } = await ok(
    assay.GET("/v1/candidate-sessions/{id}/review", { params: { path } }),
  );
  for (const { createdBy, text } of comments) console.log(createdBy.name, text);
  // end sample

  // sample: deleteReviewComment
  await assay.DELETE("/v1/candidate-sessions/{id}/review/comments/{commentId}", {
    params: { path: { id: sessionId, commentId: comment.id } },
  });
  // end sample

  // sample: listPublicReviewStates
  const publicStates = await ok(integration.GET("/v1/public/review-states"));
  const names = new Map(publicStates.states.map(({ id, name }) => [id, name]));
  // end sample
  console.log(`${names.size} states`);

  // sample: changePublicReviewState
  const changed = await ok(
    integration.PUT("/v1/public/candidate-sessions/{id}/review/state", {
      params: { path },
      body: { stateId: "hired" },
    }),
  );
  console.log(`now in ${changed.state.name}`);
  // end sample

  // sample: bulkChangePublicReviewStates
  const { failedCount } = await ok(
    integration.PUT("/v1/public/candidate-sessions/review-states", {
      body: { stateId: "hired", rows: [{ sessionId }] },
    }),
  );
  console.log(`${failedCount} failed`);
  // end sample

  // sample: cancelPublicReviewEmail
  const byKey = await ok(
    integration.POST("/v1/public/candidate-sessions/{id}/review/email/cancel", {
      params: { path },
    }),
  );
  console.log(`${byKey.cancelledCount} cancelled`);
  // end sample

  // sample: cancelPublicReviewEmails
  const allByKey = await ok(
    integration.POST("/v1/public/review-emails/{id}/cancel", { params: { path: batch } }),
  );
  console.log(`${allByKey.sentCount} sent`);
  // end sample

  // sample: changePublicReviewTags
  const checked = await ok(
    integration.PATCH("/v1/public/candidate-sessions/{id}/review/tags", {
      params: { path },
      body: { add: ["reference checked"], remove: ["night shift"] },
    }),
  );
  console.log(checked.tags);
  // end sample

  // sample: listPublicReviewTags
  const publicTags = await ok(integration.GET("/v1/public/review-tags"));
  for (const { name, count } of publicTags) console.log(name, count);
  // end sample

  // sample: replacePublicReviewRating
  const five = await ok(
    integration.PUT("/v1/public/candidate-sessions/{id}/review/rating", {
      params: { path },
      body: { rating: 5 },
    }),
  );
  console.log(`${five.rating} on average`);
  // end sample

  // sample: deletePublicReviewRating
  await integration.DELETE("/v1/public/candidate-sessions/{id}/review/rating", { params: { path } });
  // end sample

  // sample: createPublicReviewComment
  await ok(
    integration.POST("/v1/public/candidate-sessions/{id}/review/comments", {
      params: { path },
      body: { text: "The offer was accepted" },
    }),
  );
  // end sample

  // sample: retrievePublicReview
  const { changes } = await ok(
    integration.GET("/v1/public/candidate-sessions/{id}/review", { params: { path } }),
  );
  for (const { from, to } of changes) console.log(`${from.name} to ${to.name}`);
  // end sample
}
