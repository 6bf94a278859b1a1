// The state of each question, as the overview, the map, and the confirmation show it.
import type { Question } from './answers.ts'
import { isAnswered, isInvalid } from './answers.ts'
import { entries, saver } from './saving.ts'
import { kept } from './session.ts'

export type QuestionState = 'answered' | 'unanswered' | 'unsaved'

/** stateOf returns `unsaved` for an answer that the server does not have and will not soon have, too. */
export function stateOf(question: Question): QuestionState {
  const entry = entries.value.get(question.id)
  const isUnsaved =
    ['waiting', 'conflict', 'refused', 'blocked'].includes(saver.saveState(question.id)) ||
    isInvalid(entry?.typed, question)
  return isUnsaved ? 'unsaved' : isAnswered(entry?.answer) ? 'answered' : 'unanswered'
}

/** isFlagged reports whether the candidate wants to review the question. */
export function isFlagged(question: Question): boolean {
  return kept.value!.flagged.includes(question.id)
}
