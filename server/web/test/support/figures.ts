// Figures of an assessment with many results. The service would need hundreds of sessions for them. The types are those
// of the contract. The tests of the service check the figures themselves.
import type { Page, Route } from 'playwright-core'
import { ok, type Assessment, type Organization, type Schemas } from './api.ts'

const at = '2026-11-20T10:00:00.000Z'
const stageTitles = ['Food safety', 'Allergens', 'Deliveries and storage']

/** An assessment with 45 questions in three stages. Prompts are longer than the report can show. */
export const handbook: Assessment = {
  title: 'Kitchen handbook: food safety, allergens, and deliveries',
  description:
    'Shows whether a cook knows what keeps guests safe: temperatures, allergens, and deliveries. For applicants for all positions in the kitchen.',
  passingScore: 70,
  timeLimitMinutes: 60,
  stages: stageTitles.map((title, stage) => ({
    title,
    timeLimitMinutes: 20,
    ...(stage === 0 && { gate: { required: true, minScore: 50 } }),
    questions: Array.from({ length: 15 }, (_, i) => ({
      type: 'SINGLE_CHOICE' as const,
      prompt: `A tray of cooked rice number ${15 * stage + i + 1} is held hot for service until the end of the evening. What is the lowest temperature that each part of it may have at any time?`,
      points: 2,
      options: ['37 °C', '41 °C', '57 °C', '74 °C'].map((text, option) => ({ id: `o${option + 1}`, text })),
      correctOptionId: 'o3',
    })),
  })),
}

const reliability = (questionCount: number, more: Partial<Schemas['Reliability']> = {}): Schemas['Reliability'] => ({
  alpha: 0.81,
  interval: { from: 0.77, to: 0.85 },
  standardError: 7.5,
  questionCount,
  count: 186,
  finding: 'ACCEPTABLE',
  resultsNeeded: 160,
  ...more,
})

function statisticsOf({ stages, passingScore }: Schemas['AssessmentDetail']): Schemas['AssessmentStatistics'] {
  const counts = [0, 0, 0, 0, 0, 1, 2, 2, 4, 6, 9, 13, 17, 22, 26, 28, 24, 17, 10, 5]
  return {
    computedAt: at,
    segmentId: null,
    complete: true,
    sessionCounts: { invited: 31, inProgress: 16, inReview: 3, completed: 186, disqualified: 15, expired: 9, cancelled: 2 },
    completionRate: 84.55,
    passRate: 52.15,
    passedCount: 97,
    passingScore,
    duration: { medianSeconds: 2040, p90Seconds: 2880 },
    scores: {
      count: 186,
      mean: 69.87,
      standardDeviation: 17.2,
      skewness: -0.41,
      lowerQuartile: 58.33,
      median: 71.5,
      upperQuartile: 83.33,
      bins: counts.map((count, i) => ({ from: 5 * i, to: 5 * i + 5, count })),
    },
    reliability: reliability(45),
    passingBand: { from: 62.5, to: 77.5, count: 41 },
    speed: { outOfTimeCount: 9, outOfTimeRate: 4.48, interval: { from: 2.37, to: 8.29 }, finding: 'ENOUGH_TIME' },
    stages: stages.map((stage) => ({
      id: stage.id,
      order: stage.order,
      title: stage.title,
      gate: stage.gate,
      reached: 201,
      passed: stage.gate ? 186 : 0,
      failed: stage.gate ? 15 : 0,
      medianScore: 74.07,
      reliability: reliability(stage.questions.length, {
        alpha: 0.62,
        interval: { from: 0.53, to: 0.7 },
        finding: 'UNCERTAIN',
        standardError: 12.1,
      }),
      medianSeconds: 512,
      outOfTimeCount: 4,
    })),
  }
}

function questionsOf({ stages }: Schemas['AssessmentDetail']): Schemas['QuestionStatistics'][] {
  return stages.flatMap((stage) =>
    stage.questions.map((question, i) => ({
      id: question.id,
      stageId: stage.id,
      order: question.order,
      type: question.type,
      prompt: question.prompt,
      maxPoints: question.points,
      reached: 201,
      answered: 198,
      meanPoints: 1.42,
      difficulty: 0.71,
      discrimination: 0.38,
      discriminationInterval: { from: 0.25, to: 0.49 },
      alphaWithout: 0.79,
      timedCount: 190,
      medianSeconds: 48,
      p90Seconds: 95,
      keySuspicions: i % 7 === 3 ? ['WEAKER_DO_BETTER'] : [],
      options: (question.options ?? []).map((option, j) => ({
        id: option.id,
        text: option.text,
        correct: option.id === question.correctOptionId,
        chosen: [24, 30, 141, 3][j] ?? 0,
        discrimination: [-0.21, -0.12, 0.38, 0.14][j] ?? null,
        discriminationInterval: null,
        findings: i % 5 === 1 && j === 3 ? ['HARDLY_CHOSEN'] : i % 7 === 3 && j === 1 ? ['CHOSEN_BY_STRONGER'] : [],
      })),
    })),
  )
}

const group = (
  text: string,
  count: number,
  passed: number,
  value: number,
  finding: NonNullable<Schemas['ImpactRatio']>['finding'],
): Schemas['CandidateGroup'] => ({
  id: text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
  text,
  count,
  passed,
  passRate: Math.round((10_000 * passed) / count) / 100,
  passRateInterval: { from: 43.2, to: 63.35 },
  impactRatio: { value, interval: finding === 'HIGHEST' ? null : { from: value - 0.12, to: value + 0.14 }, finding },
  mean: 69.2,
})

