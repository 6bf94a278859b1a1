// What the figures of a question mean, in words.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { duration, number, share } from '../core/figures.ts'
import type { IconName } from '../core/icons.tsx'
import { enough } from '../assessment/scores.tsx'

type Question = Schemas['QuestionStatistics']
type Option = Schemas['OptionStatistics']
type Reliability = Schemas['Reliability']

export interface Verdict {
  words: string
  /** The figure behind the words. */
  figure: string
  isTrouble: boolean
  icon: IconName
}

/** With fewer results, a figure is shown as a first impression. */
export const reliable = 30

/** With a lower correlation, a question hardly separates strong candidates from weak ones. */
const weak = 0.2

/** A question that raises alpha by less than this, if it is removed, is not mentioned. */
const notable = 0.01

/** verdictsOf returns what there is to say about a question, with the most important first. */
export function verdictsOf(question: Question, reliability?: Reliability): Verdict[] {
  return [
    ...question.keySuspicions.map((suspicion) => suspicionOf(question, suspicion)),
    difficultyOf(question),
    discriminationOf(question),
    alphaOf(question, reliability),
    timeOf(question),
    unansweredOf(question),
  ].filter((verdict) => verdict !== undefined)
}

export interface Summary {
  words: string
  isTrouble: boolean
}

/** summaryOf says what stands out. Questions without trouble do not make unreliable scores good. */
export function summaryOf(questions: Question[], reliability: Reliability): Summary {
  const troubled = questions.filter(isTrouble).length
  const about =
    troubled === 0
      ? text(reliability.finding === 'LOW' ? 'questions.fine.low' : 'questions.fine')
      : text('questions.troubled', { count: troubled, total: questions.length })
  switch (reliability.finding) {
    case 'LOW': {
      const value = { value: number(reliability.alpha ?? 0, 2) }
      return { words: `${text('questions.reliability.low', value)} ${about}`, isTrouble: true }
    }
    case 'UNCERTAIN':
    case 'TOO_FEW_RESULTS':
      return { words: `${about} ${text('questions.reliability.unknown')}`, isTrouble: false }
    default:
      return { words: about, isTrouble: false }
  }
}

/** suspicionOf says why the server suspects the key. Later versions can have further reasons. */
function suspicionOf(question: Question, suspicion: string): Verdict {
  const verdict = (words: string, figure = ''): Verdict => ({ words, figure, isTrouble: true, icon: 'warning' })
  switch (suspicion) {
    case 'OTHER_OPTION_PREFERRED':
      return preferredOf(question, verdict)
    case 'HARDLY_ANYBODY_RIGHT': {
      const words = question.meanPoints === 0 ? 'questions.hardly.nobody' : 'questions.hardly'
      const answers = text('questions.hardly.figure', { count: question.answered })
      return verdict(text(words), `${answers} · ${pointsFigure(question)}`)
    }
    case 'WEAKER_DO_BETTER':
      return verdict(text('questions.discrimination.reversed'), correlationOf(question))
    default:
      return verdict(text('questions.suspicion'))
  }
}

/** preferredOf names the wrong option that stronger candidates choose rather than the key. */
function preferredOf({ options }: Question, verdict: (words: string, figure?: string) => Verdict): Verdict {
  const strongest = (isCorrect: boolean) =>
    options
      .filter(({ correct, discrimination }) => correct === isCorrect && discrimination !== null)
      .sort((a, b) => b.discrimination! - a.discrimination!)[0]
  const [key, other] = [strongest(true), strongest(false)]
  if (!other) return verdict(text('questions.suspicion'))
  const words = text('questions.distractor', { option: other.text })
  const figure = { other: number(other.discrimination!, 2), key: number(key?.discrimination ?? 0, 2) }
  return verdict(words, key ? text('questions.distractor.figure', figure) : optionFigure(other))
}

/** optionWords says what is unusual about an option. Later versions can have further findings, which are not said. */
export function optionWords({ findings }: Option): string[] {
  return findings.flatMap((finding) => {
    const key = `questions.option.${finding}`
    return hasText(key) ? [text(key)] : []
  })
}

/** optionFigure is the correlation of choosing an option with the points for the other questions. */
export const optionFigure = (option: Option): string =>
  option.discrimination === null ? '' : correlationOf(option)

function correlationOf({ discrimination, discriminationInterval: interval }: Question | Option): string {
  const value = number(discrimination ?? 0, 2)
  if (!interval) return text('questions.discrimination.figure', { value })
  const [from, to] = [number(interval.from, 2), number(interval.to, 2)]
  return text('questions.discrimination.interval', { value, from, to })
}

const pointsFigure = ({ meanPoints, maxPoints }: Question) =>
  text('questions.difficulty.figure', { mean: number(meanPoints ?? 0, 2), max: number(maxPoints, 2) })

