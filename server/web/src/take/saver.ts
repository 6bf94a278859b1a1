// Sends answers to the server. Every change is first kept in the browser. At most one
// request is in flight; changes made meanwhile are sent by the next one.
import { computed, signal } from '@preact/signals'
import { call, type API, type Schemas } from '../shared/api.ts'
import { observe, serverNow } from './clock.ts'
import { keepAnswer, keptAnswers, type Answer, type KeptAnswer } from './database.ts'

/** An answer as the page shows it. */
export interface Entry extends KeptAnswer {
  savedAt?: number
  /** Why the server did not accept the answer. */
  refused?: string
  /** A newer answer of another device, between which and this one the candidate chooses. */
  conflict?: { answer: Answer | null; revision: number }
}

type Stage = Schemas['CurrentStage']

/** What the saver needs from the page. */
export interface SaverPage {
  api: API
  session: string
  clientId: string
  /** The server said that the stage or session is not what the page shows. */
  surprised(): void
  deadline(at: string | null): void
}

export const entries = signal<ReadonlyMap<string, Entry>>(new Map())
/** Whether a request is in flight. */
export const sending = signal(false)
/** When saving began to fail, by performance.now(). */
export const offlineSince = signal<number | undefined>(undefined)
/** The server's time of the latest save. */
export const lastSaved = signal<number | undefined>(undefined)
export const unsent = computed(() => [...entries.value.values()].filter((entry) => entry.pending))

export type SaveState = 'none' | 'saving' | 'saved' | 'waiting' | 'conflict' | 'refused'

/** saveState is the state of one question. */
export function saveState(question: string): SaveState {
  const entry = entries.value.get(question)
  if (!entry) return 'none'
  if (entry.conflict) return 'conflict'
  if (entry.refused !== undefined) return 'refused'
  if (entry.pending) return offlineSince.value === undefined ? 'saving' : 'waiting'
  return entry.savedAt === undefined ? 'none' : 'saved'
}

let page: SaverPage
let stage: Stage
let writable = false
let timer: ReturnType<typeof setTimeout> | undefined
let failures = 0
let inFlight: Promise<void> | undefined

/** openStage shows the stage's answers: those of the server, and those kept here that it does not have. */
export async function openStage(from: SaverPage, opened: Stage): Promise<void> {
  const kept = new Map((await keptAnswers(from.session)).map((answer) => [answer.question, answer]))
  page = from
  stage = opened
  writable = true
  const merged = new Map<string, Entry>()
  for (const question of opened.questions) {
    const known = entries.value.get(question.id) ?? kept.get(question.id)
    if (known?.pending) {
      merged.set(question.id, known)
      continue
    }
    const answer = question.answer ? bare(question.answer) : null
    merged.set(question.id, {
      session: from.session, question: question.id, stage: opened.id, answer,
      revision: known?.revision ?? 0, seen: question.revision, pending: false, editedAt: 0,
      ...(known?.typed !== undefined && same(known.answer, answer) ? { typed: known.typed } : {}),
    })
  }
  entries.value = merged
  if (unsent.value.length > 0) schedule(0)
}

/** closeStage stops sending. */
export function closeStage(): void {
  writable = false
  clearTimeout(timer)
}

/** edit changes an answer and sends it after `delay` milliseconds. */
export function edit(question: string, answer: Answer | null, delay: number, typed?: string): void {
  const entry = entries.value.get(question)
  if (!entry || !writable) return
  const { refused: _, typed: __, ...rest } = entry
  change({
    ...rest, answer, ...(typed === undefined ? {} : { typed }),
    revision: entry.revision + 1, pending: true, editedAt: serverNow(),
  })
  schedule(delay)
}

/** keepTyped keeps an entry that is not an answer yet, for example "1e". It is not sent. */
export function keepTyped(question: string, typed: string): void {
  const entry = entries.value.get(question)
  if (entry && writable) change({ ...entry, typed })
}

/** choose settles a conflict. The candidate's choice is saved. */
export function choose(question: string, which: 'mine' | 'theirs'): void {
  const entry = entries.value.get(question)
  if (!entry?.conflict) return
  const { conflict, typed, ...rest } = entry
  const mine = which === 'mine'
  change({
    ...rest, answer: mine ? entry.answer : conflict.answer, ...(mine && typed !== undefined ? { typed } : {}),
    seen: conflict.revision, revision: entry.revision + 1, pending: true, editedAt: serverNow(),
  })
  schedule(0)
}

/** flush sends what is unsent now. It returns whether everything is saved. */
export async function flush(): Promise<boolean> {
  await inFlight
  await send()
  return unsent.value.length === 0
}