export const groups: Schemas['GroupStatistics'] = {
  computedAt: at,
  questions: [
    {
      id: 'sex',
      text: 'What is your sex?',
      hiddenGroups: 1,
      groups: [group('Female', 88, 47, 1, 'HIGHEST'), group('Male', 74, 34, 0.86, 'UNCERTAIN')],
    },
    {
      id: 'race-ethnicity',
      text: 'What is your race or ethnicity?',
      hiddenGroups: 2,
      groups: [
        group('Hispanic or Latino', 40, 14, 0.64, 'BELOW_FOUR_FIFTHS'),
        group('White', 71, 39, 1, 'HIGHEST'),
        group('Black or African American', 22, 11, 0.91, 'NOT_BELOW_FOUR_FIFTHS'),
        group('Asian', 19, 9, 0.86, 'UNCERTAIN'),
        group('Two or more races', 10, 5, 0.91, 'TOO_FEW_RESULTS'),
      ],
    },
  ],
}

const segment: Schemas['Segment'] = {
  id: 'seg_01m9c2v7k3x5z8b1d4f6h9j2m4',
  name: 'Third quarter',
  filter: { completedSince: '2026-07-01T00:00:00.000Z', completedUntil: '2026-10-01T00:00:00.000Z', metadata: {}, language: null, attempt: null },
  count: 74,
  complete: true,
  createdAt: at,
}

const side = (more: Partial<Schemas['ComparedSessions']>): Schemas['ComparedSessions'] => ({
  segmentId: null,
  name: null,
  count: 127,
  passed: 57,
  passRate: 44.88,
  passRateInterval: { from: 36.5, to: 53.55 },
  scoreCount: 116,
  mean: 70.71,
  standardDeviation: 17.4,
  ...more,
})

const comparison: Schemas['SegmentComparison'] = {
  computedAt: at,
  complete: true,
  first: side({ segmentId: segment.id, name: segment.name, count: 74, passed: 40, passRate: 54.05, mean: 68.4 }),
  second: side({}),
  passRateRatio: { value: 0.83, interval: { from: 0.62, to: 1.1 }, finding: 'UNCERTAIN' },
  scoreDifference: { value: -2.31, interval: { from: -7.4, to: 2.79 }, effectSize: -0.13 },
}

const judge = (name: string, cutScore: number | null, ratedCount: number): Schemas['CutScoreJudge'] => ({
  userId: `usr_${name.toLowerCase().replace(' ', '_')}`,
  name,
  ratedCount,
  cutScore,
  updatedAt: at,
})

function cutScoreOf({ stages, passingScore }: Schemas['AssessmentDetail']): Schemas['CutScoreSummary'] {
  const questions = stages.flatMap((stage) => stage.questions)
  return {
    cutScore: 66.25,
    standardError: 2.1,
    judges: [judge('Ines Moreau', 64, questions.length), judge('Jonas Weber', 68.5, questions.length), judge('Hana Sato', null, 12)],
    questions: questions.map(({ id }, i) => ({
      questionId: id,
      count: 2,
      mean: 62.5,
      standardDeviation: (7 * i) % 23,
      difficulty: 71,
    })),
    passingScore,
    atCutScore: { score: 66.25, agreement: 0.86, kappa: 0.69, passRate: 58.6 },
    atPassingScore: { score: 70, agreement: 0.84, kappa: 0.66, passRate: 52.15 },
  }
}

/** Publishes the assessment, and returns it with a function that gives a page its figures. */
export async function withFigures(made: Organization, assessment = handbook) {
  const id = await made.publish(assessment)
  const detail = await ok(made.api.GET('/v1/assessments/{id}', { params: { path: { id } } }))
  const correction: Schemas['AssessmentCorrection'] = {
    id: 'cor_01m86fyzbp3z7d9q2b4n6p8r0t',
    assessmentId: id,
    questionId: detail.stages[0]!.questions[3]!.id,
    action: 'FULL_POINTS',
    key: null,
    policy: 'NEVER_LOWER',
    withdraws: null,
    withdrawnBy: null,
    reason: 'The question does not say which scale it means',
    createdBy: { id: 'usr_01m45jykxp5v6eh188600f79y7', name: 'Samin Okafor' },
    createdAt: at,
    total: 201,
    done: 201,
    changed: 14,
    appliedAt: at,
  }
  const answers: [string, unknown][] = [
    [`/segments/${segment.id}/comparison`, comparison],
    ['/segments', [segment]],
    ['/corrections', [correction]],
    ['/statistics/groups', groups],
    ['/statistics/questions', { computedAt: at, questions: questionsOf(detail) }],
    ['/statistics', statisticsOf(detail)],
    ['/cut-score', cutScoreOf(detail)],
  ]
  const before = (page: Page) =>
    page.route(`**/v1/assessments/${id}/**`, (route: Route) => {
      const path = new URL(route.request().url()).pathname
      const found = answers.find(([end]) => path.endsWith(end))
      if (!found || route.request().method() !== 'GET') return route.fallback()
      return route.fulfill({
        headers: { 'X-Request-Id': 'req_01m6gagea5f23rz6arqmjfkxcm' },
        json: { data: found[1] },
      })
    })
  return { id, detail, before }
}
