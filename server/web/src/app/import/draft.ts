// What the parsers of texts and files return. They are pure: they know no page and no language.
import type { Schemas } from '../../shared/api.ts'

export type QuestionInput = Schemas['QuestionInput']
export type StageInput = Schemas['StageInput']
export type AssessmentCreate = Schemas['AssessmentCreate']

/**
 * Why a line was not understood, or what is missing. The text for a person is `import.reason.<reason>`. A question that
 * lacks something is in the draft nevertheless, and the author completes it.
 */
export type Reason =
  | 'notUnderstood'
  | 'heading'
  | 'noPrompt'
  | 'noAnswer'
  | 'answerMissing'
  | 'optionWithoutQuestion'
  | 'repeatedOption'
  | 'unknownAnswer'
  | 'badPoints'
  | 'badTolerance'
  | 'ambiguousNumber'
  | 'noCorrectOption'
  | 'fewOptions'
  | 'unsupportedType'
  | 'unsupportedWeights'
  | 'unsupportedFormat'
  | 'notClosed'
  | 'unknownColumn'
  | 'noQuestionColumn'
  | 'unknownType'
  | 'badRow'
  | 'tooLong'
  | 'tooManyOptions'
  | 'tooManyAnswers'
  | 'tooManyQuestions'
  | 'tooManyStages'
  | 'tooLarge'

export interface ImportFault {
  /** The line of the text, from 1. */
  line: number
  /** The text that the fault is about. */
  text: string
  reason: Reason
}

export interface Parsed {
  questions: QuestionInput[]
  /** The lines at which the questions begin. */
  lines: number[]
  faults: ImportFault[]
}

/** The draft of a whole file, and what was not understood in it. */
export interface Imported {
  draft: AssessmentCreate
  faults: ImportFault[]
}

/** The limits of openapi.yaml. A test compares them. */
export const limits = {
  prompt: 10_000,
  explanation: 10_000,
  title: 200,
  optionText: 2000,
  options: 20,
  acceptedAnswers: 50,
  questions: 500,
  stages: 50,
  points: 1000,
  number: 1e15,
  body: 1_048_576,
} as const
