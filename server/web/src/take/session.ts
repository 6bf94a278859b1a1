// The candidate's session: what the server says about it, and the actions that change it.
import { batch, signal } from '@preact/signals'
import { announce } from '../shared/announce.ts'
import { call, newAPI, type API, type Outcome, type Schemas } from '../shared/api.ts'
import { text } from '../shared/i18n.tsx'
import { observe } from './clock.ts'
import { forget, keepSession, keptSessions, type KeptSession } from './database.ts'
import { enter, forgetView } from './route.ts'
import * as saver from './saver.ts'
import { hold } from './tabs.ts'

/** What the page shows. */
export type Phase =
  | 'loading'
  | 'unreachable' // nothing was loaded yet
  | 'noLink' // opened without a token, or with a damaged one
  | 'continue' // opened without a token, and this browser has one
  | 'replaced' // the link was cancelled or replaced
  | 'expired'
  | 'intro'
  | 'stageIntro' // a stage with a time limit waits for its start
  | 'working'
  | 'ended'
  | 'otherTab' // the assessment is open in another tab

export const phase = signal<Phase>('loading')
export const taking = signal<Schemas['Taking'] | undefined>(undefined)
export const stage = signal<Schemas['CurrentStage'] | undefined>(undefined)
/** The session as this browser keeps it. */
export const kept = signal<KeptSession | undefined>(undefined)
/** The sessions to continue, for the phase `continue`. */
export const known = signal<KeptSession[]>([])
/** The stage that has just ended, and why, for a notice on the next view. */
export const notice = signal<{ order: number; reason: 'timeUp' | 'submitted' } | undefined>(undefined)
/** The answers that did not reach the server before their stage ended. */
export const missed = signal<readonly Missed[]>([])
/** The action that waits for the server, so that its button can show it and cannot be pressed twice. */
export const busy = signal(false)
/** Why the last action did not happen. The next action clears it. */
export const problem = signal<'unavailable' | Schemas['Problem'] | undefined>(undefined)
/** Whether the time is up and the page waits for the outcome. The fields are locked. */
export const locked = signal(false)

/** An answer that did not reach the server in time. */
export interface Missed {
  stage: Schemas['CurrentStage']
  question: Schemas['CandidateQuestion']
  entry: saver.Entry
}

let api: API
// The server's time of the latest submission.
let submittedAt: string | undefined
const tabKey = 'assay-take' // in sessionStorage: the token, so that a reload of this tab asks nothing
const tokenForm = /^inv_([0-9a-z]+)_\d+_[\w-]+$/

/** tokenIn finds an invite token in a link or a fragment. */
export function tokenIn(link: string): string | undefined {
  const end = link.trim().split('#').pop()!
  return tokenForm.test(end) ? end : undefined
}

/** boot decides which session the page shows. */
export async function boot(): Promise<void> {
  const fragment = location.hash.slice(1)
  const given = tokenIn(fragment)
  if (given || fragment.startsWith('inv')) history.replaceState(null, '', '/take')
  const token = given ?? remembered()
  if (token) return open(token)
  known.value = await keptSessions()
  phase.value = fragment.startsWith('inv') || known.value.length === 0 ? 'noLink' : 'continue'
}

function remembered(): string | undefined {
  try {
    return sessionStorage.getItem(tabKey) ?? undefined
  } catch {
    return undefined
  }
}

/** open shows the session of the token. */
export async function open(token: string): Promise<void> {
  try {
    sessionStorage.setItem(tabKey, token)
  } catch {
    // Without storage, a reload needs the link again.
  }
  api = newAPI(token)
  const id = 'ses_' + tokenForm.exec(token)![1]
  const earlier = (await keptSessions()).find((session) => session.id === id)
  kept.value = { flagged: [], clientId: newClientId(), ...earlier, id, token }
  phase.value = 'loading'
  await load()
}

