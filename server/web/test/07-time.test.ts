// Time. The tests that wait for real minutes run at the same time.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  eventually,
  ok,
  organization,
  savedAnswers,
  type Assessment,
  type Invite,
  type Organization,
  type Schemas,
} from './support/api.ts'
import { assessment, eachType, shortText, stage, timed, twoStages } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { moveClock, shiftClock } from './support/clock.ts'
import { Candidate } from './support/journey.ts'
import { announced, announcements, awaitAnnouncement } from './support/live.ts'
import { abort, hold, requestsTo, setOffline } from './support/network.ts'
import { open } from './support/page.ts'
import { t as text } from './support/texts.ts'
import { controlMonotonic, jumpTo, shiftServerTime, shownSeconds, trueSeconds, wake } from './support/time.ts'
import { until } from './support/until.ts'

after(disconnect)

const answersPath = '/v1/candidate/session/answers'
const sessionPath = /\/v1\/candidate\/session$/

type Made = Invite & { organization: Organization }

// One organization, because a server computes only a few password hashes at once.
let owner: Promise<Organization> | undefined

/** Publishes the assessment, and invites one candidate. */
async function invited(
  assessment: Assessment,
  more: { invite?: Partial<Schemas['CandidateSessionCreate']> } = {},
): Promise<Made> {
  const made = await (owner ??= organization())
  return { ...(await made.invite(await made.publish(assessment), more.invite)), organization: made }
}

/** Adds minutes to a session, as a person of the organization does. */
const extend = ({ organization, sessionId }: Made, minutes: number) =>
  ok(
    organization.api.POST('/v1/candidate-sessions/{id}/extend', {
      params: { path: { id: sessionId } },
      body: { minutes, reason: 'The room was loud' },
    }),
  )

/** Waits until the page's clock is within two seconds of the server's, for at most a second. */
async function seeTrueTime(page: Candidate['page'], invite: Invite): Promise<void> {
  const until = Date.now() + 1000
  for (;;) {
    // The true time at the moment of reading lies between the two, however slow the machine is.
    const before = await trueSeconds(invite)
    const shown = await shownSeconds(page)
    const real = await trueSeconds(invite)
    if (shown >= real - 2 && shown <= before + 2) return
    assert.ok(Date.now() < until, `the clock shows ${shown} s, and ${real} s are left`)
  }
}

