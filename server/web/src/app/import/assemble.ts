// Puts questions into the stages of a draft, within the limits of the contract.
import {
  limits,
  type AssessmentCreate,
  type ImportFault,
  type Imported,
  type QuestionInput,
  type Reason,
} from './draft.ts'

export interface Placed {
  question: QuestionInput
  line: number
  /** The title of the stage. Empty for the first stage. */
  stage?: string | undefined
}

/** assemble makes a draft. What does not fit is in the faults, with the line of the question. */
export function assemble(
  titles: { title: string; stage: string },
  placed: Placed[],
  faults: ImportFault[],
): Imported {
  const stages = new Map<string, QuestionInput[]>()
  const all = [...faults]
  let count = 0
  for (const { question, line, stage } of placed) {
    const name = stage?.trim().slice(0, limits.title) || titles.stage
    const reason = limitOf(question) ?? (count >= limits.questions ? 'tooManyQuestions' : undefined)
    if (reason || (!stages.has(name) && stages.size >= limits.stages)) {
      all.push({ line, text: question.prompt, reason: reason ?? 'tooManyStages' })
      continue
    }
    count++
    stages.set(name, [...(stages.get(name) ?? []), question])
  }
  const draft: AssessmentCreate = {
    title: titles.title.replace(/\s+/g, ' ').trim().slice(0, limits.title),
    stages: [...stages].map(([title, questions]) => ({ title, questions })),
  }
  all.sort((a, b) => a.line - b.line)
  return { draft, faults: all }
}

/** limitOf returns which limit of the contract a question exceeds. */
function limitOf(question: QuestionInput): Reason | undefined {
  if (length(question.prompt) > limits.prompt || length(question.explanation ?? '') > limits.explanation)
    return 'tooLong'
  if (question.type === 'SINGLE_CHOICE' || question.type === 'MULTIPLE_CHOICE') {
    if (question.options!.length > limits.options) return 'tooManyOptions'
    if (question.options!.some(({ text }) => length(text) > limits.optionText)) return 'tooLong'
  }
  if (question.type === 'SHORT_TEXT') {
    if (question.acceptedAnswers!.length > limits.acceptedAnswers) return 'tooManyAnswers'
    if (question.acceptedAnswers!.some((answer) => length(answer) > limits.optionText)) return 'tooLong'
  }
  return undefined
}

/** JSON Schema counts characters, and not the units of UTF-16. */
const length = (text: string) => (text.length <= limits.optionText ? text.length : [...text].length)

/** sizeOf returns the size of the request in bytes. */
export const sizeOf = (draft: AssessmentCreate) => new TextEncoder().encode(JSON.stringify(draft)).length
