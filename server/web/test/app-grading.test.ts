// A grader's work in the dashboard, on the real server.
import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { eventually, ok, organization, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { colleague, dashboard, type Person, type User } from './support/dashboard.ts'
import { freeText, gradedElsewhere, guest, soup, submitted } from './support/grading.ts'
import { loseResponse, requestsTo } from './support/network.ts'
import { until } from './support/until.ts'

after(disconnect)

/** The answers of some candidates wait, and a person is at the first one. */
async function atWork(t: TestContext, count: number, graders: 1 | 2 = 1): Promise<{ made: Organization; id: string; user: User }> {
  const made = await organization()
  const id = await made.publish({ ...freeText, grading: { graders } })
  await submitted(made, id, count)
  const user = await dashboard(t, made, '/grading')
  await user.page.getByRole('link', { name: /Grade \d+ answers to all questions/ }).click()
  await atFirstField(user.page)
  return { made, id, user }
}

/** Waits until the first criterion has the focus and is empty, as it is when an answer appears. */
const atFirstField = (page: Page) =>
  page.waitForFunction(() => {
    const field = document.querySelector<HTMLInputElement>('#grading-0')
    return field !== null && document.activeElement === field && !field.readOnly
  })

const shownText = (page: Page) => page.locator('.grading-text').innerText()
const points = (page: Page) => page.locator('.grading-criteria input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
const typePoints = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('a hundred answers are graded with the keyboard alone, with one request for each', async (t) => {
  const questions = Array.from({ length: 4 }, (_, i) => ({ ...(i % 2 === 0 ? soup : guest), prompt: `Question ${i + 1}?` }))
  const made = await organization()
  const id = await made.publish({ title: freeText.title, stages: [{ title: 'Safe work', questions }] })
  const sessions = await submitted(made, id, 25)
  const { page } = await dashboard(t, made, '/grading')
  await page.keyboard.press('Tab')
  while (!/to all questions/.test((await page.locator(':focus').innerText()) ?? '')) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await atFirstField(page)

  const requests = requestsTo(page, '/v1/')
  const times: number[] = []
  for (let graded = 0; graded < 100; graded++) {
    const before = await shownText(page)
    const isWhole = (await page.locator('.grading-criteria input').count()) === 1
    const started = performance.now()
    if (isWhole) await typePoints(page, '4', 'Enter')
    else await typePoints(page, '3', 'ArrowDown', '2', 'Enter', '1', 'Enter')
    if (graded < 99) {
      await page.waitForFunction((before) => document.querySelector<HTMLElement>('.grading-text')!.innerText !== before, before)
      await atFirstField(page)
    } else await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor()
    times.push(performance.now() - started)
  }
  const sorted = [...times].sort((a, b) => a - b)
  t.diagnostic(`from the first key to the next answer: median ${Math.round(sorted[50]!)} ms, slowest ${Math.round(sorted[99]!)} ms`)
  const changes = requests.filter((request) => request.method() !== 'GET')
  assert.equal(changes.length, 100, changes.map((request) => `${request.method()} ${request.url()}`).join('\n'))
  // Each grade can be undone for a minute, and counts then.
  const end = performance.now() + 120_000
  for (const { sessionId } of sessions) {
    while ((await made.session(sessionId)).status !== 'COMPLETED') {
      assert.ok(performance.now() < end, `${sessionId} still waits`)
      await sleep(500)
    }
  }
  const { score } = (await made.session(sessions[0]!.sessionId)) as { score?: number | null }
  assert.equal(score, 83.33, '6 of 7 and 4 of 5 points, twice')
})

test('a grade is undone, an answer is skipped, and the keys are listed', async (t) => {
  const { user } = await atWork(t, 3)
  const { page } = user
  const first = await shownText(page)
  await typePoints(page, '2', 'Enter', '1', 'Enter', '0', 'c')
  await page.keyboard.type('Usable')
  await page.keyboard.press('Control+Enter')
  await until(async () => assert.notEqual(await shownText(page), first))
  await atFirstField(page)
  await page.keyboard.press('u')
  await until(async () => assert.equal(await shownText(page), first))
  assert.deepEqual(await points(page), ['2', '1', '0'])
  assert.equal(await user.field('grading.comment').inputValue(), 'Usable')

  await atFirstField(page)
  await page.keyboard.press('s')
  const question = user.dialog('grading.skip.title')
  await question.getByRole('button', { name: user.text('grading.skip') }).click()
  await until(async () => assert.notEqual(await shownText(page), first))
  await atFirstField(page)
  assert.ok((await points(page)).every((value) => value === ''))

  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText(user.text('grading.key.skip')).waitFor()
  await page.keyboard.press('Escape')
  await atFirstField(page)
  await page.keyboard.press('a')
  assert.equal(await page.locator('section:focus .grading-text').count(), 1)
  await page.keyboard.press('3')
  assert.deepEqual((await points(page))[0], '3')
})

test('a draft survives a reload, also one that did not reach the server', async (t) => {
  const { user } = await atWork(t, 2)
  const { page } = user
  const text = await shownText(page)
  await typePoints(page, '3', 'Enter', '1')
  await user.read('grading.draft.saved')
  await page.reload()
  await user.read('grading.draft.saved')
  assert.equal(await shownText(page), text)
  assert.deepEqual(await points(page), ['3', '1', ''])

  await page.context().setOffline(true)
  await user.field('grading.comment').fill('Without a connection')
  await user.read('grading.draft.tab')
  await page.context().setOffline(false)
  await page.reload()
  await until(async () => assert.equal(await user.field('grading.comment').inputValue(), 'Without a connection'))
  await user.read('grading.draft.saved')
})

test('a grade whose response is lost is not lost, and not given twice', async (t) => {
  const { made, user } = await atWork(t, 2)
  const { page } = user
  const text = await shownText(page)
  await loseResponse(page, /\/grade$/, { times: 1 })
  await typePoints(page, '3', 'Enter', '2', 'Enter', '2', 'Enter')
  await until(async () => assert.notEqual(await shownText(page), text))
  await atFirstField(page)
  const { questions } = await ok(made.api.GET('/v1/grading'))
  assert.deepEqual(questions.map(({ waiting }) => waiting).sort(), [1, 2])
})

test('two people grade each answer, nobody sees names, and the agreement has figures', async (t) => {
  const { made, id, user } = await atWork(t, 6, 2)
  const person = await colleague(made, 'EDITOR', { name: 'Mei Lindqvist' })
  await user.read('grading.shared')
  assert.equal(await user.page.getByText(/Candidate \d/).count(), 0)
  await gradeAll(user.page, '3')
  const other = await open(t, made, id, person)
  await gradeAll(other.page, '2')
  await eventually(
    () => ok(made.api.GET('/v1/assessments/{id}/grading-agreement', { params: { path: { id } } })),
    ({ questions }) => questions.length === 2 && questions.every(({ answers }) => answers === 6),
  )
  await user.page.goto(`${made.baseUrl}/app/assessments/${id}/grading`)
  await user.read('grading.agreement.explained')
  assert.equal(await user.row(/too few/).count(), 2)
  await user.row('Mei Lindqvist').waitFor()
})

async function open(t: TestContext, made: Organization, id: string, person: Person): Promise<User> {
  const user = await dashboard(t, made, `/grading?assessment=${id}`, { person })
  await atFirstField(user.page)
  return user
}

/** Gives each criterion of each answer points, until nothing waits. */
async function gradeAll(page: Page, key: string): Promise<void> {
  const end = page.getByRole('heading', { name: 'Nothing waits for you' })
  while (!(await end.isVisible())) {
    const before = await shownText(page)
    const count = await page.locator('.grading-criteria input').count()
    for (let i = 0; i < count; i++) await typePoints(page, i === 0 ? key : '1', 'Enter')
    await page.waitForFunction((before) => document.querySelector<HTMLElement>('.grading-text')?.innerText !== before, before)
  }
}

test('a person without access to an assessment reads why it cannot be graded', async (t) => {
  const made = await organization()
  const id = await made.publish(freeText)
  const elsewhere = await made.publish({ ...freeText, title: 'Night porter' })
  const person = await colleague(made, 'MEMBER', { assessmentIds: [elsewhere] })
  const user = await dashboard(t, made, '/grading', { person })
  await user.read('grading.empty.title')
  await user.page.goto(`${made.baseUrl}/app/grading?assessment=${id}`)
  await user.read('problem.not_found')
})

for (const blind of [true, false]) {
  test(`a grade that is too late to undo says why, and what the person can do: blind is ${blind}`, async (t) => {
    const made = await organization()
    const stages = [{ title: 'Only', questions: [guest] }]
    const id = await made.publish({ title: 'Guests', stages, grading: { blind } })
    const sessions = await submitted(made, id, 2)
    const user = await dashboard(t, made, `/grading?assessment=${id}`, { allow: [/status of 409/] })
    const { page } = user
    await atFirstField(page)
    const first = await shownText(page)
    await typePoints(page, '4', 'Enter')
    await until(async () => assert.notEqual(await shownText(page), first))
    await atFirstField(page)
    await gradedElsewhere(made, sessions, first)
    await page.keyboard.press('u')
    await user.read('grading.undo.final')
    await page.getByText(user.text('grading.left', { count: 0 })).waitFor()
    const link = blind ? 'grading.undo.candidates' : 'grading.undo.candidate'
    await page.getByRole('link', { name: user.text(link) }).click()
    if (blind) await page.getByRole('row').filter({ hasText: '80' }).getByRole('link').first().click()
    await page.getByRole('heading', { name: `Candidate ${/\((\d)\)$/.exec(first)![1]}`, level: 1 }).waitFor()
    await page.locator('summary').filter({ hasText: 'Only' }).click()
    await page.getByRole('button', { name: user.text('candidate.grade.change') }).first().waitFor()
  })
}
