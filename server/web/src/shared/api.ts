// The client of /v1, with the types of openapi.yaml.
import type { Client } from 'openapi-fetch'
import type { components, paths } from './openapi.gen.ts'

export type Schemas = components['schemas']
export type Problem = Schemas['Problem']

/**
 * The outcome of a call: the response's data, the server's refusal, or no usable
 * response. `unavailable` covers everything that a later attempt can change: no
 * connection, a timeout, 429, and 5xx. `retryAfter` is in seconds. `response` is
 * absent if there was none from Assay.
 */
export type Outcome<T> =
  | { kind: 'ok'; data: T; sent: number; received: number }
  | { kind: 'refused'; status: number; problem: Problem }
  | { kind: 'unavailable'; retryAfter?: number | undefined; response?: Response }

/** The client, typed by openapi-fetch, whose code does more than the pages need. */
export type API = Pick<Client<paths>, 'GET' | 'POST' | 'PUT'>

/** The address of the server, which can have a path. The script is in a folder below it. */
const base = new URL('..', import.meta.url)

/** newAPI returns a client that sends the token with each request. It knows no parameters in addresses. */
export function newAPI(token?: string): API {
  const authorization = token && { Authorization: `Bearer ${token}` }
  const sender =
    (method: string) =>
    async (path: string, { body, ...options }: Omit<RequestInit, 'body'> & { body?: unknown }) => {
      const response = await fetch(new URL('.' + path, base), {
        ...options,
        method,
        headers: { ...authorization, 'Content-Type': 'application/json' },
        credentials: 'omit',
        cache: 'no-store',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      // These two have no content.
      if ([202, 204].includes(response.status)) return { data: {}, response }
      if (response.ok) return { data: await response.json(), response }
      return { error: await response.json().catch(() => undefined), response }
    }
  return { GET: sender('GET'), POST: sender('POST'), PUT: sender('PUT') } as unknown as API
}

/** What the client returns. */
export type Response_ = { data?: { data: unknown } | undefined; error?: unknown; response: Response }
type Data<R> = R extends { data?: infer D } ? (D extends { data: infer T } ? T : never) : never

/** How long a request may take, in milliseconds, before the page treats the server as unavailable. */
const requestTimeout = 15_000

/**
 * call runs a request of the client and sorts its outcome. It never throws. `sent` and
 * `received` are times of performance.now().
 */
export async function call<R extends Response_>(
  request: (signal: AbortSignal) => Promise<R>,
  timeout = requestTimeout,
): Promise<Outcome<Data<R>>> {
  const aborter = new AbortController()
  const timer = setTimeout(() => aborter.abort(), timeout)
  const sent = performance.now()
  try {
    const { data, error, response } = await request(aborter.signal)
    const received = performance.now()
    if (response.ok && data) return { kind: 'ok', data: data.data as Data<R>, sent, received }
    if (response.status === 429 || response.status >= 500) {
      const seconds = Number(response.headers.get('Retry-After') ?? NaN)
      return { kind: 'unavailable', retryAfter: Number.isFinite(seconds) ? seconds : undefined, response }
    }
    // A refusal without a problem document is not Assay's. For example, it is that of a network that asks to sign in.
    if (!isProblem(error)) return { kind: 'unavailable' }
    return { kind: 'refused', status: response.status, problem: error }
  } catch {
    return { kind: 'unavailable' }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * backoff is the time until the next attempt after so many failures, in milliseconds:
 * what the server asks for, or 1 s, doubled up to 30 s. Both have jitter.
 */
export function backoff(failures: number, retryAfter: number | undefined): number {
  if (retryAfter !== undefined) return (retryAfter + Math.random()) * 1000
  return Math.min(30_000, 1000 * 2 ** (failures - 1)) * (0.5 + Math.random() / 2)
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'code' in error
}
