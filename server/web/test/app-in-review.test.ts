// A person decides about a session in review: gates, grades, and the explanation for the candidate.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import { ok, organization, type Invite, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard as open, type DashboardOptions, type User } from './support/dashboard.ts'
import { atGate, cook, grade, rule, soup, withTexts } from './support/in_review.ts'
import { until } from './support/until.ts'

after(disconnect)

let prepared: Promise<{ made: Organization; id: string }> | undefined
const shared = () =>
  (prepared ??= (async () => {
    const made = await organization({ supportEmail: 'jobs@harbour-kitchens.example' })
    return { made, id: await made.publish(cook) }
  })())

const dashboard = (t: TestContext, made: Organization, path: string, options: DashboardOptions = {}): Promise<User> =>
  open(t, made, path, { role: 'MEMBER', ...options })

const gradesOf = ({ api }: Organization, { sessionId: id }: Invite) =>
  ok(api.GET('/v1/candidate-sessions/{id}/grades', { params: { path: { id } } }))

const decide = async (user: User, key: string, reason: string) => {
  await user.page.locator('.decision').getByRole('button', { name: user.text(key) }).click()
  const dialog = user.page.getByRole('dialog')
  const submit = dialog.getByRole('button', { name: user.text(key) })
  await submit.click()
  await dialog.getByText(user.text('field.required')).waitFor()
  await user.field('candidate.extend.reason').fill(reason)
  await submit.click()
  await dialog.waitFor({ state: 'detached' })
}

