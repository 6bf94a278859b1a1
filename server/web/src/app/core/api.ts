// The client of /v1. It signs each request, and asks for a new sign-in when the present one has ended.
import createClient from 'openapi-fetch'
import type { Problem, Schemas } from '../../shared/api.ts'
import type { paths } from '../../shared/openapi.gen.ts'
import { accessToken, base, isProblem, Refused, renew } from './session.ts'

export type { Problem, Schemas }

/** Why a request did not succeed. `status` is 0 without a response from Assay. */
export interface Fault {
  status: number
  problem?: Pick<Problem, 'code' | 'detail' | 'errors' | 'earlierAttempt' | 'secondFactor'> | undefined
  /** When another attempt is permitted, in seconds. */
  retryAfter?: number | undefined
  requestId?: string | undefined
}

export type Answer<T> = { ok: true; data: T; response: Response } | { ok: false; fault: Fault }

/** The client, with the types of openapi.yaml. Use it inside of ask(). */
export const v1 = createClient<paths>({
  baseUrl: base.href.replace(/\/$/, ''),
  cache: 'no-store',
  credentials: 'omit',
  redirect: 'error', // Assay never redirects
  fetch: signed,
})

type Response_ = { data?: unknown; error?: unknown; response: Response }
/** The field `data` of a response. A response without content has none. */
type Data<R> = R extends { data: infer D } ? ([D] extends [{ data: infer T }] ? T : undefined) : never

/** ask runs a request of the client and never throws. */
export async function ask<R extends Response_>(request: Promise<R>): Promise<Answer<Data<R>>> {
  try {
    const { data, error, response } = await request
    // Each response of Assay has an id. Those of a network that asks to sign in, or of a proxy, do not.
    const isOurs = response.headers.has('X-Request-Id')
    if (response.ok && isOurs) return { ok: true, data: (data as { data?: unknown } | undefined)?.data as Data<R>, response }
    return { ok: false, fault: faultOf(response, error) }
  } catch {
    return { ok: false, fault: { status: 0 } }
  }
}

/** faultOf reads a refusal. A response without an id is that of a proxy that cannot reach Assay. */
export function faultOf(response: Response, error: unknown): Fault {
  const requestId = response.headers.get('X-Request-Id') ?? undefined
  const seconds = Number(response.headers.get('Retry-After') ?? NaN)
  return {
    status: requestId ? response.status : 0,
    problem: typeof error === 'object' && error !== null && 'code' in error ? (error as Problem) : undefined,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
    requestId,
  }
}

/** fetchSigned requests a path of /v1 whose response is not JSON, such as an export. */
export function fetchSigned(path: string, signal?: AbortSignal): Promise<Response> {
  return signed(new Request(new URL('.' + path, base), { cache: 'no-store', credentials: 'omit', signal: signal ?? null }))
}

/**
 * What handles some refusals, by code. It returns whether the request is repeated. It is separate, because its code uses this
 * file.
 */
let handlers: Record<string, () => boolean | Promise<boolean>> = {}
export function onRefusal(given: typeof handlers): void {
  handlers = given
}

/** How often a request is sent. A server whose clock is wrong could refuse each new token. */
const maxAttempts = 4

async function signed(request: Request): Promise<Response> {
  try {
    for (let attempt = 1, isRepeated = false; ; attempt++) {
      const token = accessToken() ?? (await renew(undefined))
      const copy = request.clone()
      copy.headers.set('Authorization', `Bearer ${token}`)
      const response = await fetch(copy)
      const code = response.ok ? '' : await codeOf(response)
      if (!isRepeated && (await handlers[code]?.())) isRepeated = true
      else if (attempt < maxAttempts && response.status === 401 && !code.startsWith('invalid_')) await renew(token)
      else return response
    }
  } catch (error) {
    if (error instanceof Refused) return error.response
    throw error
  }
}

/** codeOf returns the code of a refusal. A wrong password or code in a request gets a 401, but the token still works. */
async function codeOf(response: Response): Promise<string> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return isProblem(body) ? body.code : ''
}

/** cursorOf returns the cursor of the next page from the Link header (RFC 8288), if there is a next page. */
export function cursorOf(response: Response): string | undefined {
  const next = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
  return (next && new URL(next, base).searchParams.get('after')) || undefined
}
