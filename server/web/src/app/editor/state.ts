// An open editor: its document, what is saved, and what is wrong.
import { batch, computed, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { Fault as ApiFault } from '../core/api.ts'
import { ask, v1 } from '../core/api.ts'
import { forget as forgetQueries } from '../core/query.ts'
import { me } from '../core/me.ts'
import { docOf, idsOf } from './contract.ts'
import { begin, commit, rebase, redo, undo, type History } from './history.ts'
import { forget, put, release, type Kept } from './kept.ts'
import { stageOf, type Detail, type Doc, type Stage, type Update } from './model.ts'
import { isPlaceIn, parsePlace, placeFaults, type Fault } from './places.ts'
import { renderedOf } from './rendered.ts'
import type { restore } from './restore.ts'
import type { Base, Saver, Status } from './saver.ts'

/** How long after a change the browser keeps it, in milliseconds. */
const keepPause = 200

export const read = (id: string) => ask(v1.GET('/v1/assessments/{id}', { params: { path: { id } } }))
const update = (id: string, body: Update, etag: string) =>
  ask(v1.PATCH('/v1/assessments/{id}', { params: { path: { id }, header: { 'If-Match': etag } }, body }))

/** The exports of drafting.ts. */
export interface Drafting {
  Saver: typeof Saver
  restore: typeof restore
  Bar: ComponentType<{ editor: Editor; compare(): void; go(place: string): void }>
}

export interface Opening {
  tab: string
  kept: Kept | undefined
  events: Events
  drafting: Drafting | undefined
}

export interface Events {
  /** Another editor's changes were added. */
  merged(): void
}

export class Editor {
  readonly id: string
  /** The newest response of the server. */
  readonly detail = signal<Detail>(undefined as never)
  readonly history = signal<History>(undefined as never)
  readonly doc = computed(() => this.history.value.present)
  readonly status = signal<Status>({ kind: 'saved' })
  /** The faults that prevent publishing, or undefined until they are known. */
  readonly faults = signal<Fault[] | undefined>(undefined)
  readonly checkFault = signal<ApiFault | undefined>(undefined)
  readonly rendered = signal<ReturnType<typeof renderedOf>>(new Map())
  /** The key of the question, the pool, or the stage that is a form. */
  readonly active = signal<string | undefined>(undefined)
  /** The key of the stage that is shown if no part of one is a form. */
  readonly stage = signal<string | undefined>(undefined)
  /** The place that gets the focus when it is shown. */
  readonly wanted = signal<string | undefined>(undefined)
  /** Whether the browser keeps unsaved changes. */
  readonly isKept = signal(true)
  readonly isReadOnly: boolean
  /** What changes need. A read-only assessment has nothing of it. */
  readonly drafting: Drafting | undefined
  private saver: Saver | undefined
  private tab: string
  private events: Events
  private keepTimer: ReturnType<typeof setTimeout> | undefined
  private checks = 0
  private readonly listeners: [EventTarget, string, (event: Event) => void][]

  constructor(detail: Detail, etag: string, { tab, kept, events, drafting }: Opening) {
    this.id = detail.id
    this.tab = tab
    this.events = events
    this.drafting = drafting
    this.isReadOnly = drafting === undefined
    const doc = docOf(detail)
    const restored = kept && drafting?.restore(kept, detail, etag)
    const base = restored?.base ?? { doc, etag, ids: idsOf(doc, detail) }
    this.history.value = restored?.history ?? begin(doc)
    this.detail.value = detail
    this.rendered.value = renderedOf(base.doc, detail)
    if (drafting) this.saver = this.newSaver(drafting, base)
    this.showStatus()
    this.listeners = [
      [window, 'online', () => this.status.value.kind === 'unreachable' && void this.saver?.save()],
      [window, 'pagehide', () => this.keepNow()],
      [document, 'visibilitychange', () => document.visibilityState === 'hidden' && this.keepNow()],
      [window, 'beforeunload', (event) => this.warn(event)],
    ]
    for (const [target, type, act] of this.listeners) target.addEventListener(type, act)
    void this.check()
  }

  private newSaver(drafting: Drafting, base: Base): Saver {
    return new drafting.Saver({
      base,
      read: () => read(this.id),
      update: (body, etag) => update(this.id, body, etag),
      current: () => this.history.peek().present,
      rebase: (change) => {
        this.history.value = rebase(this.history.peek(), change)
      },
      changed: () => this.showStatus(),
      saved: (doc, detail) => this.saved(doc, detail),
      merged: () => this.events.merged(),
      later: (act, milliseconds) => {
        const timer = setTimeout(act, milliseconds)
        return () => clearTimeout(timer)
      },
    })
  }

  /** change makes a step that can be undone. Steps of typing in one place become one. */
  change(next: Doc, place: string, isTyping = false): void {
    if (this.isReadOnly) return
    const before = this.history.peek()
    const after = commit(before, next, place, isTyping ? Date.now() : undefined)
    if (after !== before) this.replace(after)
  }

  undo(): boolean {
    return this.step(undo(this.history.peek()))
  }

  redo(): boolean {
    return this.step(redo(this.history.peek()))
  }

  /** show opens the form of a place and moves the focus there. */
  show(place: string): void {
    const { kind, key } = parsePlace(place)
    batch(() => {
      if (kind === 'stage' || kind === 'question' || kind === 'pool') this.active.value = key
      this.wanted.value = place
    })
  }

  save(): Promise<boolean> {
    return this.saver?.save() ?? Promise.resolve(true)
  }

  resolve(...choice: Parameters<Saver['resolve']>): Promise<boolean> {
    return this.saver?.resolve(...choice) ?? Promise.resolve(true)
  }

  /** check asks the server what prevents publishing. */
  async check(): Promise<Fault[] | undefined> {
    const round = ++this.checks
    const doc = this.saver?.base.doc ?? this.history.peek().present
    const answer = await ask(v1.POST('/v1/assessments/{id}/check', { params: { path: { id: this.id } } }))
    if (round !== this.checks) return this.faults.peek()
    this.checkFault.value = answer.ok ? undefined : answer.fault
    if (answer.ok) this.faults.value = placeFaults(doc, answer.data.faults)
    return this.faults.peek()
  }

  /** close is called when the person leaves the editor for another screen. */
  async close(): Promise<void> {
    for (const [target, type, act] of this.listeners) target.removeEventListener(type, act)
    await this.keepNow()
    const { saver } = this
    this.checks++
    if (saver?.isDirty) await saver.save()
    saver?.stop()
    await this.keepNow()
    release(this.tab)
  }

  private step(found: { history: History; place: string } | undefined): boolean {
    if (!found) return false
    this.replace(found.history)
    // An undone insertion has no place any more.
    if (isPlaceIn(found.history.present, found.place)) this.show(found.place)
    return true
  }

  private replace(history: History): void {
    this.history.value = history
    this.saver?.touch()
    clearTimeout(this.keepTimer)
    this.keepTimer = setTimeout(() => void this.keepNow(), keepPause)
  }

  private showStatus(): void {
    if (this.saver) this.status.value = this.saver.status
  }

  private saved(doc: Doc, detail: Detail): void {
    batch(() => {
      this.detail.value = detail
      this.rendered.value = renderedOf(doc, detail, this.rendered.peek())
    })
    forgetQueries('/v1/assessments')
    forgetQueries('/v1/overview')
    void this.keepNow()
    void this.check()
  }

  /** keepNow stores the document and the steps in the browser. */
  private async keepNow(): Promise<void> {
    clearTimeout(this.keepTimer)
    this.keepTimer = undefined
    const { saver } = this
    if (!saver) return
    const { present, past, future } = this.history.peek()
    const of = keptOf(this.id)
    const { isDirty, base } = saver
    try {
      if (isDirty || past.length + future.length > 0) {
        await put({ id: this.tab, of, at: Date.now(), isDirty, base, present, past, future })
      } else await forget(this.tab)
      this.isKept.value = true
    } catch {
      this.isKept.value = false
    }
  }

  /** warn asks before the page is left, if a change would be lost. */
  private warn(event: Event): void {
    if (!this.saver?.isDirty || (this.isKept.peek() && this.keepTimer === undefined)) return
    void this.keepNow()
    if (!this.isKept.peek()) event.preventDefault()
  }
}

/** What the fields of a question need. The question bank has it without an assessment. */
export type FieldEditor = Pick<Editor, 'doc' | 'status' | 'faults' | 'rendered' | 'wanted' | 'change'>

export const keptOf = (id: string) => `${me.value!.id}/${id}`

/** shownStage returns the stage whose questions are shown: that of the open form, the last one, or the first. */
export function shownStage({ doc, active, stage }: Editor): Stage | undefined {
  const { stages } = doc.value
  const found = (key: string | undefined) =>
    key === undefined ? undefined : (stages.find((stage) => stage.key === key) ?? stageOf(doc.value, key))
  return found(active.value) ?? found(stage.value) ?? stages[0]
}
