// Durations in words and in digits.
import { language } from '../shared/i18n.tsx'

const units = [['hour', 3600], ['minute', 60], ['second', 1]] as const

/** duration is a duration in words, such as "1 hour 5 minutes". From an hour on, it has no seconds. */
export function duration(seconds: number): string {
  const { tag } = language.value
  let rest = seconds
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    const isShown = unit === 'second' ? seconds < 3600 && (count > 0 || seconds < 1) : count > 0
    if (isShown) parts.push(new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
  }
  return new Intl.ListFormat(tag, { type: 'unit', style: 'narrow' }).format(parts)
}

/** digits is a duration as a clock shows it, such as "17:20" or "1:05:00". */
export function digits(seconds: number): string {
  const { tag } = language.value
  const hours = Math.floor(seconds / 3600)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60]
  if (hours > 0) parts.unshift(hours)
  return parts.map((part, i) => new Intl.NumberFormat(tag, { minimumIntegerDigits: i > 0 ? 2 : 1 }).format(part)).join(':')
}

/** limit is a time limit in words, with the extra time of the candidate. */
export function limit(minutes: number, extraTimePercent: number): string {
  return duration(Math.round((minutes * 60 * (100 + extraTimePercent)) / 100))
}
