import createClient from "openapi-fetch";
import { type Assay, ok } from "../client.js";
import type { paths } from "../generated/assay.js";

export async function apiKey(
  assay: Assay,
  baseUrl: string,
): Promise<{ integration: Assay; apiKeyId: string }> {
  // sample: createApiKey
  // The key is in this answer only.
  const apiKey = await ok(
    assay.POST("/v1/api-keys", {
      body: {
        name: "Careers site",
        scopes: [
          "candidates:read",
          "candidates:write",
          "results:read",
          "assessments:read",
          "reviews:read",
          "reviews:write",
          "results:share",
          "webhooks:manage",
          "audit:read",
          "assessments:write",
          "candidates:erase",
        ],
      },
    }),
  );
  const integration = createClient<paths>({ baseUrl, headers: { "X-API-Key": apiKey.key } });
  // end sample

  // sample: retrievePublicMe
  const { organization, scopes } = await ok(integration.GET("/v1/public/me"));
  console.log(organization.name, "permits", ...scopes);
  // end sample

  // sample: listApiKeys
  const apiKeys = await ok(assay.GET("/v1/api-keys"));
  for (const { name, prefix, last4 } of apiKeys) console.log(name, `${prefix}…${last4}`);
  // end sample

  return { integration, apiKeyId: apiKey.id };
}

export async function revocation(assay: Assay, apiKeyId: string): Promise<void> {
  // sample: retrieveApiKey
  const apiKey = await ok(assay.GET("/v1/api-keys/{id}", { params: { path: { id: apiKeyId } } }));
  console.log(`${apiKey.name} was last used at ${apiKey.lastUsedAt}`);
  // end sample

  // sample: revokeApiKey
  await ok(assay.DELETE("/v1/api-keys/{id}", { params: { path: { id: apiKeyId } } }));
  // end sample
}
