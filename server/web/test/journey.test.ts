// The main journey: from the link to the end, with an answer of each type.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, invited, ok, organization, savedAnswers } from './support/api.ts'
import { checkAxeInAllColors } from './support/axe.ts'
import { assessment, eachType, freeText, stage, twoStages } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { startServer } from './support/server.ts'

after(disconnect)

const correct = [{ optionId: 'b' }, { optionIds: ['melon', 'tomato', 'garlic'] }, { number: 74.5 }, { text: 'sesame' }]

test('a candidate answers each type of question, and finishes', async (t) => {
  const invite = await invited(eachType())
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.startButton().waitFor()
  await checkAxeInAllColors(page, 'intro')
  await candidate.start()
  await checkAxeInAllColors(page, 'question')
  await candidate.answerEachType()
  await eventually(
    () => savedAnswers(invite),
    (saved) => saved.every((answer) => answer !== null),
  )
  assert.deepEqual(await savedAnswers(invite), correct)
  await candidate.submitStage()
  await candidate.seeEnd()
  await checkAxeInAllColors(page, 'end')
  const session = await invite.organization.session(invite.sessionId)
  assert.deepEqual([session.status, session.score], ['COMPLETED', 100])
})

test('a candidate writes a text, a person grades it, and the result is there', async (t) => {
  const invite = await invited(assessment([stage({ questions: [...stage().questions!, freeText] })]))
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.answerEachType()
  await candidate.next()
  await candidate.type('In shallow pans,\nin an ice bath.')
  await checkAxeInAllColors(page, 'long text')
  const text = 'In shallow pans,\nin an ice bath.'
  await eventually(
    () => savedAnswers(invite),
    (saved) => saved[4]?.text === text,
  )
  assert.deepEqual(await savedAnswers(invite), [...correct, { text }])
  await candidate.submitStage()
  await candidate.seeEnd()
  const { api, session } = invite.organization
  assert.deepEqual(await session(invite.sessionId).then(({ status, score }) => [status, score]), ['IN_REVIEW', null])
  const params = { path: { id: invite.sessionId } }
  const { questionIds } = await ok(api.GET('/v1/candidate-sessions/{id}/open-decision', { params }))
  const path = { ...params.path, questionId: questionIds[0]! }
  const rubric = freeText.rubric!.map(({ id, points }) => ({ id, points }))
  const body = { points: 4, version: 0, rubric }
  await ok(api.PUT('/v1/candidate-sessions/{id}/grades/{questionId}', { params: { path }, body }))
  assert.deepEqual(await session(invite.sessionId).then(({ status, score }) => [status, score]), ['COMPLETED', 100])
})

test('on PostgreSQL, a candidate finishes two stages', async (t) => {
  const server = await startServer({ database: 'postgres' })
  t.after(() => server.stop())
  const owner = await organization({}, server.url)
  const invite = await owner.invite(await owner.publish(twoStages()))
  const { page } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.answerEachType()
  await candidate.submitStage()
  await candidate.startStage()
  await candidate.type('sesame')
  await candidate.submitStage()
  await candidate.seeEnd()
  const session = await owner.session(invite.sessionId)
  assert.deepEqual([session.status, session.score], ['COMPLETED', 100])
})
