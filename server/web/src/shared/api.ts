// The client of /v1, with the types of openapi.yaml.
import type { Client } from 'openapi-fetch'
import type { components, paths } from './openapi.gen.ts'

export type Schemas = components['schemas']
export type Problem = Schemas['Problem']

/**
 * The outcome of a call: the response's data, the server's refusal, or no usable
 * response. `unavailable` covers everything that a later attempt can change: no
 * connection, a timeout, 429, 5xx, and every response that is not Assay's, for example that of a
 * network that asks to sign in. `retryAfter` is in seconds. `response` is absent if there was none from Assay.
 * `doubt` says how likely it is that the content of the request is the cause: 2 if something else than Assay
 * has answered, 0 if Assay itself asks for patience.
 */
export type Outcome<T> =
  | { kind: 'ok'; data: T; sent: number; received: number }
  | { kind: 'refused'; status: number; problem: Problem }
  | { kind: 'unavailable'; retryAfter?: number | undefined; response?: Response; doubt: 0 | 1 | 2 }

/** The client, typed by openapi-fetch, whose code does more than the pages need. */
export type API = Pick<Client<paths>, 'GET' | 'POST' | 'PUT'>

/** The address of the server, which can have a path. The script is in a folder below it. */
const base = new URL('..', import.meta.url)

type Init = { body?: unknown; headers?: Record<string, string> }

/** newAPI returns a client that sends the token with each request. It knows no parameters in addresses. */
export function newAPI(token?: string): API {
  const authorization = token && { Authorization: `Bearer ${token}` }
  const sender =
    (method: string) =>
    async (path: string, { body, headers, ...options }: Omit<RequestInit, 'body' | 'headers'> & Init) => {
      const response = await fetch(new URL('.' + path, base), {
        ...options,
        method,
        headers: { ...authorization, 'Content-Type': 'application/json', ...headers },
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error', // Assay never redirects, so it is that of a network
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const content = parse(await response.text())
      return response.ok ? { data: content ?? {}, response } : { error: content, response }
    }
  return { GET: sender('GET'), POST: sender('POST'), PUT: sender('PUT') } as unknown as API
}

/** parse returns undefined for what is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the client returns. */
export type Response_ = { data?: { data: unknown } | undefined; error?: unknown; response: Response }
export type Data<R> = R extends { data?: infer D } ? (D extends { data: infer T } ? T : never) : never

/** How long a request may take, in milliseconds, before the page treats the server as unavailable. */
const requestTimeout = 15_000

/**
 * call runs a request of the client and sorts its outcome. It never throws. `isOurs` reports whether a
 * response with a 2xx status is what the contract says for the operation. `sent` and `received` are times
 * of performance.now().
 */
export async function call<R extends Response_>(
  request: (signal: AbortSignal) => Promise<R>,
  isOurs: (data: unknown, response: Response) => boolean,
  timeout = requestTimeout,
): Promise<Outcome<Data<R>>> {
  const aborter = new AbortController()
  const timer = setTimeout(() => aborter.abort(), timeout)
  const sent = performance.now()
  try {
    const { data, error, response } = await request(aborter.signal)
    const received = performance.now()
    if (response.ok && isOurs(data?.data, response)) return { kind: 'ok', data: data!.data as Data<R>, sent, received }
    const { status } = response
    const mayPass = status === 429 || status >= 500
    const isOwn = isProblem(error, response)
    if (!mayPass) return isOwn ? { kind: 'refused', status, problem: error } : { kind: 'unavailable', doubt: 2 }
    const seconds = Number(response.headers.get('Retry-After') ?? NaN)
    const isBusy = isOwn && status !== 500
    return {
      kind: 'unavailable',
      retryAfter: Number.isFinite(seconds) ? seconds : undefined,
      response,
      doubt: isBusy ? 0 : 1,
    }
  } catch {
    return { kind: 'unavailable', doubt: 1 }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * fits reports whether a value has the fields of the sample, each of the same type. The items of an array are like
 * the item of the sample. Null in the sample stands for any value.
 */
export function fits(value: unknown, sample: unknown): boolean {
  if (sample === null) return value !== undefined
  if (typeof value !== typeof sample || value === null) return false
  if (Array.isArray(sample)) return Array.isArray(value) && value.every((item) => fits(item, sample[0]))
  return (
    typeof sample !== 'object' ||
    Object.entries(sample).every(([field, part]) => fits((value as Record<string, unknown>)[field], part))
  )
}

/**
 * backoff is the time until the next attempt after so many failures, in milliseconds:
 * what the server asks for, or 1 s, doubled up to 30 s. Both have jitter.
 */
export function backoff(failures: number, retryAfter: number | undefined): number {
  if (retryAfter !== undefined) return (retryAfter + Math.random()) * 1000
  return Math.min(30_000, 1000 * 2 ** (failures - 1)) * (0.5 + Math.random() / 2)
}

/** isProblem reports whether the body is Assay's problem document for the response. Proxies have other documents. */
export function isProblem(body: unknown, { status, headers }: Response): body is Problem {
  const isProblemType = headers.get('Content-Type')?.startsWith('application/problem+json') ?? false
  return isProblemType && fits(body, { type: '', code: '', detail: '' }) && (body as Problem).status === status
}
