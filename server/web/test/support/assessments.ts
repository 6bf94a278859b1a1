// Ready-made assessments.
import type { Assessment, Schemas } from './api.ts'

type Question = Schemas['QuestionInput']
type Stage = Schemas['StageInput']

/** Three options. The second is correct. */
export const singleChoice: Question = {
  type: 'SINGLE_CHOICE',
  prompt: 'Which temperature keeps cooked rice safe?',
  points: 2,
  options: [
    { id: 'a', text: '41 °C' },
    { id: 'b', text: '57 °C' },
    { id: 'c', text: '37 °C' },
  ],
  correctOptionId: 'b',
}

/** Four options. The first three are correct. */
export const multipleChoice: Question = {
  type: 'MULTIPLE_CHOICE',
  prompt: 'Which of these must stay cold?',
  points: 4,
  options: [
    { id: 'melon', text: 'Cut melon' },
    { id: 'tomato', text: 'Cut tomatoes' },
    { id: 'garlic', text: 'Garlic in oil' },
    { id: 'pasta', text: 'Dry pasta' },
  ],
  correctOptionIds: ['melon', 'tomato', 'garlic'],
  partialCredit: true,
}

/** The correct answer is 74.5. */
export const numeric: Question = {
  type: 'NUMERIC',
  prompt: 'Which core temperature, in °C, must stuffed chicken reach?',
  points: 3,
  answer: 74.5,
  tolerance: 0.5,
}

/** The correct answer is sesame. */
export const shortText: Question = {
  type: 'SHORT_TEXT',
  prompt: 'Which seed is a major allergen?',
  points: 1,
  acceptedAnswers: ['sesame'],
}

/** People grade the answer by two criteria. */
export const freeText: Schemas['QuestionInput'] & { type: 'FREE_TEXT' } = {
  type: 'FREE_TEXT',
  prompt: 'A pot of soup must be cold by the morning. Describe how you cool it.',
  points: 4,
  explanation: 'From 57 °C to 21 °C within two hours, and to 5 °C within four more.',
  maxWords: 200,
  rubric: [
    { id: 'time', title: 'Names the time limits', points: 2 },
    {
      id: 'method', title: 'Describes a safe method', points: 2,
      description: 'An ice bath, shallow pans, or an ice paddle.',
    },
  ],
}

/** A stage with one question of each type that a program scores, unless others are given. */
export function stage(more: Partial<Stage> = {}): Stage {
  return { title: 'Temperatures', questions: [singleChoice, multipleChoice, numeric, shortText], ...more }
}

/** An assessment with the given stages. */
export function assessment(stages: Stage[], more: Partial<Assessment> = {}): Assessment {
  return { title: 'Line cook: food safety', ...more, stages }
}

/** One stage without a time limit, with one question of each type. */
export const eachType = (more: Partial<Assessment> = {}) => assessment([stage()], more)

/** One stage with a time limit of its own. */
export const timed = (minutes: number, more: Partial<Assessment> = {}) =>
  assessment([stage({ timeLimitMinutes: minutes })], more)

/** A stage without a limit, then one with a limit, which waits for its start. */
export const twoStages = (more: Partial<Assessment> = {}) =>
  assessment(
    [
      stage({ description: 'What keeps food **out of danger**.' }),
      stage({
        title: 'Allergens',
        description: 'What a label must say.',
        timeLimitMinutes: 10,
        questions: [shortText],
      }),
    ],
    more,
  )

/** A first stage whose gate ends the assessment below 50 percent, and a second stage. */
export const gated = (more: Partial<Assessment> = {}) =>
  assessment(
    [
      stage({ gate: { required: true, minScore: 50 }, questions: [singleChoice] }),
      stage({ title: 'Allergens', questions: [shortText] }),
    ],
    more,
  )

/** One stage with a question that a person grades. */
export const written = (more: Partial<Assessment> = {}) => assessment([stage({ questions: [freeText] })], more)

/** A first stage whose gate waits for a person below 50 percent, a second stage, and further ones. */
export const reviewed = (more: Partial<Assessment> = {}, further: Stage[] = []) =>
  assessment(
    [
      stage({ gate: { required: true, minScore: 50, onFail: 'REVIEW' }, questions: [singleChoice] }),
      stage({ title: 'Allergens', questions: [shortText], timeLimitMinutes: 10 }),
      ...further,
    ],
    more,
  )

/** One stage with many questions, whose types take turns. */
export function long(count: number, more: Partial<Assessment> = {}): Assessment {
  const kinds = [singleChoice, multipleChoice, numeric, shortText]
  const questions = Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length]!
    return { ...kind, prompt: `Question ${index + 1}: ${kind.prompt}` } as Question
  })
  return assessment([stage({ questions })], more)
}
