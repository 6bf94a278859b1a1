// Times in words: limits with the candidate's extra time, and how far away a time is.
import { language, text } from '../shared/i18n.tsx'
import { taking } from './session.ts'

/** withExtra is a limit together with the candidate's extra time, in minutes. */
export function withExtra(minutes: number): number {
  return (minutes * (100 + taking.value!.extraTimePercent)) / 100
}

/** limit is a time limit in words, for example "12 minutes instead of 10". */
export function limit(minutes: number): string {
  const count = withExtra(minutes)
  return count === minutes ? text('minutes', { count }) : text('minutes.extra', { count, usual: minutes })
}

/** fromNow is a time in the future in words, for example "in 13 days". Both times are in minutes. */
export function fromNow(at: number, now: number): string {
  const minutes = Math.max(0, Math.floor(at - now))
  const format = new Intl.RelativeTimeFormat(language.value.tag)
  if (minutes < 120) return format.format(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? format.format(hours, 'hour') : format.format(Math.floor(hours / 24), 'day')
}
