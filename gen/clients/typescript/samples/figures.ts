import { type Assay, ok } from "../client.js";

export async function groups(assay: Assay, assessmentId: string): Promise<void> {
  const params = { path: { id: assessmentId } };
  // sample: replaceSelfIdentification
  const options = [
    { id: "female", text: "Female" },
    { id: "male", text: "Male" },
  ];
  await ok(
    assay.PUT("/v1/assessments/{id}/self-identification", {
      params,
      body: { questions: [{ id: "sex", text: "What is your sex?", options }] },
    }),
  );
  // end sample

  // sample: retrieveSelfIdentification
  const asked = await ok(assay.GET("/v1/assessments/{id}/self-identification", { params }));
  console.log(`${asked.questions.length} voluntary questions`);
  // end sample
}

export async function figures(
  assay: Assay,
  integration: Assay,
  assessmentId: string,
  questionId: string,
): Promise<void> {
  const params = { path: { id: assessmentId } };
  // sample: createSegment
  const { id: segmentId } = await ok(
    assay.POST("/v1/assessments/{id}/segments", {
      params,
      body: { name: "First attempts", filter: { attempt: 1 } },
    }),
  );
  // end sample

  // sample: listSegments
  const segments = await ok(assay.GET("/v1/assessments/{id}/segments", { params }));
  for (const { name, count, complete } of segments) console.log(name, count, complete);
  // end sample

  // sample: retrieveSegmentComparison
  const { first, second, passRateRatio } = await ok(
    assay.GET("/v1/assessments/{id}/segments/{segmentId}/comparison", {
      params: { path: { id: assessmentId, segmentId } },
    }),
  );
  console.log(first.passRate, second.passRate, passRateRatio?.finding);
  // end sample

  // sample: deleteSegment
  await ok(
    assay.DELETE("/v1/assessments/{id}/segments/{segmentId}", {
      params: { path: { id: assessmentId, segmentId } },
    }),
  );
  // end sample

  // sample: retrieveGroupStatistics
  const { questions } = await ok(assay.GET("/v1/assessments/{id}/statistics/groups", { params }));
  for (const { text, groups } of questions) console.log(text, groups);
  // end sample

  // sample: exportResponses
  const { data: matrix = "" } = await assay.GET("/v1/assessments/{id}/responses/export", {
    params,
    parseAs: "text",
  });
  console.log(`${matrix.length} characters of CSV`);
  // end sample

  // sample: exportCodeBook
  const { data: codeBook = "" } = await assay.GET("/v1/assessments/{id}/responses/code-book", {
    params,
    parseAs: "text",
  });
  console.log(`${codeBook.length} characters of CSV`);
  // end sample

  // sample: exportPublicResponses
  const { data: byKey = "" } = await integration.GET("/v1/public/assessments/{id}/responses/export", {
    params,
    parseAs: "text",
  });
  console.log(`${byKey.length} characters of CSV`);
  // end sample

  // sample: exportPublicCodeBook
  const { data: columns = "" } = await integration.GET(
    "/v1/public/assessments/{id}/responses/code-book",
    { params, parseAs: "text" },
  );
  console.log(`${columns.length} characters of CSV`);
  // end sample

  // sample: replaceCutScoreRatings
  const rated = await ok(
    assay.PUT("/v1/assessments/{id}/cut-score/ratings", {
      params,
      body: { ratings: [{ questionId, percent: 65 }] },
    }),
  );
  console.log(rated.cutScore ?? "some questions are not yet rated");
  // end sample

  // sample: retrieveCutScoreRatings
  const mine = await ok(assay.GET("/v1/assessments/{id}/cut-score/ratings", { params }));
  for (const { questionId, percent } of mine.ratings) console.log(questionId, percent);
  // end sample

  // sample: retrieveCutScore
  const cut = await ok(assay.GET("/v1/assessments/{id}/cut-score", { params }));
  console.log(cut.cutScore, `by ${cut.judges.length} judges`);
  // end sample

  // sample: deleteCutScoreRatings
  await ok(assay.DELETE("/v1/assessments/{id}/cut-score/ratings", { params }));
  // end sample
}
