// Corrections, keys, and answers in words.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { quantity } from '../core/figures.ts'
import type { Given, Question } from './draft.ts'

export type Correction = Schemas['AssessmentCorrection']

/** optionWords names options, including options that a later version of the question no longer has. */
function optionWords(question: Question | undefined, ids: string[]): string {
  return ids.map((id) => question?.options?.find((option) => option.id === id)?.text ?? id).join(', ')
}

/** answerWords returns an answer of a candidate as text. */
export function answerWords(question: Question | undefined, given: Given): string {
  if (given.text !== undefined) return given.text
  if (given.number !== undefined) return quantity(given.number)
  return optionWords(question, given.optionIds ?? (given.optionId ? [given.optionId] : []))
}

type Shown = Pick<Correction, 'action'> & { key?: Schemas['CorrectionKey'] | Correction['key'] }

/** correctionWords says what a correction does. Later versions can have further actions. */
export function correctionWords(question: Question | undefined, { action, key }: Shown): string {
  const name = `correction.did.${action}`
  if (!hasText(name)) return action
  return text(name, { key: key ? keyWords(question, key) : '' })
}

function keyWords(question: Question | undefined, key: NonNullable<Shown['key']>): string {
  if (key.acceptedAnswers) return key.acceptedAnswers.join(' / ')
  if (key.answer !== undefined)
    return key.tolerance ? `${quantity(key.answer)} ± ${quantity(key.tolerance)}` : quantity(key.answer)
  return optionWords(question, key.correctOptionIds ?? (key.correctOptionId ? [key.correctOptionId] : []))
}

/** inEffect returns the corrections of a question that were not withdrawn, the oldest first. */
export function inEffect(corrections: Correction[], questionId: string): Correction[] {
  return corrections
    .filter((one) => one.questionId === questionId && one.withdraws === null && one.withdrawnBy === null)
    .reverse()
}
