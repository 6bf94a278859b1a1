// What openapi-fetch leaves to the caller: refused requests as errors, and the way to the next page.
import type { Client } from "openapi-fetch";
import type { components, paths } from "./generated/assay.js";

export type Assay = Client<paths>;
export type Schemas = components["schemas"];

/** Why a request was refused (RFC 9457): `code` says it, and `errors` names each field that is wrong. */
export class ProblemError extends Error {
  constructor(readonly problem: Schemas["Problem"]) {
    super(`${problem.status} ${problem.code}: ${problem.detail} (${problem.requestId})`);
  }
}

type Answer<T> = { data?: { data: T } | undefined; error?: Schemas["Problem"]; response: Response };

/** What the request answered; throws a ProblemError if it was refused. */
export async function ok<T>(request: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (response.ok) return data?.data as T;
  // A proxy in between does not answer with problems.
  if (!response.headers.get("Content-Type")?.startsWith("application/problem+json")) {
    throw new Error(`${response.status} ${response.statusText}`);
  }
  throw new ProblemError(error!);
}

/** The `after` of the next page, which the Link header names while there is more. */
export function next(page: Response): string | undefined {
  const link = /<([^>]+)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1];
  return link && (new URL(link).searchParams.get("after") ?? undefined);
}
