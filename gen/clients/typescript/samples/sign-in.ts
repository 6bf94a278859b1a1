import { createHmac } from "node:crypto";
import createClient from "openapi-fetch";
import { type Assay, ok } from "../client.js";
import type { paths } from "../generated/assay.js";

/** The code that an authenticator app shows now for a secret in Base32 (RFC 6238). */
function totp(secret: string): string {
  const bits = [...secret]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac("sha1", key).update(step).digest();
  const number = digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** Signs in a person who has a passkey and recovery codes. */
export async function passkeys(
  baseUrl: string,
  email: string,
  password: string,
  [recoveryCode, otherCode]: string[],
): Promise<void> {
  const anybody = createClient<paths>({ baseUrl });
  const { error } = await anybody.POST("/v1/auth/login", { body: { email, password } });
  const challenge = error!.secondFactor!.challenge;
  // sample: createPasskeyOptions
  const options = await ok(anybody.POST("/v1/auth/second-factor/passkey-options", { body: { challenge } }));
  // end sample
  console.log(`${options.publicKey.length} characters of options`);

  // sample: completeSignIn
  // challenge is secondFactor.challenge of the problem that POST /v1/auth/login has returned.
  const login = await ok(
    anybody.POST("/v1/auth/second-factor", { body: { challenge, code: recoveryCode! } }),
  );
  // end sample
  let assay = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${login.accessToken}` },
  });

  // sample: listMemberships
  const memberships = await ok(assay.GET("/v1/me/memberships"));
  for (const { organization, role } of memberships) console.log(`${role} of ${organization.name}`);
  // end sample

  const organizationId = memberships[0]!.organization.id;
  const { refreshToken } = login;
  // sample: switchOrganization
  // From now on, use the new tokens.
  const switched = await ok(
    assay.POST("/v1/me/organization", { body: { organizationId, refreshToken } }),
  );
  assay = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${switched.accessToken}` },
  });
  // end sample
  await secondFactors(assay, password, otherCode!);
}

/** Adds an authenticator app for a person, and removes it. */
async function secondFactors(assay: Assay, password: string, otherCode: string): Promise<void> {
  // sample: createSecondFactor
  const factor = await ok(
    assay.POST("/v1/me/second-factors", { body: { type: "TOTP", name: "Phone", password } }),
  );
  console.log(`show this as a QR code until ${factor.expiresAt}: ${factor.uri}`);
  // end sample

  const code = totp(factor.secret!);
  // sample: confirmSecondFactor
  const { recoveryCodes } = await ok(
    assay.POST("/v1/me/second-factors/{id}/confirm", {
      params: { path: { id: factor.id } },
      body: { code },
    }),
  );
  console.log(`keep these codes: ${recoveryCodes?.join(", ")}`);
  // end sample

  // sample: retrieveSecondFactors
  const { factors, recoveryCodesLeft } = await ok(assay.GET("/v1/me/second-factors"));
  console.log(`${factors.length} second factors, ${recoveryCodesLeft} recovery codes`);
  // end sample

  // sample: createReauthenticationOptions
  const { publicKey } = await ok(assay.POST("/v1/me/reauthentication/passkey-options"));
  // In a browser: navigator.credentials.get({
  //   publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(publicKey)) })
  // end sample
  console.log(`${publicKey.length} characters of options`);

  // sample: reauthenticate
  await ok(assay.POST("/v1/me/reauthentication", { body: { code: otherCode } }));
  // end sample

  // sample: createRecoveryCodes
  const { codes } = await ok(assay.POST("/v1/me/recovery-codes"));
  console.log(`only these codes work now: ${codes.join(", ")}`);
  // end sample

  // sample: deleteSecondFactor
  await ok(
    assay.DELETE("/v1/me/second-factors/{id}", { params: { path: { id: factor.id } } }),
  );
  // end sample
}
