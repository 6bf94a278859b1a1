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

/** Notes in the page when the candidate entered something, or left a field. */
const noteEntries = (page: Page) =>
  page.addInitScript(() => {
    for (const type of ['input', 'focusout']) {
      addEventListener(type, ({ timeStamp }) => Object.assign(window, { [type]: timeStamp }), true)
    }
  })

/** The milliseconds from the latest event of the type to the next save, by the page's own clock. */
async function untilSave(page: Page, type: 'input' | 'focusout', act: () => Promise<unknown>): Promise<number> {
  const answered = page.waitForResponse((response) => response.url().includes(answers))
  await act()
  await (await answered).finished()
  return page.evaluate(
    ([type, address]) => {
      const saves = performance.getEntriesByType('resource').filter(({ name }) => name.includes(address!))
      return saves.at(-1)!.startTime - (window as unknown as Record<string, number>)[type!]!
    },
    [type, answers] as const,
  )
}

test('12: Choices are saved at once, text after a pause or on leaving the field, and the page says so', async (t) => {
  const invite = await invited(eachType())
  const { page } = await open(t, invite.link, { before: noteEntries })
  const candidate = new Candidate(page)
  await candidate.start()

  const chosen = await untilSave(page, 'input', () => candidate.choose('41 °C'))
  assert.ok(chosen < 700, `a choice is saved after ${chosen} ms`)
  await seeTwice(candidate, 'save.saved')
  const release = await hold(page, answers, { times: 1 })
  await candidate.choose('57 °C')
  await seeTwice(candidate, 'save.saving')
  release()
  await seeTwice(candidate, 'save.saved')

  await candidate.openOverview()
  await candidate.jumpTo(4)
  const pause = await untilSave(page, 'input', () => candidate.field().press('s'))
  assert.ok(pause >= 790 && pause < 5000, `text is saved ${pause} ms after the last key`)
  const left = await untilSave(page, 'focusout', async () => {
    await candidate.field().press('e')
    await candidate.field().blur()
  })
  assert.ok(left < 700, `text is saved ${left} ms after leaving the field`)
  await seeTwice(candidate, 'save.saved')

  const restore = await abort(page, answers)
  await candidate.type('sesame seeds')
  await seeTwice(candidate, 'save.waiting')
  await checkAxe(page, 'offline')
  await restore()
  await seeTwice(candidate, 'save.saved')
  assert.deepEqual(await savedAnswers(invite), [{ optionId: 'b' }, null, null, { text: 'sesame seeds' }])

  await page.reload()
  await seeTwice(candidate, 'save.saved')
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
  const ended = (request: { url(): string }) => {
    if (request.url().includes(answers)) inFlight--
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  await delay(page, answers, 3000, { times: 1 })
  const began = performance.now()
  const requests = requestsTo(page, answers)
  await candidate.choose('41 °C')
  await eventually(
    async () => requests.length,
    (count) => count === 1,
  )
  await candidate.choose('57 °C')
  await candidate.openOverview()
  await candidate.jumpTo(4)
  await candidate.type('sesame') // its timer ends while the first request is in flight
  await candidate.openOverview()
  await candidate.jumpTo(1)
  await candidate.choose('37 °C')
  // On a busy machine, the test can be slower than the delay.
  const isInTime = performance.now() - began < 3000
  await candidate.seeSaved()
  assert.deepEqual(await savedAnswers(invite), [{ optionId: 'c' }, null, null, { text: 'sesame' }])
  assert.equal(most, 1)
  if (isInTime) assert.equal(requests.length, 2, 'the changes made meanwhile need one request')
})
