// Times that people type, in a time zone that need not be that of the browser. When the clocks change, they skip some
// times and show others twice. This module is the only one that turns a typed time into an instant.

const hour = 3_600_000

// Making a formatter takes longer than its use.
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone)
  if (!clock) {
    const date = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
    const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
    clock = new Intl.DateTimeFormat('en-US', { timeZone, ...date, ...time })
    clocks.set(timeZone, clock)
  }
  return clock
}

/** offsetOf returns how many milliseconds the clocks of the zone are ahead of UTC. */
function offsetOf(at: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(at)
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

/** What a typed time means. */
export interface Reading {
  /** The instant that counts, as RFC 3339. */
  at: string
  /**
   * `skipped`: the clocks never show the typed time, so it is moved by the time that they skip. `twice`: the first of the
   * two instants counts.
   */
  kind: 'once' | 'skipped' | 'twice'
}

// The clocks of no zone change twice within this time, and none is further from UTC.
const around = 26 * hour

/** read returns what a typed time means, or undefined if it is empty. */
export function read(wall: string, timeZone: string): Reading | undefined {
  const local = Date.parse(`${wall}Z`)
  if (Number.isNaN(local)) return undefined
  const [before, after] = [offsetOf(local - around, timeZone), offsetOf(local + around, timeZone)]
  const shown = [...new Set([local - before, local - after])].filter((at) => at + offsetOf(at, timeZone) === local)
  const at = shown.length > 0 ? Math.min(...shown) : local - before
  const kind = shown.length === 0 ? 'skipped' : shown.length === 1 ? 'once' : 'twice'
  return { at: new Date(at).toISOString(), kind }
}

/** timeOf returns the instant of a typed time as RFC 3339, or undefined if it is empty. */
export function timeOf(wall: string, timeZone: string): string | undefined {
  return read(wall, timeZone)?.at
}

/**
 * startOfDay returns the first instant of a day ("2026-12-04") as RFC 3339, or undefined if the field is empty. A day that
 * the clocks skip begins when the next one does.
 */
export function startOfDay(date: string, timeZone: string): string | undefined {
  const midnight = read(`${date}T00:00`, timeZone)
  if (midnight?.kind !== 'skipped') return midnight?.at
  // The day begins when the clocks change: the first instant with the later offset.
  let [early, late] = [Date.parse(midnight.at) - around, Date.parse(midnight.at) + around]
  const before = offsetOf(early, timeZone)
  while (late - early > 1000) {
    const middle = Math.floor((early + late) / 2000) * 1000
    if (offsetOf(middle, timeZone) === before) early = middle
    else late = middle
  }
  return new Date(late).toISOString()
}

/** offsetName returns the difference of the clocks to UTC at a time, for example "UTC+5:45". */
export function offsetName(at: string, timeZone: string): string {
  const minutes = Math.round(offsetOf(Date.parse(at), timeZone) / 60_000)
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest > 0 ? `:${String(rest).padStart(2, '0')}` : ''}`
}

/** addDays returns the date some days later, or an empty text if it is no date. */
export function addDays(date: string, days: number): string {
  const at = Date.parse(`${date}T00:00Z`)
  return Number.isNaN(at) ? '' : new Date(at + days * 24 * hour).toISOString().slice(0, 10)
}
