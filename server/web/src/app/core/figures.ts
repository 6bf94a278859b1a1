// Figures as the reader's language writes them. No other file formats a percentage, so that a score is the same on
// every screen: with the two decimals with which the server compares it.
import { formatter, language } from '../../shared/i18n.tsx'

type Options = Intl.NumberFormatOptions

const format = (value: number, options: Options) =>
  formatter(Intl.NumberFormat, language.value.formats, options).format(value)

/** number formats a count or points, for example "1,234". */
export function number(value: number, digits = 0): string {
  return format(value, { maximumFractionDigits: digits })
}

/** quantity formats a number that a person has entered, with all its digits. */
export function quantity(value: number): string {
  return format(value, { maximumSignificantDigits: 15 })
}

/** score formats a score, a gate, or a passing score, for example "66.67%". They have at most two decimals. */
export function score(value: number): string {
  return format(value / 100, { style: 'percent', maximumFractionDigits: 2 })
}

/** percentile formats a percentile, for example "76.19". */
export const percentile = (value: number): string => number(value, 2)

/** percent formats a whole percentage of a setting or an axis, for example "25%". */
export function percent(value: number): string {
  return format(value / 100, { style: 'percent', maximumFractionDigits: 0 })
}

/**
 * share formats a part of a whole, for example "52%". It is empty for a whole of 0. Only nothing is 0%, and only
 * everything is 100%.
 */
export function share(part: number, whole: number): string {
  if (whole === 0) return ''
  const rounded = Math.round((100 * part) / whole)
  if (rounded <= 0 && part > 0) return `< ${percent(1)}`
  if (rounded >= 100 && part < whole) return `> ${percent(99)}`
  return percent(rounded)
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/**
 * duration formats seconds, for example "34 min", "1 h 5 min", or, up to ten minutes, "2 min 10 s". `to` is how it
 * rounds: `down` for time that is left, `up` for "within".
 */
export function duration(seconds: number, to: 'nearest' | 'down' | 'up' = 'nearest'): string {
  const round = { nearest: Math.round, down: Math.floor, up: Math.ceil }[to]
  const unit = (value: number, name: string) => format(value, { style: 'unit', unit: name, unitDisplay: 'short' })
  const step = seconds < 10 * minute ? 1 : seconds < 2 * day ? minute : hour
  const whole = step * round(seconds / step)
  if (whole === 0) return to === 'up' ? unit(1, 'second') : `< ${unit(1, 'second')}`
  const days = whole < 2 * day ? 0 : Math.floor(whole / day)
  const parts: [number, string][] = [
    [days, 'day'],
    [Math.floor((whole - days * day) / hour), 'hour'],
    [Math.floor((whole % hour) / minute), 'minute'],
    [whole % minute, 'second'],
  ]
  return parts.filter(([value]) => value > 0).map(([value, name]) => unit(value, name)).join(' ') // prettier-ignore
}
