// Pass rates and impact ratios in words.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { number, score } from '../core/figures.ts'

type Interval = { from: number; to: number } | null

/** between returns an interval, for example "0.25 to 0.49", or nothing. */
export function between(interval: Interval, format = (value: number) => number(value, 2)): string {
  return interval ? text('groups.interval', { from: format(interval.from), to: format(interval.to) }) : ''
}

/** within returns a figure with its interval, for example "0.38 (0.25 to 0.49)". */
export function within(value: number | null, interval: Interval, format = (value: number) => number(value, 2)): string {
  if (value === null) return '–'
  return interval ? `${format(value)} (${between(interval, format)})` : format(value)
}

/** rateWords returns a pass rate with its interval. */
export const rateWords = (rate: number | null, interval: Interval) => within(rate, interval, score)

/** impactWords says what the interval of a ratio permits to say. Later versions can have further findings. */
export function impactWords(ratio: Schemas['ImpactRatio'] | null): string {
  if (!ratio) return '–'
  const key = `groups.finding.${ratio.finding}`
  return hasText(key) ? text(key) : ratio.finding
}
