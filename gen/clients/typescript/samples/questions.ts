import { type Assay, ok } from "../client.js";

export async function questions(assay: Assay): Promise<void> {
  // sample: createQuestion
  const created = await ok(
    assay.POST("/v1/questions", {
      body: {
        tags: ["storage", "easy"],
        question: {
          type: "NUMERIC",
          prompt: "At how many °C is insulin stored at most?",
          points: 2,
          answer: 8,
        },
      },
    }),
  );
  // end sample
  const path = { id: created.id };

  // sample: listQuestions
  const list = await ok(
    assay.GET("/v1/questions", {
      params: { query: { tag: ["storage", "easy"] } },
      querySerializer: { array: { style: "form", explode: false } }, // lists have commas
    }),
  );
  for (const { id, prompt } of list) console.log(id, prompt);
  // end sample

  // sample: listQuestionTags
  for (const { name, count } of await ok(assay.GET("/v1/question-tags"))) console.log(name, count);
  // end sample

  // sample: retrieveQuestion
  const question = await ok(assay.GET("/v1/questions/{id}", { params: { path } }));
  console.log(`version ${question.version}`);
  // end sample

  // sample: updateQuestion
  const changed = await ok(
    assay.PATCH("/v1/questions/{id}", { params: { path }, body: { tags: ["storage", "hard"] } }),
  );
  console.log(changed.tags);
  // end sample

  // sample: listQuestionVersions
  const versions = await ok(assay.GET("/v1/questions/{id}/versions", { params: { path } }));
  console.log(`${versions.length} versions`);
  // end sample

  // sample: retrieveQuestionStatistics
  const { exposures } = await ok(assay.GET("/v1/questions/{id}/statistics", { params: { path } }));
  console.log(`seen by ${exposures}`);
  // end sample

  // sample: deleteQuestion
  await ok(assay.DELETE("/v1/questions/{id}", { params: { path } }));
  // end sample
}
