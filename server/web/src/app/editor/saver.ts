// Saves the document of the editor, and never loses a change. It knows no browser, so that it is tested without one.
import type { Answer, Fault } from '../core/api.ts'
import { freshened } from './bank.ts'
import { docOf, idsOf, isSameContent, updateOf, type Ids } from './contract.ts'
import { merge, type Conflict, type Side } from './merge.ts'
import type { Detail, Doc, Settings, Update } from './model.ts'
import { isBlank } from '../../shared/text.ts'

/** What the server has, as far as this browser knows. */
export interface Base {
  doc: Doc
  etag: string
  ids: Ids
  /** What was sent last without a response. The server may have saved it. */
  unconfirmed?: Doc | undefined
}

/**
 * - saved: the server has everything
 * - waiting: a change is not sent yet
 * - saving: a request runs
 * - unreachable: the last request failed, and is repeated
 * - held: the server refuses some settings; it has the rest
 * - conflict: another editor has changed the same parts
 * - refused: the server refuses the change; it is sent again after the next change
 * - ended: the assessment is no longer a draft, or it is deleted
 */
export type Status =
  | { kind: 'saved' | 'waiting' | 'saving' }
  | { kind: 'unreachable' | 'refused' | 'ended'; fault: Fault }
  | { kind: 'held'; fields: Record<string, { code: string; detail: string }> }
  | { kind: 'conflict'; conflicts: Conflict[] }

export interface Options {
  base: Base
  read(): Promise<Answer<Detail>>
  update(body: Update, etag: string): Promise<Answer<Detail>>
  current(): Doc
  /** Changes each document of the editor, because another editor has saved, or the bank has other content. */
  rebase(change: (doc: Doc) => Doc): void
  /** Called when the status, the base, or both have changed. */
  changed(): void
  /** Called with the response, when the server has saved the document. */
  saved(doc: Doc, detail: Detail): void
  /** Called when changes of another editor were added without a question. */
  merged(): void
  /** Runs something later, and returns a function that cancels it. */
  later(act: () => void, milliseconds: number): () => void
}

/** How long after the last change the document is saved, in milliseconds. */
export const pause = 1500
const maxRetryPause = 30_000

export class Saver {
  status: Status = { kind: 'saved' }
  base: Base
  private options: Options
  private cancel = () => {}
  private running: Promise<boolean> | undefined
  private failures = 0
  private theirs: { doc: Doc; etag: string; ids: Ids; detail: Detail } | undefined
  /** The settings that the server refused, and the values of all settings then. */
  private held: { settings: Settings; fields: Record<string, { code: string; detail: string }> } | undefined

  constructor(options: Options) {
    this.options = options
    this.base = options.base
    if (this.pending()) this.touch()
  }

  /** Whether the server lacks a change. */
  get isDirty(): boolean {
    return this.pending() !== undefined || this.status.kind === 'held' || this.isTitleMissing()
  }

  /** touch is called after each change. */
  touch(): void {
    if (this.status.kind === 'conflict' || this.status.kind === 'ended') return
    this.cancel()
    if (!this.pending()) return this.settle()
    this.cancel = this.options.later(() => void this.save(), pause)
    if (this.status.kind !== 'unreachable') this.show({ kind: 'waiting' })
  }

  /** save saves at once. It returns whether the server has everything then. */
  async save(): Promise<boolean> {
    this.cancel()
    if (this.running) await this.running
    this.running ??= this.run().finally(() => (this.running = undefined))
    return this.running
  }

  /** resolve ends a conflict with the person's choices, and saves. */
  async resolve(choose: (place: string) => Side): Promise<boolean> {
    if (!this.theirs) return true
    this.adopt(this.theirs, choose)
    this.theirs = undefined
    this.show({ kind: 'waiting' })
    return this.save()
  }

  /** stop cancels what is planned. */
  stop(): void {
    this.cancel()
  }

  private pending(): Update | undefined {
    const doc = this.options.current()
    return updateOf(doc, this.base.doc, this.base.ids, this.heldFields(doc))
  }

  private isTitleMissing(): boolean {
    const { title } = this.options.current().settings
    return isBlank(title) && title !== this.base.doc.settings.title
  }

  /** Any change of the settings can make the refused ones acceptable. */
  private heldFields(doc: Doc): ReadonlySet<string> {
    return new Set(this.held?.settings === doc.settings ? Object.keys(this.held.fields) : [])
  }

  private show(status: Status): void {
    this.status = status
    this.options.changed()
  }

  private settle(): void {
    this.failures = 0
    const fields = this.heldFields(this.options.current()).size > 0 ? { ...this.held!.fields } : {}
    if (this.isTitleMissing()) fields.title = { code: 'required', detail: '' }
    this.show(Object.keys(fields).length > 0 ? { kind: 'held', fields } : { kind: 'saved' })
  }

