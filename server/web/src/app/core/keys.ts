/** newKey makes an Idempotency-Key. Browsers have crypto.randomUUID only on HTTPS and on the own machine. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
