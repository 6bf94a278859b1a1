// Sends answers to the server. Every change is first kept in the browser. At most one
// request is in flight; changes made meanwhile are sent by the next one.
import { batch, computed, signal } from '@preact/signals'
import { backoff, type Outcome, type Schemas } from '../shared/api.ts'
import { inWords } from './answers.ts'
import { serverNow } from './clock.ts'
import { keepAnswer, keptAnswers, type Answer, type KeptAnswer } from './database.ts'
import { request } from './server.ts'
import { beforeGiving, readOnly } from './tabs.ts'

/** An answer as the page shows it. */
export interface Entry extends KeptAnswer {
  /** Why the server did not accept the answer. */
  refused?: string
  /** A newer answer of another device, between which and this one the candidate chooses. */
  conflict?: { answer: Answer | null; revision: number; savedAt: number }
}

type Stage = Schemas['CurrentStage']
type Row = Schemas['AnswerChange']

/** What the saver needs from the page. */
export interface SaverPage {
  session: string
  clientId: string
  /** The server said that the stage or session is not what the page shows. */
  surprised(): Promise<void>
  deadline(at: string | null): void
}

/** The answers of this session by question id, also those of earlier stages. */
export const entries = signal<ReadonlyMap<string, Entry>>(new Map())
/** When saving began to fail, by performance.now(). */
export const offlineSince = signal<number | undefined>(undefined)
/** Whether everything was saved after saving had failed, and nothing has changed since. */
export const recovered = signal(false)
/** The server's time of the latest save, also of one before the page was opened. */
export const lastSaved = computed(() => {
  const latest = Math.max(...[...entries.value.values()].map(({ savedAt }) => savedAt ?? 0))
  return latest > 0 ? latest : undefined
})
const opened = signal<Stage | undefined>(undefined)
/** The answers to the current stage that the server does not have. */
export const unsent = computed(() =>
  [...entries.value.values()].filter((entry) => entry.pending && entry.stage === opened.value?.id),
)

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

let page: SaverPage | undefined
let writable = false
let inFlight: Promise<void> | undefined
let timer: ReturnType<typeof setTimeout> | undefined
// Times of performance.now(): when the latest change is sent, when a failed request is
// repeated, and until when the server asked for silence.
let dueAt = 0
let retryAt = 0
let silentUntil = 0
let failures = 0
let wasOffline = false
let rowsAtOnce = 500

/** openStage shows the stage's answers: those of the server, and those kept here that it does not have. */
export async function openStage(from: SaverPage, current: Stage): Promise<void> {
  const kept = await keptAnswers(from.session)
  // From here on nothing waits, so that no edit comes in between.
  page = from
  writable = !readOnly.value
  const merged = newest(from.session, kept)
  for (const question of current.questions) {
    const known = merged.get(question.id)
    // A response that was sent before a save can arrive after it.
    if (known && (known.pending || known.seen > question.revision)) continue
    const answer = question.answer ? bare(question.answer) : null
    merged.set(question.id, {
      ...(known && same(known.answer, answer) ? known : { editedAt: 0 }),
      session: from.session,
      question: question.id,
      stage: current.id,
      answer,
      revision: known?.revision ?? 0,
      seen: question.revision,
      pending: false,
    })
  }
  batch(() => {
    opened.value = current
    entries.value = merged
  })
  if (unsent.value.length > 0) schedule()
}

/**
 * newest joins the answers kept in the browser, which another tab may have changed,
 * and those in memory, which are newer if the browser could not keep them.
 */
export function newest(session: string, kept: KeptAnswer[]): Map<string, Entry> {
  const merged = new Map<string, Entry>(kept.map((answer) => [answer.question, answer]))
  for (const entry of entries.value.values()) {
    const other = merged.get(entry.question)
    const isNewer = !other || entry.revision >= other.revision
    if (entry.session === session && isNewer) merged.set(entry.question, entry)
  }
  return merged
}

/** closeStage stops sending. */
export function closeStage(): void {
  writable = false
  clearTimeout(timer)
}

/** edit changes an answer and sends it after `delay` milliseconds. */
export function edit(question: string, answer: Answer | null, delay: number, typed?: string): void {
  const entry = entries.value.get(question)
  if (!entry || readOnly.value) return
  const { refused: _, typed: __, ...rest } = entry
  changed({ ...rest, answer, ...(typed === undefined ? {} : { typed }) }, delay)
}

