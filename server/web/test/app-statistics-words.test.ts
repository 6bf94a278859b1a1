// Words about the reliability of scores, and about segments. Without a browser.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import './support/tsx.ts'
import type { Schemas } from '../src/shared/api.ts'
import type { Messages } from '../src/shared/i18n.tsx'
import type { Entered } from '../src/app/segments/conditions.ts'

const source = join(import.meta.dirname, '../src/app')
Object.assign(globalThis, { document: { documentElement: {} } })
const { setLanguage } = await import('../src/shared/i18n.tsx')
const reliability = await import('../src/app/reliability/words.ts')
const comparison = await import('../src/app/segments/comparison_words.ts')
const conditions = await import('../src/app/segments/conditions.ts')

const read = (screen: string) => JSON.parse(readFileSync(join(source, screen, 'en.json'), 'utf8')) as Messages
setLanguage('en', { ...read('reliability'), ...read('segments') })

type Reliability = Schemas['Reliability']
type Statistics = Schemas['AssessmentStatistics']

const figures = (finding: string, more: object = {}) =>
  ({
    alpha: 0.81,
    interval: { from: 0.76, to: 0.85 },
    standardError: 7.5,
    questionCount: 12,
    count: 186,
    finding,
    resultsNeeded: 160,
    ...more,
  }) as Reliability

describe('The reliability', () => {
  const words = (finding: string, more: object = {}) => reliability.reliabilityWords(figures(finding, more))

  test('each finding has words of its own, and one of a later version has neutral ones', () => {
    const judged = ['LOW', 'ACCEPTABLE', 'HIGH', 'UNCERTAIN', 'TOO_FEW_RESULTS']
    const all = [...judged, 'TOO_FEW_QUESTIONS', 'NO_VARIANCE', 'DRAWN_QUESTIONS', 'FUTURE']
    const said = all.map((finding) => words(finding).words)
    assert.equal(new Set(said).size, all.length, said.join('\n'))
    assert.deepEqual(all.filter((finding) => words(finding).isTrouble), ['LOW'])
    assert.match(words('LOW').words, /^Too low for decisions about single candidates/)
    assert.equal(words('FUTURE').words, 'The table has the figures.')
  })

  test('the figures follow the words', () => {
    assert.equal(
      words('ACCEPTABLE').figure,
      'Cronbach’s alpha 0.81 · 95% interval 0.76 to 0.85 · Standard error 7.5 percentage points',
    )
    assert.equal(words('UNCERTAIN', { interval: null, standardError: null }).figure, 'Cronbach’s alpha 0.81')
    assert.equal(words('TOO_FEW_QUESTIONS', { alpha: null }).figure, '')
  })

  test('the number of results that are needed is said only if there are fewer', () => {
    const needed = (finding: string, more: object) => /About 160 results/.test(words(finding, more).words)
    for (const finding of ['UNCERTAIN', 'TOO_FEW_RESULTS']) {
      assert.ok(needed(finding, { count: 9 }), finding)
      assert.ok(!needed(finding, { count: 160 }), finding)
      assert.ok(!needed(finding, { count: 9, resultsNeeded: null }), finding)
    }
    assert.ok(!needed('ACCEPTABLE', { count: 50 }))
  })

  test('an interval above 0.7 is acceptable, whether it is high or not', () => {
    assert.match(words('UNCERTAIN', { interval: { from: 0.7, to: 0.93 } }).words, /^Good enough/)
    assert.match(words('UNCERTAIN', { interval: { from: 0.6999, to: 0.93 } }).words, /^The results do not show yet/)
  })
})

describe('The passing score and the time', () => {
  const statistics = (more: object) =>
    ({
      passingScore: 70,
      passingBand: { from: 62.5, to: 77.5, count: 41 },
      scores: { count: 186 },
      sessionCounts: { completed: 186, disqualified: 15 },
      speed: { outOfTimeCount: 9, outOfTimeRate: 4.48, interval: { from: 2.37, to: 8.28 }, finding: 'ENOUGH_TIME' },
      ...more,
    }) as Statistics

  test('the band counts candidates, and is missing without a passing score', () => {
    const said = reliability.bandWords(statistics({}))
    assert.match(said!.words, /^41 of 186 candidates are so near the passing score/)
    assert.match(said!.figure, /62.5% to 77.5%.*70%/)
    assert.equal(reliability.bandWords(statistics({ passingBand: null })), undefined)
    assert.equal(reliability.bandWords(statistics({ passingScore: null })), undefined)
  })

  test('only too little time is trouble, and without a limit nothing is said', () => {
    const said = (finding: string, more = {}) =>
      reliability.speedWords(statistics({ speed: { ...statistics({}).speed, finding, ...more } }))
    const all = ['TOO_LITTLE_TIME', 'ENOUGH_TIME', 'UNCERTAIN', 'FUTURE']
    assert.equal(new Set(all.map((finding) => said(finding)!.words)).size, all.length)
    assert.deepEqual(all.filter((finding) => said(finding)!.isTrouble), ['TOO_LITTLE_TIME'])
    assert.equal(said('NO_TIME_LIMIT'), undefined)
    const figure = '9 of 201 candidates ran out of time: 4.48%, with 95% confidence between 2.37% and 8.28%'
    assert.equal(said('ENOUGH_TIME')!.figure, figure)
    assert.equal(said('TOO_FEW_RESULTS', { interval: null })!.figure, '9 of 201 candidates ran out of time (4.48%)')
  })
})