function difficultyOf(question: Question): Verdict | undefined {
  const { difficulty, type, reached, keySuspicions } = question
  if (difficulty === null || keySuspicions.includes('HARDLY_ANYBODY_RIGHT')) return undefined
  const figure = pointsFigure(question)
  // The server rounds to four decimals, so that 1 means everybody only up to a number of candidates.
  const isExact = reached < 10_000
  const value = { share: share(isExact ? difficulty : Math.min(0.9999, Math.max(0.0001, difficulty)), 1) }
  const verdict = (words: string, isTrouble = false): Verdict => ({ words, figure, isTrouble, icon: 'events' })
  // A few results do not show that a question is useless.
  const isKnown = reached >= reliable
  if (difficulty === 1 && isExact)
    return verdict(text(isKnown ? 'questions.difficulty.every' : 'questions.difficulty.everySoFar', value))
  // Partial credit makes the mean of the points something else than the number of right answers.
  const isShare = type !== 'MULTIPLE_CHOICE' && type !== 'FREE_TEXT'
  if (difficulty > 0.97 && isKnown)
    return verdict(text(isShare ? 'questions.difficulty.all' : 'questions.difficulty.allPoints', value))
  if (difficulty >= 0.75)
    return verdict(text(isShare ? 'questions.difficulty.easy' : 'questions.difficulty.easyPoints', value))
  if (difficulty >= 0.4)
    return verdict(text(isShare ? 'questions.difficulty.medium' : 'questions.difficulty.mediumPoints', value))
  return verdict(text(isShare ? 'questions.difficulty.hard' : 'questions.difficulty.hardPoints', value))
}

/** discriminationOf says only what the interval of the correlation permits: the opposite must be outside of it. */
function discriminationOf(question: Question): Verdict | undefined {
  const { discrimination, discriminationInterval: interval, difficulty, keySuspicions } = question
  if (keySuspicions.includes('WEAKER_DO_BETTER')) return undefined
  if (discrimination === null) {
    if (difficulty === null) return undefined
    return { words: text('questions.discrimination.none'), figure: '', isTrouble: false, icon: 'candidates' }
  }
  const verdict = (words: string, isTrouble = false): Verdict => ({
    words,
    figure: correlationOf(question),
    isTrouble,
    icon: 'candidates',
  })
  if (isWeak(question)) {
    const isGraded = question.type === 'FREE_TEXT'
    return verdict(text(isGraded ? 'questions.discrimination.weakGraded' : 'questions.discrimination.weak'), true)
  }
  if (!interval || interval.from <= 0) return verdict(text('questions.discrimination.unknown'))
  return verdict(text(discrimination < 0.3 ? 'questions.discrimination.some' : 'questions.discrimination.good'))
}

/** alphaOf says how reliable the scores would be without a question that makes them less reliable. */
function alphaOf({ alphaWithout }: Question, reliability: Reliability | undefined): Verdict | undefined {
  const { alpha = null, count = 0 } = reliability ?? {}
  if (alphaWithout === null || alpha === null || count < reliable) return undefined
  // Both have four decimals, and their difference has more.
  if (Math.round(10_000 * (alphaWithout - alpha)) < 10_000 * notable) return undefined
  const words = text('questions.alpha', { without: number(alphaWithout, 2), alpha: number(alpha, 2) })
  return { words, figure: '', isTrouble: false, icon: 'info' }
}

/** timeOf says how long candidates had the question before them. */
function timeOf({ medianSeconds, p90Seconds, timedCount }: Question): Verdict | undefined {
  if (medianSeconds === null || p90Seconds === null || timedCount < enough) return undefined
  return {
    words: text('questions.time', { median: duration(medianSeconds), p90: duration(p90Seconds, 'up') }),
    figure: text('questions.time.figure', { count: timedCount }),
    isTrouble: false,
    icon: 'clock',
  }
}

function unansweredOf({ answered, reached }: Question): Verdict | undefined {
  const missing = reached - answered
  if (reached === 0 || missing / reached < 0.2) return undefined
  return {
    words: text('questions.unanswered', { share: share(missing, reached) }),
    figure: text('questions.unanswered.figure', { count: missing }),
    isTrouble: false,
    icon: 'minus',
  }
}

/** troubleOf is higher for questions that need attention more. */
export function troubleOf(question: Question): number {
  const { discrimination, difficulty, keySuspicions } = question
  if (question.reached < enough) return 0
  const separation = discrimination === null ? 0 : Math.max(0, 0.3 - discrimination)
  const extreme = difficulty === null ? 0 : Math.max(0, Math.abs(difficulty - 0.5) - 0.3)
  const chosen = question.options.filter(({ findings }) => findings.includes('CHOSEN_BY_STRONGER')).length
  return 5 * keySuspicions.length + (isWeak(question) ? 4 : 0) + (chosen > 0 ? 1 : 0) + separation + extreme
}

const isWeak = ({ discriminationInterval: interval }: Question) => interval !== null && interval.to < weak

/** isTrouble reports whether the question needs attention. */
export const isTrouble = (question: Question): boolean => question.keySuspicions.length > 0 || isWeak(question)
