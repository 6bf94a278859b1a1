// A question of the bank that a person edits. Each saved change of the content is a version, so it is saved with a
// button, and the tab keeps what is not saved.
import { batch, computed, signal } from '@preact/signals'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Answer, type Fault as ApiFault, type Schemas } from '../core/api.ts'
import { keep, kept, placeOf } from '../core/drafts.ts'
import { forget } from '../core/query.ts'
import { questionInput, questionOfInput } from '../editor/contract.ts'
import { begin, commit, redo, undo, type History } from '../editor/history.ts'
import {
  newQuestion, newStage, same, type Detail, type Doc, type Question, type QuestionInput, type Settings,
} from '../editor/model.ts'
import { placeFaults, type Fault } from '../editor/places.ts'
import { renderedOf } from '../editor/rendered.ts'
import type { Status } from '../editor/saver.ts'
import type { FieldEditor } from '../editor/state.ts'
import { etagOf, read, type BankQuestion, type Base } from './base.ts'
import { has } from './words.ts'

/** What the tab keeps. Without a base, the question is not created yet. */
interface Draft {
  question: Question
  tags: string[]
  typedTag: string
  base: Base | undefined
}

/** The limits of the contract. */
export const limits = { tags: 20, tag: 40 }

/** The fields of the editor work on a document, so the question is the only one of a document without settings. */
const docOf = (question: Question): Doc => ({
  settings: {} as Settings,
  stages: [{ ...newStage(''), key: 'bank', questions: [question] }],
})
const questionOf = (doc: Doc): Question => doc.stages[0]!.questions[0]!

/** The content for the server. The key is only of this browser. */
const contentOf = (question: Question): QuestionInput => questionInput(question, new Map())

export class BankEditor implements FieldEditor {
  readonly history = signal<History>(undefined as never)
  readonly doc = computed(() => this.history.value.present)
  readonly question = computed(() => questionOf(this.doc.value))
  readonly tags = signal<string[]>([])
  /** A tag that is typed and not added yet. Saving adds it. */
  readonly typedTag = signal('')
  /** What the changes are based on. */
  readonly base = signal<Base | undefined>(undefined)
  /** What somebody else has saved, if it contradicts the changes. */
  readonly theirs = signal<Base | undefined>(undefined)
  readonly status = signal<Status>({ kind: 'saved' })
  readonly faults = signal<Fault[] | undefined>(undefined)
  /** Why the last attempt to save did not succeed, if no field shows it. */
  readonly fault = signal<ApiFault | undefined>(undefined)
  readonly tagsFault = signal<string | undefined>(undefined)
  readonly rendered = signal<ReturnType<typeof renderedOf>>(new Map())
  readonly wanted = signal<string | undefined>(undefined)
  readonly isBusy = signal(false)
  /** Whether the fields have what the tab has kept. */
  readonly isBack = signal(false)
  readonly isDirty = computed(() => this.isContentDirty.value || this.areTagsDirty.value)
  readonly isContentDirty = computed(() => !same(contentOf(this.question.value), this.baseContent.value))
  private readonly first: { type: Question['type']; points: number; tags: string[] }
  private readonly areTagsDirty = computed(
    () => !isBlank(this.typedTag.value) || !same(this.tags.value, this.baseTags.value),
  )
  private readonly baseTags = computed(() => this.base.value?.data.tags ?? this.first.tags)
  private readonly baseContent = computed(() => contentOf(this.beginning()))
  private readonly place = placeOf('question')

  /** A question that is created begins with the type, the points, and the tags of the one before. */
  constructor(current: Base | undefined, first = { type: newQuestion().type, points: 1, tags: [] as string[] }) {
    this.first = first
    const draft = kept<Draft>(this.place)
    this.take(current)
    if (!draft || (draft.base?.data.id ?? '') !== (current?.data.id ?? '')) return
    this.base.value = draft.base
    this.history.value = begin(docOf({ ...newQuestion(draft.question.type), ...draft.question }))
    this.tags.value = draft.tags
    this.typedTag.value = draft.typedTag
    if (current && draft.base?.etag !== current.etag) this.meet(current)
    this.isBack.value = this.isDirty.value
  }

  get id(): string | undefined {
    return this.base.peek()?.data.id
  }

  /** change makes a step that can be undone. */
  change(next: Doc, place: string, isTyping = false): void {
    const before = this.history.peek()
    this.replace(commit(before, next, place, isTyping ? Date.now() : undefined))
  }

  undo(): void {
    const found = undo(this.history.peek())
    if (found) this.step(found)
  }

  redo(): void {
    const found = redo(this.history.peek())
    if (found) this.step(found)
  }

  /** use takes the content of an earlier version as a change that is not saved. */
  use(content: Schemas['Question']): void {
    const question = { ...questionOfInput(content), key: this.question.peek().key }
    this.change(docOf(question), `/q/${question.key}/prompt`)
  }

  setTags(tags: string[]): void {
    this.tags.value = tags
    this.tagsFault.value = undefined
    this.keep()
  }

  typeTag(tag: string): void {
    this.typedTag.value = tag
    this.keep()
  }

  /** addTag adds what is typed, unless the question has it already. */
  addTag(): void {
    const tag = this.typedTag.peek().replaceAll(',', '').trim()
    this.typedTag.value = ''
    const tags = this.tags.peek()
    this.setTags(tag && !has(tags, tag) && tags.length < limits.tags ? [...tags, tag] : tags)
  }

  /** discard begins again with what the server has. */
  discard(): void {
    this.typedTag.value = ''
    this.take(this.theirs.peek() ?? this.base.peek())
    this.keep()
  }