describe('A comparison', () => {
  const side = (name: string | null) => ({ name, count: 74, passed: 40, passRateInterval: { from: 42.8, to: 64.9 } })
  const compare = (more: object) =>
    ({
      first: side('Careers page'),
      second: side(null),
      passRateRatio: null,
      scoreDifference: null,
      ...more,
    }) as Schemas['SegmentComparison']

  test('the ratio says what its interval permits, and only a ratio below four fifths is trouble', () => {
    const ratio = (finding: string, more = {}) => {
      const passRateRatio = { value: 0.62, interval: { from: 0.5, to: 0.75 }, finding, ...more }
      return comparison.ratioWords(compare({ passRateRatio }))
    }
    assert.match(ratio('BELOW_FOUR_FIFTHS')!.words, /below four fifths/)
    assert.equal(ratio('BELOW_FOUR_FIFTHS')!.figure, 'Ratio 0.62, with 95% confidence between 0.5 and 0.75')
    const all = ['BELOW_FOUR_FIFTHS', 'NOT_BELOW_FOUR_FIFTHS', 'UNCERTAIN', 'TOO_FEW_RESULTS', 'HIGHEST', 'FUTURE']
    assert.deepEqual(all.filter((finding) => ratio(finding)!.isTrouble), ['BELOW_FOUR_FIFTHS'])
    assert.equal(ratio('FUTURE')!.words, ratio('FUTURE')!.figure)
    const none = ratio('TOO_FEW_RESULTS', { value: null, interval: null })!
    assert.equal(none.figure, 'Nobody passed, so the pass rates have no ratio.')
    assert.equal(comparison.ratioWords(compare({})), undefined)
  })

  test('means differ only if the interval excludes 0', () => {
    const differ = (value: number, interval: object | null) =>
      comparison.differenceWords(compare({ scoreDifference: { value, interval, effectSize: -0.14 } }))!.words
    assert.equal(
      differ(-2, { from: -3, to: -0.01 }),
      'The mean score of “Careers page” is lower than that of “All other candidates”.',
    )
    assert.match(differ(2, { from: 0.01, to: 3 }), /is higher than/)
    for (const border of [{ from: 0, to: 3 }, { from: -3, to: 0 }])
      assert.equal(differ(2, border), 'The mean scores do not differ clearly.')
    assert.match(differ(2, null), /too few to compare/)
  })

  test('a rate has its counts and its interval', () => {
    assert.equal(
      comparison.rateWords(compare({}).first),
      '40 of 74 candidates passed, with 95% confidence between 42.8% and 64.9%',
    )
  })
})

describe('The conditions of a segment', () => {
  const entered = (more: Partial<Entered>) => ({ ...conditions.empty, ...more })

  test('a period is whole days in the zone of the organization, with the last one', () => {
    const filter = conditions.filterOf(entered({ since: '2026-10-01', until: '2026-10-31' }), 'Europe/Berlin')
    // The clocks change on 25 October.
    assert.deepEqual(filter, { completedSince: '2026-09-30T22:00:00.000Z', completedUntil: '2026-10-31T23:00:00.000Z' })
  })

  test('only what was typed is a condition', () => {
    const filter = (more: Partial<Entered>) => conditions.filterOf(entered(more), 'UTC')
    const both = filter({ label: ' source ', value: 'fair', attempt: '2' })
    assert.deepEqual(both, { metadata: { source: 'fair' }, attempt: 2 })
    assert.deepEqual(filter({ locale: 'de' }), { language: 'de' })
    assert.deepEqual(filter({ locale: 'other', tag: 'nl' }), { language: 'nl' })
  })

  test('what is missing or impossible is said at its field', () => {
    const pointers = (more: Partial<Entered>) => Object.keys(conditions.faultsOf(entered(more)))
    assert.deepEqual(pointers({}), ['/filter/completedSince'])
    assert.deepEqual(pointers({ since: '2026-10-02', until: '2026-10-01' }), ['/filter/completedUntil'])
    assert.deepEqual(pointers({ since: '2026-10-01', until: '2026-10-01' }), [])
    assert.deepEqual(pointers({ value: 'fair' }), ['/filter/metadata'])
    assert.deepEqual(pointers({ label: 'a/b' }), ['/filter/metadata/a~1b'])
    assert.deepEqual(pointers({ locale: 'other' }), ['/filter/language'])
    for (const attempt of ['0', '1.5', '1001', '-1'])
      assert.deepEqual(pointers({ attempt }), ['/filter/attempt'], attempt)
    assert.deepEqual(pointers({ attempt: '1' }), [])
  })
})
