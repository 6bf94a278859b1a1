// The sign-in of this browser. The access token is in memory only; the refresh token is in a
// cookie that scripts cannot read, and /app/session uses it.
import { signal } from '@preact/signals'
import type { Problem } from '../../shared/api.ts'
import { owner, setOwner } from '../storage/storage.ts'
import { me } from './me.ts'

/** The address of the server, which can have a path. The scripts are in a folder below it. */
export const base = new URL('..', import.meta.url)

/** Whether an organization can be registered here (see server/pages/app_session.go). */
export type Registration = 'OPEN' | 'SETUP' | 'SETUP_LOCAL' | 'CLOSED'

/**
 * What the dashboard shows: nothing yet, the forms for a sign-in, or the screens. `ended` shows the
 * screens below a dialog that asks for the password.
 */
export type State = 'starting' | 'out' | 'in' | 'ended' | 'unreachable'

export const state = signal<State>('starting')
/** The access token of another person or organization that the browser has now. The tab shows nothing of the old one. */
export const elsewhere = signal<string | undefined>(undefined)
export const registration = signal<Registration>('CLOSED')

let token: string | undefined
/** The calls that wait until the person has signed in again. */
let waiting: (() => void)[] = []
let renewal: Promise<void> | undefined

const tabs = new BroadcastChannel(`assay.session ${base.pathname}`)

export function accessToken(): string | undefined {
  return token
}

interface Session {
  accessToken: string | null
  registration?: Registration
}

export type SessionRequest =
  | { type: 'login'; email: string; password: string; organizationId?: string | undefined; code?: string }
  | { type: 'second-factor'; challenge: string; code?: string; passkey?: string }
  | {
      type: 'register'
      organizationName: string
      name: string
      email: string
      password: string
      setupToken?: string | undefined
    }
  | { type: 'switch'; organizationId: string }

/** Refused is thrown when the server answers, but neither refreshes nor ends the sign-in, for example with 429. */
export class Refused extends Error {
  readonly response: Response

  constructor(response: Response) {
    super(`the sign-in was not refreshed: ${response.status}`)
    this.response = response
  }
}

/** start finds out whether the browser has a sign-in. It can be called again if the server was unreachable. */
export async function start(): Promise<void> {
  if (state.value !== 'unreachable') state.value = 'starting'
  try {
    await refresh()
  } catch {
    state.value = 'unreachable'
    return
  }
  if (!token) state.value = 'out'
  else if (!(await load()) && token) state.value = 'unreachable'
  removeStale()
}

/** How long the removal of what is too old waits for the first view, in milliseconds. */
const clearingDelay = 5000

/** removeStale removes what the browser must not keep: of another person, after the sign-in has ended, or because of its age. */
function removeStale(): void {
  if (state.value !== 'in' && state.value !== 'out') return
  const id = me.value?.id
  const before = owner()
  // The person can have memberships in several organizations.
  const isSame = id !== undefined && before?.includes(id)
  if (id && !isSame) setOwner(id)
  const clear = () => import('../storage/clearing.ts').then((clearing) => clearing.clear(id ? (owner() ?? id) : before, !id))
  setTimeout(() => void clear().catch(() => undefined), isSame ? clearingDelay : 0)
}

/**
 * load reads the person, and shows the screens. It returns whether it has succeeded. It is separate, because the API
 * client imports this file.
 */
let load: () => Promise<boolean> = () => Promise.resolve(false)
export function onStart(loader: () => Promise<boolean>): void {
  load = loader
}

/**
 * renew returns a newer access token than `old`. If the sign-in has ended, it waits until
 * the person has signed in again, so that the request that called it can be repeated.
 */
