// The endings, and the way to the page of the organization.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { invited, type Assessment } from './support/api.ts'
import { assessment, gated, shortText, stage } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { seeKindness } from './support/kindness.ts'
import { awaitAnnouncement } from './support/live.ts'
import { answerElsewhere } from './support/network.ts'
import { open } from './support/page.ts'
import { t as text } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

const elsewhere = 'https://harbour-kitchens.example'
const short = (more: Partial<Assessment> = {}) => assessment([stage({ questions: [shortText] })], more)

/** Replaces fields of the session in the responses, for endings that take 30 days. */
async function pretend(page: Page, change: Record<string, unknown>): Promise<void> {
  await page.route('**/v1/candidate/session', async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { data: { ...data, ...change } } })
  })
}

test('28: Who finishes is thanked, and reads the closing message', async (t) => {
  const invite = await invited(short({ closingMessage: 'We answer within **a week**.' }), {
    settings: { supportEmail: 'jobs@harbour-kitchens.example', timeZone: 'Asia/Tokyo' },
  })
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.submitStage()
  await candidate.seeEnd()
  await page.getByText(text('end.text', { organization: 'Harbour Kitchens' })).waitFor()
  await page.locator('strong', { hasText: 'a week' }).waitFor()
  await page.getByRole('link', { name: 'jobs@harbour-kitchens.example' }).waitFor()
  await until(async () => assert.match(await page.getByText(candidate.pattern('end.date')).innerText(), /Asia\/Tokyo/))
  await seeKindness(page)

  // The same session, had it been left alone for 30 days.
  await pretend(page, { closeReason: 'ABANDONED' })
  await page.reload()
  await candidate.see('end.abandoned.title')
  await page.getByText(text('end.abandoned.text', { organization: 'Harbour Kitchens' })).waitFor()
  await seeKindness(page)
  await checkAxe(page, 'end, not continued')
})

test('28: Who ends at a gate is thanked first, and learns the reason, what happens, and whom to ask', async (t) => {
  for (const supportEmail of ['people@harbour-kitchens.example', null]) {
    const invite = await invited(gated({ closingMessage: 'See you in the next round.' }), {
      settings: { supportEmail },
    })
    const { page } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    await candidate.submitStage()
    await candidate.seeEnd()
    const main = page.getByRole('main')
    const parameters = { organization: 'Harbour Kitchens', email: supportEmail ?? '' }
    const review = supportEmail ? 'end.gate.review.email' : 'end.gate.review.organization'
    const expected = [
      text('end.title'),
      text('end.gate.text', parameters),
      text('end.gate.answers', parameters),
      text(review, parameters),
    ]
    const said = (await main.innerText())
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.length > 1)
    assert.deepEqual(said, expected)
    await seeKindness(page)
    await checkAxe(page, 'end at a gate')
    await page.reload()
    await candidate.seeEnd()
    assert.equal((await invite.organization.session(invite.sessionId)).status, 'DISQUALIFIED')
  }
})

test('29: The candidate is sent on, and Back leads to the end page', async (t) => {
  const invite = await invited(short({ redirectUrl: `${elsewhere}/thanks?from=assay` }))
  const { page } = await open(t, invite.link, {
    allow: [/^other origin: https:\/\/harbour-kitchens\.example/],
    before: (page) => answerElsewhere(page, elsewhere),
  })
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.submitStage()
  await page
    .getByRole('main')
    .getByText(text('leaving.soon', { host: 'harbour-kitchens.example' }))
    .waitFor()
  await awaitAnnouncement(page, text('leaving.soon', { host: 'harbour-kitchens.example' }))
  await checkAxe(page, 'leaving')
  // A reload mints a new token; the candidate is still sent on.
  const fresh = page.waitForResponse((response) => response.url().endsWith('/v1/candidate/session'))
  await page.reload()
  const { data } = (await (await fresh).json()) as { data: { redirectUrl: string } }
  await page.waitForURL(`${elsewhere}/**`)
  assert.equal(page.url(), data.redirectUrl)
  assert.match(page.url(), /\?from=assay&result=/)

  for (let times = 0; times < 2; times++) {
    await page.goBack()
    await candidate.seeEnd()
    assert.equal(new URL(page.url()).pathname, '/take')
    assert.equal(
      await page
        .getByRole('main')
        .getByText(text('leaving.soon', { host: 'harbour-kitchens.example' }))
        .count(),
      0,
    )
  }
  await candidate.button('leaving.go', { host: 'harbour-kitchens.example' }).click()
  await page.waitForURL(`${elsewhere}/**`)
})

test('29: The candidate can stay, and an address that is not of the web is never followed', async (t) => {
  const invite = await invited(short({ redirectUrl: elsewhere }))
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.submitStage()
  await candidate.button('leaving.stay').click()
  await page
    .getByRole('main')
    .getByText(text('leaving.soon', { host: 'harbour-kitchens.example' }))
    .waitFor({ state: 'detached' })
  await candidate.button('leaving.go', { host: 'harbour-kitchens.example' }).waitFor()

  for (const redirectUrl of ['javascript:alert(1)', 'intent://example.com', '//example.com', null]) {
    await page.unrouteAll()
    await pretend(page, { redirectUrl })
    await page.reload()
    await candidate.seeEnd()
    assert.equal(await page.getByRole('button').filter({ hasText: 'Continue' }).count(), 0)
    await page.getByText(candidate.pattern('end.questions.organization')).waitFor()
  }
})
