// Changes that the candidate has not made reach an open page within five seconds.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, organization, type Assessment, type Invite, type Organization } from './support/api.ts'
import { assessment, eachType, shortText, stage, timed, twoStages } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { announced, awaitAnnouncement } from './support/live.ts'
import { answer, requestsTo, setOffline } from './support/network.ts'
import { open } from './support/page.ts'
import { t as text } from './support/texts.ts'
import { controlMonotonic, jumpTo, shownSeconds, trueSeconds } from './support/time.ts'
import { until } from './support/until.ts'

after(disconnect)

const sessionPath = /\/v1\/candidate\/session$/
/** How late a change can be. */
const soon = { timeout: 5000 }

let owner: Promise<Organization> | undefined

async function working(made: Assessment, t: Parameters<typeof open>[0], more: Parameters<typeof open>[2] = {}) {
  const company = await (owner ??= organization())
  const invite = await company.invite(await company.publish(made))
  const opened = await open(t, invite.link, more)
  const candidate = new Candidate(opened.page)
  await candidate.start()
  return { ...opened, candidate, invite, company }
}

const extend = (company: Organization, { sessionId }: Invite, minutes: number) =>
  ok(
    company.api.POST('/v1/candidate-sessions/{id}/extend', {
      params: { path: { id: sessionId } },
      body: { minutes, reason: 'The room was loud' },
    }),
  )

const setVisible = (page: Page, isVisible: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      Object.defineProperty(document, 'hidden', { value: state === 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isVisible ? 'visible' : 'hidden',
  )

describe('changes', { concurrency: 2 }, () => {
  test('8: Added time appears within five seconds, whatever has the limit', async (t) => {
    for (const made of [timed(10), twoStages({ timeLimitMinutes: 10 })]) {
      const { page, company, invite } = await working(made, t)
      await extend(company, invite, 5)
      await awaitAnnouncement(page, text('time.added', { count: 5 }), soon.timeout)
      assert.ok((await shownSeconds(page)) > 14 * 60)
    }
    const { page, company, invite, candidate } = await working(twoStages({ timeLimitMinutes: 10 }), t)
    await candidate.submitStage()
    await candidate.button('stage.start').waitFor()
    await extend(company, invite, 5)
    await awaitAnnouncement(page, text('time.added', { count: 5 }), soon.timeout)
    await until(async () => assert.ok((await shownSeconds(page)) > 14 * 60))
  })

  test('9: The page asks before it announces the last seconds, and before it locks the fields', async (t) => {
    for (const seconds of [30, 10, 0]) {
      const { page, company, invite, candidate } = await working(timed(10), t, { before: controlMonotonic })
      await jumpTo(page, seconds + 20)
      const asked = requestsTo(page, sessionPath, 'GET')
      await extend(company, invite, 5)
      await jumpTo(page, seconds + 2)
      await awaitAnnouncement(page, text('time.added', { count: 5 }), soon.timeout)
      assert.ok(asked.length > 0)
      await until(async () => assert.ok(Math.abs((await shownSeconds(page)) - (await trueSeconds(invite))) < 3))
      assert.ok(!(await announced(page)).some((said) => /10 seconds left|30 seconds left|up/.test(said)))
      assert.ok(await candidate.option('57 °C').isEnabled())
    }
  })

  test('8: A cancellation, and a stage that another device submits, reach the page', async (t) => {
    const first = await working(timed(10), t)
    await first.company.api.POST('/v1/candidate-sessions/{id}/cancel', {
      params: { path: { id: first.invite.sessionId } },
    })
    await first.candidate.heading('link.cancelled.title').waitFor(soon)

    const limited = { timeLimitMinutes: 10, questions: [shortText] }
    const second = await working(assessment([stage(limited), stage({ ...limited, title: 'Allergens' })]), t)
    const { id } = await ok(second.invite.candidate.GET('/v1/candidate/session/stage'))
    await ok(second.invite.candidate.POST('/v1/candidate/session/stage/submit', { body: { stageId: id } }))
    await second.candidate.button('stage.start').waitFor(soon)
  })

  test('8: The page asks only while a deadline runs, and neither hidden nor offline', async (t) => {
    const { page, context } = await working(timed(10), t)
    const asked = requestsTo(page, sessionPath, 'GET')
    await until(async () => assert.ok(asked.length >= 2))
    const rest = async (work: () => Promise<unknown>, again: () => Promise<unknown>) => {
      await work()
      const before = asked.length
      await page.waitForTimeout(5000)
      assert.equal(asked.length, before)
      await again()
      await until(async () => assert.ok(asked.length > before))
    }
    await rest(
      () => setVisible(page, false),
      () => setVisible(page, true),
    )
    await rest(
      () => setOffline(context, true),
      () => setOffline(context, false),
    )
    const unlimited = await working(eachType(), t)
    const none = requestsTo(unlimited.page, sessionPath, 'GET')
    await unlimited.page.waitForTimeout(5000)
    assert.equal(none.length, 0)
  })

  test('8: The page waits as long as the server asks for, and an unchanged session has no body', async (t) => {
    const { page } = await working(timed(10), t, { allow: [/^503:/] })
    const asked = requestsTo(page, sessionPath, 'GET')
    await answer(page, sessionPath, { status: 503, retryAfter: 6, times: 1 })
    await until(async () => assert.ok(asked.length >= 1))
    const before = asked.length
    await page.waitForTimeout(5000)
    assert.equal(asked.length, before)
    await until(async () => assert.ok(asked.length > before))
    await page.waitForResponse((response) => sessionPath.test(response.url()) && response.status() === 304)
  })
})
