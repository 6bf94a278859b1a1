// What a person enters as voluntary questions, and the request that it becomes.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { newKey } from '../core/keys.ts'

/** An answer or a question. `key` is for Preact. A new one has no id until it is saved. */
interface Row {
  key: string
  id?: string
  text: string
}

export interface Entered extends Row {
  options: Row[]
}

export const maxQuestions = 5
export const maxOptions = 20
const maxId = 40

type Content = Pick<Schemas['SelfIdentificationQuestion'], 'id' | 'text' | 'options'>

const rowOf = ({ id, text }: { id: string; text: string }): Row => ({ key: newKey(), id, text })

export function enteredOf({ id, text, options }: Content): Entered {
  return { ...rowOf({ id, text }), options: options.map(rowOf) }
}

export const newOption = (): Row => ({ key: newKey(), text: '' })

export const newQuestion = (): Entered => ({ ...newOption(), options: [newOption(), newOption()] })

/**
 * idsOf gives each text an id that stays when the text changes, because answers belong to ids. A new id is made of the
 * text, and differs from all others.
 */
export function idsOf(rows: Pick<Row, 'id' | 'text'>[]): string[] {
  const taken = new Set(rows.map(({ id }) => id))
  return rows.map(({ id, text }, i) => {
    if (id) return id
    const words = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    const base = words.replaceAll(/^-+|-+$/g, '').slice(0, maxId - 4) || `id-${i + 1}`
    let made = base
    for (let n = 2; taken.has(made); n++) made = `${base}-${n}`
    taken.add(made)
    return made
  })
}

export function bodyOf(entered: Entered[]): Schemas['SelfIdentificationPut'] {
  const ids = idsOf(entered)
  return {
    questions: entered.map(({ text, options }, i) => {
      const optionIds = idsOf(options)
      return { id: ids[i]!, text: text.trim(), options: options.map((option, j) => ({ id: optionIds[j]!, text: option.text.trim() })) }
    }),
  }
}

/** faultsOf returns texts by JSON Pointer. */
export function faultsOf(entered: Entered[]): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [i, question] of entered.entries()) {
    if (!question.text.trim()) faults[`/questions/${i}/text`] = text('groups.missing')
    const seen = new Set<string>()
    for (const [j, option] of question.options.entries()) {
      const name = option.text.trim().toLowerCase()
      if (!name) faults[`/questions/${i}/options/${j}/text`] = text('groups.missing')
      else if (seen.has(name)) faults[`/questions/${i}/options/${j}/text`] = text('groups.twice')
      seen.add(name)
    }
  }
  return faults
}
