// States of the statistics of an assessment: reliability, segments, and comparisons.
import type { Page } from 'playwright-core'
import { organization, type Organization, type Schemas } from '../support/api.ts'
import type { Role, User } from '../support/dashboard.ts'
import { counted, kitchen } from '../support/results.ts'
import {
  changeData,
  comparisonPath,
  fromTwoSources,
  ofEachSource,
  questionStatisticsPath,
  segmentOf,
  segmentsPath,
  statisticsPath,
  unreliable,
  unusual,
} from '../support/segments.ts'
import type { State } from './types.ts'

interface Prepared {
  made: Organization
  id: string
  page: string
  fair: string
}

async function prepare(): Promise<Prepared> {
  const made = await organization({ timeZone: 'Europe/Berlin' })
  const id = await made.publish(kitchen)
  await fromTwoSources(made, id)
  await counted(made, id, 2 * ofEachSource)
  const of = (source: string, name: string) =>
    segmentOf(made, id, name, { metadata: { source } }, ofEachSource)
  const page = await of('careers-page', 'Careers page')
  return { made, id, page, fair: await of('job-fair', 'Job fair') }
}

let prepared: Promise<Prepared> | undefined
const shared = () => (prepared ??= prepare())

interface Options {
  role?: Role
  before?: (page: Page) => Promise<unknown>
  then?: (user: User) => Promise<unknown>
}

/** A state of a screen at an address, which is reached when a text is there. */
function state(name: string, path: (all: Prepared) => string, key: string, options: Options = {}): State {
  const { role = 'EDITOR', before, then } = options
  return {
    name: `statistics-${name}`,
    async reach(open) {
      const all = await shared()
      const user = await open(all.made, path(all), { role, ...(before && { before }) })
      await user.read(key)
      await then?.(user)
      return user
    },
  }
}

const chosen = ({ id, fair }: Prepared) => `/assessments/${id}?segment=${fair}`

const openTables = async ({ page }: User) => {
  for (const summary of await page.locator('.as-table > summary').all()) await summary.click()
}

const low = async (page: Page) => {
  await changeData(page, statisticsPath, unreliable)
  await changeData(page, questionStatisticsPath, unusual)
}

const counting = async (page: Page) => {
  await changeData(page, statisticsPath, (data: object) => ({ ...data, complete: false }))
  await changeData(page, segmentsPath, (all: Schemas['Segment'][]) =>
    all.map((segment, i) => (i === 0 ? { ...segment, count: 7, complete: false } : segment)),
  )
}

/** A comparison of many candidates, which permits a verdict. */
const adverse = (comparison: Schemas['SegmentComparison']): Schemas['SegmentComparison'] => ({
  ...comparison,
  first: {
    ...comparison.first,
    count: 210,
    passed: 84,
    passRate: 40,
    passRateInterval: { from: 33.6, to: 46.75 },
    scoreCount: 198,
    mean: 63.21,
    standardDeviation: 16.4,
  },
  second: {
    ...comparison.second,
    count: 340,
    passed: 221,
    passRate: 65,
    passRateInterval: { from: 59.79, to: 69.88 },
    scoreCount: 331,
    mean: 71.8,
    standardDeviation: 15.2,
  },
  passRateRatio: { value: 0.6154, interval: { from: 0.5121, to: 0.7395 }, finding: 'BELOW_FOUR_FIFTHS' },
  scoreDifference: { value: -8.59, interval: { from: -11.4, to: -5.78 }, effectSize: -0.55 },
})

export const states: State[] = [
  state('low', ({ id }) => `/assessments/${id}`, 'reliability.low', { before: low, then: openTables }),
  state('questions-low', ({ id }) => `/assessments/${id}/questions`, 'questions.time.figure', { before: low }),
  state('segment', chosen, 'segments.compare.title', { then: openTables }),
  state('segment-with', ({ id, page, fair }) => `/assessments/${id}?segment=${fair}&with=${page}`, 'segments.compare.title', {
    role: 'MEMBER',
    before: (page) => changeData(page, comparisonPath, adverse),
    then: (user) => user.read('segments.ratio.BELOW_FOUR_FIFTHS'),
  }),
  state('segment-questions', ({ id, fair }) => `/assessments/${id}/questions?segment=${fair}`, 'segments.delete'),
  state('segment-counting', chosen, 'segments.counting', { before: counting }),
  state('segment-gone', ({ id }) => `/assessments/${id}?segment=seg_01m9c2v7k3x5z8b1d4f6h9j2m4`, 'problem.not_found'),
  state('segment-new', ({ id }) => `/assessments/${id}`, 'segments.new', {
    async then(user) {
      await user.button('segments.new').click()
      await user.dialog('segments.create.title').waitFor()
      await user.field('segments.locale').selectOption('other')
      await user.field('segments.attempts').fill('1.5')
      await user.button('segments.create.submit').click()
      await user.read('segments.locale.tag.missing')
    },
  }),
  state('segment-delete', chosen, 'segments.delete', {
    async then(user) {
      await user.button('segments.delete').click()
      await user.dialog('segments.delete.question').waitFor()
    },
  }),
]
