// The key of a question in words.
import type { Schemas } from '../core/api.ts'
import { number } from '../core/formats.tsx'

/** keyWords returns the correct answer as text. */
export function keyWords(question: Schemas['Question']): string {
  const { options, correctOptionId, correctOptionIds, answer, tolerance, acceptedAnswers } = question
  if (options) {
    const correct = correctOptionIds ?? [correctOptionId]
    return options
      .filter(({ id }) => correct.includes(id))
      .map((option) => option.text)
      .join(', ')
  }
  if (answer !== null) return tolerance ? `${number(answer, 6)} ± ${number(tolerance, 6)}` : number(answer, 6)
  return (acceptedAnswers ?? []).join(' / ')
}
