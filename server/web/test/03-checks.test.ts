// What the page checks before the start: storage and the connection, and nothing else.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { invited } from './support/api.ts'
import { timed } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { shiftClock } from './support/clock.ts'
import { Candidate } from './support/journey.ts'
import { answer, delay, setOffline } from './support/network.ts'
import { open } from './support/page.ts'
import { t as words } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

test('3: A browser that keeps no data causes a warning, and the start stays possible', async (t) => {
  const invite = await invited(timed(20))
  const { page } = await open(t, invite.link, {
    before: (page) =>
      page.addInitScript(() => {
        IDBFactory.prototype.open = () => {
          throw new DOMException('blocked', 'SecurityError')
        }
      }),
  })
  const candidate = new Candidate(page)
  await page.getByText(words('intro.noStorage')).waitFor()
  assert.equal(await page.getByText(words('intro.ready')).count(), 0)
  await checkAxe(page, 'intro without storage')
  await candidate.start()
})

test('3: An unreachable server disables the start, and the page recovers by itself', async (t) => {
  const invite = await invited(timed(20))
  const { page, context } = await open(t, invite.link, {
    allow: [/^503: /],
    before: async (page) => {
      await answer(page, '/v1/candidate/session', { status: 503, times: 2 })
      // The clock of the device does not matter.
      await shiftClock(page, 400 * 24 * 3600_000)
    },
  })
  const candidate = new Candidate(page)
  await candidate.see('page.unreachable.title')
  await page.getByText(words('page.unreachable.text')).waitFor()
  await checkAxe(page, 'unreachable')
  await page.getByText(words('intro.ready')).waitFor()

  await setOffline(context, true)
  await page.getByRole('alert').getByText(words('page.unreachable.text')).waitFor()
  await until(async () => assert.equal(await candidate.startButton().getAttribute('aria-disabled'), 'true'))
  await checkAxe(page, 'intro, unreachable')
  await candidate.button('page.retry').click()
  await setOffline(context, false)
  await page.getByText(words('intro.ready')).waitFor()
  await candidate.start()
})

test('3: The page shows its shape while it waits, and the candidate can retry', async (t) => {
  const invite = await invited(timed(20))
  const { page } = await open(t, invite.link, {
    allow: [/^503: /],
    before: (page) => delay(page, '/v1/candidate/session', 1500, { times: 1 }),
  })
  const candidate = new Candidate(page)
  await candidate.see('page.loading')
  await checkAxe(page, 'loading')
  await candidate.startButton().waitFor()

  await answer(page, '/v1/candidate/session', { status: 503, times: 1, retryAfter: 3600 })
  await page.reload()
  await candidate.button('page.retry').click()
  await candidate.startButton().waitFor()
})
