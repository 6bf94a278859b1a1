// Correcting a published question, from the suspicion to the new score of a candidate.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import { ok, organization, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { applied, withWrongKey, type Mistaken } from './support/corrections.ts'
import { dashboard, type User } from './support/dashboard.ts'
import { kitchen, names } from './support/results.ts'
import { startServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

/** A candidate who passes with the right key only, and whom no gate stops. */
const passesAfter = names.indexOf('Amina Diallo')

const scoreOf = async ({ api }: Organization, id: string) =>
  (await ok(api.GET('/v1/candidate-sessions/{id}/result', { params: { path: { id } } }))).score

const radio = (user: User, key: string) => user.page.getByRole('radio', { name: user.text(key) })
const trouble = (user: User) => user.page.locator('.question-list > li.trouble').filter({ hasText: 'stuffed chicken' })

async function onPostgres(t: TestContext): Promise<string> {
  const server = await startServer({ database: 'postgres' })
  t.after(() => server.stop())
  return server.url
}

describe('A wrong key', { concurrency: 2 }, () => {
  for (const database of ['sqlite', 'postgres'] as const)
    test(`is found in the statistics and corrected by clicking, on ${database}`, async (t) => {
      const made = await organization({}, ...(database === 'postgres' ? [await onPostgres(t)] : []))
      const { id, sessionIds } = await withWrongKey(made)
      const sessionId = sessionIds[passesAfter]!
      assert.equal(await scoreOf(made, sessionId), 71.43)

      // The home screen names the question, and the questions say why.
      const user = await dashboard(t, made)
      const { page } = user
      await page.getByRole('link', { name: /stuffed chicken/ }).click()
      await until(async () => assert.equal(await trouble(user).count(), 1))
      await trouble(user).getByText(user.text('questions.hardly.nobody')).waitFor()
      await trouble(user).getByText('24 answers · On average 0 of 3 points').waitFor()

      // The given answers lead to the preview.
      await trouble(user).getByRole('link', { name: user.text('correction.answers') }).click()
      const drawer = user.dialog('correction.answers')
      const answers = drawer.locator('.correction-answers > li')
      await answers.first().waitFor()
      assert.match(await answers.first().innerText(), /^74\s+given 18 times · Points: 0/)
      assert.match(await answers.nth(1).innerText(), /^60\s+given 6 times/)
      await answers.first().getByRole('button').click()
      await page.getByText('Accepts also: 74 ± 0.5').waitFor()
      await page.getByText('18 of 24 results change.').waitFor()
      await page.getByRole('heading', { name: '3 candidates now pass' }).waitFor()
      await page.getByRole('heading', { name: /^3 candidates were stopped at a gate/ }).waitFor()

      // The key is wrong, so it is replaced. Neither a reload nor a look at a candidate loses what was entered.
      await user.button('correction.change').click()
      await radio(user, 'correction.action.REPLACE_KEY').check()
      await user.field('correction.reason').fill('The digits were swapped')
      await page.reload()
      await until(async () => assert.equal(await user.field('correction.reason').inputValue(), 'The digits were swapped'))
      await user.button('correction.next').click()
      await page.getByText('New key: 74 ± 0.5').waitFor()
      await page.getByRole('link', { name: names[passesAfter]! }).click()
      await page.waitForURL(new RegExp(sessionId))
      await page.getByText('71.43%').first().waitFor()
      await page.goBack()
      await page.getByText('18 of 24 results change.').waitFor()
      const { data: none } = await made.api.GET('/v1/assessments/{id}/corrections', { params: { path: { id } } })
      assert.deepEqual(none?.data, [], 'a preview corrects nothing')

      // It is applied, once, and the progress ends.
      await user.button('correction.apply').dblclick()
      await page.getByText('18 of 24 results have changed.').waitFor({ timeout: 20_000 })
      await user.link('correction.all').click()
      const row = page.locator('.correction-list > li')
      await until(async () => assert.equal(await row.count(), 1))
      assert.match(await row.innerText(), /New key: 74 ± 0\.5[\s\S]*Samin Okafor[\s\S]*The digits were swapped/)

      // The candidate has the new score, and the key is no longer suspected.
      await page.goto(`${made.baseUrl}/app/candidates/${sessionId}`)
      await page.getByText('85.71%').first().waitFor()
      await page.goto(`${made.baseUrl}/app/assessments/${id}/questions`)
      await page.getByText('New key: 74 ± 0.5').waitFor()
      await until(async () => assert.equal(await trouble(user).count(), 0))
      await page.goto(`${made.baseUrl}/app`)
      await user.read('home.results.title')
      assert.equal(await page.getByRole('link', { name: /stuffed chicken/ }).count(), 0)

      // A withdrawal warns, needs a reason, and brings the first score back.
      await page.goto(`${made.baseUrl}/app/assessments/${id}/corrections`)
      await user.button('correction.withdraw.ask').click()
      const dialog = user.dialog('correction.withdraw.title')
      await dialog.getByText(user.text('correction.withdraw.text')).waitFor()
      await dialog.getByRole('button', { name: user.text('correction.withdraw') }).click()
      await dialog.getByText(user.text('correction.reason.missing')).waitFor()
      await dialog.getByLabel(user.text('correction.reason')).fill('The first key was right')
      await dialog.getByRole('button', { name: user.text('correction.withdraw') }).click()
      await until(async () => assert.equal(await row.count(), 2))
      await page.getByText(user.text('correction.withdrawn'), { exact: true }).waitFor()
      assert.equal(await user.button('correction.withdraw.ask').count(), 0)
      await applied(made, id)
      assert.equal(await scoreOf(made, sessionId), 71.43)
    })
})

describe('A correction', { concurrency: 2 }, () => {
  let prepared: Promise<{ made: Organization; wrong: Mistaken }> | undefined
  const shared = () =>
    (prepared ??= (async () => {
      const made = await organization()
      return { made, wrong: await withWrongKey(made) }
    })())
  const correct = ({ id, questionId }: Mistaken) => `/assessments/${id}/correct?question=${questionId}`

  test('shows its progress on every screen until it ends', async (t) => {
    const { made, wrong } = await shared()
    let isApplying = true
    const correction = {
      id: 'cor_01m86fyzbp3z7d9q2b4n6p8r0t',
      assessmentId: wrong.id,
      questionId: wrong.questionId,
      action: 'FULL_POINTS',
      key: null,
      policy: 'NEVER_LOWER',
      withdraws: null,
      withdrawnBy: null,
      reason: 'It has no answer',
      createdBy: { id: 'usr_01m45jykxp5v6eh188600f79y7', name: 'Samin Okafor' },
      createdAt: new Date().toISOString(),
      total: 24,
      changed: 9,
    }
    const user = await dashboard(t, made, `${correct(wrong)}&correction=${correction.id}`, {
      before: (page) =>
        page.route(`**/v1/assessments/${wrong.id}/corrections`, (route) => {
          const progress = isApplying
            ? { done: 10, appliedAt: null }
            : { done: 24, appliedAt: new Date().toISOString() }
          return route.fulfill({
            headers: { 'X-Request-Id': 'req_01m6gagea5f23rz6arqmjfkxcm' },
            json: { data: [{ ...correction, ...progress }] },
          })
        }),
    })
    const { page } = user
    const bar = page.getByRole('progressbar', { name: user.text('correction.progress') })
    await page.getByText('10 of 24 results examined').waitFor()
    assert.deepEqual([await bar.getAttribute('value'), await bar.getAttribute('max')], ['10', '24'])
    await user.link('correction.choose').click()
    await user.read('correction.running')
    await user.link('correction.all').click()
    await page.getByText('10 of 24 results examined').waitFor()
    isApplying = false
    await page.getByText('9 of 24 results have changed.').waitFor()
    assert.equal(await bar.count(), 0)
  })

  test('needs a key and a reason, and asks which number is meant', async (t) => {
    const { made, wrong } = await shared()
    const user = await dashboard(t, made, correct(wrong))
    const next = user.button('correction.next')
    await next.click()
    await user.read('correction.key.number.missing')
    await user.read('correction.reason.missing')
    await user.page.getByRole('textbox', { name: user.text('correction.key.ACCEPT_ALSO') }).fill('1.500')
    await user.field('correction.reason').fill('It is right')
    await next.click()
    await user.page.getByText('This can mean 1500 or 1.5.').waitFor()
    await radio(user, 'correction.action.EXCLUDE').check()
    await radio(user, 'correction.policy.EXACT').check()
    await next.click()
    await user.page.getByText(user.text('correction.did.EXCLUDE')).waitFor()
    await user.page.getByText(user.text('correction.policy.EXACT'), { exact: true }).waitFor()
  })

  test('that leaves no points is refused beside the choice', async (t) => {
    const { made } = await shared()
    const question = { ...kitchen.stages![0]!.questions![2]!, points: 3 }
    const id = await made.publish({ title: 'One question', stages: [{ title: 'Only', questions: [question] }] })
    const { stages } = await ok(made.api.GET('/v1/assessments/{id}', { params: { path: { id } } }))
    const user = await dashboard(t, made, `/assessments/${id}/correct?question=${stages[0]!.questions[0]!.id}`)
    await radio(user, 'correction.action.EXCLUDE').check()
    await user.field('correction.reason').fill('It is bad')
    await user.button('correction.next').click()
    await user.read('form.faults')
    assert.equal(await user.page.locator('fieldset .error').count(), 1)
  })

  test('accepts a short text and a set of options from the given answers', async (t) => {
    const { made, wrong } = await shared()
    const { stages } = await ok(made.api.GET('/v1/assessments/{id}', { params: { path: { id: wrong.id } } }))
    const [foods, seed] = stages[1]!.questions
    for (const [question, words] of [
      [seed!, 'pumpkin'],
      [foods!, 'Cut melon, Dry pasta'],
    ] as const) {
      const user = await dashboard(t, made, `/assessments/${wrong.id}/questions?answers=${question.id}`)
      const drawer = user.dialog('correction.answers')
      await drawer.getByRole('button', { name: user.text('correction.accept.label', { answer: words }) }).click()
      await user.page.getByText(`Accepts also: ${words}`).waitFor()
      await user.page.getByText(`The answer “${words}” is right, too`).waitFor()
      await user.button('correction.apply').waitFor()
    }
  })

  test('is for admins, and a member sees why', async (t) => {
    const { made, wrong } = await shared()
    const user = await dashboard(t, made, `/assessments/${wrong.id}/questions`, { role: 'MEMBER' })
    const ask = user.button('correction.ask').first()
    await ask.waitFor()
    assert.equal(await ask.getAttribute('title'), user.text('role.needsEditor'))
    await trouble(user).getByRole('link', { name: user.text('correction.answers') }).click()
    const accept = user.dialog('correction.answers').getByRole('button', { name: /Accept this too/ }).first()
    assert.equal(await accept.getAttribute('title'), user.text('role.needsEditor'))
    await user.page.goto(`${made.baseUrl}/app${correct(wrong)}`)
    await user.read('correction.forbidden')
    await user.read('role.needsEditor')
    assert.equal(await user.page.getByRole('radio').count(), 0)
  })
})
