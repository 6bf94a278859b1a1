// Verifies the signatures of webhooks. It needs only Node and may be copied.

// sample: verify
import { createHmac, timingSafeEqual } from "node:crypto";

/** Verifies `X-Service-Signature`. The body is the raw one: read it before anything parses it. */
export function verifyServiceSignature(secret: string, body: Uint8Array, header: string | null) {
  const digest = createHmac("sha256", secret).update(body).digest("hex");
  return equal(`sha256=${digest}`, header ?? "");
}

/**
 * Verifies the headers of Standard Webhooks, which also protect against replays: what was sent
 * more than five minutes before or after `now`, in seconds, is refused.
 */
export function verifyStandardWebhook(
  secret: string,
  headers: Headers,
  body: Uint8Array,
  now = Date.now() / 1000,
) {
  const timestamp = headers.get("webhook-timestamp") ?? "";
  if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > 300) return false;
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : secret;
  const signed = createHmac("sha256", key).update(`${headers.get("webhook-id")}.${timestamp}.`);
  const expected = `v1,${signed.update(body).digest("base64")}`;
  const signatures = headers.get("webhook-signature") ?? "";
  return signatures.split(" ").some((signature) => equal(expected, signature));
}

function equal(expected: string, given: string) {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
// end sample
