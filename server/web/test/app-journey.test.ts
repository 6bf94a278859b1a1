// From an empty database to the first result, by clicking only.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { disconnect } from './support/chromium.ts'
import { register, User } from './support/dashboard.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { startServer } from './support/server.ts'

after(disconnect)

for (const database of ['sqlite', 'postgres'] as const) {
  test(`on ${database}, a person sets Assay up and reads a first result`, async (t) => {
    const server = await startServer({ database, env: { ASSAY_REGISTRATION: 'first' } })
    t.after(() => server.stop())
    const started = performance.now()
    const step = (name: string) => t.diagnostic(`${name} after ${((performance.now() - started) / 1000).toFixed(1)} s`)

    // The link that the server prints leads to the registration.
    const link = /^ {2}(\S+\/app\/register#\S+)$/m.exec(readFileSync(server.log, 'utf8'))?.[1]
    assert.ok(link, 'the server prints a link')
    const { page } = await open(t, link)
    const user = new User(page)
    await user.see('register.setup.title')
    assert.ok(!page.url().includes('setup_'), 'the token leaves the address')
    await register(user)
    step('registered')

    await user.button('home.create.go').click()
    await takeMyself(t, user)
    step('taken by themselves')

    const candidate = await invite(t, user)
    step('invited')
    await answerAll(candidate)
    step('finished by the candidate')

    await page.goto(`${server.url}/app`)
    await page.getByRole('link', { name: 'Mei Lindqvist' }).first().click()
    await user.page.getByRole('heading', { level: 1, name: 'Mei Lindqvist' }).waitFor()
    await page.getByText(/\d+(\.\d+)?%/).first().waitFor()
    step('a result')
  })
}

/** Takes the assessment in the tab that opens. */
async function takeMyself(t: TestContext, user: User): Promise<void> {
  const opened = user.page.waitForEvent('popup')
  await user.button('assessment.take').click()
  const tab = await opened
  const candidate = new Candidate(tab)
  await candidate.startButton().waitFor()
  await answerAll(candidate)
  await tab.close()
  t.diagnostic('the test session has ended')
}

/** Invites a candidate, and returns the candidate at the page of the copied link. */
async function invite(t: TestContext, user: User): Promise<Candidate> {
  await user.page.reload()
  await user.link('home.invite.go').click()
  await user.see('invite.title')
  await user.field('invite.name').fill('Mei Lindqvist')
  await user.field('invite.email.address').fill('mei@candidate.example')
  await user.button('invite.one.submit').click()
  const link = await user.page.getByLabel(user.text('invite.link')).inputValue()
  const { page } = await open(t, link)
  return new Candidate(page)
}

/** Gives some answer to each question, and submits each stage until the session ends. */
async function answerAll(candidate: Candidate): Promise<void> {
  const { page } = candidate
  await candidate.start()
  for (;;) {
    await answerStage(candidate)
    await candidate.submitStage()
    const ends = page.getByRole('heading', { level: 1, name: /thank you|finished|ended|complete/i })
    const next = candidate.button('stage.start').or(candidate.heading('question.number', { number: 1 }))
    await ends.or(next).first().waitFor()
    if (await ends.isVisible()) return
    if (await candidate.button('stage.start').isVisible()) await candidate.startStage()
  }
}

async function answerStage(candidate: Candidate): Promise<void> {
  const { page } = candidate
  for (let number = 1; ; number++) {
    await candidate.seeQuestion(number)
    await answer(page)
    const onward = candidate.button('question.next')
    if ((await onward.count()) === 0) return
    await onward.click()
  }
}

async function answer(page: Page): Promise<void> {
  const options = page.getByRole('main').locator('input[type=radio], input[type=checkbox]')
  if ((await options.count()) > 0) await options.first().check()
  else await page.getByRole('main').getByRole('textbox').fill('1')
}
