// Pools of a published assessment: what is drawn, the results of candidates, and the statistics of the questions.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ok, organization, type Invite } from './support/api.ts'
import { banked, pooled } from './support/pools.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'
import { counted } from './support/results.ts'

after(disconnect)

const candidates = 5

/** Answers nothing, and submits. */
async function submit({ candidate }: Invite): Promise<void> {
  await ok(candidate.POST('/v1/candidate/session/start'))
  const { id } = await ok(candidate.GET('/v1/candidate/session/stage'))
  await ok(candidate.POST('/v1/candidate/session/stage/submit', { body: { stageId: id } }))
}

test('a published pool, the result of a candidate, and the statistics say what was drawn', async (t) => {
  const made = await organization()
  const { api } = made
  const ids = await banked(made, 3)
  const id = await made.publish({ title: 'Line cook', stages: [pooled()] })
  const invites = await Promise.all(Array.from({ length: candidates }, () => made.invite(id)))
  await Promise.all(invites.map(submit))

  const user = await dashboard(t, made, `/assessments/${id}/edit`)
  const { page } = user
  const pool = page.locator('.pools .editor-card').first()
  await pool.getByText(user.text('pools.drawn', { count: 2, total: 3 })).waitFor()
  await page.getByText(user.text('editor.questions.count', { count: 3 })).first().waitFor()
  assert.equal(await user.button('pools.edit', { number: 1 }).count(), 0)
  await pool.locator('summary').click()
  assert.equal(await pool.locator('.editor-card').count(), 3)
  // The questions of the pool are in it only.
  assert.equal(await page.locator('.editor-stage > .editor-questions > li').count(), 1)

  const sessionId = invites[0]!.sessionId
  await page.goto(`${made.baseUrl}/app/candidates/${sessionId}`)
  const path = { id: sessionId }
  const result = await ok(api.GET('/v1/candidate-sessions/{id}/result', { params: { path } }))
  const drawn = result.stages[0]!.questions.filter(({ poolId }) => poolId)
  assert.equal(drawn.length, 2)
  await page.locator('.stage-answers > summary').click()
  const name = user.text('candidate.answers.bank', { version: 1 })
  const links = page.locator('.answered').getByRole('link', { name })
  await links.first().waitFor()
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!.split('/').at(-1)!))
  assert.deepEqual(hrefs, drawn.map(({ bankQuestionId }) => bankQuestionId))
  assert.ok(hrefs.every((one) => ids.includes(one)))

  await counted(made, id, candidates)
  await page.goto(`${made.baseUrl}/app/assessments/${id}/questions?sort=order`)
  const cards = page.locator('.question-list > li')
  await cards.nth(3).waitFor()
  const params = { path: { id } }
  const { questions } = await ok(api.GET('/v1/assessments/{id}/statistics/questions', { params }))
  const heads = await cards.locator('.question-head').allInnerTexts()
  for (const [i, { reached }] of questions.entries()) {
    const words = user.text('questions.question.drawn', { count: reached })
    assert.equal(heads[i]!.includes(words), i > 0, heads[i])
  }
  assert.equal(questions.slice(1).reduce((sum, { reached }) => sum + reached, 0), 2 * candidates)
})
