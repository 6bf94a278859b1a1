// States of the question bank.
import type { Page } from 'playwright-core'
import { organization, type Organization, type Schemas } from '../support/api.ts'
import { bankOfEachType } from '../support/bank.ts'
import type { User } from '../support/dashboard.ts'
import { abort, answer, hold } from '../support/network.ts'
import type { State } from './types.ts'

type Questions = Schemas['BankQuestion'][]

let prepared: Promise<{ made: Organization; questions: Questions }> | undefined
const shared = () =>
  (prepared ??= (async () => {
    const made = await organization({ timeZone: 'Europe/Berlin' })
    return { made, questions: await bankOfEachType(made) }
  })())

const requestId = 'req_01m6gagea5f23rz6arqmjfkxcm'

const use = (assessmentTitle: string, exposures: number, correctShare: number): Schemas['BankQuestionUse'] => ({
  assessmentId: `asm_${exposures}`,
  assessmentTitle,
  exposures,
  answers: exposures - 1,
  correctShare,
  pointsShare: correctShare,
})
const statistics: Schemas['BankQuestionStatistics'] = {
  exposures: 1204,
  answers: 1198,
  correctShare: 61.2,
  pointsShare: 71.25,
  assessments: [use('Line cook: food safety', 1201, 61.25), use('Night porter', 3, 33.33)],
}

interface Options {
  path?: (questions: Questions) => string
  role?: 'MEMBER' | 'EDITOR'
  allow?: RegExp[]
  before?: (page: Page) => Promise<unknown>
  then?: (user: User, questions: Questions) => Promise<unknown>
}

/** A state that is reached when a text is there. */
function state(name: string, key: string, options: Options = {}): State {
  const { path = () => '/questions', role = 'EDITOR', allow = [], before, then } = options
  return {
    name: `bank-${name}`,
    async reach(open) {
      const { made, questions } = await shared()
      const user = await open(made, path(questions), { role, allow, ...(before && { before }) })
      await user.read(key)
      await then?.(user, questions)
      return user
    },
  }
}

/** The question in the list with the number, from the newest. */
const page = (number: number, part = '') => (questions: Questions) => `/questions/${questions.at(-number)!.id}${part}`

export const states: State[] = [
  {
    name: 'bank-empty',
    async reach(open) {
      const user = await open(await organization(), '/questions')
      await user.read('bank.none.title')
      return user
    },
  },
  state('list', 'bank.column.changed'),
  state('list-loading', 'state.loading', { before: (page) => hold(page, /\/v1\/questions(\?|$)/) }),
  state('list-filtered', 'bank.column.changed', { path: () => '/questions?tag=easy,temperatures' }),
  state('list-none', 'state.noMatch.title', { path: () => '/questions?q=nothing' }),
  state('question', 'bank.created', { path: page(1) }),
  state('question-rubric', 'bank.created', { path: page(4), role: 'MEMBER' }),
  state('form', 'bank.tags.hint', { path: page(1, '?edit=true') }),
  state('form-rubric', 'editor.rubric.hint', { path: page(4, '?edit=true') }),
  state('new', 'bank.create.another', { path: () => '/questions/new' }),
  state('versions', 'bank.version.current', { path: page(2, '?part=versions') }),
  state('statistics', 'bank.statistics.known', {
    path: page(1, '?part=statistics'),
    before: (page) => answer(page, /\/v1\/questions\/[^/]+\/statistics$/, { status: 200, requestId, data: statistics }),
  }),
  state('statistics-none', 'bank.statistics.none', { path: page(1, '?part=statistics') }),
  state('offline', 'bank.tags.hint', {
    path: page(1, '?edit=true'),
    before: (page) => abort(page, /\/v1\/questions\/[^/]+$/, { method: 'PATCH' }),
    async then(user) {
      await user.page.locator('[data-place$="/prompt"]').fill('Which rice is safe?')
      await user.button('bank.save').click()
      await user.read('fault.offline')
    },
  }),
  state('conflict', 'bank.tags.hint', {
    path: page(1, '?edit=true'),
    allow: [/status of 412/],
    async before(page) {
      const refused = { status: 412, code: 'question_changed', requestId, method: 'PATCH' }
      await answer(page, /\/v1\/questions\/[^/]+$/, refused)
    },
    async then({ page }, questions) {
      const { question, ...rest } = questions.at(-1)!
      const other = { prompt: 'Which is safe?', promptHtml: '<p>Which is safe?</p>' }
      const theirs = { ...rest, version: 2, question: { ...question, ...other } }
      await answer(page, /\/v1\/questions\/[^/]+$/, { status: 200, requestId, data: theirs, method: 'GET' })
      await page.locator('[data-place$="/prompt"]').fill('Which rice is safe?')
      await page.keyboard.press('Control+s')
      await page.getByText('Which is safe?', { exact: true }).waitFor()
    },
  }),
]