export async function renew(old: string | undefined): Promise<string> {
  // Two tokens of the same second are equal.
  for (let isNew = false; !token || (token === old && !isNew); isNew = true) {
    if (state.value === 'out') throw new Error('no sign-in')
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
  if (!response.ok) throw new Refused(response)
  const { data } = body as { data: Session }
  if (data.registration) registration.value = data.registration
  await accept(data.accessToken)
}

/** accept takes the token of a response. The open screens, and the requests that wait, belong to one membership. */
async function accept(next: string | null): Promise<void> {
  if (next && me.value && subjectOf(next) !== me.value.id) {
    token = undefined
    if (!isLeaving) elsewhere.value = next
    await new Promise(() => undefined) // until the page is gone
  }
  token = next ?? undefined
}

/** subjectOf reads the id of the person from an access token (RFC 7519). */
function subjectOf(jwt: string): unknown {
  const payload = jwt.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')
  return (JSON.parse(atob(payload)) as { sub: unknown }).sub
}

/** end asks for the password in place. Forms keep what they contain. */
function end(): void {
  token = undefined
  state.value = me.value ? 'ended' : 'out'
}

/** signIn signs in or registers. The key is for Idempotency-Key. */
export async function signIn(request: SessionRequest, key?: string): Promise<{ response: Response; body: unknown }> {
  const answer = await send('POST', request, key)
  if (!answer.response.ok) return answer
  await accept((answer.body as { data: Session }).data.accessToken)
  await proceed()
  otherTabs('in')
  return answer
}

/** proceed shows the screens after a sign-in, and lets the requests that wait continue. */
async function proceed(): Promise<void> {
  const isLoaded = await load()
  if (!token) return
  // Screens that are open can continue without newer data of the person.
  if (!isLoaded) state.value = me.value ? 'in' : 'unreachable'
  const calls = waiting
  waiting = []
  for (const call of calls) call()
  removeStale()
}

/** signOut ends the sign-in in all tabs. It returns false if the server could not be reached: the sign-in continues. */
export async function signOut(): Promise<boolean> {
  const isDone = await send('DELETE').then(
    ({ response }) => response.ok,
    () => false,
  )
  if (!isDone) return false
  otherTabs('out')
  await leave()
  return true
}

let isLeaving = false
/** setLeaving says that the tab waits for another page, and no longer shows what follows from the sign-in. */
export const setLeaving = (value: boolean) => (isLeaving = value)
/** otherTabs tells the other tabs about a sign-in ("in") or a sign-out. */
export const otherTabs = (message: 'in' | 'out') => tabs.postMessage(message)

/** leave shows the form for a sign-in, without anything of the person in memory or in the browser. */
export async function leave(): Promise<void> {
  isLeaving = true
  // From here on, no tab keeps anything. If the code cannot be loaded, the next visit clears.
  setOwner(undefined)
  await import('../storage/clearing.ts').then(({ clear }) => clear(undefined)).catch(() => undefined)
  location.assign(new URL('app/sign-in', base))
}

// Back can show the page as it was before the person signed out.
addEventListener('pageshow', (event) => {
  if (event.persisted && isLeaving) location.reload()
})

tabs.onmessage = ({ data }) => {
  const isOpen = state.value === 'in' || state.value === 'ended'
  if (data === 'out') void (isOpen ? leave() : removeStale())
  else void (isOpen ? resume() : start())
}

/** resume continues after a sign-in in another tab. */
async function resume(): Promise<void> {
  try {
    await refresh()
  } catch {
    return // the form for the password stays
  }
  if (token) await proceed()
}

/** How long a request may take, in milliseconds. Other tabs wait for it. */
const timeout = 30_000

/**
 * send uses the cookie. Each use replaces it, and a cookie that is used a second time ends the sign-in, so
 * one tab at a time uses it. Browsers have locks only on HTTPS and on the own machine.
 */
export async function send(
  method: string,
  request?: SessionRequest,
  key?: string,
): Promise<{ response: Response; body: unknown }> {
  const run = async () => {
    const response = await fetch(new URL('app/session', base), {
      method,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: AbortSignal.timeout(timeout),
      headers: { ...(request && { 'Content-Type': 'application/json' }), ...(key && { 'Idempotency-Key': key }) },
      ...(request && { body: JSON.stringify(request) }),
    })
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    return { response, body }
  }
  if (!isSecureContext) return await run()
  return await navigator.locks.request(`assay.session ${base.pathname}`, run)
}

/** isProblem reports whether a body is a problem document. */
export function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body
}
