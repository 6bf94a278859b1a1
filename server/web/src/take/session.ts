// The candidate's session: what the server says about it, and the actions that change it.
import { batch, computed, effect, signal, untracked } from '@preact/signals'
import { call, newAPI, type API, type Outcome, type Schemas } from '../shared/api.ts'
import { observe, serverNow } from './clock.ts'
import { forget, keepSession, keptSessions, type KeptSession } from './database.ts'
import { fragment, go, view } from './route.ts'
import * as saver from './saver.ts'
import { hold, readOnly } from './tabs.ts'

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
/** What happened before this view, for a notice on it. */
export const notice = signal<'timeUp' | 'submitted' | undefined>(undefined)
/** The action that waits for the server, so that its button can show it and cannot be pressed twice. */
export const busy = signal(false)
/** Why the last action did not happen. The next action clears it. */
export const problem = signal<'unavailable' | Schemas['Problem'] | undefined>(undefined)
/** Whether the time is up and the page waits for the outcome. The fields are locked. */
export const locked = signal(false)

/** The earlier of the stage's deadline and the session's, in milliseconds, or undefined without a limit. */
export const deadline = computed(() => {
  const ends = [stage.value?.deadlineAt, taking.value?.deadlineAt].filter((at) => at != null).map((at) => Date.parse(at!))
  return phase.value === 'working' && ends.length > 0 ? Math.min(...ends) : undefined
})

let api: API
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

/** load asks the server for the session's state, and shows it. */
export async function load(): Promise<void> {
  const outcome = await call((signal) => api.GET('/v1/candidate/session', { signal }))
  if (outcome.kind === 'unavailable') {
    if (!taking.value) phase.value = 'unreachable'
    return
  }
  if (outcome.kind === 'refused') {
    saver.closeStage()
    phase.value = outcome.status === 410 ? 'expired' : outcome.status === 401 ? 'replaced' : 'noLink'
    return
  }
  await show(outcome)
}

async function show(outcome: Extract<Outcome<Schemas['Taking']>, { kind: 'ok' }>): Promise<void> {
  const session = outcome.data
  observe(session.serverTime, outcome.sent, outcome.received)
  taking.value = session
  switch (session.status) {
    case 'INVITED':
      phase.value = 'intro'
      break
    case 'IN_PROGRESS':
      remember({ candidate: session.candidate.name, title: session.assessment.title })
      if (await hold(session.id)) await loadStage()
      else phase.value = 'otherTab'
      break
    case 'EXPIRED':
      phase.value = 'expired'
      break
    default:
      await end()
  }
}

async function loadStage(): Promise<void> {
  const outcome = await call((signal) => api.GET('/v1/candidate/session/stage', { signal }))
  if (outcome.kind === 'ok') return showStage(outcome)
  if (outcome.kind === 'unavailable' && !stage.value) phase.value = 'unreachable'
}

async function showStage(outcome: Extract<Outcome<Schemas['CurrentStage']>, { kind: 'ok' }>): Promise<void> {
  const current = outcome.data
  observe(current.serverTime, outcome.sent, outcome.received)
  if (current.status === 'IN_PROGRESS') {
    await saver.openStage(
      { api, session: kept.value!.id, clientId: kept.value!.clientId, surprised: load, deadline: moved },
      current,
    )
  }
  void saver.settle({ api, session: kept.value!.id, clientId: kept.value!.clientId }, current.id)
  // The address still has the view in which the candidate submitted the stage before.
  const last = stage.value?.id ?? kept.value!.at?.stage
  if (last !== undefined && last !== current.id) go({ name: 'start' }, { replace: true })
  batch(() => {
    stage.value = current
    locked.value = false
    phase.value = current.status === 'IN_PROGRESS' ? 'working' : 'stageIntro'
  })
}

/** takeOver makes this tab the one that works on the session. */
export async function takeOver(): Promise<void> {
  await hold(kept.value!.id, { takeOver: true })
  // The other tab has changed what the browser keeps.
  const newer = (await keptSessions()).find(({ id }) => id === kept.value!.id)
  if (newer) kept.value = { ...newer, token: kept.value!.token }
  await load()
}

// Another visit in this browser returns to the view of this one.
effect(() => {
  if (phase.value !== 'working' || readOnly.value || view.value.name === 'start') return
  const at = { stage: stage.value!.id, fragment: fragment(view.value) }
  untracked(() => remember({ at }))
})

// moved takes the stage's deadline of a response, which changes when the organization adds time.
function moved(at: string | null): void {
  if (stage.value && stage.value.deadlineAt !== at) stage.value = { ...stage.value, deadlineAt: at }
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

/** submit hands in the stage together with the answers that are unsent. */
export async function submit(): Promise<void> {
  const stageId = stage.value!.id
  const answers = saver.changes().slice(0, 500)
  const outcome = await act(() =>
    call((signal) =>
      api.POST('/v1/candidate/session/stage/submit', { body: { stageId, clientId: kept.value!.clientId, answers }, signal }),
    ),
  )
  if (!outcome) return
  saver.apply(answers, outcome.data.answers)
  saver.closeStage()
  notice.value = outcome.data.closeReason === 'TIME_EXPIRED' || locked.value ? 'timeUp' : 'submitted'
  await load()
}

/** timeIsUp locks the fields and asks the server for the outcome. The server decides whether the time is up. */
export async function timeIsUp(): Promise<void> {
  if (locked.value || phase.value !== 'working') return
  locked.value = true
  await saver.send()
  if (deadline.value === undefined || serverNow() < deadline.value) {
    locked.value = false
    return
  }
  await submit()
}

/** resync asks the server for the time and the deadlines. */
export async function resync(): Promise<void> {
  if (phase.value !== 'working' || readOnly.value) return
  await saver.send()
}

async function end(): Promise<void> {
  saver.closeStage()
  phase.value = 'ended'
  const { id, clientId } = kept.value!
  while (!(await saver.settle({ api, session: id, clientId }))) await new Promise((done) => setTimeout(done, 5000))
  saver.forgetAnswers()
  await forget(id)
}
