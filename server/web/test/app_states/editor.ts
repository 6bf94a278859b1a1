// States of the editor.
import type { Page } from 'playwright-core'
import { ok, organization, type Assessment, type Organization, type Schemas } from '../support/api.ts'
import { multipleChoice, numeric, singleChoice } from '../support/assessments.ts'
import type { User } from '../support/dashboard.ts'
import { answer, hold } from '../support/network.ts'
import type { Open, State } from './types.ts'

const seed: Schemas['QuestionInput'] = {
  type: 'SHORT_TEXT', prompt: 'Which seed has been a major food allergen in the United States since 2023?', points: 2,
  acceptedAnswers: ['sesame', 'sesame seeds'],
}
const tolerant = { ...numeric, tolerance: 0.5 } as Schemas['QuestionInput']
const filled: Assessment = {
  title: 'Line cook: food safety', description: 'Food safety for cooks.', instructions: 'You need **paper and a pen**.',
  passingScore: 70, remindAfterHours: [72],
  stages: [
    {
      title: 'Temperatures', description: 'What keeps food out of the *danger zone*.', timeLimitMinutes: 10,
      gate: { required: true, minScore: 60 }, questions: [singleChoice, tolerant, multipleChoice],
    },
    { title: 'Allergens', questions: [seed] },
  ],
}
const faulty: Assessment = {
  title: 'Line cook: food safety',
  stages: [
    { title: 'Temperatures', questions: [{ ...singleChoice, prompt: '' }, numeric] },
    { title: '', questions: [] },
  ],
}

type Prepare = (user: User, id: string, made: Organization) => Promise<unknown>

/** A state of the editor with an assessment. */
export function state(
  name: string,
  assessment: Assessment,
  prepare: Prepare = async () => undefined,
  options: Parameters<Open>[2] & { query?: string } = {},
): State {
  return {
    name: `app-editor-${name}`,
    async reach(open) {
      const made = await organization()
      const { id } = await ok(made.api.POST('/v1/assessments', { body: assessment }))
      const { query = '', ...rest } = options
      const user = await open(made, `/assessments/${id}/edit${query}`, rest)
      await user.page.locator('.editor, .editor-settings').first().waitFor()
      await prepare(user, id, made)
      return user
    },
  }
}

const form = (user: User) => user.page.locator('.editor-form').first().waitFor()
export const edit = (number: number) => async (user: User) => {
  await user.button('editor.question.edit', { number }).click()
  await form(user)
}

export const states: State[] = [
  {
    name: 'app-editor-loading',
    async reach(open) {
      const made = await organization()
      const { id } = await ok(made.api.POST('/v1/assessments', { body: filled }))
      const before = (page: Page) => hold(page, `/v1/assessments/${id}`)
      const user = await open(made, `/assessments/${id}/edit`, { before })
      await user.page.locator('.skeleton').first().waitFor()
      return user
    },
  },
  {
    name: 'app-editor-error',
    async reach(open) {
      const user = await open(await organization(), '/assessments/asm_01m6dqscsj8xn3t84xa93s7nk0/edit')
      await user.page.getByRole('alert').waitFor()
      return user
    },
  },
  state('filled', filled),
  state('no-stages', { title: 'New assessment' }),
  state('no-questions', { title: 'New assessment', stages: [{ title: 'Basics', questions: [] }] }),
  state('question', filled, edit(1)),
  state('numeric', filled, edit(2)),
  state('numeric-meanings', filled, async (user) => {
    await edit(2)(user)
    await user.page.locator('[data-place$="/answer"]').fill('1,500')
    await user.page.getByText(user.text('editor.number.meanings')).waitFor()
  }),
  state('multiple', filled, edit(3)),
  state('short-text', filled, async (user) => {
    await user.page.locator('.editor-side-box').evaluate((box: HTMLDetailsElement) => (box.open = true))
    await user.page.locator('.editor-outline').getByRole('button', { name: seed.prompt }).click()
    await form(user)
  }),
  state('stage', filled, async (user) => {
    await user.button('editor.stage.edit', { number: 1 }).click()
    await form(user)
  }),
  state('settings', filled, undefined, { query: '?part=settings' }),
  state('held', filled, async (user) => {
    await user.page.getByLabel(user.text('editor.redirectUrl')).fill('not an address')
    await user.page.locator('.editor-state[data-state=held]').waitFor()
  }, { query: '?part=settings' }),
  state('faults', faulty, async (user) => {
    await user.page.locator('.editor-faults summary').click()
  }),
  state('faulty-question', faulty, async (user) => {
    await user.page.locator('.editor-faults').waitFor()
    await edit(1)(user)
  }),
  state('publish', filled, async (user) => {
    await user.page.getByText(user.text('editor.faults.none')).waitFor()
    await user.button('editor.publish').click()
    await user.page.getByRole('dialog').waitFor()
  }),
  state('publish-faults', faulty, async (user) => {
    await user.page.locator('.editor-faults').waitFor()
    await user.button('editor.publish').click()
    await user.page.getByRole('dialog').waitFor()
  }),
  state('paste', filled, async (user) => {
    await user.button('editor.paste').click()
    const lines = `${user.text('editor.paste.example')}\n\nA line without a question\n`
    await user.page.getByLabel(user.text('editor.paste.lines')).fill(lines)
  }),
  state('conflict', filled, async (user, id, { api }) => {
    await edit(1)(user)
    const path = { id }
    const { stages } = await ok(api.GET('/v1/assessments/{id}', { params: { path } }))
    const changed = stages.map(({ id, title, questions }) => ({ id, title, questions: questions.map(inputOf) }))
    changed[0]!.questions[0]!.prompt = 'Which temperature keeps **cooked** rice safe for hours?'
    await ok(api.PATCH('/v1/assessments/{id}', { params: { path }, body: { stages: changed, passingScore: 60 } }))
    await user.page.locator('.editor-form [data-place$="/prompt"]').fill('Which temperature keeps rice safe?')
    await user.dialog('editor.conflict.title').waitFor()
  }),
  state('offline', filled, async (user, id) => {
    await answer(user.page, `/v1/assessments/${id}`, { method: 'PATCH', status: 502 })
    await edit(1)(user)
    await user.page.locator('.editor-form [data-place$="/prompt"]').fill('Written on a train?')
    await user.page.locator('.editor-state[data-state=unreachable]').waitFor()
  }, { allow: [/^502/] }),
  state('published', filled, async (user, id, { api }) => {
    await ok(api.POST('/v1/assessments/{id}/publish', { params: { path: { id } } }))
    await user.page.reload()
    await user.page.getByText(user.text('editor.readOnly.published')).waitFor()
  }),
  state('member', filled, undefined, { role: 'MEMBER' }),
]

/** A question of a response as a question of a request. */
export function inputOf(question: Schemas['Question']): Schemas['QuestionInput'] {
  const { id, type, prompt, points, options, correctOptionId } = question
  const common = { id, prompt, points }
  if (type !== 'SINGLE_CHOICE') return { ...common, type: 'NUMERIC', answer: 1 }
  return { ...common, type, options: options!.map(({ id, text }) => ({ id, text })), correctOptionId }
}
