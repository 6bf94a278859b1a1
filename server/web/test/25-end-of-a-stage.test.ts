// The end of a stage: the confirmation, submitting, and the break.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { invited, ok, savedAnswers, type Invite, type Organization } from './support/api.ts'
import { assessment, gated, shortText, singleChoice, stage, timed, twoStages } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { awaitAnnouncement } from './support/live.ts'
import { delay, hold, loseResponse, requestsTo, setOffline } from './support/network.ts'
import { open } from './support/page.ts'
import { t as text } from './support/texts.ts'
import { shownSeconds } from './support/time.ts'
import { until } from './support/until.ts'

after(disconnect)

const answersPath = '/v1/candidate/session/answers'
const submitPath = '/v1/candidate/session/stage/submit'

/** The types of the events about candidates of an organization, newest first. */
async function events({ organization }: { organization: Organization }): Promise<string[]> {
  const { data } = await organization.api.GET('/v1/events')
  return data!.data.map(({ type }) => type).filter((type) => type.startsWith('candidate'))
}

const stageStatus = async (invite: Invite) =>
  (await ok(invite.candidate.GET('/v1/candidate/session'))).stages[0]!.status

test('25: Submitting asks once, and says what is open, what is final, and what comes next', async (t) => {
  const invite = await invited(
    assessment(
      [
        stage({ gate: { required: true, minScore: 1 } }),
        stage({ title: 'Allergens', timeLimitMinutes: 10, questions: [shortText] }),
      ],
      { timeLimitMinutes: 45 },
    ),
    { invite: { extraTimePercent: 25 } },
  )
  const { page, context } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.choose('57 °C')
  await candidate.next()
  await candidate.flag()
  await candidate.next()
  await candidate.next()
  // Enter in a text field submits nothing.
  await candidate.type('sesame')
  await candidate.seeSaved()
  await page.keyboard.press('Enter')
  await candidate.seeQuestion(4)

  await setOffline(context, true)
  await candidate.type('poppy')
  await candidate.openOverview()
  await candidate.submit()
  const main = page.getByRole('main')
  for (const line of [
    text('confirm.unanswered', { count: 2 }),
    text('confirm.flagged', { count: 1 }),
    text('confirm.unsent', { count: 1 }),
    text('confirm.final'),
    text('confirm.gate', { organization: 'Harbour Kitchens' }),
    text('confirm.next.limit', { number: 2, title: 'Allergens', time: '12 minutes 30 seconds' }),
  ])
    await main.getByText(line, { exact: true }).waitFor()
  await main.getByText(candidate.pattern('confirm.total')).waitFor()
  await checkAxe(page, 'confirm')

  // Offline, the page tries again by itself, and the candidate can go back.
  await candidate.confirm()
  await main.getByText(text('confirm.connection')).waitFor({ timeout: 20_000 })
  await checkAxe(page, 'confirm, offline')
  await main.getByRole('link', { name: text('confirm.question', { number: 3 }), exact: true }).click()
  await candidate.seeQuestion(3)
  await setOffline(context, false)
  await candidate.seeSaved()
  assert.equal(await stageStatus(invite), 'IN_PROGRESS')
  await candidate.openOverview()
  await candidate.submit()
  await setOffline(context, true)
  await candidate.confirm()
  await main.getByText(text('confirm.connection')).waitFor({ timeout: 20_000 })
  await setOffline(context, false)
  await candidate.button('stage.start').waitFor()
  assert.equal(await stageStatus(invite), 'PASSED')
})

test('25: Submitting waits for unsent answers', async (t) => {
  const invite = await invited(timed(20))
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  const release = await hold(page, answersPath)
  const submitted = requestsTo(page, submitPath)
  await candidate.choose('57 °C')
  await candidate.submitStage()
  await page.getByText(text('confirm.answers', { count: 1 })).waitFor()
  assert.equal(submitted.length, 0)
  release()
  await candidate.seeEnd()
  const session = await invite.organization.session(invite.sessionId)
  assert.equal(session.score, 20)
})

test('26: A double click and a lost response lead to one outcome and one event', async (t) => {
  const invite = await invited(timed(20))
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.choose('57 °C')
  await candidate.seeSaved()
  await candidate.openOverview()
  await candidate.submit()
  await loseResponse(page, submitPath, { times: 2 })
  const submitted = requestsTo(page, submitPath)
  await candidate.button('confirm.yes').dblclick()
  await candidate.seeEnd()
  // The page can learn from another response that the session has ended.
  assert.ok([2, 3].includes(submitted.length), `${submitted.length} submissions`)
  const session = await invite.organization.session(invite.sessionId)
  assert.deepEqual([session.status, session.closeReason, session.score], ['COMPLETED', 'SUBMITTED', 20])
  assert.deepEqual(await events(invite), ['candidate.completed', 'candidate.started', 'candidate.invited'])
})

test('26: Going back while a submission arrives says that the stage is submitted', async (t) => {
  const invite = await invited(assessment([stage(), stage({ title: 'Allergens', questions: [shortText] })]))
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.openOverview()
  await candidate.submit()
  await delay(page, submitPath, 1500, { times: 1 })
  await candidate.confirm()
  await page.getByText(text('confirm.stage')).waitFor()
  await page.goBack()
  await page.getByText(text('stage.ended.submitted', { number: 1 })).waitFor()
  await candidate.seeQuestion(1)
  await checkAxe(page, 'next stage without a limit')
  await candidate.type('sesame')
  await candidate.seeSaved()
  assert.deepEqual(await savedAnswers(invite), [{ text: 'sesame' }])
})

test('27: A stage with a limit is introduced before its clock starts, and the break has no limit', async (t) => {
  const invite = await invited(twoStages(), { invite: { extraTimePercent: 20 } })
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.submitStage()
  await candidate.button('stage.start').waitFor()
  const main = page.getByRole('main')
  for (const line of [
    text('stage.ended.submitted', { number: 1 }),
    text('stage.time.extra', { time: '12 minutes', without: '10 minutes' }),
    text('stage.break'),
    text('stage.break.free', { days: 30 }),
  ])
    await main.getByText(line).waitFor()
  await main.getByText('What a label must say.').waitFor()
  await until(async () => assert.equal(await page.getByRole('timer').count(), 0))
  await checkAxe(page, 'break')
  await page.reload()
  await candidate.button('stage.start').waitFor()
  const { status } = await ok(invite.candidate.GET('/v1/candidate/session/stage'))
  assert.equal(status, 'READY')
  await candidate.startStage()
  assert.ok((await shownSeconds(page)) > 11.5 * 60)
})

test('27: The page says what the clock of the session does during the break', async (t) => {
  const invite = await invited(twoStages({ timeLimitMinutes: 45 }), { settings: { timeZone: 'Asia/Tokyo' } })
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.submitStage()
  await candidate.button('stage.start').waitFor()
  const line = await page.getByText(candidate.pattern('stage.break.total')).innerText()
  assert.match(line, /^.* 4\d minutes .* \(UTC\+9,\sAsia\/Tokyo\)\.$/)
  assert.ok((await shownSeconds(page)) > 44 * 60)
  await ok(
    invite.organization.api.POST('/v1/candidate-sessions/{id}/extend', {
      params: { path: { id: invite.sessionId } },
      body: { minutes: 5, reason: 'The room was loud' },
    }),
  )
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await awaitAnnouncement(page, text('time.added', { count: 5 }))
  await checkAxe(page, 'break with a clock')
})
