// Times in the organization's zone, for fields with a date and a time.
import { me } from './session.ts'
import { timeOf, wallTime } from './wall_time.ts'

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

/** endOfDay returns the last second of a day ("2026-12-04") as RFC 3339, or undefined if the field is empty. */
export function endOfDay(date: string): string | undefined {
  return timeOf(`${date}T23:59:59`, organizationZone())
}
