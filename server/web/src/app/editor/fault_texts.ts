// What prevents publishing or saving, in words.
import { text } from '../../shared/i18n.tsx'
import { fieldFault, hasText } from '../core/faults.ts'
import { positionOf, parsePlace, type Fault } from './places.ts'
import type { FieldEditor } from './state.ts'

export function faultText({ field, code, detail }: Pick<Fault, 'field' | 'code' | 'detail'>): string {
  // A picture or a formula in a text has the codes of the text itself. Only the detail names it.
  const part = /^(?:has|contains) a (picture|formula) /.exec(detail ?? '')?.[1]
  const key = `editor.fault.${part ?? field}.${code}`
  return hasText(key) ? text(key) : fieldFault({ code, detail } as never)
}

/** faultTextsAt returns what is wrong at a place: a setting that the server refuses, or what publishing needs. */
export function faultTextsAt(editor: FieldEditor, place: string): string | undefined {
  const status = editor.status.value
  const field = place.slice(1)
  const refused = status.kind === 'held' ? status.fields[field] : undefined
  if (refused) return faultText({ field, ...refused })
  const found = editor.faults.value?.find((fault) => fault.place === place)
  return found && faultText(found)
}

/** whereText says where a place is, for example "Stage 1, question 3". */
export function whereText(editor: FieldEditor, place: string): string {
  const { kind, key } = parsePlace(place)
  const position = key === undefined ? undefined : positionOf(editor.doc.value, key)
  if (!position) return text(kind === 'setting' ? 'editor.where.settings' : 'editor.where.assessment')
  if (position.pool !== undefined) return text('editor.where.pool', { stage: position.stage, pool: position.pool })
  if (position.question === undefined) return text('editor.where.stage', { stage: position.stage })
  return text('editor.where.question', { stage: position.stage, question: position.question })
}
