// Dates and times, as the reader's language writes them. Figures are in figures.ts.
import { useEffect, useState } from 'preact/hooks'
import { formatter, language, text } from '../../shared/i18n.tsx'
import { me } from './me.ts'

const zone = () => me.value?.organization.timeZone ?? undefined

function format(at: Date, options: Intl.DateTimeFormatOptions, timeZone = zone()): string {
  const { formats } = language.value
  try {
    return formatter(Intl.DateTimeFormat, formats, timeZone ? { ...options, timeZone } : options).format(at)
  } catch {
    return formatter(Intl.DateTimeFormat, formats, options).format(at) // the browser does not know the zone
  }
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
  // Of the time that is left, it must not promise more than there is.
  const round = away > 0 ? Math.floor : Math.round
  if (Math.abs(away) < hour) return words.format(round(away / minute), 'minute')
  return words.format(round(away / hour), 'hour')
}
