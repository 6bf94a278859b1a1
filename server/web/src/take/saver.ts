// Sends answers to the server. Every change is first kept in the browser. At most one request with
// answers is in flight; changes made meanwhile are sent by the next one. It knows no browser, so that it is
// tested without one; saving.ts connects it to this page.
import { batch, computed, signal } from '@preact/signals'
import { backoff, type Outcome, type Schemas } from '../shared/api.ts'
import type { Environment, SaverPage, Saving, Submission } from './environment.ts'
import type { Answer, KeptAnswer } from './database.ts'
import { bare, fitting, keptOf, maxRows, rowOf, same, size, type Entry, type Row, type SaveState } from './entry.ts'

type Stage = Schemas['CurrentStage']

/** How often an answer that does not arrive is tried again, in milliseconds. */
const blockedPause = 60_000
/** The doubt from which on answers are sent apart. One failure is not enough, and on a bad network four are needed. */
const enoughDoubt = 4

export class Saver {
  /** The answers of this session by question id, also those of earlier stages. */
  readonly entries = signal<ReadonlyMap<string, Entry>>(new Map())
  /** When saving began to fail, by the clock. */
  readonly offlineSince = signal<number | undefined>(undefined)
  /** Whether everything was saved after saving had failed, and nothing has changed since. */
  readonly recovered = signal(false)
  /** The server's time of the latest save, also of one before the page was opened. */
  readonly lastSaved = computed(() => {
    const latest = Math.max(...[...this.entries.value.values()].map(({ savedAt }) => savedAt ?? 0))
    return latest > 0 ? latest : undefined
  })
  private _opened = signal<Stage | undefined>(undefined)
  /** The answers to the current stage that the server does not have. */
  readonly unsent = computed(() =>
    [...this.entries.value.values()].filter((entry) => entry.pending && entry.stage === this._opened.value?.id),
  )
  /** The ids of the questions whose answers do not reach the server. */
  readonly blocked = computed(() => this.unsent.value.flatMap((entry) => (entry.blocked ? [entry.question] : [])))

  private _env: Environment
  private _page: SaverPage | undefined
  private _writable = false
  private _inFlight: Promise<void> | undefined
  private _cancel = () => {}
  // When the latest change is sent, when a failed request is repeated, until when the server asked for
  // silence, and when the next blocked answer is tried.
  private _dueAt = 0
  private _retryAt = 0
  private _silentUntil = 0
  private _blockedAt = 0
  private _failures = 0
  private _wasOffline = false
  private _rowsAtOnce = maxRows
  // The answers of the latest request that failed, and how much its outcome speaks against them. If a request
  // without answers succeeds afterwards, the network works, so one of these answers is the reason.
  private _suspects: Row[] = []
  private _weight = 0
  /** Whether a request without answers has succeeded after one with answers had failed. */
  private _isSuspicious = false
  private _sentLast = ''

  constructor(env: Environment) {
    this._env = env
  }

  /** saveState is the state of one question. */
  saveState(question: string): SaveState {
    const entry = this.entries.value.get(question)
    if (!entry) return 'none'
    if (entry.conflict) return 'conflict'
    if (entry.refused !== undefined) return 'refused'
    if (entry.blocked) return 'blocked'
    if (entry.pending) return this.offlineSince.value === undefined ? 'saving' : 'waiting'
    return entry.savedAt === undefined ? 'none' : 'saved'
  }