  private async run(): Promise<boolean> {
    // Each round ends the saving, or has a new base.
    for (let round = 0; round < 10; round++) {
      if (this.status.kind === 'conflict' || this.status.kind === 'ended') return false
      const doc = this.options.current()
      const body = this.pending()
      if (!body) {
        this.settle()
        return this.status.kind === 'saved'
      }
      this.base = { ...this.base, unconfirmed: doc }
      this.show({ kind: 'saving' })
      const answer = await this.options.update(body, this.base.etag)
      if (answer.ok) {
        const isCurrent = this.options.current() === doc
        this.confirm(doc, answer.data, answer.response)
        if (!isCurrent) this.touch()
        else this.settle()
        return this.status.kind === 'saved'
      }
      if (!(await this.handle(answer.fault, doc))) return false
    }
    return false
  }

  private confirm(doc: Doc, detail: Detail, response: Response): void {
    this.failures = 0
    // A title without text and refused settings were not sent.
    const saved = { ...doc, settings: { ...this.base.doc.settings } }
    const held = this.heldFields(doc)
    for (const [field, value] of Object.entries(doc.settings)) {
      if (held.has(field) || (field === 'title' && isBlank(String(value)))) continue
      Object.assign(saved.settings, { [field]: value as unknown })
    }
    const fresh = freshened(detail)
    this.base = { doc: fresh(saved), etag: response.headers.get('ETag') ?? '', ids: idsOf(doc, detail) }
    this.options.rebase(fresh)
    this.options.saved(fresh(doc), detail)
  }

  /** handle reacts to a refusal. It returns whether the document can be sent again now. */
  private async handle(fault: Fault, doc: Doc): Promise<boolean> {
    const { status, problem } = fault
    if (status === 412) return this.meet()
    if (status === 0 || status === 429 || status >= 500) {
      this.retry(fault)
      return false
    }
    this.base = { ...this.base, unconfirmed: undefined }
    if (status === 404 || status === 409) {
      this.show({ kind: 'ended', fault })
      return false
    }
    const errors = problem?.errors ?? []
    const fields = errors.map(({ pointer }) => pointer.slice(1)).filter((field) => field in doc.settings)
    if (errors.length > 0 && fields.length === errors.length && doc.settings === this.options.current().settings) {
      const before = this.held?.settings === doc.settings ? this.held.fields : {}
      const refused = errors.map(({ pointer, code, detail }) => [pointer.slice(1), { code, detail }])
      this.held = { settings: doc.settings, fields: { ...before, ...Object.fromEntries(refused) } }
      return true
    }
    this.show({ kind: 'refused', fault })
    return false
  }

  private retry(fault: Fault): void {
    this.failures++
    const seconds = fault.retryAfter
    const wait = seconds !== undefined ? seconds * 1000 : Math.min(maxRetryPause, 1000 * 2 ** (this.failures - 1))
    this.show({ kind: 'unreachable', fault })
    this.cancel = this.options.later(() => void this.save(), wait * (1 + Math.random() / 4))
  }

  /** meet reads what another editor has saved, and adds it if nothing contradicts it. */
  private async meet(): Promise<boolean> {
    const answer = await this.options.read()
    if (!answer.ok) {
      if (answer.fault.status === 404) this.show({ kind: 'ended', fault: answer.fault })
      else this.retry(answer.fault)
      return false
    }
    const detail = answer.data
    const { unconfirmed } = this.base
    if (detail.status !== 'DRAFT') {
      this.show({ kind: 'ended', fault: { status: 409 } })
      return false
    }
    // Only the response to the last request was lost.
    if (unconfirmed && isSameContent(docOf(detail), unconfirmed)) {
      this.confirm(unconfirmed, detail, answer.response)
      return true
    }
    const keys = new Map([...this.base.ids].map(([key, id]) => [id, key]))
    const doc = docOf(detail, (id) => keys.get(id) ?? id)
    const etag = answer.response.headers.get('ETag') ?? ''
    const theirs = { doc, etag, ids: idsOf(doc, detail), detail }
    const { conflicts } = merge(this.base.doc, this.options.current(), doc)
    if (conflicts.length > 0) {
      this.theirs = theirs
      this.show({ kind: 'conflict', conflicts })
      return false
    }
    this.adopt(theirs, () => 'mine')
    this.options.merged()
    return true
  }

  /** adopt makes their document the base, and adds it to each document of the editor. */
  private adopt({ doc, etag, ids, detail }: NonNullable<Saver['theirs']>, choose: (place: string) => Side): void {
    const before = this.base.doc
    this.base = { doc, etag, ids }
    this.options.rebase((own) => merge(before, own, doc, choose).doc)
    this.options.saved(doc, detail)
  }
}
