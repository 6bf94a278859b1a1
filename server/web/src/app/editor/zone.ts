// Times for fields of the type datetime-local, in a time zone that is not that of the browser.

/** The offset of a zone at a time, in milliseconds. */
function offsetAt(time: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...(timeZone && { timeZone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time)
  const part = (type: string) => Number(parts.find((part) => part.type === type)!.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local - Math.floor(time / 1000) * 1000
}

/** localOf returns a time of the contract as a field shows it: "2026-12-04T18:00". */
export function localOf(at: string, timeZone: string | undefined): string {
  const time = Date.parse(at)
  if (Number.isNaN(time)) return ''
  return new Date(time + offsetAt(time, timeZone)).toISOString().slice(0, 16)
}

/** timeOf returns the time of a field for the contract. It is empty if the field is. */
export function timeOf(local: string, timeZone: string | undefined): string {
  const wall = Date.parse(`${local}Z`)
  if (Number.isNaN(wall)) return ''
  // The offset of the second guess is right also in the hours after the clocks change.
  const guess = wall - offsetAt(wall, timeZone)
  return new Date(wall - offsetAt(guess, timeZone)).toISOString()
}
