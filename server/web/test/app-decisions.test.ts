// Decisions of a person about one result: points, late answers, and letting the candidate go on.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import { ok, organization, type Invite, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard as open, type DashboardOptions, type User } from './support/dashboard.ts'
import { allBut, kitchen, work } from './support/results.ts'
import { until } from './support/until.ts'

after(disconnect)

let prepared: Promise<{ made: Organization; id: string }> | undefined
const shared = () =>
  (prepared ??= (async () => {
    const made = await organization()
    return { made, id: await made.publish(kitchen) }
  })())

const dashboard = (t: TestContext, made: Organization, path: string, options: DashboardOptions = {}): Promise<User> =>
  open(t, made, path, { role: 'MEMBER', ...options })

/** A candidate who has answered the questions with these numbers wrongly. */
async function candidate(...wrong: number[]): Promise<{ made: Organization; invite: Invite }> {
  const { made, id } = await shared()
  const invite = await made.invite(id, { candidateName: 'Mei Lindqvist' })
  await work(invite, kitchen, allBut(...wrong))
  return { made, invite }
}

const resultOf = ({ api }: Organization, { sessionId }: Invite) =>
  ok(api.GET('/v1/candidate-sessions/{id}/result', { params: { path: { id: sessionId } } }))

const openGrade = async (user: User) => {
  await user.page.locator('.answered').first().getByRole('button', { name: user.text('candidate.grade.change') }).click()
  return user.page.getByRole('dialog')
}

