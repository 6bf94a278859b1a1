// States of the editor with pools and questions of the bank.
import { ok, organization, type Organization } from '../support/api.ts'
import { numeric, singleChoice } from '../support/assessments.ts'
import { bankId, banked, pooled } from '../support/pools.ts'
import type { User } from '../support/dashboard.ts'
import { edit } from './editor.ts'
import type { State } from './types.ts'

/** A state of an assessment with a question of the bank, and with a pool of three questions. */
function state(name: string, prepare: (user: User, id: string, made: Organization) => Promise<unknown>): State {
  return {
    name: `app-editor-${name}`,
    async reach(open) {
      const made = await organization()
      await banked(made, 3)
      const hot = { ...singleChoice, prompt: 'Which temperature is **hot enough**?' }
      const bankQuestionId = await bankId(made, hot, ['hot'])
      const stage = { ...pooled(), questions: [numeric, { ...singleChoice, bankQuestionId }] }
      const few = { title: 'Allergens', pools: [{ count: 4, tags: ['hot', 'easy'], points: 1 }] }
      const isPublished = name === 'pool-published'
      const stages = isPublished ? [stage] : [stage, few]
      const { id } = await ok(made.api.POST('/v1/assessments', { body: { title: 'Line cook', stages } }))
      const params = { path: { id } }
      if (isPublished) await ok(made.api.POST('/v1/assessments/{id}/publish', { params }))
      const user = await open(made, `/assessments/${id}/edit`)
      await user.page.locator('.pools').waitFor()
      await prepare(user, id, made)
      return user
    },
  }
}

const openPool = (user: User) => user.button('pools.edit', { number: 1 }).click()

export const states: State[] = [
  state('bank', async (user) => {
    await user.page.getByText(user.text('pools.drawn', { count: 2, total: 3 })).waitFor()
  }),
  state('pool', async (user) => {
    await openPool(user)
    await user.page.locator('.pools-found summary').click()
  }),
  state('pool-faults', async (user) => {
    await user.page.locator('.editor-side-box').evaluate((box: HTMLDetailsElement) => (box.open = true))
    await user.page.locator('.editor-item.pool').nth(1).getByRole('button').click()
    await user.page.locator('.editor-form .error').waitFor()
  }),
  state('included', async (user) => {
    await user.button('editor.question.edit', { number: 2 }).click()
    await user.page.locator('.pools-included').waitFor()
  }),
  state('picker', async (user) => {
    await user.button('editor.bank.add').click()
    await user.page.locator('.pools-choices').getByRole('checkbox').nth(1).check()
  }),
  state('keep', async (user) => {
    await edit(1)(user)
    await user.button('editor.bank.keep').click()
    await user.page.getByRole('dialog').waitFor()
  }),
  state('pool-published', async (user) => {
    await user.page.locator('.pools-questions summary').click()
    await user.page.locator('.pools-questions .editor-card').first().waitFor()
  }),
]
