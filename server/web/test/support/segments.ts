// Candidates of two groups, segments of them, and statistics that few candidates would not give.
import type { Page } from 'playwright-core'
import { eventually, ok, type Organization, type Schemas } from './api.ts'
import { kitchen, names, work, works, type Work } from './results.ts'

/** Candidates of each source, whose label is in the metadata. */
export const ofEachSource = 12

/** The candidates of the job fair do worse. */
const weaker: Work = (number) => ([1, 2, 5, 6, 8].includes(number) ? 'wrong' : 'right')

/** Finished candidates from the careers page and from a job fair. */
export async function fromTwoSources(organization: Organization, assessmentId: string): Promise<void> {
  const from = (source: string, answers: (i: number) => Work) =>
    names.slice(0, ofEachSource).map(async (candidateName, i) => {
      const invite = await organization.invite(assessmentId, { candidateName, metadata: { source } })
      await work(invite, kitchen, answers(i))
    })
  await Promise.all(from('careers-page', (i) => works[i % 3]!))
  await Promise.all(from('job-fair', (i) => (i % 4 === 0 ? works[1]! : weaker)))
}

type Filter = Schemas['SegmentFilterInput']

/** Creates a segment, and waits until the server has counted its sessions. */
export async function segmentOf(
  { api }: Organization,
  assessmentId: string,
  name: string,
  filter: Filter,
  count: number,
): Promise<string> {
  const params = { path: { id: assessmentId } }
  const { id } = await ok(api.POST('/v1/assessments/{id}/segments', { params, body: { name, filter } }))
  await eventually(
    () => ok(api.GET('/v1/assessments/{id}/segments', { params })),
    (all) => all.some((segment) => segment.id === id && segment.complete && segment.count === count),
    20_000,
  )
  return id
}

/** Changes the data of responses of the server. */
export async function changeData<T>(page: Page, target: RegExp, change: (data: T) => unknown): Promise<void> {
  await page.route(target, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: T }
    await route.fulfill({ response, json: { data: change(data) } })
  })
}

/** The statistics of an assessment, with or without a segment. */
export const statisticsPath = /\/statistics(\?|$)/
export const questionStatisticsPath = /\/statistics\/questions(\?|$)/
export const comparisonPath = /\/comparison(\?|$)/
export const segmentsPath = /\/segments$/

type Statistics = Schemas['AssessmentStatistics']
type Questions = Schemas['AssessmentQuestionStatistics']

/** Unreliable scores, as those of the LSAT items of Bock and Lieberman (1970). */
export const unreliable = (statistics: Statistics): Statistics => ({
  ...statistics,
  reliability: {
    alpha: 0.295,
    interval: { from: 0.23, to: 0.354 },
    standardError: 17,
    questionCount: 5,
    count: 1000,
    finding: 'LOW',
    resultsNeeded: 1522,
  },
  passingBand: { from: 53, to: 87, count: 11 },
  speed: { outOfTimeCount: 9, outOfTimeRate: 37.5, interval: { from: 21.2, to: 57.3 }, finding: 'TOO_LITTLE_TIME' },
})

/** Figures of questions that few candidates would not give. */
export const unusual = ({ questions, ...rest }: Questions): Questions => ({
  ...rest,
  questions: questions.map((question, i) => ({
    ...question,
    reached: 1000,
    answered: 990,
    alphaWithout: i === 0 ? 0.34 : 0.28,
    timedCount: 980,
    medianSeconds: 48 + i,
    p90Seconds: 95 + i,
    keySuspicions: i === 1 ? ['OTHER_OPTION_PREFERRED'] : [],
    discrimination: 0.38,
    discriminationInterval: { from: 0.25, to: 0.49 },
    options: question.options.map((option, j) => ({ ...option, ...unusualOption(i, j, option.correct) })),
  })),
})

function unusualOption(question: number, option: number, isKey: boolean) {
  const isStronger = question === 1 && option === 0
  if (isStronger)
    return {
      chosen: 300,
      discrimination: 0.31,
      discriminationInterval: { from: 0.25, to: 0.37 },
      findings: ['CHOSEN_BY_STRONGER'],
    }
  return {
    chosen: isKey ? 560 : 20,
    discrimination: isKey ? 0.12 : -0.08,
    discriminationInterval: isKey ? { from: 0.06, to: 0.18 } : { from: -0.14, to: -0.02 },
    findings: isKey ? [] : ['HARDLY_CHOSEN'],
  }
}
