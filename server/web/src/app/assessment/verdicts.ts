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

/** Below this correlation, a question separates strong candidates from weak ones only by chance. */
const weak = 0.1

/** verdictsOf returns what there is to say about a question, with the difficulty first. */
export function verdictsOf(question: Question): Verdict[] {
  return [difficultyOf(question), discriminationOf(question), distractorOf(question), unansweredOf(question)].filter(
    (verdict) => verdict !== undefined,
  )
}

function difficultyOf({ difficulty, type, meanPoints, maxPoints, reached }: Question): Verdict | undefined {
  if (difficulty === null) return undefined
  const figure = text('assessment.difficulty.figure', { mean: number(meanPoints ?? 0, 2), max: number(maxPoints, 2) })
  // The server rounds to four decimals, so that 1 means everybody only up to a number of candidates.
  const isExact = reached < 10_000
  const value = { share: share(isExact ? difficulty : Math.min(0.9999, Math.max(0.0001, difficulty)), 1) }
  const verdict = (words: string, isTrouble = false): Verdict => ({ words, figure, isTrouble, icon: 'events' })
  if (difficulty === 1 && isExact) return verdict(text('assessment.difficulty.every', value))
  // Partial credit makes the mean of the points something else than the number of right answers.
  const isShare = type !== 'MULTIPLE_CHOICE'
  if (difficulty > 0.97)
    return verdict(text(isShare ? 'assessment.difficulty.all' : 'assessment.difficulty.allPoints', value))
  if (difficulty >= 0.75)
    return verdict(text(isShare ? 'assessment.difficulty.easy' : 'assessment.difficulty.easyPoints', value))
  if (difficulty >= 0.4)
    return verdict(text(isShare ? 'assessment.difficulty.medium' : 'assessment.difficulty.mediumPoints', value))
  return verdict(text(isShare ? 'assessment.difficulty.hard' : 'assessment.difficulty.hardPoints', value))
}

function discriminationOf({ discrimination, difficulty }: Question): Verdict | undefined {
  if (discrimination === null) {
    if (difficulty === null) return undefined
    return { words: text('assessment.discrimination.none'), figure: '', isTrouble: false, icon: 'candidates' }
  }
  const figure = text('assessment.discrimination.figure', { value: number(discrimination, 2) })
  const verdict = (words: string, isTrouble: boolean): Verdict => ({ words, figure, isTrouble, icon: 'candidates' })
  if (discrimination < -weak) return verdict(text('assessment.discrimination.reversed'), true)
  if (discrimination < weak) return verdict(text('assessment.discrimination.weak'), true)
  if (discrimination < 0.3) return verdict(text('assessment.discrimination.some'), false)
  return verdict(text('assessment.discrimination.good'), false)
}

/** distractorOf finds a wrong option that more candidates chose than the key. */
function distractorOf({ options, type, reached }: Question): Verdict | undefined {
  if (type !== 'SINGLE_CHOICE') return undefined
  const key = options.find(({ correct }) => correct)
  const other = options.filter(({ correct }) => !correct).sort((a, b) => b.chosen - a.chosen)[0]
  if (!key || !other || other.chosen <= key.chosen) return undefined
  return {
    words: text('assessment.distractor', { option: other.text }),
    figure: text('assessment.distractor.figure', {
      other: share(other.chosen, reached),
      key: share(key.chosen, reached),
    }),
    isTrouble: true,
    icon: 'warning',
  }
}

function unansweredOf({ answered, reached }: Question): Verdict | undefined {
  const missing = reached - answered
  if (reached === 0 || missing / reached < 0.2) return undefined
  return {
    words: text('assessment.unanswered', { share: share(missing, reached) }),
    figure: text('assessment.unanswered.figure', { count: missing }),
    isTrouble: false,
    icon: 'clock',
  }
}

/** troubleOf is higher for questions that need attention more. */
export function troubleOf(question: Question): number {
  if (question.reached < 5) return 0
  const { discrimination, difficulty } = question
  const separation = discrimination === null ? 0 : Math.max(0, 0.3 - discrimination)
  const extreme = difficulty === null ? 0 : Math.max(0, Math.abs(difficulty - 0.5) - 0.3)
  return (distractorOf(question) ? 1 : 0) + (isWeak(question) ? 2 : 0) + separation + extreme
}

const isWeak = ({ discrimination }: Question) => discrimination !== null && discrimination < weak

/** isTrouble reports whether somebody should look at the question. */
export function isTrouble(question: Question): boolean {
  return question.reached >= 5 && (isWeak(question) || distractorOf(question) !== undefined)
}
