// One answer after the other: the claim, the draft, the grade, and the way back. It sends one request for each grade,
// whose response has the next answer.
import { signal } from '@preact/signals'
import { ask, v1, type Answer, type Fault } from '../core/api.ts'
import { keep, kept, placeOf } from '../core/drafts.ts'
import { draftOf, entryOf, gradeOf, isEmpty, type Claim, type Entry } from './points.ts'

/** Where what is typed is: on the server, on its way there, or only in this tab. */
export type Saved = 'nothing' | 'server' | 'typing' | 'tab'

/** What happened before the shown answer. The page says it, and puts the focus accordingly. */
export type Before = 'opened' | 'graded' | 'skipped' | 'undone'

/** A claim that was graded in this visit. */
export interface Graded {
  id: string
  questionId: string
  /** The session of the candidate, unless grading is blind. */
  sessionId: string | undefined
  at: number
  /** Whether the server has refused to undo it. */
  isLate?: boolean
}

/** How long the page waits after the last change before it saves a draft, in milliseconds. */
const pause = 1200

export class Turn {
  /** Undefined while it loads, null if nothing waits for the person. */
  readonly claim = signal<Claim | null | undefined>(undefined)
  readonly entry = signal<Entry>({ points: {}, comment: '' })
  readonly saved = signal<Saved>('nothing')
  readonly before = signal<Before>('opened')
  readonly isBusy = signal(false)
  readonly fault = signal<Fault | undefined>(undefined)
  /** Whether the claim has ended because another person has the answer. What was typed stays on the page. */
  readonly isLost = signal(false)
  /** Whether the claim has ended by itself. It continues with the next draft, unless another person has the answer. */
  readonly isStale = signal(false)
  /** The claims that were graded in this visit, in their order. */
  readonly graded = signal<Graded[]>([])
  /** The grade that the person wanted to undo when it was too late. */
  readonly late = signal<Graded | undefined>(undefined)
  lastAt: string | undefined

  private readonly assessmentId: string
  private readonly questionId: string | undefined
  private typing: ReturnType<typeof setTimeout> | undefined
  private retry: ReturnType<typeof setTimeout> | undefined
  private lease: ReturnType<typeof setTimeout> | undefined
  private failures = 0
  private sending: Promise<unknown> = Promise.resolve()
  private isOpen = true

  constructor(assessmentId: string, questionId: string | undefined) {
    this.assessmentId = assessmentId
    this.questionId = questionId
  }

  /** open claims an answer, or gets the one that the person already holds. */
  async open(before: Before = 'opened'): Promise<void> {
    const body = { assessmentId: this.assessmentId, ...(this.questionId && { questionId: this.questionId }) }
    const answer = await this.run(() => ask(v1.POST('/v1/grading/claims', { body })), () => void this.open(before))
    if (answer) this.show(answer.claim, before)
  }

  /** stop ends the timers when the screen is left. What is typed goes to the server. */
  stop(): void {
    this.isOpen = false
    this.clear()
    if (this.saved.peek() === 'typing') void this.saveDraft()
    removeEventListener('online', this.online)
  }

  start(): void {
    this.isOpen = true
    addEventListener('online', this.online)
    void this.open()
  }

  change(entry: Entry): void {
    this.entry.value = entry
    this.saved.value = 'typing'
    // Of a request that waits for the network, the person has just changed the content.
    clearTimeout(this.retry)
    this.fault.value = undefined
    keep(this.place(), entry)
    this.saveSoon(pause)
  }

  /** next leaves an answer that another person has. */
  next(): Promise<void> {
    keep(this.place(), undefined)
    return this.open('skipped')
  }

  /** keepClaim saves the draft as it is, which renews the claim. */
  keepClaim(): Promise<void> {
    return this.saveDraft()
  }

  /** save grades the answer, and shows the next one. The caller has checked that all criteria have points. */
  async save(): Promise<void> {
    const claim = this.claim.peek()
    if (!claim || this.isLost.peek()) return
    const body = gradeOf(claim.question, this.entry.peek())
    const grade = () => ask(v1.POST('/v1/grading/claims/{id}/grade', { params: { path: { id: claim.id } }, body }))
    const answer = await this.run(grade, () => void this.save())
    if (!answer) return
    keep(placeOf(`grading ${claim.id}`), undefined)
    const { id, question, candidate } = claim
    const graded = { id, questionId: question.id, sessionId: candidate?.sessionId, at: Date.now() }
    this.graded.value = [...this.graded.peek(), graded]
    this.lastAt = new Date().toISOString()
    this.show(answer.claim, 'graded')
  }

  /** skip releases the answer, and shows another one. */
  async skip(): Promise<void> {
    const claim = this.claim.peek()
    if (!claim) return
    const release = () => ask(v1.POST('/v1/grading/claims/{id}/release', { params: { path: { id: claim.id } } }))
    if ((await this.run(release, () => void this.skip())) === undefined && !this.isLost.peek()) return
    keep(placeOf(`grading ${claim.id}`), undefined)
    await this.open('skipped')
  }

  /** last is the grade that can be undone: only the last one. */
  last(): Graded | undefined {
    const last = this.graded.value.at(-1)
    return last?.isLate ? undefined : last
  }

