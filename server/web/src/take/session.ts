// The candidate's session: what the server says about it, and the actions that change it.
import { batch, computed, effect, signal, untracked } from '@preact/signals'
import { announce } from '../shared/announce.ts'
import { backoff, type Outcome, type Schemas } from '../shared/api.ts'
import { text } from '../shared/i18n.tsx'
import { isAnswered } from './answers.ts'
import { needsTime, rest } from './clock.ts'
import { forget, forgetSent, keepSession, keptSessions, type KeptSession } from './database.ts'
import { enter, forgetView, fragment, parse, toQuestion, view, type View } from './route.ts'
import { forgetAnswers, settle } from './missed.ts'
import { entries, saver } from './saving.ts'
import { identify, request, stageShape, takingShape } from './server.ts'
import { inTab, keepInTab } from './tab.ts'
import { hold, readOnly } from './tabs.ts'

/** What the page shows. */
export type Phase =
  | 'loading'
  | 'unreachable' // nothing was loaded yet
  | 'noLink' // opened without a token, or with a damaged one
  | 'continue' // opened without a token, and this browser has one
  | 'replaced' // the link was cancelled or replaced, or the data was erased: see ended
  | 'expired'
  | 'intro'
  | 'stageIntro' // a stage with a time limit waits for its start
  | 'working'
  | 'ended'
  | 'otherTab' // the assessment is open in another tab

export const phase = signal<Phase>('loading')
export const taking = signal<Schemas['Taking'] | undefined>(undefined)
/** Why the link no longer works, and who sent it. It is unknown for a link that was never valid. */
export const ended = signal<Schemas['EndedInvite'] | undefined>(undefined)
/** The organization that invites, as far as the page knows it. */
export const inviter = computed(() => taking.value?.organization ?? ended.value?.organization)
export const stage = signal<Schemas['CurrentStage'] | undefined>(undefined)
/**
 * Whether a gate waits for a person, and the candidate may go on. If nothing is left to do, the session has a reason
 * why it ended, although there is no result yet.
 */
export const isHeld = computed(() => {
  const { status, closeReason } = taking.value ?? {}
  return status === 'IN_REVIEW' && !closeReason
})
/** The session as this browser keeps it. */
export const kept = signal<KeptSession | undefined>(undefined)
/** The sessions to continue, for the phase `continue`. */
export const known = signal<KeptSession[]>([])
/** Whether the page was opened with a link that is not complete. */
export const damaged = signal(false)
/** Whether the server did not answer the latest question for the session's state. */
export const unreachable = signal(false)
/** The stage that has just ended, and why, for a notice on the next view. */
export const notice = signal<{ order: number; reason: 'timeUp' | 'submitted' } | undefined>(undefined)
/** The action that waits for the server, so that its button can show it and cannot be pressed twice. */
export const busy = signal(false)
/** Whether the last action did not happen. The next action or view clears it. */
export const problem = signal(false)
/** Whether the time is up and the page waits for the outcome. The fields are locked. */
export const locked = signal(false)

// The server's time of the latest submission.
let submittedAt: string | undefined
const tabKey = 'assay-take'
// As store/keys makes it: the id of the session, the number of the link, and 32 bytes of signature.
const tokenForm = /inv_([0-9a-z]{26})_\d+_[\w-]{43}/

/** tokenIn finds an invite token in a text: a link, a fragment, or a part of an email with line breaks. */
export function tokenIn(given: string): string | undefined {
  return tokenForm.exec(given.replace(/\s/g, ''))?.[0]
}

/** boot decides which session the page shows. */
export async function boot(): Promise<void> {
  const given = tokenIn(location.hash)
  damaged.value = given === undefined && location.hash.startsWith('#inv')
  if (given || damaged.value) history.replaceState(null, '', location.pathname)
  const token = given ?? (damaged.value ? undefined : inTab(tabKey))
  if (token) return open(token)
  known.value = await keptSessions()
  phase.value = damaged.value || known.value.length === 0 ? 'noLink' : 'continue'
}

/** open shows the session of the token. */
export async function open(token: string): Promise<void> {
  if (kept.value) {
    // The page has another session in memory. This address loads it again, see route.ts.
    location.hash = token
    return
  }
  keepInTab(tabKey, token)
  identify(token)
  const id = 'ses_' + tokenForm.exec(token)![1]
  const earlier = (await keptSessions()).find((session) => session.id === id)
  batch(() => {
    kept.value = { flagged: [], clientId: newClientId(), ...earlier, id, token }
    taking.value = stage.value = undefined
    phase.value = 'loading'
  })
  await follow()
}

function newClientId(): string {
  // Not randomUUID, which needs HTTPS.
  return crypto.getRandomValues(new Uint32Array(4)).join('')
}

