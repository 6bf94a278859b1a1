// What an answer means: whether a question is answered, and how entries become answers.
import type { Schemas } from '../shared/api.ts'
import { language } from '../shared/i18n.tsx'
import type { Answer } from './database.ts'
import { readNumber } from './numbers.ts'

export type Question = Schemas['CandidateQuestion']
export type QuestionType = Schemas['QuestionInput']['type']

/** isAnswered reports whether the answer says something. */
export function isAnswered(answer: Answer | null | undefined): boolean {
  if (!answer) return false
  if (answer.text !== undefined) return answer.text.trim() !== ''
  if (answer.optionIds !== undefined) return answer.optionIds.length > 0
  return answer.optionId !== undefined || answer.number !== undefined
}

/** readText returns the text as the server accepts it, and how many more characters it can have, up to the limit. */
export function readText(typed: string, limit: number): { text: string; left: number } {
  const text = typed.replace(/[\p{Cs}\0]/gu, '\ufffd') // PostgreSQL stores neither half characters nor NUL
  return { text, left: limit - [...text].length }
}

/** isInvalid reports whether the entry cannot be an answer. It is kept in this browser only. */
export function isInvalid(typed: string | undefined, question: Pick<Question, 'type'>): boolean {
  // A text has an entry besides its answer only if it is too long.
  return typed !== undefined && (question.type !== 'NUMERIC' || 'problem' in readNumber(typed))
}

/** inWords is an answer as text, for lists of answers. It is empty for no answer. */
export function inWords(question: Question | undefined, answer: Answer | null): string {
  const chosen = answer?.optionIds ?? (answer?.optionId === undefined ? [] : [answer.optionId])
  const options = (question?.options ?? []).filter(({ id }) => chosen.includes(id))
  return answer?.text ?? answer?.number?.toString() ?? options.map((option) => option.text).join('; ')
}