  /** undo shows the last answer that was graded in this visit, or sets `late`. */
  async undo(): Promise<void> {
    const last = this.last()
    if (!last || this.isBusy.peek()) return
    const { id } = last
    if (this.saved.peek() === 'typing') await this.saveDraft()
    let isLate = false
    const answer = await this.run(
      () => ask(v1.POST('/v1/grading/claims/{id}/undo', { params: { path: { id } } })),
      () => void this.undo(),
      ({ status }) => (isLate = [404, 409].includes(status)),
    )
    const before = this.graded.peek().filter((graded) => graded.id !== id)
    if (answer) this.graded.value = before
    if (answer) this.show(answer.claim, 'undone')
    if (!isLate) return
    this.graded.value = [...before, { ...last, isLate }]
    this.late.value = last
  }

  /** leave saves what is typed, or releases an answer for which nothing is typed, so that others get it at once. */
  async leave(): Promise<void> {
    const claim = this.claim.peek()
    if (!claim || this.isLost.peek()) return
    if (this.saved.peek() === 'typing') return this.saveDraft()
    if (!isEmpty(this.entry.peek())) return
    await ask(v1.POST('/v1/grading/claims/{id}/release', { params: { path: { id: claim.id } } }))
  }

  private readonly online = () => {
    if (this.saved.peek() === 'tab') void this.saveDraft()
  }

  private readonly place = () => placeOf(`grading ${this.claim.peek()!.id}`)

  private show(claim: Claim | null, before: Before): void {
    this.clear()
    this.isLost.value = false
    this.late.value = undefined
    this.before.value = before
    if (claim) {
      // What the tab has kept was not saved, so it is newer than the draft of the server.
      const own = kept<Entry>(placeOf(`grading ${claim.id}`))
      this.entry.value = own ?? entryOf(claim)
      this.saved.value = own ? 'typing' : claim.draft ? 'server' : 'nothing'
      if (own) this.saveSoon(0)
      this.watch(claim)
    }
    this.claim.value = claim
  }

  /** watch notices when the claim ends by itself. */
  private watch({ leasedUntil }: Claim): void {
    clearTimeout(this.lease)
    this.isStale.value = false
    this.lease = setTimeout(() => (this.isStale.value = true), Date.parse(leasedUntil) - Date.now())
  }

  private clear(): void {
    for (const timer of [this.typing, this.retry, this.lease]) clearTimeout(timer)
    this.fault.value = undefined
  }

  private saveSoon(wait: number): void {
    clearTimeout(this.typing)
    this.typing = setTimeout(() => void this.saveDraft(), wait)
  }

  /** saveDraft sends drafts one after the other, because an older one must not replace a newer one. */
  private saveDraft(): Promise<void> {
    clearTimeout(this.typing)
    const next = this.sending.then(() => this.sendDraft())
    this.sending = next
    return next
  }

  private async sendDraft(): Promise<void> {
    const claim = this.claim.peek()
    if (!claim || this.isLost.peek()) return
    const sent = this.entry.peek()
    const params = { path: { id: claim.id } }
    const answer = await ask(v1.PUT('/v1/grading/claims/{id}/draft', { params, body: draftOf(claim.question, sent) }))
    if (this.claim.peek()?.id !== claim.id) return
    if (answer.ok) {
      this.failures = 0
      if (answer.data.claim) this.watch(answer.data.claim)
      if (this.entry.peek() !== sent) return
      keep(placeOf(`grading ${claim.id}`), undefined)
      this.saved.value = 'server'
      return
    }
    if (isEnded(answer.fault)) this.isLost.value = true
    else {
      this.saved.value = 'tab'
      if (this.isOpen) this.saveSoon(waitOf(answer.fault, ++this.failures))
    }
  }

  /** run sends a request after the drafts, and repeats it while the server is unavailable. */
  private async run<T>(
    send: () => Promise<Answer<T>>,
    again: () => void,
    refused: (fault: Fault) => boolean = () => false,
  ): Promise<T | undefined> {
    if (this.isBusy.peek()) return undefined
    this.isBusy.value = true
    clearTimeout(this.typing)
    clearTimeout(this.retry)
    await this.sending
    const answer = await send()
    this.isBusy.value = false
    if (!this.isOpen) return undefined
    if (answer.ok) {
      this.failures = 0
      return answer.data ?? ({} as T)
    }
    if (refused(answer.fault)) return undefined
    this.fault.value = answer.fault
    if (isEnded(answer.fault) && this.claim.peek()) {
      this.fault.value = undefined
      this.isLost.value = true
    } else if ([0, 503].includes(answer.fault.status)) {
      this.retry = setTimeout(again, waitOf(answer.fault, ++this.failures))
    }
    return undefined
  }
}

/** isEnded reports whether another person has the answer, or the answer does not wait any more. */
const isEnded = ({ status, problem }: Fault) => status === 404 || problem?.code === 'claim_ended'

/** waitOf is the time until the next attempt, in milliseconds. */
const waitOf = ({ retryAfter }: Fault, failures: number) => (retryAfter ?? Math.min(15, 2 ** (failures - 1))) * 1000
