// The sign-in of the page after a reset, and of a person who confirms their address. The access token is in memory only.
import { call, fits, parse, type Outcome, type Response_, type Schemas } from '../shared/api.ts'

/** The address of the server, which can have a path. The script is in a folder below it. */
const base = new URL('..', import.meta.url)

let token: string | undefined

/** What a reset has ended, because the address of the account was not proved before. */
export interface Ended {
  apiKeys: number
  webhooks: number
  members: number
}

interface Session {
  accessToken: string | null
  ended?: Ended
}

/** openSession accepts an invitation or resets a password. The response sets the cookie of the dashboard. */
export async function openSession(body: object): Promise<Outcome<Session>> {
  const outcome = await call(
    (signal) => send('POST', 'app/session', signal, body),
    (data) => fits(data, { accessToken: '' }),
  )
  if (outcome.kind !== 'ok') return outcome
  const session = outcome.data as Session
  token = session.accessToken ?? undefined
  return { ...outcome, data: session }
}

/** isSignedIn reports whether this browser has a sign-in. A page that was reloaded gets a new access token. */
export async function isSignedIn(): Promise<boolean> {
  token ??= await renew()
  return token !== undefined
}

async function renew(): Promise<string | undefined> {
  const run = () =>
    call(
      (signal) => send('PUT', 'app/session', signal),
      (data) => fits(data, { accessToken: null }),
    )
  // One tab at a time uses the cookie: see app/core/session.ts.
  const outcome = isSecureContext
    ? await navigator.locks.request(`assay.session ${base.pathname}`, run)
    : await run()
  return outcome.kind === 'ok' ? ((outcome.data as Session).accessToken ?? undefined) : undefined
}

async function send(method: string, path: string, signal: AbortSignal, body?: object): Promise<Response_> {
  const isAPI = path.startsWith('v1/')
  const response = await fetch(new URL(path, base), {
    method,
    credentials: isAPI ? 'omit' : 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    headers: {
      ...(isAPI && token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  })
  const answer = parse(await response.text())
  return response.ok ? { data: (answer ?? {}) as { data: unknown }, response } : { error: answer, response }
}

/** read returns the data of a resource, or undefined if the person may not read it. */
export async function read<T>(path: string, sample: unknown): Promise<T | undefined> {
  const outcome = await call(
    (signal) => send('GET', path, signal),
    (data) => fits(data, sample),
  )
  return outcome.kind === 'ok' ? (outcome.data as T) : undefined
}

/** change sends a request whose response has no content. */
export function change(method: string, path: string, body?: object): Promise<Outcome<unknown>> {
  return call(
    (signal) => send(method, path, signal, body),
    (_, { status, headers }) => status === 204 && headers.has('X-Request-Id'),
  )
}

export type Me = Schemas['Me']
