// What the comparison of two segments says, in words. The words say only what the intervals permit.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { number, score } from '../core/figures.ts'
import { nameOf } from './words.ts'

type Comparison = Schemas['SegmentComparison']

export interface Sentence {
  words: string
  /** The figures behind the words. */
  figure: string
  isTrouble: boolean
}

/** ratioWords compares the pass rates by the four-fifths rule. It is undefined without a passing score. */
export function ratioWords({ passRateRatio: ratio }: Comparison): Sentence | undefined {
  if (!ratio) return undefined
  const key = `segments.ratio.${ratio.finding}`
  const figure = ratioFigure(ratio)
  // A finding of a later version has only figures.
  return { words: hasText(key) ? text(key) : figure, figure, isTrouble: ratio.finding === 'BELOW_FOUR_FIFTHS' }
}

function ratioFigure({ value, interval }: NonNullable<Comparison['passRateRatio']>): string {
  if (value === null) return text('segments.ratio.none')
  const given = { value: number(value, 2) }
  if (!interval) return text('segments.ratio.figure', given)
  return text('segments.ratio.interval', { ...given, from: number(interval.from, 2), to: number(interval.to, 2) })
}

/** differenceWords compares the mean scores. It is undefined if a side has no scores. */
export function differenceWords({ scoreDifference, first, second }: Comparison): Sentence | undefined {
  if (!scoreDifference) return undefined
  const { value, interval, effectSize } = scoreDifference
  const names = { name: nameOf(first), other: nameOf(second) }
  const given = { value: number(value, 2) }
  const range = interval && { from: number(interval.from, 2), to: number(interval.to, 2) }
  const parts = [
    range ? text('segments.difference.interval', { ...given, ...range }) : text('segments.difference.figure', given),
    ...(effectSize === null ? [] : [text('segments.difference.effect', { value: number(effectSize, 2) })]),
  ]
  const finding = () => {
    if (!interval) return text('segments.difference.few')
    if (interval.from > 0) return text('segments.difference.higher', names)
    if (interval.to < 0) return text('segments.difference.lower', names)
    return text('segments.difference.unclear')
  }
  return { words: finding(), figure: parts.join(' · '), isTrouble: false }
}

/** rateWords says how many of one side passed, and what the rate of all such candidates can be. */
export function rateWords({ count, passed, passRateInterval }: Schemas['ComparedSessions']): string {
  const words = text('segments.compare.rateOf', { count, passed: number(passed ?? 0) })
  if (!passRateInterval) return words
  const range = { from: score(passRateInterval.from), to: score(passRateInterval.to) }
  return `${words}, ${text('segments.compare.between', range)}`
}
