// What candidates read while a person judges their answers, and after the decision.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually, invited, ok, rule, type Assessment } from './support/api.ts'
import { assessment, freeText, reviewed, stage, written } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { seeKindness } from './support/kindness.ts'
import { open } from './support/page.ts'
import { t as text } from './support/texts.ts'

after(disconnect)

const organization = 'Harbour Kitchens'
const settings = { supportEmail: 'jobs@harbour-kitchens.example' }

async function working(t: Parameters<typeof open>[0], made: Assessment) {
  const invite = await invited(made, { settings })
  const { page, allow } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  return { invite, page, allow, candidate }
}

/** Submits the first stage, whose gate then waits for a person. */
async function held(t: Parameters<typeof open>[0], more: Partial<Assessment> = {}) {
  const made = await working(t, reviewed(more))
  await made.candidate.choose('41 °C')
  await made.candidate.submitStage()
  await made.candidate.see('end.held.title')
  return made
}

/** The candidate returns to the page, which then asks how things are. */
const comeBack = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

const status = async ({ candidate }: { candidate: Awaited<ReturnType<typeof invited>>['candidate'] }) =>
  (await ok(candidate.GET('/v1/candidate/session'))).status

describe('a person judges', { concurrency: 2 }, () => {
  test('28: Who has written a long text reads that a person reads it, and what comes next', async (t) => {
    const { invite, page, candidate } = await working(t, written({ closingMessage: 'We answer within **a week**.' }))
    await candidate.field().fill('In an ice bath.')
    await candidate.submitStage()
    await candidate.seeEnd()
    await page.getByText(text('end.text', { organization })).waitFor()
    await page.getByText(text('end.review')).waitFor()
    await page.getByText(candidate.pattern('end.date')).waitFor()
    await page.locator('strong', { hasText: 'a week' }).waitFor()
    await page.getByRole('link', { name: settings.supportEmail }).waitFor()
    assert.equal(await status(invite), 'IN_REVIEW')
    await seeKindness(page)
    await checkAxe(page, 'end in review')

    // The grade ends the review, also on the page.
    const params = { path: { id: invite.sessionId } }
    const { api } = invite.organization
    const { questionIds } = await ok(api.GET('/v1/candidate-sessions/{id}/open-decision', { params }))
    await ok(
      api.PUT('/v1/candidate-sessions/{id}/grades/{questionId}', {
        params: { path: { ...params.path, questionId: questionIds[0]! } },
        body: { points: 4, version: 0, rubric: freeText.rubric!.map(({ id, points }) => ({ id, points })) },
      }),
    )
    await comeBack(page)
    await page.getByText(text('end.review')).waitFor({ state: 'detached' })
    await candidate.seeEnd()
    assert.equal((await invite.organization.session(invite.sessionId)).status, 'COMPLETED')
  })

  test('28: Who has left a long text empty finishes as usual', async (t) => {
    const { invite, page, candidate } = await working(t, written())
    await candidate.submitStage()
    await candidate.seeEnd()
    assert.equal(await page.getByText(text('end.review')).count(), 0)
    assert.equal(await status(invite), 'COMPLETED')
  })

  test('28: A gate that waits says that a person looks, that no time runs, and that an email comes', async (t) => {
    const more = { timeLimitMinutes: 30, closingMessage: 'We answer within a week.', redirectUrl: 'https://x.example/' }
    const { page, candidate } = await held(t, more)
    await page.getByText(text('end.held.text', { organization })).waitFor()
    await page.getByText(text('end.held.next', { organization })).waitFor()
    await page.getByRole('link', { name: settings.supportEmail }).waitFor()
    assert.equal(await page.getByRole('timer').count(), 0)
    assert.equal(await page.getByText('We answer within a week.').count(), 0)
    assert.equal(await page.getByText(candidate.pattern('leaving.soon')).count(), 0)
    await seeKindness(page)
    await checkAxe(page, 'gate in review')
    // The review is not the end, so the link is kept.
    await page.reload()
    await candidate.see('end.held.title')
    const later = await open(t, new URL('/take', page.url()).href, { context: page.context() })
    await new Candidate(later.page).see('continue.title')
  })

  test('28: After PASS, the open page goes on with the next stage, and a reload does, too', async (t) => {
    const { invite, page, candidate } = await held(t)
    await rule(invite, 'PASS')
    await comeBack(page)
    await candidate.button('stage.start').waitFor()
    await page.reload()
    await candidate.startStage()
    await candidate.type('sesame')
    await candidate.submitStage()
    await candidate.seeEnd()
    await eventually(
      () => invite.organization.session(invite.sessionId),
      (session) => session.status === 'COMPLETED',
    )
  })

  test('28: After STOP, the page says that a person decided, how to answer, and whom to ask', async (t) => {
    const { invite, page, candidate } = await held(t)
    await rule(invite, 'STOP')
    await comeBack(page)
    await candidate.seeEnd()
    await page.getByText(text('end.gate.text', { organization })).waitFor()
    await page.getByText(text('end.gate.person', { organization })).waitFor()
    const { supportEmail: email } = settings
    await page.getByText(text('end.gate.again.email', { organization, email })).waitFor()
    assert.equal(await page.getByText(candidate.pattern('end.gate.review.email')).count(), 0)
    await seeKindness(page)
    await page.reload()
    await page.getByText(text('end.gate.person', { organization })).waitFor()
  })

  test('28: A gate that a person decides reads differently before the start, and before submitting', async (t) => {
    const gate = { required: true, minScore: 50 }
    const review = { ...gate, onFail: 'REVIEW' as const }
    const stages = [stage({ gate: review }), stage({ gate }), stage({ gate: review, questions: [freeText] })]
    const invite = await invited(assessment(stages))
    const { page } = await open(t, invite.link)
    await page.getByText(text('intro.gate.review', { organization, stage: 1, next: 2 })).waitFor()
    await page.getByText(text('intro.gate', { organization, stage: 2, next: 3 })).waitFor()
    await page.getByText(text('intro.gate.last.review', { organization, stage: 3 })).waitFor()
    const candidate = new Candidate(page)
    await candidate.start()
    await candidate.openOverview()
    await candidate.submit()
    await page.getByText(text('confirm.gate.review', { organization })).waitFor()
  })
})