// changed takes a change of the candidate. It is kept even while nothing can be sent.
function changed(entry: Entry, delay: number): void {
  const at = Math.floor(serverNow())
  const question = opened.value?.questions.find(({ id }) => id === entry.question)
  change({
    ...entry,
    revision: Math.max(entry.revision + 1, at),
    pending: true,
    editedAt: at,
    ...(question && {
      position: { stage: opened.value!.order, question: opened.value!.questions.indexOf(question) + 1 },
      words: entry.typed ?? inWords(question, entry.answer),
    }),
  })
  recovered.value = false
  dueAt = performance.now() + delay
  schedule()
}

/** keepTyped keeps an entry that is not an answer yet, for example "1e". It is not sent. */
export function keepTyped(question: string, typed: string): void {
  const entry = entries.value.get(question)
  if (entry && !readOnly.value) change({ ...entry, typed })
}

/** choose settles a conflict. The candidate's choice is saved. */
export function choose(question: string, which: 'mine' | 'theirs'): void {
  const entry = entries.value.get(question)
  if (!entry?.conflict) return
  const {
    conflict: { answer, revision, savedAt },
    typed,
    ...rest
  } = entry
  if (which === 'mine') {
    changed({ ...rest, ...(typed === undefined ? {} : { typed }), seen: revision }, 0)
  } else {
    // The server has this answer already.
    change({ ...rest, answer, seen: revision, revision: entry.revision + 1, pending: false, savedAt })
  }
}

/** flush sends what is unsent now, as long as the server takes it. */
export async function flush(): Promise<void> {
  do {
    await inFlight
    await send()
  } while (writable && failures === 0 && changes().length > 0)
}

/** changes are the unsent answers, as the API takes them. */
export function changes(): Row[] {
  return unsent.value.filter((entry) => !entry.conflict && entry.refused === undefined).map(row)
}

/** row is an entry, as the API takes it. */
export function row({ question, answer, revision, seen }: Entry): Row {
  return { questionId: question, answer, revision, seenRevision: seen }
}

// Browsers send at most 64 KiB while a page closes, and a slow connection needs small requests.
const bytesAtOnce = 48_000

/** fitting is the first of the rows, as many as fit into one request. */
export function fitting(rows: Row[]): Row[] {
  let bytes = 0
  const end = rows.findIndex((row, i) => {
    bytes += size(row)
    return i > 0 && (bytes > bytesAtOnce || i === rowsAtOnce)
  })
  return end < 0 ? rows : rows.slice(0, end)
}

const size = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** change takes a new state of an answer, and keeps it in the browser. */
export function change(entry: Entry): void {
  entries.value = new Map(entries.value).set(entry.question, entry)
  const { refused: _, conflict: __, ...kept } = entry
  // The other tab keeps newer answers.
  if (!readOnly.value) void keepAnswer(kept)
}

// schedule sets the time of the next request. While the server is unavailable, a change
// does not bring the next attempt forward.
function schedule(): void {
  clearTimeout(timer)
  if (!writable) return
  timer = setTimeout(() => void send(), Math.ceil((failures > 0 ? retryAt : dueAt) - performance.now()))
}

/** send sends unsent answers in one request. */
export async function send(): Promise<void> {
  if (inFlight) return inFlight
  clearTimeout(timer)
  if (!writable) return
  if (performance.now() < silentUntil) return schedule()
  inFlight = exchange(fitting(changes())).then(() => {
    inFlight = undefined
    scheduleNext()
  })
  return inFlight
}

/** ask asks for the server's time and the stage's deadline, also while answers are in flight. */
export async function ask(): Promise<Saving> {
  const outcome = await exchange([])
  scheduleNext()
  return outcome
}

function scheduleNext(): void {
  if (failures > 0 || changes().length > 0) schedule()
}

type Saving = Outcome<Schemas['SavedAnswers']>

