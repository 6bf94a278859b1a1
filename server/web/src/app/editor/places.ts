// Places of the document: "/title" is a setting, "/s/KEY/title" is a field of a stage, "/q/KEY/prompt" is one of a
// question, and "/p/KEY/count" is one of a pool. Keys stay while stages, questions, and pools move, so a place survives
// changes that a JSON Pointer does not.
import type { Schemas } from '../../shared/api.ts'
import type { Doc } from './model.ts'

export interface Place {
  kind: 'setting' | 'stage' | 'question' | 'pool' | 'stages'
  /** The key of the stage, the question, or the pool. */
  key?: string
  /** The field, with its index or id: "options/b". */
  field: string
}

export function parsePlace(place: string): Place {
  const [, first = '', key, ...rest] = place.split('/')
  if (first === 's') return { kind: 'stage', key: key!, field: rest.join('/') }
  if (first === 'q') return { kind: 'question', key: key!, field: rest.join('/') }
  if (first === 'p') return { kind: 'pool', key: key!, field: rest.join('/') }
  if (first === 'stages' || first === 'order') return { kind: 'stages', field: '' }
  return { kind: 'setting', field: first }
}

/** A fault that prevents publishing. */
export interface Fault {
  place: string
  /** The name of the field in the contract, such as "prompt" or "options/text". */
  field: string
  code: string
  detail: string
}

/** placeFaults finds the places of the faults of a document. */
export function placeFaults(doc: Doc, faults: Schemas['FieldError'][]): Fault[] {
  return faults.map(({ pointer, code, detail }) => ({ ...placeOf(doc, pointer), code, detail }))
}

function placeOf(doc: Doc, pointer: string): { place: string; field: string } {
  const [, first, i, second, j, ...rest] = pointer.split('/')
  const stage = first === 'stages' && i !== undefined ? doc.stages[Number(i)] : undefined
  if (!stage) return { place: pointer, field: first ?? '' }
  const pool = second === 'pools' && j !== undefined ? stage.pools[Number(j)] : undefined
  if (pool) return { place: `/p/${pool.key}/${rest[0] ?? ''}`, field: ['pool', ...rest.slice(0, 1)].join('/') }
  const question = second === 'questions' && j !== undefined ? stage.questions[Number(j)] : undefined
  if (!question) return { place: `/s/${stage.key}/${second ?? ''}`, field: `stage/${second}` }
  const [field = '', index, part] = rest
  const name = part ? `${field}/${part}` : index !== undefined ? `${field}/item` : field
  const option = field === 'options' && index !== undefined ? question.options[Number(index)] : undefined
  const criterion = field === 'rubric' && index !== undefined ? question.rubric[Number(index)] : undefined
  const isKey = field.startsWith('correctOption')
  const tail = option
    ? `options/${option.id}`
    : criterion
      ? `rubric/${[criterion.id, part].filter(Boolean).join('/')}`
      : isKey ? 'options' : rest.slice(0, 2).join('/')
  return { place: `/q/${question.key}/${tail}`, field: name }
}

/** Where a stage, or a question or a pool in it, is, from 1. */
export function positionOf(doc: Doc, key: string): { stage: number; question?: number; pool?: number } | undefined {
  for (const [i, stage] of doc.stages.entries()) {
    if (stage.key === key) return { stage: i + 1 }
    const j = stage.questions.findIndex((question) => question.key === key)
    if (j >= 0) return { stage: i + 1, question: j + 1 }
    const pool = stage.pools.findIndex((pool) => pool.key === key)
    if (pool >= 0) return { stage: i + 1, pool: pool + 1 }
  }
  return undefined
}

/** isPlaceIn reports whether the document has the stage, the question, or the pool of a place. */
export function isPlaceIn(doc: Doc, place: string): boolean {
  const { key } = parsePlace(place)
  return key === undefined || positionOf(doc, key) !== undefined
}
