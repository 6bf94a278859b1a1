// Checks the harness itself, on pages and requests that it makes up.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { savedAnswers, invited, ok } from './support/api.ts'
import { checkAxe } from './support/axe.ts'
import { eachType } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { moveClock, shiftClock } from './support/clock.ts'
import { announcements, awaitAnnouncement } from './support/live.ts'
import { answer, delay, loseResponse, requestsTo } from './support/network.ts'
import { open } from './support/page.ts'
import { sharedServer, startServer } from './support/server.ts'

after(disconnect)

test('an invited candidate can work through the API', async () => {
  const invite = await invited(eachType())
  await ok(invite.candidate.POST('/v1/candidate/session/start'))
  assert.deepEqual(await savedAnswers(invite), [null, null, null, null])
})

test('a page opens, and axe-core checks it', async (t) => {
  const { page } = await open(t, `${sharedServer()}/take`)
  await checkAxe(page, 'no link')
})

test('a server that is killed comes back with its data', async (t) => {
  const server = await startServer()
  t.after(() => server.stop())
  const answered = () =>
    fetch(`${server.url}/healthz`).then(
      (response) => response.ok,
      () => false,
    )
  await server.kill()
  assert.equal(await answered(), false)
  await server.restart()
  assert.equal(await answered(), true)
})

test('the wall clock moves, and the monotonic clock does not', async (t) => {
  const { page } = await open(t, `${sharedServer()}/take`, { before: (page) => shiftClock(page, 600_000) })
  const read = () => page.evaluate(() => [Date.now(), new Date().getTime(), performance.timeOrigin + performance.now()])
  const [now, made, real] = (await read()) as [number, number, number]
  assert.ok(Math.abs(now - real - 600_000) < 10_000 && Math.abs(made - real - 600_000) < 10_000)
  await moveClock(page, -600_000)
  const [later, , stillReal] = (await read()) as [number, number, number]
  assert.ok(Math.abs(later - stillReal + 600_000) < 10_000)
})

test('texts in live regions are recorded', async (t) => {
  const { page } = await open(t, `${sharedServer()}/take`)
  await page.evaluate(() => {
    const region = document.createElement('div')
    region.ariaLive = 'assertive'
    document.body.append(region)
    setTimeout(() => region.append('Time is up'), 10)
  })
  await awaitAnnouncement(page, 'Time is up')
  const found = await announcements(page)
  assert.deepEqual(
    found.map(({ text, politeness, late }) => [text, politeness, late]),
    [['Time is up', 'assertive', false]],
  )
})

test('requests can be delayed, answered, lost, and counted', async (t) => {
  const { page } = await open(t, `${sharedServer()}/take`, { allow: [/^503: /] })
  const get = () =>
    page.evaluate(() =>
      fetch('/healthz').then(
        (r) => `${r.status}`,
        () => 'failed',
      ),
    )
  const counted = requestsTo(page, '/healthz', 'GET')
  await delay(page, '/healthz', 300, { times: 1 })
  const start = performance.now()
  assert.equal(await get(), '200')
  assert.ok(performance.now() - start >= 300)
  await answer(page, '/healthz', { status: 503, retryAfter: 1, times: 1 })
  assert.equal(await get(), '503')
  await loseResponse(page, '/healthz', { times: 1 })
  assert.equal(await get(), 'failed')
  assert.equal(counted.length, 3)
})
