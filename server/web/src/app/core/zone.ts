// Times in the organization's zone, for fields with a date and a time.
import { text } from '../../shared/i18n.tsx'
import { dayAndTime } from './formats.tsx'
import { me } from './me.ts'
import { addDays, offsetName, read, startOfDay, timeOf, wallTime } from './wall_time.ts'

/** organizationZone is the zone in which the dashboard shows times. Without a setting, it is that of the browser. */
export function organizationZone(): string {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zone = me.value?.organization.timeZone ?? own
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return zone
  } catch {
    return own // the browser does not know the zone
  }
}

/** toField formats a time for a field of the type datetime-local. */
export function toField(at: string | Date): string {
  return wallTime(at, organizationZone())
}

/** fromField returns the time of a field as RFC 3339, or undefined if the field is empty. */
export function fromField(value: string): string | undefined {
  return timeOf(value, organizationZone())
}

/**
 * zoneHint stands beside each field with a date and a time. It names the zone, and says which time counts if the clocks
 * skip the typed one or show it twice.
 */
export function zoneHint(value: string): string {
  const zone = organizationZone()
  const typed = read(value, zone)
  if (!typed) return text('field.zone', { zone: zone.replaceAll('_', ' ') })
  const offset = offsetName(typed.at, zone)
  const named = zone === 'UTC' ? zone : `${zone.replaceAll('_', ' ')} (${offset})`
  if (typed.kind === 'skipped') return text('field.zone.skipped', { zone: named, time: dayAndTime(typed.at) })
  return text(typed.kind === 'twice' ? 'field.zone.twice' : 'field.zone', { zone: named, offset })
}

/** endOfDay returns the last second of a day ("2026-12-04") as RFC 3339, or undefined if the field is empty. */
export function endOfDay(date: string): string | undefined {
  const next = startOfDay(addDays(date, 1), organizationZone())
  return next && new Date(Date.parse(next) - 1000).toISOString()
}
