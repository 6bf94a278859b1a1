// What the key of a correction needs, by the type of the question.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { readNumber } from '../editor/numbers.ts'

export type QuestionType = Schemas['QuestionInput']['type']

type Key = Schemas['CorrectionKey']

/** A key as a person enters it. */
export interface TypedKey {
  /** The chosen options. */
  options: string[]
  number: string
  tolerance: string
  /** One answer in each line. */
  texts: string
}

interface Kind {
  /** What the person must still enter, by JSON Pointer. */
  faults(typed: TypedKey): Record<string, string>
  /** The key for the request, if it has no faults. */
  key(typed: TypedKey): Key
}

const ofOptions = (key: Kind['key']): Kind => ({
  faults: ({ options }): Record<string, string> =>
    options.length === 0 ? { '/key/options': text('correction.key.options.missing') } : {},
  key,
})

const numeric: Kind = {
  faults: ({ number, tolerance }) => ({
    ...numberFault('/key/answer', number),
    ...(tolerance.trim() !== '' && numberFault('/key/tolerance', tolerance)),
  }),
  key: ({ number, tolerance }) => ({ answer: numberOf(number)!, tolerance: numberOf(tolerance) ?? 0 }),
}

const shortText: Kind = {
  faults: (typed): Record<string, string> =>
    textsOf(typed).length === 0 ? { '/key/acceptedAnswers': text('correction.key.texts.missing') } : {},
  key: (typed) => ({ acceptedAnswers: textsOf(typed) }),
}

/** Free text has no key, because people grade it. */
const kinds: Record<QuestionType, Kind | undefined> = {
  SINGLE_CHOICE: ofOptions(({ options }) => ({ correctOptionId: options[0]! })),
  MULTIPLE_CHOICE: ofOptions(({ options }) => ({ correctOptionIds: options })),
  NUMERIC: numeric,
  SHORT_TEXT: shortText,
  FREE_TEXT: undefined,
}

/** keyOf is undefined for a question without a key, and for a type of a later version. */
export const keyOf = ({ type }: Schemas['Question']): Kind | undefined => kinds[type as QuestionType]

/** numberFault asks which number is meant if a separator can mean two things. */
function numberFault(pointer: string, typed: string): Record<string, string> {
  const reading = readNumber(typed)
  if (!reading) return { [pointer]: text('correction.key.number.missing') }
  if ('number' in reading) return {}
  const [one, other] = reading.meanings.map((meaning) => String(meaning))
  return { [pointer]: text('correction.key.number.meanings', { one: one!, other: other! }) }
}

const textsOf = ({ texts }: TypedKey) => texts.split('\n').map((line) => line.trim()).filter(Boolean)

function numberOf(typed: string): number | undefined {
  const reading = readNumber(typed)
  return reading && 'number' in reading ? reading.number : undefined
}
