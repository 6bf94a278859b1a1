// States of the screens that correct questions.
import { ok, organization, type Organization } from '../support/api.ts'
import { applied, withWrongKey, type Mistaken } from '../support/corrections.ts'
import type { DashboardOptions, User } from '../support/dashboard.ts'
import { kitchen } from '../support/results.ts'
import type { State } from './types.ts'

type Prepared = { made: Organization; wrong: Mistaken; corrected: Mistaken; untouched: string; last: string }

async function prepare(): Promise<Prepared> {
  const made = await organization()
  const [wrong, corrected, untouched] = await Promise.all([
    withWrongKey(made),
    withWrongKey(made),
    made.publish(kitchen),
  ])
  const path = { id: corrected.id }
  const create = (action: 'FULL_POINTS' | 'REPLACE_KEY', reason: string, key?: { answer: number }) =>
    ok(
      made.api.POST('/v1/assessments/{id}/corrections', {
        params: { path, header: { 'Idempotency-Key': reason } },
        body: { questionId: corrected.questionId, action, reason, policy: key ? 'EXACT' : 'NEVER_LOWER', ...(key && { key }) },
      }),
    )
  const first = await create('FULL_POINTS', 'The question has no right answer')
  await applied(made, corrected.id)
  await ok(
    made.api.POST('/v1/assessments/{id}/corrections/{correctionId}/withdraw', {
      params: { path: { ...path, correctionId: first.id } },
      body: { reason: 'It has one: the digits of the key were swapped' },
    }),
  )
  await applied(made, corrected.id)
  const last = await create('REPLACE_KEY', 'The digits were swapped', { answer: 74 })
  await applied(made, corrected.id)
  return { made, wrong, corrected, untouched, last: last.id }
}

let prepared: Promise<Prepared> | undefined
const shared = () => (prepared ??= prepare())

/** A state of a screen at an address, which is reached when a text is there. */
function state(
  name: string,
  path: (all: Prepared) => string,
  key: string,
  more?: (user: User) => Promise<unknown>,
  options: DashboardOptions = {},
): State {
  return {
    name: `corrections-${name}`,
    async reach(open) {
      const all = await shared()
      const user = await open(all.made, path(all), { role: 'ADMIN', ...options })
      await user.read(key)
      await more?.(user)
      return user
    },
  }
}

const correct = ({ wrong }: Prepared) => `/assessments/${wrong.id}/correct?question=${wrong.questionId}`
const press = (key: string, dialog: string) => async (user: User) => {
  await user.button(key).first().click()
  await user.dialog(dialog).waitFor()
}

async function fill(user: User): Promise<void> {
  await user.page.getByRole('radio', { name: user.text('correction.action.REPLACE_KEY') }).check()
  await user.field('correction.key.REPLACE_KEY').fill('74')
  await user.field('correction.reason').fill('The digits were swapped')
}

async function toEffect(user: User): Promise<void> {
  await fill(user)
  await user.button('correction.next').click()
  await user.page.locator('.correction-crossings').waitFor()
}

const ofList = '**/v1/assessments/*/corrections'

export const states: State[] = [
  state('home', () => '/', 'home.keys'),
  state('questions', ({ wrong }) => `/assessments/${wrong.id}/questions`, 'questions.hardly.nobody'),
  state('answers', ({ wrong }) => `/assessments/${wrong.id}/questions?answers=${wrong.questionId}`, 'correction.accept'),
  state('what', correct, 'correction.policy', fill),
  state('what-faults', correct, 'correction.policy', async (user) => {
    await user.button('correction.next').click()
    await user.read('correction.reason.missing')
  }),
  state('effect', correct, 'correction.policy', toEffect),
  state('effect-not-exact', correct, 'correction.policy', toEffect, {
    before: (page) =>
      page.route('**/correction-preview', async (route) => {
        const response = await route.fetch()
        const { data } = (await response.json()) as { data: Record<string, unknown> }
        const crossing = (data.nowPass as { sessionIds: string[] }).sessionIds
        const many = { count: 4210, sessionIds: Array.from({ length: 12 }, (_, i) => crossing[i % crossing.length]!) }
        const json = { data: { ...data, examined: 10_000, exact: false, noLongerPass: { count: 1, sessionIds: crossing.slice(0, 1) }, gateFails: { ...many, sessionIds: [...new Set(many.sessionIds)] } } }
        await route.fulfill({ response, json })
      }),
  }),
  state('applying', ({ corrected, last }) => `/assessments/${corrected.id}/correct?question=${corrected.questionId}&correction=${last}`, 'correction.leave', undefined, {
    before: (page) =>
      page.route(ofList, async (route) => {
        const response = await route.fetch()
        const { data } = (await response.json()) as { data: object[] }
        const json = { data: data.map((one, i) => (i === 0 ? { ...one, done: 14, appliedAt: null } : one)) }
        await route.fulfill({ response, json })
      }),
  }),
  state('done', ({ corrected, last }) => `/assessments/${corrected.id}/correct?question=${corrected.questionId}&correction=${last}`, 'correction.done'),
  state('list', ({ corrected }) => `/assessments/${corrected.id}/corrections`, 'correction.list.text'),
  state('withdraw', ({ corrected }) => `/assessments/${corrected.id}/corrections`, 'correction.list.text', press('correction.withdraw.ask', 'correction.withdraw.title')),
  state('empty', ({ untouched }) => `/assessments/${untouched}/corrections`, 'correction.empty'),
  state('no-question', ({ wrong }) => `/assessments/${wrong.id}/correct`, 'correction.none'),
  state('member', correct, 'correction.forbidden', undefined, { role: 'MEMBER' }),
]