describe('time', { concurrency: true }, () => {
  test('7: The clock follows the server, not the device', async (t) => {
    const invite = await invited(timed(10))
    const { page } = await open(t, invite.link, { before: (page) => shiftClock(page, 600_000) })
    await new Candidate(page).start()
    await seeTrueTime(page, invite)
    await moveClock(page, -600_000)
    await seeTrueTime(page, invite)
    await new Candidate(page).choose('57 °C')
    await new Candidate(page).seeSaved()
    await seeTrueTime(page, invite)
  })

  test('8: The time is correct again within a second after sleep, a background tab, and Back', async (t) => {
    const invite = await invited(timed(10))
    // During sleep, performance.now() can stand still. This is the same as a server's time that jumps.
    const shift = { by: -90_000 }
    const { page } = await open(t, invite.link, { before: (page) => shiftServerTime(page, shift) })
    await new Candidate(page).start()
    const isWrong = async () => Math.abs((await shownSeconds(page)) - (await trueSeconds(invite))) > 60
    assert.ok(await isWrong())
    shift.by = 0
    await moveClock(page, 90_000)
    await eventually(isWrong, (wrong) => !wrong)
    for (const how of ['visible', 'restored'] as const) {
      shift.by = 120_000
      await wake(page, how)
      await eventually(isWrong, (wrong) => wrong)
      shift.by = 0
      await wake(page, how)
      await seeTrueTime(page, invite)
    }
  })

  test('8: Added time appears with each save, and within five seconds without one', async (t) => {
    const invite = await invited(timed(10, { timeLimitMinutes: 60 }), { invite: { extraTimePercent: 50 } })
    const { page } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    await extend(invite, 5)
    await candidate.choose('57 °C')
    await awaitAnnouncement(page, text('time.added', { count: 5 }))
    await seeTrueTime(page, invite)
    assert.ok((await shownSeconds(page)) > 19 * 60)

    await extend(invite, 1)
    await awaitAnnouncement(page, text('time.added', { count: 1 }), 5000)
    await seeTrueTime(page, invite)
    const spoken = (await announcements(page)).filter(({ text }) => /added/.test(text))
    assert.deepEqual(
      spoken.map(({ politeness }) => politeness),
      ['polite', 'polite'],
    )
  })

  test("9: A stage of one minute has exactly two warnings and the end, and the outcome is the server's", async (t) => {
    const invite = await invited(timed(1))
    const [first, late] = [await open(t, invite.link), await open(t, invite.link)]
    const candidate = new Candidate(first.page)
    await candidate.start()
    const timer = first.page.getByRole('timer')
    await until(async () => assert.equal(await timer.getAttribute('aria-live'), null))
    const half = text('time.warning.half', { time: '30 seconds' })
    await first.page.getByText(half, { exact: true }).filter({ visible: true }).first().waitFor({ timeout: 35_000 })
    await checkAxe(first.page, 'warning')
    // Another device opens the page after the first warning.
    await late.page.reload()
    await new Candidate(late.page).seeQuestion(1)
    for (let at = 1; at < 4; at++) await candidate.next()
    // An answer that cannot be sent before the end.
    await awaitAnnouncement(first.page, text('time.warning', { time: '10 seconds' }), 30_000)
    await first.page.route(`**${answersPath}`, (route) =>
      route.request().postDataJSON().answers.length > 0 ? route.abort() : route.fallback(),
    )
    await candidate.type('sesame')
    await candidate.heading('end.timeUp.title').waitFor({ timeout: 15_000 })
    await checkAxe(first.page, 'end, time is up')
    await new Candidate(late.page).heading('end.timeUp.title').waitFor({ timeout: 15_000 })

    const last = [text('time.warning', { time: '10 seconds' }), text('time.up')]
    const timeWords = [half, ...last]
    const spoken = (await announcements(first.page)).filter(
      ({ text }) => timeWords.includes(text) || /left|up/.test(text),
    )
    assert.deepEqual(
      spoken.map(({ text, politeness }) => [text, politeness]),
      [
        [half, 'polite'],
        [last[0], 'polite'],
        [last[1], 'assertive'],
      ],
    )
    await until(async () =>
      assert.deepEqual(
        (await announced(late.page)).filter((said) => /left|up/.test(said)),
        last,
      ),
    )
    const session = await invite.organization.session(invite.sessionId)
    assert.deepEqual([session.status, session.closeReason], ['COMPLETED', 'TIME_EXPIRED'])
    const result = await ok(
      invite.organization.api.GET('/v1/candidate-sessions/{id}/result', {
        params: { path: { id: invite.sessionId } },
      }),
    )
    assert.match(JSON.stringify(result), /sesame/)
  })

  test('9: Warnings appear at half the time and at 10, 5, 1 minutes, 30 and 10 seconds', async (t) => {
    const invite = await invited(timed(8), { invite: { extraTimePercent: 50 } })
    const { page } = await open(t, invite.link, { before: controlMonotonic })
    const candidate = new Candidate(page)
    await candidate.start()
    // The page asks the server after each jump. Without an answer, it keeps its own time.
    await abort(page, answersPath)
    await abort(page, sessionPath)
    const warnings: [number, string][] = [
      [600, text('time.warning', { time: '10 minutes' })],
      [360, text('time.warning.half', { time: '6 minutes' })],
      [300, text('time.warning', { time: '5 minutes' })],
      [60, text('time.warning', { time: '1 minute' })],
      [30, text('time.warning', { time: '30 seconds' })],
      [10, text('time.warning', { time: '10 seconds' })],
    ]
    for (const [seconds, warning] of warnings) {
      await jumpTo(page, seconds + 1)
      await awaitAnnouncement(page, warning)
      await page.getByText(warning, { exact: true }).filter({ visible: true }).first().waitFor()
    }
    await jumpTo(page, 0)
    await page.getByRole('complementary').getByText(text('time.up.offline')).waitFor()
    await awaitAnnouncement(page, text('time.up.offline'))
    await until(async () => assert.ok(await candidate.option('57 °C').isDisabled()))
    await checkAxe(page, 'time is up, offline')
    const spoken = (await announced(page)).filter((said) => /left/.test(said))
    assert.deepEqual(
      spoken,
      warnings.map(([, warning]) => warning),
    )
  })

  test('10: The candidate hides the clock, until the last five minutes', async (t) => {
    const invite = await invited(timed(65))
    const { page } = await open(t, invite.link, { before: controlMonotonic })
    const candidate = new Candidate(page)
    await candidate.start()
    await until(async () => assert.match(await page.getByRole('timer').innerText(), /^1:0[45]:\d\d/))
    await candidate.button('time.say').click()
    await awaitAnnouncement(page, text('time.position', { number: 1, total: 4, stage: 1, stages: 1 }))
    await checkAxe(page, 'time and position')
    await candidate.button('time.hide').click()
    await page.getByRole('timer').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.reload()
    await candidate.seeQuestion(1)
    assert.equal(await page.getByRole('timer').count(), 0)

    await candidate.next()
    await page.keyboard.press('Alt+Shift+T')
    await awaitAnnouncement(page, text('time.position', { number: 2, total: 4, stage: 1, stages: 1 }))
    const said = (await announced(page)).at(-1)!
    assert.match(said, /^1 hour \d minutes left\./)

    await candidate.button('time.say').click()
    await candidate.button('time.show').click()
    await candidate.button('time.hide').click()
    await abort(page, answersPath)
    await abort(page, sessionPath)
    await page.evaluate(() => Object.assign(window, { ahead: 61 * 60_000 }))
    await page.getByRole('timer').waitFor()
    await until(async () => assert.equal(await candidate.button('time.hide').count(), 0))
  })

  test('10: Without a limit, there is no clock', async (t) => {
    const invite = await invited(eachType())
    const { page } = await open(t, invite.link)
    await new Candidate(page).start()
    assert.equal(await page.getByRole('timer').count(), 0)
    await page.keyboard.press('Alt+Shift+T')
    await awaitAnnouncement(page, text('time.none'))
  })

  test('11: A clock that is fast locks the fields, and the server lets the candidate continue', async (t) => {
    const invite = await invited(assessment([stage({ timeLimitMinutes: 1, questions: [shortText] })]))
    const { page } = await open(t, invite.link, { before: controlMonotonic })
    const candidate = new Candidate(page)
    await candidate.start()
    await candidate.type('ses')
    await candidate.seeSaved()
    const release = await hold(page, /\/v1\/candidate\/session(\/answers)?$/)
    await jumpTo(page, 0)
    await page.getByText(text('time.up.asking')).waitFor()
    await until(async () => assert.equal(await candidate.field().isEditable(), false))
    await checkAxe(page, 'time is up, asking')
    release()
    await page.getByText(text('time.up.asking')).waitFor({ state: 'detached' })
    await seeTrueTime(page, invite)
    await page.waitForFunction(() => document.activeElement?.matches('textarea, input'))
    await page.keyboard.press('End')
    await page.keyboard.type('ame')
    await eventually(
      () => savedAnswers(invite),
      ([saved]) => saved?.text === 'sesame',
    )
    assert.ok(!(await announced(page)).includes(text('time.up')))
  })

  test('11: Offline at the end: the page keeps trying, and then says what did not arrive', async (t) => {
    const invite = await invited(
      assessment([
        stage({ timeLimitMinutes: 1, questions: [shortText] }),
        stage({ title: 'Allergens', timeLimitMinutes: 5, questions: [shortText] }),
      ]),
    )
    const { page, context } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    await candidate.type('poppy')
    await candidate.seeSaved()
    await setOffline(context, true)
    await candidate.type('sesame')
    await page.getByRole('complementary').getByText(text('time.up.offline')).waitFor({ timeout: 75_000 })
    await until(async () => assert.equal(await candidate.field().isEditable(), false))
    // The grace period of the server passes.
    await eventually(
      () => ok(invite.candidate.GET('/v1/candidate/session/stage')),
      ({ order }) => order === 2,
      20_000,
    )
    await setOffline(context, false)
    await page.getByRole('heading', { name: text('missed.title', { count: 1 }) }).waitFor()
    await page.getByText(text('stage.ended.timeUp', { number: 1 })).waitFor()
    await page.getByText(text('missed.answer', { stage: 1, number: 1, answer: 'sesame' })).waitFor()
    await checkAxe(page, 'break, an answer did not arrive')
  })

  test('11: The time of the session ends during a break', async (t) => {
    const invite = await invited(twoStages({ timeLimitMinutes: 1 }))
    const { page } = await open(t, invite.link)
    const candidate = new Candidate(page)
    await candidate.start()
    await candidate.submitStage()
    await candidate.button('stage.start').waitFor()
    await page.getByRole('timer').waitFor()
    await candidate.heading('end.timeUp.title').waitFor({ timeout: 80_000 })
    const session = await invite.organization.session(invite.sessionId)
    assert.deepEqual([session.status, session.closeReason], ['COMPLETED', 'TIME_EXPIRED'])
  })
})
