// Times for fields of the type datetime-local, in a time zone that need not be that of the browser.

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

/** wallTime returns a time as a field shows it: "2026-12-04T18:00". */
export function wallTime(at: string | Date, timeZone: string): string {
  const time = new Date(at).getTime()
  return Number.isNaN(time) ? '' : new Date(time + offsetOf(time, timeZone)).toISOString().slice(0, 16)
}

/** timeOf returns the time of a field as RFC 3339, or undefined if the field is empty. */
export function timeOf(wall: string, timeZone: string): string | undefined {
  const local = Date.parse(`${wall}Z`)
  if (Number.isNaN(local)) return undefined
  // The offset can differ before and after a change of the clocks, so the second look decides.
  const near = local - offsetOf(local, timeZone)
  return new Date(local - offsetOf(near, timeZone)).toISOString()
}
