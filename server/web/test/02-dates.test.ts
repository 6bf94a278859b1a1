// English dates of the page and of the emails.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { englishDate } from '../src/shared/english_date.ts'

const shared = new URL('../../mail/testdata/english_dates.json', import.meta.url)

test('2: The page writes English dates as the emails do', () => {
  const dates = JSON.parse(readFileSync(shared, 'utf8')) as { at: string; zone: string; want: string }[]
  assert.ok(dates.length >= 12)
  for (const { at, zone, want } of dates) assert.equal(englishDate(new Date(at), zone), want)
})