  /** openStage shows the stage's answers: the server's answers, and kept answers that the server does not have. */
  async openStage(from: SaverPage, current: Stage): Promise<void> {
    const kept = await this._env.storage.read(from.session)
    // From here on nothing waits, so that no edit comes in between.
    this._page = from
    this._writable = !this._env.isReadOnly()
    const merged = this.newest(from.session, kept)
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
      this._opened.value = current
      this.entries.value = merged
    })
    if (this.unsent.value.length > 0) this._schedule()
  }

  /**
   * newest joins the answers kept in the browser, which another tab may have changed,
   * and those in memory, which are newer if the browser could not keep them.
   */
  newest(session: string, kept: KeptAnswer[]): Map<string, Entry> {
    const merged = new Map<string, Entry>(kept.map((answer) => [answer.question, answer]))
    for (const entry of this.entries.value.values()) {
      const other = merged.get(entry.question)
      const isNewer = !other || entry.revision >= other.revision
      if (entry.session === session && isNewer) merged.set(entry.question, entry)
    }
    return merged
  }

  /** closeStage stops sending. */
  closeStage(): void {
    this._writable = false
    this._cancel()
  }

  /** edit changes an answer and sends it after `delay` milliseconds. */
  edit(question: string, answer: Answer | null, delay: number, typed?: string): void {
    const entry = this.entries.value.get(question)
    if (!entry || this._env.isReadOnly()) return
    const { typed: _, ...rest } = keptOf(entry)
    const { conflict } = entry
    this._changed({ ...rest, ...(conflict && { conflict }), answer, ...(typed === undefined ? {} : { typed }) }, delay)
  }

  /** changed takes a change of the candidate. It is kept even while nothing can be sent. */
  private _changed(entry: Entry, delay: number): void {
    const at = Math.floor(this._env.clock.serverNow())
    const { order, questions } = this._opened.value ?? { order: 0, questions: [] }
    const index = questions.findIndex(({ id }) => id === entry.question)
    const question = questions[index]
    this.change({
      ...entry,
      revision: Math.max(entry.revision + 1, at),
      pending: true,
      editedAt: at,
      ...(question && {
        position: { stage: order, question: index + 1 },
        words: entry.typed ?? this._env.inWords(question, entry.answer),
      }),
    })
    this.recovered.value = false
    this._dueAt = this._env.clock.now() + delay
    this._schedule()
  }

  /** keepTyped keeps an entry that is not an answer yet, for example "1e". It is not sent. */
  keepTyped(question: string, typed: string): void {
    const entry = this.entries.value.get(question)
    if (entry && !this._env.isReadOnly()) this.change({ ...entry, typed })
  }

  /** choose settles a conflict. The candidate's choice is saved. */
  choose(question: string, which: 'mine' | 'theirs'): void {
    const entry = this.entries.value.get(question)
    if (!entry?.conflict) return
    const {
      conflict: { answer, revision, savedAt },
      typed,
      ...rest
    } = entry
    if (which === 'mine') {
      this._changed({ ...rest, ...(typed === undefined ? {} : { typed }), seen: revision }, 0)
    } else {
      // The server has this answer already.
      this.change({ ...rest, answer, seen: revision, revision: entry.revision + 1, pending: false, savedAt })
    }
  }

  /** change takes a new state of an answer, and keeps it in the browser. */
  change(entry: Entry): void {
    this.entries.value = new Map(this.entries.value).set(entry.question, entry)
    // The other tab keeps newer answers.
    if (!this._env.isReadOnly()) this._env.storage.keep(keptOf(entry))
  }

  /** leftField sends a text whose field the candidate has left. */
  leftField(): void {
    if (!this._writable || this._dueAt <= this._env.clock.now()) return
    this._dueAt = 0
    this._schedule()
  }

  /**
   * networkChanged tries again what has failed. The refusal of an answer can be that of the former network,
   * too, so refused answers are sent once more.
   */
  networkChanged(): void {
    for (const entry of this.unsent.value) {
      const { refused, ...rest } = entry
      if (refused !== undefined && !entry.isRepeated) this.change({ ...rest, isRepeated: true })
    }
    this._blockedAt = 0
    if (this.unsent.value.length > 0 || this.offlineSince.value !== undefined) void this.send()
  }

  /** hasUnsent reports whether the candidate would lose something by leaving. */
  get hasUnsent(): boolean {
    return this._writable && this.unsent.value.length > 0
  }

  /**
   * sendLast sends what is unsent in a request that outlives the page. Several events announce that the page
   * closes; one request is enough for the same answers. A page that is only hidden respects the silence that the
   * server has asked for.
   */
  sendLast(isHidden = false): void {
    const rows = this.changes()
    const content = JSON.stringify(rows)
    if (!this._writable || rows.length === 0 || content === this._sentLast) return
    if (isHidden && this._env.clock.now() < this._silentUntil) return
    this._sentLast = content
    void this._exchange(fitting(rows, this._rowsAtOnce), true).finally(() => {
      this._sentLast = ''
    })
  }

  /** give sends what is unsent before another tab takes over. It returns after all earlier writes. */
  async give(): Promise<void> {
    this.sendLast()
    this.closeStage()
    if (this._page) await this._env.storage.read(this._page.session)
  }

  /**
   * flush sends what is unsent now, as long as the server takes it. An answer that does not arrive is found, so that
   * it does not stop the others, and each of these gets a last attempt.
   */
  async flush(): Promise<void> {
    this._rowsAtOnce = maxRows
    for (const id of this.blocked.value) {
      while (this._inFlight) await this._inFlight
      const entry = this.entries.value.get(id)
      if (this._writable && entry?.blocked) await this._run(() => this._exchange([rowOf(entry)]))
    }
    for (;;) {
      while (this._inFlight) await this._inFlight
      if (this._failures > 0 && this._isSuspicious) await this._until(this._retryAt)
      await this.send()
      const canGoOn = this._failures === 0 || (this._isSuspicious && this.offlineSince.value === undefined)
      const isSilent = this._env.clock.now() < this._silentUntil
      if (!this._writable || !canGoOn || isSilent || this.changes().length === 0) return
    }
  }

  private _until(time: number): Promise<void> {
    return new Promise((done) => this._env.clock.later(done, time - this._env.clock.now()))
  }

  /** changes are the unsent answers that can be sent, as the API takes them. Blocked ones are on request. */
  changes(withBlocked = false): Row[] {
    return this.unsent.value
      .filter((entry) => !entry.conflict && (withBlocked || !entry.blocked) && entry.refused === undefined)
      .sort((a, b) => (a.doubt ?? 0) - (b.doubt ?? 0))
      .map(rowOf)
  }

  /** schedule sets the time of the next request. While requests fail, a change does not bring it forward. */
  private _schedule(): void {
    this._cancel()
    if (!this._writable) return
    const at = this._failures > 0 ? this._retryAt : this.changes().length > 0 ? this._dueAt : this._blockedAt
    this._cancel = this._env.clock.later(() => void this.send(), Math.ceil(at - this._env.clock.now()))
  }

  private _scheduleNext(): void {
    if (this._failures > 0 || this.changes().length > 0 || this.blocked.value.length > 0) this._schedule()
  }

  /** send sends unsent answers in one request. */
  async send(): Promise<void> {
    if (this._inFlight) return this._inFlight
    this._cancel()
    if (!this._writable) return
    if (this._env.clock.now() < this._silentUntil) return this._schedule()
    this._run(() => this._exchange(this._next())).catch(() => {})
    return this._inFlight
  }

  /** run has one request with answers in flight. Whatever happens to it, the next one follows. */
  private _run<T>(request: () => Promise<T>): Promise<T> {
    const made = request()
    const done = () => {
      this._inFlight = undefined
      this._scheduleNext()
    }
    this._inFlight = made.then(done, done)
    return made
  }

  /** next is what the next request contains. */
  private _next(): Row[] {
    // After two failures, each second request asks whether the network is the reason; later, after each failure.
    const isProbe = this._failures > 0 && (this._failures + Number(this._isSuspicious)) % 2 === 0
    if (isProbe && this._suspects.length > 0) return []
    const rows = this.changes()
    if (rows.length > 0) return fitting(rows, this._rowsAtOnce)
    const now = this._env.clock.now()
    const [id] = this.blocked.value
    const entry = now >= this._blockedAt && id && this.entries.value.get(id)
    this._blockedAt = now + blockedPause
    return entry ? [rowOf(entry)] : []
  }

  /** ask asks for the server's time and the stage's deadline, also while answers are in flight. */
  async ask(): Promise<Saving> {
    const outcome = await this._exchange([])
    this._scheduleNext()
    return outcome
  }

  private async _exchange(rows: Row[], keepalive = false): Promise<Saving> {
    const stageId = this._opened.value!.id
    const from = this._page!
    const outcome = await this._env.network.save(
      { stageId, clientId: from.clientId, answers: rows },
      // The candidate learns within 5 s that the server does not answer. A long request gets the time for 80 kbit/s.
      4000 + size(rows) / 10,
      keepalive,
    )
    if (outcome.kind === 'ok') {
      if (stageId === this._opened.value?.id) from.deadline(outcome.data.deadlineAt)
      this._apply(rows, outcome.data.answers)
      this._succeeded(rows)
    } else if (this._writable && !keepalive) {
      // The page may be about to close, and the regular request is repeated anyway.
      this._failed(rows, outcome)
    }
    return outcome
  }

  /** submit sends the rows and closes the stage. Submitting a closed stage again saves nothing. */
  async submit(stageId: string, clientId: string, answers: Row[], undelivered: string[]): Promise<Submission> {
    const body = { stageId, clientId, answers, ...(undelivered.length > 0 && { undelivered }) }
    const send = () => this._env.network.submit(body)
    // A question about an earlier stage must not keep the answers to this one waiting.
    const isCurrent = stageId === this._opened.value?.id && this._writable
    while (isCurrent && this._inFlight) await this._inFlight
    const outcome = await (isCurrent ? this._run(send) : send())
    if (outcome.kind === 'ok') this._apply(answers, outcome.data.answers)
    else if (isCurrent && outcome.kind === 'unavailable') this._failed(answers, outcome)
    return outcome
  }

  private _succeeded(rows: Row[]): void {
    this._failures = 0
    this.offlineSince.value = undefined
    if (rows.length === 0) this._accuse()
    this._suspects = []
    const open = this.unsent.value
    if (open.every((entry) => entry.blocked)) this._rowsAtOnce = maxRows
    if (open.length > 0) return
    this._isSuspicious = false
    if (this._wasOffline) this.recovered.value = true
    this._wasOffline = false
  }

  /** accuse counts against the answers of the request that failed, because one without answers has succeeded. */
  private _accuse(): void {
    const { length } = this._suspects
    if (length === 0) return
    this._isSuspicious = true
    for (const row of this._suspects) {
      const doubt = (this.entries.value.get(row.questionId)?.doubt ?? 0) + this._weight
      const isEnough = doubt >= enoughDoubt
      if (isEnough) this._rowsAtOnce = Math.ceil(length / 2)
      this._mark(row, { doubt, blocked: isEnough && length === 1 })
    }
    this._blockedAt = this._env.clock.now() + blockedPause
  }

  private _failed(rows: Row[], outcome: Exclude<Outcome<unknown>, { kind: 'ok' }>): void {
    const now = this._env.clock.now()
    const isUnavailable = outcome.kind === 'unavailable'
    // The network works, and nothing new is known about an answer that is blocked.
    if (isUnavailable && rows.some(({ questionId }) => this.blocked.value.includes(questionId))) return
    this._failures++
    this._retryAt = now + backoff(this._failures, undefined)
    if (isUnavailable) {
      if (rows.length > 0) {
        this._suspects = outcome.doubt > 0 ? rows : []
        this._weight = outcome.doubt
      }
      if (!this._isSuspicious || rows.length === 0 || outcome.doubt === 0) {
        this._wasOffline = true
        this.offlineSince.value ??= now
      }
      // A mistake of a proxy must not silence the page for the whole stage.
      const seconds = Math.min(outcome.retryAfter ?? 0, 300)
      if (seconds > 0) this._retryAt = this._silentUntil = now + backoff(this._failures, seconds)
    } else if ([401, 404, 409, 410].includes(outcome.status)) {
      void this._page!.surprised()
    } else if (rows.length > 1) {
      this._rowsAtOnce = 1 // to find the row that is wrong
    } else if (rows[0]) {
      this._mark(rows[0], { refused: outcome.problem.detail })
    }
  }

  private _mark({ questionId, revision }: Row, what: Partial<Entry>): void {
    const entry = this.entries.value.get(questionId)
    if (entry?.pending && entry.revision === revision) this.change({ ...entry, ...what })
  }

  /** apply takes the outcome of each row that was sent. */
  private _apply(rows: Row[], results: Schemas['AnswerResult'][]): void {
    batch(() => results.forEach((result, i) => rows[i] && this._applyOne(rows[i], result)))
  }

  private _applyOne(row: Row, result: Schemas['AnswerResult']): void {
    const entry = this.entries.value.get(row.questionId)
    if (!entry) return
    const stored = result.answer ? bare(result.answer) : null
    const seen = Math.max(entry.seen, result.revision)
    const savedAt = result.savedAt ? Date.parse(result.savedAt) : this._env.clock.serverNow()
    // A change made meanwhile is still unsent, and its own request decides.
    const isLatest = row.revision === entry.revision
    if (result.outcome === 'SAVED' || (result.outcome === 'OUTDATED' && isLatest && same(stored, row.answer))) {
      const { conflict: _, refused: __, blocked, ...rest } = entry
      if (blocked) this._blockedAt = 0 // the other answers may pass, too
      this.change({ ...rest, seen, pending: entry.pending && !isLatest, savedAt })
    } else if (!isLatest || !entry.pending) {
      return
    } else if (result.outcome === 'OUTDATED') {
      this.change({ ...entry, conflict: { answer: stored, revision: result.revision, savedAt } })
    } else {
      this.change({ ...entry, refused: result.error?.detail ?? '' })
    }
  }
}
