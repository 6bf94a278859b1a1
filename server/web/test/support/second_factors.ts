// Second factors: codes as an authenticator app makes them, and the authenticator of Chromium for passkeys.
import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { ok, type Assay, type Schemas } from './api.ts'

const period = 30_000

/** The code of an authenticator app (RFC 6238), now or so many periods later. Each code works once. */
export function totp(secret: string, later = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / period) + later))
  const digest = createHmac('sha1', decoded(secret)).update(counter).digest()
  const number = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** decoded reads Base32 (RFC 4648), also with the spaces that the page shows. */
function decoded(secret: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret.replaceAll(/[\s=]/g, '')].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from(bits.join('').match(/.{8}/g)!.map((byte) => parseInt(byte, 2)))
}

export type App = { secret: string; codes: string[] }

/** Adds an authenticator app through the API, with the code of the earlier period, so that a sign-in can use the present one. */
export async function addApp(api: Assay, password: string): Promise<App> {
  const body = { type: 'TOTP' as const, name: 'Phone', password }
  const made = await ok(api.POST('/v1/me/second-factors', { body }))
  const path = { id: made.id }
  const confirmed = await ok(
    api.POST('/v1/me/second-factors/{id}/confirm', { params: { path }, body: { code: totp(made.secret!, -1) } }),
  )
  return { secret: made.secret!, codes: (confirmed as Schemas['ConfirmedSecondFactor']).recoveryCodes! }
}

/** Gives the page an authenticator that confirms everything, as a phone does after a fingerprint. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