async function exchange(rows: Row[], keepalive = false): Promise<Saving> {
  const stageId = opened.value!.id
  const from = page!
  const outcome = await request(
    (api, signal) =>
      api.PUT('/v1/candidate/session/answers', {
        body: { stageId, clientId: from.clientId, answers: rows },
        signal,
        keepalive,
      }),
    // The candidate learns within 5 s that the server does not answer. A long request gets the time for 80 kbit/s.
    4000 + size(rows) / 10,
  )
  if (outcome.kind === 'ok') {
    if (stageId === opened.value?.id) from.deadline(outcome.data.deadlineAt)
    apply(rows, outcome.data.answers)
    online()
    return outcome
  }
  // The page may be about to close, and the regular request is repeated anyway.
  if (!writable || keepalive) return outcome
  failures++
  retryAt = performance.now() + backoff(failures, undefined)
  if (outcome.kind === 'unavailable') {
    wasOffline = true
    offlineSince.value ??= performance.now()
    // A mistake of a proxy must not silence the page for the whole stage.
    const seconds = Math.min(outcome.retryAfter ?? 0, 300)
    if (seconds > 0) retryAt = silentUntil = performance.now() + backoff(failures, seconds)
  } else if ([401, 404, 409, 410].includes(outcome.status)) {
    await from.surprised()
  } else if (rows.length > 1) {
    rowsAtOnce = 1 // to find the row that is wrong
  } else {
    for (const { questionId, revision } of rows) {
      const entry = entries.value.get(questionId)!
      if (entry.revision === revision) change({ ...entry, refused: outcome.problem.detail })
    }
  }
  return outcome
}

function online(): void {
  failures = 0
  offlineSince.value = undefined
  if (unsent.value.length > 0) return
  rowsAtOnce = 500
  if (wasOffline) recovered.value = true
  wasOffline = false
}

/** submit sends the rows and closes the stage. Submitting a closed stage again saves nothing. */
export async function submit(
  stageId: string,
  clientId: string,
  rows: Row[],
): Promise<Outcome<Schemas['StageOutcome']>> {
  const body = { stageId, clientId, answers: rows }
  const outcome = await request((api, signal) => api.POST('/v1/candidate/session/stage/submit', { body, signal }))
  if (outcome.kind === 'ok') apply(rows, outcome.data.answers)
  return outcome
}

// apply takes the outcome of each row that was sent.
function apply(rows: Row[], results: Schemas['AnswerResult'][]): void {
  batch(() => applyEach(rows, results))
}

function applyEach(rows: Row[], results: Schemas['AnswerResult'][]): void {
  for (const [i, result] of results.entries()) {
    const row = rows[i]
    const entry = row && entries.value.get(row.questionId)
    if (!row || !entry) continue
    const stored = result.answer ? bare(result.answer) : null
    const seen = Math.max(entry.seen, result.revision)
    const savedAt = result.savedAt ? Date.parse(result.savedAt) : serverNow()
    // A change made meanwhile is still unsent, and its own request decides.
    const isLatest = row.revision === entry.revision
    if (result.outcome === 'SAVED' || (result.outcome === 'OUTDATED' && isLatest && same(stored, row.answer))) {
      const { conflict: _, refused: __, ...rest } = entry
      change({ ...rest, seen, pending: entry.pending && !isLatest, savedAt })
    } else if (!isLatest || !entry.pending) {
      continue
    } else if (result.outcome === 'OUTDATED') {
      change({ ...entry, conflict: { answer: stored, revision: result.revision, savedAt } })
    } else {
      change({ ...entry, refused: result.error?.detail ?? '' })
    }
  }
}

/** bare removes the fields that a response has as null. */
function bare(answer: Schemas['Answer']): Answer {
  return Object.fromEntries(Object.entries(answer ?? {}).filter(([, value]) => value != null)) as Answer
}

function same(a: Answer | null, b: Answer | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

// sendLast sends what is unsent in a request that outlives the page. Several events
// announce that the page closes; one request is enough for the same answers.
let sentLast = ''
function sendLast(): void {
  const rows = JSON.stringify(changes())
  if (!writable || rows === '[]' || rows === sentLast) return
  sentLast = rows
  void exchange(fitting(changes()), true).finally(() => {
    sentLast = ''
  })
}

beforeGiving(async () => {
  sendLast()
  closeStage()
  if (page) await keptAnswers(page.session) // after all earlier writes
})

// The browser knows before a request fails that it is online again.
addEventListener('online', () => {
  if (offlineSince.value !== undefined) void send()
})
// Leaving a field saves it.
addEventListener('focusout', () => {
  if (writable && dueAt > performance.now()) {
    dueAt = 0
    schedule()
  }
})
addEventListener('beforeunload', (event) => {
  if (writable && unsent.value.length > 0) event.preventDefault()
})
for (const leaving of ['pagehide', 'visibilitychange', 'beforeunload']) {
  addEventListener(leaving, () => {
    const isLeaving = leaving !== 'visibilitychange' || document.visibilityState === 'hidden'
    const isQuiet = leaving === 'visibilitychange' && performance.now() < silentUntil
    if (isLeaving && !isQuiet) sendLast()
  })
}
