// Ratings of a cut score, voluntary questions, and the export of the response matrix, on both databases.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test, type TestContext } from 'node:test'
import type { Download } from 'playwright-core'
import { ok, organization, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, type User } from './support/dashboard.ts'
import { finished, kitchen } from './support/results.ts'
import { startServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

async function on(t: TestContext, database: 'sqlite' | 'postgres'): Promise<Organization> {
  if (database === 'sqlite') return organization()
  const server = await startServer({ database })
  t.after(() => server.stop())
  return organization({}, server.url)
}

const questionCount = kitchen.stages!.reduce((sum, { questions = [] }) => sum + questions.length, 0)
const fields = (user: User) => user.page.locator('.cut-score-list input')

describe('A cut score', { concurrency: 2 }, () => {
  for (const database of ['sqlite', 'postgres'] as const)
    test(`is rated with the keyboard, and shows the other judges only at the end, on ${database}`, async (t) => {
      const made = await on(t, database)
      const id = await made.publish(kitchen)
      const params = { path: { id } }
      const user = await dashboard(t, made, `/assessments/${id}/cut-score`)
      const { page } = user
      await until(async () => assert.equal(await fields(user).count(), questionCount))

      // A part can be saved.
      await fields(user).first().focus()
      for (let i = 0; i < questionCount - 1; i++) {
        await page.keyboard.type('60')
        await page.keyboard.press('Tab')
      }
      await page.getByText(`Your sum: 60%, from ${questionCount - 1} of ${questionCount} questions`).waitFor()
      await user.button('cutScore.save').click()
      await page.getByText(user.text('cutScore.saved')).first().waitFor()
      const { ratings } = await ok(made.api.GET('/v1/assessments/{id}/cut-score/ratings', { params }))
      assert.equal(ratings.length, questionCount - 1)
      assert.equal(await page.getByRole('heading', { name: user.text('cutScore.result') }).count(), 0)

      // A number that is none stays, with its fault. What was typed survives a reload.
      await fields(user).last().fill('130')
      await user.button('cutScore.save').click()
      await page.getByText(user.text('cutScore.range')).waitFor()
      await fields(user).last().fill('100')
      await until(async () => {
        await page.waitForTimeout(100)
        assert.match(await page.evaluate(() => JSON.stringify(sessionStorage)), /100/)
      })
      await page.reload()
      await until(async () => assert.equal(await fields(user).last().inputValue(), '100'))
      await user.button('cutScore.save').click()
      await page.getByRole('heading', { name: user.text('cutScore.result') }).waitFor()
      await page.getByRole('row').filter({ hasText: made.owner.name }).waitFor()
      const { cutScore } = await ok(made.api.GET('/v1/assessments/{id}/cut-score', { params }))
      assert.ok(cutScore !== null && cutScore > 60)

      // Deleted ratings do not count.
      await user.button('cutScore.delete').click()
      await user.dialog('cutScore.delete.question').getByRole('button', { name: user.text('cutScore.delete') }).click()
      await page.getByText(user.text('cutScore.sum.none')).waitFor()
      const after = await ok(made.api.GET('/v1/assessments/{id}/cut-score', { params }))
      assert.deepEqual([after.cutScore, after.judges], [null, []])
    })
})

describe('Voluntary questions', { concurrency: 2 }, () => {
  for (const database of ['sqlite', 'postgres'] as const)
    test(`keep their ids when a text changes, on ${database}`, async (t) => {
      const made = await on(t, database)
      const id = await made.publish(kitchen)
      const params = { path: { id } }
      const user = await dashboard(t, made, `/assessments/${id}/groups`)
      const { page } = user
      await user.button('groups.preset.sex').click()
      await user.button('groups.settings.own').click()
      const own = page.locator('.voluntary-question').nth(1)
      await own.getByRole('textbox', { name: user.text('groups.settings.prompt') }).fill('Do you have a disability?')
      await own.getByRole('textbox', { name: user.text('groups.settings.answer', { number: 1 }) }).fill('Yes')

      // The last answer is empty.
      await user.button('groups.settings.save').click()
      await own.getByText(user.text('groups.missing')).waitFor()
      await own.getByRole('textbox', { name: user.text('groups.settings.answer', { number: 2 }) }).fill('No')
      await user.button('groups.settings.save').click()
      await page.getByText(user.text('groups.settings.saved')).first().waitFor()

      const idsOf = async () => {
        const { questions } = await ok(made.api.GET('/v1/assessments/{id}/self-identification', { params }))
        return questions.map((question) => [question.id, ...question.options.map((option) => option.id)])
      }
      const first = await idsOf()
      assert.deepEqual(first, [
        ['sex', 'female', 'male', 'another'],
        ['do-you-have-a-disability', 'yes', 'no'],
      ])
      const women = page.locator('.voluntary-question').first()
      await women.getByRole('textbox', { name: user.text('groups.settings.answer', { number: 1 }) }).fill('Woman')
      await user.button('groups.settings.save').click()
      await until(async () => {
        const { questions } = await ok(made.api.GET('/v1/assessments/{id}/self-identification', { params }))
        assert.equal(questions[0]?.options[0]?.text, 'Woman')
      })
      assert.deepEqual(await idsOf(), first)
    })

  test('can only be read and changed by an owner or an admin', async (t) => {
    const made = await organization()
    const id = await made.publish(kitchen)
    const user = await dashboard(t, made, `/assessments/${id}/groups`, { role: 'MEMBER' })
    await user.page.getByText(user.text('role.needsAdmin')).first().waitFor()
    assert.equal(await user.page.locator('.voluntary').count(), 0)
  })
})

describe('The response matrix', { concurrency: 2 }, () => {
  const saved = async (user: User, key: string) => {
    const [download] = (await Promise.all([
      user.page.waitForEvent('download'),
      user.dialog('export.title').getByRole('button', { name: user.text(key) }).click(),
    ])) as [Download, unknown]
    const path = join(tmpdir(), `${randomUUID()}.csv`)
    await download.saveAs(path)
    return { name: download.suggestedFilename(), text: await readFile(path, 'utf8') }
  }

  for (const database of ['sqlite', 'postgres'] as const)
    test(`is saved with its code book from the dialog for exports, on ${database}`, async (t) => {
      const made = await on(t, database)
      const id = await made.publish(kitchen)
      await finished(made, id, 2)
      const user = await dashboard(t, made, `/assessments/${id}`)
      await user.page.locator('.head .more > summary[aria-label]').click()
      await user.page.locator('.head .menu').getByRole('button', { name: user.text('assessment.export') }).click()
      const matrix = await saved(user, 'export.matrix')
      assert.equal(matrix.name, 'line-cook-food-safety-responses.csv')
      assert.equal(matrix.text.trim().split('\n').length, 3, 'a line for each session, and the head')
      const codeBook = await saved(user, 'export.codeBook')
      assert.equal(codeBook.name, 'line-cook-food-safety-code-book.csv')
      assert.match(codeBook.text, /57 °C/)
    })
})
