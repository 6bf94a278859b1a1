// Makes questions of the contract from what a parser has read.
import { limits, type ImportFault, type QuestionInput, type Reason } from './draft.ts'
import { isInRange, readNumber, readSpread } from './numbers.ts'
import { plain } from '../../shared/text.ts'

export interface RawOption {
  text: string
  isCorrect: boolean
  line: number
}

/** A question as it stands in a text. */
export interface RawQuestion {
  line: number
  prompt: string
  options: RawOption[]
  /** The answer in words, a number, or letters of options. */
  answer?: { text: string; line: number } | undefined
  tolerance?: { text: string; line: number } | undefined
  points?: { text: string; line: number } | undefined
  explanation?: string | undefined
  /** The type that the source names, if it does. */
  type?: QuestionInput['type'] | undefined
}

type Common = { prompt: string; points: number; explanation?: string }

/** optionId returns the id of an option by its position: "a", "b", and so on. */
export const optionId = (index: number) => (index < 26 ? String.fromCharCode(97 + index) : `o${index + 1}`)

/** buildQuestion returns a question, if there is enough for one, and what is wrong or missing. */
export function buildQuestion(raw: RawQuestion): { question?: QuestionInput; faults: ImportFault[] } {
  const faults: ImportFault[] = []
  const add = (reason: Reason, text = raw.prompt, line = raw.line) => faults.push({ line, text, reason })
  if (raw.prompt.trim() === '') {
    add('noPrompt', [...raw.options.map((option) => option.text), raw.answer?.text].filter(Boolean).join(' / '))
    return { faults }
  }
  const common: Common = { prompt: raw.prompt.trim(), points: pointsOf(raw, add) }
  if (raw.explanation?.trim()) common.explanation = raw.explanation.trim()

  const question = questionOf(raw, common, add)
  if (!question) add('noAnswer') // and its type is not known
  return question ? { question, faults } : { faults }
}

type Add = (reason: Reason, text?: string, line?: number) => void

function questionOf(raw: RawQuestion, common: Common, add: Add): QuestionInput | undefined {
  if (raw.type === 'FREE_TEXT') return freeText(raw, common)
  return raw.options.length > 0 ? choice(raw, common, add) : open(raw, common, add)
}

/** People grade a free text. Its answer and its options are what a good answer contains. */
function freeText({ answer, options }: RawQuestion, common: Common): QuestionInput {
  const contents = options.map(({ text }) => `- ${text}`).join('\n')
  const explanation = [common.explanation, answer?.text.trim(), contents].filter(Boolean).join('\n\n')
  return { type: 'FREE_TEXT', ...common, ...(explanation && { explanation }) }
}

function pointsOf({ points }: RawQuestion, add: Add): number {
  if (!points) return 1
  const value = Number(points.text.replace(/\s*(points?|pts?\.?|marks?|punkte?)$/i, '').replace(',', '.'))
  if (points.text.trim() !== '' && value >= 0 && value <= limits.points) return value
  add('badPoints', points.text, points.line)
  return 1
}

function choice(raw: RawQuestion, common: Common, add: Add): QuestionInput {
  const correct = new Set(raw.options.flatMap(({ isCorrect }, i) => (isCorrect ? [i] : [])))
  if (raw.answer) {
    const named = optionsNamed(raw.answer.text, raw.options)
    if (!named) add('unknownAnswer', raw.answer.text, raw.answer.line)
    for (const index of named ?? []) correct.add(index)
  }
  if (raw.options.length < 2) add('fewOptions')
  if (correct.size === 0) add('noCorrectOption')
  const options = raw.options.map(({ text }, i) => ({ id: optionId(i), text }))
  const ids = [...correct].sort((a, b) => a - b).map(optionId)
  if (raw.type === 'MULTIPLE_CHOICE' || ids.length > 1) {
    return { type: 'MULTIPLE_CHOICE', ...common, options, correctOptionIds: ids, partialCredit: true }
  }
  return { type: 'SINGLE_CHOICE', ...common, options, correctOptionId: ids[0] ?? null }
}