/** changes are the unsent answers, as the API takes them. */
export function changes(): Schemas['AnswerChange'][] {
  return unsent.value
    .filter((entry) => !entry.conflict && entry.refused === undefined)
    .map(({ question, answer, revision, seen }) => ({ questionId: question, answer, revision, seenRevision: seen }))
}

function change(entry: Entry): void {
  entries.value = new Map(entries.value).set(entry.question, entry)
  const { savedAt: _, refused: __, conflict: ___, ...kept } = entry
  void keepAnswer(kept)
}

function schedule(delay: number): void {
  // While the server is unavailable, a change does not bring the next attempt forward.
  if (offlineSince.value !== undefined && timer !== undefined) return
  clearTimeout(timer)
  timer = setTimeout(() => void send(), delay)
}

/** send sends all unsent answers in one request, and with none asks for the server's time. */
export async function send(options: { keepalive?: boolean } = {}): Promise<void> {
  if (inFlight && !options.keepalive) return inFlight
  clearTimeout(timer)
  timer = undefined
  if (!writable) return
  const request = exchange(options)
  if (options.keepalive) return request
  inFlight = request.finally(() => {
    inFlight = undefined
    if (writable && timer === undefined && changes().length > 0) schedule(failures > 0 ? backoff() : 0)
  })
  return inFlight
}

let retryAfter: number | undefined

async function exchange({ keepalive = false }): Promise<void> {
  const rows = changes().slice(0, 500)
  sending.value = rows.length > 0
  const outcome = await call((signal) =>
    page.api.PUT('/v1/candidate/session/answers', {
      body: { stageId: stage.id, clientId: page.clientId, answers: rows }, signal, keepalive,
    }),
  )
  sending.value = false
  if (outcome.kind === 'unavailable') {
    failures++
    retryAfter = outcome.retryAfter
    offlineSince.value ??= performance.now()
    return
  }
  failures = 0
  retryAfter = undefined
  offlineSince.value = undefined
  if (outcome.kind === 'refused') return refused(outcome.status, outcome.problem?.detail ?? '', rows)
  observe(outcome.data.serverTime, outcome.sent, outcome.received)
  page.deadline(outcome.data.deadlineAt)
  apply(rows, outcome.data.answers)
}

function refused(status: number, detail: string, rows: Schemas['AnswerChange'][]): void {
  if ([401, 404, 409, 410].includes(status)) {
    closeStage()
    page.surprised()
    return
  }
  for (const { questionId } of rows) change({ ...entries.value.get(questionId)!, refused: detail })
}

/** apply takes the outcome of each row that was sent. */
export function apply(rows: Schemas['AnswerChange'][], results: Schemas['AnswerResult'][]): void {
  for (const [i, result] of results.entries()) {
    const row = rows[i]
    const entry = row && entries.value.get(row.questionId)
    if (!row || !entry) continue
    const stored = result.answer ? bare(result.answer) : null
    if (result.outcome === 'SAVED' || (result.outcome === 'OUTDATED' && same(stored, entry.answer))) {
      const savedAt = result.savedAt ? Date.parse(result.savedAt) : serverNow()
      lastSaved.value = savedAt
      // A change made meanwhile is still unsent.
      const pending = entry.revision > row.revision
      const { conflict: _, refused: __, ...rest } = entry
      change({ ...rest, seen: result.revision, pending, savedAt })
    } else if (result.outcome === 'OUTDATED') {
      change({ ...entry, conflict: { answer: stored, revision: result.revision } })
    } else {
      change({ ...entry, refused: result.error?.detail ?? '' })
    }
  }
}

/** backoff is the time until the next attempt in milliseconds: 1 s, doubled up to 30 s, with jitter. */
function backoff(): number {
  if (retryAfter !== undefined) return retryAfter * 1000 + Math.random() * 1000
  return Math.min(30_000, 1000 * 2 ** (failures - 1)) * (0.5 + Math.random() / 2)
}

/** bare removes the fields that a response has as null. */
function bare(answer: Schemas['Answer']): Answer {
  return Object.fromEntries(Object.entries(answer ?? {}).filter(([, value]) => value != null)) as Answer
}

function same(a: Answer | null, b: Answer | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

// The browser knows before a request fails that it is online again.
addEventListener('online', () => {
  if (offlineSince.value !== undefined) void send()
})
addEventListener('beforeunload', (event) => {
  if (writable && unsent.value.length > 0) event.preventDefault()
})
for (const leaving of ['pagehide', 'visibilitychange']) {
  addEventListener(leaving, () => {
    const isLeaving = leaving === 'pagehide' || document.visibilityState === 'hidden'
    if (isLeaving && writable && changes().length > 0) void send({ keepalive: true })
  })
}
