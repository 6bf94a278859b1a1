// Responses that are not Assay's, in a real browser with the real server. 12-faults-*.test.ts try many more, faster.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually, invited, ok, savedAnswers } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { t as text } from './support/texts.ts'

after(disconnect)

type Reply = { status: number; contentType?: string; body?: string; headers?: Record<string, string> }
const replies: Reply[] = [
  { status: 200, contentType: 'text/html', body: '<!doctype html><h1>Please sign in</h1>' },
  { status: 204 },
  { status: 200, contentType: 'application/json', body: '{}' },
  { status: 200, contentType: 'application/json', body: '{"data":null}' },
  { status: 200, contentType: 'application/json', body: '{"error":"login required"}' },
  { status: 302, headers: { Location: '/take' } },
  { status: 404, contentType: 'text/html', body: '<h1>404</h1>' },
]

/** Answers requests that contain the text instead of the server, until the returned function is called. */
async function instead(page: Page, path: string, reply: Reply, text = ''): Promise<() => Promise<void>> {
  const isHit = (url: URL) => url.pathname.endsWith(path)
  await page.route(isHit, (route) =>
    (route.request().postData() ?? '').includes(text) ? route.fulfill(reply) : route.fallback(),
  )
  return () => page.unroute(isHit)
}

test('12: A session that a network answers instead of the server is loaded later, and can be retried', async (t) => {
  const invite = await invited(eachType())
  for (const reply of replies) {
    let restore = async () => {}
    const { page, context } = await open(t, invite.link, {
      before: async (page) => {
        restore = await instead(page, '/v1/candidate/session', reply)
      },
    })
    const candidate = new Candidate(page)
    await candidate.see('page.unreachable.title')
    await restore()
    await candidate.button('page.retry').click()
    await candidate.startButton().waitFor()
    await context.close()
  }
})

test('12: A start, a save, and a submission that a network answers go on by themselves', async (t) => {
  for (const reply of replies) {
    const invite = await invited(eachType())
    const { page, context } = await open(t, invite.link)
    const candidate = new Candidate(page)
    // The page would wait longer and longer for its next attempt.
    const hurry = setInterval(
      () => void page.evaluate(() => dispatchEvent(new Event('online'))).catch(() => undefined),
      500,
    )
    t.after(() => clearInterval(hurry))
    const restoreStart = await instead(page, '/session/start', reply)
    await candidate.startButton().click()
    await page.getByText(text('intro.again')).waitFor()
    await restoreStart()
    await candidate.start()
    const restoreSave = await instead(page, '/session/answers', reply)
    await candidate.choose('57 °C')
    await page.getByRole('heading', { name: candidate.pattern('offline.title') }).waitFor()
    await restoreSave()
    await candidate.seeSaved()
    assert.deepEqual((await savedAnswers(invite))[0], { optionId: 'b' })
    const restoreSubmit = await instead(page, '/stage/submit', reply)
    await candidate.submitStage()
    await page.getByText(text('confirm.connection')).waitFor()
    await restoreSubmit()
    await candidate.seeEnd()
    clearInterval(hurry)
    await context.close()
  }
})

test('12: An answer that a firewall stops is named, and the stage is submitted with the others', async (t) => {
  const invite = await invited(eachType())
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  const firewall = { status: 403, contentType: 'text/html', body: '<h1>Forbidden</h1>' }
  await instead(page, '/session/answers', firewall, 'DROP TABLE')
  await instead(page, '/stage/submit', firewall, 'DROP TABLE')
  await candidate.openOverview()
  await candidate.jumpTo(4)
  await candidate.type("'; DROP TABLE answers; --")
  await candidate.back()
  await candidate.type('74.5')
  await page.locator('.notices').getByText(candidate.pattern('blocked.notice')).waitFor()
  await page.getByRole('banner').getByText(text('state.unsaved')).waitFor()
  await checkAxe(page, 'an answer that is stopped')
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/stopped-${width}.png` })
  }
  const saved = await eventually(
    () => savedAnswers(invite),
    (answers) => answers[2]?.number === 74.5,
  )
  assert.deepEqual(saved, [null, null, { number: 74.5 }, null])
  await page.locator('.notices').getByRole('link').click()
  await candidate.seeQuestion(4)
  await page.getByText(candidate.pattern('save.blocked')).waitFor()
  await candidate.openOverview()
  await candidate.submit()
  await page.getByText(candidate.pattern('confirm.blocked')).waitFor()
  await checkAxe(page, 'the confirmation with an answer that is stopped')
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/stopped-confirm.png` })
  await candidate.confirm()
  await candidate.seeEnd()
  await page.getByText(text('missed.text')).waitFor()

  const session = await invite.organization.session(invite.sessionId)
  assert.equal(session.status, 'COMPLETED')
  assert.ok(session.score! > 0)
  const params = { params: { path: { id: invite.sessionId } } }
  const timeline = await ok(invite.organization.api.GET('/v1/candidate-sessions/{id}/timeline', params))
  assert.deepEqual(timeline.map(({ questionIds }) => questionIds?.length ?? 0).filter(Boolean), [1])
})
