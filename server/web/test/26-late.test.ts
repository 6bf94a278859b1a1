// Responses that arrive late or not at all, and another device that is faster.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { invited } from './support/api.ts'
import { assessment, shortText, singleChoice, stage, timed, twoStages } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { abort } from './support/network.ts'
import { open } from './support/page.ts'
import { shiftServerTime, shownSeconds, trueSeconds, wake } from './support/time.ts'

after(disconnect)

test('27: A response from before the start of a stage does not show the break again', async (t) => {
  const invite = await invited(twoStages())
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.submitStage()
  await candidate.button('stage.start').waitFor()

  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  const asked = new Promise<void>((done) => {
    void page.route(
      (url) => url.pathname.endsWith('/session'),
      async (route) => {
        const response = await route.fetch()
        done()
        await released
        await route.fulfill({ response })
      },
      { times: 1 },
    )
  })
  await wake(page, 'visible')
  await asked
  await candidate.startStage()
  const late = page.waitForResponse((response) => response.url().endsWith('/session'))
  release()
  await late
  // The page would show the break within a frame.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
  assert.equal(await candidate.button('stage.start').count(), 0)
  await candidate.type('sesame')
  await candidate.submitStage()
  await candidate.seeEnd()
})

test('18: Two answers to a question of an earlier stage do not keep the candidate from submitting the next one', async (t) => {
  const invite = await invited(
    assessment([stage({ questions: [singleChoice] }), stage({ title: 'Allergens', questions: [shortText] })]),
  )
  const [phone, laptop] = await Promise.all([open(t, invite.link), open(t, invite.link)])
  const [one, two] = [new Candidate(phone.page), new Candidate(laptop.page)]
  await one.start()
  await laptop.page.reload()
  await two.seeQuestion(1)
  await one.choose('41 °C')
  await one.seeSaved()
  await two.choose('57 °C')
  await laptop.page.getByRole('region', { name: two.pattern('conflict.title') }).waitFor()
  await one.submitStage()
  await phone.page.getByRole('textbox').waitFor()

  await wake(laptop.page, 'visible')
  await two.type('sesame')
  await two.seeSaved()
  await two.submitStage()
  await two.seeEnd()
})

test('8: The time is correct soon after a sleep that the connection needs longer to recover from', async (t) => {
  const invite = await invited(timed(10))
  const shift = { by: 0 }
  const { page } = await open(t, invite.link, { before: (page) => shiftServerTime(page, shift) })
  const candidate = new Candidate(page)
  await candidate.start()
  // As on devices whose performance.now() stands still during sleep.
  shift.by = 60_000
  await abort(page, /\/v1\/candidate\/session$/, { times: 1 })
  const failed = page.waitForEvent('requestfailed')
  await wake(page, 'visible')
  await failed
  const wanted = (await trueSeconds(invite)) - 60
  await page.waitForFunction(
    (wanted) => {
      const [minutes = 0, seconds = 0] = document
        .querySelector('[role=timer] [aria-hidden]')!
        .textContent!.split(':')
        .map(Number)
      return 60 * minutes + seconds <= wanted + 2
    },
    wanted,
    { timeout: 5000 },
  )
  assert.ok(Math.abs((await shownSeconds(page)) - ((await trueSeconds(invite)) - 60)) <= 2)
})
