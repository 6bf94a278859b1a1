// Undo and redo. Steps are whole documents, which share what has not changed.
import type { Doc } from './model.ts'

export interface Step {
  doc: Doc
  /** The place that the step changed, which gets the focus when the step is undone. */
  place: string
}

export interface History {
  present: Doc
  past: Step[]
  future: Step[]
  /** What the last change was, for changes that belong to the same step. */
  group?: { place: string; at: number } | undefined
}

export const maxSteps = 100
/** A pause of so many milliseconds while typing in one field begins a new step. */
const maxPause = 2000

export const begin = (present: Doc): History => ({ present, past: [], future: [] })

/**
 * commit adds a change. Typing in one field is one step until the person pauses: `typing` has the time of
 * the change in milliseconds.
 */
export function commit(history: History, next: Doc, place: string, typing?: number): History {
  const { present, past, group } = history
  if (next === present) return history
  const continues =
    typing !== undefined && group !== undefined && group.place === place && typing - group.at < maxPause
  return {
    present: next,
    past: continues ? past : [...past.slice(1 - maxSteps), { doc: present, place }],
    future: [],
    group: typing === undefined ? undefined : { place, at: typing },
  }
}

export function undo({ present, past, future }: History): { history: History; place: string } | undefined {
  const step = past.at(-1)
  if (!step) return undefined
  const next = { present: step.doc, past: past.slice(0, -1), future: [...future, { doc: present, place: step.place }] }
  return { history: next, place: step.place }
}

export function redo({ present, past, future }: History): { history: History; place: string } | undefined {
  const step = future.at(-1)
  if (!step) return undefined
  const next = { present: step.doc, past: [...past, { doc: present, place: step.place }], future: future.slice(0, -1) }
  return { history: next, place: step.place }
}

/** rebase changes every document, so that undoing does not undo what another editor has saved. */
export function rebase(history: History, change: (doc: Doc) => Doc): History {
  const { present, past, future } = history
  const known = new Map<Doc, Doc>()
  const changed = (doc: Doc) => {
    if (!known.has(doc)) known.set(doc, change(doc))
    return known.get(doc)!
  }
  // Otherwise, typing that continues would be another step.
  if ([present, ...[...past, ...future].map(({ doc }) => doc)].every((doc) => changed(doc) === doc)) return history
  const steps = (list: Step[]) => list.map(({ doc, place }) => ({ doc: changed(doc), place }))
  return { present: changed(present), past: steps(past), future: steps(future) }
}