/** remember changes what this browser keeps of the session. */
export function remember(changed: Partial<KeptSession>): void {
  if (!kept.value) return
  kept.value = { ...kept.value, ...changed }
  // The other tab keeps newer choices.
  if (!readOnly.value) void keepSession(kept.value)
}

// The requests for the session's state are numbered, so that a late response does not replace a newer state.
let asked = 0
let shown = 0
// What the server wished in seconds, when it was unavailable.
let retryAfter: number | undefined

// The entity tag of the state that the page shows.
let etag: string | null = null

/**
 * load asks the server for the session's state, and shows it. It returns whether the server answered. With `isShown`,
 * it changes nothing if the page shows that state already: the server answers 304 as long as only its time differs.
 */
export async function load(isShown = false): Promise<boolean> {
  const number = ++asked
  const headers: Record<string, string> = isShown && etag && !needsTime() ? { 'If-None-Match': etag } : {}
  let tag: string | null = null
  const outcome = await request(takingShape, async (api, signal) => {
    const answer = await api.GET('/v1/candidate/session', { headers, signal })
    tag = answer.response.headers.get('ETag')
    return answer
  })
  const isSame = isShown && etag && etag === tag
  unreachable.value = !isSame && outcome.kind === 'unavailable'
  if (isSame || number < shown) return true
  shown = number
  if (outcome.kind === 'ok') {
    const isDone = await show(outcome.data, number)
    etag = isDone ? tag : null
    return isDone
  }
  if (outcome.kind === 'unavailable') {
    retryAfter = outcome.retryAfter
    rest(retryAfter)
    if (!taking.value) phase.value = 'unreachable'
    return false
  }
  saver.closeStage()
  batch(() => {
    ended.value = outcome.problem.endedInvite
    // After an erasure, the page must not show what it knew of the session.
    if (ended.value) taking.value = undefined
    phase.value = outcome.status === 401 ? 'replaced' : 'noLink'
  })
  // Answers that were never sent stay in this browser, even if the link no longer works.
  const { id } = kept.value!
  await forgetSent(id)
  return true
}

let following = 0

/** follow loads the session's state, and tries again until the server answers or a later call does the same. */
export async function follow(): Promise<void> {
  const mine = ++following
  const isLoaded = () => load().catch(() => false)
  for (let failures = 1; mine === following && !(await isLoaded()); failures++) {
    await pause(backoff(failures, retryAfter))
  }
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

// Before the start, the page asks again when the connection changes or the candidate returns to it.
function refresh(): void {
  if (phase.value === 'intro' && !document.hidden) void follow()
}
addEventListener('online', refresh)
addEventListener('offline', refresh)
document.addEventListener('visibilitychange', refresh)

async function show(session: Schemas['Taking'], number: number): Promise<boolean> {
  update(session)
  if (session.status === 'INVITED' || session.status === 'IN_PROGRESS') {
    remember({ candidate: session.candidate.name, title: session.assessment.title })
  }
  switch (session.status) {
    case 'INVITED':
      phase.value = 'intro'
      break
    case 'IN_PROGRESS':
      if (await hold(session.id)) return loadStage(number)
      phase.value = 'otherTab'
      break
    case 'EXPIRED':
      phase.value = 'expired'
      await forget(session.id)
      break
    default:
      await end()
  }
  return true
}

async function loadStage(number: number): Promise<boolean> {
  const outcome = await request(stageShape, (api, signal) => api.GET('/v1/candidate/session/stage', { signal }))
  if (number < shown) return true
  if (outcome.kind === 'ok') {
    await showStage(outcome.data)
    return true
  }
  // A refusal means that the session has changed since the last response.
  unreachable.value = true
  retryAfter = outcome.kind === 'unavailable' ? outcome.retryAfter : undefined
  if (!stage.value) phase.value = 'unreachable'
  return false
}

async function showStage(current: Schemas['CurrentStage']): Promise<void> {
  const isNext = stage.value !== undefined && stage.value.id !== current.id
  if (!isNext) added.value += announceAdded(stage.value?.deadlineAt, current.deadlineAt)
  if (current.status === 'IN_PROGRESS') {
    const { id, clientId } = kept.value!
    // A response to answers has the deadline of the stage.
    const deadline = (at: string | null) => void (stage.value?.deadlineAt !== at && load(true))
    await saver.openStage({ session: id, clientId, surprised: follow, deadline }, current)
  }
  void settle(kept.value!, current.id)
  const next = current.status === 'IN_PROGRESS' ? 'working' : 'stageIntro'
  batch(() => {
    if (phase.value !== next) problem.value = false
    if (isNext) leaveStage(isOver(stage.value?.deadlineAt, submittedAt ?? current.serverTime))
    enter(current.id, current.status === 'IN_PROGRESS' ? lastView(current) : { name: 'start' })
    stage.value = current
    phase.value = next
  })
}

/** takeOver makes this tab the one that works on the session. */
export async function takeOver(): Promise<void> {
  const { id, token } = kept.value!
  await hold(id, { takeOver: true })
  // The other tab has changed what the browser keeps.
  const newer = (await keptSessions()).find((session) => session.id === id)
  if (newer) kept.value = { ...newer, token }
  await follow()
}

// lastView is the view of the stage that this browser showed last, or the first question without an answer.
function lastView({ id, questions }: Schemas['CurrentStage']): View {
  const at = kept.value!.at
  const last: View = at?.stage === id ? parse(at.fragment) : { name: 'start' }
  if (last.name !== 'start') return last
  const open = questions.findIndex((question) => !isAnswered(entries.value.get(question.id)?.answer))
  return toQuestion(Math.max(0, open) + 1)
}

// Another visit in this browser returns to the view of this one.
effect(() => {
  if (phase.value !== 'working' || readOnly.value || view.value.name === 'start') return
  const at = { stage: stage.value!.id, fragment: fragment(view.value) }
  untracked(() => remember({ at }))
})

// leaveStage ends the work on the stage, and says why it ended.
function leaveStage(isTimeUp: boolean): void {
  notice.value = { order: stage.value!.order, reason: isTimeUp ? 'timeUp' : 'submitted' }
  submittedAt = undefined
  added.value = 0
  forgetView()
  if (isTimeUp) announce(text('time.up'), 'assertive')
}

/** isOver reports whether the deadline has passed at the time. */
export function isOver(deadlineAt: string | null | undefined, at: string): boolean {
  return deadlineAt != null && Date.parse(at) >= Date.parse(deadlineAt)
}

// update takes the session of a response. Its deadline changes when the organization adds time.
function update(session: Schemas['Taking']): void {
  if (phase.value === 'stageIntro') announceAdded(taking.value?.deadlineAt, session.deadlineAt)
  taking.value = session
}

/** The minutes that the organization has added to this stage while the page was open. */
export const added = signal(0)

// announceAdded says how many minutes were added, and returns their number.
function announceAdded(from: string | null | undefined, to: string | null): number {
  if (!from || !to) return 0
  const minutes = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 60_000))
  if (minutes > 0) announce(text('time.added', { count: minutes }))
  return minutes
}