function newClientId(): string {
  // Not randomUUID, which needs HTTPS.
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** remember changes what this browser keeps of the session. */
export function remember(changed: Partial<KeptSession>): void {
  if (!kept.value) return
  kept.value = { ...kept.value, ...changed }
  void keepSession(kept.value)
}

/** load asks the server for the session's state, and shows it. It returns whether the server answered. */
export async function load(): Promise<boolean> {
  const outcome = await call((signal) => api.GET('/v1/candidate/session', { signal }))
  if (outcome.kind === 'unavailable') {
    if (!taking.value) phase.value = 'unreachable'
    return false
  }
  if (outcome.kind === 'refused') {
    phase.value = outcome.status === 410 ? 'expired' : outcome.status === 401 ? 'replaced' : 'noLink'
    return true
  }
  return show(outcome)
}

/** follow loads the session's state, and tries again until the server answers. */
export async function follow(): Promise<void> {
  for (let wait = 500; !(await load()); wait = Math.min(2 * wait, 10_000)) await pause(wait)
}

/** pause waits for some milliseconds, or until the browser is online again. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      done()
    }
    const timer = setTimeout(end, milliseconds)
    addEventListener('online', end)
  })
}

async function show(outcome: Extract<Outcome<Schemas['Taking']>, { kind: 'ok' }>): Promise<boolean> {
  const session = outcome.data
  observe(session.serverTime, outcome.sent, outcome.received)
  update(session)
  switch (session.status) {
    case 'INVITED':
      phase.value = 'intro'
      break
    case 'IN_PROGRESS':
      remember({ candidate: session.candidate.name, title: session.assessment.title })
      if (await hold(session.id)) return loadStage()
      phase.value = 'otherTab'
      break
    case 'EXPIRED':
      phase.value = 'expired'
      break
    default:
      await end()
  }
  return true
}

async function loadStage(): Promise<boolean> {
  const outcome = await call((signal) => api.GET('/v1/candidate/session/stage', { signal }))
  if (outcome.kind === 'ok') await showStage(outcome)
  else if (!stage.value) phase.value = 'unreachable'
  return outcome.kind === 'ok'
}

async function showStage(outcome: Extract<Outcome<Schemas['CurrentStage']>, { kind: 'ok' }>): Promise<void> {
  const current = outcome.data
  observe(current.serverTime, outcome.sent, outcome.received)
  if (stage.value && stage.value.id !== current.id) leaveStage(submittedAt ?? current.serverTime)
  else announceAdded(stage.value?.deadlineAt, current.deadlineAt)
  if (current.status === 'IN_PROGRESS') {
    await saver.openStage(
      { api, session: kept.value!.id, clientId: kept.value!.clientId, surprised: () => void follow(), deadline: moved },
      current,
    )
  }
  batch(() => {
    enter(current.id, current.status === 'IN_PROGRESS')
    stage.value = current
    phase.value = current.status === 'IN_PROGRESS' ? 'working' : 'stageIntro'
  })
}

// leaveStage ends the work on the stage: it keeps what was not sent, and says why the stage ended.
function leaveStage(at: string, isTimeUp = isOver(stage.value?.deadlineAt, at)): void {
  const left = stage.value!
  const lost = saver.unsent.value.flatMap((entry) => {
    const question = left.questions.find(({ id }) => id === entry.question)
    return question ? [{ stage: left, question, entry }] : []
  })
  missed.value = [...missed.value, ...lost]
  notice.value = { order: left.order, reason: isTimeUp ? 'timeUp' : 'submitted' }
  submittedAt = undefined
  added.value = 0
  forgetView()
  if (isTimeUp) announce(text('time.up'), 'assertive')
}

/** isOver reports whether the deadline has passed at the time. */
export function isOver(deadlineAt: string | null | undefined, at: string): boolean {
  return deadlineAt != null && Date.parse(at) >= Date.parse(deadlineAt)
}

/** update takes the session of a response. Its deadline changes when the organization adds time. */
export function update(session: Schemas['Taking']): void {
  if (phase.value === 'stageIntro') announceAdded(taking.value?.deadlineAt, session.deadlineAt)
  taking.value = session
}

/** moved takes the stage's deadline of a response, which changes when the organization adds time. */
export function moved(at: string | null): void {
  if (!stage.value || stage.value.deadlineAt === at) return
  announceAdded(stage.value.deadlineAt, at)
  stage.value = { ...stage.value, deadlineAt: at }
  // The session's deadline moves, too.
  void retrieve()
}

/** The minutes that the organization has added to this stage while the page was open. */
export const added = signal(0)

function announceAdded(from: string | null | undefined, to: string | null): void {
  if (!from || !to) return
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / 60_000)
  if (minutes <= 0) return
  added.value += minutes
  announce(text('time.added', { count: minutes }))
}

/** retrieve asks the server for the session, and keeps the view. */
export async function retrieve(): Promise<void> {
  const outcome = await call((signal) => api.GET('/v1/candidate/session', { signal }))
  if (outcome.kind !== 'ok') return
  observe(outcome.data.serverTime, outcome.sent, outcome.received)
  update(outcome.data)
}

// act runs an action of the candidate, once at a time. It returns the data, or
// undefined after showing why nothing happened.
async function act<T>(request: () => Promise<Outcome<T>>): Promise<Extract<Outcome<T>, { kind: 'ok' }> | undefined> {
  if (busy.value) return undefined
  busy.value = true
  problem.value = undefined
  try {
    const outcome = await request()
    if (outcome.kind === 'ok') return outcome
    problem.value = outcome.kind === 'unavailable' ? 'unavailable' : outcome.problem
    if (outcome.kind === 'refused' && outcome.status !== 422) await load()
    return undefined
  } finally {
    busy.value = false
  }
}

/** start starts the session, and with it the clock. */
export async function start(acknowledged: boolean): Promise<void> {
  const outcome = await act(() =>
    call((signal) => api.POST('/v1/candidate/session/start', { body: acknowledged ? { acknowledged } : {}, signal })),
  )
  if (outcome) await show(outcome)
}

/** startStage starts the clock of a stage that waits. */
export async function startStage(): Promise<void> {
  const stageId = stage.value!.id
  const outcome = await act(() => call((signal) => api.POST('/v1/candidate/session/stage/start', { body: { stageId }, signal })))
  if (!outcome) return
  notice.value = undefined
  await showStage(outcome)
}

/** client is the client of the API with the token of the session. */
export const client = (): API => api

/** submitted takes the server's time of a submission, and shows what follows. */
export async function submitted(at: string | undefined): Promise<void> {
  submittedAt = at
  saver.closeStage()
  await follow()
}

async function end(): Promise<void> {
  saver.closeStage()
  batch(() => {
    if (stage.value) leaveStage(taking.value!.serverTime, taking.value!.closeReason === 'TIME_EXPIRED')
    stage.value = undefined
    phase.value = 'ended'
  })
  if (kept.value) await forget(kept.value.id)
}
