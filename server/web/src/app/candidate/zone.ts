// Times in the zone of the organization, for fields of the type datetime-local.
import { me } from '../core/session.ts'

const zoneOf = () => me.value?.organization.timeZone ?? undefined

/** toField returns the time in the zone as "2026-11-23T10:42". */
export function toField(at: string | Date): string {
  const options: Intl.DateTimeFormatOptions = {
    year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23',
  }
  const timeZone = zoneOf()
  const parts = new Intl.DateTimeFormat('en-US', timeZone ? { ...options, timeZone } : options).formatToParts(new Date(at))
  const part = (type: string) => parts.find((found) => found.type === type)!.value
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/** fromField is the inverse of toField. It returns undefined for an empty field. */
export function fromField(value: string): string | undefined {
  const wanted = Date.parse(value + 'Z')
  if (Number.isNaN(wanted)) return undefined
  // The second round is needed if the clocks change between the two guesses.
  let at = wanted
  for (let round = 0; round < 2; round++) at += wanted - Date.parse(toField(new Date(at)) + 'Z')
  return new Date(at).toISOString()
}
