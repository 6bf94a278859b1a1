// Times in the organization's zone, for fields with a date and a time.
import { me } from './session.ts'

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

/** offsetOf returns how many milliseconds the clocks of the zone are ahead of UTC. */
function offsetOf(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  )
  return local - Math.floor(at / 1000) * 1000
}

/** toField formats a time for a field of the type datetime-local. */
export function toField(at: string | Date, zone = organizationZone()): string {
  const time = new Date(at).getTime()
  return new Date(time + offsetOf(time, zone)).toISOString().slice(0, 16)
}

/** fromField returns the time of a field as RFC 3339, or undefined if the field is empty. */
export function fromField(value: string, zone = organizationZone()): string | undefined {
  const local = Date.parse(`${value}Z`)
  if (Number.isNaN(local)) return undefined
  // The offset can differ before and after a change of the clocks, so the second look decides.
  const near = local - offsetOf(local, zone)
  return new Date(local - offsetOf(near, zone)).toISOString()
}
