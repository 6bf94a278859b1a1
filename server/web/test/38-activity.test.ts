// For how long the candidate sees each question.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { invited, ok, type Schemas } from './support/api.ts'
import { eachType, long, twoStages } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { abort, answer, hold, requestsTo } from './support/network.ts'
import { open } from './support/page.ts'
import { t as text } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

const path = '/v1/candidate/session/activity'
const minute = 60_000

const reportOf = (request: Request) => request.postDataJSON() as Schemas['ActivityReport']

/** The seconds of each question in all reports, by its position. */
function sums(reports: Request[], questions: string[]): number[] {
  const rows = reports.flatMap((request) => reportOf(request).questions)
  return questions.map((id) =>
    rows.filter(({ questionId }) => questionId === id).reduce((sum, { seconds }) => sum + seconds, 0),
  )
}

/** Starts with a clock that the test moves. It also runs by itself, so that times have some seconds more. */
async function working(t: TestContext, assessment = eachType()) {
  const invite = await invited(assessment)
  const visit = await open(t, invite.link, { before: (page) => page.clock.install() })
  visit.allow(/^repeated/) // hours pass in a second
  const reports = requestsTo(visit.page, path)
  const candidate = new Candidate(visit.page)
  const script = visit.page.waitForResponse((response) => /\/take\/activity-/.test(response.url()))
  await candidate.start()
  await (await script).finished()
  const { questions } = await ok(invite.candidate.GET('/v1/candidate/session/stage'))
  return { ...visit, candidate, invite, reports, questions: questions.map(({ id }) => id) }
}

const pass = (page: Page, milliseconds: number) => page.clock.runFor(milliseconds)

/** Waits until there are so many reports. */
const see = (reports: Request[], count: number) => until(async () => assert.equal(reports.length, count))

/** Fails unless a time is as expected, or a little longer. */
function near(found: number | undefined, expected: number): void {
  assert.ok(found! >= expected - 1 && found! <= expected + 6, `${found} seconds, expected ${expected}`)
}

