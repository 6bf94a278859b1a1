// States of the screens on which people grade. The server's responses are given, so that times and counts stay the same.
import type { Page } from 'playwright-core'
import { organization, type Organization, type Schemas } from '../support/api.ts'
import type { User } from '../support/dashboard.ts'
import { freeText, guest, soup } from '../support/grading.ts'
import { abort, answer, hold } from '../support/network.ts'
import type { State } from './types.ts'

type Claim = NonNullable<Schemas['GradingTurn']['claim']>
type Question = Schemas['Question']

let prepared: Promise<{ made: Organization; id: string }> | undefined
const shared = () =>
  (prepared ??= (async () => {
    const made = await organization({ timeZone: 'Europe/Berlin' })
    return { made, id: await made.publish({ ...freeText, grading: { graders: 2 } }) }
  })())

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
const html = (text: string) => `<p>${text.replace(/\*\*(.*?)\*\*/g, '<strong>$1</strong>')}</p>`

function question({ rubric = [], ...input }: typeof soup, id: string): Question {
  const none = { options: null, correctOptionId: null, correctOptionIds: null, partialCredit: null, answer: null }
  const text = { tolerance: null, acceptedAnswers: null, caseSensitive: null, exactMatch: null }
  return {
    ...none,
    ...text,
    ...input,
    id,
    order: 1,
    promptHtml: html(input.prompt),
    explanation: input.explanation ?? null,
    explanationHtml: input.explanation ? html(input.explanation) : null,
    maxWords: input.maxWords ?? null,
    bankQuestionId: null,
    bankVersion: null,
    poolId: null,
    rubric: rubric.map(({ description, ...one }) => ({ ...one, description: description ?? null })),
  }
}

const claim = (more: Partial<Claim> = {}): Claim => ({
  id: 'clm_01m86p3v9c5f7h1k3n6q8s2u4w',
  assessmentId: 'asm',
  assessmentTitle: freeText.title,
  question: question(soup, 'qst_1'),
  text:
    'I divide the soup into flat pans and put them in an ice bath.\n' +
    'After two hours it is at 21 °C and goes into the cooler.\n\nI write both times on the label.',
  wordCount: 32,
  since: hours(-5),
  leasedUntil: hours(0.25),
  draft: null,
  candidate: null,
  ...more,
})

const waiting = (id: string, more: Partial<Schemas['GradingQueueQuestion']>): Schemas['GradingQueueQuestion'] => ({
  assessmentId: id,
  assessmentTitle: freeText.title,
  questionId: 'qst_1',
  prompt: soup.prompt.replaceAll('*', ''),
  points: soup.points,
  waiting: 7,
  claimed: 0,
  mine: 0,
  open: 7,
  done: 0,
  oldestSince: hours(-5),
  dueAt: hours(67),
  ...more,
})

const queue = (id: string): Schemas['GradingQueue'] => ({
  questions: [
    waiting(id, { oldestSince: hours(-80), dueAt: hours(-8), claimed: 2, mine: 1, open: 6, done: 12 }),
    waiting(id, { questionId: 'qst_2', prompt: guest.prompt, points: guest.points, waiting: 1 }),
    waiting('asm_2', { assessmentTitle: 'Night porter', waiting: 3, claimed: 3, open: 0, done: 4 }),
  ],
  hasMore: true,
})

const figures = (answers: number, kappa: number | null) => ({ answers, equalShare: 62.5, meanDifferencePercent: 8.13, kappa })
const agreement: Schemas['GradingAgreement'] = {
  questions: [
    { questionId: 'qst_gone', ...figures(40, 0.81) },
    { questionId: 'qst_2', ...figures(6, null) },
  ],
  pairs: [
    { graders: [{ id: 'usr_1', name: 'Samin Okafor' }, { id: 'usr_2', name: 'Mei Lindqvist' }], ...figures(34, 0.58) },
    { graders: [{ id: 'usr_1', name: 'Samin Okafor' }, { id: 'usr_3', name: null }], ...figures(12, null) },
  ],
}

/** Answers as a server on which something waits. */
const server =
  (id: string, given: Claim | null = claim()) =>
  async (page: Page): Promise<void> => {
    const headers = { requestId: 'req_01m6gagea5f23rz6arqmjfkxcm', status: 200 }
    await answer(page, /\/v1\/grading(\?|$)/, { ...headers, data: queue(id) })
    await answer(page, '/v1/grading/claims', { ...headers, data: { claim: given && { ...given, assessmentId: id } } })
    await answer(page, /\/v1\/assessments\/[^/]+\/grading-agreement$/, { ...headers, data: agreement })
  }

interface Options {
  path?: (id: string) => string
  given?: Claim | null
  allow?: RegExp[]
  before?: (page: Page) => Promise<unknown>
  then?: (user: User) => Promise<unknown>
}

