import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import { type Assay, ok } from "../client.js";
import type { paths } from "../generated/assay.js";

export async function signIn(baseUrl: string, email: string, password: string): Promise<Assay> {
  // sample: login
  // ok() returns the data of the answer, and throws the problem of a refused request.
  const anybody = createClient<paths>({ baseUrl });
  const login = await ok(anybody.POST("/v1/auth/login", { body: { email, password } }));
  const assay = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${login.accessToken}` },
  });
  // end sample
  return assay;
}

/** Registers an organization of its own, so that nobody else is signed out. */
export async function registration(baseUrl: string): Promise<void> {
  const email = `ada-${randomUUID()}@example.com`;
  const [password, newPassword] = [randomUUID(), randomUUID()];

  // sample: register
  const anybody = createClient<paths>({ baseUrl });
  const registration = await ok(
    anybody.POST("/v1/auth/register", {
      body: { organizationName: "Analytical Engines", name: "Ada Lovelace", email, password },
    }),
  );
  console.log(`registered ${registration.organization.name}`);
  // end sample

  const { refreshToken } = registration;
  // sample: refresh
  // The refresh token is replaced too: keep the new one.
  const renewed = await ok(anybody.POST("/v1/auth/refresh", { body: { refreshToken } }));
  const assay = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${renewed.accessToken}` },
  });
  // end sample

  // sample: changePassword
  await ok(assay.POST("/v1/me/password", { body: { currentPassword: password, newPassword } }));
  // end sample

  // sample: logout
  await ok(anybody.POST("/v1/auth/logout", { body: { refreshToken: renewed.refreshToken } }));
  // end sample
}

/** Resets the password of another account, because a reset ends the sign-ins of the person. */
export async function forgotten(baseUrl: string, email: string, resetUrl: string): Promise<string> {
  const password = randomUUID();

  // sample: forgotPassword
  const anybody = createClient<paths>({ baseUrl });
  await ok(anybody.POST("/v1/auth/forgot-password", { body: { email } }));
  // end sample

  // sample: resetPassword
  const token = new URL(resetUrl).hash.slice(1);
  await ok(anybody.POST("/v1/auth/reset-password", { body: { token, password } }));
  // end sample
  return password;
}

/** Confirms the address of the other account, and deletes its organization. */
export async function leave(assay: Assay, confirmUrl: string): Promise<void> {
  // sample: sendEmailConfirmation
  // sends nothing if the address is confirmed
  await ok(assay.POST("/v1/me/email-confirmation"));
  // end sample

  // sample: confirmEmail
  const token = new URL(confirmUrl).hash.slice(1);
  await ok(assay.PUT("/v1/me/email-confirmation", { body: { token } }));
  // end sample

  // sample: deleteOrganization
  // only without other members and candidates
  await ok(assay.DELETE("/v1/organization"));
  // end sample
}

export async function account(assay: Assay): Promise<void> {
  // sample: retrieveMe
  const me = await ok(assay.GET("/v1/me"));
  console.log(`${me.name} is ${me.role} of ${me.organization.name}`);
  // end sample

  // sample: updateMe
  const renamed = await ok(assay.PATCH("/v1/me", { body: { name: "Ada King" } }));
  console.log(`now called ${renamed.name}`);
  // end sample

  // sample: updateOrganization
  const organization = await ok(
    assay.PATCH("/v1/organization", {
      body: { redirectUrl: "https://jobs.example/thanks?source=assay", inviteExpiryDays: 14 },
    }),
  );
  console.log(`${organization.name} sends candidates back to ${organization.redirectUrl}`);
  // end sample
}

export async function organization(assay: Assay): Promise<void> {
  // sample: retrieveOrganization
  const organization = await ok(assay.GET("/v1/organization"));
  console.log(`invites may be started for ${organization.inviteExpiryDays} days`);
  // end sample
}
