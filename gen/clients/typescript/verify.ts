// Tells genuine webhooks from others. It needs nothing but Node and may be copied.

// sample: verify
import { createHmac, timingSafeEqual } from "node:crypto";

/** Verifies `X-Service-Signature`. The body is the raw one: read it before anything parses it. */
export function verifyServiceSignature(secret: string, body: Uint8Array, header: string | null): boolean {
  return equal(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`, header ?? "");
}

/**
 * Verifies the headers of Standard Webhooks, which also protect against replays: what was sent
 * more than five minutes before or after `now`, in seconds, is refused.
 */
export function verifyStandardWebhook(secret: string, headers: Headers, body: Uint8Array, now = Date.now() / 1000): boolean {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => headers.get(`webhook-${name}`) ?? "");
  if (!timestamp || !(Math.abs(now - Number(timestamp)) <= 300)) return false;
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : secret;
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  return (signatures ?? "").split(" ").some((signature) => equal(`v1,${expected}`, signature));
}

function equal(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
// end sample
