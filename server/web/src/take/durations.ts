// Durations in words and in digits.
import { formatter, language, text } from '../shared/i18n.tsx'

const units = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** duration is a duration in words, such as "1 hour 5 minutes". From an hour on, it has no seconds unless it is `exact`. */
export function duration(seconds: number, exact = false): string {
  const { formats } = language.value
  let rest = seconds
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    const isShown = count > 0 ? unit !== 'second' || exact || seconds < 3600 : unit === 'second' && seconds < 1
    if (isShown)
      parts.push(formatter(Intl.NumberFormat, formats, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
  }
  return formatter(Intl.ListFormat, formats, { type: 'unit', style: 'narrow' }).format(parts)
}

/** digits is a duration as a clock shows it, such as "17:20" or "1:05:00". */
export function digits(seconds: number): string {
  const { formats } = language.value
  const hours = Math.floor(seconds / 3600)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60]
  if (hours > 0) parts.unshift(hours)
  return parts
    .map((part, i) => formatter(Intl.NumberFormat, formats, { minimumIntegerDigits: i > 0 ? 2 : 1 }).format(part))
    .join(':')
}

/** limit is a time limit in words, with the extra time of the candidate. */
export function limit(minutes: number, extraTimePercent: number): string {
  return duration(Math.round(withExtra(minutes, extraTimePercent) * 60), true)
}

/** stated is a time limit as the page states it in advance: "12 minutes instead of 10". */
export function stated(minutes: number, extraTimePercent: number): string {
  if (extraTimePercent === 0) return text('minutes', { count: minutes })
  const count = withExtra(minutes, extraTimePercent)
  if (Number.isInteger(count)) return text('minutes.extra', { count, usual: minutes })
  return text('minutes.extra.exact', { time: limit(minutes, extraTimePercent), usual: limit(minutes, 0) })
}

/** withExtra is a time limit in minutes with the extra time of the candidate. */
export const withExtra = (minutes: number, extraTimePercent: number) => (minutes * (100 + extraTimePercent)) / 100

/** fromNow is a time in the future in words, such as "in 13 days". Both times are in minutes. */
export function fromNow(at: number, now: number): string {
  const minutes = Math.max(0, Math.floor(at - now))
  // In the last minute it is "this minute".
  const format = formatter(Intl.RelativeTimeFormat, language.value.formats, { numeric: 'auto' })
  if (minutes < 120) return format.format(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? format.format(hours, 'hour') : format.format(Math.floor(hours / 24), 'day')
}
