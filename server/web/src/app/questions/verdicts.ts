// What the figures of a question mean, in words.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { number, share } from '../core/figures.ts'
import type { IconName } from '../core/icons.tsx'

type Question = Schemas['QuestionStatistics']

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

/** verdictsOf returns what there is to say about a question, with the most important first. */
export function verdictsOf(question: Question): Verdict[] {
  return [
    ...question.keySuspicions.map((suspicion) => suspicionOf(question, suspicion)),
    difficultyOf(question),
    discriminationOf(question),
    unansweredOf(question),
  ].filter((verdict) => verdict !== undefined)
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

/** preferredOf names the wrong option that more candidates choose than the key. */
function preferredOf({ options, reached }: Question, verdict: (words: string, figure: string) => Verdict): Verdict {
  const most = (isCorrect: boolean) =>
    options.filter(({ correct }) => correct === isCorrect).sort((a, b) => b.chosen - a.chosen)[0]
  const [key, other] = [most(true), most(false)]
  return verdict(
    text('questions.distractor', { option: other?.text ?? '' }),
    text('questions.distractor.figure', {
      other: share(other?.chosen ?? 0, reached),
      key: share(key?.chosen ?? 0, reached),
    }),
  )
}

function correlationOf({ discrimination, discriminationInterval: interval }: Question): string {
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
  if (difficulty === 1 && isExact) return verdict(text('questions.difficulty.every', value))
  // Partial credit makes the mean of the points something else than the number of right answers.
  const isShare = type !== 'MULTIPLE_CHOICE' && type !== 'FREE_TEXT'
  if (difficulty > 0.97)
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

function unansweredOf({ answered, reached }: Question): Verdict | undefined {
  const missing = reached - answered
  if (reached === 0 || missing / reached < 0.2) return undefined
  return {
    words: text('questions.unanswered', { share: share(missing, reached) }),
    figure: text('questions.unanswered.figure', { count: missing }),
    isTrouble: false,
    icon: 'clock',
  }
}

/** troubleOf is higher for questions that need attention more. */
export function troubleOf(question: Question): number {
  const { discrimination, difficulty, keySuspicions } = question
  if (question.reached < 5) return 0
  const separation = discrimination === null ? 0 : Math.max(0, 0.3 - discrimination)
  const extreme = difficulty === null ? 0 : Math.max(0, Math.abs(difficulty - 0.5) - 0.3)
  return 5 * keySuspicions.length + (isWeak(question) ? 4 : 0) + separation + extreme
}

const isWeak = ({ discriminationInterval: interval }: Question) => interval !== null && interval.to < weak

/** isTrouble reports whether the question needs attention. */
export const isTrouble = (question: Question): boolean => question.keySuspicions.length > 0 || isWeak(question)
