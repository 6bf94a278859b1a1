// Candidates on one scale.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ok, organization } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { colleague, dashboard } from './support/dashboard.ts'
import { finished, kitchen, possibleAnswers } from './support/results.ts'
import { until } from './support/until.ts'

after(disconnect)

test('candidates are compared, with and without names', async (t) => {
  const made = await organization()
  const id = await made.publish(kitchen)
  const invites = await finished(made, id, 5)
  const waiting = await made.invite(id, { candidateName: 'Ola Nordmann' })
  const other = await made.invite(await made.publish(eachType({ title: 'Front desk' })), { candidateName: 'Eva Holm' })
  const ids = [invites[0]!, invites[4]!, invites[3]!, waiting].map(({ sessionId }) => sessionId)
  const user = await dashboard(t, made, `/compare?ids=${ids.join()}`)
  const { page } = user

  const total = page.getByRole('table', { name: user.text('compare.total') })
  await total.getByRole('row', { name: /Ada Lovelace.*100%.*Passed/ }).waitFor()
  await total.getByRole('row', { name: /Mei Lindqvist.*61.9%.*Not passed/ }).waitFor()
  await total.getByRole('row', { name: /Jonas Weber.*0%.*Stopped at a gate/ }).waitFor()
  await total.getByRole('row', { name: new RegExp(`Ola Nordmann.*${user.text('compare.reason.INVITED')}`) }).waitFor()
  await page.getByText('17.14 percentage points below the gate of 60%').waitFor()

  const questions = page.getByRole('table', { name: user.text('compare.questions') })
  const rows = questions.locator('tbody tr:not(.compare-stage)')
  await until(async () => assert.equal(await rows.count(), 10))
  await until(async () =>
    assert.equal(await questions.getByRole('row', { name: /A tray of cooked rice.*Right.*Wrong.*Wrong/ }).count(), 1),
  )
  await page.emulateMedia({ media: 'print' })
  const paper = await page.locator('body').innerText()
  assert.match(paper, /A tray of cooked rice/)
  assert.deepEqual(possibleAnswers(kitchen).filter((answer) => paper.includes(answer)), [], 'paper has no answers')
  await page.emulateMedia({ media: null })

  await user.link('compare.questions.different').click()
  await page.waitForURL(/questions=different/)
  await until(async () => assert.ok((await rows.count()) <= 10))

  await user.button('compare.names.hide').click()
  await page.waitForURL(/names=hidden/)
  await total.getByRole('row', { name: /Candidate B.*61.9%/ }).waitFor()
  await until(async () => assert.equal(await page.getByText(/Lovelace|Lindqvist|Weber|Nordmann/).count(), 0))
  await page.reload()
  await total.getByRole('row', { name: /Candidate A.*100%/ }).waitFor()
  assert.equal(await page.getByText(/Lovelace|Lindqvist|Weber|Nordmann/).count(), 0)

  await user.button('compare.names.show').click()
  await page.getByRole('link', { name: user.text('compare.remove', { name: 'Jonas Weber' }) }).click()
  await page.getByText('Jonas Weber').first().waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).searchParams.get('ids')!.split(',').length, 3)

  await user.button('compare.add').click()
  const dialog = user.dialog('compare.add.title')
  await dialog.getByRole('button', { name: /Amina Diallo/ }).waitFor()
  assert.equal(await dialog.getByRole('button', { name: /Lovelace/ }).count(), 0, 'nobody is there twice')
  await dialog.getByRole('searchbox').fill('qiang')
  await dialog.getByRole('button', { name: /Amina Diallo/ }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: /Lin Qiang.*90.48%/ }).click()
  await total.getByRole('row', { name: /Lin Qiang/ }).waitFor()

  await page.goto(`${made.baseUrl}/app/compare?ids=${ids[0]},${other.sessionId},ses_01m7w6c3808a9d9sr9vwmxdq9q`)
  await total.getByRole('row', { name: /Eva Holm/ }).waitFor()
  await total.getByRole('row', { name: new RegExp(user.text('compare.reason.MISSING')) }).waitFor()
  await page.goto(`${made.baseUrl}/app/compare`)
  await page.getByText(user.text('compare.none.title')).waitFor()
})

test('different assessments are not comparable', async (t) => {
  const made = await organization()
  const ids = await Promise.all([made.publish(kitchen), made.publish({ ...kitchen, title: 'Pastry' })])
  const invites = await Promise.all(ids.map((id) => finished(made, id, 1)))
  const user = await dashboard(
    t,
    made,
    `/compare?ids=${invites
      .flat()
      .map(({ sessionId }) => sessionId)
      .join()}`,
  )
  await user.page.getByText(user.text('compare.different')).waitFor()
  await user.page.getByRole('heading', { level: 2, name: 'Pastry' }).waitFor()
})

test('the state and the rating of the team stand beside the scores, for those who see the candidates', async (t) => {
  const made = await organization()
  const id = await made.publish(kitchen)
  const [ada, mei] = await finished(made, id, 2)
  const waiting = await made.invite(id, { candidateName: 'Ola Nordmann' })
  const path = `/compare?ids=${[ada!, mei!, waiting].map(({ sessionId }) => sessionId).join()}`
  const user = await dashboard(t, made, path)
  const total = user.page.getByRole('table', { name: user.text('compare.total') })
  await total.getByRole('row', { name: /Ada Lovelace/ }).waitFor()
  for (const key of ['compare.state', 'compare.rating']) {
    assert.equal(await total.getByRole('columnheader', { name: user.text(key) }).count(), 0, key)
  }

  const rate = (sessionId: string, rating: number) =>
    ok(
      made.api.PUT('/v1/candidate-sessions/{id}/review/rating', {
        params: { path: { id: sessionId } },
        body: { rating },
      }),
    )
  await rate(ada!.sessionId, 4)
  await rate(waiting.sessionId, 2)
  await ok(
    made.api.PUT('/v1/candidate-sessions/{id}/review/state', {
      params: { path: { id: ada!.sessionId } },
      body: { stateId: 'shortlisted', reason: 'The best score' },
    }),
  )
  await user.page.reload()
  await total.getByRole('row', { name: /Ada Lovelace.*Shortlisted.*4/ }).waitFor()
  await total.getByRole('row', { name: /Ola Nordmann.*New.*2/ }).waitFor()
  await total.getByRole('row', { name: /Lin Qiang.*New.*–/ }).waitFor()
  await user.page.emulateMedia({ media: 'print' })
  assert.match(await user.page.locator('body').innerText(), /Shortlisted/)
  await user.page.emulateMedia({ media: null })

  // A member who does not see the assessment learns nothing of its candidates.
  const other = await made.publish({ ...kitchen, title: 'Pastry' })
  const person = await colleague(made, 'MEMBER', { assessmentIds: [other] })
  const limited = await dashboard(t, made, path, { person, allow: [/404/] })
  const missing = limited.page.getByText(limited.text('compare.reason.MISSING'))
  await until(async () => assert.equal(await missing.count(), 3))
  assert.equal(await limited.page.getByText(/Shortlisted|Lovelace|★/).count(), 0)
})
