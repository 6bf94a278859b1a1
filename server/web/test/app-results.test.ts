// The screens of an assessment: overview, questions, and settings.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import { eventually, ok, organization, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, type User } from './support/dashboard.ts'
import { allBut, counted, finished, kitchen, work } from './support/results.ts'
import { sharedServer, startServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

type Prepared = { made: Organization; id: string; few: string }

/**
 * An organization with an assessment with eight results, one stopped at the first gate and four passed, and
 * one with two results. The server counts results every few seconds, so it is prepared once for this file.
 */
async function prepare(url = sharedServer()): Promise<Prepared> {
  const made = await organization({}, url)
  const [id, few] = await Promise.all([made.publish(kitchen), made.publish({ ...kitchen, title: 'Front desk' })])
  await Promise.all([finished(made, id, 8), finished(made, few, 2)])
  await counted(made, few, 2)
  await counted(made, id, 8)
  return { made, id, few }
}

let prepared: Promise<Prepared> | undefined
const shared = () => (prepared ??= prepare())

const tab = (user: User, key: string) => user.page.locator('.tabs').getByRole('link', { name: user.text(key) })

/** The cells of the rows of a table below a chart, which is opened. */
async function tableOf(user: User, name: string): Promise<string[][]> {
  const card = user.page.locator('.card').filter({ has: user.page.getByRole('heading', { name, exact: true }) })
  await card.getByText(user.text('chart.asTable')).click()
  const rows = card.getByRole('table').locator('tbody tr')
  return rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')))
}

async function onPostgres(t: TestContext): Promise<Prepared> {
  const server = await startServer({ database: 'postgres' })
  t.after(() => server.stop())
  return prepare(server.url)
}

describe('The overview and the questions', { concurrency: 2 }, () => {
  for (const database of ['sqlite', 'postgres'] as const)
    test(`on ${database}`, async (t) => {
      const { made, id } = await (database === 'postgres' ? onPostgres(t) : shared())
      const user = await dashboard(t, made, `/assessments/${id}`)
      const figures = user.page.locator('.figures')
      await figures.getByText('57% of those who finished').waitFor()
      assert.deepEqual(
        await figures
          .locator('.value')
          .allInnerTexts()
          .then((all) => all.slice(0, 3)),
        ['8', '7', '4'],
      )
      const scores = await tableOf(user, user.text('assessment.scores.title'))
      assert.equal(scores.length, 20)
      assert.deepEqual(
        scores.filter(([, count]) => count !== '0').map(([range]) => range),
        [
          '35% to below 40%',
          '50% to below 55%',
          '60% to below 65%',
          '75% to below 80%',
          '85% to below 90%',
          '90% to below 95%',
          '95% to 100%',
        ],
      )
      await until(async () => assert.deepEqual(await tableOf(user, user.text('assessment.funnel.title')), [
        ['Invited', '8', '100%'],
        ['Started', '8', '100%'],
        ['Finished', '7', '88%'],
        ['Passed', '4', '50%'],
      ]))
      await user.page.getByText('8 reached it, 1 stopped at the gate of 50%').waitFor()
      await user.page.getByText('1 stopped at a gate').waitFor()

      await tab(user, 'assessment.tab.questions').click()
      await user.page.getByText('From 8 results: a first impression.').first().waitFor()
      // Eight results blame no question.
      await user.page.getByText(/^No question stands out so far\. How reliable .* is not known yet\.$/).waitFor()
      assert.equal(await user.page.locator('.question-list > li.trouble').count(), 0)
      await user.link('questions.byOrder').click()
      await user.page.waitForURL(/sort=order/)
      await until(async () =>
        assert.match(await user.page.locator('.question-list > li').first().innerText(), /Temperatures, question 1/),
      )
      await until(async () => assert.equal(await user.page.locator('.question-list > li').count(), 10))
    })
})

describe('An assessment', { concurrency: 2 }, () => {
  test('a draft leads to the editor, and is deleted after a question', async (t) => {
    const made = await organization()
    const { id } = await ok(made.api.POST('/v1/assessments', { body: kitchen }))
    const user = await dashboard(t, made, `/assessments/${id}`)
    await user.page.getByText(user.text('assessment.draft.title')).waitFor()
    const invite = user.button('assessment.invite')
    await until(async () => assert.equal(await invite.getAttribute('aria-disabled'), 'true'))
    await until(async () => assert.equal(await invite.getAttribute('title'), user.text('assessment.invite.draft')))
    await tab(user, 'assessment.tab.settings').click()
    await user.button('assessment.delete.ask').click()
    const dialog = user.page.getByRole('dialog', {
      name: user.text('assessment.delete.question', { title: kitchen.title! }),
    })
    await dialog.getByRole('button', { name: user.text('assessment.delete'), exact: true }).click()
    await user.page.waitForURL(/\/app\/assessments$/)
    const { response } = await made.api.GET('/v1/assessments/{id}', { params: { path: { id } } })
    assert.equal(response.status, 404)
  })

  test('without candidates, it offers to invite; candidates are counted without a reload', async (t) => {
    const made = await organization()
    const id = await made.publish(kitchen)
    const user = await dashboard(t, made, `/assessments/${id}`, { before: (page) => page.clock.install() })
    await user.page.getByText(user.text('assessment.none.title')).waitFor()
    await until(async () =>
      assert.equal(await user.link('assessment.invite').first().getAttribute('href'), `/app/invite?assessment=${id}`),
    )
    await work(await made.invite(id), kitchen, allBut(9))
    await counted(made, id, 1)
    await user.page.clock.runFor(4_000)
    await user.page.getByRole('link', { name: 'Candidates 1' }).waitFor()
    await user.page.getByText('1 candidate has finished. The distribution appears when 5 have finished.').waitFor()
  })

  test('below five results, the questions say why they have no figures', async (t) => {
    const { made, few } = await shared()
    const user = await dashboard(t, made, `/assessments/${few}/questions`)
    await user.page
      .getByText('2 candidates have finished. Figures for each question appear when 5 have finished.')
      .waitFor()
  })

  test('“Take it yourself” opens a test session in a new tab', async (t) => {
    const made = await organization()
    const id = await made.publish(kitchen)
    const user = await dashboard(t, made, `/assessments/${id}`)
    const opened = user.page.context().waitForEvent('page')
    await user.button('assessment.take').click()
    const tab = await opened
    await tab.waitForURL(/\/take/)
    await tab.getByRole('heading', { name: kitchen.title! }).first().waitFor()
  })

  test('it is archived after a question, and duplicated into a draft', async (t) => {
    const made = await organization()
    const id = await made.publish(kitchen)
    const user = await dashboard(t, made, `/assessments/${id}/settings`)
    await user.button('assessment.archive.ask').click()
    const dialog = user.page.getByRole('dialog', {
      name: user.text('assessment.archive.question', { title: kitchen.title! }),
    })
    await dialog.getByRole('button', { name: user.text('assessment.archive'), exact: true }).click()
    await user.page.getByText(user.text('assessment.status.ARCHIVED'), { exact: true }).first().waitFor()
    await until(async () =>
      assert.equal(await user.button('assessment.invite').getAttribute('title'), user.text('assessment.invite.archived')),
    )
    await user.button('assessment.duplicate').last().click()
    await user.page.waitForURL(/\/edit/)
    const copy = /assessments\/([^/]+)\/edit/.exec(user.page.url())![1]!
    const found = await ok(made.api.GET('/v1/assessments/{id}', { params: { path: { id: copy } } }))
    assert.deepEqual([found.status, found.questionCount], ['DRAFT', 10])
    assert.match(found.title, /\S \(\d+\)$/)
  })

  test('notifications are kept, and a member cannot archive', async (t) => {
    const server = await startServer({
      env: { ASSAY_SMTP_URL: 'smtp://127.0.0.1:9', ASSAY_MAIL_FROM: 'assay@example.com' },
    })
    t.after(() => server.stop())
    const made = await organization({}, server.url)
    const id = await made.publish(kitchen)
    const user = await dashboard(t, made, `/assessments/${id}/settings`)
    await user.page.getByRole('checkbox', { name: user.text('assessment.notify.finished') }).check()
    await user.page.getByText(user.text('assessment.notify.on')).first().waitFor()
    await eventually(
      () => ok(made.api.GET('/v1/assessments/{id}/notifications', { params: { path: { id } } })),
      ({ finishedEmail }) => finishedEmail,
    )
    const member = await dashboard(t, made, `/assessments/${id}/settings`, { role: 'MEMBER' })
    const archive = member.button('assessment.archive.ask')
    await until(async () => assert.equal(await archive.getAttribute('title'), member.text('role.needsEditor')))
    await archive.press('Enter')
    await member.page.getByText(member.text('role.needsEditor')).first().waitFor()
    assert.equal(await member.page.getByRole('dialog').count(), 0)
  })
})
