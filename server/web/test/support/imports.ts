// Short forms of imported questions, for tables of tests.
import type { ImportFault, Imported, QuestionInput } from '../../src/app/import/draft.ts'

/** A short form of a question, for the tables: prompt, options with a star at the correct ones, or the answer. */
export function brief(question: QuestionInput): string {
  const key = () => {
    switch (question.type) {
      case 'SINGLE_CHOICE':
        return question
          .options!.map(({ id, text }) => (id === question.correctOptionId ? '*' : '') + text)
          .join(' | ')
      case 'MULTIPLE_CHOICE':
        return question
          .options!.map(({ id, text }) => (question.correctOptionIds!.includes(id) ? '*' : '') + text)
          .join(' | ')
      case 'NUMERIC':
        return `${question.answer} ± ${question.tolerance}`
      case 'SHORT_TEXT':
        return `"${question.acceptedAnswers!.join('" or "')}"`
      case 'FREE_TEXT':
        return 'graded'
    }
  }
  const points = question.points === 1 ? '' : ` (${question.points})`
  const explanation = question.explanation ? ` because ${question.explanation}` : ''
  return `${question.type[0]}: ${question.prompt}${points} = ${key()}${explanation}`
}

/** The faults, with their lines, reasons, and texts. */
export const faultsOf = ({ faults }: { faults: ImportFault[] }) =>
  faults.map(({ line, reason, text }) => `${line} ${reason}: ${text}`)

/** The draft, with a line "# title" before each stage if there are several. */
export function briefDraft({ draft }: Imported): string[] {
  const stages = draft.stages ?? []
  return stages.flatMap(({ title, questions }) => [
    ...(stages.length > 1 ? [`# ${title}`] : []),
    ...questions!.map(brief),
  ])
}
