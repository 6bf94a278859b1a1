// Two tabs of one browser, and two devices.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import { invited, savedAnswers } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { hold } from './support/network.ts'
import { open } from './support/page.ts'
import { until } from './support/until.ts'

after(disconnect)

const answers = '/v1/candidate/session/answers'

/**
 * Browsers offer these on HTTPS and on the same machine only. Customers try Assay with http and the
 * address of a machine.
 */
const asWithoutHttps = (_: unknown, context: BrowserContext) =>
  context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'locks')
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID')
    Reflect.deleteProperty(Crypto.prototype, 'subtle')
  })

test('18: A second tab offers to take over, and the first is then read-only and can take back', async (t) => {
  const invite = await invited(eachType())
  const { page, context } = await open(t, invite.link, { before: asWithoutHttps })
  const first = new Candidate(page)
  await first.start()
  await first.openOverview()
  await first.jumpTo(4)
  await first.type('sesame')
  await first.seeSaved()

  const other = await open(t, invite.link, { context })
  const second = new Candidate(other.page)
  await second.see('otherTab.title')
  await checkAxe(other.page, 'open in another tab')
  // What the first tab has typed, and not sent yet, is not lost.
  const release = await hold(page, answers)
  await first.type('sesame oil')
  await second.button('otherTab.take').click()
  await second.seeQuestion(4)
  await until(async () => assert.equal(await second.field().inputValue(), 'sesame oil'))
  await second.seeSaved()
  assert.deepEqual((await savedAnswers(invite))[3], { text: 'sesame oil' })
  release()

  await page.getByRole('heading', { name: first.pattern('readOnly.title') }).waitFor()
  await until(async () => assert.equal(await first.field().isEditable(), false))
  await checkAxe(page, 'read-only')
  await second.type('sesame paste')
  await first.button('readOnly.take').click()
  await first.seeQuestion(4)
  await first.page.waitForFunction(() => document.querySelector('textarea')?.value === 'sesame paste')
  await other.page.getByRole('heading', { name: second.pattern('readOnly.title') }).waitFor()
  await first.seeSaved()
  await first.type('poppy')
  await first.submitStage()
  await first.seeEnd()
  const session = await invite.organization.session(invite.sessionId)
  assert.equal(session.status, 'COMPLETED')
})

test('18: Two tabs that start at the same time do not both work', async (t) => {
  const invite = await invited(eachType())
  const { page, context } = await open(t, invite.link, { before: asWithoutHttps })
  const first = new Candidate(page)
  const other = await open(t, invite.link, { context })
  const second = new Candidate(other.page)
  await Promise.all([first, second].map((candidate) => candidate.startButton().click()))
  const works = (candidate: Candidate) => candidate.heading('question.number', { number: 1 })
  const waits = (candidate: Candidate) => candidate.heading('otherTab.title')
  await Promise.all([first, second].map((candidate) => works(candidate).or(waits(candidate)).waitFor()))
  await until(async () => assert.equal((await works(first).count()) + (await works(second).count()), 1))
})

test('18: A device whose answer is outdated shows both values, and saves the choice', async (t) => {
  const invite = await invited(eachType())
  const [phone, laptop] = await Promise.all([open(t, invite.link), open(t, invite.link)])
  const [one, two] = [new Candidate(phone.page), new Candidate(laptop.page)]
  await one.start()
  await laptop.page.reload()
  await two.seeQuestion(1)
  await one.choose('41 °C')
  await one.seeSaved()

  await two.choose('57 °C')
  const conflict = (candidate: Candidate) =>
    candidate.page.getByRole('region', { name: candidate.pattern('conflict.title') })
  await conflict(two).waitFor()
  await until(async () =>
    assert.deepEqual(await conflict(two).getByRole('definition').allInnerTexts(), ['57 °C', '41 °C']),
  )
  await checkAxe(two.page, 'two answers')
  assert.deepEqual((await savedAnswers(invite))[0], { optionId: 'a' }, 'nothing is saved before the choice')
  await two.page.reload()
  await conflict(two).waitFor()
  await two.button('conflict.mine.keep').click()
  await two.seeSaved()
  assert.deepEqual((await savedAnswers(invite))[0], { optionId: 'b' })

  await one.choose('37 °C')
  await conflict(one).waitFor()
  await until(async () =>
    assert.deepEqual(await conflict(one).getByRole('definition').allInnerTexts(), ['37 °C', '57 °C']),
  )
  await one.button('conflict.theirs.keep').click()
  await conflict(one).waitFor({ state: 'detached' })
  await until(async () => assert.equal(await one.option('57 °C').isChecked(), true))
  await one.seeSaved()
  assert.deepEqual((await savedAnswers(invite))[0], { optionId: 'b' })
  // The next change knows the choice.
  await one.choose('41 °C')
  await one.page.getByRole('main').getByText(one.pattern('save.saved')).waitFor()
  assert.deepEqual((await savedAnswers(invite))[0], { optionId: 'a' })
})
