// The first call with a generated client, and the first refusal.
import createClient from "openapi-fetch";
import type { paths } from "./generated/assay.js";

const assay = createClient<paths>({
  baseUrl: process.env.ASSAY_URL ?? "",
  headers: { "X-API-Key": process.env.ASSAY_API_KEY ?? "" },
});

const { data } = await assay.GET("/v1/public/assessments", { params: { query: { limit: 5 } } });
for (const assessment of data?.data ?? []) console.log(assessment.id, assessment.title);

const { error } = await assay.GET("/v1/public/assessments/{id}", {
  params: { path: { id: "asm_00000000000000000000000000" } },
});
if (error) console.log(error.code, error.detail, error.requestId);
