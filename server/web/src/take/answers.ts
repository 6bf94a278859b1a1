// What an answer means: whether a question is answered, and how entries become answers.
import type { Schemas } from '../shared/api.ts'
import type { Answer } from './database.ts'

export type Question = Schemas['CandidateQuestion']

/** isAnswered reports whether the answer says something. */
export function isAnswered(answer: Answer | null | undefined): boolean {
  if (!answer) return false
  if (answer.text !== undefined) return answer.text.trim() !== ''
  if (answer.optionIds !== undefined) return answer.optionIds.length > 0
  return answer.optionId !== undefined || answer.number !== undefined
}

/** parseNumber reads a number as people type it: with a decimal comma, or with digits of another script. */
export function parseNumber(typed: string): number | undefined {
  const plain = typed
    .trim()
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[,\u066b]/, '.')
    .replace('\u2212', '-')
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined
}
