// The key of a question in words.
import type { Schemas } from '../core/api.ts'
import { quantity } from '../core/figures.ts'

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
  if (answer !== null) return tolerance ? `${quantity(answer)} ± ${quantity(tolerance)}` : quantity(answer)
  return (acceptedAnswers ?? []).join(' / ')
}
