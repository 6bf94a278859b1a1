// Typed times, in zones whose clocks skip some times and show others twice.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, offsetName, read, startOfDay, timeOf, wallTime } from '../src/app/core/wall_time.ts'

const minute = 60_000
const hour = 60 * minute
const zones = [
  'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia',
  'Africa/Casablanca', 'UTC', 'Africa/Cairo', 'America/Santiago', 'America/Havana', 'Asia/Beirut', 'Pacific/Chatham',
]

/** The times of 2026 at which the clocks change, to the minute. */
function changesOf(zone: string): number[] {
  const changes: number[] = []
  const offset = (at: number) => Date.parse(wallTime(new Date(at), zone) + 'Z') - at
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += hour) {
    if (offset(at) === offset(at + hour)) continue
    let change = at
    while (offset(change) === offset(at)) change += minute
    changes.push(change)
  }
  return changes
}

describe('A typed time', () => {
  test('by hand', () => {
    for (const [zone, wall, at, kind] of [
      ['Europe/Berlin', '2026-12-01T12:00', '2026-12-01T11:00:00.000Z', 'once'],
      ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z', 'once'],
      ['Europe/Berlin', '2026-03-29T02:00', '2026-03-29T01:00:00.000Z', 'skipped'],
      ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z', 'skipped'], // 03:30
      ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z', 'once'],
      ['Europe/Berlin', '2026-10-25T01:59', '2026-10-24T23:59:00.000Z', 'once'],
      ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z', 'twice'],
      ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00:00.000Z', 'once'],
      ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z', 'skipped'],
      ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z', 'twice'],
      ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00.000Z', 'skipped'], // 02:45, by 30 minutes
      ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00.000Z', 'twice'],
      ['America/St_Johns', '2026-03-08T02:30', '2026-03-08T06:00:00.000Z', 'skipped'],
      ['America/St_Johns', '2026-11-01T01:30', '2026-11-01T04:00:00.000Z', 'twice'],
      ['Africa/Casablanca', '2026-02-15T02:30', '2026-02-15T01:30:00.000Z', 'twice'], // before Ramadan
      ['Africa/Casablanca', '2026-03-22T02:30', '2026-03-22T02:30:00.000Z', 'skipped'],
      ['Asia/Kathmandu', '2026-06-01T00:00', '2026-05-31T18:15:00.000Z', 'once'],
      ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00:00.000Z', 'skipped'], // the day that never was
      ['Pacific/Apia', '2011-12-29T23:59', '2011-12-30T09:59:00.000Z', 'once'],
      ['Pacific/Apia', '2011-12-31T00:00', '2011-12-30T10:00:00.000Z', 'once'],
      ['UTC', '2026-03-29T02:30', '2026-03-29T02:30:00.000Z', 'once'],
    ] as const) {
      assert.deepEqual(read(wall, zone), { at, kind }, `${wall} in ${zone}`)
      assert.equal(timeOf(wall, zone), at)
    }
    for (const empty of ['', 'T00:00', '2026-02-30T99:00']) assert.equal(read(empty, 'Europe/Berlin'), undefined)
  })

  // Independent of the search: all instants around a change, by what the clocks show at them.
  test('around each change of 2026 in each zone', () => {
    let seen = { once: 0, skipped: 0, twice: 0 }
    for (const zone of zones) {
      const changes = changesOf(zone)
      assert.equal(changes.length, ['UTC', 'Asia/Kathmandu', 'Pacific/Apia'].includes(zone) ? 0 : 2, zone)
      for (const change of changes) {
        const shown = new Map<string, number[]>()
        for (let at = change - 4 * hour; at < change + 4 * hour; at += minute) {
          const wall = wallTime(new Date(at), zone)
          shown.set(wall, [...(shown.get(wall) ?? []), at])
        }
        const before = Date.parse(wallTime(new Date(change - minute), zone) + 'Z') + minute
        const moved = Date.parse(wallTime(new Date(change), zone) + 'Z') - before
        for (let local = before - 2 * hour; local < before + 2 * hour; local += minute) {
          const wall = new Date(local).toISOString().slice(0, 16)
          const instants = shown.get(wall) ?? []
          const { at, kind } = read(wall, zone)!
          seen[kind]++
          const name = `${wall} in ${zone}`
          assert.equal(kind, ['skipped', 'once', 'twice'][instants.length], name)
          if (instants.length > 0) assert.equal(Date.parse(at), instants[0], name)
          else assert.equal(Date.parse(wallTime(at, zone) + 'Z'), local + moved, name)
        }
      }
    }
    // 10 zones; all but Lord Howe move by an hour.
    assert.deepEqual([seen.skipped, seen.twice], [9 * 60 + 30, 9 * 60 + 30])
  })

  test('the name of the offset', () => {
    for (const [at, zone, want] of [
      ['2026-07-01T00:00:00Z', 'Europe/Berlin', 'UTC+2'], ['2026-07-01T00:00:00Z', 'America/St_Johns', 'UTC−2:30'],
      ['2026-07-01T00:00:00Z', 'Asia/Kathmandu', 'UTC+5:45'], ['2026-01-01T00:00:00Z', 'Europe/London', 'UTC'],
    ] as const) assert.equal(offsetName(at, zone), want)
  })
})

describe('A day', () => {
  test('each day of 2026 follows the one before, in each zone', () => {
    for (const zone of zones) {
      const lengths = new Map<number, number>()
      let start = startOfDay('2026-01-01', zone)!
      for (let date = '2026-01-01'; date < '2027-01-01'; date = addDays(date, 1)) {
        const next = startOfDay(addDays(date, 1), zone)!
        assert.equal(wallTime(start, zone).slice(0, 10), date, zone)
        const last = new Date(Date.parse(next) - 1)
        assert.equal(wallTime(last, zone).slice(0, 10), date, zone)
        const hours = (Date.parse(next) - Date.parse(start)) / hour
        lengths.set(hours, (lengths.get(hours) ?? 0) + 1)
        start = next
      }
      const long = zone === 'Australia/Lord_Howe' ? 24.5 : 25
      const want = changesOf(zone).length === 0 ? [[24, 365]] : [[48 - long, 1], [24, 363], [long, 1]]
      assert.deepEqual([...lengths].sort(([a], [b]) => a - b), want, zone)
    }
  })

  test('a day without midnight begins when the clocks change, one with two at the first', () => {
    for (const [zone, date, at] of [
      ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
      ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
      ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
      ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
      ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
      ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ] as const) assert.equal(startOfDay(date, zone), at, `${date} in ${zone}`)
    assert.equal(startOfDay('', 'Europe/Berlin'), undefined)
  })
})
