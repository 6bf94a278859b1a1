// What the reliability of the scores means, in words. The words follow what the server has decided.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { number, score } from '../core/figures.ts'

type Statistics = Schemas['AssessmentStatistics']
type Reliability = Schemas['Reliability']

export interface Sentence {
  words: string
  /** The figures behind the words. */
  figure: string
  isTrouble: boolean
}

/** The lower border of an acceptable alpha, as the server uses it. */
const acceptable = 0.7

/** reliabilityWords says whether the scores are good enough for decisions. */
export function reliabilityWords(reliability: Reliability): Sentence {
  return {
    words: findingWords(reliability),
    figure: figureWords(reliability),
    isTrouble: reliability.finding === 'LOW',
  }
}

function findingWords(reliability: Reliability): string {
  const { interval, count } = reliability
  switch (reliability.finding) {
    case 'LOW':
      return text('reliability.low')
    case 'ACCEPTABLE':
      return text('reliability.acceptable')
    case 'HIGH':
      return text('reliability.high')
    case 'UNCERTAIN': {
      const isAcceptable = interval !== null && interval.from >= acceptable
      const words = text(isAcceptable ? 'reliability.uncertainHigh' : 'reliability.uncertain')
      return `${words} ${neededWords(reliability)}`.trim()
    }
    case 'TOO_FEW_RESULTS':
      return `${text('reliability.fewResults', { count })} ${neededWords(reliability)}`.trim()
    case 'TOO_FEW_QUESTIONS':
      return text('reliability.fewQuestions')
    case 'NO_VARIANCE':
      return text('reliability.noVariance')
    case 'DRAWN_QUESTIONS':
      return text('reliability.drawn')
    default:
      return text('reliability.other') // a finding of a later version
  }
}

/** neededWords says how many results a precise figure needs, if there are fewer. */
function neededWords({ resultsNeeded, count }: Reliability): string {
  if (resultsNeeded === null || resultsNeeded <= count) return ''
  return text('reliability.needed', { needed: number(resultsNeeded), count })
}

function figureWords({ alpha, interval, standardError }: Reliability): string {
  if (alpha === null) return ''
  const parts = [text('reliability.alpha', { value: number(alpha, 2) })]
  if (interval) parts.push(text('reliability.interval', { from: number(interval.from, 2), to: number(interval.to, 2) }))
  if (standardError !== null) parts.push(text('reliability.standardError', { points: number(standardError, 1) }))
  return parts.join(' · ')
}

/** bandWords says how many candidates are so near the passing score that a repetition could decide otherwise. */
export function bandWords({ passingBand, passingScore, scores }: Statistics): Sentence | undefined {
  if (!passingBand || passingScore === null) return undefined
  const { from, to, count } = passingBand
  return {
    words: text('reliability.band', { count, total: scores.count }),
    figure: text('reliability.band.figure', { from: score(from), to: score(to), passing: score(passingScore) }),
    isTrouble: false,
  }
}

/** speedWords says whether the time is enough. It is undefined if nothing limits the time. */
export function speedWords({ speed, sessionCounts }: Statistics): Sentence | undefined {
  const { finding, outOfTimeCount: count, outOfTimeRate: rate, interval } = speed
  if (finding === 'NO_TIME_LIMIT') return undefined
  const total = sessionCounts.completed + sessionCounts.disqualified
  const figures = { count, total, rate: score(rate ?? 0) }
  const range = interval && { from: score(interval.from), to: score(interval.to) }
  const figure = range
    ? text('reliability.speed.interval', { ...figures, ...range })
    : text('reliability.speed.figure', figures)
  return { words: speedFinding(finding), figure, isTrouble: finding === 'TOO_LITTLE_TIME' }
}

function speedFinding(finding: string): string {
  switch (finding) {
    case 'TOO_LITTLE_TIME':
      return text('reliability.speed.short')
    case 'ENOUGH_TIME':
      return text('reliability.speed.enough')
    case 'UNCERTAIN':
    case 'TOO_FEW_RESULTS':
      return text('reliability.speed.uncertain')
    default:
      return text('reliability.speed.other') // a finding of a later version
  }
}
