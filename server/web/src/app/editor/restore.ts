// What a closed tab had, when the editor is opened again.
import { completed } from './completed.ts'
import { docOf, idsOf } from './contract.ts'
import { rebase, type History } from './history.ts'
import type { Kept } from './kept.ts'
import { merge } from './merge.ts'
import type { Detail } from './model.ts'
import type { Base } from './saver.ts'

/** restore returns what a closed tab had, together with what was saved elsewhere since. */
export function restore(kept: Kept, detail: Detail, etag: string): { history: History; base: Base } {
  const { present, past, future, isDirty } = kept
  const keys = new Map([...kept.base.ids].map(([key, id]) => [id, key]))
  const theirs = docOf(detail, (id) => keys.get(id) ?? id)
  const pools = new Map(theirs.stages.map((stage) => [stage.key, stage.pools]))
  const history = rebase({ present, past, future }, (doc) => completed(doc, pools))
  const base = { ...kept.base, doc: completed(kept.base.doc, pools) }
  // Unsaved changes are sent with the old version, so that the saver finds what was changed elsewhere.
  if (isDirty || base.etag === etag) return { history, base }
  return {
    history: rebase(history, (own) => merge(base.doc, own, theirs, () => 'theirs').doc),
    base: { doc: theirs, etag, ids: idsOf(theirs, detail) },
  }
}