/** Hides the page, or shows it again, as another tab does. */
const turn = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    Object.defineProperty(document, 'hidden', { value: state === 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)

describe('activity', { concurrency: 2 }, () => {
  test('38: Each minute, the page reports for how long each question was shown', async (t) => {
    const { page, candidate, reports, questions } = await working(t)
    await pass(page, 10_000)
    await candidate.next()
    await candidate.seeQuestion(2)
    assert.equal(reports.length, 0, 'at most one report in a minute')
    const stored = page.waitForResponse((response) => response.url().endsWith(path))
    await pass(page, 51_000)
    assert.equal((await stored).status(), 204)
    await see(reports, 1)
    assert.equal(reportOf(reports[0]!).language, 'en')
    const [first, second, ...others] = sums(reports, questions)
    near(first, 10)
    near(second, 50)
    assert.deepEqual(others, [0, 0])
  })

  test('38: Nothing counts after two minutes without input, and each input counts again', async (t) => {
    const { page, reports, questions } = await working(t)
    await pass(page, 10 * minute)
    await until(async () => near(sums(reports, questions)[0], 120))
    const before = reports.length
    await pass(page, 5 * minute)
    await page.mouse.move(100, 100)
    await pass(page, minute)
    await see(reports, before + 1)
    near(sums(reports, questions)[0], 180)
  })

  test('38: A hidden page reports at once, and then counts nothing', async (t) => {
    const { page, reports, questions } = await working(t)
    await pass(page, 20_000)
    await turn(page, 'hidden')
    await see(reports, 1)
    near(sums(reports, questions)[0], 20)
    await pass(page, 2 * minute)
    await turn(page, 'visible')
    await page.mouse.move(100, 100)
    await pass(page, minute)
    await see(reports, 2)
    near(sums(reports, questions)[0], 80)
  })

  test('38: A page without the focus counts nothing', async (t) => {
    const { page, reports } = await working(t)
    await page.evaluate(() => (document.hasFocus = () => false))
    await pass(page, 2 * minute)
    await turn(page, 'hidden')
    const counted = reports.flatMap((request) => reportOf(request).questions)
    assert.ok(counted.reduce((sum, { seconds }) => sum + seconds, 0) <= 6, JSON.stringify(counted))
  })

  test('38: The overview and the confirmation count for no question', async (t) => {
    const { page, candidate, reports, questions } = await working(t)
    await pass(page, 5000)
    await candidate.openOverview()
    await pass(page, minute)
    await candidate.submit()
    await pass(page, minute)
    near(sums(reports, questions)[0], 5)
    assert.deepEqual(sums(reports, questions).slice(1), [0, 0, 0])
  })

  test('38: If all questions are on one page, the one with the focus counts, or the one in the middle', async (t) => {
    const { page, candidate, reports, questions } = await working(t, long(20))
    await candidate.openOverview()
    await candidate.button('all.all').click()
    const section = (number: number) => page.locator('section.one').nth(number - 1)
    await section(20).waitFor()
    await section(12).getByRole('heading').evaluate((heading) => {
      ;(document.activeElement as HTMLElement).blur()
      heading.closest('section')!.scrollIntoView({ block: 'center' })
    })
    await pass(page, 20_000)
    await section(13).getByRole('radio').first().focus()
    await pass(page, 10_000)
    await turn(page, 'hidden')
    await until(async () => near(sums(reports, questions)[11], 20))
    near(sums(reports, questions)[12], 10)
  })

  test('38: A report that fails is repeated by the next one only, and nobody sees it', async (t) => {
    for (const fail of [
      (page: Page) => answer(page, path, { status: 503, times: 1 }),
      (page: Page) => answer(page, path, { status: 429, retryAfter: 1, times: 1 }),
      (page: Page) => abort(page, path, { times: 1 }),
    ]) {
      const { page, candidate, reports, questions, allow } = await working(t)
      allow(/503: .*activity/)
      const shown = await page.locator('#app').innerText()
      await fail(page)
      await pass(page, minute + 1000)
      await see(reports, 1)
      await candidate.seeQuestion(1)
      await pass(page, 30_000)
      assert.equal(reports.length, 1, 'it is not repeated at once')
      assert.equal(await page.locator('#app').innerText(), shown)
      await pass(page, 31_000)
      await see(reports, 2)
      near(sums(reports.slice(1), questions)[0], 120)
    }
  })

  test('38: What the server refuses is gone', async (t) => {
    const { page, reports, questions } = await working(t)
    await answer(page, path, { status: 400, code: 'invalid_request', times: 1 })
    await pass(page, minute + 1000)
    await see(reports, 1)
    await page.mouse.move(100, 100)
    await pass(page, minute + 1000)
    await see(reports, 2)
    near(sums(reports.slice(1), questions)[0], 60)
  })

  test('38: Without a connection, nothing is sent, and the time is reported later', async (t) => {
    const { page, candidate, reports, questions } = await working(t)
    const restore = await abort(page, '/v1/')
    await candidate.choose('57 °C')
    await pass(page, 10_000)
    await page.getByText(candidate.pattern('offline.title')).first().waitFor()
    await pass(page, 70_000)
    assert.equal(reports.length, 0)
    await restore()
    await pass(page, 40_000) // the answer is sent again
    await candidate.seeSaved()
    await pass(page, minute)
    await until(async () => assert.ok(sums(reports, questions)[0]! >= 100, `${sums(reports, questions)[0]} seconds`))
  })

  test('38: The page reports before the candidate submits, and submitting does not wait for it', async (t) => {
    const { page, candidate, reports, questions } = await working(t, twoStages())
    await hold(page, path)
    await pass(page, 15_000)
    await candidate.submitStage()
    await candidate.button('stage.start').waitFor()
    await see(reports, 1)
    near(sums(reports, questions)[0], 15)
    // The next stage is measured, too, and each time is reported once.
    await candidate.startStage()
    await pass(page, 10_000)
    await turn(page, 'hidden')
    await see(reports, 2)
    assert.deepEqual(sums(reports.slice(1), questions), [0, 0, 0, 0])
    near(reportOf(reports[1]!).questions[0]!.seconds, 10)
  })

  test('38: The page reports shortly before the time is up', async (t) => {
    const { page, reports, questions } = await working(t, eachType({ timeLimitMinutes: 1 }))
    await pass(page, 40_000)
    await page.mouse.move(100, 100)
    await pass(page, 18_500)
    await until(async () => near(sums(reports, questions)[0], 55))
  })

  test('38: Without the script, the candidate works as usual', async (t) => {
    const invite = await invited(eachType())
    const { page, allow } = await open(t, invite.link, { before: (page) => abort(page, '/take/activity-') })
    allow(/activity-/)
    const reports = requestsTo(page, path)
    const candidate = new Candidate(page)
    await candidate.start()
    await candidate.answerEachType()
    await candidate.submitStage()
    await candidate.seeEnd()
    assert.equal(reports.length, 0)
  })
})

test('38: Before the start, the page says what is recorded, and loads nothing that records', async (t) => {
  const invite = await invited(eachType())
  const { page, requests } = await open(t, invite.link)
  await page.getByText(text('intro.activity')).waitFor()
  await page.waitForLoadState('networkidle')
  assert.deepEqual(requests.filter((address) => /activity/.test(address)), [])
})