describe('Decisions about a result', () => {
  test('change the points of an answer, with a reason, and take it back', async (t) => {
    const { made, invite } = await candidate(1, 9)
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}?answers=wrong`)
    await user.page.getByText('80.95%').first().waitFor()
    const dialog = await openGrade(user)
    const submit = dialog.getByRole('button', { name: user.text('candidate.grade.submit') })
    await user.page.getByRole('textbox', { name: user.text('candidate.grade.points') }).fill('99')
    await submit.click()
    await dialog.getByText(user.text('field.required')).waitFor()
    assert.equal(await user.page.getByRole('textbox', { name: user.text('candidate.grade.points') }).getAttribute('aria-invalid'), 'true')
    await user.page.getByRole('textbox', { name: user.text('candidate.grade.points') }).fill('1,5')
    await user.field('candidate.extend.reason').fill('The prompt was unclear')
    await submit.click()

    await user.page.getByText('88.1%').first().waitFor()
    assert.equal((await resultOf(made, invite)).points, 18.5)
    const history = user.page.getByRole('region', { name: user.text('candidate.history.title') })
    await history.getByText(/^Points changed: Question 1, Temperatures/).waitFor()
    await history.getByText('Reason: The prompt was unclear').waitFor()
    const answered = user.page.locator('.answered').first()
    await answered.getByText(/^Points changed by .+ Reason: The prompt was unclear$/).waitFor()

    await history.getByRole('link', { name: user.text('candidate.history.show') }).click()
    await user.page.getByText(/^This is an earlier result\./).waitFor()
    await user.page.locator('.candidate-figures').getByText('80.95%').waitFor()
    assert.equal(await user.page.getByRole('button', { name: user.text('candidate.grade.change') }).count(), 0)
    await user.page.getByRole('link', { name: user.text('candidate.history.toPresent') }).click()
    await user.page.locator('.candidate-figures').getByText('88.1%').waitFor()

    const again = await openGrade(user)
    await again.getByLabel(user.text('candidate.grade.byKey')).check()
    await user.field('candidate.extend.reason').fill('The prompt was clear')
    await again.getByRole('button', { name: user.text('candidate.grade.withdraw') }).click()
    await user.page.locator('.candidate-figures').getByText('80.95%').waitFor()
    assert.equal((await resultOf(made, invite)).revision, 3)
  })

  test('keep what was typed when a colleague was faster', async (t) => {
    const { made, invite } = await candidate(1)
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}?answers=wrong`, { allow: [/412/] })
    const dialog = await openGrade(user)
    const questionId = (await resultOf(made, invite)).stages[0]!.questions[0]!.id
    await ok(
      made.api.PUT('/v1/candidate-sessions/{id}/grades/{questionId}', {
        params: { path: { id: invite.sessionId, questionId } },
        body: { points: 1, reason: 'Half right', version: 0 },
      }),
    )
    await user.page.getByRole('textbox', { name: user.text('candidate.grade.points') }).fill('2')
    await user.field('candidate.extend.reason').fill('Right in Fahrenheit')
    await dialog.getByRole('button', { name: user.text('candidate.grade.submit') }).click()
    await dialog.getByText(user.text('problem.grade_changed')).waitFor()
    assert.equal(await user.field('candidate.extend.reason').inputValue(), 'Right in Fahrenheit')
    assert.equal((await resultOf(made, invite)).revision, 2, 'the grade of the colleague stands')
  })

  test('let a candidate whom a gate has stopped go on', async (t) => {
    const { made, invite } = await candidate(1, 2, 3, 4)
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}`)
    await user.page.getByText(user.text('candidate.note.disqualified')).waitFor()
    await user.page.locator('.head .more > summary[aria-label]').click()
    await user.page.locator('.head .menu').getByRole('button', { name: user.text('candidate.reopen') }).click()
    const dialog = user.page.getByRole('dialog')
    await dialog.getByText(user.text('candidate.reopen.tell')).waitFor()
    const options = dialog.getByRole('option')
    await until(async () =>
      assert.deepEqual(await options.allInnerTexts(), [
        user.text('candidate.reopen.automatic'),
        'Temperatures',
        'Allergens',
      ]),
    )
    await user.field('candidate.reopen.stage').selectOption('Allergens')
    await user.field('candidate.extend.reason').fill('The thermometer of the test room was broken')
    await dialog.getByRole('button', { name: user.text('candidate.reopen.submit') }).click()
    await user.page.getByRole('heading', { name: user.text('candidate.progress.title') }).waitFor()
    await user.page.getByText('Reason: The thermometer of the test room was broken').waitFor()

    for (const title of ['Allergens', 'Deliveries']) {
      const stage = await ok(invite.candidate.GET('/v1/candidate/session/stage'))
      assert.equal(stage.title, title)
      await ok(invite.candidate.POST('/v1/candidate/session/stage/submit', { body: { stageId: stage.id } }))
    }
    await user.page.reload()
    const history = user.page.getByRole('region', { name: user.text('candidate.history.title') })
    await history.getByText(/^The candidate went on/).waitFor()
    await history.getByText('Reason: The thermometer of the test room was broken').waitFor()
    assert.equal((await made.session(invite.sessionId)).status, 'COMPLETED')
  })

  test('count answers that arrived late', async (t) => {
    const { made, invite } = await candidate(1, 9)
    const result = await resultOf(made, invite)
    const [first, second] = [result.stages[0]!.questions[0]!, result.stages[1]!.questions[1]!]
    const late = (questionId: string, answer: object, points: number) => ({
      questionId,
      answer,
      arrivedAt: result.completedAt,
      secondsLate: 41,
      points,
      counted: false,
    })
    const list = [late(first.id, { optionId: 'o2' }, 2), late(second.id, { text: 'pumpkin' }, 0)]
    const sent: unknown[] = []
    const headers = { 'X-Request-Id': 'req_01m6gagea5f23rz6arqmjfkxcm' }
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}`, {
      // An answer can be late only after a minute, which is too long for a test.
      before: async (page) => {
        await page.route('**/late-answers', (route) => route.fulfill({ headers, json: { data: list } }))
        await page.route('**/late-answers/count', async (route) => {
          sent.push(route.request().postDataJSON())
          for (const one of list) one.counted = true
          const session = await made.session(invite.sessionId)
          await route.fulfill({ headers, json: { data: { ...session, updatedAt: new Date().toISOString() } } })
        })
      },
    })
    const card = user.page.getByRole('region', { name: /^2 answers arrived 41 s/ })
    await card.getByText('57 °C').waitFor()
    await card.getByText('pumpkin').waitFor()
    await card.getByText('Would give 2 points').waitFor()
    await card.getByRole('button', { name: user.text('candidate.late.count') }).click()
    await user.field('candidate.extend.reason').fill('The network of the test room failed')
    await user.page.getByRole('dialog').getByRole('button', { name: user.text('candidate.late.count') }).click()
    await card.getByText('Counted: 2 points').waitFor()
    assert.deepEqual(sent, [{ reason: 'The network of the test room failed' }])
    assert.equal(await card.getByRole('button').count(), 0, 'there is nothing left to count')
  })
})
