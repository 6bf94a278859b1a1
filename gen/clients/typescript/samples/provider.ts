import createClient from "openapi-fetch";
import { type Assay, ok } from "../client.js";
import type { paths } from "../generated/assay.js";

/** Lets members sign in with the provider of their company. */
export async function provider(assay: Assay, baseUrl: string): Promise<void> {
  // sample: createSignInDomain
  const domain = await ok(
    assay.POST("/v1/organization/domains", { body: { domain: "analytical-engines.example" } }),
  );
  console.log(`publish ${domain.txtValue} as a TXT record of ${domain.txtName}`);
  // end sample

  // sample: verifySignInDomain
  const verified = await ok(
    assay.POST("/v1/organization/domains/{id}/verify", { params: { path: { id: domain.id } } }),
  );
  console.log(`${verified.domain} is ${verified.state}`);
  // end sample

  // sample: listSignInDomains
  for (const { domain, state } of await ok(assay.GET("/v1/organization/domains"))) {
    console.log(`${domain} is ${state}`);
  }
  // end sample

  // sample: replaceSignInProvider
  const replaced = await ok(
    assay.PUT("/v1/organization/sign-in-provider", {
      body: {
        issuer: "https://login.analytical-engines.example",
        clientId: "assay",
        clientSecret: "Zk4sW9qT2vLx",
        required: false, // true only after the first sign-in with the provider
        createMembers: true,
        defaultRole: "MEMBER",
      },
    }),
  );
  console.log(`register ${replaced.callbackUrl} at the provider`);
  // end sample

  // sample: retrieveSignInProvider
  const present = await ok(assay.GET("/v1/organization/sign-in-provider"));
  console.log(`${present.issuer} last worked at ${present.lastSucceededAt}`);
  // end sample

  const email = "mary@analytical-engines.example";
  // sample: startProviderSignIn
  const anybody = createClient<paths>({ baseUrl });
  const { startUrl } = await ok(anybody.POST("/v1/auth/sign-in-provider", { body: { email } }));
  console.log(`open ${startUrl} in the browser of the person`);
  // end sample

  // sample: createSignInRecoveryCodes
  const { codes } = await ok(assay.POST("/v1/organization/sign-in-recovery-codes"));
  console.log(`keep these codes for the owners: ${codes.join(", ")}`);
  // end sample

  // sample: deleteSignInProvider
  await ok(assay.DELETE("/v1/organization/sign-in-provider"));
  // end sample

  // sample: deleteSignInDomain
  await ok(
    assay.DELETE("/v1/organization/domains/{id}", { params: { path: { id: domain.id } } }),
  );
  // end sample
}
