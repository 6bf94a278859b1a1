// When answers are saved, and what the page says about it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually, invited, savedAnswers } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { abort, delay, hold, requestsTo } from './support/network.ts'
import { open } from './support/page.ts'

after(disconnect)

const answers = '/v1/candidate/session/answers'

/** Waits until the bar and the question say the same. */
async function seeTwice(candidate: Candidate, key: string): Promise<void> {
  await candidate.page.getByRole('banner').getByText(candidate.pattern(key)).waitFor()
  await candidate.page.getByRole('main').getByText(candidate.pattern(key)).waitFor()
}

/** The milliseconds from an action to the next request that saves. */
async function untilSave(page: Page, act: () => Promise<unknown>): Promise<number> {
  const sent = page.waitForRequest((request) => request.url().includes(answers)).then(() => performance.now())
  await act()
  const acted = performance.now()
  return (await sent) - acted
}

test('12: Choices are saved at once, text after a pause or on leaving the field, and the page says so', async (t) => {
  const invite = await invited(eachType())
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()

  const release = await hold(page, answers, { times: 1 })
  assert.ok(await untilSave(page, () => candidate.choose('41 °C')) < 400)
  await seeTwice(candidate, 'save.saving')
  release()
  await seeTwice(candidate, 'save.saved')

  await candidate.openOverview()
  await candidate.jumpTo(4)
  const pause = await untilSave(page, () => candidate.type('sesam'))
  assert.ok(pause > 600 && pause < 1600, `saved ${pause} ms after the last key`)
  await seeTwice(candidate, 'save.saved')
  const left = await untilSave(page, async () => {
    await candidate.field().press('End')
    await candidate.field().press('e')
    await candidate.field().blur()
  })
  assert.ok(left < 500, `saved ${left} ms after leaving the field`)
  await seeTwice(candidate, 'save.saved')

  const restore = await abort(page, answers)
  await candidate.type('sesame seeds')
  await seeTwice(candidate, 'save.waiting')
  await checkAxe(page, 'offline')
  await restore()
  await seeTwice(candidate, 'save.saved')
  assert.deepEqual(await savedAnswers(invite), [{ optionId: 'a' }, null, null, { text: 'sesame seeds' }])
})

test('13: With the first save delayed by three seconds, one request is in flight and the last value is kept', async (t) => {
  const invite = await invited(eachType())
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  let inFlight = 0
  let most = 0
  page.on('request', (request) => {
    if (request.url().includes(answers)) most = Math.max(most, ++inFlight)
  })
  const ended = (request: { url(): string }) => { if (request.url().includes(answers)) inFlight-- }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  await delay(page, answers, 3000, { times: 1 })
  const requests = requestsTo(page, answers)
  await candidate.choose('41 °C')
  await eventually(async () => requests.length, (count) => count === 1)
  await candidate.choose('57 °C')
  await candidate.openOverview()
  await candidate.jumpTo(4)
  await candidate.type('sesame') // its timer ends while the first request is in flight
  await candidate.openOverview()
  await candidate.jumpTo(1)
  await candidate.choose('37 °C')
  await candidate.seeSaved()
  assert.deepEqual(await savedAnswers(invite), [{ optionId: 'c' }, null, null, { text: 'sesame' }])
  assert.equal(most, 1)
  assert.equal(requests.length, 2, 'the changes made meanwhile need one request')
})
