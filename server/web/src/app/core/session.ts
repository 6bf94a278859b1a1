// The sign-in of this browser. The access token is in memory only; the refresh token is in a
// cookie that scripts cannot read, and /app/session uses it.
import { signal } from '@preact/signals'
import type { Problem, Schemas } from '../../shared/api.ts'

/** The address of the server, which can have a path. The scripts are in a folder below it. */
export const base = new URL('..', import.meta.url)

/** Whether an organization can be registered here (see server/app_session.go). */
export type Registration = 'OPEN' | 'SETUP' | 'SETUP_LOCAL' | 'CLOSED'

/**
 * What the dashboard shows: nothing yet, the forms for a sign-in, or the screens. `ended` shows the
 * screens below a dialog that asks for the password.
 */
export type State = 'starting' | 'out' | 'in' | 'ended' | 'unreachable'

export const state = signal<State>('starting')
export const registration = signal<Registration>('CLOSED')
/** The person who is signed in, with the organization. It stays while the sign-in is ended. */
export const me = signal<Schemas['Me'] | undefined>(undefined)

let token: string | undefined
/** The calls that wait until the person has signed in again. */
let waiting: (() => void)[] = []
let renewal: Promise<void> | undefined

const tabs = new BroadcastChannel('assay.session')

export function accessToken(): string | undefined {
  return token
}

interface Session {
  accessToken: string | null
  registration?: Registration
}

export type SessionRequest =
  | { type: 'login'; email: string; password: string }
  | {
      type: 'register'
      organizationName: string
      name: string
      email: string
      password: string
      setupToken?: string | undefined
    }
  | { type: 'invitation'; token: string; password: string }

/** start finds out whether the browser has a sign-in. */
export async function start(): Promise<void> {
  state.value = 'starting'
  await refresh().catch(() => undefined)
  if (!token && state.value === 'starting') state.value = 'unreachable'
  if (token) await load()
}

/** load reads the person. It is separate, because the API client imports this file. */
let load: () => Promise<void> = () => Promise.resolve()
export function onStart(loader: () => Promise<void>): void {
  load = loader
}

/**
 * renew returns an access token other than `old`. If the sign-in has ended, it waits until
 * the person has signed in again, so that the request that called it can be repeated.
 */
export async function renew(old: string | undefined): Promise<string> {
  while (!token || token === old) {
    if (state.value === 'ended') {
      await new Promise<void>((done) => waiting.push(done))
      continue
    }
    renewal ??= refresh().finally(() => (renewal = undefined))
    await renewal // throws without a connection
    if (!token) end()
  }
  return token
}

async function refresh(): Promise<void> {
  const { response, body } = await send('PUT')
  if (!response.ok) throw new Error(`the sign-in was not refreshed: ${response.status}`)
  const { data } = body as { data: Session }
  token = data.accessToken ?? undefined
  if (data.registration) registration.value = data.registration
  if (!token && !me.value) state.value = 'out'
}

/** end asks for the password in place. Forms keep what they contain. */
function end(): void {
  token = undefined
  state.value = me.value ? 'ended' : 'out'
}

/** signIn signs in, registers, or accepts an invitation. */
export async function signIn(request: SessionRequest): Promise<{ response: Response; body: unknown }> {
  const answer = await send('POST', request)
  if (!answer.response.ok) return answer
  token = (answer.body as { data: Session }).data.accessToken ?? undefined
  const before = me.value
  await load()
  // The screens belong to the person who opened them. `me` can change in load.
  if (before && (me.value as Schemas['Me'] | undefined)?.id !== before.id) location.reload()
  tabs.postMessage('in')
  release()
  return answer
}

/** signOut ends the sign-in in all tabs. */
export async function signOut(): Promise<void> {
  await send('DELETE').catch(() => undefined)
  tabs.postMessage('out')
  leave()
}

function leave(): void {
  location.assign(new URL('app/sign-in', base))
}

function release(): void {
  const calls = waiting
  waiting = []
  for (const call of calls) call()
}

tabs.onmessage = ({ data }) => {
  if (data === 'out') {
    if (state.value === 'in' || state.value === 'ended') leave()
  } else if (state.value === 'ended') {
    // Another tab has signed in, perhaps another person.
    const before = me.value?.id
    void start().then(() => {
      if (me.value?.id === before) release()
      else location.reload()
    })
  } else if (state.value === 'out') void start()
}

async function send(method: string, request?: SessionRequest): Promise<{ response: Response; body: unknown }> {
  const response = await fetch(new URL('app/session', base), {
    method,
    cache: 'no-store',
    credentials: 'same-origin',
    ...(request && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(request) }),
  })
  const body: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined)
  return { response, body }
}

/** isProblem reports whether a body is a problem document. */
export function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body
}