// act runs an action of the candidate, once at a time: until the next view is there, its
// button is still on the page. It returns whether the next view is shown.
async function act<T>(action: () => Promise<Outcome<T>>, next: (data: T) => Promise<boolean>): Promise<boolean> {
  if (busy.value) return true
  busy.value = true
  problem.value = false
  try {
    const outcome = await action()
    if (outcome.kind === 'ok') {
      shown = ++asked // earlier questions for the state have older answers
      return await next(outcome.data)
    }
    problem.value = true
    return false
  } finally {
    busy.value = false
  }
}

/**
 * start starts the session, and with it the clock. If the response is lost, the page asks
 * for the state until it knows it.
 */
export async function start(acknowledged: boolean): Promise<void> {
  const body = { clientId: kept.value!.clientId, acknowledged }
  const isShown = await act(
    () => request(takingShape, (api, signal) => api.POST('/v1/candidate/session/start', { body, signal })),
    (session) => show(session, shown),
  )
  // The view says what the state is, better than the response to a start that did not happen.
  problem.value = false
  if (!isShown) await follow()
}

/** startStage starts the clock of a stage that waits. */
export async function startStage(): Promise<void> {
  const stageId = stage.value!.id
  const isShown = await act(
    () =>
      request(stageShape, (api, signal) =>
        api.POST('/v1/candidate/session/stage/start', { body: { stageId }, signal }),
      ),
    async (started) => {
      notice.value = undefined
      await showStage(started)
      return true
    },
  )
  // If the response was lost, the clock is running.
  if (!isShown) await follow()
}

/** submitted takes the server's time of a submission, and shows what follows. */
export async function submitted(at: string | undefined): Promise<void> {
  submittedAt = at
  saver.closeStage()
  await follow()
}

async function end(): Promise<void> {
  saver.closeStage()
  const session = kept.value!
  // The candidate does not wait long for the list of answers that did not arrive.
  let isSettled = await Promise.race([settle(session), pause(2000).then(() => false)])
  batch(() => {
    if (stage.value) leaveStage(taking.value!.closeReason === 'TIME_EXPIRED')
    stage.value = undefined
    phase.value = 'ended'
  })
  while (!isSettled) {
    await pause(5000)
    isSettled = await settle(session)
  }
  if (isHeld.value) return
  forgetAnswers(session.id)
  await forget(session.id)
}
