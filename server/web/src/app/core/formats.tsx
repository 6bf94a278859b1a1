// Numbers, times, and durations, as the reader's language writes them.
import { useEffect, useState } from 'preact/hooks'
import { formatter, language, text } from '../../shared/i18n.tsx'
import { me } from './session.ts'

const zone = () => me.value?.organization.timeZone ?? undefined

function format(at: Date, options: Intl.DateTimeFormatOptions, timeZone = zone()): string {
  const { formats } = language.value
  try {
    return formatter(Intl.DateTimeFormat, formats, timeZone ? { ...options, timeZone } : options).format(at)
  } catch {
    return formatter(Intl.DateTimeFormat, formats, options).format(at) // the browser does not know the zone
  }
}

/** number formats a count or a number, for example "1,234". */
export function number(value: number, digits = 0): string {
  return formatter(Intl.NumberFormat, language.value.formats, { maximumFractionDigits: digits }).format(value)
}

/** percent formats a value from 0 to 100, for example "91.5%". */
export function percent(value: number, digits = 1): string {
  return formatter(Intl.NumberFormat, language.value.formats, {
    style: 'percent',
    maximumFractionDigits: digits,
  }).format(value / 100)
}

/** share formats a part of a whole, for example "52%". It is empty for a whole of 0. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '' : percent((100 * part) / whole, 0)
}

/** duration formats seconds, for example "34 min" or "1 h 5 min". */
export function duration(seconds: number): string {
  const unit = (value: number, name: string) =>
    formatter(Intl.NumberFormat, language.value.formats, { style: 'unit', unit: name, unitDisplay: 'short' }).format(
      value,
    )
  if (seconds < 60) return unit(Math.round(seconds), 'second')
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return unit(minutes, 'minute')
  const left = minutes % 60
  return left === 0 ? unit(minutes / 60, 'hour') : `${unit(Math.floor(minutes / 60), 'hour')} ${unit(left, 'minute')}`
}

/** dayAndTime formats a date and time, for example "23 Nov 2026, 10:42". */
export function dayAndTime(at: string | Date): string {
  return format(new Date(at), { dateStyle: 'medium', timeStyle: 'short' })
}

/** inList formats a date and time for narrow columns: without the year if it is the present one. */
function inList(at: Date): string {
  const yearOf = (at: Date) => format(at, { year: 'numeric' }) // in the organization's zone
  const year = yearOf(at) === yearOf(new Date()) ? {} : { year: 'numeric' as const }
  return format(at, { day: 'numeric', month: 'short', ...year, hour: 'numeric', minute: '2-digit' })
}

/** endOfStart is until when the candidate can start: until the assessment closes, or the invite expires. */
export function endOfStart({ startUntil, expiresAt }: { startUntil: string | null; expiresAt: string }): string {
  return startUntil ?? expiresAt
}

/** day formats a date, for example "23 Nov 2026". */
export function day(at: string | Date): string {
  return format(new Date(at), { dateStyle: 'medium' })
}

/** utc formats a time in UTC, for titles. */
export function utc(at: string | Date): string {
  return format(new Date(at), { dateStyle: 'medium', timeStyle: 'medium' }, 'UTC') + ' UTC'
}

const minute = 60_000
const hour = 60 * minute

/**
 * When is a time in the organization's zone, with the year and UTC in the title. Times within 24 hours are relative ("5 minutes ago")
 * with `isRelative`, and stay current.
 */
export function When({ at, isRelative }: { at: string; isRelative?: boolean }) {
  const [, update] = useState({})
  const away = new Date(at).getTime() - Date.now()
  const isNear = isRelative === true && Math.abs(away) < 24 * hour
  useEffect(() => {
    if (!isNear) return
    const timer = setInterval(() => update({}), 30_000)
    return () => clearInterval(timer)
  }, [isNear])
  return (
    <time dateTime={at} title={`${dayAndTime(at)} (${utc(at)})`}>
      {isNear ? relative(away) : inList(new Date(at))}
    </time>
  )
}

function relative(away: number): string {
  if (Math.abs(away) < minute) return text('time.now')
  const options = { numeric: 'auto' } as const
  const words = formatter(Intl.RelativeTimeFormat, language.value.tag, options)
  if (Math.abs(away) < hour) return words.format(Math.round(away / minute), 'minute')
  return words.format(Math.round(away / hour), 'hour')
}