/** A state that is reached when a text is there. */
function state(name: string, key: string, options: Options = {}): State {
  const { path = (id) => `/grading?assessment=${id}`, given, allow = [], before, then } = options
  return {
    name: `grading-${name}`,
    async reach(open) {
      const { made, id } = await shared()
      const user = await open(made, path(id), {
        role: 'ADMIN',
        allow,
        async before(page) {
          await server(id, given)(page)
          await before?.(page)
        },
      })
      await user.read(key)
      await then?.(user)
      return user
    },
  }
}

const list = () => '/grading'
const ofQueue = /\/v1\/grading(\?|$)/
const requestId = 'req_01m6gagea5f23rz6arqmjfkxcm'
const type = (text: string) => async (user: User) => {
  await user.page.locator('#grading-0').fill('3')
  await user.page.locator('#grading-1').fill(text)
}
const draft = {
  points: null,
  rubric: [{ id: 'method', points: 3 }, { id: 'times', points: 1.5 }],
  comment: 'The method is safe; the times are missing.',
  savedAt: hours(0),
}

export const states: State[] = [
  state('queue', 'grading.overdue', { path: list }),
  state('queue-empty', 'grading.empty.title', {
    path: list,
    before: (page) => answer(page, ofQueue, { status: 200, requestId, data: { questions: [], hasMore: false } }),
  }),
  state('queue-loading', 'state.loading', { path: list, before: (page) => hold(page, ofQueue) }),
  state('queue-forbidden', 'problem.forbidden', {
    path: list,
    before: (page) => answer(page, ofQueue, { status: 403, code: 'forbidden', requestId }),
  }),
  state('answer', 'grading.comment.hint'),
  state('answer-draft', 'grading.draft.saved', { given: claim({ draft }) }),
  state('answer-whole', 'grading.comment.hint', {
    given: claim({
      question: question(guest, 'qst_2'),
      wordCount: 1200,
      text: Array.from({ length: 30 }, (_, i) => `${i + 1}. I apologise, taste the fish, and ask the chef.`).join('\n'),
      candidate: { sessionId: 'ses_1', name: 'Mei Lindqvist', email: 'mei@candidate.example' },
    }),
  }),
  state('answer-rtl', 'grading.comment.hint', {
    given: claim({ text: 'أقسم الحساء في أوعية مسطحة وأضعها في حمام ثلجي.\nبعد ساعتين تصبح الحرارة 21 درجة.', wordCount: 14 }),
  }),
  state('answer-faults', 'grading.comment.hint', {
    async then(user) {
      await type('9')(user)
      await user.button('grading.save').click()
      await user.button('grading.save').click()
      await user.read('grading.criterion.range')
    },
  }),
  state('answer-offline', 'grading.comment.hint', {
    before: (page) => abort(page, /\/draft$/),
    async then(user) {
      await type('1')(user)
      await user.read('grading.draft.tab')
    },
  }),
  state('answer-lost', 'grading.comment.hint', {
    before: (page) => answer(page, /\/draft$/, { status: 409, code: 'claim_ended', requestId }),
    async then(user) {
      await user.field('grading.comment').fill('The method is safe.')
      await user.read('grading.lost')
    },
  }),
  state('answer-late', 'grading.comment.hint', {
    async before(page) {
      const data = { claim: claim({ id: 'clm_2', text: 'I stir it.' }) }
      await answer(page, /\/grade$/, { status: 200, requestId, data })
      await answer(page, /\/undo$/, { status: 409, code: 'undo_too_late', requestId })
    },
    async then(user) {
      await type('2')(user)
      await user.page.locator('#grading-2').fill('2')
      await user.button('grading.save').click()
      await user.page.getByText('I stir it.').waitFor()
      await user.button('grading.undo').click()
      await user.read('grading.undo.finalOrShared')
    },
  }),
  state('answer-stale', 'grading.stale', { given: claim({ leasedUntil: hours(-0.1) }) }),
  state('answer-skip', 'grading.comment.hint', {
    async then(user) {
      await user.field('grading.comment').fill('The method is safe.')
      await user.button('grading.skip').click()
      await user.dialog('grading.skip.title').waitFor()
    },
  }),
  state('answer-fault', 'fault.offline', { before: (page) => abort(page, '/v1/grading/claims') }),
  state('finished', 'grading.finished.title', { given: null }),
  state('agreement', 'grading.kappa.moderate', { path: (id) => `/assessments/${id}/grading` }),
  state('agreement-none', 'grading.agreement.none', {
    path: (id) => `/assessments/${id}/grading`,
    before: (page) => answer(page, /\/v1\/assessments\/[^/]+\/grading-agreement$/, { status: 200, requestId, data: { questions: [], pairs: [] } }),
  }),
  state('rules', 'grading.rules.hours.hint', { path: (id) => `/assessments/${id}/settings` }),
]