describe('A session in review', { concurrency: 2 }, () => {
  test('goes on after a person has let the candidate pass the gate', async (t) => {
    const { made, id } = await shared()
    const invite = await atGate(made, id)
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}`)
    await user.page.getByText(/^Since .+, because “Temperatures” has 0% and needs 50%\.$/).waitFor()
    assert.equal(await user.page.locator('.answered').count(), 4, 'the answers of the stage are open')
    await decide(user, 'decision.pass', 'The wrong answers concern equipment that we do not use')
    await user.page.locator('.ruled').getByText(/^Jonas Weber let the candidate go on after “Temperatures”/).waitFor()
    await user.page.getByRole('heading', { name: user.text('candidate.progress.title') }).waitFor()
    const stage = await ok(invite.candidate.GET('/v1/candidate/session/stage'))
    assert.equal(stage.title, 'Cooling')
  })

  test('ends where a person stops it, and can be reopened from the note', async (t) => {
    const { made, id } = await shared()
    const invite = await atGate(made, id)
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}`)
    await decide(user, 'decision.stop', 'The temperatures are needed on the first day')
    const note = user.page.locator('.ruled')
    await note.getByText(/^Jonas Weber ended the assessment after “Temperatures”.*first day$/).waitFor()
    assert.equal((await made.session(invite.sessionId)).status, 'DISQUALIFIED')
    await note.getByRole('button', { name: user.text('candidate.reopen') }).click()
    await user.field('candidate.extend.reason').fill('The wrong person was stopped')
    await user.page.getByRole('dialog').getByRole('button', { name: user.text('candidate.reopen.submit') }).click()
    await user.page.getByRole('heading', { name: user.text('candidate.progress.title') }).waitFor()
    await note.waitFor({ state: 'detached' })
  })

  test('has a result when its texts are graded by keyboard, one after the other', async (t) => {
    const { made, id } = await shared()
    const invite = await withTexts(made, id)
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}`)
    const { page } = user
    const card = page.locator('.decision')
    await card.getByText('2 answers must be graded').waitFor()
    await card.getByText('22 words').waitFor()
    const save = card.getByRole('button', { name: user.text('decision.grade.save') })
    await save.click()
    await card.getByText('From 0 to 2.').first().waitFor()
    await card.locator('input[type=radio]').first().focus()
    await page.keyboard.press('2')
    await card.getByText('2 of 4 points').waitFor()
    await card.locator('.points-field').nth(1).locator('input').first().focus()
    await page.keyboard.press('ArrowRight')
    await card.getByText('3 of 4 points').waitFor()
    await card.locator('[name=comment]').fill('The ice bath is right')
    await save.click()

    await card.getByText('1 answer must be graded').waitFor()
    await until(async () => assert.match((await page.locator(':focus').innerText()) ?? '', /^Question 2/))
    await user.page.getByRole('textbox', { name: user.text('candidate.grade.points') }).fill('6,5')
    await save.click()
    await page.locator('.candidate-figures').getByText('71.74%').waitFor()
    assert.equal((await made.session(invite.sessionId)).status, 'COMPLETED')
    const grades = await gradesOf(made, invite)
    assert.deepEqual(
      grades.map(({ points, comment }) => [points, comment]).sort(),
      [[3, 'The ice bath is right'], [6.5, null]].sort(),
    )
  })

  test('shows two grades beside each other when a colleague was faster', async (t) => {
    const { made, id } = await shared()
    const invite = await withTexts(made, id)
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}`, { allow: [/412/] })
    const card = user.page.locator('.decision')
    for (const field of [0, 1]) await card.locator('.points-field').nth(field).locator('input[value="1"]').check()
    await grade(made, invite, soup)
    await card.getByRole('button', { name: user.text('decision.grade.save') }).click()
    const conflict = user.page.getByRole('group', { name: user.text('decision.conflict.title') })
    await conflict.getByText(/^Samin Okafor has graded this answer/).waitFor()
    const rows = await conflict.getByRole('row').allInnerTexts()
    assert.match(rows.find((row) => row.startsWith('Names the time limits'))!, /1\s+2$/)
    await conflict.getByRole('button', { name: user.text('decision.conflict.keepOwn') }).click()
    await user.field('candidate.extend.reason').fill('One hour is missing')
    await card.getByRole('button', { name: user.text('decision.grade.save') }).click()
    await until(async () => assert.deepEqual((await gradesOf(made, invite)).map(({ points }) => points), [2, 3]))
  })

  test('is explained without names, reasons, and keys', async (t) => {
    const { made, id } = await shared()
    const invite = await atGate(made, id, 'Oskar Berg')
    await rule(made, invite, 'STOP', 'A secret reason')
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}`)
    await user.page.locator('.head .more > summary[aria-label]').click()
    await user.page.locator('.head .menu').getByRole('button', { name: user.text('candidate.explain') }).click()
    const letter = user.page.locator('.explanation')
    await letter.getByText(/^Guten Tag Oskar Berg/).waitFor()
    await user.page.getByRole('dialog').getByLabel(user.text('explanation.language')).selectOption('en')
    await letter.getByText('To go on after “Temperatures”, 50% was needed. You reached 0%.').waitFor()
    await letter.getByText(/a person looked at your answers .+ decided that the assessment ends there/).waitFor()
    await letter.getByText('Write to jobs@harbour-kitchens.example.').waitFor()
    const words = await letter.innerText()
    for (const secret of ['A secret reason', 'Samin Okafor', 'Jonas Weber', '57 °C', '74']) {
      assert.ok(!words.includes(secret), `the explanation has ${secret}`)
    }
  })

  test('is found at home and in the list, and can be cancelled there', async (t) => {
    const made = await organization()
    const id = await made.publish(cook)
    const invites = [await atGate(made, id, 'Theo Marsh'), await withTexts(made, id, 'Mei Lindqvist')]
    const user = await dashboard(t, made, '/')
    const waiting = user.page.locator('.home-waiting')
    await waiting.getByText(user.text('home.waiting.title')).waitFor()
    assert.deepEqual(await waiting.locator('.title').allInnerTexts(), ['Theo Marsh', 'Mei Lindqvist'])
    await user.page.goto(`${made.baseUrl}/app/candidates?status=IN_REVIEW`)
    await user.page.getByLabel(user.text('candidates.select', { name: 'Theo Marsh' })).check()
    await user.button('candidates.cancel').click()
    await user.page.getByRole('dialog').getByRole('button', { name: user.text('candidates.cancel') }).click()
    await user.page.getByText('1 of 1 candidates').or(user.button('candidates.bulk.close')).first().waitFor()
    assert.equal((await made.session(invites[0]!.sessionId)).status, 'CANCELLED')
  })
})