/** optionsNamed returns the positions of the options that an answer names by letters, numbers, or their texts. */
export function optionsNamed(answer: string, options: { text: string }[]): number[] | undefined {
  const form = (text: string) => plain(text).replace(/[.\s]+$/, '')
  const byText = (text: string) => {
    const exact = options.findIndex((option) => option.text.trim() === text.trim())
    return exact >= 0 ? exact : options.findIndex((option) => form(option.text) === form(text))
  }
  const whole = byText(answer)
  if (whole >= 0) return [whole]

  const [, letter, rest] = /^\(?([A-Za-z])(?:[).:]|\s+[-–])\s*(\S.*)$/.exec(answer.trim()) ?? []
  if (letter && rest && byText(rest) === positionOf(letter, options)) return [byText(rest)]
  const parts = /^[A-Z]{2,}$/.test(answer.trim())
    ? answer.trim().split('')
    : answer.split(/\s*(?:[,;|/&+]|\s(?:and|und)\s)\s*|\s+(?=[A-Za-z0-9]\b\)?(?:\s|$))/).filter((part) => part.trim())
  const found = parts.map((part) => (byText(part) >= 0 ? byText(part) : positionOf(part, options)))
  return found.length > 0 && found.every((index) => index >= 0) ? [...new Set(found)] : undefined
}

function positionOf(name: string, options: unknown[]): number {
  const [, letter, number] = /^\(?(?:option\s+)?(?:([a-z])|(\d{1,2}))[).:]?$/i.exec(name.trim()) ?? []
  const index = letter ? letter.toLowerCase().charCodeAt(0) - 97 : number ? Number(number) - 1 : -1
  return index < options.length ? index : -1
}

const truths: Record<string, [texts: [string, string], index: number]> = {
  true: [['True', 'False'], 0],
  false: [['True', 'False'], 1],
  wahr: [['Wahr', 'Falsch'], 0],
  richtig: [['Richtig', 'Falsch'], 0],
  falsch: [['Richtig', 'Falsch'], 1],
}

/** trueOrFalse returns a question with two options, whose correct one is named. */
export function trueOrFalse(common: Common, [texts, index]: (typeof truths)[string]): QuestionInput {
  const options = texts.map((text, i) => ({ id: optionId(i), text }))
  return { type: 'SINGLE_CHOICE', ...common, options, correctOptionId: optionId(index) }
}

/** A question without options: the answer is a number, true or false, or a text. */
function open(raw: RawQuestion, common: Common, add: Add): QuestionInput | undefined {
  const answer = raw.answer?.text.trim() ?? ''
  if (answer === '') {
    if (raw.type !== 'NUMERIC' && raw.type !== 'SHORT_TEXT') return undefined
    add('answerMissing')
    return raw.type === 'NUMERIC'
      ? { type: 'NUMERIC', ...common, answer: null, tolerance: 0 }
      : { type: 'SHORT_TEXT', ...common, acceptedAnswers: [], caseSensitive: false }
  }
  const truth = truths[plain(answer).replace(/\.$/, '')]
  if (truth && raw.type !== 'SHORT_TEXT' && raw.type !== 'NUMERIC') return trueOrFalse(common, truth)

  const spread = raw.type === 'SHORT_TEXT' ? undefined : readSpread(answer)
  if (spread) return numeric(raw, common, spread, add)
  if (raw.type === 'NUMERIC') {
    add('unknownAnswer', answer, raw.answer!.line)
    return { type: 'NUMERIC', ...common, answer: null, tolerance: 0 }
  }
  const acceptedAnswers = answer.split(/\s*[|;]\s*/).filter((text) => text !== '')
  return { type: 'SHORT_TEXT', ...common, acceptedAnswers, caseSensitive: false }
}

function numeric(raw: RawQuestion, common: Common, spread: NonNullable<ReturnType<typeof readSpread>>, add: Add) {
  let answer: number | null = null
  if ('number' in spread.answer && isInRange(spread.answer.number, limits.number)) answer = spread.answer.number
  else add('number' in spread.answer ? 'unknownAnswer' : 'ambiguousNumber', raw.answer!.text, raw.answer!.line)
  return { type: 'NUMERIC', ...common, answer, tolerance: toleranceOf(raw, add) ?? spread.tolerance } as const
}

function toleranceOf({ tolerance }: RawQuestion, add: Add): number | undefined {
  if (!tolerance) return undefined
  const reading = readNumber(tolerance.text.replace(/^\s*±\s*/, ''))
  if (reading && 'number' in reading && reading.number >= 0) return reading.number
  add('badTolerance', tolerance.text, tolerance.line)
  return undefined
}