  /** save returns the question that the server then has, or undefined if it has refused the change. */
  async save(key: string): Promise<BankQuestion | undefined> {
    if (this.isBusy.peek()) return undefined
    this.addTag()
    const sent = this.question.peek()
    if (isBlank(sent.prompt)) {
      const place = `/q/${sent.key}/prompt`
      this.faults.value = [{ place, field: 'prompt', code: 'required', detail: '' }]
      this.wanted.value = place
      return undefined
    }
    // The person has seen what somebody else has saved.
    if (this.theirs.peek()) this.base.value = this.theirs.peek()
    this.theirs.value = undefined
    this.isBusy.value = true
    const answer = await this.send(key)
    this.isBusy.value = false
    if (!answer.ok) {
      this.refuse(answer.fault)
      return undefined
    }
    forget('/v1/questions')
    forget('/v1/question-tags')
    this.saved({ data: answer.data, etag: etagOf(answer.response) }, sent)
    return answer.data
  }

  /** adopt takes what the server has after another change by this person, such as archiving. */
  adopt(base: Base): void {
    if (!this.isDirty.peek()) this.take(base)
    else this.meet(base)
    this.keep()
  }

  private async send(key: string): Promise<Answer<BankQuestion>> {
    const question = contentOf(this.question.peek())
    const tags = this.tags.peek()
    const base = this.base.peek()
    if (!base) {
      const header = { 'Idempotency-Key': key }
      return ask(v1.POST('/v1/questions', { params: { header }, body: { question, tags } }))
    }
    const { id } = base.data
    const body = {
      ...(this.isContentDirty.peek() && { question }),
      ...(!same(tags, base.data.tags) && { tags }),
    }
    if (Object.keys(body).length === 0) return read(id)
    const params = (etag: string) => ({ path: { id }, header: { 'If-Match': etag } })
    const answer = await ask(v1.PATCH('/v1/questions/{id}', { params: params(base.etag), body }))
    if (answer.ok || answer.fault.status !== 412) return answer
    const current = await read(id)
    if (!current.ok) return current
    this.meet({ data: current.data, etag: etagOf(current.response) })
    // Nothing contradicts: what somebody else has changed is another part.
    return this.theirs.peek() ? answer : this.send(key)
  }

  /** meet adds what somebody else has saved, or shows it if both have changed the same part. */
  private meet(theirs: Base): void {
    const before = this.base.peek()!.data
    const question = this.question.peek()
    const content = contentOf(question)
    const other = contentOf({ ...questionOfInput(theirs.data.question), key: question.key })
    const tags = this.tags.peek()
    const hasOwnContent = !same(content, this.baseContent.peek())
    const hasOwnTags = !same(tags, before.tags)
    const differs =
      (hasOwnContent && !same(other, this.baseContent.peek()) && !same(other, content)) ||
      (hasOwnTags && !same(theirs.data.tags, before.tags) && !same(theirs.data.tags, tags))
    if (differs) {
      this.theirs.value = theirs
      return
    }
    batch(() => {
      this.base.value = theirs
      if (!hasOwnContent) this.history.value = begin(docOf(this.beginning()))
      if (!hasOwnTags) this.tags.value = theirs.data.tags
      this.render()
    })
  }

  private refuse(fault: ApiFault): void {
    this.fault.value = undefined
    if (this.theirs.peek()) return this.keep()
    const errors = fault.problem?.errors ?? []
    const own = errors
      .filter(({ pointer }) => pointer.startsWith('/question/'))
      .map((error) => ({ ...error, pointer: `/stages/0/questions/0${error.pointer.slice('/question'.length)}` }))
    this.faults.value = placeFaults(this.doc.peek(), own)
    this.tagsFault.value = errors.find(({ pointer }) => pointer.startsWith('/tags'))?.code
    if (own.length > 0) this.wanted.value = this.faults.value[0]!.place
    else if (!this.tagsFault.value) this.fault.value = fault
  }

  private saved(base: Base, sent: Question): void {
    batch(() => {
      this.base.value = base
      // The server can write a text in another way, for example without white space at its end.
      const isWritten = this.isContentDirty.peek() && this.question.peek() === sent
      if (isWritten) this.history.value = begin(docOf(this.beginning()))
      this.isBack.value = false
      this.fault.value = undefined
      this.faults.value = undefined
      this.tags.value = base.data.tags
      this.render()
    })
    this.keep()
  }

  /** take begins with what the server has. */
  private take(base: Base | undefined): void {
    batch(() => {
      this.base.value = base
      this.theirs.value = undefined
      this.fault.value = undefined
      this.faults.value = undefined
      this.isBack.value = false
      this.history.value = begin(docOf(this.beginning()))
      this.tags.value = base?.data.tags ?? this.first.tags
      this.render()
    })
  }

  /** beginning is the question without the person's changes. Its key stays, so that the focus does. */
  private beginning(): Question {
    const question = this.base.value?.data.question
    if (question) return { ...questionOfInput(question), key: 'bank-question' }
    return { ...newQuestion(this.first.type), key: 'bank-question', points: this.first.points }
  }

  private step({ history, place }: { history: History; place: string }): void {
    this.replace(history)
    this.wanted.value = place
  }

  private replace(history: History): void {
    this.history.value = history
    this.faults.value = undefined
    this.keep()
  }

  private render(): void {
    const base = this.base.peek()
    if (!base) return
    // The server has rendered the saved texts. The document has the same place for them as in an assessment.
    const detail = { stages: [{ questions: [base.data.question] }] } as unknown as Detail
    this.rendered.value = renderedOf(this.doc.peek(), detail)
  }

  private keep(): void {
    const [question, tags, typedTag] = [this.question.peek(), this.tags.peek(), this.typedTag.peek()]
    const draft: Draft = { question, tags, typedTag, base: this.base.peek() }
    keep(this.place, this.isDirty.peek() ? draft : undefined)
  }
}
